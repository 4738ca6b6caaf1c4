//! What callers may leave out: counts that only the root knows, contributions of nothing.

use foretell_mpi::{Comm, Op, Operation, Payload, Result};

use crate::support::{bytes, data, ended, matrices, only, run, star, sums};

const SIZES: [u32; 7] = [1, 2, 3, 4, 5, 7, 8];

fn check<F>(operation: Operation, program: F)
where
    F: AsyncFn(&Comm) -> Result<()> + Clone + 'static,
{
    for algorithm in operation.algorithms() {
        for ranks in SIZES {
            let program = program.clone();
            let simulation = star(ranks).collectives(only(operation, algorithm));
            ended(simulation.run(async move |comm| program(&comm).await));
        }
    }
}

/// Only odd ranks have something; the others say so by a size alone.
fn odd(rank: u32) -> u64 {
    u64::from(rank % 2) * 5
}

fn mine(rank: u32) -> Payload {
    if rank % 2 == 1 { data(rank, 5) } else { Payload::Size(0) }
}

fn odd_bytes(size: u32) -> Vec<u8> {
    (0..size).flat_map(|rank| bytes(rank, odd(rank))).collect()
}

#[test]
fn the_root_alone_knows_the_counts() {
    check(Operation::Gatherv, async |comm| {
        let (rank, size) = (comm.rank(), comm.size());
        for root in 0..size {
            let counts: Vec<u64> = if rank == root { (0..size).map(odd).collect() } else { vec![] };
            let got = comm.gatherv(mine(rank), &counts, root).await?;
            let got = got.map(|got| got.bytes().to_vec());
            assert_eq!(got, (rank == root).then(|| odd_bytes(size)));
            let whole = if rank == root { odd_bytes(size).into() } else { Payload::Size(0) };
            let got = comm.scatterv(whole, &counts, root).await?;
            assert_eq!(got.bytes(), bytes(rank, odd(rank)));
        }
        Ok(())
    });
}

#[test]
fn who_has_nothing_still_gets_the_bytes_of_others() {
    check(Operation::Allgatherv, async |comm| {
        let counts: Vec<u64> = (0..comm.size()).map(odd).collect();
        let got = comm.allgatherv(mine(comm.rank()), &counts).await?;
        assert_eq!(got.bytes(), odd_bytes(comm.size()));
        Ok(())
    });
}

async fn to_even_ranks(comm: &Comm, is_of_types: bool) -> Result<()> {
    // Odd ranks send to even ones: each rank either has nothing or gets nothing.
    let (rank, size) = (comm.rank(), comm.size());
    let count = |from: u32, to: u32| if from % 2 == 1 && to.is_multiple_of(2) { 3 } else { 0 };
    let send: Vec<u64> = (0..size).map(|to| count(rank, to)).collect();
    let receive: Vec<u64> = (0..size).map(|from| count(from, rank)).collect();
    let block = |from: u32, to: u32| bytes(from * 8 + to, count(from, to));
    let mine = match rank % 2 {
        0 => Payload::Size(0),
        _ => (0..size).flat_map(|to| block(rank, to)).collect::<Vec<u8>>().into(),
    };
    let got = match is_of_types {
        true => comm.alltoallw(mine, &send, &receive).await?,
        false => comm.alltoallv(mine, &send, &receive).await?,
    };
    let expected: Vec<u8> = (0..size).flat_map(|from| block(from, rank)).collect();
    assert_eq!(got.bytes(), expected);
    Ok(())
}

#[test]
fn alltoallv_and_w_take_blocks_of_nothing() {
    check(Operation::Alltoallv, async |comm| to_even_ranks(comm, false).await);
    check(Operation::Alltoallw, async |comm| to_even_ranks(comm, true).await);
}

#[test]
fn nothing_at_all_is_fine_everywhere() {
    for ranks in SIZES {
        run(ranks, async |comm| {
            let (size, last) = (comm.size(), comm.size() - 1);
            let none = || Payload::Size(0);
            let zeros = vec![0; size as usize];
            for op in [matrices(), sums(), Op::sized()] {
                assert!(comm.allreduce(none(), &op).await?.is_empty());
                assert!(comm.reduce(none(), &op, last).await?.is_none_or(|got| got.is_empty()));
                assert!(comm.reduce_scatter(none(), &zeros, &op).await?.is_empty());
                assert!(comm.reduce_scatter_block(none(), &op).await?.is_empty());
                assert!(comm.scan(none(), &op).await?.is_empty());
                assert_eq!(comm.exscan(none(), &op).await?.is_none(), comm.rank() == 0);
            }
            assert!(comm.bcast(none(), last).await?.is_empty());
            assert!(comm.gather(none(), last).await?.is_none_or(|got| got.is_empty()));
            assert!(comm.scatter(none(), last).await?.is_empty());
            assert!(comm.allgather(none()).await?.is_empty());
            assert!(comm.alltoall(none()).await?.is_empty());
            assert!(comm.alltoallw(none(), &zeros, &zeros).await?.is_empty());
            Ok(())
        });
    }
}

/// A persistent collective has a copy of the communicator, so that each can be started when a
/// rank likes, whatever the others do meanwhile.
#[test]
fn copies_let_persistent_collectives_start_in_any_order() {
    run(4, async |comm| {
        let (sums_on, gathers_on) = (comm.dup().await?, comm.dup().await?);
        let rank = comm.rank() as u8;
        for round in 0..3u8 {
            let (sum, all) = if rank.is_multiple_of(2) {
                let sum = sums_on.iallreduce(vec![rank + round], &sums());
                (sum, gathers_on.iallgather(vec![rank]))
            } else {
                let all = gathers_on.iallgather(vec![rank]);
                (sums_on.iallreduce(vec![rank + round], &sums()), all)
            };
            comm.barrier().await?;
            assert_eq!(comm.complete(all).await?.bytes(), [0, 1, 2, 3]);
            assert_eq!(comm.complete(sum).await?.bytes(), [6 + 4 * round]);
        }
        Ok(())
    });
}
