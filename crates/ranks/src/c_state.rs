//! What the C and C++ run-time libraries keep for a thread and each rank must have to itself.
//!
//! A rank believes that it is a thread of its own. The processor's floating-point controls,
//! `errno` and the list of exceptions being handled would otherwise leak from one rank into the
//! next at a switch. Only what differs is reloaded: control registers are slow to write.

use std::arch::asm;
use std::cell::Cell;

/// Sticky flags of MXCSR, which any computation sets.
const MXCSR_FLAGS: u32 = 0x3f;

/// Floating-point controls as a new process has them.
const MXCSR_DEFAULT: u32 = 0x1f80;
const X87_DEFAULT: u16 = 0x037f;

/// The C state of one rank, or of the scheduler, while another runs.
///
/// The exception flags of the x87 unit, which only `long double` sets, are not kept apart.
#[derive(Debug)]
pub(crate) struct CState {
    errno: Cell<libc::c_int>,
    mxcsr: Cell<u32>,
    x87: Cell<u16>,
    /// `__cxa_eh_globals`: the exceptions being handled, and how many are in flight.
    exceptions: Cell<[usize; 2]>,
}

impl CState {
    /// The state of a program that has just started.
    pub(crate) const fn new() -> Self {
        Self {
            errno: Cell::new(0),
            mxcsr: Cell::new(MXCSR_DEFAULT),
            x87: Cell::new(X87_DEFAULT),
            exceptions: Cell::new([0; 2]),
        }
    }

    /// Notes the floating-point controls of the scheduler, before a rank's are loaded.
    #[inline]
    pub(crate) fn note_controls(&self) {
        self.mxcsr.set(mxcsr());
        self.x87.set(x87());
    }

    /// Puts back the scheduler's floating-point controls where those of `rank` differ.
    #[inline]
    pub(crate) fn restore_controls(&self, rank: &CState) {
        // Sticky flags mean nothing to the scheduler.
        if (self.mxcsr.get() ^ rank.mxcsr.get()) & !MXCSR_FLAGS != 0 {
            load_mxcsr(self.mxcsr.get());
        }
        if self.x87.get() != rank.x87.get() {
            load_x87(self.x87.get());
        }
    }

    /// Saves the state of a rank that stops running.
    #[inline]
    pub(crate) fn save(&self, places: &Places) {
        self.note_controls();
        // SAFETY: the places are those of this thread, which is alive; see `Places`.
        unsafe {
            self.errno.set(*places.errno.get());
            if !places.exceptions.get().is_null() {
                self.exceptions.set(*places.exceptions.get());
            }
        }
    }

    /// Loads the state of a rank that starts running, where it differs from `scheduler`'s.
    #[inline]
    pub(crate) fn load(&self, places: &Places, scheduler: &CState) {
        if self.mxcsr.get() != scheduler.mxcsr.get() {
            load_mxcsr(self.mxcsr.get());
        }
        if self.x87.get() != scheduler.x87.get() {
            load_x87(self.x87.get());
        }
        // SAFETY: as in `save`.
        unsafe {
            *places.errno.get() = self.errno.get();
            if !places.exceptions.get().is_null() {
                *places.exceptions.get() = self.exceptions.get();
            }
        }
    }
}

/// Where this thread's `errno` and exception globals live.
#[derive(Debug)]
pub(crate) struct Places {
    errno: Cell<*mut libc::c_int>,
    /// Null while no C++ run-time library is loaded.
    exceptions: Cell<*mut [usize; 2]>,
}

impl Places {
    /// Not looked up yet.
    pub(crate) const fn unknown() -> Self {
        Self { errno: Cell::new(std::ptr::null_mut()), exceptions: Cell::new(std::ptr::null_mut()) }
    }

    /// Looks the places up for the thread that calls; later calls notice a C++ library that came
    /// since.
    pub(crate) fn look_up(&self) {
        // SAFETY: returns the address of this thread's errno.
        self.errno.set(unsafe { libc::__errno_location() });
        // SAFETY: a look-up by name in what is loaded.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"__cxa_get_globals".as_ptr()) };
        if !found.is_null() {
            // SAFETY: the Itanium C++ ABI gives the function this type.
            let globals: extern "C" fn() -> *mut [usize; 2] = unsafe { std::mem::transmute(found) };
            self.exceptions.set(globals());
        }
    }
}

#[inline]
fn mxcsr() -> u32 {
    let mut value = 0_u32;
    // SAFETY: stores the register to a local.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    value
}

#[inline]
fn load_mxcsr(value: u32) {
    // SAFETY: the value was stored by this processor, or is the default.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}

#[inline]
fn x87() -> u16 {
    let mut value = 0_u16;
    // SAFETY: stores the control word to a local.
    unsafe { asm!("fnstcw [{}]", in(reg) &mut value, options(nostack, preserves_flags)) };
    value
}

#[inline]
fn load_x87(value: u16) {
    // SAFETY: the value was stored by this processor, or is the default.
    unsafe { asm!("fldcw [{}]", in(reg) &value, options(nostack, preserves_flags)) };
}
