//! Opening, closing and deleting files. MPI 4.1 section 14.2.

use std::cell::{Cell, RefCell};
use std::ffi::{c_char, c_int};
use std::path::PathBuf;
use std::rc::Rc;

use foretell_mpi::{Access, Comm, FileCall, FileDeed, FileWord};
use foretell_ranks::block_on;

use super::error::failure;
use super::opened::{Opened, open_once};
use super::view::FileView;
use super::{FileObject, hints, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::check::{self, Sort};
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::info;
use crate::objects::objects;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// Kinds of file systems that a name may begin with, as ROMIO knows them: they are all one here.
const FILE_SYSTEMS: [&str; 7] = ["ufs", "nfs", "xfs", "pvfs2", "lustre", "gpfs", "testfs"];

/// All modes there are.
const KNOWN_MODES: c_int = MPI_MODE_APPEND
    | MPI_MODE_CREATE
    | MPI_MODE_DELETE_ON_CLOSE
    | MPI_MODE_EXCL
    | MPI_MODE_RDONLY
    | MPI_MODE_RDWR
    | MPI_MODE_SEQUENTIAL
    | MPI_MODE_UNIQUE_OPEN
    | MPI_MODE_WRONLY;

/// That modes make sense together. MPI 4.1 section 14.2.1.
fn check_amode(amode: c_int) -> Outcome {
    let has = |mode| amode & mode != 0;
    let ways = [MPI_MODE_RDONLY, MPI_MODE_RDWR, MPI_MODE_WRONLY];
    let mistake = match ways.iter().filter(|way| has(**way)).count() {
        _ if amode & !KNOWN_MODES != 0 => "has bits that mean nothing",
        0 => "has none of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY",
        1 if has(MPI_MODE_RDONLY) && (has(MPI_MODE_CREATE) || has(MPI_MODE_EXCL)) => {
            "makes a file with MPI_MODE_RDONLY"
        }
        1 if has(MPI_MODE_RDWR) && has(MPI_MODE_SEQUENTIAL) => {
            "has MPI_MODE_RDWR and MPI_MODE_SEQUENTIAL"
        }
        1 => return Ok(()),
        _ => "has several of MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY",
    };
    bad(MPI_ERR_AMODE, format!("the mode {amode:#x} {mistake}"))
}

/// A file name without the kind of its file system.
fn path(name: In<c_char>) -> Result<PathBuf, Failure> {
    let name = name.given(1, "filename")?.text();
    let path = match name.split_once(':') {
        Some((kind, path)) if FILE_SYSTEMS.contains(&kind) => path,
        _ => &name,
    };
    ensure(!path.is_empty(), MPI_ERR_BAD_FILE, || "the name of the file is empty".into())?;
    Ok(path.into())
}

/// What a rank says of its arguments, as all must be told before one of them fails alone.
fn word(mistake: &Outcome, amode: c_int) -> FileWord {
    [mistake.as_ref().err().map_or(0, |failure| failure.code.into()), amode.into()]
}

/// That no rank has found a mistake, and that all have given the same mode.
fn check_words(words: &[FileWord], amode: c_int) -> Outcome {
    if let Some(rank) = words.iter().position(|[code, _]| *code != 0) {
        let text = format!("rank {rank} of the communicator has found a mistake in its arguments");
        return bad(words[rank][0] as c_int, text);
    }
    match words.iter().position(|[_, other]| *other != i64::from(amode)) {
        Some(rank) => bad(
            MPI_ERR_NOT_SAME,
            format!("rank {rank} of the communicator opens the file with another mode"),
        ),
        None => Ok(()),
    }
}

/// `MPI_File_open`.
fn open(
    here: &RankContext,
    comm: MPI_Comm,
    name: In<c_char>,
    amode: c_int,
    info: MPI_Info,
) -> Result<MPI_File, Failure> {
    let comm = here.comm(comm)?;
    ensure(!comm.comm.is_inter(), MPI_ERR_COMM, || "a file needs an intra-communicator".into())?;
    let given = info::optional(here, info)?;
    let path = path(name);
    comm.comm.begin_deed();
    let opened = open_together(&comm.comm, path, amode, &given);
    comm.comm.end_deed(if opened.is_ok() { FileDeed::Open } else { FileDeed::Meet });
    let (own, opened) = opened?;
    let file = file(here, own, opened, amode, given);
    let handle = objects().files.borrow_mut().insert(Rc::new(file));
    Ok(check::note(Sort::File, handle))
}

/// Opens a file with all ranks of a communicator; gives the copy of it that the file has.
fn open_together(
    comm: &Comm,
    path: Result<PathBuf, Failure>,
    amode: c_int,
    given: &info::Info,
) -> Result<(Comm, Rc<Opened>), Failure> {
    let mistake = check_amode(amode).and(path.as_ref().map(drop).map_err(Failure::clone));
    let words = block_on(comm.file_call(FileCall::Open, word(&mistake, amode)))?;
    mistake?;
    check_words(&words, amode)?;
    let path = path?;
    let own = block_on(comm.dup())?;
    let opened = open_once(own.context_number(), own.size(), || {
        Opened::new(&path, amode, hints::permissions(given), own.host_count())
    })?;
    // To look a file up takes as long as the storage needs to answer.
    block_on(own.access(Access::Read, 0));
    Ok((own, opened))
}

fn file(
    here: &RankContext,
    comm: Comm,
    opened: Rc<Opened>,
    amode: c_int,
    given: info::Info,
) -> FileObject {
    FileObject {
        amode,
        errhandler: here.file_errhandler.clone(),
        view: RefCell::new(Rc::new(FileView::bytes())),
        position: Cell::new(opened.pointer.get()),
        split: RefCell::default(),
        info: RefCell::new(hints::of_file(opened.hosts, given)),
        is_atomic: Cell::new(false),
        steps: Cell::new(0),
        comm,
        opened,
    }
}

/// `MPI_File_close`.
fn close(file: &FileObject) -> Outcome {
    ensure(file.split.borrow().is_none(), MPI_ERR_IO, || {
        "a split collective has begun and not ended".into()
    })?;
    file.meet(FileCall::Close, [0, 0])?;
    let opened = &file.opened;
    let deleted = file.once(|| {
        if file.has_mode(MPI_MODE_DELETE_ON_CLOSE) {
            delete(&opened.path)?;
        }
        Ok(0)
    });
    deleted.map(drop)
}

fn delete(path: &std::path::Path) -> Outcome {
    let tried = || format!("cannot delete {}", path.display());
    std::fs::remove_file(path).map_err(|error| failure(&error, tried()))
}

mpi! {
    /// `MPI_File_open`. Errors go to the handler of `MPI_FILE_NULL`.
    timed fn MPI_File_open(
        comm: MPI_Comm, filename: In<c_char>, amode: c_int, info: MPI_Info, fh: Out<MPI_File>,
    ) -> c_int on File(MPI_FILE_NULL), |here| {
        let fh = fh.given("fh")?;
        fh.set(MPI_FILE_NULL);
        fh.set(open(here, comm, filename, amode, info)?);
        Ok(())
    }

    /// `MPI_File_close`.
    timed fn MPI_File_close(fh: Out<MPI_File>) -> c_int on File(file_at(fh)), |here| {
        let _ = here;
        let fh = fh.given("fh")?;
        let handle = fh.get();
        close(&*lookup(handle)?)?;
        let closed = objects().files.borrow_mut().remove(handle);
        drop(closed);
        fh.set(MPI_FILE_NULL);
        Ok(())
    }

    /// `MPI_File_delete`. No hint is known.
    timed fn MPI_File_delete(filename: In<c_char>, _info: MPI_Info) -> c_int
        on File(MPI_FILE_NULL), |here| {
        let _ = here;
        delete(&path(filename)?)
    }
}

/// The handle that a pointer leads to, whose error handler hears of errors.
fn file_at(place: Out<MPI_File>) -> MPI_File {
    if place.is_null() { MPI_FILE_NULL } else { place.get() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_that_contradict_each_other_are_refused() {
        let check = |amode| check_amode(amode).map_err(|failure| failure.code);
        assert_eq!(check(MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_EXCL), Ok(()));
        assert_eq!(check(MPI_MODE_RDONLY | MPI_MODE_SEQUENTIAL), Ok(()));
        for amode in [
            0,
            MPI_MODE_CREATE,
            MPI_MODE_RDONLY | MPI_MODE_RDWR,
            MPI_MODE_RDONLY | MPI_MODE_CREATE,
            MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
            MPI_MODE_RDWR | MPI_MODE_NOSTORE,
        ] {
            assert_eq!(check(amode), Err(MPI_ERR_AMODE), "{amode:#x}");
        }
    }

    #[test]
    fn all_ranks_hear_of_the_mistake_of_one() {
        let found = |words: &[FileWord]| check_words(words, 2).map_err(|failure| failure.code);
        assert_eq!(found(&[[0, 2], [0, 2]]), Ok(()));
        assert_eq!(found(&[[0, 2], [0, 4]]), Err(MPI_ERR_NOT_SAME));
        assert_eq!(found(&[[0, 2], [MPI_ERR_AMODE.into(), 4]]), Err(MPI_ERR_AMODE));
    }
}
