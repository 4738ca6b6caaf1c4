//! Collectives of the program. MPI 4.1 chapter 6 and section 8.6.
//!
//! A collective checks its arguments, packs what the rank has to say, runs the operation of
//! `foretell_mpi`, and unpacks what that brings: at the end of a blocking call, when the request
//! of a non-blocking one is complete. Each is one implementation of [`Collective`], and
//! `collectives!` makes its C functions: blocking, non-blocking and persistent, each in two forms.

mod allgather;
mod alltoall;
mod barrier;
mod bcast;
mod check;
mod gather;
mod neighbor;
mod parts;
mod reduce;
mod reduce_scatter;
mod scan;
mod scatter;

use std::rc::Rc;

use foretell_mpi::{Comm, Pending, SendTrace};
use foretell_ranks::{block_on, block_on_short};

use crate::abi::*;
use crate::ahead;
use crate::check::{self as checker, Described, Form, Noted};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome};
use crate::rank::RankContext;
use crate::request::{After, Kind, Persistent, RequestObject, Started};

/// A collective with its arguments.
pub(crate) trait Collective: 'static {
    /// What the operation brings.
    type Brought: 'static;

    /// Packs and runs to the end.
    async fn run(&self, comm: &Comm) -> foretell_mpi::Result<Self::Brought>;

    /// Packs and begins.
    fn begin(&self, comm: &Comm) -> Pending<Self::Brought>;

    /// Puts what came where the program wants it.
    fn land(&self, brought: Self::Brought) -> Outcome;

    /// Whether all is in its place as soon as the last message has met its receive.
    fn can_be_foreseen(&self, comm: &Comm) -> bool {
        let _ = comm;
        false
    }

    /// Whether code of the program runs in the course of it: an operation of its own.
    fn runs_program(&self) -> bool {
        false
    }

    /// What a checker wants to know of it, for the rank of a communicator.
    fn described(&self, comm: &Comm) -> Described;
}

/// Tells a checker what begins on a communicator, or on a copy of it.
#[cold]
fn note(on: &CommObject, comm: &Comm, call: &impl Collective, form: Form) -> Noted {
    let Some(here) = RankContext::peek() else { return Noted::new() };
    checker::collective(here, on, comm, call.described(comm), form)
}

/// The blocking form.
pub(crate) fn now(here: &RankContext, comm: &Rc<CommObject>, call: impl Collective) -> Outcome {
    if checker::is_on() {
        note(comm, &comm.comm, &call, Form::Now);
    }
    if call.can_be_foreseen(&comm.comm) && ahead::is_worth(here) {
        let comm = comm.clone();
        let rest = async move { call.land(call.run(&comm.comm).await?) };
        return ahead::to_the_end(here, Box::pin(rest));
    }
    let brought = match call.runs_program() {
        true => block_on(call.run(&comm.comm)),
        false => block_on_short(call.run(&comm.comm)),
    };
    call.land(brought?)
}

/// The non-blocking form.
pub(crate) fn later(comm: Rc<CommObject>, call: impl Collective) -> Result<MPI_Request, Failure> {
    let Started { request, after, noted, .. } = start(&comm, &comm.comm, &Rc::new(call));
    let object = RequestObject { request, comm: Some(comm), kind: Kind::Collective, after };
    Ok(object.keep_noted(checker::is_on().then_some(noted)))
}

/// The persistent form. Ranks may start such requests in any order, so each has a copy of the
/// communicator to itself: what one starts meets nothing else.
pub(crate) fn persistent(
    comm: Rc<CommObject>,
    call: impl Collective,
) -> Result<MPI_Request, Failure> {
    let copy = block_on(comm.comm.dup())?;
    let (on, call) = (comm.clone(), Rc::new(call));
    let begin = move |_: &RankContext| Ok(start(&on, &copy, &call));
    Ok(Persistent::keep(comm, Rc::new(begin)))
}

fn start<T: Collective>(on: &CommObject, comm: &Comm, call: &Rc<T>) -> Started {
    let noted = match checker::is_on() {
        true => note(on, comm, &**call, Form::Later),
        false => Noted::new(),
    };
    let mut pending = call.begin(comm);
    // The error handler of the program hears of them.
    pending.take_errors();
    let request = pending.take_request();
    let (comm, call) = (comm.clone(), call.clone());
    let after: After = Box::new(move |_, _| {
        // The request is complete, so nothing is waited for.
        let brought = block_on(comm.complete(pending))?;
        call.land(brought)
    });
    Started { request, trace: SendTrace::NONE, after: Some(after), noted }
}

/// Defines the C functions of collectives: names of the blocking, non-blocking and persistent
/// form, arguments up to the communicator, and an expression that makes the [`Collective`] of the
/// rank and the communicator.
macro_rules! collectives {
    ($(
        $blocking:ident $later:ident $persistent:ident($($arg:ident: $type:ty),* $(,)?),
        |$here:ident, $on:ident| $make:block
    )*) => {$(
        $crate::call::mpi_large! {
            /// The blocking form.
            timed fn $blocking(
                $($arg: $type,)* comm: $crate::abi::MPI_Comm,
            ) -> c_int on Comm(comm), |$here| {
                let $on = $here.comm(comm)?;
                let call = $make?;
                $crate::collective::now($here, &$on, call)
            }

            /// The non-blocking form.
            timed fn $later(
                $($arg: $type,)* comm: $crate::abi::MPI_Comm,
                request: $crate::pointer::Out<$crate::abi::MPI_Request>,
            ) -> c_int on Comm(comm), |$here| {
                let $on = $here.comm(comm)?;
                let request = request.given("request")?;
                let call = $make?;
                request.set($crate::collective::later($on, call)?);
                Ok(())
            }

            /// The persistent form. No hint is known.
            timed fn $persistent(
                $($arg: $type,)* comm: $crate::abi::MPI_Comm, _info: $crate::abi::MPI_Info,
                request: $crate::pointer::Out<$crate::abi::MPI_Request>,
            ) -> c_int on Comm(comm), |$here| {
                let $on = $here.comm(comm)?;
                let request = request.given("request")?;
                let call = $make?;
                request.set($crate::collective::persistent($on, call)?);
                Ok(())
            }
        }
    )*};
}

pub(crate) use collectives;
