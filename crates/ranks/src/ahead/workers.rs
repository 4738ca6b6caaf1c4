//! The threads on which ranks go ahead.

use std::hint;
use std::ptr;
use std::thread;

use super::{Shared, crashed};
use crate::context;
use crate::crash;

/// How often a worker looks for something to do before it goes to sleep: some hundred
/// microseconds, which is less than it costs to be woken for each of many short stretches.
const LOOKS: u32 = 4_000;

/// Little is on the stack of a worker: ranks have their own.
const STACK: usize = 256 << 10;

/// Begins so many workers; fewer, or none, where the system does not allow it.
pub(super) fn begin(shared: &'static Shared, count: usize) {
    // Ranks inherit nothing from here, but threads inherit what signals are blocked.
    let before = block_signals();
    for number in 1..=count {
        let thread = thread::Builder::new().name(format!("worker {number}")).stack_size(STACK);
        if thread.spawn(move || work(shared)).is_err() {
            break;
        }
    }
    // SAFETY: puts back what was there.
    unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut()) };
}

/// Blocks all signals but those of crashes: others are for the thread of the simulator.
fn block_signals() -> libc::sigset_t {
    // SAFETY: sets of signals are filled before they are read.
    unsafe {
        let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&mut all);
        for signal in crash::SIGNALS {
            libc::sigdelset(&mut all, signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, &all, &mut before);
        before
    }
}

fn work(shared: &'static Shared) {
    // Without it a stack that is full could not be told; all else works.
    let _ = crash::lend_stack();
    context::with(|context| context.places.look_up());
    let mut looks = 0;
    loop {
        match shared.queue.pop() {
            Some(number) => {
                crashed::prepare();
                shared.seats[number as usize].run_ahead();
                looks = 0;
            }
            None if looks < LOOKS => {
                looks += 1;
                hint::spin_loop();
            }
            None => {
                shared.queue.sleep();
                looks = 0;
            }
        }
    }
}
