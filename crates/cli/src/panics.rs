//! A bug of ours is told as such, with what it takes to find it.

use std::panic::PanicHookInfo;

use crate::notes;

/// As Rust programs do whose main thread panics.
const EXIT_CODE: i32 = 101;

/// Replaces the usual message of a panic by one for users.
pub(crate) fn explain() {
    std::panic::set_hook(Box::new(|info| {
        notes::plain(&message(info, &command_line()));
        std::process::exit(EXIT_CODE);
    }));
}

/// The command line as one would type it.
pub(crate) fn command_line() -> String {
    let words: Vec<String> =
        std::env::args_os().map(|word| quoted(&word.to_string_lossy())).collect();
    words.join(" ")
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn message(info: &PanicHookInfo<'_>, command: &str) -> String {
    let payload = info.payload();
    let formatted = payload.downcast_ref::<String>().map(String::as_str);
    let what = formatted.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let place = info.location().map(|place| format!(" ({place})")).unwrap_or_default();
    format!(
        "error: this is a bug of foretell, not of your input: {what}{place}\n\
         Please report it with the command line and the files it names:\n  {command}\n  \
         foretell {}",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_as_a_shell_needs_it() {
        assert_eq!(quoted("smpi/os:0:1"), "smpi/os:0:1");
        assert_eq!(quoted("a;b"), "'a;b'");
        assert_eq!(quoted("it's"), r"'it'\''s'");
        assert_eq!(quoted(""), "''");
    }
}
