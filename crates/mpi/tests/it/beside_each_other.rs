//! Collectives by any algorithm run at once on communicators that have ranks in common.

use foretell_mpi::{Comm, Mapping, Operation, Payload, Result};

use crate::support::{bytes, data, ended, only, star, sums};

/// Starts an operation on three communicators at once, which share ranks, and looks at what comes.
fn check<F>(operation: Operation, program: F)
where
    F: AsyncFn(Vec<Comm>) -> Result<()> + Clone + 'static,
{
    for algorithm in operation.algorithms() {
        for ranks in [7, 12] {
            let program = program.clone();
            let simulation = star(4).ranks(ranks).mapping(Mapping::Block(3));
            let simulation = simulation.collectives(only(operation, algorithm));
            ended(simulation.run(async move |world| {
                let color = world.rank() as i32 % 2;
                let half = world.split(Some(color), world.rank() as i32).await?;
                let copy = world.dup().await?;
                let comms = half.into_iter().chain([copy, world.clone()]);
                program(comms.collect()).await
            }));
        }
    }
}

#[test]
fn allreduces_do_not_mix() {
    check(Operation::Allreduce, async |comms| {
        let pending: Vec<_> = (1u32..)
            .zip(&comms)
            .map(|(value, comm)| comm.iallreduce(vec![value as u8; 100], &sums()))
            .collect();
        for ((value, comm), pending) in (1u32..).zip(&comms).zip(pending) {
            let sum = (value * comm.size()) as u8;
            assert_eq!(comm.complete(pending).await?.bytes(), vec![sum; 100]);
        }
        Ok(())
    });
}

#[test]
fn bcasts_do_not_mix() {
    check(Operation::Bcast, async |comms| {
        let root = |comm: &Comm| comm.size() - 1;
        let mut pending = Vec::new();
        for (value, comm) in (1..).zip(&comms) {
            let mine = if comm.rank() == root(comm) { data(value, 50) } else { 50.into() };
            pending.push(comm.ibcast(mine, root(comm)));
        }
        for ((value, comm), pending) in (1..).zip(&comms).zip(pending) {
            assert_eq!(comm.complete(pending).await?, data(value, 50));
        }
        Ok(())
    });
}

#[test]
fn allgathers_do_not_mix() {
    check(Operation::Allgather, async |comms| {
        let mine = |value: u32, rank: u32| bytes(value * 50 + rank, 6);
        let mut pending = Vec::new();
        for (value, comm) in (1..).zip(&comms) {
            pending.push(comm.iallgather(Payload::from(mine(value, comm.rank()))));
        }
        for ((value, comm), pending) in (1..).zip(&comms).zip(pending) {
            let expected: Vec<u8> = (0..comm.size()).flat_map(|rank| mine(value, rank)).collect();
            assert_eq!(comm.complete(pending).await?.bytes(), expected);
        }
        Ok(())
    });
}

#[test]
fn alltoalls_do_not_mix() {
    check(Operation::Alltoall, async |comms| {
        let block = |value: u32, from: u32, to: u32| bytes(value * 97 + from * 13 + to, 5);
        let mut pending = Vec::new();
        for (value, comm) in (1..).zip(&comms) {
            let own = comm.rank();
            let all: Vec<u8> = (0..comm.size()).flat_map(|to| block(value, own, to)).collect();
            pending.push(comm.ialltoall(all));
        }
        for ((value, comm), pending) in (1..).zip(&comms).zip(pending) {
            let own = comm.rank();
            let all: Vec<u8> = (0..comm.size()).flat_map(|from| block(value, from, own)).collect();
            assert_eq!(comm.complete(pending).await?.bytes(), all);
        }
        Ok(())
    });
}
