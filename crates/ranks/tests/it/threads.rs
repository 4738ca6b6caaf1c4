//! Threads that a program makes itself.

use std::cell::Cell;

use foretell_ranks::{Ranks, Settings, Step, is_own_thread, made_by};

use crate::program::run_c;

#[test]
fn a_thread_of_the_program_is_not_one_of_ours() {
    let noted = run_c(
        r"
        #include <pthread.h>
        static void *work(void *argument) { return (void *)(*(long *)argument * 2); }
        int main(int c, char **v) {
            pthread_t thread;
            long number = 21;
            void *result;
            if (pthread_create(&thread, 0, work, &number)) return 1;
            pthread_join(thread, &result);
            note((long)result);
            return 0;
        }",
        2,
    );
    assert_eq!(noted, [(0, 42), (1, 42)]);
}

#[test]
fn threads_know_who_made_them() {
    type Create = unsafe extern "C" fn(
        *mut libc::pthread_t,
        *const libc::pthread_attr_t,
        extern "C" fn(*mut libc::c_void) -> *mut libc::c_void,
        *mut libc::c_void,
    ) -> i32;
    extern "C" fn look(seen: *mut libc::c_void) -> *mut libc::c_void {
        // SAFETY: the maker waits for this thread and lends its local.
        unsafe { *seen.cast() = (is_own_thread(), foretell_ranks::current(), made_by()) };
        std::ptr::null_mut()
    }
    thread_local!(static SEEN: Cell<(bool, Option<u32>, Option<u32>)> = const {
        Cell::new((true, None, None))
    });
    let ranks = Ranks::new(Settings::default(), 1, vec![]).unwrap();
    let body = || {
        let create = foretell_ranks::interposed_address(c"pthread_create").unwrap();
        // SAFETY: stands in for `pthread_create` and has its type.
        let create: Create = unsafe { std::mem::transmute(create) };
        let mut seen = (true, Some(0), Some(0));
        let mut thread = 0;
        // SAFETY: the thread is joined before the locals go.
        unsafe {
            create(&mut thread, std::ptr::null(), look, (&raw mut seen).cast());
            libc::pthread_join(thread, std::ptr::null_mut());
        }
        SEEN.set(seen);
        0
    };
    let mut rank = ranks.begin_function(5, body).unwrap();
    assert!(matches!(rank.resume(), Step::Ended(0, _)));
    assert_eq!(SEEN.get(), (false, None, Some(5)));
    assert!(is_own_thread());
}
