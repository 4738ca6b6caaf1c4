//! Collective actions.

use foretell_mpi::{Counts, Operation, Part, Payload, Result, Root as Here};
use foretell_trace::{Action, Amount, Counts as Listed, Root};

use crate::rank::{Lasting, Rank};

/// Carries out a collective action; others do nothing here.
pub(crate) fn act<'a>(rank: &'a Rank, action: Action<'a>) -> Lasting<'a> {
    if let Some(mistake) = bad_root(rank, action) {
        let error = rank.wrong(mistake);
        return Box::pin(async { Err(error) });
    }
    if is_of_new_communicators(rank, action) {
        // Nobody gets one: those that a trace uses are told apart from what making them costs.
        return Box::pin(async move { rank.comm().split(None, 0).await.map(drop) });
    }
    let Some(part) = part(rank, action) else { return by_messages(rank, action) };
    Box::pin(async move {
        let comm = rank.comm();
        if comm.by_formula(part).await? {
            comm.compute(flops(action)).await;
            return Ok(());
        }
        by_messages(rank, action).await
    })
}

/// Whether ranks tell each other what they ask of a communicator that they make.
fn is_of_new_communicators(rank: &Rank, action: Action<'_>) -> bool {
    let passed = rank.others.as_ref().and_then(|others| others.passed.get());
    matches!(action, Action::Allgather { .. }) && passed.is_some_and(|passed| passed.is_other)
}

/// What a rank does in a collective that a machine has a formula for; none if it has none.
pub(crate) fn part(rank: &Rank, action: Action<'_>) -> Option<Part> {
    // There is no formula for two groups.
    if rank.comm().is_inter() || !rank.comm().has_formula(Operation::Barrier) {
        return None;
    }
    let (operation, root, volume) = call(rank, action)?;
    let passed = rank.others.as_ref().and_then(|others| others.passed.take());
    let volume = passed.map_or(volume, |passed| passed.volume);
    let operation = match operation {
        Operation::Alltoallv if passed.is_some_and(|passed| passed.is_other) => {
            Operation::Alltoallw
        }
        Operation::ReduceScatter if passed.is_some_and(|passed| passed.is_other) => {
            Operation::ReduceScatterBlock
        }
        other => other,
    };
    Some(Part { operation, root, volume })
}

