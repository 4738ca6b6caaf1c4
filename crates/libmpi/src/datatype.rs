//! Datatypes as programs hold them. MPI 4.1 chapter 5.
//!
//! What a datatype is, `foretell_mpi::datatype` describes. Here are the handles, what programs hang
//! on them, and the C functions, by what they do: making (`construct`, `array`, `kinds`), living
//! (`life`, `name`), telling (`extent`, `contents`), and the names of MPI-1 (`removed`).

mod array;
mod construct;
mod contents;
mod extent;
mod kinds;
mod life;
mod name;
mod removed;
pub(crate) mod width;

pub(crate) use contents::{component, release_component};

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use foretell_mpi::datatype::{Basic, Datatype};

use crate::abi::*;
use crate::attribute::Attributes;
use crate::check::{self, Sort};
use crate::failure::{Failure, bad};
use crate::objects::{no_such, objects};

/// A datatype and what the program has hung on it.
pub(crate) struct TypeObject {
    pub(crate) datatype: Datatype,
    /// Bytes of one element, when elements lie side by side without holes.
    pub(crate) dense: Option<u64>,
    /// Whether MPI made it, with or without a name: the program cannot free it.
    pub(crate) is_predefined: bool,
    pub(crate) is_committed: Cell<bool>,
    pub(crate) attributes: RefCell<Attributes>,
    pub(crate) name: RefCell<Option<Box<str>>>,
}

impl TypeObject {
    pub(crate) fn new(datatype: Datatype) -> Self {
        let dense = datatype.is_contiguous().then(|| datatype.size());
        Self {
            datatype,
            dense,
            is_predefined: false,
            is_committed: Cell::new(false),
            attributes: RefCell::default(),
            name: RefCell::default(),
        }
    }

    /// A datatype that is there without the program's doing.
    fn predefined(datatype: Datatype) -> Self {
        let is_committed = Cell::new(true);
        Self { is_predefined: true, is_committed, ..Self::new(datatype) }
    }

    /// Keeps a datatype and gives its handle.
    fn keep(self) -> MPI_Datatype {
        let is_predefined = self.is_predefined;
        let handle = objects().types.borrow_mut().insert(Rc::new(self));
        if is_predefined { handle } else { check::note(Sort::Type, handle) }
    }
}

/// Numbers of predefined datatypes: `0x200` and what follows.
const FIRST: usize = 0x200;
const LAST: usize = 0x2ff;

thread_local! {
    static PREDEFINED: OnceCell<Vec<Option<Rc<TypeObject>>>> = const { OnceCell::new() };
}

/// The datatype of a handle, committed or not.
#[inline]
pub(crate) fn lookup(handle: MPI_Datatype) -> Result<Rc<TypeObject>, Failure> {
    if let FIRST..=LAST = handle {
        let predefined =
            PREDEFINED.with(|table| table.get_or_init(predefined)[handle - FIRST].clone());
        return predefined.ok_or_else(|| no_such(MPI_ERR_TYPE, "datatype", handle));
    }
    let table = objects().types.borrow();
    table.get(handle).cloned().ok_or_else(|| no_such(MPI_ERR_TYPE, "datatype", handle))
}

/// The datatype of a handle, for communication.
#[inline]
pub(crate) fn committed(handle: MPI_Datatype) -> Result<Rc<TypeObject>, Failure> {
    let found = lookup(handle)?;
    if found.is_committed.get() {
        return Ok(found);
    }
    bad(MPI_ERR_TYPE, "the datatype is not committed; call MPI_Type_commit before it is used")
}

fn predefined() -> Vec<Option<Rc<TypeObject>>> {
    let mut table = vec![None; LAST - FIRST + 1];
    for (handle, name) in PREDEFINED_DATATYPES {
        if let Some(basic) = Basic::ALL.iter().find(|basic| basic.name() == *name) {
            table[handle - FIRST] = Some(Rc::new(TypeObject::predefined((*basic).into())));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_predefined_handle_has_its_datatype() {
        for (handle, name) in PREDEFINED_DATATYPES {
            let found = lookup(*handle).unwrap();
            assert_eq!(found.datatype.as_basic().map(Basic::name), Some(*name));
            assert!(found.is_predefined && found.is_committed.get());
        }
        assert!(lookup(MPI_DATATYPE_NULL).is_err());
    }
}
