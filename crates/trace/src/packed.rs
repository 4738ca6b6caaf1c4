//! Traces of one file that gzip has compressed, as Paraver's often are: they are read as what is
//! in them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;

use crate::mistake::Problem;

/// What gzip's files begin with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// How their names end.
const ENDING: &str = "gz";

/// What is in a file, compressed or not.
#[derive(Debug)]
pub(crate) enum Contents {
    Plain(File),
    Packed(Box<MultiGzDecoder<BufReader<File>>>),
}

impl Contents {
    /// Opens a file, whatever it is called.
    pub(crate) fn open(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let file = File::open(path).map_err(cannot)?;
        let is_packed = is_packed(&file).map_err(|error| match error.kind() {
            io::ErrorKind::NotSeekable => {
                let reason = "this is a pipe, and traces are read more than once: store it in a \
                              file first (what gzip has compressed may stay so)";
                Problem::Whole { path: path.to_owned(), reason: reason.into() }
            }
            _ => cannot(error),
        })?;
        Ok(match is_packed {
            true => Contents::Packed(Box::new(MultiGzDecoder::new(BufReader::new(file)))),
            false => Contents::Plain(file),
        })
    }

    /// A file that has what is in this one, from its beginning: this one, or a temporary one.
    pub(crate) fn into_file(self) -> io::Result<File> {
        match self {
            Contents::Plain(file) => Ok(file),
            Contents::Packed(mut packed) => {
                let mut file = tempfile::tempfile()?;
                io::copy(&mut packed, &mut file)?;
                file.seek(SeekFrom::Start(0))?;
                Ok(file)
            }
        }
    }
}

impl Read for Contents {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        match self {
            Contents::Plain(file) => file.read(room),
            Contents::Packed(packed) => packed.read(room),
        }
    }
}

/// Whether a file begins as gzip's do; it is at its beginning before and after.
fn is_packed(mut file: &File) -> io::Result<bool> {
    let mut start = Vec::new();
    file.take(MAGIC.len() as u64).read_to_end(&mut start)?;
    // What cannot go back, such as a pipe, cannot be looked at without taking something away.
    file.seek(SeekFrom::Start(0))?;
    Ok(start == MAGIC)
}

/// The name that a file has, or would have, before it is compressed.
pub(crate) fn unpacked_name(path: &Path) -> PathBuf {
    match path.extension().is_some_and(|ending| ending == ENDING) {
        true => path.with_extension(""),
        false => path.to_owned(),
    }
}

/// Refuses a compressed file of a form that has several, or that is read at places of its choice.
pub(crate) fn refuse(path: &Path) -> Result<(), Problem> {
    match Contents::open(path)? {
        Contents::Plain(_) => Ok(()),
        Contents::Packed(_) => {
            let reason = "this is compressed; unpack it first, as `gunzip --keep` does, with the \
                          files that belong to it"
                .into();
            Err(Problem::Whole { path: path.to_owned(), reason })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::{Action, Form, Trace};

    fn pack(path: &Path, parts: &[&str]) {
        let mut file = File::create(path).unwrap();
        for part in parts {
            let mut encoder = GzEncoder::new(&mut file, Compression::fast());
            encoder.write_all(part.as_bytes()).unwrap();
            encoder.finish().unwrap();
        }
    }

    fn actions(trace: &Trace, rank: u32) -> Vec<String> {
        let (mut cursor, mut all) = (trace.cursor(rank), Vec::new());
        while let Some(action) = cursor.next().unwrap() {
            all.push(Action::to_string(&action));
        }
        all
    }

    #[test]
    fn a_compressed_text_is_read_as_what_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.txt.gz");
        // Files that are packed one behind the other are one file.
        pack(&path, &["0 init\n1 init\n0 send 1 0 8 6\n", "1 recv 0 0 8 6\n1 compute x\n"]);
        let trace = Trace::open(&path).unwrap();
        assert_eq!((trace.form(), trace.ranks()), (Form::TimeIndependent, 2));
        assert_eq!(actions(&trace, 0), ["init", "send 1 0 8 6"]);
        let mut cursor = trace.cursor(1);
        assert!(cursor.next().is_ok() && cursor.next().is_ok());
        let told = cursor.next().unwrap_err().to_string();
        assert!(told.contains("all.txt.gz:5:"), "{told}");
    }

    #[test]
    fn mistakes_in_compressed_files_have_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, text: &str, reason: &str| {
            let path = folder.path().join(name);
            pack(&path, &[text]);
            let told = Trace::open(&path).unwrap_err().to_string();
            assert!(told.contains(name) && told.contains(reason), "{told}");
        };
        check("a.prv.gz", "#Paraver (1/1/70 at 00:00):9_ns:0:1:1(1:1)\n2:x\n", "a.prv.gz:2:");
        check("a.dim.gz", "#DIMEMAS:\"a\":0:1(1),0\n1:7:0:1\n", "a.dim.gz:2:");
        check("a.goal.gz", "num_ranks 1\nrank 0 {\nwalk 5\n}\n", "a.goal.gz:3");
        check("a.meta.gz", "numprocs=1\nfileprefix=x\n", "unpack it first");
        check("b.fti.gz", "foretell-ti\u{1}", "unpack it first");
    }

    #[test]
    fn a_compressed_file_that_is_cut_off_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cut.txt.gz");
        pack(&path, &[&"0 compute 1000000\n".repeat(500)]);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 9]).unwrap();
        let told = Trace::open(&path).unwrap_err().to_string();
        assert!(told.contains("cut.txt.gz"), "{told}");
    }

    #[test]
    fn names_lose_the_ending_of_gzip_alone() {
        assert_eq!(unpacked_name(Path::new("a/b.prv.gz")), Path::new("a/b.prv"));
        assert_eq!(unpacked_name(Path::new("b.prv")), Path::new("b.prv"));
    }
}
