//! How a trace is laid out: one file for all ranks, or a list of files, one for each; or how it is
//! brought over from another format.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::compact::{Tables, Walk};
use crate::cursor::{Cursor, Origin, Piece};
use crate::fields::{Fields, integer, shown};
use crate::files::{Allowance, Files};
use crate::form::Form;
use crate::goal::{Schedule, Schedules};
use crate::left::{Left, lines_of};
use crate::mistake::{Mistake, Problem};
use crate::packed::Contents;
use crate::spool::Spool;
use crate::timed::Format;
use crate::writer::INDEX;
use crate::{dimemas, dumpi, merged, untimed};

/// What is read at once of a file to see how it begins.
const PEEK: usize = 1 << 10;

/// A trace, ready to be read rank by rank.
#[derive(Debug)]
pub struct Trace {
    files: Rc<RefCell<Files>>,
    pieces: Pieces,
    ranks: u32,
    form: Form,
    left_out: Vec<String>,
}

/// Where the lines of each rank are.
#[derive(Debug)]
enum Pieces {
    /// In a file of its own, of the same number.
    Split,
    /// In pieces of one file.
    Merged(Vec<Vec<Piece>>),
    /// In pieces of a temporary file, brought over from another format.
    Imported(Vec<Vec<Piece>>),
    /// In programs that ranks share.
    Compact(Rc<Tables>),
    /// In graphs.
    Scheduled(Schedules),
}

impl Trace {
    /// Opens a trace of any [`Form`], told by how it begins: a compact or a merged file, a list of
    /// files, a folder that holds such a list, or a trace of another tool.
    ///
    /// # Errors
    ///
    /// If files cannot be read or make no sense, or if ranks are missing or there twice.
    pub fn open(path: &Path) -> Result<Trace, Problem> {
        let path = listed(path)?;
        let form = Form::of(&path)?;
        Self::open_as(&path, form)
    }

    /// Opens a trace of this form.
    ///
    /// # Errors
    ///
    /// As those of [`Trace::open`].
    pub fn open_as(path: &Path, form: Form) -> Result<Trace, Problem> {
        let path = listed(path)?;
        match form {
            Form::TimeIndependent if is_list(&path)? => Self::split(&path),
            Form::TimeIndependent => Self::merged(path),
            Form::Compact => Self::compact(path),
            Form::Otf2 => Self::imported(&path, form, untimed::read(&path, Format::Otf2)?),
            Form::Paraver => Self::imported(&path, form, untimed::read(&path, Format::Paraver)?),
            Form::Table => Self::imported(&path, form, untimed::read(&path, Format::Csv)?),
            Form::Dimemas => Self::imported(&path, form, dimemas::read(&path)?),
            Form::Dumpi => Self::imported(&path, form, dumpi::read(&path)?),
            Form::Goal => Self::scheduled(path),
        }
    }

    /// The form it was opened as.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether amounts of computation are the seconds that were recorded, not flops.
    pub fn is_in_seconds(&self) -> bool {
        !matches!(self.form, Form::TimeIndependent | Form::Compact)
    }

    /// What the files tell and the actions do not, in words.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }

    /// How many ranks it has.
    pub fn ranks(&self) -> u32 {
        self.ranks
    }

    /// What a rank has to do, if that is a graph and not a list of actions.
    pub fn schedule(&self, rank: u32) -> Option<Result<Schedule, Problem>> {
        match &self.pieces {
            Pieces::Scheduled(all) => Some(all.of(rank)),
            _ => None,
        }
    }

    /// The actions of one rank; of a schedule, none.
    ///
    /// # Panics
    ///
    /// If there is no such rank.
    pub fn cursor(&self, rank: u32) -> Cursor {
        assert!(rank < self.ranks, "there is no rank {rank} among {}", self.ranks);
        let (origin, pieces) = match &self.pieces {
            Pieces::Split => {
                (Origin::Split, vec![Piece { file: rank, start: 0, length: u64::MAX }])
            }
            Pieces::Merged(all) => (Origin::Merged, all[rank as usize].clone()),
            Pieces::Scheduled(_) => (Origin::Imported, Vec::new()),
            Pieces::Imported(all) => (Origin::Imported, all[rank as usize].clone()),
            Pieces::Compact(tables) => return Cursor::walk(Walk::new(tables.clone(), rank)),
        };
        Cursor::new(self.files.clone(), (rank, self.ranks), origin, pieces)
    }

