//! How C functions are defined: exported under two names, with the place of the caller kept, the
//! state of MPI checked, computation measured, and errors handed to their handlers.

use std::ffi::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::abi::*;
use crate::check;
use crate::errhandler;
use crate::failure::{Failure, OnError, Outcome};
use crate::rank::{Phase, RankContext};
use crate::threads;

/// Where the last MPI call was made: its return address in the program.
pub(crate) static CALLER: AtomicUsize = AtomicUsize::new(0);

/// Defines MPI functions. A function is `timed` (what the program computed before it is accounted
/// for), `brief` (timed, and it waits for one operation at most: its body gives what it remembers
/// while it waits), `local` (it takes no part in simulated time), or `early` (it may be called
/// before `MPI_Init` and after `MPI_Finalize`).
///
/// The exported functions note their caller and jump into the body: the two names are equal, and
/// a program that replaces one can call the other.
macro_rules! mpi {
    ($(
        $(#[$doc:meta])*
        $flavour:ident fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> c_int
            $(on $kind:ident($object:expr))?, |$here:ident| $body:block
    )*) => {$(
        $crate::call::export! {
            $flavour, concat!(stringify!($name)), ($($arg: $type),*), [$($kind($object))?],
            |$here| $body
        }
    )*};
}

/// Defines MPI functions in two forms: as written, where the type `C` is `int`, `D` is `int` and
/// `A` is `MPI_Aint`; and with the suffix `_c`, where `C` and `A` are `MPI_Count` and `D` is
/// `MPI_Aint`. MPI 4.1 section 2.5.8.
macro_rules! mpi_large {
    ($(
        $(#[$doc:meta])*
        $flavour:ident fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> c_int
            $(on $kind:ident($object:expr))?, |$here:ident| $body:block
    )*) => {$(
        const _: () = {
            #[allow(dead_code)]
            type C = std::ffi::c_int;
            #[allow(dead_code)]
            type D = std::ffi::c_int;
            #[allow(dead_code)]
            type A = $crate::abi::MPI_Aint;
            #[allow(dead_code)]
            const LARGE: bool = false;
            $crate::call::export! {
                $flavour, concat!(stringify!($name)), ($($arg: $type),*), [$($kind($object))?],
                |$here| $body
            }
        };
        // What the other form has to convert is of the right type already.
        #[allow(clippy::useless_conversion)]
        const _: () = {
            #[allow(dead_code)]
            type C = $crate::abi::MPI_Count;
            #[allow(dead_code)]
            type D = $crate::abi::MPI_Aint;
            #[allow(dead_code)]
            type A = $crate::abi::MPI_Count;
            #[allow(dead_code)]
            const LARGE: bool = true;
            $crate::call::export! {
                $flavour, concat!(stringify!($name), "_c"), ($($arg: $type),*),
                [$($kind($object))?], |$here| $body
            }
        };
    )*};
}

macro_rules! export {
    (
        $flavour:ident, $name:expr, ($($arg:ident: $type:ty),*), [$($kind:ident($object:expr))?],
        |$here:ident| $body:block
    ) => {
        const _: () = {
            // Fortran's entry points call it by this name.
            #[unsafe(export_name = concat!("foretell_", $name))]
            extern "C" fn inner($($arg: $type),*) -> std::ffi::c_int {
                #[allow(unused_mut, unused_assignments)]
                let mut on = $crate::failure::OnError::Process;
                $(on = $crate::failure::OnError::$kind($object);)?
                $crate::call::$flavour($name, on, |$here| $body)
            }

            #[unsafe(naked)]
            #[unsafe(export_name = $name)]
            extern "C" fn outer($(_: $type),*) -> std::ffi::c_int {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "jmp {inner}",
                    caller = sym $crate::call::CALLER,
                    inner = sym inner,
                )
            }

            #[unsafe(naked)]
            #[unsafe(export_name = concat!("P", $name))]
            extern "C" fn twin($(_: $type),*) -> std::ffi::c_int {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "jmp {inner}",
                    caller = sym $crate::call::CALLER,
                    inner = sym inner,
                )
            }
        };
    };
}

