//! Thread-specific values: `pthread_key_create` and its kin, of C11 too.
//!
//! Ranks take turns on one thread, and the C library has 1,024 keys for the whole process, so keys
//! of programs are ours: any number of them. A rank keeps its main thread's values itself; those of
//! threads that it makes hang on one true key, whose destructor calls theirs.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use libc::pthread_key_t;
use rustc_hash::FxHashMap;

use super::{Entry, table};
use crate::context;

/// What is called with a thread's value when the thread ends. It may be unwound.
type Destructor = unsafe extern "C-unwind" fn(*mut c_void);

/// Ours begin here, far from those of the C library.
const FIRST: pthread_key_t = 1 << 20;

/// How often destructors are called anew for values that destructors have set.
const ROUNDS: usize = 4;

/// The next key.
static NEXT: AtomicU32 = AtomicU32::new(FIRST);

/// Keys that exist, with their destructors.
static KEYS: Mutex<Option<FxHashMap<pthread_key_t, Option<Destructor>>>> = Mutex::new(None);

/// Values of one thread by key: there are few, and the first is asked for most.
#[derive(Debug, Default)]
pub(crate) struct Values(Vec<(pthread_key_t, *mut c_void)>);

pub(super) fn table() -> Vec<Entry> {
    table![
        pthread_key_create => create,
        pthread_key_delete => delete,
        pthread_setspecific => set,
        pthread_getspecific => get,
        tss_create => create_c11,
        tss_delete => delete_c11,
        tss_set => set_c11,
        tss_get => get,
    ]
}

impl Values {
    fn get(&self, key: pthread_key_t) -> *mut c_void {
        let found = self.0.iter().find(|(own, _)| *own == key);
        found.map_or(ptr::null_mut(), |(_, value)| *value)
    }

    fn set(&mut self, key: pthread_key_t, value: *mut c_void) {
        match self.0.iter_mut().find(|(own, _)| *own == key) {
            Some((_, own)) => *own = value,
            None => self.0.push((key, value)),
        }
    }
}

/// Runs `f` with the keys that exist.
fn with_keys<R>(f: impl FnOnce(&mut FxHashMap<pthread_key_t, Option<Destructor>>) -> R) -> R {
    let mut keys = KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    f(keys.get_or_insert_with(FxHashMap::default))
}

/// Runs `f` with the values of the thread that calls, in a rank or beside it.
fn with_values<R>(f: impl FnOnce(&mut Values) -> R) -> Option<R> {
    let mut f = Some(f);
    let of_rank =
        context::with_body(|body| f.take().map(|f| f(&mut body.life.values.borrow_mut())));
    match (of_rank.flatten(), f) {
        (Some(result), _) => Some(result),
        // SAFETY: the values of this thread, which nobody else has and which `f` does not reach
        // in another way.
        (None, Some(f)) => of_thread().map(|values| f(unsafe { &mut *values })),
        (None, None) => None,
    }
}

/// The values of this thread, which is not a rank's main one; none if there is no memory.
fn of_thread() -> Option<*mut Values> {
    let key = true_key()?;
    // SAFETY: a key that exists.
    let own = unsafe { libc::pthread_getspecific(key) };
    if !own.is_null() {
        return Some(own.cast());
    }
    let own = Box::into_raw(Box::<Values>::default());
    // SAFETY: as above.
    if unsafe { libc::pthread_setspecific(key, own.cast()) } == 0 {
        return Some(own);
    }
    // SAFETY: made a moment ago, and given to nobody.
    drop(unsafe { Box::from_raw(own) });
    None
}

/// The C library's key on which the values of threads hang, made when first used.
fn true_key() -> Option<pthread_key_t> {
    static KEY: OnceLock<Option<pthread_key_t>> = OnceLock::new();
    *KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: makes a key, whose values are boxes that `of_thread` makes.
        let result = unsafe { libc::pthread_key_create(&mut key, Some(farewell)) };
        (result == 0).then_some(key)
    })
}

