//! Times depend on sizes alone, and are the same bit for bit in every run.

use foretell_mpi::{Comm, Counts, Mapping, Op, Operation, Payload, Report, Result, Simulation};
use foretell_platform::Platform;

use crate::support::{data, ended, only, star};

#[derive(Debug, Clone, Copy)]
enum Content {
    Sizes,
    Bytes,
}

impl Content {
    fn payload(self, owner: u32, count: u64) -> Payload {
        match self {
            Content::Sizes => Payload::Size(count),
            Content::Bytes => data(owner, count),
        }
    }
}

/// Every collective, in blocking form, with payloads of `count` bytes or as many per rank.
async fn all_collectives(comm: &Comm, content: Content, count: u64) -> Result<()> {
    let (rank, size) = (comm.rank(), comm.size());
    let many = count * u64::from(size);
    let mine = || content.payload(rank, count);
    let whole = || content.payload(rank, many);
    let op = Op::on_words::<1>("or", |a, b| [a[0] | b[0]]);
    let counts = Counts::each((0..size).map(|rank| count * u64::from(rank % 3)));
    let uneven = || content.payload(rank, counts.total());
    comm.barrier().await?;
    comm.bcast(mine(), 1 % size).await?;
    comm.gather(mine(), 2 % size).await?;
    comm.gatherv(content.payload(rank, counts.of(rank)), &counts, 0).await?;
    comm.scatter(whole(), 1 % size).await?;
    comm.scatterv(uneven(), &counts, 0).await?;
    comm.allgather(mine()).await?;
    comm.allgatherv(content.payload(rank, counts.of(rank)), &counts).await?;
    comm.alltoall(whole()).await?;
    let (send, receive) = (&counts, Counts::even(size, counts.of(rank)));
    comm.alltoallv(uneven(), send, &receive).await?;
    comm.alltoallw(uneven(), send, &receive).await?;
    comm.reduce(mine(), &op, 2 % size).await?;
    comm.allreduce(mine(), &op).await?;
    comm.reduce_scatter(uneven(), &counts, &op).await?;
    comm.reduce_scatter_block(whole(), &op).await?;
    comm.scan(mine(), &op).await?;
    comm.exscan(mine(), &op).await?;
    comm.split(Some(0), 0).await.map(drop)
}

fn check_same(left: &Report, right: &Report) {
    assert_eq!(left, right);
    for (left, right) in left.ranks.iter().zip(&right.ranks) {
        assert_eq!(left.end.to_bits(), right.end.to_bits());
        assert_eq!(left.waiting.to_bits(), right.waiting.to_bits());
        assert_eq!(left.computing.to_bits(), right.computing.to_bits());
        assert_eq!(left.overhead.to_bits(), right.overhead.to_bits());
    }
}

#[test]
fn sizes_and_bytes_take_the_same_time() {
    for operation in Operation::ALL {
        for algorithm in operation.algorithms() {
            for (ranks, count) in [(1, 100), (5, 0), (6, 100), (8, 33), (7, 30_000)] {
                let run = |content: Content| {
                    let simulation = star(ranks).collectives(only(operation, algorithm));
                    ended(
                        simulation
                            .run(async move |comm| all_collectives(&comm, content, count).await),
                    )
                };
                check_same(&run(Content::Sizes), &run(Content::Bytes));
            }
        }
    }
}

#[test]
fn two_runs_give_the_same_bits() {
    let run = || {
        let platform = Platform::named("star-64").expect("the preset exists");
        let simulation = Simulation::new(platform).ranks(23).mapping(Mapping::Cyclic);
        ended(simulation.run(async |comm| {
            for round in 0..4 {
                comm.compute(1e6 * f64::from((comm.rank() * 7 + round) % 5)).await;
                let pending = comm.iallreduce(64, &Op::sized());
                all_collectives(&comm, Content::Sizes, 4000 << round).await?;
                comm.complete(pending).await?;
            }
            Ok(())
        }))
    };
    check_same(&run(), &run());
}

#[test]
fn barriers_send_as_many_messages_as_they_should() {
    let barrier = |ranks| ended(star(ranks).run(async |comm| comm.barrier().await)).counters;
    assert_eq!(barrier(1).messages, 0);
    assert_eq!(barrier(16).messages, 16 * 4);
    // Three ranks past the power of two report and are told.
    assert_eq!(barrier(19).messages, 16 * 4 + 2 * 3);
}
