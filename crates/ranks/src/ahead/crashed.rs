//! A rank that crashes ahead of its turn: the report waits for it. Others may end the run before.
//!
//! The handler of the crash keeps what it was told, and lets the thread go on elsewhere: on a spare
//! stack, from which the rank is suspended for good. So the thread is free for other ranks, and may
//! be that of the simulator.

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::ptr;

use libc::{siginfo_t, ucontext_t};

use super::seat;
use crate::context;
use crate::crash;
use crate::switch;

/// Room to suspend a rank from.
const STACK: usize = 16 << 10;

/// What the handler of a crash was told, and a stack to leave by. It is never given back.
pub(crate) struct Wreck {
    signal: c_int,
    info: siginfo_t,
    machine: ucontext_t,
    stack: [u8; STACK],
}

thread_local! {
    /// For the next crash on this thread; null while there is none.
    static SPARE: Cell<*mut Wreck> = const { Cell::new(ptr::null_mut()) };
}

/// Makes sure that a rank may crash on this thread.
pub(super) fn prepare() {
    if SPARE.get().is_null() {
        // SAFETY: integers, pointers and bytes, for all of which zero is valid.
        let wreck: Wreck = unsafe { std::mem::zeroed() };
        SPARE.set(Box::into_raw(Box::new(wreck)));
    }
}

/// Called by the handler of crashes: keeps a crash for the turn of its rank, if the rank is ahead.
/// The handler then has but to return.
pub(crate) fn note(signal: c_int, info: *mut siginfo_t, machine: *mut c_void) -> bool {
    if !context::with(|context| context.is_ahead.get()) {
        return false;
    }
    let (seat, wreck) = (context::current().and_then(seat), SPARE.replace(ptr::null_mut()));
    let (Some(seat), false) = (seat, wreck.is_null()) else { return false };
    let machine = machine.cast::<ucontext_t>();
    // SAFETY: the kernel gives what it knows of the signal and of the registers, which are put back
    // from there when the handler returns; the wreck is nobody else's.
    unsafe {
        (*wreck).signal = signal;
        (*wreck).info = *info;
        (*wreck).machine = *machine;
        // The rest of the registers lies on the handler's stack, which does not stay.
        (*wreck).machine.uc_mcontext.fpregs = ptr::null_mut();
        let registers = &mut (*machine).uc_mcontext.gregs;
        let top = (&raw mut (*wreck).stack).addr() + STACK;
        // As after a call: the address to return to would lie here.
        registers[libc::REG_RSP as usize] = (top / 16 * 16 - 8) as i64;
        registers[libc::REG_RIP as usize] = leave as *const () as i64;
    }
    seat.note_crash(wreck);
    true
}

/// Where a thread goes on whose rank has crashed: back to who let the rank run.
extern "C" fn leave() -> ! {
    switch::suspend();
    unreachable!("a rank that had crashed was resumed")
}

/// Reports a crash as if it happened now, and ends the process.
pub(super) fn report(wreck: *mut Wreck) -> ! {
    // SAFETY: it was filled in by `note` and is never given back.
    let wreck = unsafe { &mut *wreck };
    crash::report(wreck.signal, &mut wreck.info, (&raw mut wreck.machine).cast())
}