/// A thread ends: the destructors of its values are called, and again while they set values.
unsafe extern "C" fn farewell(values: *mut c_void) {
    let Some(true_key) = true_key() else { return };
    // Destructors ask for values themselves.
    // SAFETY: the key whose destructor this is, and the value that it had.
    unsafe { libc::pthread_setspecific(true_key, values) };
    for _ in 0..ROUNDS {
        let mut has_called = false;
        let mut nth = 0;
        // One look for each value: a destructor may set and delete others.
        while let Some(found) = with_values(|values| values.0.get(nth).copied()).flatten() {
            let (key, value) = found;
            nth += 1;
            let destructor = with_keys(|keys| keys.get(&key).copied()).flatten();
            let (Some(destructor), false) = (destructor, value.is_null()) else { continue };
            with_values(|values| values.set(key, ptr::null_mut()));
            has_called = true;
            // SAFETY: what the program gave for values of this key, on the thread that has it.
            unsafe { destructor(value) };
        }
        if !has_called {
            break;
        }
    }
    // SAFETY: nobody asks for the box once the key has no value.
    unsafe {
        libc::pthread_setspecific(true_key, ptr::null());
        drop(Box::from_raw(values.cast::<Values>()));
    }
}

unsafe extern "C" fn create(key: *mut pthread_key_t, destructor: Option<Destructor>) -> c_int {
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    with_keys(|keys| keys.insert(number, destructor));
    // SAFETY: the caller's place for a key.
    unsafe { key.write(number) };
    0
}

extern "C" fn delete(key: pthread_key_t) -> c_int {
    match with_keys(|keys| keys.remove(&key)) {
        Some(_) => 0,
        None => libc::EINVAL,
    }
}

extern "C" fn set(key: pthread_key_t, value: *mut c_void) -> c_int {
    if !with_keys(|keys| keys.contains_key(&key)) {
        return libc::EINVAL;
    }
    match with_values(|values| values.set(key, value)) {
        Some(()) => 0,
        None => libc::ENOMEM,
    }
}

extern "C" fn get(key: pthread_key_t) -> *mut c_void {
    with_values(|values| values.get(key)).unwrap_or(ptr::null_mut())
}

/// `tss_create`, which says in C11's words how it went.
unsafe extern "C" fn create_c11(key: *mut pthread_key_t, destructor: Option<Destructor>) -> c_int {
    // SAFETY: passed on as it came.
    as_c11(unsafe { create(key, destructor) })
}

extern "C" fn delete_c11(key: pthread_key_t) {
    delete(key);
}

extern "C" fn set_c11(key: pthread_key_t, value: *mut c_void) -> c_int {
    as_c11(set(key, value))
}

/// `thrd_success` or `thrd_error`.
fn as_c11(result: c_int) -> c_int {
    const ERROR: c_int = 2;
    if result == 0 { 0 } else { ERROR }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C-unwind" fn count(value: *mut c_void) {
        // SAFETY: the tests set addresses of counters that live until the thread has ended.
        unsafe { (*value.cast::<AtomicU32>()).fetch_add(1, Ordering::Relaxed) };
    }

    fn key(destructor: Option<Destructor>) -> pthread_key_t {
        let mut key = 0;
        // SAFETY: a place for the key.
        assert_eq!(unsafe { create(&mut key, destructor) }, 0);
        key
    }

    #[test]
    fn there_are_more_keys_than_the_c_library_has() {
        let keys: Vec<_> = (0..5000).map(|_| key(None)).collect();
        for (nth, key) in keys.iter().enumerate() {
            assert_eq!(set(*key, ptr::without_provenance_mut(nth)), 0);
        }
        assert_eq!(get(keys[4999]).addr(), 4999);
        assert!(keys.iter().all(|key| delete(*key) == 0));
        assert_eq!(set(keys[0], ptr::null_mut()), libc::EINVAL);
    }

    #[test]
    fn destructors_are_called_when_a_thread_ends() {
        let counter = AtomicU32::new(0);
        let (with, without) = (key(Some(count)), key(None));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let value = (&raw const counter).cast_mut().cast();
                assert_eq!((set(with, value), set(without, value)), (0, 0));
                assert_eq!(get(with), value);
            });
        });
        // A scope waits for what a thread runs, not for its destructors.
        while counter.load(Ordering::Relaxed) == 0 {
            std::thread::yield_now();
        }
        assert!(get(with).is_null());
        assert_eq!(counter.load(Ordering::Relaxed), 1);
    }
}
