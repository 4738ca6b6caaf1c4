//! Reading and writing: finding the place, moving the data, taking the time. MPI 4.1 section 14.4.

use std::rc::Rc;

use foretell_mpi::{Access, FileCall, FileDeed, FileWord};
use foretell_ranks::block_on;

use super::transfer::{self, Moved};
use super::view::FileView;
use super::{FileObject, lookup};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::failure::{Failure, Outcome, ensure};
use crate::request::{After, Kind, RequestObject, file_status};

/// Where an access begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// At an offset, in etypes.
    At(MPI_Offset),
    /// At the pointer of the rank, which moves on.
    Individual,
    /// At the shared pointer, which moves on.
    Shared,
    /// At the shared pointer, behind the ranks that come before.
    Ordered,
}

/// The arguments that name a buffer.
pub(super) type Given = (usize, i64, MPI_Datatype);

/// An access whose arguments are checked.
pub(super) struct Task {
    pub(super) file: Rc<FileObject>,
    view: Rc<FileView>,
    access: Access,
    place: Place,
    buffer: Buffer,
    /// Bytes in the file.
    pub(super) bytes: u64,
}

impl Task {
    pub(super) fn new(
        fh: MPI_File,
        access: Access,
        place: Place,
        (address, count, datatype): Given,
    ) -> Result<Self, Failure> {
        let file = lookup(fh)?;
        match access {
            Access::Read => ensure(!file.has_mode(MPI_MODE_WRONLY), MPI_ERR_ACCESS, || {
                "the file was opened with MPI_MODE_WRONLY".into()
            })?,
            Access::Write => file.check_written()?,
        }
        if let Place::At(_) | Place::Individual = place {
            file.check_random()?;
        }
        let view = file.view();
        let buffer = Buffer::new(address, count, datatype)?;
        let bytes = view.representation.bytes(&buffer)?;
        ensure(bytes.is_multiple_of(view.unit), MPI_ERR_IO, || {
            format!("{bytes} bytes are no whole number of etypes, of {} bytes each", view.unit)
        })?;
        if let Place::At(offset) = place {
            view.position(offset)?;
        }
        Ok(Self { file, view, access, place, buffer, bytes })
    }

    /// Where it begins; the shared pointer moves on by what is asked for.
    fn start(&self) -> Result<u64, Failure> {
        match self.place {
            Place::At(offset) => self.view.position(offset),
            Place::Individual => Ok(self.file.position.get()),
            Place::Shared | Place::Ordered => {
                let pointer = &self.file.opened.pointer;
                Ok(pointer.replace(pointer.get() + self.bytes))
            }
        }
    }

    /// Moves the data.
    pub(super) fn act(&self) -> Result<Moved, Failure> {
        let start = self.start()?;
        let moved = self.act_at(start)?;
        if self.place == Place::Individual {
            self.file.position.set(start + moved.file);
        }
        Ok(moved)
    }

    /// Moves the data; the pointer of the rank moves on by what is asked for, even if it is not all
    /// there: who waits only later cannot know.
    fn act_ahead(&self) -> Result<Moved, Failure> {
        let start = self.file.position.get();
        let moved = self.act()?;
        if self.place == Place::Individual {
            self.file.position.set(start + self.bytes);
        }
        Ok(moved)
    }

    /// Moves the data, from a position on.
    pub(super) fn act_at(&self, position: u64) -> Result<Moved, Failure> {
        let Self { file, view, buffer, bytes, .. } = self;
        match self.access {
            Access::Read => transfer::read(&file.opened, view, position, buffer, *bytes),
            Access::Write => transfer::write(&file.opened, view, position, buffer, *bytes),
        }
    }

    /// How much of the file it will touch from a position on.
    pub(super) fn extent_at(&self, position: u64) -> u64 {
        let there = match self.access {
            Access::Read => {
                transfer::available(&self.file.opened, &self.view, position, self.bytes)
            }
            Access::Write => Ok(self.bytes),
        };
        // What goes wrong here goes wrong again when the data is moved.
        there.unwrap_or(0)
    }

    pub(super) fn access(&self) -> Access {
        self.access
    }

    /// What the rank tells the others of a collective access: where it begins, how long it is.
    pub(super) fn word(&self) -> FileWord {
        let start = match self.place {
            Place::At(offset) => offset,
            _ => self.view.offset(self.file.position.get()),
        };
        [start, self.bytes as i64]
    }

    /// All ranks together find their places, one behind the other: where this one begins.
    pub(super) fn ordered(&self, number: u64, words: &[FileWord]) -> Result<u64, Failure> {
        let opened = &self.file.opened;
        let total: i64 = words.iter().map(|word| word[1]).sum();
        let step = opened.once(number, self.file.comm.size(), || {
            let pointer = &opened.pointer;
            Ok(pointer.replace(pointer.get() + total as u64) as i64)
        });
        let before: i64 = words[..self.file.comm.rank() as usize].iter().map(|word| word[1]).sum();
        Ok((step? + before) as u64)
    }

    /// Lets the time of the access pass.
    fn take_time(&self, moved: Moved) {
        block_on(self.file.comm.access(self.access, moved.file));
    }
}

/// A blocking access of one rank.
pub(super) fn alone(task: &Task) -> Result<MPI_Status, Failure> {
    let moved = task.act()?;
    task.take_time(moved);
    Ok(file_status(moved.memory))
}

/// A blocking access of all ranks.
pub(super) fn together(task: &Task, call: FileCall) -> Result<MPI_Status, Failure> {
    check_no_split(&task.file)?;
    let comm = &task.file.comm;
    comm.begin_deed();
    let moved = move_together(task, call);
    comm.end_deed(match &moved {
        Ok(moved) => FileDeed::Together(task.access, moved.file),
        Err(_) => FileDeed::Meet,
    });
    Ok(file_status(moved?.memory))
}

fn move_together(task: &Task, call: FileCall) -> Result<Moved, Failure> {
    let words = task.file.meet(call, task.word())?;
    let moved = match task.place {
        Place::Ordered => task.act_at(task.ordered(task.file.next_step(), &words)?)?,
        _ => task.act()?,
    };
    task.take_time(moved);
    Ok(moved)
}

/// A non-blocking access of one rank: the data moves at once, the time passes beside the rank.
pub(super) fn alone_later(task: &Task) -> Result<MPI_Request, Failure> {
    let moved = task.act_ahead()?;
    let request = task.file.comm.start_access(task.access, moved.file);
    let kind = Kind::File(moved.memory);
    Ok(RequestObject { request, comm: None, kind, after: None }.keep())
}

/// A non-blocking access of all ranks.
pub(super) fn together_later(task: &Task, call: FileCall) -> Result<MPI_Request, Failure> {
    let word = task.word();
    let moved = task.act_ahead()?;
    let access = task.access;
    let bytes = moved.file;
    let share = move |_| ((), access, bytes);
    let mut pending = task.file.comm.file_call_later(call, word, (access, bytes), share);
    // The error handler of the program hears of them.
    pending.take_errors();
    let request = pending.take_request();
    let comm = task.file.comm.clone();
    let after: After = Box::new(move |_, _| Ok(block_on(comm.complete(pending))?));
    let kind = Kind::File(moved.memory);
    Ok(RequestObject { request, comm: None, kind, after: Some(after) }.keep())
}

/// That no split collective is under way, which would stand in the way of another collective.
pub(super) fn check_no_split(file: &FileObject) -> Outcome {
    ensure(file.split.borrow().is_none(), MPI_ERR_IO, || {
        "a split collective has begun on this file and not ended".into()
    })
}
