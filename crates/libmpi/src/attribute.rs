//! Attributes: what programs hang on communicators and datatypes. MPI 4.1 section 7.7.

mod call;
mod functions;
mod keyval;
mod predefined;

use std::cell::RefCell;
use std::ffi::c_int;
use std::rc::Rc;

use crate::abi::*;
use crate::failure::{Failure, Outcome, bad};
use crate::rank::RankContext;

pub(crate) use functions::{of_comm, of_type, set_of_comm, set_of_type};
pub(crate) use keyval::{Keyval, Keyvals, Language, Owner, create};
pub(crate) use predefined::{Predefined, note_last_code};

/// The attributes of one object, in the order they were set.
pub(crate) type Attributes = Vec<Attribute>;

/// A value under a key, which lives as long as the attribute even if the program freed it.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    key: c_int,
    keyval: Rc<Keyval>,
    value: Value,
}

/// The value of an attribute, as the language has it in which it was set. MPI 4.1 section 19.3.7.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    /// A pointer, from C.
    Pointer(usize),
    /// An integer, from Fortran; C gets its address.
    Integer(Rc<MPI_Aint>),
}

impl Value {
    /// What C sees.
    pub(crate) fn pointer(&self) -> usize {
        match self {
            Value::Pointer(pointer) => *pointer,
            Value::Integer(integer) => Rc::as_ptr(integer) as usize,
        }
    }

    /// What Fortran sees.
    pub(crate) fn integer(&self) -> MPI_Aint {
        match self {
            Value::Pointer(pointer) => *pointer as MPI_Aint,
            Value::Integer(integer) => **integer,
        }
    }
}

/// The attribute of a key.
fn find(holder: &RefCell<Attributes>, key: c_int) -> Option<Attribute> {
    holder.borrow().iter().find(|attribute| attribute.key == key).cloned()
}

/// Takes an attribute off its object, if it is still there.
fn remove(holder: &RefCell<Attributes>, key: c_int) {
    let removed = {
        let mut attributes = holder.borrow_mut();
        let place = attributes.iter().position(|attribute| attribute.key == key);
        place.map(|place| attributes.remove(place))
    };
    drop(removed);
    keyval::forget_if_unused(key);
}

/// Sets an attribute of an object; one that is there under the same key is deleted first.
pub(crate) fn set(
    holder: &RefCell<Attributes>,
    object: Handle,
    owner: Owner,
    key: c_int,
    value: Value,
) -> Outcome {
    let keyval = keyval::lookup(key, owner)?;
    if let Some(old) = find(holder, key) {
        old.delete(object)?;
        remove(holder, key);
    }
    holder.borrow_mut().push(Attribute { key, keyval, value });
    Ok(())
}

/// The value of an attribute, if it is set.
pub(crate) fn get(
    holder: &RefCell<Attributes>,
    owner: Owner,
    key: c_int,
) -> Result<Option<Value>, Failure> {
    match find(holder, key) {
        Some(attribute) if attribute.keyval.owner == owner => Ok(Some(attribute.value)),
        _ => keyval::lookup(key, owner).map(|_| None),
    }
}

/// Deletes an attribute of an object; there need not be one.
pub(crate) fn delete(
    holder: &RefCell<Attributes>,
    object: Handle,
    owner: Owner,
    key: c_int,
) -> Outcome {
    let Some(attribute) = find(holder, key) else {
        return keyval::lookup(key, owner).map(drop);
    };
    attribute.delete(object)?;
    drop(attribute);
    remove(holder, key);
    Ok(())
}

/// Deletes all attributes of an object that is about to go, the last that was set first. Ends with
/// the first deletion that fails.
pub(crate) fn delete_each(holder: &RefCell<Attributes>, object: Handle) -> Outcome {
    loop {
        let Some(last) = holder.borrow().last().cloned() else { return Ok(()) };
        last.delete(object)?;
        let key = last.key;
        drop(last);
        remove(holder, key);
    }
}

/// The attributes that a copy of an object gets. If one cannot be copied, those that were are
/// deleted again.
pub(crate) fn copy_each(
    holder: &RefCell<Attributes>,
    object: Handle,
) -> Result<Attributes, Failure> {
    let originals = holder.borrow().clone();
    let mut copies = Attributes::new();
    for original in originals {
        match original.copy(object) {
            Ok(None) => {}
            Ok(Some(value)) => copies.push(Attribute { value, ..original }),
            Err(failure) => {
                // The copy has failed whatever comes of these.
                let _ = delete_each(&RefCell::new(copies), object);
                return Err(failure);
            }
        }
    }
    Ok(copies)
}

/// Deletes the attributes of `MPI_COMM_SELF` and `MPI_COMM_WORLD`, as `MPI_Finalize` does first.
pub(crate) fn delete_all(here: &RankContext) -> Outcome {
    if let Some(itself) = here.itself_if_used() {
        delete_each(&itself.attributes, MPI_COMM_SELF)?;
    }
    delete_each(&here.world.attributes, MPI_COMM_WORLD)
}

impl Attribute {
    /// The value that a copy of the object gets, if any.
    fn copy(&self, object: Handle) -> Result<Option<Value>, Failure> {
        let keyval = &self.keyval;
        match keyval.copy {
            MPI_COMM_NULL_COPY_FN => return Ok(None),
            MPI_COMM_DUP_FN => return Ok(Some(self.value.clone())),
            _ => {}
        }
        let (code, copied) = keyval.call_copy(object, self.key, &self.value);
        if code != MPI_SUCCESS {
            return bad(code, format!("the copy function of key {} failed: {code}", self.key));
        }
        Ok(copied)
    }

    /// Tells the program that the attribute goes.
    fn delete(&self, object: Handle) -> Outcome {
        let keyval = &self.keyval;
        if keyval.delete == MPI_COMM_NULL_DELETE_FN {
            return Ok(());
        }
        match keyval.call_delete(object, self.key, &self.value) {
            MPI_SUCCESS => Ok(()),
            code => bad(code, format!("the delete function of key {} failed: {code}", self.key)),
        }
    }
}
