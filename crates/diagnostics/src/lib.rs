//! Mistakes in users' files: their place, what is wrong, what to do.
//!
//! Readers collect [`Diagnostic`]s and go on, so that all mistakes of a file are told at once;
//! [`render`] draws them with the lines they are about.
//!
//! ```
//! use foretell_diagnostics::{Diagnostic, Source, render};
//!
//! let source = Source::new("cluster.toml", "cores = 0\n");
//! let mistake = Diagnostic::error(8..9, "a node needs a core").with_help("leave it out for one");
//! assert!(render(&source, &[mistake]).contains("--> cluster.toml:1:9"));
//! ```
#![forbid(unsafe_code)]

mod diagnostic;
mod nearest;
mod render;
mod source;

pub use diagnostic::{Diagnostic, Severity, has_errors};
pub use nearest::{did_you_mean, nearest};
pub use render::{Colour, render, render_with};
pub use source::{Position, Source, line_column};
