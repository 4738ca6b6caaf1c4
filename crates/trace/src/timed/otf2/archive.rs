//! The files of an archive.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::super::draft::folder_of;
use super::super::draft::sweep::prefix;
use crate::files::Allowance;
use crate::mistake::Problem;

/// Bytes of a chunk of events.
pub(super) const EVENT_CHUNK: usize = 1 << 20;
/// Bytes of a chunk of definitions.
const DEFINITION_CHUNK: u64 = 4 << 20;
/// So many files stay open at most.
const MOST_OPEN: usize = 512;

/// An archive that is written beside the place where it will be.
#[derive(Debug)]
pub(super) struct Archive {
    /// The anchor's path.
    path: PathBuf,
    folder: TempDir,
    files: Vec<Option<File>>,
    /// Those of the first locations stay open.
    allowance: Allowance,
    /// The last file of a location's definitions that is one by itself.
    last_definitions: Option<PathBuf>,
    error: Option<io::Error>,
}

/// How a chunk of events or definitions begins; the number of its last event comes later.
pub(super) fn chunk_header(first: u64) -> [u8; 18] {
    let mut header = [0; 18];
    (header[0], header[1]) = (3, 0x42);
    header[2..10].copy_from_slice(&first.to_le_bytes());
    header
}

impl Archive {
    pub(super) fn create(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::Unwritable { path: path.to_owned(), error };
        if path.extension().is_none_or(|ending| ending != "otf2") {
            let reason = "the name of an OTF2 archive ends in .otf2".into();
            return Err(Problem::Whole { path: path.to_owned(), reason });
        }
        if path.is_dir() {
            return Err(cannot(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let events = path.with_extension("");
        if events.exists() && !is_of_an_archive(&events) {
            let reason = "the events of the archive would go there, but it is not of an archive: \
                          remove it, or choose another name";
            return Err(Problem::Whole { path: events, reason: reason.into() });
        }
        let folder = tempfile::Builder::new().prefix(&prefix()).tempdir_in(folder_of(path));
        let folder = folder.map_err(|error| Problem::no_draft(path, error))?;
        fs::create_dir(folder.path().join("events")).map_err(cannot)?;
        let (path, allowance) = (path.to_owned(), Allowance::of(MOST_OPEN));
        Ok(Self { path, folder, files: Vec::new(), allowance, last_definitions: None, error: None })
    }

    fn name(&self, location: u64, ending: &str) -> PathBuf {
        self.folder.path().join("events").join(format!("{location}.{ending}"))
    }

    /// The file of a location's events.
    fn with_file(&mut self, location: u64, work: impl FnOnce(&mut File) -> io::Result<()>) {
        if self.error.is_some() {
            return;
        }
        let at = location as usize;
        if at >= self.files.len() {
            self.files.resize_with(at + 1, || None);
        }
        let known = self.files[at].take().map(Ok);
        let file = known.unwrap_or_else(|| {
            let mut options = File::options();
            options.create(true).truncate(false).write(true);
            options.open(self.name(location, "evt")).and_then(|mut file| {
                use std::io::Seek;
                file.seek(io::SeekFrom::End(0)).map(|_| file)
            })
        });
        let outcome = file.and_then(|mut file| {
            work(&mut file)?;
            self.files[at] = (at < self.allowance.files()).then_some(file);
            Ok(())
        });
        self.error = outcome.err();
    }

    /// Adds to the events of a location.
    pub(super) fn append(&mut self, location: u64, bytes: &[u8]) {
        self.with_file(location, |file| file.write_all(bytes));
    }

    /// Puts a number in its place in the events of a location.
    pub(super) fn patch(&mut self, location: u64, at: u64, number: u64) {
        self.with_file(location, |file| file.write_all_at(&number.to_le_bytes(), at));
    }

    /// The definitions of a location, of which there are none. All locations have the same file
    /// under several names, where the system allows that: making files takes it longer than most
    /// runs have time for.
    pub(super) fn local_definitions(&mut self, location: u64) {
        let path = self.name(location, "def");
        let linked = self.last_definitions.as_ref().map(|last| fs::hard_link(last, &path));
        if self.error.is_some() || matches!(linked, Some(Ok(()))) {
            return;
        }
        let mut bytes = chunk_header(1).to_vec();
        bytes.extend_from_slice(&[2, 1]);
        self.error = fs::write(&path, bytes).err();
        self.last_definitions = Some(path);
    }

    /// Writes the global definitions and the anchor, and puts all in their places.
    pub(super) fn finish(
        mut self,
        definitions: &[u8],
        count: u64,
        locations: u64,
    ) -> Result<(), Problem> {
        self.files.clear();
        let outcome = match self.error.take() {
            Some(error) => Err(error),
            None => self.place(definitions, &anchor(count, locations)),
        };
        outcome.map_err(|error| Problem::Unwritable { path: self.path, error })
    }

    fn place(&self, definitions: &[u8], anchor: &[u8]) -> io::Result<()> {
        let (events, draft) = (self.path.with_extension(""), self.folder.path());
        fs::write(draft.join("def"), definitions)?;
        fs::write(draft.join("otf2"), anchor)?;
        if events.exists() {
            // An old archive must not be found with new events.
            let _ = fs::remove_file(&self.path);
            fs::rename(&events, draft.join("old"))?;
        }
        fs::rename(draft.join("events"), &events)?;
        fs::rename(draft.join("def"), self.path.with_extension("def"))?;
        fs::rename(draft.join("otf2"), &self.path)
    }
}

/// Whether a folder holds nothing but events of an archive.
fn is_of_an_archive(folder: &Path) -> bool {
    let is_part = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        ending == Some("evt") || ending == Some("def") && stem.parse::<u64>().is_ok()
    };
    fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| is_part(&entry.path())))
    })
}

/// Who wrote an archive.
pub(super) const CREATOR: &str = "foretell";

/// The first file that readers open.
fn anchor(definitions: u64, locations: u64) -> Vec<u8> {
    let mut bytes = vec![3, 0x42];
    bytes.extend_from_slice(b"OTF2\0");
    // Formats of the anchor and of the trace, and the version of the library that wrote such.
    bytes.extend_from_slice(&[3, 2, 3, 0, 0]);
    bytes.extend_from_slice(&(EVENT_CHUNK as u64).to_le_bytes());
    bytes.extend_from_slice(&DEFINITION_CHUNK.to_le_bytes());
    // Plain files, not compressed.
    bytes.extend_from_slice(&[1, 1]);
    bytes.extend_from_slice(&locations.to_le_bytes());
    bytes.extend_from_slice(&definitions.to_le_bytes());
    for text in ["simulated", CREATOR, "a run of a simulated MPI program"] {
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(0);
    }
    bytes.extend_from_slice(&0_u32.to_le_bytes());
    // The number of the trace is that of its definitions: the same run gives the same file.
    bytes.extend_from_slice(&definitions.to_le_bytes());
    bytes.extend_from_slice(&0_u32.to_le_bytes());
    bytes.extend_from_slice(&0_u32.to_le_bytes());
    bytes.extend_from_slice(&[2, 1, 0]);
    bytes
}