    /// Where these ranks were when their cursors were put away before their end: the line, or what
    /// there is instead; nothing of others.
    pub fn places_left(&self, ranks: &[u32]) -> Vec<(u32, String)> {
        let files = match &self.pieces {
            Pieces::Compact(tables) => tables.files().borrow(),
            _ => self.files.borrow(),
        };
        let left = |rank: &u32| files.left.get(rank).map(|left| (*rank, *left));
        let left: Vec<(u32, Left)> = ranks.iter().filter_map(left).collect();
        let wanted: Vec<(u32, u64)> = left
            .iter()
            .filter_map(|(rank, left)| match left {
                Left::Line(line) => Some((*rank, *line)),
                Left::Step { .. } => None,
            })
            .collect();
        let lines = match self.pieces {
            Pieces::Merged(_) => lines_of(files.path(0), &wanted),
            _ => Vec::new(),
        };
        let place = |(nth, (rank, left)): (usize, &(u32, Left))| {
            let place = match (left, &self.pieces) {
                (Left::Step { program, at }, Pieces::Compact(tables)) => {
                    format!("`{}`", tables.step(*program, *at, *rank)?)
                }
                (Left::Line(line), Pieces::Split) => {
                    format!("{}:{line}", files.path(*rank).display())
                }
                (Left::Line(_), Pieces::Merged(_)) => {
                    format!("{}:{}", files.path(0).display(), lines[nth]?)
                }
                (Left::Line(action), _) => format!("action {action}"),
                _ => return None,
            };
            Some((*rank, place))
        };
        left.iter().enumerate().filter_map(place).collect()
    }

    fn merged(path: PathBuf) -> Result<Trace, Problem> {
        let merged::Index { pieces, file, spool } = merged::index(&path)?;
        let mut files = Files::new(Vec::new());
        files.keep(path, file);
        if let Some(spool) = spool {
            files.keep("a temporary file".into(), spool);
        }
        let ranks = pieces.len() as u32;
        let (files, pieces) = (share(files), Pieces::Merged(pieces));
        Ok(Trace { files, pieces, ranks, form: Form::TimeIndependent, left_out: Vec::new() })
    }

    fn imported(
        path: &Path,
        form: Form,
        (spool, left_out): (Spool, Vec<String>),
    ) -> Result<Trace, Problem> {
        let ranks = spool.ranks();
        let cannot = |error| Problem::Temporary { error };
        let (pieces, file) = spool.finish().map_err(cannot)?;
        let mut files = Files::new(vec![path.to_owned()]);
        files.keep("a temporary file".into(), file);
        let (files, pieces) = (share(files), Pieces::Imported(pieces));
        Ok(Trace { files, pieces, ranks, form, left_out })
    }

    fn scheduled(path: PathBuf) -> Result<Trace, Problem> {
        let all = Schedules::open(&path)?;
        let (ranks, files) = (all.ranks(), share(Files::new(vec![path])));
        let pieces = Pieces::Scheduled(all);
        Ok(Trace { files, pieces, ranks, form: Form::Goal, left_out: Vec::new() })
    }

    fn compact(path: PathBuf) -> Result<Trace, Problem> {
        let tables = Tables::open(&path)?;
        let ranks = tables.ranks();
        let files = share(Files::new(vec![path]));
        let pieces = Pieces::Compact(Rc::new(tables));
        Ok(Trace { files, pieces, ranks, form: Form::Compact, left_out: Vec::new() })
    }

