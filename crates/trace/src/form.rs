//! Which formats can be replayed, and how one is told from another.

use std::io::Read;
use std::path::Path;

use crate::compact::MAGIC;
use crate::mistake::Problem;
use crate::packed::{Contents, unpacked_name};
use crate::timed::TABLE;

/// A format of traces that ranks can be driven by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Time-independent text as SimGrid has it: merged, or one file for each rank.
    TimeIndependent,
    /// The same in compact form.
    Compact,
    /// An archive of the Open Trace Format 2.
    Otf2,
    /// Paraver's `.prv`.
    Paraver,
    /// Dimemas' `.dim`.
    Dimemas,
    /// A schedule of LogGOPSim, as text or binary.
    Goal,
    /// SST's DUMPI: a text file that says where the files of ranks are.
    Dumpi,
    /// A table with dates, of ours.
    Table,
}

/// What the beginning of a file is looked at for.
const LOOKED_AT: u64 = 4096;

impl Form {
    /// All forms.
    pub const ALL: [Form; 8] = [
        Form::TimeIndependent,
        Form::Compact,
        Form::Otf2,
        Form::Paraver,
        Form::Dimemas,
        Form::Goal,
        Form::Dumpi,
        Form::Table,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Form::TimeIndependent => "ti",
            Form::Compact => "compact",
            Form::Otf2 => "otf2",
            Form::Paraver => "paraver",
            Form::Dimemas => "dimemas",
            Form::Goal => "goal",
            Form::Dumpi => "dumpi",
            Form::Table => "table",
        }
    }

    /// The form of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.name() == name)
    }

    /// The form of a file, by how it begins. If that tells nothing, its name does: whoever reads
    /// that form can say what is wrong with the file.
    pub(crate) fn of(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let mut start = Vec::new();
        let contents = Contents::open(path)?;
        contents.take(LOOKED_AT).read_to_end(&mut start).map_err(cannot)?;
        Ok(match Self::of_beginning(&start) {
            Form::TimeIndependent => Self::of_name(path).unwrap_or(Form::TimeIndependent),
            form => form,
        })
    }

    /// The form that the name of a file promises.
    fn of_name(path: &Path) -> Option<Self> {
        match unpacked_name(path).extension()?.to_str()? {
            "fti" => Some(Form::Compact),
            "otf2" => Some(Form::Otf2),
            "prv" => Some(Form::Paraver),
            "dim" => Some(Form::Dimemas),
            "goal" => Some(Form::Goal),
            "meta" => Some(Form::Dumpi),
            _ => None,
        }
    }

    fn of_beginning(start: &[u8]) -> Self {
        const COOKIE: [u8; 8] = 4223_u64.to_le_bytes();
        match start {
            start if start.starts_with(MAGIC) => Form::Compact,
            [3, 0x42 | 0x23, b'O', b'T', b'F', b'2', 0, ..] => Form::Otf2,
            [0xff, 0xaa, 0xdd, b'D', b'U', b'M', b'P', b'I', ..] => Form::Dumpi,
            start if start.starts_with(b"#Paraver") => Form::Paraver,
            start if start.starts_with(TABLE) => Form::Table,
            start if start.starts_with(b"#DIMEMAS") => Form::Dimemas,
            start if start.starts_with(&COOKIE) => Form::Goal,
            start if is_schedule(start) => Form::Goal,
            start if is_meta(start) => Form::Dumpi,
            _ => Form::TimeIndependent,
        }
    }
}

/// Whether this begins as a schedule does, behind its comments.
fn is_schedule(start: &[u8]) -> bool {
    let mut rest = start.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            [b'/', b'/', ..] => b"\n",
            [b'/', b'*', ..] => b"*/",
            _ => return rest.starts_with(b"num_ranks"),
        };
        let Some(at) = rest.windows(end.len()).position(|window| window == end) else {
            return false;
        };
        rest = rest[at + end.len()..].trim_ascii_start();
    }
}

/// Whether these are lines of `key=value`, among them those that DUMPI has.
fn is_meta(start: &[u8]) -> bool {
    let has = |key: &[u8]| start.split(|byte| *byte == b'\n').any(|line| line.starts_with(key));
    has(b"numprocs=") && has(b"fileprefix=")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_file_is_of_the_form_that_its_name_promises() {
        let folder = tempfile::tempdir().unwrap();
        let check = |name: &str, text: &[u8], reason: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            let told = crate::Trace::open(&path).unwrap_err().to_string();
            assert!(told.contains(name) && told.contains(reason), "{told}");
        };
        check("a.otf2", b"nothing of the kind", "not the anchor of an OTF2 archive");
        check("cut.otf2", b"\x03\x42OT", "the anchor ends too early");
        check("a.prv", b"1:1:1:1:1:0:5:1\n", "#Paraver");
        check("a.dim", b"1:0:0:5\n", "#DIMEMAS");
        check("a.goal", b"rank 0 {\n}\n", "expected num_ranks");
        check("a.fti", b"0 init\n", "compact");
        check("a.meta", b"numprocs=4\n", "fileprefix");
        check("a.prv.gz", b"\x1f\x8b\x08\0", "a.prv.gz");
        // What has no such name is text of SimGrid's.
        let path = folder.path().join("a.txt");
        std::fs::write(&path, "0 init\n").unwrap();
        assert_eq!(Form::of(&path).unwrap(), Form::TimeIndependent);
    }

    #[test]
    fn files_are_told_by_how_they_begin() {
        let check = |start: &[u8], form| assert_eq!(Form::of_beginning(start), form);
        check(b"0 init\n", Form::TimeIndependent);
        check(b"rank-0.txt\nrank-1.txt\n", Form::TimeIndependent);
        check(b"foretell-ti\x01", Form::Compact);
        check(b"\x03\x42OTF2\0", Form::Otf2);
        check(b"#Paraver (1/1/70 at 00:00):1_ns:0:1:1(1:1)\n", Form::Paraver);
        check(b"kind,rank,begin,end,what", Form::Table);
        check(b"#DIMEMAS:\"a\":0:1(1),0\n", Form::Dimemas);
        check(b"/* one\n*/ // two\n num_ranks 2", Form::Goal);
        check(b"// num_ranks", Form::TimeIndependent);
        check(&4223_u64.to_le_bytes(), Form::Goal);
        check(b"hostname=a\nnumprocs=4\nfileprefix=x\n", Form::Dumpi);
        check(b"", Form::TimeIndependent);
        assert!(Form::ALL.iter().all(|form| Form::named(form.name()) == Some(*form)));
    }
}
