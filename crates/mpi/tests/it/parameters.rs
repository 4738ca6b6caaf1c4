//! Parameters that libraries give for "no limit" bring the right data too.

use std::rc::Rc;

use foretell_mpi::{Payload, Rules, Selection};

use crate::support::{bytes, data, ended, star, sums};

const RULES: &str = r#"
    [[bcast]]
    algorithm = "ompi_chain"
    radix = 1
    segment = 100
    [[alltoall]]
    algorithm = "linear_sync"
    radix = 0
    [[gather]]
    algorithm = "ompi_linear_sync"
    segment = 0
    [[allreduce]]
    algorithm = "ompi_ring_segmented"
    segment = 0
"#;

#[test]
fn one_chain_no_segments_and_no_limit_are_right() {
    for ranks in [2, 3, 7, 8] {
        let mut selection = Selection::default();
        selection.follow(Rc::new(Rules::read("test", RULES).unwrap()));
        let outcome = star(ranks).collectives(selection).run(async |comm| {
            let (rank, size, count) = (comm.rank(), comm.size(), 1000);
            let mine = if rank == 1 { data(1, count) } else { count.into() };
            assert_eq!(comm.bcast(mine, 1).await?.bytes(), bytes(1, count));
            let all: Vec<u8> = (0..size).flat_map(|rank| bytes(rank, count)).collect();
            let gathered = comm.gather(data(rank, count), 0).await?;
            assert_eq!(gathered, (rank == 0).then(|| Payload::from(all.clone())));
            let blocks: Vec<u8> = (0..size).flat_map(|_| bytes(rank, count)).collect();
            assert_eq!(comm.alltoall(blocks).await?.bytes(), all);
            let ones = vec![1; count as usize];
            let summed = comm.allreduce(ones, &sums()).await?;
            assert_eq!(summed.bytes(), vec![size as u8; count as usize]);
            Ok(())
        });
        ended(outcome);
    }
}
