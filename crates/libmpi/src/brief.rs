//! Calls that wait for one operation at most: nearly all of each happens on the stack that ranks
//! share.
//!
//! While a rank waits, what it will touch of its own stack goes cold, and with thousands of ranks
//! fetching that again takes longer than the call. Here it holds what the call must remember and
//! the way back, and no frames of the functions that begin and end the call.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use foretell_mpi::Look;
use foretell_ranks::{suspend, work};

use crate::ahead;
use crate::call::{self, CALLER};
use crate::failure::{Failure, OnError, Outcome};
use crate::meter;
use crate::rank::RankContext;

/// What a call remembers while it waits.
pub(crate) trait Patient: Sized {
    /// Whether what it waits for is done.
    fn look(&mut self, here: &RankContext) -> Look;

    /// Whether the rank may go ahead of its turn when it suspends itself next.
    fn is_watched(&self) -> bool {
        false
    }

    /// The rank has gone ahead: the call returns, and owes what is left of it.
    fn go_ahead(self, _here: &RankContext) {}

    /// Lets the time pass that must pass before the call can end: on the stack of the rank.
    fn pay(&mut self) -> Outcome;

    /// Ends the call.
    fn conclude(self) -> Outcome;
}

/// How far a call has come.
enum Stage {
    Waits,
    Pays,
    Over(Outcome),
}

/// A call under way.
struct Call<B, P> {
    /// How it begins, until it has.
    begin: Option<B>,
    kept: Option<P>,
    is_paid: bool,
}

/// Runs a call that takes part in simulated time and waits for one operation at most.
#[inline]
pub(crate) fn brief<P: Patient>(
    name: &'static str,
    on: OnError,
    begin: impl FnOnce(&'static RankContext) -> Result<P, Failure>,
) -> c_int {
    let Some(here) = RankContext::current() else {
        return call::from_thread(name, || brief(name, on, begin));
    };
    if let Some(code) = call::refused(here, name, on) {
        return code;
    }
    ahead::call_begins(here);
    // May let time pass, and so stays on the stack of the rank.
    meter::begin_call(here, name, || CALLER.load(Ordering::Relaxed));
    let mut call = Call { begin: Some(begin), kept: None, is_paid: false };
    let outcome = here.inside(|| {
        loop {
            match work(|| call.step(here, name)) {
                Stage::Waits => {
                    suspend();
                    if call.has_gone_ahead(here) {
                        break Ok(());
                    }
                }
                Stage::Pays => match call.pay() {
                    Ok(()) => call.is_paid = true,
                    failed => break failed,
                },
                Stage::Over(outcome) => break outcome,
            }
        }
    });
    here.leave();
    call::code_of(name, on, outcome)
}

impl<B, P> Call<B, P>
where
    B: FnOnce(&'static RankContext) -> Result<P, Failure>,
    P: Patient,
{
    /// Goes as far as it can without letting time pass.
    fn step(&mut self, here: &'static RankContext, name: &'static str) -> Stage {
        if let Some(begin) = self.begin.take() {
            here.note_call(name, CALLER.load(Ordering::Relaxed));
            match begin(here) {
                Ok(patient) => self.kept = Some(patient),
                Err(failure) => return Stage::Over(Err(failure)),
            }
        }
        match self.kept.as_mut() {
            Some(patient) if !self.is_paid => match patient.look(here) {
                Look::Waiting => return Stage::Waits,
                Look::Owing => return Stage::Pays,
                Look::Done => {}
            },
            _ => {}
        }
        Stage::Over(self.kept.take().map_or(Ok(()), P::conclude))
    }

    /// Whether the rank has been resumed ahead of its turn, on another thread: the call then
    /// touches nothing that belongs to the simulator's.
    #[inline]
    fn has_gone_ahead(&mut self, here: &RankContext) -> bool {
        let is_ahead = self.kept.as_ref().is_some_and(P::is_watched) && ahead::has_gone_ahead(here);
        if is_ahead && let Some(patient) = self.kept.take() {
            patient.go_ahead(here);
        }
        is_ahead
    }

    #[cold]
    fn pay(&mut self) -> Outcome {
        self.kept.as_mut().map_or(Ok(()), P::pay)
    }
}
