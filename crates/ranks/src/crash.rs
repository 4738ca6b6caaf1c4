//! Crashes of a rank: one report that names the rank, what happened and where, then the end.
//!
//! The handler runs on a stack of its own, so that it can report a stack that is full. It first
//! says what needs no memory and no lock. Only then does it read debug information, under an
//! alarm: the crash may have happened inside the allocator.

mod backtrace;
mod words;

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fmt::{self, Write};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use libc::siginfo_t;

use crate::ahead;
use crate::body::Body;
use crate::context;
use crate::error::RanksError;
use crate::label;
use crate::surroundings;
use crate::threads::{self, own_name};

/// The signals that tell of a crash.
pub(crate) const SIGNALS: [c_int; 5] =
    [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL, libc::SIGABRT];

/// Address space for the handler's stack. Reading debug information needs much.
const STACK: usize = 4 << 20;

/// Longest time that the backtrace may take.
const PATIENCE: u32 = 20;

/// Whether a report is being written: a second crash meanwhile is ours.
static REPORTING: AtomicBool = AtomicBool::new(false);

/// What the process exits with if the backtrace takes too long.
static EXIT_CODE: AtomicI32 = AtomicI32::new(0);

thread_local! {
    static HAS_STACK: Cell<bool> = const { Cell::new(false) };
}

/// Installs the handler for the process and gives this thread a stack for it.
pub(crate) fn install() -> Result<(), RanksError> {
    if HAS_STACK.replace(true) {
        return Ok(());
    }
    lend_stack().map_err(RanksError::Handlers)?;
    for signal in SIGNALS {
        let flags = libc::SA_ONSTACK | libc::SA_SIGINFO;
        set_handler(signal, handle as *const () as usize, flags).map_err(RanksError::Handlers)?;
    }
    Ok(())
}

