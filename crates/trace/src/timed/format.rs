//! Which formats there are, and how one is chosen.

use std::path::Path;

use super::csv::Csv;
use super::otf2::Otf2;
use super::page::Page;
use super::paje::Paje;
use super::paraver::Paraver;
use super::perfetto::Perfetto;
use super::{Cast, Writer};
use crate::mistake::Problem;

/// A format of traces with dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Paraver's `.prv`, with `.pcf` and `.row` beside it.
    Paraver,
    /// An archive of the Open Trace Format 2: the `.otf2` file, `.def` and a folder beside it.
    Otf2,
    /// Pajé's one text file.
    Paje,
    /// Perfetto's protobuf file.
    Perfetto,
    /// A table of our own that tells all.
    Csv,
    /// A page for the browser.
    Html,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 6] =
        [Format::Paraver, Format::Otf2, Format::Paje, Format::Perfetto, Format::Csv, Format::Html];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Paraver => "paraver",
            Format::Otf2 => "otf2",
            Format::Paje => "paje",
            Format::Perfetto => "perfetto",
            Format::Csv => "csv",
            Format::Html => "html",
        }
    }

    /// The format of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// How names of its files end.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Format::Paraver => &["prv"],
            Format::Otf2 => &["otf2"],
            Format::Paje => &["paje", "trace"],
            Format::Perfetto => &["perfetto", "pftrace", "perfetto-trace"],
            Format::Csv => &["csv"],
            Format::Html => &["html"],
        }
    }

    /// The format that the name of a file asks for.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.endings().contains(&ending))
    }
}

/// What is to be done with a writer of any format. It is compiled for each of them, so that what
/// it tells goes straight into records.
pub trait Errand {
    /// What comes of it.
    type Outcome;

    /// Does it.
    fn run(self, writer: impl Writer + Send + 'static) -> Self::Outcome;
}

/// Begins a trace for an errand.
///
/// # Errors
///
/// If it cannot be written where it is to be.
pub fn begin<E: Errand>(
    path: &Path,
    format: Format,
    cast: Cast,
    errand: E,
) -> Result<E::Outcome, Problem> {
    Ok(match format {
        Format::Paraver => errand.run(Paraver::create(path, cast)?),
        Format::Otf2 => errand.run(Otf2::create(path, cast)?),
        Format::Paje => errand.run(Paje::create(path, cast)?),
        Format::Perfetto => errand.run(Perfetto::create(path, cast)?),
        Format::Csv => errand.run(Csv::create(path, cast)?),
        Format::Html => errand.run(Page::create(path, cast)?),
    })
}

/// Begins a trace.
///
/// # Errors
///
/// If it cannot be written where it is to be.
pub fn create(path: &Path, format: Format, cast: Cast) -> Result<Box<dyn Writer + Send>, Problem> {
    begin(path, format, cast, Boxed)
}

/// Takes a writer as it is.
struct Boxed;

impl Errand for Boxed {
    type Outcome = Box<dyn Writer + Send>;

    fn run(self, writer: impl Writer + Send + 'static) -> Self::Outcome {
        Box::new(writer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_asks_for_its_format() {
        assert_eq!(Format::of(Path::new("a/run.prv")), Some(Format::Paraver));
        assert_eq!(Format::of(Path::new("run.trace")), Some(Format::Paje));
        assert_eq!(Format::of(Path::new("run.txt")), None);
        assert_eq!(Format::of(Path::new("prv")), None);
        assert_eq!(Format::named("otf2"), Some(Format::Otf2));
    }
}
