//! Spellings of other launchers, put into ours before the command line is read.

use std::ffi::OsString;

/// Options that `mpirun` and `smpirun` write with one dash.
const LONG_WITH_ONE_DASH: [(&str, &str); 3] =
    [("-np", "--ranks"), ("-platform", "--platform"), ("-hostfile", "--hostfile")];

/// The words of a command line in our spelling.
pub(crate) fn understood(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut ended = false;
    words
        .into_iter()
        .map(|word| {
            ended |= word == "--";
            match word.to_str().filter(|_| !ended).and_then(translated) {
                Some(ours) => ours.into(),
                None => word,
            }
        })
        .collect()
}

fn translated(word: &str) -> Option<String> {
    let (name, value) = word.split_at(word.find('=').unwrap_or(word.len()));
    let (_, ours) = LONG_WITH_ONE_DASH.iter().find(|(theirs, _)| *theirs == name)?;
    Some(format!("{ours}{value}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: &str) {
        let words = understood(line.split(' ').map(OsString::from));
        assert_eq!(words.join(" ".as_ref()), expected);
    }

    #[test]
    fn one_dash_is_as_good_as_two() {
        check("app ring -np 64 -platform x.xml", "app ring --ranks 64 --platform x.xml");
        check("app ring -np=64 -n 3", "app ring --ranks=64 -n 3");
    }

    #[test]
    fn other_words_stay_as_they_are() {
        check("app ring -p np -nq", "app ring -p np -nq");
        check("app ring -- -np", "app ring -- -np");
    }
}
