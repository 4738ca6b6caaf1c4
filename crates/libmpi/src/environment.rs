//! Starting and ending MPI, clocks and names. MPI 4.1 chapters 9 and 11.

use std::ffi::{c_char, c_int, c_void};

use foretell_ranks::block_on;

use crate::abi::*;
use crate::ahead;
use crate::alone;
use crate::call::{CALLER, mpi};
use crate::check;
use crate::failure::{Outcome, bad};
use crate::meter;
use crate::place;
use crate::pointer::Out;
use crate::rank::{Phase, RankContext};
use crate::report;
use crate::threads;

/// The level of thread support that is provided where `wanted` is asked for. A program on its own
/// has no scheduler that its threads could turn to.
pub(crate) fn provided_level(wanted: c_int) -> c_int {
    let most = if alone::is_on_its_own() { MPI_THREAD_FUNNELED } else { MPI_THREAD_MULTIPLE };
    wanted.clamp(MPI_THREAD_SINGLE, most)
}

/// Where threads may call, the rank goes on in a thread of its own.
pub(crate) fn make_room_for_threads(level: c_int) {
    if level >= MPI_THREAD_SERIALIZED {
        ahead::forbid();
        foretell_ranks::ask_for_thread();
    }
}

fn init(here: &RankContext, level: c_int) -> Outcome {
    match here.phase.get() {
        Phase::Before => {}
        Phase::Running => return bad(MPI_ERR_OTHER, "MPI is initialized already"),
        Phase::Finalized => return bad(MPI_ERR_OTHER, "MPI was finalized and cannot start again"),
    }
    here.enter("MPI_Init", CALLER.load(std::sync::atomic::Ordering::Relaxed));
    here.phase.set(Phase::Running);
    here.thread_level.set(level);
    here.leave();
    Ok(())
}

mpi! {
    /// `MPI_Init`.
    early fn MPI_Init(argc: Out<c_int>, argv: Out<c_void>) -> c_int, |here| {
        let _ = (argc, argv);
        init(here, MPI_THREAD_SINGLE)
    }

    /// `MPI_Init_thread`.
    early fn MPI_Init_thread(
        argc: Out<c_int>, argv: Out<c_void>, required: c_int, provided: Out<c_int>,
    ) -> c_int, |here| {
        let _ = (argc, argv);
        let level = provided_level(required);
        init(here, level)?;
        provided.set(level);
        make_room_for_threads(level);
        Ok(())
    }

    /// `MPI_Finalize`.
    timed fn MPI_Finalize() -> c_int, |here| {
        crate::attribute::delete_all(here)?;
        if check::is_on() {
            check::leaks(here);
        }
        block_on(here.comm.finalize())?;
        here.phase.set(Phase::Finalized);
        Ok(())
    }

    /// `MPI_Initialized`.
    early fn MPI_Initialized(flag: Out<c_int>) -> c_int, |here| {
        flag.set(c_int::from(here.phase.get() != Phase::Before));
        Ok(())
    }

    /// `MPI_Finalized`.
    early fn MPI_Finalized(flag: Out<c_int>) -> c_int, |here| {
        flag.set(c_int::from(here.phase.get() == Phase::Finalized));
        Ok(())
    }

    /// `MPI_Query_thread`.
    local fn MPI_Query_thread(provided: Out<c_int>) -> c_int, |here| {
        provided.set(here.thread_level.get());
        Ok(())
    }

    /// `MPI_Is_thread_main`.
    local fn MPI_Is_thread_main(flag: Out<c_int>) -> c_int, |here| {
        flag.set(c_int::from(here.is_main_thread.get()));
        Ok(())
    }

    /// `MPI_Get_version`.
    early fn MPI_Get_version(version: Out<c_int>, subversion: Out<c_int>) -> c_int, |here| {
        let _ = here;
        version.set(MPI_VERSION);
        subversion.set(MPI_SUBVERSION);
        Ok(())
    }

    /// `MPI_Abi_get_version`.
    early fn MPI_Abi_get_version(major: Out<c_int>, minor: Out<c_int>) -> c_int, |here| {
        let _ = here;
        major.set(MPI_ABI_VERSION);
        minor.set(MPI_ABI_SUBVERSION);
        Ok(())
    }

    /// `MPI_Get_library_version`.
    early fn MPI_Get_library_version(version: Out<c_char>, length: Out<c_int>) -> c_int, |here| {
        let _ = here;
        let text = concat!("foretell ", env!("CARGO_PKG_VERSION"));
        let written = version.write_text(text, MPI_MAX_LIBRARY_VERSION_STRING as usize);
        length.set(written as c_int);
        Ok(())
    }

    /// `MPI_Get_processor_name`: the name of the simulated host.
    local fn MPI_Get_processor_name(name: Out<c_char>, length: Out<c_int>) -> c_int, |here| {
        let host = crate::run::host_name(here);
        length.set(name.write_text(&host, MPI_MAX_PROCESSOR_NAME as usize) as c_int);
        Ok(())
    }

    /// `MPI_Abort`.
    early fn MPI_Abort(comm: MPI_Comm, errorcode: c_int) -> c_int, |here| {
        let _ = comm;
        abort(here, errorcode)
    }

    /// `MPI_Pcontrol`.
    local fn MPI_Pcontrol(level: c_int) -> c_int, |here| {
        let _ = (here, level);
        Ok(())
    }
}

