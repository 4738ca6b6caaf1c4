//! Every collective, by every algorithm, brings the right bytes to the right ranks.

use foretell_mpi::{Comm, Mapping, Op, Operation, Payload, Result, Simulation};
use proptest::prelude::*;

use crate::support::{bytes, data, ended, matrices, only, star, sums};

/// Numbers of ranks: all small ones, and powers of two with their neighbours.
fn counts() -> impl Iterator<Item = u32> {
    (1..=33).chain([64])
}

/// Where ranks are: each on a node, several on each, and one after the other on few.
fn simulations(ranks: u32) -> Vec<Simulation> {
    let mut all = vec![star(ranks)];
    if [6, 8, 12, 13, 16].contains(&ranks) {
        all.push(star(ranks.div_ceil(4)).ranks(ranks).mapping(Mapping::Block(4)));
        all.push(star(3).ranks(ranks).mapping(Mapping::Cyclic));
        all.push(star(1).ranks(ranks));
    }
    all
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Form {
    Blocking,
    NonBlocking,
}

/// Calls a collective in one form or the other.
macro_rules! call {
    ($form:expr, $comm:ident, $blocking:ident / $later:ident ($($argument:expr),*)) => {
        match $form {
            Form::Blocking => $comm.$blocking($($argument),*).await?,
            Form::NonBlocking => {
                let pending = $comm.$later($($argument),*);
                $comm.complete(pending).await?
            }
        }
    };
}

/// Runs a program by every algorithm of an operation, in both forms, with few and many ranks.
fn check<F>(operation: Operation, program: F)
where
    F: AsyncFn(&Comm, Form) -> Result<()> + Clone + 'static,
{
    for algorithm in operation.algorithms() {
        for ranks in counts() {
            for simulation in simulations(ranks) {
                let program = program.clone();
                let simulation = simulation.collectives(only(operation, algorithm));
                // Both forms drive the same code: the other one with some numbers of ranks only.
                let forms: &[Form] = match ranks {
                    1 | 5 | 16 => &[Form::Blocking, Form::NonBlocking],
                    _ => &[Form::Blocking],
                };
                let outcome = simulation.run(async move |comm| {
                    for form in forms {
                        program(&comm, *form).await?;
                    }
                    Ok(())
                });
                if let Err(failure) = outcome {
                    panic!("{algorithm}, {ranks} ranks: {failure}");
                }
            }
        }
    }
}

fn roots(comm: &Comm) -> Vec<u32> {
    let size = comm.size();
    let mut roots = vec![0, size / 2, size - 1];
    roots.dedup();
    roots
}

/// The payloads of ranks `0..end`, combined in rank order.
fn combined(op: &Op, end: u32, part: impl Fn(u32) -> Vec<u8>) -> Option<Payload> {
    let parts = (0..end).map(|rank| Payload::from(part(rank)));
    parts.reduce(|left, mut right| {
        op.apply(&left, &mut right);
        right
    })
}

fn all(size: u32, count: u64) -> Vec<u8> {
    (0..size).flat_map(|rank| bytes(rank, count)).collect()
}

#[test]
fn bcast_gives_all_what_the_root_has() {
    check(Operation::Bcast, async |comm, form| {
        for root in roots(comm) {
            let long = if comm.size() < 10 { 20_000 } else { 1000 };
            for count in [0, 1, 64, long] {
                let mine = if comm.rank() == root { data(root, count) } else { count.into() };
                let got = call!(form, comm, bcast / ibcast(mine, root));
                assert_eq!(got.bytes(), bytes(root, count));
            }
        }
        Ok(())
    });
}

#[test]
fn gather_puts_blocks_in_rank_order() {
    check(Operation::Gather, async |comm, form| {
        let (rank, size) = (comm.rank(), comm.size());
        for root in roots(comm) {
            for count in [0, 1, 12] {
                let got = call!(form, comm, gather / igather(data(rank, count), root));
                let expected = (rank == root).then(|| Payload::from(all(size, count)));
                assert_eq!(got, expected);
            }
        }
        Ok(())
    });
}

#[test]
fn scatter_gives_each_rank_its_block() {
    check(Operation::Scatter, async |comm, form| {
        let (rank, size) = (comm.rank(), comm.size());
        for root in roots(comm) {
            for count in [0, 1, 12] {
                let whole = if rank == root { all(size, count).into() } else { Payload::Size(0) };
                let got = call!(form, comm, scatter / iscatter(whole, root));
                assert_eq!(got, data(rank, count));
            }
        }
        Ok(())
    });
}

#[test]
fn gatherv_and_scatterv_take_uneven_parts() {
    let count = |rank: u32| u64::from(rank * 5 % 7);
    check(Operation::Gatherv, async move |comm, form| {
        let (rank, size) = (comm.rank(), comm.size());
        let counts: Vec<u64> = (0..size).map(count).collect();
        let whole: Vec<u8> = (0..size).flat_map(|rank| bytes(rank, count(rank))).collect();
        for root in roots(comm) {
            let mine = data(rank, count(rank));
            let got = call!(form, comm, gatherv / igatherv(mine.clone(), &counts, root));
            assert_eq!(got, (rank == root).then(|| Payload::from(whole.clone())));
            let given = if rank == root { whole.clone().into() } else { Payload::Size(0) };
            let got = call!(form, comm, scatterv / iscatterv(given, &counts, root));
            assert_eq!(got, mine);
        }
        Ok(())
    });
}

#[test]
fn allgather_gives_all_blocks_to_all() {
    check(Operation::Allgather, async |comm, form| {
        for count in [0, 1, 12] {
            let mine = data(comm.rank(), count);
            let got = call!(form, comm, allgather / iallgather(mine));
            assert_eq!(got.bytes(), all(comm.size(), count));
        }
        Ok(())
    });
}

/// Bytes for a pair of ranks.
fn between(from: u32, to: u32, count: u64) -> Vec<u8> {
    bytes(from * 64 + to, count)
}

#[test]
fn alltoall_swaps_blocks() {
    check(Operation::Alltoall, async |comm, form| {
        let (rank, size) = (comm.rank(), comm.size());
        for count in [0, 1, 12] {
            let mine: Vec<u8> = (0..size).flat_map(|to| between(rank, to, count)).collect();
            let got = call!(form, comm, alltoall / ialltoall(mine));
            let expected: Vec<u8> = (0..size).flat_map(|from| between(from, rank, count)).collect();
            assert_eq!(got.bytes(), expected);
        }
        Ok(())
    });
}

/// An alltoall of blocks whose size depends on both ends.
async fn uneven(
    comm: &Comm,
    form: Form,
    of_types: bool,
    count: impl Fn(u32, u32) -> u64,
) -> Result<()> {
    let (rank, size) = (comm.rank(), comm.size());
    let send: Vec<u64> = (0..size).map(|to| count(rank, to)).collect();
    let receive: Vec<u64> = (0..size).map(|from| count(from, rank)).collect();
    let block = |from, to| between(from, to, count(from, to));
    let mine: Vec<u8> = (0..size).flat_map(|to| block(rank, to)).collect();
    let got = match of_types {
        true => call!(form, comm, alltoallw / ialltoallw(mine, &send, &receive)),
        false => call!(form, comm, alltoallv / ialltoallv(mine, &send, &receive)),
    };
    let expected: Vec<u8> = (0..size).flat_map(|from| block(from, rank)).collect();
    assert_eq!(got.bytes(), expected);
    Ok(())
}

#[test]
fn alltoallv_swaps_uneven_blocks() {
    check(Operation::Alltoallv, async |comm, form| {
        uneven(comm, form, false, |from, to| u64::from((from * 3 + to * 5) % 7)).await
    });
}

#[test]
fn alltoallw_swaps_uneven_blocks() {
    check(Operation::Alltoallw, async |comm, form| {
        uneven(comm, form, true, |from, to| u64::from((from * 3 + to * 5) % 7)).await
    });
}

#[test]
fn reduce_combines_in_rank_order() {
    check(Operation::Reduce, async |comm, form| {
        for op in [matrices(), sums()] {
            for root in roots(comm) {
                let long = if comm.size() < 10 { 20_000 } else { 400 };
                for count in [0, 4, long] {
                    let mine = data(comm.rank(), count);
                    let got = call!(form, comm, reduce / ireduce(mine, &op, root));
                    let expected = combined(&op, comm.size(), |rank| bytes(rank, count));
                    assert_eq!(got, expected.filter(|_| comm.rank() == root));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn allreduce_combines_in_rank_order_if_it_must() {
    check(Operation::Allreduce, async |comm, form| {
        for op in [matrices(), sums()] {
            let long = if comm.size() < 10 { 20_000 } else { 600 };
            for count in [0, 4, 128, long] {
                let mine = data(comm.rank(), count);
                let got = call!(form, comm, allreduce / iallreduce(mine, &op));
                let expected = combined(&op, comm.size(), |rank| bytes(rank, count));
                assert_eq!(Some(got), expected);
            }
        }
        Ok(())
    });
}

#[test]
fn reduce_scatter_gives_each_rank_its_part_of_the_result() {
    check(Operation::ReduceScatter, async |comm, form| {
        let (rank, size) = (comm.rank(), comm.size());
        let counts: Vec<u64> = (0..size).map(|rank| u64::from(rank * 3 % 4) * 4).collect();
        let total: u64 = counts.iter().sum();
        let start = counts[..rank as usize].iter().sum::<u64>() as usize;
        let part = start..start + counts[rank as usize] as usize;
        for op in [matrices(), sums()] {
            let mine = data(rank, total);
            let got = call!(form, comm, reduce_scatter / ireduce_scatter(mine, &counts, &op));
            let whole = combined(&op, size, |rank| bytes(rank, total)).unwrap();
            assert_eq!(got.bytes(), &whole.bytes()[part.clone()]);
        }
        Ok(())
    });
}

#[test]
fn reduce_scatter_block_gives_equal_parts() {
    check(Operation::ReduceScatterBlock, async |comm, form| {
        let (rank, size) = (comm.rank() as usize, comm.size());
        for count in [0, 8] {
            let total = u64::from(size) * count as u64;
            for op in [matrices(), sums()] {
                let mine = data(rank as u32, total);
                let got =
                    call!(form, comm, reduce_scatter_block / ireduce_scatter_block(mine, &op));
                let whole = combined(&op, size, |rank| bytes(rank, total)).unwrap();
                assert_eq!(got.bytes(), &whole.bytes()[rank * count..(rank + 1) * count]);
            }
        }
        Ok(())
    });
}

#[test]
fn scans_combine_what_comes_before() {
    check(Operation::Scan, async |comm, form| {
        let rank = comm.rank();
        for op in [matrices(), sums()] {
            for count in [0, 4, 40] {
                let got = call!(form, comm, scan / iscan(data(rank, count), &op));
                assert_eq!(Some(got), combined(&op, rank + 1, |rank| bytes(rank, count)));
                let got = call!(form, comm, exscan / iexscan(data(rank, count), &op));
                assert_eq!(got, combined(&op, rank, |rank| bytes(rank, count)));
            }
        }
        Ok(())
    });
}

#[test]
fn nobody_leaves_a_barrier_before_all_have_come() {
    check(Operation::Barrier, async |comm, form| {
        let began = comm.now();
        let last = (0..comm.size()).map(|rank| rank * 7 % 5).max();
        comm.sleep(f64::from(comm.rank() * 7 % 5)).await;
        call!(form, comm, barrier / ibarrier());
        assert!(comm.now() >= began.floor() + f64::from(last.unwrap()));
        Ok(())
    });
}

#[test]
fn allgatherv_gives_uneven_parts_to_all() {
    let count = |rank: u32| u64::from(rank * 5 % 7);
    check(Operation::Allgatherv, async move |comm, form| {
        let size = comm.size();
        let counts: Vec<u64> = (0..size).map(count).collect();
        let mine = data(comm.rank(), count(comm.rank()));
        let got = call!(form, comm, allgatherv / iallgatherv(mine, &counts));
        let expected: Vec<u8> = (0..size).flat_map(|rank| bytes(rank, count(rank))).collect();
        assert_eq!(got.bytes(), expected);
        Ok(())
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_counts_will_do(
        ranks in 1u32..10,
        table in prop::collection::vec(0u64..20, 100),
        algorithm in 0usize..10,
        root in 0u32..10,
    ) {
        let name = Operation::Alltoallv.algorithms()[algorithm];
        let simulation = star(ranks).collectives(only(Operation::Alltoallv, name));
        ended(simulation.run(async move |comm| {
            let (rank, size) = (comm.rank(), comm.size());
            let root = root % size;
            let count = |from: u32, to: u32| table[(from * 10 + to) as usize];
            uneven(&comm, Form::Blocking, false, count).await?;
            let counts = &table[..size as usize];
            let whole: Vec<u8> = (0..size).flat_map(|rank| bytes(rank, count(0, rank))).collect();
            let mine = data(rank, count(0, rank));
            assert_eq!(comm.allgatherv(mine.clone(), counts).await?.bytes(), whole);
            let gathered = comm.gatherv(mine.clone(), counts, root).await?;
            if let Some(gathered) = &gathered {
                assert_eq!(gathered.bytes(), whole);
            }
            let back = comm.scatterv(gathered.unwrap_or(Payload::Size(0)), counts, root).await?;
            assert_eq!(back.bytes(), mine.bytes());
            Ok(())
        }));
    }
}
