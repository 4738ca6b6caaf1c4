//! Reading traces with dates, whichever format they have.

use std::io::Read;
use std::path::Path;

use super::{Cast, Format, Writer, csv, otf2, paraver};
use crate::mistake::Problem;
use crate::packed::{Contents, unpacked_name};

/// What a table begins with.
pub(crate) const TABLE: &[u8] = b"kind,rank,";

/// Tells a writer what a trace has: a table of ours, an OTF2 archive or a Paraver trace, whichever
/// it begins as. Gives what the trace has and the writer was not told, in words.
///
/// A table tells every stay in a state, message, power and mark, in its own order; what begins is
/// not told apart from what ends. The other two tell what happens in the order of dates.
///
/// # Errors
///
/// If the file cannot be read or makes no sense, or if the writer cannot be made or finished.
pub fn read(
    path: &Path,
    make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>,
) -> Result<Vec<String>, Problem> {
    read_as(path, readable(path)?, make)
}

/// The same for a trace whose format is known; without one, it is a table.
pub(crate) fn read_as(
    path: &Path,
    format: Option<Format>,
    make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>,
) -> Result<Vec<String>, Problem> {
    match format {
        Some(Format::Otf2) => otf2::read(path, make),
        Some(Format::Paraver) => paraver::read(path, make),
        _ => csv::read(path, make).map(|()| Vec::new()),
    }
}

/// The format of a trace with dates that can be read, told by how it begins; if that tells
/// nothing, by its name.
///
/// # Errors
///
/// If the file cannot be read.
pub fn readable(path: &Path) -> Result<Option<Format>, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let mut start = Vec::new();
    Contents::open(path)?.take(16).read_to_end(&mut start).map_err(cannot)?;
    Ok(match &start[..] {
        [3, 0x42 | 0x23, b'O', b'T', b'F', b'2', ..] => Some(Format::Otf2),
        start if start.starts_with(b"#Paraver") => Some(Format::Paraver),
        start if start.starts_with(TABLE) => Some(Format::Csv),
        // Its reader can say what is wrong with it.
        _ => Format::of(&unpacked_name(path))
            .filter(|format| [Format::Otf2, Format::Paraver].contains(format)),
    })
}
