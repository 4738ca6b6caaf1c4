//! Waiting for requests and testing them: one, all, any or some. MPI 4.1 section 3.7.5.

use std::ffi::c_int;

use foretell_mpi::{Comm, Look, Received, Request, Since};
use foretell_ranks::{block_on_short, suspend, work};
use smallvec::SmallVec;

use crate::abi::*;
use crate::ahead::{self, Debt};
use crate::call::mpi;
use crate::check::{self, Need};
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::Out;
use crate::rank::RankContext;
use crate::request::{self, Operation, empty_status, store, store_at};

/// Operations of an array of requests; those that have none are absent.
type Operations = SmallVec<[Request; 16]>;

/// What became of one operation.
type Ended = foretell_mpi::Result<Received>;

/// Waits for an operation as part of a call, on the rank's stack: what it remembers meanwhile is a
/// number and a date. The operation is then to be taken with [`Comm::take_done`].
pub(crate) fn until_done(comm: &Comm, operation: &Request) {
    until_done_since(comm, operation, Since::NOT_YET);
}

/// The same for a wait that began at a date.
pub(crate) fn until_done_since(comm: &Comm, operation: &Request, mut since: Since) {
    loop {
        match comm.look_at(operation, &mut since) {
            Look::Done => return,
            Look::Waiting => suspend(),
            Look::Owing => return block_on_short(comm.pay(operation)),
        }
    }
}

/// How a wait has ended.
pub(crate) enum Waited {
    /// The operation is done.
    Done,
    /// It is not, but what it brings is known: the rank is ahead of its turn. It has waited since
    /// that date.
    Ahead(Since),
}

/// As [`until_done`], unless the rank can go ahead before. `of` is the communicator that its status
/// is about.
pub(crate) fn until_known(
    here: &RankContext,
    (comm, of): (&Comm, &Comm),
    operation: &Request,
) -> Waited {
    let mut since = Since::NOT_YET;
    loop {
        match comm.look_at(operation, &mut since) {
            Look::Done => return Waited::Done,
            Look::Waiting if ahead::watch(here, of, operation) => {
                suspend();
                if ahead::has_gone_ahead(here) {
                    return Waited::Ahead(since);
                }
            }
            Look::Waiting => suspend(),
            Look::Owing => {
                block_on_short(comm.pay(operation));
                return Waited::Done;
            }
        }
    }
}

/// Waits for an operation, as `MPI_Wait` does.
fn operation(here: &RankContext, operation: Request) -> Ended {
    if !operation.is_null() {
        here.comm.begin_wait();
    }
    until_done(&here.comm, &operation);
    work(|| here.comm.take_done(operation))
}

/// Waits for one request.
pub(crate) fn one(here: &RankContext, handle: &mut MPI_Request) -> Result<MPI_Status, Failure> {
    let active = match request::take_operation(*handle)? {
        Operation::None => return Ok(empty_status()),
        Operation::Active(active) => active,
    };
    if check::is_on() {
        check::waits(here, &[*handle], Need::All);
    }
    if ahead::is_worth(here)
        && let Some((comm, is_kept)) = request::is_plain(*handle)
    {
        if !active.is_null() {
            here.comm.begin_wait();
        }
        if let Waited::Ahead(since) = until_known(here, (&here.comm, &comm.comm), &active) {
            let status = request::plain_status(&here.owed_ahead.foreseen());
            let waited =
                if is_kept { *handle } else { std::mem::replace(handle, MPI_REQUEST_NULL) };
            let debt = Debt::Wait { comm, handle: waited, request: active, since };
            here.owe(debt);
            return Ok(status);
        }
        let ended = work(|| here.comm.take_done(active));
        let (status, outcome) = request::finish(here, handle, ended);
        return outcome.map(|()| status);
    }
    let ended = operation(here, active);
    let (status, outcome) = request::finish(here, handle, ended);
    outcome.map(|()| status)
}

/// Whether there is anything to wait for, and the operations, each at its place.
struct Taken {
    operations: Operations,
    /// Whether a request is active; a null operation may be one that is complete.
    active: SmallVec<[bool; 16]>,
}

impl Taken {
    fn new(handles: &[MPI_Request]) -> Result<Self, Failure> {
        let mut taken = Taken { operations: SmallVec::new(), active: SmallVec::new() };
        for (at, handle) in handles.iter().enumerate() {
            match request::take_operation(*handle) {
                Ok(Operation::None) => taken.push(Request::NULL, false),
                Ok(Operation::Active(operation)) => taken.push(operation, true),
                Err(failure) => {
                    taken.put_back(&handles[..at]);
                    return Err(failure);
                }
            }
        }
        Ok(taken)
    }

    fn push(&mut self, operation: Request, is_active: bool) {
        self.operations.push(operation);
        self.active.push(is_active);
    }

