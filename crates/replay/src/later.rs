//! Collective actions that a rank begins and waits for later.

use foretell_mpi::{Counts, Payload, Pending, Request, Result};
use foretell_trace::Action;

use crate::collective::{self, here};
use crate::others::UnderWay;
use crate::rank::{Lasting, Rank};

/// Begins a collective action under a number.
pub(crate) fn begin<'a>(rank: &'a Rank, number: u32, action: Action<'a>) -> Lasting<'a> {
    let passed = rank.others.as_ref().and_then(|others| others.passed.get());
    let is_other = passed.is_some_and(|passed| passed.is_other);
    if let Some(mistake) = collective::bad_root(rank, action) {
        let error = rank.wrong(mistake);
        return Box::pin(async { Err(error) });
    }
    let part = collective::part(rank, action);
    Box::pin(async move {
        let Some(others) = &rank.others else { return Ok(()) };
        let comm = rank.comm();
        let by_formula = match part {
            Some(part) => comm.begin_by_formula(part).await,
            None => None,
        };
        match by_formula {
            Some(begun) => others.begin(number, UnderWay::Formula(comm.clone(), begun)),
            None => by_messages(rank, action, is_other)
                .into_iter()
                .for_each(|request| others.begin(number, UnderWay::Request(request))),
        }
        Ok(())
    })
}

/// Waits for what was begun under a number; there may be none.
pub(crate) async fn end(rank: &Rank, number: u32) -> Result<()> {
    match rank.others.as_ref().and_then(|others| others.take(number)) {
        Some((_, UnderWay::Request(request))) => rank.world.wait(request).await.map(drop),
        Some((_, UnderWay::Formula(comm, begun))) => comm.end_by_formula(begun).await,
        None => Ok(()),
    }
}

/// Tests whether it is complete; there may be none. If so it is null from then on, and waits pass
/// it by.
pub(crate) async fn look(rank: &Rank, number: u32) -> Result<()> {
    let Some(others) = &rank.others else { return Ok(()) };
    let Some((at, mut begun)) = others.take(number) else { return Ok(()) };
    let request = match &mut begun {
        UnderWay::Request(request) => request,
        UnderWay::Formula(_, begun) => begun.request(),
    };
    let outcome = rank.world.test(request).await;
    others.put_back(at, number, begun);
    outcome.map(drop)
}

/// Begins a collective action beside the rank, or the other operation of its shape; none if it is
/// no collective.
fn by_messages(rank: &Rank, action: Action<'_>, is_other: bool) -> Option<Request> {
    let comm = rank.comm();
    let total = |counts: &Counts| Payload::Size(counts.total());
    Some(match action {
        Action::Barrier => request(comm.ibarrier()),
        Action::Bcast { size, root } => request(comm.ibcast(rank.payload(size), here(root))),
        Action::Reduce { size, root, .. } => {
            request(comm.ireduce(rank.payload(size), rank.op(size), here(root)))
        }
        Action::Allreduce { size, .. } => {
            request(comm.iallreduce(rank.payload(size), rank.op(size)))
        }
        Action::Scan { size, .. } => request(comm.iscan(rank.payload(size), rank.op(size))),
        Action::Exscan { size, .. } => request(comm.iexscan(rank.payload(size), rank.op(size))),
        Action::Allgather { sent, received } => {
            request(comm.iallgather(Payload::Size(rank.given(sent, received))))
        }
        Action::Alltoall { sent, received } => {
            request(comm.ialltoall(rank.blocks(rank.given(sent, received))))
        }
        Action::Gather { sent, received, root } => {
            request(comm.igather(Payload::Size(rank.given(sent, received)), here(root)))
        }
        Action::Scatter { sent, received, root } => {
            request(comm.iscatter(rank.blocks(rank.either(sent, received)), here(root)))
        }
        Action::Gatherv { sent, received, root } => {
            request(comm.igatherv(rank.payload(sent), rank.counts(received), here(root)))
        }
        Action::Scatterv { sent, root, .. } => {
            let counts = rank.counts(sent);
            request(comm.iscatterv(total(&counts), counts, here(root)))
        }
        Action::Allgatherv { sent, received } => {
            let (own, counts) = rank.shares(sent, received);
            request(comm.iallgatherv(own, counts))
        }
        Action::Alltoallv { sent, received } => {
            let (sent, received) = (rank.counts(sent), rank.counts(received));
            match is_other {
                true => request(comm.ialltoallw(total(&sent), sent, received)),
                false => request(comm.ialltoallv(total(&sent), sent, received)),
            }
        }
        Action::ReduceScatter { counts, .. } => {
            let op = rank.replay.op(counts.datatype.unwrap_or(rank.usual));
            let counts = rank.own_counts(counts);
            match is_other {
                true => request(comm.ireduce_scatter_block(total(&counts), op)),
                false => request(comm.ireduce_scatter(total(&counts), counts, op)),
            }
        }
        _ => return None,
    })
}

