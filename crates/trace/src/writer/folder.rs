//! A folder that has all of its files, or is as it was before.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::{INDEX, rank_of};
use crate::mistake::Problem;
use crate::timed::prefix;

/// A folder about to be filled: its files are beside it, or in a folder of their own in it if it is
/// there already, until all are complete.
#[derive(Debug)]
pub(super) struct NewFolder {
    path: PathBuf,
    draft: TempDir,
}

impl NewFolder {
    /// Makes sure that there can be such a folder, before the work that fills it is done.
    pub(super) fn create(path: &Path) -> Result<Self, Problem> {
        let draft = Self::draft_of(path).map_err(|error| Problem::no_draft(path, error))?;
        Ok(Self { path: path.to_owned(), draft })
    }

    fn draft_of(path: &Path) -> io::Result<TempDir> {
        let place = match fs::metadata(path) {
            Ok(there) if there.is_dir() => path,
            Ok(_) => return Err(io::ErrorKind::NotADirectory.into()),
            Err(_) => {
                let above = path.parent().filter(|above| !above.as_os_str().is_empty());
                let above = above.unwrap_or(Path::new("."));
                fs::create_dir_all(above)?;
                above
            }
        };
        // As any new folder; the user's mask takes its share.
        let open = fs::Permissions::from_mode(0o777);
        tempfile::Builder::new().prefix(&prefix()).permissions(open).tempdir_in(place)
    }

    /// Where a file is written.
    pub(super) fn place_of(&self, name: &str) -> PathBuf {
        self.draft.path().join(name)
    }

    /// What to tell when that fails.
    pub(super) fn cannot(&self, name: &str, error: io::Error) -> Problem {
        Problem::Unwritable { path: self.path.join(name), error }
    }

    /// All files are complete.
    pub(super) fn finish(self) -> Result<(), Problem> {
        let Self { path, draft } = self;
        // This works where nothing is there.
        if fs::rename(draft.path(), &path).is_ok() {
            let _ = draft.keep();
            return Ok(());
        }
        let moved = remove_old(&path).and_then(|()| move_all(draft.path(), &path));
        moved.map_err(|error| Problem::Unwritable { path, error })
    }
}

/// An old trace must not be found with files of the new one, nor a new one with files of the old.
fn remove_old(folder: &Path) -> io::Result<()> {
    match fs::remove_file(folder.join(INDEX)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(|name| rank_of(name).is_some()) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// Gives files their places, the list of them last.
fn move_all(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let name = entry?.file_name();
        if name != INDEX {
            fs::rename(from.join(&name), to.join(&name))?;
        }
    }
    fs::rename(from.join(INDEX), to.join(INDEX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Action, TextWriter, Trace};

    fn write(folder: &Path, ranks: u32) {
        let mut writer = TextWriter::create(folder, ranks).unwrap();
        for rank in 0..ranks {
            writer.add(rank, &Action::Compute(f64::from(ranks))).unwrap();
        }
        writer.finish().unwrap();
    }

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let names = fs::read_dir(folder).unwrap().map(name);
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn files_of_an_old_trace_are_not_mixed_with_those_of_a_new_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/run.ti");
        write(&path, 3);
        fs::write(path.join("notes.txt"), "mine").unwrap();
        write(&path, 2);
        assert_eq!(names(&path), ["index.txt", "notes.txt", "rank-0.txt", "rank-1.txt"]);
        assert_eq!(fs::read_to_string(path.join("rank-1.txt")).unwrap(), "1 compute 2\n");
        assert_eq!(Trace::open(&path).unwrap().ranks(), 2);
        assert_eq!(names(&folder.path().join("deep")), ["run.ti"]);
    }

    #[test]
    fn a_trace_that_does_not_come_to_its_end_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.ti");
        drop(TextWriter::create(&path, 2).unwrap());
        assert!(!path.exists());
        write(&path, 1);
        let mut writer = TextWriter::create(&path, 4).unwrap();
        writer.add(3, &Action::Compute(1.0)).unwrap();
        drop(writer);
        assert_eq!(names(&path), ["index.txt", "rank-0.txt"]);
        assert_eq!(fs::read_to_string(path.join("rank-0.txt")).unwrap(), "0 compute 1\n");
    }

    #[test]
    fn folders_and_files_have_the_rights_of_new_ones() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("run.ti"), folder.path().join("other"));
        write(&path, 1);
        fs::create_dir(&other).unwrap();
        fs::write(other.join("file"), "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&other));
        assert_eq!(mode(&path.join("rank-0.txt")), mode(&other.join("file")));
    }

    #[test]
    fn what_is_in_the_way_is_told_before_anything_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.ti");
        fs::write(&path, "").unwrap();
        let told = TextWriter::create(&path, 1).unwrap_err().to_string();
        assert!(told.contains("run.ti: not a directory"), "{told}");
    }
}
