//! Opening a platform file.

use std::io;
use std::path::{Path, PathBuf};

use foretell_diagnostics::{Diagnostic, Source, render};

use crate::machine::Platform;
use crate::{dimemas_cfg, simgrid_xml, toml_format};

/// Why a platform file could not be used.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file could not be read at all.
    #[error("cannot read {}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The file has mistakes. Displayed, they are drawn with the lines they are about.
    #[error("{}", render(source_text, diagnostics))]
    Mistakes {
        /// The file and its text.
        source_text: Source,
        /// All mistakes, and warnings between them.
        diagnostics: Vec<Diagnostic>,
    },
}

impl Platform {
    /// Reads a platform file: SimGrid XML if it ends in `.xml`, a configuration of Dimemas if it
    /// begins as one, otherwise TOML.
    pub fn read(path: &Path) -> Result<Platform, ReadError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| ReadError::Io { path: path.to_owned(), error })?;
        let is_xml = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("xml"));
        let parsed = match is_xml {
            true => simgrid_xml::read(&text, path.parent()),
            false if text.starts_with(dimemas_cfg::BEGINNING) => {
                dimemas_cfg::read(&text, path.parent())
            }
            false => toml_format::read(&text),
        };
        parsed.map_err(|diagnostics| {
            let source_text = Source::new(path.display().to_string(), text);
            ReadError::Mistakes { source_text, diagnostics }
        })
    }
}
