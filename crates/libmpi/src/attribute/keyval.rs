//! Keys of attributes: how attributes are copied and deleted.

use std::cell::Cell;
use std::ffi::c_int;
use std::rc::Rc;

use crate::abi::*;
use crate::failure::{Failure, Outcome, bad};
use crate::objects::objects;

/// The first number that is not reserved for predefined keys.
const FIRST: c_int = 0x400;

/// What attributes of a key hang on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Comm,
    Datatype,
    Win,
}

/// How the functions of a key are called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    /// Values are integers as wide as an address.
    Fortran,
    /// Values are `INTEGER`s, as in MPI-1.
    OldFortran,
}

/// A key: functions of the program, or the numbers of predefined ones.
#[derive(Debug)]
pub(crate) struct Keyval {
    pub(super) owner: Owner,
    pub(super) language: Language,
    pub(super) copy: usize,
    pub(super) delete: usize,
    /// Handed to both functions.
    pub(super) state: usize,
    /// Whether the program has freed it; attributes that are set keep it.
    is_freed: Cell<bool>,
}

/// The keys of all ranks.
#[derive(Debug)]
pub(crate) struct Keyvals {
    slots: Vec<Option<Rc<Keyval>>>,
    free: Vec<c_int>,
}

impl Keyvals {
    pub(crate) const fn new() -> Self {
        Self { slots: Vec::new(), free: Vec::new() }
    }

    fn slot(&mut self, key: c_int) -> Option<&mut Option<Rc<Keyval>>> {
        self.slots.get_mut(usize::try_from(key.checked_sub(FIRST)?).ok()?)
    }

    fn insert(&mut self, keyval: Keyval) -> c_int {
        let keyval = Some(Rc::new(keyval));
        match self.free.pop() {
            Some(key) => {
                self.slots[(key - FIRST) as usize] = keyval;
                key
            }
            None => {
                self.slots.push(keyval);
                FIRST + self.slots.len() as c_int - 1
            }
        }
    }
}

/// Keeps a new key.
pub(crate) fn create(
    (owner, language): (Owner, Language),
    (copy, delete): (usize, usize),
    state: usize,
) -> c_int {
    let keyval = Keyval { owner, language, copy, delete, state, is_freed: Cell::new(false) };
    objects().keyvals.borrow_mut().insert(keyval)
}

/// A key for attributes of an object.
pub(super) fn lookup(key: c_int, owner: Owner) -> Result<Rc<Keyval>, Failure> {
    match objects().keyvals.borrow_mut().slot(key) {
        Some(Some(keyval)) if keyval.owner == owner && !keyval.is_freed.get() => Ok(keyval.clone()),
        Some(Some(keyval)) if keyval.owner != owner => {
            let found = keyval.owner;
            bad(MPI_ERR_KEYVAL, format!("key {key} is for a {found:?}, not for a {owner:?}"))
        }
        _ if PREDEFINED_KEYS.iter().any(|(predefined, _)| *predefined == key && key != 0) => {
            bad(MPI_ERR_KEYVAL, format!("key {key} is predefined and cannot be used here"))
        }
        _ => bad(MPI_ERR_KEYVAL, format!("{key} is not a key of attributes")),
    }
}

/// Frees a key: attributes that are set live on. To free it once more is no error while they do.
pub(super) fn free(key: c_int, owner: Owner) -> Outcome {
    match objects().keyvals.borrow_mut().slot(key) {
        Some(Some(keyval)) if keyval.owner == owner => keyval.is_freed.set(true),
        _ => {
            return bad(MPI_ERR_KEYVAL, format!("{key} is not a key of attributes of a {owner:?}"));
        }
    }
    forget_if_unused(key);
    Ok(())
}

/// Forgets a key that was freed and that no attribute has.
pub(super) fn forget_if_unused(key: c_int) {
    let mut keyvals = objects().keyvals.borrow_mut();
    let Some(slot) = keyvals.slot(key) else { return };
    if slot.as_ref().is_some_and(|key| key.is_freed.get() && Rc::strong_count(key) == 1) {
        *slot = None;
        keyvals.free.push(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keyval() -> Keyval {
        let (owner, language, is_freed) = (Owner::Comm, Language::C, Cell::new(false));
        Keyval { owner, language, copy: 0, delete: 0, state: 0, is_freed }
    }

    #[test]
    fn keys_begin_above_predefined_ones_and_are_used_again() {
        let mut keyvals = Keyvals::new();
        assert!(PREDEFINED_KEYS.iter().all(|(key, _)| *key < FIRST));
        assert_eq!((keyvals.insert(keyval()), keyvals.insert(keyval())), (FIRST, FIRST + 1));
        keyvals.free.push(FIRST);
        assert_eq!(keyvals.insert(keyval()), FIRST);
        assert!(keyvals.slot(FIRST + 2).is_none() && keyvals.slot(c_int::MIN).is_none());
    }
}
