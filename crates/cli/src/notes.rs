//! What is said on standard error: errors, warnings, drawn mistakes.
//!
//! Nobody may be listening there; then nothing can be done about it, and the run goes on.

use std::io::{IsTerminal, Write, stderr};

use foretell_diagnostics::Colour;

/// Says what went wrong.
pub(crate) fn error(message: &str) {
    titled("error", "\u{1b}[1m\u{1b}[91m", message);
}

/// Says what may not be as it should.
pub(crate) fn warning(message: &str) {
    titled("warning", "\u{1b}[1m\u{1b}[33m", message);
}

/// Says something as it is.
pub(crate) fn plain(text: &str) {
    let _ = writeln!(stderr(), "{text}");
}

/// Whether what is drawn on standard error should have colours.
pub(crate) fn colour() -> Colour {
    colour_on(stderr().is_terminal())
}

/// Whether to use colours somewhere that is or is not a terminal; `NO_COLOR` is respected.
pub(crate) fn colour_on(is_terminal: bool) -> Colour {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if is_terminal && !refused { Colour::Always } else { Colour::Never }
}

fn titled(title: &str, escape: &str, message: &str) {
    match colour() {
        Colour::Always => plain(&format!("{escape}{title}\u{1b}[0m: {message}")),
        Colour::Never => plain(&format!("{title}: {message}")),
    }
}
