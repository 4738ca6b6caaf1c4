//! All objects that programs hold handles of, for all ranks of the process.
//!
//! A table is borrowed for single steps only, never while a function of the program runs or a
//! rank waits.

use std::cell::RefCell;
use std::rc::Rc;

use foretell_mpi::{Group, Matched};

use crate::abi::*;
use crate::attribute::Keyvals;
use crate::comm::CommObject;
use crate::datatype::TypeObject;
use crate::errhandler::HandlerObject;
use crate::failure::Failure;
use crate::file::{FileObject, Openings};
use crate::handle::Table;
use crate::info::Info;
use crate::op::OpObject;
use crate::place;
use crate::port::Ports;
use crate::request::RequestObject;
use crate::session::SessionObject;
use crate::tool::Tools;
use crate::window::WinObject;

/// The tables, one for each kind of object.
pub(crate) struct Objects {
    pub(crate) comms: RefCell<Table<Rc<CommObject>>>,
    pub(crate) groups: RefCell<Table<Group>>,
    pub(crate) types: RefCell<Table<Rc<TypeObject>>>,
    pub(crate) ops: RefCell<Table<Rc<OpObject>>>,
    pub(crate) requests: RefCell<Table<RequestObject>>,
    pub(crate) messages: RefCell<Table<(Rc<CommObject>, Matched)>>,
    pub(crate) infos: RefCell<Table<Info>>,
    pub(crate) errhandlers: RefCell<Table<HandlerObject>>,
    pub(crate) keyvals: RefCell<Keyvals>,
    pub(crate) sessions: RefCell<Table<Rc<SessionObject>>>,
    pub(crate) wins: RefCell<Table<Rc<WinObject>>>,
    pub(crate) tools: RefCell<Tools>,
    pub(crate) ports: RefCell<Ports>,
    pub(crate) files: RefCell<Table<Rc<FileObject>>>,
    /// Files that not all ranks have opened that open them together.
    pub(crate) openings: RefCell<Openings>,
}

impl Objects {
    pub(crate) const fn new() -> Self {
        Self {
            comms: RefCell::new(Table::new()),
            groups: RefCell::new(Table::new()),
            types: RefCell::new(Table::new()),
            ops: RefCell::new(Table::new()),
            requests: RefCell::new(Table::new()),
            messages: RefCell::new(Table::new()),
            infos: RefCell::new(Table::new()),
            errhandlers: RefCell::new(Table::new()),
            keyvals: RefCell::new(Keyvals::new()),
            sessions: RefCell::new(Table::new()),
            wins: RefCell::new(Table::new()),
            tools: RefCell::new(Tools::new()),
            ports: RefCell::new(Ports::new()),
            files: RefCell::new(Table::new()),
            openings: RefCell::new(Openings::new()),
        }
    }
}

/// Shared by the ranks, which all run on one thread.
struct OneThread(Objects);

// SAFETY: reached through `objects`, which only ranks call, and ranks run on one thread: every
// entry of the library checks that first (`RankContext::current`).
unsafe impl Sync for OneThread {}

static OBJECTS: OneThread = OneThread(Objects::new());

/// The tables of this process.
pub(crate) fn objects() -> &'static Objects {
    &OBJECTS.0
}

/// What a reserved number is called in programs.
fn predefined_name(handle: Handle) -> Option<&'static str> {
    let nulls = [(MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"), (MPI_OP_NULL, "MPI_OP_NULL")];
    let tables = [PREDEFINED_HANDLES, PREDEFINED_DATATYPES, PREDEFINED_OPS, &nulls];
    tables
        .iter()
        .flat_map(|table| *table)
        .find(|(known, _)| *known == handle)
        .map(|(_, name)| *name)
}

/// Where an object was freed, for the kinds that programs mix up most.
fn freed_at(code: i32, handle: Handle) -> Option<usize> {
    let objects = objects();
    match code {
        MPI_ERR_REQUEST => objects.requests.try_borrow().ok()?.freed_at(handle),
        MPI_ERR_COMM => objects.comms.try_borrow().ok()?.freed_at(handle),
        MPI_ERR_TYPE => objects.types.try_borrow().ok()?.freed_at(handle),
        MPI_ERR_WIN => objects.wins.try_borrow().ok()?.freed_at(handle),
        MPI_ERR_GROUP => objects.groups.try_borrow().ok()?.freed_at(handle),
        MPI_ERR_OP => objects.ops.try_borrow().ok()?.freed_at(handle),
        _ => None,
    }
}

/// An error about a handle that names nothing.
#[cold]
pub(crate) fn no_such(code: i32, what: &str, handle: Handle) -> Failure {
    let text = match handle {
        0..0x1000 => match predefined_name(handle) {
            Some(name) => format!("{name} is not a {what} that can be used here"),
            None => format!("{handle:#x} is not a {what}; was its variable ever set?"),
        },
        _ => match freed_at(code, handle).and_then(place::of) {
            Some(place) => {
                format!("this {what} is gone: the call at {place} freed or completed it")
            }
            None => format!("this {what} was freed, or never made"),
        },
    };
    Failure::new(code, text)
}
