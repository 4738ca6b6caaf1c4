//! How a trace is laid out: one file for all ranks, or a list of files, one for each.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::compact::{MAGIC, Tables, Walk};
use crate::cursor::{Cursor, Piece};
use crate::fields::{Fields, integer, shown};
use crate::files::Files;
use crate::merged;
use crate::mistake::{Mistake, Problem};
use crate::writer::INDEX;

/// A time-independent trace, ready to be read rank by rank.
#[derive(Debug)]
pub struct Trace {
    files: Rc<RefCell<Files>>,
    pieces: Pieces,
    ranks: u32,
}

/// Where the lines of each rank are.
#[derive(Debug)]
enum Pieces {
    /// In a file of its own, of the same number.
    Split,
    /// In pieces of one file.
    Merged(Vec<Vec<Piece>>),
    /// In programs that ranks share.
    Compact(Rc<Tables>),
}

impl Trace {
    /// Opens a trace: a compact or a merged file, a list of files, or a folder that holds such a
    /// list.
    ///
    /// # Errors
    ///
    /// If files cannot be read, or if ranks are missing or there twice.
    pub fn open(path: &Path) -> Result<Trace, Problem> {
        let list = match path.is_dir() {
            true => path.join(INDEX),
            false => path.to_owned(),
        };
        if is_compact(&list)? {
            return Self::compact(list);
        }
        if is_list(&list)? { Self::split(&list) } else { Self::merged(list) }
    }

    /// How many ranks it has.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// The actions of one rank.
    ///
    /// # Panics
    ///
    /// If there is no such rank.
    pub fn cursor(&self, rank: u32) -> Cursor {
        assert!(rank < self.ranks, "there is no rank {rank} among {}", self.ranks);
        let (is_merged, pieces) = match &self.pieces {
            Pieces::Split => (false, vec![Piece { file: rank, start: 0, length: u64::MAX }]),
            Pieces::Merged(all) => (true, all[rank as usize].clone()),
            Pieces::Compact(tables) => return Cursor::walk(Walk::new(tables.clone(), rank)),
        };
        Cursor::new(self.files.clone(), (rank, self.ranks), is_merged, pieces)
    }

    fn merged(path: PathBuf) -> Result<Trace, Problem> {
        let merged::Index { pieces, spool } = merged::index(&path)?;
        let mut files = Files::new(vec![path]);
        if let Some(spool) = spool {
            files.keep("a temporary file".into(), spool);
        }
        let ranks = pieces.len() as u32;
        Ok(Trace { files: share(files), pieces: Pieces::Merged(pieces), ranks })
    }

    fn compact(path: PathBuf) -> Result<Trace, Problem> {
        let tables = Tables::open(&path)?;
        let ranks = tables.ranks();
        let files = share(Files::new(vec![path]));
        Ok(Trace { files, pieces: Pieces::Compact(Rc::new(tables)), ranks })
    }

    /// Files do not come in the order of ranks: their first lines tell whose they are.
    fn split(list: &Path) -> Result<Trace, Problem> {
        let names = read_list(list)?;
        let mut paths: Vec<Option<PathBuf>> = vec![None; names.len()];
        for (line, path) in names {
            let rank = owner(&path)?;
            let count = paths.len();
            let wrong = |reason: String| Problem::Line {
                path: list.to_owned(),
                line,
                mistake: Mistake(format!("{} {reason}", path.display())),
            };
            match paths.get_mut(usize::try_from(rank).unwrap_or(usize::MAX)) {
                Some(place @ None) => *place = Some(path),
                Some(Some(other)) => {
                    let other = other.display();
                    return Err(wrong(format!("is of rank {rank}, and so is {other}")));
                }
                None => {
                    return Err(wrong(format!("is of rank {rank}, but there are {count} files")));
                }
            }
        }
        let ranks = paths.len() as u32;
        let files = Files::new(paths.into_iter().flatten().collect());
        Ok(Trace { files: share(files), pieces: Pieces::Split, ranks })
    }
}

fn share(files: Files) -> Rc<RefCell<Files>> {
    Rc::new(RefCell::new(files))
}

/// Whether a line holds nothing: it is blank, or a comment.
#[inline]
pub(crate) fn is_passed_over(line: &[u8]) -> bool {
    let first = line.iter().find(|byte| !byte.is_ascii_whitespace());
    first.is_none_or(|byte| *byte == b'#')
}

/// Calls `each` with every line that is not passed over, and its number, until it answers.
fn find_line<T>(
    path: &Path,
    mut each: impl FnMut(u64, &[u8]) -> Option<T>,
) -> Result<Option<T>, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let mut reader = BufReader::new(File::open(path).map_err(cannot)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(cannot)? == 0 {
            break;
        }
        if is_passed_over(&line) {
            continue;
        }
        if let Some(found) = each(number, line.trim_ascii()) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Whether a file is a compact trace: it begins like one.
fn is_compact(path: &Path) -> Result<bool, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let mut start = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    file.take(MAGIC.len() as u64).read_to_end(&mut start).map_err(cannot)?;
    Ok(start == MAGIC)
}

/// Whether a file is a list of files: its first line is no action of a rank.
fn is_list(path: &Path) -> Result<bool, Problem> {
    let is_action = |line: &[u8]| {
        let mut fields = Fields::new(line);
        fields.next().is_some_and(|rank| integer(rank).is_ok()) && fields.next().is_some()
    };
    let found = find_line(path, |_, line| Some(!is_action(line)))?;
    found.ok_or_else(|| Problem::Whole {
        path: path.to_owned(),
        reason: "there is nothing in it; a trace has a line for each action".into(),
    })
}

/// The files of a list with the lines they are named in. Those that are not found from where the
/// command was started are beside the list.
fn read_list(list: &Path) -> Result<Vec<(u64, PathBuf)>, Problem> {
    let folder = list.parent().unwrap_or(Path::new(""));
    let mut names = Vec::new();
    find_line(list, |number, line| {
        let name = PathBuf::from(String::from_utf8_lossy(line).into_owned());
        let beside = folder.join(&name);
        let path = if fs::exists(&beside).unwrap_or(false) { beside } else { name };
        names.push((number, path));
        None::<()>
    })?;
    Ok(names)
}

/// Whose actions a file holds.
fn owner(path: &Path) -> Result<i64, Problem> {
    let first = find_line(path, |number, line| {
        let field = Fields::new(line).next().unwrap_or_default();
        Some(integer(field).map_err(|_| Problem::Line {
            path: path.to_owned(),
            line: number,
            mistake: Mistake(format!("expected the number of a rank, not {}", shown(field))),
        }))
    })?;
    first.unwrap_or_else(|| {
        let reason = "there is no action in it, so it has no rank".into();
        Err(Problem::Whole { path: path.to_owned(), reason })
    })
}

#[cfg(test)]
mod tests;