    fn put_back(self, handles: &[MPI_Request]) {
        for (handle, operation) in handles.iter().zip(self.operations) {
            if !operation.is_null() {
                request::put_back(*handle, operation);
            }
        }
    }

    /// The first active request that was complete when it was made.
    fn first_complete(&self) -> Option<usize> {
        let mut both = self.active.iter().zip(&self.operations);
        both.position(|(active, operation)| *active && operation.is_null())
    }

    fn is_idle(&self) -> bool {
        !self.active.contains(&true)
    }
}

/// What a request that was complete when it was made brings.
fn nothing() -> Ended {
    Ok(Received::nothing())
}

/// What became of the operations of an array, in the order of their statuses.
struct Statuses {
    places: Out<MPI_Status>,
    first: Outcome,
    codes: SmallVec<[(usize, c_int); 4]>,
}

impl Statuses {
    fn new(places: Out<MPI_Status>) -> Self {
        Self { places, first: Ok(()), codes: SmallVec::new() }
    }

    fn put(&mut self, at: usize, status: MPI_Status, outcome: Outcome) {
        store_at(self.places, at, status);
        if let Err(failure) = outcome {
            self.codes.push((at, failure.code));
            if self.first.is_ok() {
                self.first = Err(failure);
            }
        }
    }

    /// Only when an operation has failed do the statuses tell of errors.
    fn conclude(self, count: usize) -> Outcome {
        if self.first.is_err() && !self.places.is_null() {
            let statuses = self.places.slice(count);
            statuses.iter_mut().for_each(|status| status.MPI_ERROR = MPI_SUCCESS);
            self.codes.iter().for_each(|(at, code)| statuses[*at].MPI_ERROR = *code);
        }
        self.first.map_err(|failure| in_status(failure, self.places))
    }
}

fn in_status(first: Failure, statuses: Out<MPI_Status>) -> Failure {
    // Without statuses nobody could learn which: the error itself is more use.
    if statuses.is_null() { first } else { Failure::new(MPI_ERR_IN_STATUS, first.text) }
}

/// Waits for all.
fn all(here: &RankContext, handles: &mut [MPI_Request], statuses: Out<MPI_Status>) -> Outcome {
    let Taken { mut operations, active } = Taken::new(handles)?;
    let count = handles.len();
    let mut kept = Statuses::new(statuses);
    let mut keep = |at: usize, ended: Ended| {
        let (status, outcome) = request::finish(here, &mut handles[at], ended);
        kept.put(at, status, outcome);
    };
    for at in 0..active.len() {
        match (active[at], operations[at].is_null()) {
            (false, _) => store_at(statuses, at, empty_status()),
            (true, true) => keep(at, nothing()),
            (true, false) => {}
        }
    }
    if operations.iter().any(|operation| !operation.is_null()) {
        block_on_short(here.comm.wait_all_outcomes(&mut operations, keep));
    }
    kept.conclude(count)
}

/// Waits for any; gives its place.
fn any(
    here: &RankContext,
    handles: &mut [MPI_Request],
) -> Result<Option<(usize, MPI_Status)>, Failure> {
    let mut taken = Taken::new(handles)?;
    if taken.is_idle() {
        return Ok(None);
    }
    if check::is_on() {
        check::waits(here, handles, Need::Any);
    }
    let (at, ended) = match taken.first_complete() {
        Some(at) => (at, nothing()),
        None => block_on_short(here.comm.wait_any_outcome(&mut taken.operations)),
    };
    taken.put_back(handles);
    if check::is_on() {
        check::finished(here, handles[at]);
    }
    let (status, outcome) = request::finish(here, &mut handles[at], ended);
    outcome.map(|()| Some((at, status)))
}

/// Takes all that are complete now; waits for the first if asked to. Their number is told even when
/// some have failed.
fn some(
    here: &RankContext,
    handles: &mut [MPI_Request],
    (outcount, indices): (Out<c_int>, Out<c_int>),
    statuses: Out<MPI_Status>,
    waits: bool,
) -> Outcome {
    let mut taken = Taken::new(handles)?;
    if taken.is_idle() {
        outcount.set(MPI_UNDEFINED);
        return Ok(());
    }
    if waits && check::is_on() {
        check::waits(here, handles, Need::Any);
    }
    if taken.first_complete().is_none() {
        match waits {
            true => block_on_short(here.comm.until_any(&taken.operations)),
            false => block_on_short(here.comm.poll_any(&taken.operations)),
        }
    }
    let (mut count, mut kept) = (0, Statuses::new(statuses));
    for (at, handle) in handles.iter_mut().enumerate() {
        if !taken.active[at] || !here.comm.is_complete(&taken.operations[at]) {
            continue;
        }
        let ended = operation(here, std::mem::replace(&mut taken.operations[at], Request::NULL));
        if check::is_on() {
            check::finished(here, *handle);
        }
        let (status, outcome) = request::finish(here, handle, ended);
        kept.put(count, status, outcome);
        indices.set_at(count, at as c_int);
        count += 1;
    }
    taken.put_back(handles);
    outcount.set(count as c_int);
    kept.conclude(count)
}

