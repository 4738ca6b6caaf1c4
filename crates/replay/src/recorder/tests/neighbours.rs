//! Collectives of neighbours: the messages that they send, begun where they are called and waited
//! for where they are done.

use foretell_mpi::{Neighbours, Reorder};

use super::*;

/// Rings, a graph and a one-way graph.
async fn hoods(world: &Comm) -> Result<Vec<Comm>> {
    let (rank, size) = (world.rank(), world.size());
    let index: Vec<u32> = (1..=size).map(|rank| 2 * rank).collect();
    let edges: Vec<u32> =
        (0..size).flat_map(|rank| [(rank + 1) % size, (rank + size - 1) % size]).collect();
    let neighbours = Neighbours {
        sources: vec![(rank + size - 1) % size, (rank + size - 2) % size],
        destinations: vec![(rank + 1) % size, (rank + 2) % size],
        weights: None,
    };
    let mut all = vec![
        world.cart_create(&[2, 3], &[true, false], Reorder::Forbidden).await?.unwrap(),
        world.dist_graph_create_adjacent(neighbours, Reorder::Forbidden).await?,
    ];
    all.extend(world.graph_create(&index, &edges, Reorder::Forbidden).await?);
    Ok(all)
}

/// How many neighbours a rank has; all send to as many as they hear from.
fn degree(at: usize) -> usize {
    if at == 0 { 4 } else { 2 }
}

#[test]
fn each_kind_alone_takes_the_same_time() {
    let folder = check(async |world| {
        for (at, comm) in hoods(&world).await?.iter().enumerate() {
            let edges = degree(at);
            let counts = vec![6_000; edges];
            let total = Payload::Size(6_000 * edges as u64);
            for round in 0..5 {
                let mut request = match round {
                    0 => comm.ineighbor_allgather(Payload::Size(100_000)).take_request(),
                    1 => comm
                        .ineighbor_allgatherv(Payload::Size(6_000), counts.clone())
                        .take_request(),
                    2 => comm.ineighbor_alltoall(total.clone()).take_request(),
                    3 => {
                        let (send, receive) = (counts.clone(), counts.clone());
                        comm.ineighbor_alltoallv(total.clone(), send, receive).take_request()
                    }
                    _ => {
                        let (send, receive) = (counts.clone(), counts.clone());
                        comm.ineighbor_alltoallw(total.clone(), send, receive).take_request()
                    }
                };
                comm.compute(1e4 * f64::from(comm.rank())).await;
                if round % 2 == 0 {
                    comm.wait(request).await?;
                } else {
                    while comm.test(&mut request).await?.is_none() {
                        comm.compute(1e4).await;
                    }
                }
            }
        }
        Ok(())
    });
    let lines = lines(&folder, 0);
    assert!(lines.iter().any(|line| line == "0 waitall 6"), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("0 test ")), "{lines:?}");
}

#[test]
fn all_at_once_and_among_other_messages_they_take_the_same_time() {
    let folder = check(async |world| {
        let (left, right) = neighbours(&world);
        for (at, comm) in hoods(&world).await?.iter().enumerate() {
            let counts: Vec<u64> = vec![3_000; degree(at)];
            let total = Payload::Size(3_000 * degree(at) as u64);
            let mut all = vec![
                comm.ineighbor_alltoall(total.clone()).take_request(),
                world.irecv(left, 1)?,
                comm.ineighbor_allgather(Payload::Size(70_000)).take_request(),
                world.isend(Payload::Size(100_000), right, 1).await?,
                comm.ineighbor_alltoallv(total, counts.clone(), counts).take_request(),
                comm.ibarrier().take_request(),
            ];
            comm.compute(1e5).await;
            comm.wait(all.remove(2)).await?;
            comm.wait_all(&mut all).await?;
        }
        Ok(())
    });
    let lines = lines(&folder, 0);
    let begun = lines.iter().filter(|line| line.contains(" irecv ") || line.contains(" isend "));
    let ended = lines.iter().map(|line| match line.strip_prefix("0 waitall ") {
        Some(count) => count.parse().unwrap(),
        None => usize::from(line.starts_with("0 wait ")),
    });
    assert_eq!(begun.count(), ended.sum::<usize>(), "{lines:?}");
}

#[test]
fn where_messages_are_combined_those_are_told() {
    let simulation = || {
        let mut selection = foretell_mpi::Selection::default();
        selection.choose(foretell_mpi::Operation::NeighborAlltoall, "combined").unwrap();
        simulation().collectives(selection)
    };
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::create(folder.path(), RANKS).unwrap();
    let main = async |world: Comm| {
        // Along a dimension of two, both neighbours are one rank.
        let grid = world.cart_create(&[2, 3], &[true, true], Reorder::Forbidden).await?.unwrap();
        let pending = grid.ineighbor_alltoall(Payload::Size(4_000));
        grid.complete(pending).await.map(drop)
    };
    let report = simulation().listener(recorder.clone()).run(main).unwrap();
    assert_eq!(recorder.finish().unwrap(), Recorded::default());
    let again = replayed(folder.path());
    assert!((again.seconds - report.seconds).abs() < 1e-9 * report.seconds);
    assert_eq!(again.counters, report.counters);
    let lines = lines(&folder, 0);
    let sizes: Vec<&str> = lines
        .iter()
        .filter(|line| line.contains(" irecv "))
        .filter_map(|line| line.split(' ').nth(4))
        .collect();
    assert_eq!(sizes, ["2000", "1000", "1000"], "{lines:?}");
}