fn request<T: 'static>(mut pending: Pending<T>) -> Request {
    pending.take_request()
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use foretell_mpi::Simulation;
    use foretell_platform::Platform;
    use foretell_trace::{Form, Trace};

    use crate::Replay;

    /// The simulated seconds of a trace of two ranks.
    fn seconds(lines: &str) -> f64 {
        let file = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
        std::fs::write(file.path(), lines).unwrap();
        let trace = Trace::open_as(file.path(), Form::TimeIndependent).unwrap();
        let replay = Rc::new(Replay::new(trace));
        let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(2);
        let main = async move |comm| replay.main(comm).await;
        simulation.run(main).unwrap().seconds
    }

    #[test]
    fn a_rank_goes_on_after_it_has_begun_a_collective() {
        // Rank 1 begins the barrier when it has what rank 0 sends after it has begun it.
        let both = seconds(
            "0 init\n0 later 5\n0 barrier\n0 compute 1e9\n0 send 1 0 8 6\n0 await 5\n0 finalize\n\
             1 init\n1 recv 0 0 8 6\n1 later 0\n1 barrier\n1 await 0\n1 await 0\n1 finalize\n",
        );
        let apart = seconds(
            "0 init\n0 compute 1e9\n0 send 1 0 8 6\n0 barrier\n0 finalize\n\
             1 init\n1 recv 0 0 8 6\n1 barrier\n1 finalize\n",
        );
        assert!((both - apart).abs() < 1e-3 * apart, "{both} {apart}");
    }

    #[test]
    fn each_operation_can_be_begun() {
        let lines = |rank: u32, operation: &str| {
            format!("{rank} later 1\n{rank} {operation}\n{rank} await 1\n")
        };
        let all = [
            "barrier",
            "bcast 800 1 6",
            "reduce 100 0 1 0",
            "allreduce 100 0 0",
            "scan 100 0 0",
            "exscan 100 0 0",
            "allgather 800 800 6 6",
            "alltoall 800 800 6 6",
            "gather 800 800 1 6 6",
            "scatter 800 800 1 6 6",
            "gatherv 800 800 800 1 6 6",
            "scatterv 800 800 800 1 6 6",
            "allgatherv 800 800 800 6 6",
            "alltoallv 1600 800 800 1600 800 800 6 6",
            "reducescatter 800 800 0 6",
        ];
        for operation in all {
            let own = |rank| format!("{rank} init\n{}{rank} finalize\n", lines(rank, operation));
            let later = seconds(&format!("{}{}", own(0), own(1)));
            let text = format!("0 init\n0 {operation}\n0 finalize\n1 init\n1 {operation}\n");
            let now = seconds(&format!("{text}1 finalize\n"));
            assert!((later - now).abs() <= 1e-9 * now, "{operation}: {later} {now}");
            assert!(later > 0.0, "{operation}");
        }
    }
}
