//! The environment of a rank is its own, as that of a process is: what one sets, others do not see.
//!
//! Changes also go to the process, for the libraries that all ranks share and for programs that a
//! rank starts; there the last change counts. `environ` itself shows that of the process.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr;
use std::sync::OnceLock;

use super::{Entry, table};
use crate::context;

/// All of them.
pub(super) fn table() -> Vec<Entry> {
    table![getenv, secure_getenv => getenv, setenv, unsetenv, putenv, clearenv]
}

/// What a rank has changed: where the value of a name is, null where it was taken away.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    values: BTreeMap<Vec<u8>, *mut c_char>,
    /// Whether nothing is left of what it was started with.
    is_cleared: bool,
}

/// The environment before any rank changed it: names and values.
fn at_start() -> &'static BTreeMap<Vec<u8>, CString> {
    static START: OnceLock<BTreeMap<Vec<u8>, CString>> = OnceLock::new();
    START.get_or_init(|| {
        use std::os::unix::ffi::OsStringExt;
        let pairs = std::env::vars_os();
        pairs
            .filter_map(|(name, value)| {
                Some((name.into_vec(), CString::new(value.into_vec()).ok()?))
            })
            .collect()
    })
}

/// Does something with the changes of the rank that runs; nothing where none does.
fn change<R>(f: impl FnOnce(&mut Changes) -> R) -> Option<R> {
    at_start();
    context::with_body(|body| {
        f(body.life.environment.borrow_mut().get_or_insert_with(Default::default))
    })
}

/// A name that may be set.
unsafe fn name_of<'a>(name: *const c_char) -> Option<&'a [u8]> {
    if name.is_null() {
        return None;
    }
    // SAFETY: by the caller, a text that ends with a zero.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    (!name.is_empty() && !name.contains(&b'=')).then_some(name)
}

unsafe extern "C" fn getenv(name: *const c_char) -> *mut c_char {
    // SAFETY: the caller's text.
    let (real, key) = (unsafe { libc::getenv(name) }, unsafe { name_of(name) });
    let Some(key) = key else { return real };
    let own = context::with_body(|body| {
        let changes = body.life.environment.borrow();
        let changes = changes.as_deref()?;
        match changes.values.get(key) {
            Some(value) => Some(*value),
            None => changes.is_cleared.then_some(ptr::null_mut()),
        }
    });
    match own {
        // No rank runs here, or none has changed anything.
        None => real,
        _ if !HAS_CHANGED.load(std::sync::atomic::Ordering::Relaxed) => real,
        Some(Some(value)) => value,
        Some(None) => at_start().get(key).map_or(ptr::null_mut(), |v| v.as_ptr().cast_mut()),
    }
}

/// Whether any rank has changed its environment.
static HAS_CHANGED: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Notes a value for a name, or that there is none.
fn note(name: &[u8], value: *mut c_char) {
    change(|changes| changes.values.insert(name.to_vec(), value));
    HAS_CHANGED.store(true, std::sync::atomic::Ordering::Relaxed);
}

unsafe extern "C" fn setenv(name: *const c_char, value: *const c_char, overwrite: c_int) -> c_int {
    // SAFETY: the caller's texts.
    unsafe {
        let key = name_of(name).filter(|_| context::current().is_some() && !value.is_null());
        let Some(key) = key else { return libc::setenv(name, value, overwrite) };
        if overwrite == 0 && !getenv(name).is_null() {
            return 0;
        }
        // As in the C library, old values stay where they are: the program may hold them.
        note(key, CStr::from_ptr(value).to_owned().into_raw());
        libc::setenv(name, value, 1)
    }
}

unsafe extern "C" fn unsetenv(name: *const c_char) -> c_int {
    // SAFETY: the caller's text.
    unsafe {
        if let (Some(key), Some(_)) = (name_of(name), context::current()) {
            note(key, ptr::null_mut());
        }
        libc::unsetenv(name)
    }
}

unsafe extern "C" fn putenv(text: *mut c_char) -> c_int {
    // SAFETY: the caller's text, which it leaves to us.
    unsafe {
        let all = CStr::from_ptr(text).to_bytes();
        let (Some(at), Some(_)) = (all.iter().position(|byte| *byte == b'='), context::current())
        else {
            return libc::putenv(text);
        };
        // The text itself is the rank's environment; the process gets a copy, which outlives it.
        note(&all[..at], text.add(at + 1));
        let name = CString::new(&all[..at]).unwrap_or_default();
        libc::setenv(name.as_ptr(), text.add(at + 1), 1)
    }
}

unsafe extern "C" fn clearenv() -> c_int {
    let cleared = change(|changes| {
        changes.values.clear();
        changes.is_cleared = true;
    });
    if cleared.is_none() {
        // SAFETY: what the caller asks for.
        return unsafe { libc::clearenv() };
    }
    HAS_CHANGED.store(true, std::sync::atomic::Ordering::Relaxed);
    0
}
