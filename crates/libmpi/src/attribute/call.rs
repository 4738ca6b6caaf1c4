//! Calling the functions of a key as the language of the program has them.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use super::keyval::Language;
use super::{Keyval, Value};
use crate::abi::*;

/// A function of the program that copies an attribute: that of communicators, datatypes and windows
/// differ in the name of the handle only.
type CopyFunction =
    unsafe extern "C" fn(Handle, c_int, *mut c_void, *mut c_void, *mut c_void, *mut c_int) -> c_int;

/// A function of the program that deletes an attribute, for all kinds of objects.
type DeleteFunction = unsafe extern "C" fn(Handle, c_int, *mut c_void, *mut c_void) -> c_int;

/// The same in Fortran: handle, key, extra state, old value, new value, flag, error code. Values
/// are as wide as the language says.
type FortranCopy = unsafe extern "C" fn(
    *mut c_int,
    *mut c_int,
    *mut MPI_Aint,
    *mut MPI_Aint,
    *mut MPI_Aint,
    *mut c_int,
    *mut c_int,
);

/// Handle, key, value, extra state, error code.
type FortranDelete =
    unsafe extern "C" fn(*mut c_int, *mut c_int, *mut MPI_Aint, *mut MPI_Aint, *mut c_int);

impl Keyval {
    /// Lets the program copy a value: the code of its function, and the new value if there is one.
    pub(super) fn call_copy(
        &self,
        object: Handle,
        mut key: c_int,
        value: &Value,
    ) -> (c_int, Option<Value>) {
        let mut flag = 0;
        if self.language == Language::C {
            let mut copied = 0_usize;
            let (state, value) = (self.state as *mut c_void, value.pointer() as *mut c_void);
            // SAFETY: the program gave this function for this use when it made the key; nothing of
            // ours is borrowed while it runs.
            let code = unsafe {
                let copy = std::mem::transmute::<usize, CopyFunction>(self.copy);
                copy(object, key, state, value, (&raw mut copied).cast(), &mut flag)
            };
            return (code, (flag != 0).then_some(Value::Pointer(copied)));
        }
        let (mut handle, mut code) = (object as u32 as c_int, MPI_SUCCESS);
        let (mut state, mut old, mut new) = (self.state as MPI_Aint, value.integer(), 0);
        // SAFETY: as above. A function of MPI-1 uses the low halves of the integers.
        unsafe {
            let copy = std::mem::transmute::<usize, FortranCopy>(self.copy);
            copy(&mut handle, &mut key, &mut state, &mut old, &mut new, &mut flag, &mut code);
        }
        (code, (flag != 0).then(|| self.integer(new)))
    }

    /// Tells the program that a value goes: the code of its function.
    pub(super) fn call_delete(&self, object: Handle, mut key: c_int, value: &Value) -> c_int {
        if self.language == Language::C {
            let (state, value) = (self.state as *mut c_void, value.pointer() as *mut c_void);
            // SAFETY: as in `call_copy`.
            return unsafe {
                let delete = std::mem::transmute::<usize, DeleteFunction>(self.delete);
                delete(object, key, value, state)
            };
        }
        let (mut handle, mut code) = (object as u32 as c_int, MPI_SUCCESS);
        let (mut state, mut value) = (self.state as MPI_Aint, value.integer());
        // SAFETY: as in `call_copy`.
        unsafe {
            let delete = std::mem::transmute::<usize, FortranDelete>(self.delete);
            delete(&mut handle, &mut key, &mut value, &mut state, &mut code);
        }
        code
    }

    /// An integer that a function of Fortran gave; those of MPI-1 write its low half.
    fn integer(&self, value: MPI_Aint) -> Value {
        Value::Integer(Rc::new(match self.language {
            Language::OldFortran => value as c_int as MPI_Aint,
            _ => value,
        }))
    }
}