fn handles<'a>(count: c_int, requests: Out<MPI_Request>) -> Result<&'a mut [MPI_Request], Failure> {
    match usize::try_from(count) {
        Ok(0) => Ok(&mut []),
        Ok(_) if requests.is_null() => bad(MPI_ERR_REQUEST, "the array of requests is null"),
        Ok(count) => Ok(requests.slice(count)),
        Err(_) => bad(MPI_ERR_COUNT, format!("a count of {count} requests is negative")),
    }
}

mpi! {
    /// `MPI_Wait`.
    timed fn MPI_Wait(request: Out<MPI_Request>, status: Out<MPI_Status>) -> c_int, |here| {
        let handle = &mut handles(1, request)?[0];
        store(status, one(here, handle)?);
        Ok(())
    }

    /// `MPI_Waitall`.
    timed fn MPI_Waitall(
        count: c_int, requests: Out<MPI_Request>, statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        let handles = handles(count, requests)?;
        if check::is_on() {
            check::waits(here, handles, Need::All);
        }
        all(here, handles, statuses)
    }

    /// `MPI_Waitany`.
    timed fn MPI_Waitany(
        count: c_int, requests: Out<MPI_Request>, index: Out<c_int>, status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let (at, found) = match any(here, handles(count, requests)?)? {
            Some((at, found)) => (at as c_int, found),
            None => (MPI_UNDEFINED, empty_status()),
        };
        index.set(at);
        store(status, found);
        Ok(())
    }

    /// `MPI_Waitsome`.
    timed fn MPI_Waitsome(
        incount: c_int, requests: Out<MPI_Request>, outcount: Out<c_int>, indices: Out<c_int>,
        statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        some(here, handles(incount, requests)?, (outcount, indices), statuses, true)
    }

    /// `MPI_Test`.
    timed fn MPI_Test(
        request: Out<MPI_Request>, flag: Out<c_int>, status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let found = test_any(here, handles(1, request)?)?;
        flag.set(c_int::from(found.is_some()));
        if let Some((_, found)) = found {
            store(status, found);
        }
        Ok(())
    }

    /// `MPI_Testall`.
    timed fn MPI_Testall(
        count: c_int, requests: Out<MPI_Request>, flag: Out<c_int>, statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        let handles = handles(count, requests)?;
        let taken = Taken::new(handles)?;
        let is_done = taken.operations.iter().all(Request::is_null)
            || block_on_short(here.comm.poll_all(&taken.operations));
        taken.put_back(handles);
        flag.set(c_int::from(is_done));
        if is_done && check::is_on() {
            handles.iter().for_each(|handle| check::finished(here, *handle));
        }
        if is_done { all(here, handles, statuses) } else { Ok(()) }
    }

    /// `MPI_Testany`.
    timed fn MPI_Testany(
        count: c_int, requests: Out<MPI_Request>, index: Out<c_int>, flag: Out<c_int>,
        status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let found = test_any(here, handles(count, requests)?)?;
        flag.set(c_int::from(found.is_some()));
        match found {
            Some((at, found)) => {
                index.set(at.map_or(MPI_UNDEFINED, |at| at as c_int));
                store(status, found);
            }
            None => index.set(MPI_UNDEFINED),
        }
        Ok(())
    }

    /// `MPI_Testsome`.
    timed fn MPI_Testsome(
        incount: c_int, requests: Out<MPI_Request>, outcount: Out<c_int>, indices: Out<c_int>,
        statuses: Out<MPI_Status>,
    ) -> c_int, |here| {
        some(here, handles(incount, requests)?, (outcount, indices), statuses, false)
    }
}

/// A request that was found complete: its place, none if all are idle; and its status.
type Found = (Option<usize>, MPI_Status);

/// Tests requests for one that is complete. A list of idle ones is complete, with no place.
fn test_any(here: &RankContext, handles: &mut [MPI_Request]) -> Result<Option<Found>, Failure> {
    let mut taken = Taken::new(handles)?;
    if taken.is_idle() {
        return Ok(Some((None, empty_status())));
    }
    let at = match taken.first_complete() {
        Some(at) => Some(at),
        None => {
            block_on_short(here.comm.poll_any(&taken.operations));
            taken
                .operations
                .iter()
                .position(|operation| !operation.is_null() && here.comm.is_complete(operation))
        }
    };
    let ended =
        at.map(|at| operation(here, std::mem::replace(&mut taken.operations[at], Request::NULL)));
    taken.put_back(handles);
    let (Some(at), Some(ended)) = (at, ended) else { return Ok(None) };
    if check::is_on() {
        check::finished(here, handles[at]);
    }
    let (status, outcome) = request::finish(here, &mut handles[at], ended);
    outcome.map(|()| Some((Some(at), status)))
}
