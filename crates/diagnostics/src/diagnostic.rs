//! What is wrong, and where.

use std::ops::Range;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth a look; the file can be used as it is.
    Warning,
    /// The file cannot be used.
    Error,
}

/// Something wrong at a place in a file, told so that the user can fix it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The bytes of the source it is about; empty where only a position is known.
    pub span: Range<usize>,
    /// What is wrong, in one sentence with the offending value.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A mistake that makes the file unusable.
    pub fn error(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, span, message: message.into(), help: None }
    }

    /// Something that is probably not what the user meant.
    pub fn warning(span: Range<usize>, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(span, message) }
    }

    /// Adds what to do.
    pub fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    /// Adds what to do, if there is something to say.
    pub fn with_help_if(self, help: Option<impl Into<String>>) -> Self {
        match help {
            Some(help) => self.with_help(help),
            None => self,
        }
    }
}

/// Whether one of them makes the file unusable.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