pub(crate) use crate::brief::brief;
pub(crate) use {export, mpi, mpi_large};

/// Runs a call that takes part in simulated time.
#[inline]
pub(crate) fn timed(
    name: &'static str,
    on: OnError,
    body: impl FnOnce(&'static RankContext) -> Outcome,
) -> c_int {
    let Some(here) = RankContext::current() else {
        return from_thread(name, || timed(name, on, body));
    };
    if let Some(code) = refused(here, name, on) {
        return code;
    }
    here.enter(name, CALLER.load(Ordering::Relaxed));
    let outcome = here.inside(|| body(here));
    here.leave();
    code_of(name, on, outcome)
}

/// Runs a call that only looks at or changes what the rank itself has.
#[inline]
pub(crate) fn local(
    name: &'static str,
    on: OnError,
    body: impl FnOnce(&'static RankContext) -> Outcome,
) -> c_int {
    let Some(here) = RankContext::current() else {
        return from_thread(name, || local(name, on, body));
    };
    if let Some(code) = refused(here, name, on) {
        return code;
    }
    here.caller.set(CALLER.load(Ordering::Relaxed));
    if check::is_on() {
        check::name_call(here, name);
    }
    code_of(name, on, here.inside(|| body(here)))
}

/// Runs a call that does not need MPI to run.
#[inline]
pub(crate) fn early(
    name: &'static str,
    on: OnError,
    body: impl FnOnce(&'static RankContext) -> Outcome,
) -> c_int {
    let Some(here) = RankContext::current() else {
        return from_thread(name, || early(name, on, body));
    };
    here.caller.set(CALLER.load(Ordering::Relaxed));
    if check::is_on() {
        check::name_call(here, name);
    }
    code_of(name, on, here.inside(|| body(here)))
}

/// What a call returns that has come to its end: error handlers have run by then.
#[inline]
pub(crate) fn code_of(name: &'static str, on: OnError, outcome: Outcome) -> c_int {
    match outcome {
        Ok(()) => MPI_SUCCESS,
        Err(failure) => failed(name, on, failure),
    }
}

/// What a call returns that may not be made now, because MPI does not run.
#[inline]
pub(crate) fn refused(here: &RankContext, name: &'static str, on: OnError) -> Option<c_int> {
    let runs = here.phase.get() == Phase::Running || here.sessions.get() != 0;
    (!runs).then(|| failed_at_once(here, name, on, not_running(here)))
}

#[cold]
fn failed(name: &'static str, on: OnError, failure: Failure) -> c_int {
    match RankContext::current() {
        // Handlers of errors are the program's.
        Some(here) => here.inside(|| errhandler::raise(name, on, failure)),
        None => errhandler::raise(name, on, failure),
    }
}

/// The call is not made at all, so its place is noted here.
#[cold]
fn failed_at_once(here: &RankContext, name: &'static str, on: OnError, failure: Failure) -> c_int {
    here.caller.set(CALLER.load(Ordering::Relaxed));
    failed(name, on, failure)
}

#[cold]
fn not_running(here: &RankContext) -> Failure {
    let text = match here.phase.get() {
        Phase::Before => "called before MPI_Init: MPI must be initialised first",
        _ => "called after MPI_Finalize: MPI cannot be used any more",
    };
    Failure::new(MPI_ERR_OTHER, text)
}

/// A call by a thread of the program: the scheduler carries it out, if MPI was started so.
#[cold]
pub(crate) fn from_thread(name: &'static str, call: impl FnOnce() -> c_int) -> c_int {
    threads::elsewhere(name, call).unwrap_or_else(|| outside(name))
}

/// A call by nobody we know: a thread that may not call, or code that runs outside every rank.
#[cold]
fn outside(name: &'static str) -> c_int {
    let text = match foretell_ranks::own_name() {
        Some((rank, thread, _)) => format!(
            "{name} was called by thread {thread} of rank {rank}, but MPI was started so that only \
             the thread that started it may call it: ask MPI_Init_thread for MPI_THREAD_MULTIPLE \
             under foretell run"
        ),
        None => format!("{name} was called by a thread that no rank made"),
    };
    crate::report::fatal(&text)
}
