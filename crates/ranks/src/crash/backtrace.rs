//! The calls that led to a crash, with functions and lines where the program has debug
//! information.

use std::ffi::{c_int, c_void};
use std::fmt::{self, Write};

use foretell_images::{Location, locate};

use crate::source::{Line, Sources};

/// How many calls are shown: an endless recursion has many.
const MOST: usize = 40;

/// One call.
#[derive(Debug, Clone, Copy)]
struct Frame {
    pc: usize,
    /// Whether `pc` is where the call will return to, so that the call itself is just before.
    is_return: bool,
}

/// Writes the calls from where `machine` was when the signal came, up to the frame at `oldest`.
pub(super) fn write(
    to: &mut impl Write,
    machine: *mut c_void,
    oldest: Option<usize>,
) -> fmt::Result {
    let mut frames = frames(machine, oldest.unwrap_or(usize::MAX));
    cut_at_main(&mut frames);
    let mut sources = Sources::default();
    writeln!(to, "  calls, latest first:")?;
    for frame in frames.iter().take(MOST) {
        write_frame(to, &mut sources, *frame)?;
    }
    if frames.len() > MOST {
        writeln!(to, "    ... and more")?;
    }
    Ok(())
}

/// The frames of the program, latest first.
fn frames(machine: *mut c_void, oldest: usize) -> Vec<Frame> {
    // SAFETY: the kernel gives the state of the machine at the signal.
    let registers = unsafe { &(*machine.cast::<libc::ucontext_t>()).uc_mcontext.gregs };
    let register = |number: c_int| registers[number as usize] as usize;
    let pc = register(libc::REG_RIP);
    let mut walk = Walk { pc, oldest, has_begun: false, frames: Vec::with_capacity(MOST + 1) };
    // SAFETY: the callback gets the walk and nothing else uses it meanwhile.
    unsafe { _Unwind_Backtrace(step, (&raw mut walk).cast()) };
    if walk.frames.len() < 2 && locate(pc).is_none() {
        // A call to where no code is: its return address is still on top of the stack.
        let (top, base) = (register(libc::REG_RSP), register(libc::REG_RBP));
        return follow_base_pointers(pc, top, base, oldest);
    }
    if walk.frames.is_empty() {
        walk.frames.push(Frame { pc, is_return: false });
    }
    walk.frames
}

/// Frames by the chain of saved base pointers, which code without optimisation keeps.
fn follow_base_pointers(pc: usize, top: usize, mut base: usize, oldest: usize) -> Vec<Frame> {
    let word = |address: usize| {
        // SAFETY: checked below to lie on the stack; a second crash ends the report.
        unsafe { (address as *const usize).read() }
    };
    let mut frames = vec![Frame { pc, is_return: false }];
    frames.push(Frame { pc: word(top), is_return: true });
    let mut below = top;
    while frames.len() < MOST && base > below && base < oldest && base.is_multiple_of(8) {
        frames.push(Frame { pc: word(base + 8), is_return: true });
        below = base;
        base = word(base);
    }
    // The last one is the caller of `main`, which is ours.
    frames.truncate(frames.len().max(3) - 1);
    frames
}

/// A walk down the stack.
struct Walk {
    /// Where the signal came: frames before it are those of the handler.
    pc: usize,
    oldest: usize,
    has_begun: bool,
    frames: Vec<Frame>,
}

extern "C" fn step(context: *mut c_void, walk: *mut c_void) -> c_int {
    const GO_ON: c_int = 0;
    const STOP: c_int = 4;
    // SAFETY: `frames` gave its walk.
    let walk = unsafe { &mut *walk.cast::<Walk>() };
    let mut is_before = 0;
    // SAFETY: the unwinder gives its own context.
    let pc = unsafe { _Unwind_GetIPInfo(context, &mut is_before) };
    walk.has_begun |= pc == walk.pc;
    if !walk.has_begun {
        return GO_ON;
    }
    // SAFETY: as above.
    if unsafe { _Unwind_GetCFA(context) } > walk.oldest || pc == 0 || walk.frames.len() > MOST {
        return STOP;
    }
    walk.frames.push(Frame { pc, is_return: is_before == 0 });
    GO_ON
}

/// Writes one call, with the calls that the compiler merged into it.
fn write_frame(to: &mut impl Write, sources: &mut Sources, frame: Frame) -> fmt::Result {
    let Some(Location { file: path, address, .. }) = locate(frame.pc) else {
        return writeln!(to, "    {:#x}", frame.pc);
    };
    let file = path.file_name().unwrap_or_default().display().to_string();
    let lines = sources.at(path, address - usize::from(frame.is_return));
    for Line { function, place } in &lines {
        let name = function.as_deref().unwrap_or("?");
        match place {
            Some((source, line)) => writeln!(to, "    {name} at {source}:{line} ({file})")?,
            None => writeln!(to, "    {name} ({file})")?,
        }
    }
    if lines.is_empty() {
        writeln!(to, "    {address:#x} ({file})")?;
    }
    Ok(())
}

/// Leaves out what called the program: our own frames below its `main`.
fn cut_at_main(frames: &mut Vec<Frame>) {
    let own = locate((cut_at_main as *const ()).addr()).map(|own| own.file.to_owned());
    let is_ours = |frame: &Frame| locate(frame.pc).map(|found| found.file) == own.as_deref();
    while own.is_some() && frames.len() > 1 && frames.last().is_some_and(is_ours) {
        frames.pop();
    }
}

#[link(name = "gcc_s")]
unsafe extern "C" {
    fn _Unwind_Backtrace(
        step: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, is_before: *mut c_int) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}
