//! Communicators as programs hold them. MPI 4.1 chapter 7.
//!
//! `port.rs` has ports and names, and refuses to start processes.

mod create;
mod duplicate;
mod inter;
mod label;
mod release;

use std::cell::{Cell, RefCell};
use std::ffi::c_int;
use std::rc::Rc;

use foretell_mpi::Comm;

use crate::abi::*;
use crate::attribute::Attributes;
use crate::call::mpi;
use crate::check::{self, Sort};
use crate::errhandler::HandlerSlot;
use crate::failure::{Failure, bad};
use crate::group;
use crate::info::Info;
use crate::objects::objects;
use crate::pointer::Out;

/// A communicator of one rank, and what the program has hung on it. In this order, so that what
/// every call touches lies beside the count of references.
#[repr(C)]
pub(crate) struct CommObject {
    pub(crate) comm: Comm,
    pub(crate) errhandler: HandlerSlot,
    pub(crate) attributes: RefCell<Attributes>,
    pub(crate) name: RefCell<Option<Box<str>>>,
    /// Hints of the program that mean something; most have none.
    pub(crate) info: RefCell<Info>,
    /// The buffer of `MPI_Comm_attach_buffer`.
    pub(crate) buffer: Cell<(usize, i64)>,
}

impl CommObject {
    pub(crate) fn new(comm: Comm) -> Self {
        Self {
            comm,
            errhandler: HandlerSlot::unset(),
            attributes: RefCell::default(),
            name: RefCell::default(),
            info: RefCell::default(),
            buffer: Cell::new((0, 0)),
        }
    }

    /// Keeps a new communicator that takes its error handler over from `self`.
    pub(crate) fn child(&self, comm: Comm) -> MPI_Comm {
        self.descendant(comm).keep()
    }

    /// The handle of a new communicator, if this rank got one.
    pub(crate) fn child_or_null(&self, comm: Option<Comm>) -> MPI_Comm {
        comm.map_or(MPI_COMM_NULL, |comm| self.child(comm))
    }

    /// A new communicator that takes its error handler over from `self`.
    fn descendant(&self, comm: Comm) -> CommObject {
        CommObject { errhandler: self.errhandler.clone(), ..CommObject::new(comm) }
    }

    fn keep(self) -> MPI_Comm {
        let handle = objects().comms.borrow_mut().insert(Rc::new(self));
        check::note(Sort::Comm, handle)
    }
}

/// The handle of a communicator that is to come. Until then it stands for the one that it comes
/// from, which nobody sees: its rank is in the call that makes it.
pub(crate) struct Reserved(MPI_Comm);

impl Reserved {
    pub(crate) fn new(parent: &Rc<CommObject>) -> Self {
        Self(objects().comms.borrow_mut().insert(parent.clone()))
    }

    pub(crate) fn handle(&self) -> MPI_Comm {
        self.0
    }

    /// Lets the handle stand for what has come.
    pub(crate) fn fill(self, object: CommObject) {
        if let Some(place) = objects().comms.borrow_mut().get_mut(self.0) {
            *place = Rc::new(object);
        }
        check::note(Sort::Comm, self.0);
    }

    /// Nothing will come.
    pub(crate) fn give_back(self) {
        objects().comms.borrow_mut().remove(self.0);
    }
}

/// The place for a new communicator, which is null until there is one.
pub(crate) fn new_place(place: Out<MPI_Comm>, argument: &str) -> Result<Out<MPI_Comm>, Failure> {
    place.given(argument)?.set(MPI_COMM_NULL);
    Ok(place)
}

mpi! {
    /// `MPI_Comm_rank`.
    local fn MPI_Comm_rank(comm: MPI_Comm, rank: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        rank.given("rank")?.set(comm.comm.rank() as c_int);
        Ok(())
    }

    /// `MPI_Comm_size`.
    local fn MPI_Comm_size(comm: MPI_Comm, size: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        size.given("size")?.set(comm.comm.size() as c_int);
        Ok(())
    }

    /// `MPI_Comm_compare`.
    local fn MPI_Comm_compare(comm1: MPI_Comm, comm2: MPI_Comm, result: Out<c_int>) -> c_int
        on Comm(comm1), |here| {
        let (first, second) = (here.comm(comm1)?, here.comm(comm2)?);
        result.given("result")?.set(group::told(first.comm.compare(&second.comm)));
        Ok(())
    }

    /// `MPI_Comm_group`.
    local fn MPI_Comm_group(comm: MPI_Comm, newgroup: Out<MPI_Group>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        newgroup.given("group")?.set(group::keep(comm.comm.group().clone()));
        Ok(())
    }

    /// `MPI_Comm_test_inter`.
    local fn MPI_Comm_test_inter(comm: MPI_Comm, flag: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        flag.given("flag")?.set(c_int::from(comm.comm.is_inter()));
        Ok(())
    }

    /// `MPI_Comm_remote_size`.
    local fn MPI_Comm_remote_size(comm: MPI_Comm, size: Out<c_int>) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let Some(count) = comm.comm.remote_size() else { return not_inter() };
        size.given("size")?.set(count as c_int);
        Ok(())
    }

    /// `MPI_Comm_remote_group`.
    local fn MPI_Comm_remote_group(comm: MPI_Comm, newgroup: Out<MPI_Group>) -> c_int
        on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        let Some(remote) = comm.comm.remote_group() else { return not_inter() };
        newgroup.given("group")?.set(group::keep(remote.clone()));
        Ok(())
    }

    /// `MPI_Comm_get_parent`: nobody is ever spawned.
    local fn MPI_Comm_get_parent(parent: Out<MPI_Comm>) -> c_int, |here| {
        let _ = here;
        parent.given("parent")?.set(MPI_COMM_NULL);
        Ok(())
    }
}

fn not_inter<T>() -> Result<T, Failure> {
    bad(MPI_ERR_COMM, "the communicator has no remote group: it is not an inter-communicator")
}
