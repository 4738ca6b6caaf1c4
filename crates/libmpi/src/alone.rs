//! A program that was started by itself: one rank, on its ordinary stack.
//!
//! Its MPI calls need the simulator all the same; it runs beside the program, on a stack of its
//! own, whenever the program waits.

use std::future::{pending, poll_fn};
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;

use foretell_mpi::{Comm, Computation, Simulation};
use foretell_platform::Platform;

use crate::memory::ProcessMemory;
use crate::rank::RankContext;
use crate::report;

static ON_ITS_OWN: AtomicBool = AtomicBool::new(false);

/// Whether the program runs as one rank by itself.
pub(crate) fn is_on_its_own() -> bool {
    ON_ITS_OWN.load(Ordering::Relaxed)
}

/// The first MPI call of a program that nobody launched: makes it a rank.
#[cold]
pub(crate) fn begin() -> Option<&'static RankContext> {
    if crate::run::is_under_way() || ON_ITS_OWN.swap(true, Ordering::Relaxed) {
        // The simulator itself runs, or a constructor of a library calls MPI: nobody's call.
        return None;
    }
    if let Err(error) = foretell_ranks::run_scheduler_beside(simulate) {
        report::fatal(&error.to_string());
    }
    RankContext::peek()
}

/// The simulator, beside a program that is its only rank.
fn simulate() {
    let platform = Platform::named("star-64").expect("a preset that comes with the library");
    let ended = Simulation::new(platform)
        .computation(Computation::Free)
        .memory(ProcessMemory::default())
        .run(live);
    // The program itself never ends in here: it waits for what will not come, or met an error.
    match ended {
        Ok(_) => report::leave(0),
        Err(failure) => report::fatal(&failure.to_string()),
    }
}

async fn live(comm: Comm) -> foretell_mpi::Result<()> {
    let context: &'static RankContext = Box::leak(Box::new(RankContext::new(comm, 0)));
    context.stay();
    let mut has_begun = false;
    poll_fn(|_| -> Poll<()> {
        has_begun = true;
        foretell_ranks::back_to_program();
        Poll::Pending
    })
    .await;
    pending().await
}
