//! Host files, as launchers of MPI programs read them: one host per line.
//!
//! `name`, `name:4` and `name slots=4` are understood; the latter two mean four ranks in a row.
//! `max_slots=` and other `key=value` words are passed over, `#` starts a comment.

use std::ops::Range;

use foretell_diagnostics::{Diagnostic, nearest};

use crate::machine::{HostId, Platform};

/// Names compared with a mistyped one; a machine may have a million.
const GUESSES: usize = 20_000;
/// More ranks than any machine takes: a slip of the finger.
const MOST_SLOTS: usize = 1 << 24;

/// The hosts of a host file, one for each rank it has room for, or all its mistakes.
pub fn read(text: &str, platform: &Platform) -> Result<Vec<HostId>, Vec<Diagnostic>> {
    let mut hosts = Vec::new();
    let mut mistakes = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        match slots(line, start, platform) {
            Ok(None) => {}
            Ok(Some((host, count))) if hosts.len() + count <= MOST_SLOTS => {
                hosts.extend(std::iter::repeat_n(host, count));
            }
            Ok(Some(_)) => {
                let message = format!("more than {MOST_SLOTS} ranks up to here");
                mistakes.push(Diagnostic::error(start..start + line.trim_end().len(), message));
                break;
            }
            Err(mistake) => mistakes.push(mistake),
        }
        start += line.len();
    }
    if hosts.is_empty() && mistakes.is_empty() {
        let mistake = Diagnostic::error(0..0, "there is no host in this file");
        mistakes.push(mistake.with_help("write one host per line"));
    }
    if mistakes.is_empty() { Ok(hosts) } else { Err(mistakes) }
}

/// The host of a line and how many ranks it takes; none in an empty line.
fn slots(
    line: &str,
    start: usize,
    platform: &Platform,
) -> Result<Option<(HostId, usize)>, Diagnostic> {
    let line = line.split('#').next().unwrap_or_default();
    let place = |word: &str| {
        let at = start + (word.as_ptr().addr() - line.as_ptr().addr());
        at..at + word.len()
    };
    let mut words = line.split_whitespace();
    let Some(first) = words.next() else { return Ok(None) };
    let (name, mut count) = match first.rsplit_once(':') {
        // A name may have a colon in it.
        Some((name, slots)) if platform.find_host(first).is_none() => {
            (name, number(slots, place(slots))?)
        }
        _ => (first, 1),
    };
    for word in words {
        match word.split_once('=') {
            Some(("slots", slots)) => count = number(slots, place(slots))?,
            Some(_) => {}
            None => {
                let mistake = Diagnostic::error(place(word), format!("`{word}` is not expected"));
                return Err(mistake.with_help("write one host per line, as `name slots=4`"));
            }
        }
    }
    let host = platform.find_host(name).ok_or_else(|| unknown(name, place(name), platform))?;
    Ok(Some((host, count)))
}

fn number(text: &str, span: Range<usize>) -> Result<usize, Diagnostic> {
    match text.parse() {
        Ok(count) if (1..=MOST_SLOTS).contains(&count) => Ok(count),
        _ => {
            let mistake = Diagnostic::error(span, format!("`{text}` is no number of ranks"));
            Err(mistake.with_help("write a number from 1 on, as in `name:4`"))
        }
    }
}

fn unknown(name: &str, span: Range<usize>, platform: &Platform) -> Diagnostic {
    Diagnostic::error(span, format!("no host is called `{name}`")).with_help(guess(name, platform))
}

/// What a mistyped host may be, or how hosts are called here.
pub fn guess(name: &str, platform: &Platform) -> String {
    let names: Vec<String> =
        platform.hosts().take(GUESSES).map(|host| platform.host_name(host)).collect();
    let first = names.first().map_or("", String::as_str);
    match nearest(name, names.iter().map(String::as_str)) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("hosts of this machine are called as `{first}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(text: &str) -> Result<Vec<u32>, Vec<Diagnostic>> {
        let platform = Platform::named("graphene").unwrap();
        read(text, &platform).map(|hosts| hosts.into_iter().map(|host| host.0).collect())
    }

    #[test]
    fn all_spellings_of_slots_are_understood() {
        let text = "# ours\ngraphene-1\ngraphene-2:2\n\n graphene-3 slots=3 max_slots=9 # big\n";
        assert_eq!(ranks(text).unwrap(), [0, 1, 1, 2, 2, 2]);
    }

    #[test]
    fn every_mistake_has_its_place() {
        let text = "graphene-1\ngrafene-2\ngraphene-3:x\ngraphene-4 5\n";
        let mistakes = ranks(text).unwrap_err();
        let words: Vec<&str> = mistakes.iter().map(|m| &text[m.span.clone()]).collect();
        assert_eq!(words, ["grafene-2", "x", "5"]);
        assert_eq!(mistakes[0].help.as_deref(), Some("did you mean `graphene-2`?"));
    }

    #[test]
    fn a_file_without_hosts_is_a_mistake() {
        assert!(ranks("# nothing\n").is_err());
        assert!(ranks("").is_err());
    }

    #[test]
    fn a_file_of_absurd_size_is_told_where_it_becomes_absurd() {
        let text = "graphene-1:16000000\ngraphene-2:16000000\ngraphene-3:16000000\n";
        let mistakes = ranks(text).unwrap_err();
        assert_eq!(mistakes.len(), 1);
        assert_eq!(&text[mistakes[0].span.clone()], "graphene-2:16000000");
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_hosts_or_mistakes_with_a_place(text in "[a-z0-9:= #\n-]{0,60}|\\PC{0,40}") {
            if let Err(mistakes) = ranks(&text) {
                assert!(mistakes.iter().all(|mistake| text.get(mistake.span.clone()).is_some()));
            }
        }
    }
}
