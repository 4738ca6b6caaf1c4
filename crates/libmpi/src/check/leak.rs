//! Objects that the program made and has not freed when it calls `MPI_Finalize`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::finding::{Draft, Kind};
use super::rule;
use super::site::Site;
use crate::abi::Handle;
use crate::handle::Table;
use crate::objects::objects;
use crate::request::RequestObject;

/// Kinds of objects that programs make and free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Request,
    Message,
    Comm,
    Win,
    File,
    Type,
    Group,
    Op,
    Errhandler,
    Info,
}

impl Sort {
    /// Whether there still is such an object.
    fn is_there(self, handle: Handle) -> bool {
        let objects = objects();
        match self {
            Sort::Request => has(&objects.requests, handle),
            Sort::Message => has(&objects.messages, handle),
            Sort::Comm => has(&objects.comms, handle),
            Sort::Win => has(&objects.wins, handle),
            Sort::File => has(&objects.files, handle),
            Sort::Type => has(&objects.types, handle),
            Sort::Group => has(&objects.groups, handle),
            Sort::Op => has(&objects.ops, handle),
            Sort::Errhandler => has(&objects.errhandlers, handle),
            Sort::Info => has(&objects.infos, handle),
        }
    }

    fn title(self) -> &'static str {
        match self {
            Sort::Request => "a request is never completed or freed",
            Sort::Message => "a message was taken by a probe and never received",
            Sort::Comm => "a communicator is never freed",
            Sort::Win => "a window is never freed",
            Sort::File => "a file is never closed",
            Sort::Type => "a datatype is never freed",
            Sort::Group => "a group is never freed",
            Sort::Op => "a reduction operation is never freed",
            Sort::Errhandler => "an error handler is never freed",
            Sort::Info => "an info object is never freed",
        }
    }
}

/// Whether a table has an object; it does while somebody changes the table.
fn has<T>(table: &RefCell<Table<T>>, handle: Handle) -> bool {
    table.try_borrow().map_or(true, |table| table.get(handle).is_some())
}

/// An object of the program, and the call that made it.
struct Made {
    sort: Sort,
    handle: Handle,
    site: Site,
}

/// Objects of all ranks.
#[derive(Default)]
pub(super) struct Objects {
    ranks: BTreeMap<u32, Kept>,
}

/// Objects of one rank, among them some that are gone.
#[derive(Default)]
struct Kept {
    made: Vec<Made>,
    /// When it is this long, what is gone is left out.
    limit: usize,
}

impl Objects {
    /// An object was made.
    pub(super) fn add(&mut self, sort: Sort, handle: Handle, site: Site) {
        let kept = self.ranks.entry(site.rank).or_default();
        kept.made.push(Made { sort, handle, site });
        if kept.made.len() > kept.limit.max(256) {
            kept.made.retain(|made| made.sort.is_there(made.handle));
            kept.limit = 2 * kept.made.len();
        }
    }

    /// The program has freed an object that stays as long as others use it.
    pub(super) fn remove(&mut self, rank: u32, sort: Sort, handle: Handle) {
        if let Some(kept) = self.ranks.get_mut(&rank) {
            kept.made.retain(|made| (made.sort, made.handle) != (sort, handle));
        }
    }

    /// What a rank has left.
    pub(super) fn left(&mut self, rank: u32) -> Vec<Draft> {
        let kept = self.ranks.remove(&rank).unwrap_or_default();
        let left = kept.made.into_iter().filter(|made| made.sort.is_there(made.handle));
        left.map(Made::told).collect()
    }
}

impl Made {
    fn told(self) -> Draft {
        let is_idle = |object: &RequestObject| object.is_idle();
        let requests = objects().requests.borrow();
        let (title, rule) = match self.sort {
            Sort::Request if requests.get(self.handle).is_some_and(is_idle) => {
                ("a persistent request is never freed", rule::FREED)
            }
            sort @ (Sort::Request | Sort::Message) => (sort.title(), rule::COMPLETED),
            sort => (sort.title(), rule::FREED),
        };
        let calls = vec![(self.site, String::new())];
        Draft { kind: Kind::Leak, title, note: None, rule, calls }
    }
}