/// Ends the whole run, with a code.
pub(crate) fn abort(here: &RankContext, code: c_int) -> ! {
    here.call.set("MPI_Abort");
    place::note_abort(here.caller.get());
    crate::fortran::units::flush();
    if alone::is_on_its_own() {
        report::say("error", &format!("MPI_Abort was called with code {code}"));
        report::leave(code & 0xff);
    }
    here.comm.give_up(code);
    foretell_ranks::end(code & 0xff)
}

/// The date as the program sees it: simulated, or of this computer when it runs on its own.
pub(crate) fn wtime(call: &'static str) -> f64 {
    date(call, |here, _| block_on(here.comm.wtime()))
}

/// The same, with how the simulated date is asked for: that is told whether the rank may go ahead.
fn date(call: &'static str, ask: impl FnOnce(&RankContext, bool) -> f64) -> f64 {
    let Some(here) = RankContext::current() else {
        return threads::elsewhere(call, || date(call, ask)).unwrap_or(0.0);
    };
    if alone::is_on_its_own() {
        return foretell_ranks::Clock::Wall.read();
    }
    let readings = here.readings.get().saturating_add(1);
    here.enter(call, CALLER.load(std::sync::atomic::Ordering::Relaxed));
    // What follows the answer may let time pass, which only a rank in its turn can.
    let is_patient = readings <= PATIENCE;
    let date = here.inside(|| ask(here, is_patient));
    here.readings.set(readings);
    // A program that waits for a date and computes for free would read the clock for ever.
    if !is_patient && !meter::is_on() {
        block_on(here.comm.sleep(f64::from(readings - PATIENCE) * TICK));
    }
    here.leave();
    date
}

/// So many readings in a row, with no other call between them, and the clock goes faster...
const PATIENCE: u32 = 1000;
/// ...by this much each time, in seconds.
const TICK: f64 = 1e-9;

/// `MPI_Wtime` for Fortran too, whose entry points note their caller themselves.
pub(crate) extern "C" fn mpi_wtime() -> f64 {
    date("MPI_Wtime", |here, may_go| match may_go && ahead::is_worth(here) {
        true => ahead::wtime(here),
        false => block_on(here.comm.wtime()),
    })
}

/// `MPI_Wtime` and its profiling twin, which note their caller as all do.
macro_rules! wtimes {
    ($($name:ident)*) => {$(
        #[unsafe(naked)]
        #[unsafe(no_mangle)]
        extern "C" fn $name() -> f64 {
            std::arch::naked_asm!(
                "mov rax, [rsp]",
                "mov [rip + {caller}], rax",
                "jmp {inner}",
                caller = sym CALLER,
                inner = sym mpi_wtime,
            )
        }
    )*};
}
wtimes! { MPI_Wtime PMPI_Wtime }

/// `MPI_Wtick`: simulated dates are exact to a nanosecond.
#[unsafe(no_mangle)]
extern "C" fn MPI_Wtick() -> f64 {
    1e-9
}

/// The profiling twin of `MPI_Wtick`.
#[unsafe(no_mangle)]
extern "C" fn PMPI_Wtick() -> f64 {
    1e-9
}