fn set_handler(signal: c_int, handler: usize, flags: c_int) -> io::Result<()> {
    // SAFETY: a structure of integers and pointers for which zero is valid.
    let mut action: libc::sigaction = unsafe { std::mem::zeroed() };
    action.sa_sigaction = handler;
    action.sa_flags = flags;
    // SAFETY: the handler has the type that the flags ask for.
    match unsafe { libc::sigaction(signal, &action, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Maps a stack for handlers of this thread; it stays for the life of the process.
pub(crate) fn lend_stack() -> io::Result<()> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_STACK;
    let access = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that exists.
    let start = unsafe { libc::mmap(ptr::null_mut(), STACK, access, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    let stack = libc::stack_t { ss_sp: start, ss_flags: 0, ss_size: STACK };
    // SAFETY: the range was just mapped, and is never unmapped.
    match unsafe { libc::sigaltstack(&stack, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Called by the kernel, on the stack for handlers.
extern "C" fn handle(signal: c_int, info: *mut siginfo_t, machine: *mut c_void) {
    if ahead::note_crash(signal, info, machine) {
        return;
    }
    if REPORTING.load(Ordering::Relaxed) {
        // SAFETY: the report itself crashed; what it said so far must do.
        unsafe { libc::_exit(128 + signal) };
    }
    if chain(signal, info, machine) {
        return;
    }
    report(signal, info, machine);
}

/// Calls the handler that the rank installed itself; false if it has none.
fn chain(signal: c_int, info: *mut siginfo_t, machine: *mut c_void) -> bool {
    let Some(Some(action)) = context::with_body(|body| body.life.signals.of(signal)) else {
        return false;
    };
    if action.sa_flags & libc::SA_RESETHAND != 0 {
        context::with_body(|body| body.life.signals.forget(signal));
    }
    match action.sa_sigaction {
        libc::SIG_DFL => false,
        libc::SIG_IGN => {
            // SAFETY: the kernel gives the information of the signal.
            let code = unsafe { (*info).si_code };
            // A fault cannot be ignored: it would come back for ever.
            code <= 0
        }
        handler if action.sa_flags & libc::SA_SIGINFO != 0 => {
            // SAFETY: the program said that its handler takes three arguments.
            let handler: extern "C" fn(c_int, *mut siginfo_t, *mut c_void) =
                unsafe { std::mem::transmute(handler) };
            handler(signal, info, machine);
            true
        }
        handler => {
            // SAFETY: the program said that its handler takes the signal.
            let handler: extern "C" fn(c_int) = unsafe { std::mem::transmute(handler) };
            handler(signal);
            true
        }
    }
}

/// Writes the report and ends the process.
pub(crate) fn report(signal: c_int, info: *mut siginfo_t, machine: *mut c_void) -> ! {
    REPORTING.store(true, Ordering::Relaxed);
    let rank = context::current();
    label::pass_on_after_crash(rank);
    let mut to = Descriptor(label::error_descriptor());
    // SAFETY: the kernel gives the information of the signal.
    let info = unsafe { &*info };
    // Nothing can be done about a report that cannot be written.
    let _ = headline(&mut to, signal, info);
    let _ = circumstances(&mut to, rank);
    give_up_after(PATIENCE, 128 + signal);
    let frame = context::with_body(|body| body.life.frame.get()).filter(|frame| *frame != 0);
    let _ = backtrace::write(&mut to, machine, frame);
    farewell(rank, signal)
}

fn headline(to: &mut Descriptor, signal: c_int, info: &siginfo_t) -> fmt::Result {
    // SAFETY: for crash signals the kernel fills in the address; else it is unused.
    let address = unsafe { info.si_addr() }.addr();
    let overflow = context::with_body(|body| {
        let is_overflow = signal == libc::SIGSEGV && body.bounds.overflowed_at(address);
        is_overflow.then(|| body.bounds.size() / 1024)
    });
    write!(to, "error: ")?;
    who(to)?;
    if let Some(Some(size)) = overflow {
        return writeln!(
            to,
            " overflowed its stack of {size} KiB: raise it with --stack-size (such as \
             --stack-size {}KiB)",
            size * 4
        );
    }
    write!(to, " crashed: ")?;
    words::write(to, signal, info.si_code, address)?;
    writeln!(to)
}

/// Who crashed.
fn who(to: &mut Descriptor) -> fmt::Result {
    if let Some((rank, number, _)) = own_name().filter(|name| name.1 > 0) {
        return write!(to, "rank {rank}, thread {number},");
    }
    match (context::current(), context::made_by()) {
        (Some(rank), _) => write!(to, "rank {rank}"),
        (None, Some(rank)) => write!(to, "a thread of rank {rank}"),
        (None, None) if context::is_own_thread() => {
            // Ranks and simulator share one heap: what a rank damages may be found much later.
            write!(
                to,
                "the simulator (outside of any rank: one may have written where it must not; if \
                 valgrind finds no such thing in the program, please report this bug of foretell)"
            )
        }
        (None, None) => write!(to, "a thread that no rank made"),
    }
}

fn circumstances(to: &mut Descriptor, rank: Option<u32>) -> fmt::Result {
    if let Some((_, _, call)) = own_name() {
        let date = threads::with_own(|thread| thread.threads().date()).unwrap_or_default();
        writeln!(to, "  simulated time: {date:.9} s")?;
        let call = if call.is_empty() { "none" } else { call };
        return writeln!(to, "  last MPI call: {call}");
    }
    let Some(around) = surroundings::around() else { return Ok(()) };
    let date = around.date();
    if !date.is_nan() {
        writeln!(to, "  simulated time: {date:.9} s")?;
    }
    if let Some(rank) = rank {
        let call = around.last_call(rank);
        let call = if call.is_empty() { "none" } else { &call };
        writeln!(to, "  last MPI call: {call}")?;
    }
    Ok(())
}

/// A rank wrote past the end of a stack that nothing guards: found at a switch, after the fact.
#[cold]
pub(crate) fn report_overrun(body: &Body) -> ! {
    REPORTING.store(true, Ordering::Relaxed);
    label::pass_on_after_crash(Some(body.number));
    let mut to = Descriptor(label::error_descriptor());
    let size = body.bounds.size() / 1024;
    let _ = writeln!(
        to,
        "error: rank {} overflowed its stack of {size} KiB, which has no guard, and may have \
         damaged another rank: raise it with --stack-size (such as --stack-size {}KiB)",
        body.number,
        size * 4
    );
    let _ = circumstances(&mut to, Some(body.number));
    farewell(Some(body.number), libc::SIGSEGV)
}

/// Tells the surroundings and ends the process.
fn farewell(rank: Option<u32>, signal: c_int) -> ! {
    if let Some(around) = surroundings::around() {
        around.crashed(rank, signal);
    }
    // Without flushing streams: the crash may have happened while one was being written.
    // SAFETY: ends the process.
    unsafe { libc::_exit(128 + signal) }
}

/// Ends the process if it is still there after some seconds.
fn give_up_after(seconds: u32, code: c_int) {
    EXIT_CODE.store(code, Ordering::Relaxed);
    if set_handler(libc::SIGALRM, give_up as *const () as usize, libc::SA_ONSTACK).is_ok() {
        // SAFETY: asks for a signal, which is unblocked in case the program blocked it.
        unsafe {
            let mut alarm: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut alarm);
            libc::sigaddset(&mut alarm, libc::SIGALRM);
            libc::pthread_sigmask(libc::SIG_UNBLOCK, &alarm, ptr::null_mut());
            libc::alarm(seconds);
        }
    }
}

extern "C" fn give_up(_signal: c_int) {
    // SAFETY: ends the process.
    unsafe { libc::_exit(EXIT_CODE.load(Ordering::Relaxed)) }
}

/// Writes to a descriptor at once, without memory or locks.
pub(crate) struct Descriptor(c_int);

impl Write for Descriptor {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            // SAFETY: writes bytes that exist.
            let written = unsafe { libc::write(self.0, rest.as_ptr().cast(), rest.len()) };
            rest = usize::try_from(written).ok().and_then(|n| rest.get(n..)).ok_or(fmt::Error)?;
        }
        Ok(())
    }
}
