//! The program on the main stack, the scheduler beside it.

use std::cell::RefCell;
use std::rc::Rc;

use foretell_ranks::{back_to_program, current, run_scheduler_beside, suspend};

#[test]
fn the_scheduler_runs_whenever_the_program_suspends() {
    let seen = Rc::new(RefCell::new(Vec::new()));
    let log = Rc::clone(&seen);
    let scheduler = move || {
        for turn in 0.. {
            assert_eq!(current(), None);
            log.borrow_mut().push(turn);
            back_to_program();
        }
    };
    run_scheduler_beside(scheduler).unwrap();
    assert_eq!(current(), Some(0));
    for turn in 1..4 {
        // SAFETY: sets this thread's errno, which the scheduler must not disturb.
        unsafe { *libc::__errno_location() = turn };
        seen.borrow_mut().push(100 + turn);
        suspend();
        // SAFETY: as above.
        assert_eq!(unsafe { *libc::__errno_location() }, turn);
    }
    assert_eq!(*seen.borrow(), [0, 101, 1, 102, 2, 103, 3]);
}