/// The same by messages between the ranks. Each operation is boxed by itself: a barrier is a
/// quarter of the largest.
fn by_messages<'a>(rank: &'a Rank, action: Action<'a>) -> Lasting<'a> {
    let comm = rank.comm();
    match action {
        Action::Barrier => Box::pin(comm.barrier()),
        Action::Bcast { size, root } => {
            Box::pin(async move { comm.bcast(rank.payload(size), here(root)).await.map(drop) })
        }
        Action::Reduce { size, flops, root } => Box::pin(async move {
            comm.reduce(rank.payload(size), rank.op(size), here(root)).await?;
            comm.compute(flops).await;
            Ok(())
        }),
        Action::Allreduce { size, flops } => Box::pin(async move {
            comm.allreduce(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }),
        Action::Allgather { sent, received } => {
            let block = Payload::Size(rank.given(sent, received));
            Box::pin(async move { comm.allgather(block).await.map(drop) })
        }
        Action::Alltoall { sent, received } => {
            let blocks = rank.blocks(rank.given(sent, received));
            Box::pin(async move { comm.alltoall(blocks).await.map(drop) })
        }
        Action::Gather { sent, received, root } => {
            let block = Payload::Size(rank.given(sent, received));
            Box::pin(async move { comm.gather(block, here(root)).await.map(drop) })
        }
        Action::Scatter { sent, received, root } => {
            // The root alone may know what it gives, the others what they get.
            let blocks = rank.blocks(match is_at(rank, root) {
                true => rank.given(sent, received),
                false => rank.either(received, sent),
            });
            Box::pin(async move { comm.scatter(blocks, here(root)).await.map(drop) })
        }
        _ => Box::pin(act_on_parts(rank, action)),
    }
}

/// The operation of an action, its root, and the bytes that the rank passes to send and to receive.
fn call(rank: &Rank, action: Action<'_>) -> Option<(Operation, Option<u32>, (u64, u64))> {
    let own = rank.comm().rank();
    let total = |counts| rank.counts(counts).total();
    let both = |bytes: u64| (bytes, bytes);
    Some(match action {
        Action::Barrier => (Operation::Barrier, None, (0, 0)),
        Action::Bcast { size, root } => (Operation::Bcast, number(root), (rank.bytes(size), 0)),
        Action::Reduce { size, root, .. } => {
            (Operation::Reduce, number(root), both(rank.bytes(size)))
        }
        Action::Allreduce { size, .. } => (Operation::Allreduce, None, both(rank.bytes(size))),
        Action::Scan { size, .. } => (Operation::Scan, None, both(rank.bytes(size))),
        Action::Allgather { sent, received } => {
            (Operation::Allgather, None, both(rank.either(sent, received)))
        }
        Action::Alltoall { sent, received } => {
            (Operation::Alltoall, None, both(rank.either(sent, received)))
        }
        Action::Gather { sent, received, root } => {
            (Operation::Gather, number(root), both(rank.either(sent, received)))
        }
        Action::Scatter { sent, received, root } => {
            (Operation::Scatter, number(root), both(rank.either(sent, received)))
        }
        Action::Gatherv { sent, received, root } => {
            (Operation::Gatherv, number(root), (rank.bytes(sent), total(received)))
        }
        Action::Scatterv { sent, root, .. } => {
            let counts = rank.counts(sent);
            (Operation::Scatterv, number(root), (counts.total(), counts.of(own)))
        }
        Action::Allgatherv { received, .. } => {
            let counts = rank.counts(received);
            (Operation::Allgatherv, None, (counts.of(own), counts.total()))
        }
        Action::Alltoallv { sent, received } => {
            (Operation::Alltoallv, None, (total(sent), total(received)))
        }
        Action::ReduceScatter { counts, .. } => {
            let counts = rank.counts(counts);
            (Operation::ReduceScatter, None, (counts.total(), counts.of(own)))
        }
        _ => return None,
    })
}

/// The root, as the calls have it.
pub(crate) fn here(root: Root) -> Here {
    match root {
        Root::Rank(rank) => Here::Rank(rank),
        Root::Itself => Here::Root,
        Root::Nobody => Here::ProcNull,
    }
}

/// The number of a root that has one.
fn number(root: Root) -> Option<u32> {
    match root {
        Root::Rank(rank) => Some(rank),
        Root::Itself | Root::Nobody => None,
    }
}

/// Whether the rank is the root.
fn is_at(rank: &Rank, root: Root) -> bool {
    match root {
        Root::Rank(root) => !rank.comm().is_inter() && rank.comm().rank() == root,
        Root::Itself => true,
        Root::Nobody => false,
    }
}

/// What is wrong with the root of an action.
pub(crate) fn bad_root(rank: &Rank, action: Action<'_>) -> Option<String> {
    let (Action::Bcast { root, .. }
    | Action::Reduce { root, .. }
    | Action::Gather { root, .. }
    | Action::Gatherv { root, .. }
    | Action::Scatter { root, .. }
    | Action::Scatterv { root, .. }) = action
    else {
        return None;
    };
    let there = rank.partners();
    match root {
        Root::Rank(root) if root < there => None,
        Root::Rank(root) => Some(format!("there is no root {root} among {there} ranks")),
        Root::Itself | Root::Nobody if rank.comm().is_inter() => None,
        Root::Itself | Root::Nobody => {
            Some(format!("the root is `{root}`, and the communicator has one side only"))
        }
    }
}

/// What a rank computes after a collective.
fn flops(action: Action<'_>) -> f64 {
    match action {
        Action::Reduce { flops, .. }
        | Action::Allreduce { flops, .. }
        | Action::Scan { flops, .. }
        | Action::ReduceScatter { flops, .. } => flops,
        _ => 0.0,
    }
}

/// Collectives with a count for each rank, and scans.
async fn act_on_parts(rank: &Rank, action: Action<'_>) -> Result<()> {
    let comm = rank.comm();
    match action {
        Action::Scan { size, flops } => {
            comm.scan(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Exscan { size, flops } => {
            comm.exscan(rank.payload(size), rank.op(size)).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::ReduceScatter { counts, flops } => {
            let op = rank.replay.op(counts.datatype.unwrap_or(rank.usual));
            let counts = rank.own_counts(counts);
            comm.reduce_scatter(Payload::Size(counts.total()), counts, op).await?;
            comm.compute(flops).await;
            Ok(())
        }
        Action::Alltoallv { sent, received } => {
            let (sent, received) = (rank.counts(sent), rank.counts(received));
            comm.alltoallv(Payload::Size(sent.total()), sent, received).await.map(drop)
        }
        Action::Gatherv { sent, received, root } => {
            comm.gatherv(rank.payload(sent), rank.counts(received), here(root)).await.map(drop)
        }
        Action::Scatterv { sent, root, .. } => {
            let counts = rank.counts(sent);
            comm.scatterv(Payload::Size(counts.total()), counts, here(root)).await.map(drop)
        }
        Action::Allgatherv { sent, received } => {
            let (own, counts) = rank.shares(sent, received);
            comm.allgatherv(own, counts).await.map(drop)
        }
        _ => Ok(()),
    }
}

impl Rank {
    /// The bytes of a block; of the other count where the first is not told, as in calls in place.
    pub(crate) fn either(&self, first: Amount, second: Amount) -> u64 {
        match self.bytes(first) {
            0 => self.bytes(second),
            bytes => bytes,
        }
    }

    /// The bytes of a block that the rank gives. On an inter-communicator nothing is in place, and
    /// each side may give other sizes than it gets.
    pub(crate) fn given(&self, sent: Amount, received: Amount) -> u64 {
        match self.comm().is_inter() {
            true => self.bytes(sent),
            false => self.either(sent, received),
        }
    }

    /// One block for each rank that it has to do with.
    pub(crate) fn blocks(&self, bytes: u64) -> Payload {
        Payload::Size(bytes * u64::from(self.partners()))
    }

    /// How many ranks it gives to or gets from: those of the other side, if there are two.
    fn partners(&self) -> u32 {
        self.comm().remote_size().unwrap_or_else(|| self.comm().size())
    }

    /// The counts of those ranks.
    pub(crate) fn counts(&self, listed: Listed<'_>) -> Counts {
        // Lists have a count for each rank of the world, the first of them for those of others.
        Counts::each(listed.bytes(self.usual).take(self.partners() as usize))
    }

    /// The counts of the ranks that share a result: those of the own side.
    pub(crate) fn own_counts(&self, listed: Listed<'_>) -> Counts {
        Counts::each(listed.bytes(self.usual).take(self.comm().size() as usize))
    }

    /// What the rank gives to all, and what it gets from each.
    pub(crate) fn shares(&self, sent: Amount, received: Listed<'_>) -> (Payload, Counts) {
        let counts = self.counts(received);
        // What a rank gives is what the others expect of it; of the other side, they alone know.
        let own = match self.comm().is_inter() {
            true => self.bytes(sent),
            false => counts.of(self.comm().rank()),
        };
        (Payload::Size(own), counts)
    }

    pub(crate) fn op(&self, size: Amount) -> &foretell_mpi::Op {
        self.replay.op(size.datatype.unwrap_or(self.usual))
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use foretell_mpi::Simulation;
    use foretell_platform::dimemas_cfg;
    use foretell_trace::{Form, Trace};

    use crate::Replay;

    /// Simulated seconds of a Dimemas trace on four nodes of one processor. A mebibyte takes 4 ms
    /// there, the latency is 1 ms. Collectives grow as this number says.
    fn seconds(model: u32, records: &str) -> f64 {
        let machine = format!(
            "{}\n\"environment information\" {{\"\", 0, \"\", 4, 250.0, 0, {model}}};;\n\
             \"multi node information\" \
             {{0, 4, \"\", 1, 1.0, 0.0, 0.0, 1, 1, 0, 1e-3, 1, 1, 0.0}};;\n",
            dimemas_cfg::BEGINNING
        );
        let platform = dimemas_cfg::read(&machine, None).unwrap();
        let file = tempfile::Builder::new().suffix(".dim").tempfile().unwrap();
        let text =
            format!("#DIMEMAS:\"a\":0:4(1,1,1,1),2\nd:1:1:4:0:1:2:3\nd:1:2:2:1:3\n{records}");
        std::fs::write(file.path(), text).unwrap();
        let replay = Replay::new(Trace::open_as(file.path(), Form::Dimemas).unwrap());
        replay.record_speed(dimemas_cfg::REFERENCE);
        let replay = Rc::new(replay);
        let simulation = Simulation::new(platform).ranks(4);
        let report = simulation.run(async move |comm| replay.main(comm).await).unwrap();
        report.seconds
    }

    #[test]
    fn formulas_count_from_when_the_last_rank_is_there() {
        // Each task comes a second after the one before it; then all add up a mebibyte.
        let records: String = (0..4)
            .map(|task| format!("1:{task}:0:{task}.0\n10:{task}:0:11:1:0:0:1048576:1048576:1\n"))
            .collect();
        let check = |model, expected: f64| {
            let found = seconds(model, &records);
            assert!((found - expected).abs() < 1e-9, "{found} instead of {expected}");
        };
        check(0, 3.0);
        check(1, 3.0 + 2.0 * 5e-3);
        check(2, 3.0 + 2.0 * 3.0 * 5e-3);
        check(3, 3.0 + 2.0 * 2.0 * 5e-3);
    }

    #[test]
    fn communicators_meet_by_themselves_and_roots_tell_the_size() {
        // Tasks 1 and 3 wait for each other twice, the others do not take part.
        let barrier = |task| format!("10:{task}:0:0:2:0:0:0:0:1\n").repeat(2);
        let records = format!("1:0:0:0.5\n1:1:0:1.0\n{}1:2:0:0.5\n{}", barrier(1), barrier(3));
        let found = seconds(2, &records);
        assert!((found - (1.0 + 2.0 * 2e-3)).abs() < 1e-9, "{found}");
        // A broadcast of task 0, who sends a mebibyte in one step in; nothing is received.
        let records: String = (0..4)
            .map(|task| match task {
                0 => "10:0:0:1:1:0:0:1048576:0:1\n".to_owned(),
                _ => format!("10:{task}:0:1:1:0:0:0:1048576:1\n"),
            })
            .collect();
        let found = seconds(1, &records);
        assert!((found - (5e-3 + 1e-3)).abs() < 1e-9, "{found}");
    }
}