    /// Files do not come in the order of ranks: their first lines tell whose they are.
    fn split(list: &Path) -> Result<Trace, Problem> {
        let names = read_list(list)?;
        let mut paths: Vec<Option<PathBuf>> = vec![None; names.len()];
        let (mut opened, allowance) = (Vec::new(), Allowance::of(names.len()));
        for (line, path) in names {
            let count = paths.len();
            let wrong = |reason: String| Problem::Line {
                path: list.to_owned(),
                line,
                mistake: Mistake(format!("{} {reason}", path.display())),
            };
            let file = File::open(&path).map_err(|error| not_there(list, line, &path, &error))?;
            let (rank, file) = owner(&path, file)?;
            match paths.get_mut(usize::try_from(rank).unwrap_or(usize::MAX)) {
                Some(place @ None) => {
                    *place = Some(path);
                    if opened.len() < allowance.files() {
                        opened.push((rank as u32, file));
                    }
                }
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
        let files = Files::with(paths.into_iter().flatten().collect(), opened, allowance);
        let (files, pieces) = (share(files), Pieces::Split);
        Ok(Trace { files, pieces, ranks, form: Form::TimeIndependent, left_out: Vec::new() })
    }
}

/// The list in a folder, or the file itself.
fn listed(path: &Path) -> Result<PathBuf, Problem> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let list = path.join(INDEX);
    if !fs::exists(&list).unwrap_or(true) {
        let reason = format!(
            "there is no {INDEX} in this folder, the list of its files; a run that did not come to \
             its end leaves none"
        );
        return Err(Problem::Whole { path: path.to_owned(), reason });
    }
    Ok(list)
}

/// What is neither a list nor a trace is taken for a list.
fn not_there(list: &Path, line: u64, name: &Path, error: &std::io::Error) -> Problem {
    let name = shown(name.as_os_str().as_encoded_bytes());
    let what = "no line of a trace, such as `0 init`, and no file";
    let mistake = Mistake(format!("{name} is {what} that can be read: {error}"));
    Problem::Line { path: list.to_owned(), line, mistake }
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
    each: impl FnMut(u64, &[u8]) -> Option<T>,
) -> Result<Option<T>, Problem> {
    find_line_in(Contents::open(path)?, path, each)
}

fn find_line_in<T>(
    file: impl Read,
    path: &Path,
    mut each: impl FnMut(u64, &[u8]) -> Option<T>,
) -> Result<Option<T>, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let mut reader = BufReader::with_capacity(PEEK, file);
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

/// Whether a file is a list of files: its first line is no action of a rank.
fn is_list(path: &Path) -> Result<bool, Problem> {
    refuse_other_text(path)?;
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

/// Refuses text that is written in a way in which no line would be found.
fn refuse_other_text(path: &Path) -> Result<(), Problem> {
    let mut start = Vec::new();
    let looked_at = Contents::open(path)?.take(PEEK as u64).read_to_end(&mut start);
    looked_at.map_err(|error| Problem::File { path: path.to_owned(), error })?;
    let reason = match start.as_slice() {
        [0xef, 0xbb, 0xbf, ..] => "it begins with a byte order mark; store it without one",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => "this is UTF-16; store it as UTF-8 or ASCII",
        text if text.contains(&0) => "this is no text, for it has zero bytes, and no known trace",
        text if text.contains(&b'\r') && !text.contains(&b'\n') => {
            "its lines end with carriage returns alone; let them end with line feeds"
        }
        _ => return Ok(()),
    };
    Err(Problem::Whole { path: path.to_owned(), reason: reason.into() })
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

/// Whose actions a file holds, and the file.
fn owner(path: &Path, file: File) -> Result<(i64, File), Problem> {
    let first = find_line_in(&file, path, |number, line| {
        let field = Fields::new(line).next().unwrap_or_default();
        Some(integer(field).map_err(|_| Problem::Line {
            path: path.to_owned(),
            line: number,
            mistake: Mistake(format!("expected the number of a rank, not {}", shown(field))),
        }))
    })?;
    match first {
        Some(rank) => Ok((rank?, file)),
        None => {
            let reason = "there is no action in it, so it has no rank".into();
            Err(Problem::Whole { path: path.to_owned(), reason })
        }
    }
}

#[cfg(test)]
mod tests;
