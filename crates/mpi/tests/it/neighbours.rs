//! Graphs, and collectives among neighbours.

use foretell_mpi::{Comm, Counts, Neighbours, Payload, Reorder, Result, Topology, Weights};
use proptest::prelude::*;

use crate::support::{bytes, data, ended, run, star};

#[derive(Debug, Clone, Copy)]
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

const FORMS: [Form; 2] = [Form::Blocking, Form::NonBlocking];

/// What came, with nothing where there is nobody.
fn contents(received: Vec<Option<Payload>>) -> Vec<Option<Vec<u8>>> {
    received.into_iter().map(|part| part.map(|part| part.bytes().to_vec())).collect()
}

#[test]
fn a_graph_is_known_to_all() {
    run(5, async |world| {
        let (index, edges) = ([2, 3, 4, 6], [1, 3, 0, 3, 0, 2]);
        assert_eq!(world.graph_map(&index, &edges)?, (world.rank() < 4).then_some(world.rank()));
        let comm = world.graph_create(&index, &edges, Reorder::Allowed).await?;
        assert_eq!(comm.is_some(), world.rank() < 4);
        assert!(world.graph_create(&[], &[], Reorder::Allowed).await?.is_none());
        let Some(comm) = comm else { return Ok(()) };
        let comm = comm.dup().await?;
        assert!(matches!(comm.topology(), Some(Topology::Graph(_))));
        let graph = comm.graph().unwrap();
        assert_eq!((graph.dims(), graph.index(), graph.edges()), ((4, 6), &index[..], &edges[..]));
        assert_eq!(comm.graph_neighbours(3)?, [0, 2]);
        assert_eq!(comm.graph_neighbours(1)?, [0]);
        assert!(comm.graph_neighbours(4).is_err() && world.graph_neighbours(0).is_err());
        assert!(comm.cartesian().is_none() && comm.neighbours().is_err());
        Ok(())
    });
}

#[test]
fn neighbours_of_a_graph_exchange() {
    run(4, async |world| {
        let (index, edges) = ([2, 3, 4, 6], [1, 3, 0, 3, 0, 2]);
        let comm = world.graph_create(&index, &edges, Reorder::Forbidden).await?.unwrap();
        let rank = comm.rank();
        let own = comm.graph_neighbours(rank)?.to_vec();
        for form in FORMS {
            let got = call!(form, comm, neighbor_allgather / ineighbor_allgather(data(rank, 3)));
            let expected: Vec<_> = own.iter().map(|from| Some(bytes(*from, 3))).collect();
            assert_eq!(contents(got), expected);
        }
        Ok(())
    });
}

#[test]
fn a_distributed_graph_gathers_what_ranks_know() {
    run(5, async |world| {
        // Rank 0 knows the edges from 1 and 2, rank 3 an edge to itself and one that exists twice.
        let edges: &[(u32, u32)] = match world.rank() {
            0 => &[(1, 2), (2, 1), (1, 0)],
            3 => &[(3, 3), (1, 2)],
            _ => &[],
        };
        let weights: Vec<i32> = (0..edges.len() as i32).map(|at| 10 * at + 1).collect();
        let comm = world.dist_graph_create(edges, Some(&weights), Reorder::Forbidden).await?;
        let comm = comm.dup().await?;
        assert_eq!(comm.topology(), Some(&Topology::Distributed));
        type Lists = (Vec<u32>, Vec<i32>, Vec<u32>, Vec<i32>);
        let expected: Lists = match world.rank() {
            0 => (vec![1], vec![21], vec![], vec![]),
            1 => (vec![2], vec![11], vec![2, 0, 2], vec![1, 21, 11]),
            2 => (vec![1, 1], vec![1, 11], vec![1], vec![11]),
            3 => (vec![3], vec![1], vec![3], vec![1]),
            _ => (vec![], vec![], vec![], vec![]),
        };
        let (sources, from, destinations, to) = expected;
        let weights = Some(Weights { sources: from, destinations: to });
        assert_eq!(comm.neighbours()?, &Neighbours { sources, destinations, weights });
        let plain = world.dist_graph_create(edges, None, Reorder::Forbidden).await?;
        assert_eq!(plain.neighbours()?.weights, None);
        assert_eq!(plain.neighbours()?.sources, comm.neighbours()?.sources);
        assert!(world.neighbours().is_err());
        Ok(())
    });
}

#[test]
fn edges_that_make_no_sense_are_refused() {
    run(2, async |world| {
        assert!(world.dist_graph_create(&[(0, 2)], None, Reorder::Forbidden).await.is_err());
        assert!(world.dist_graph_create(&[(0, 1)], Some(&[]), Reorder::Forbidden).await.is_err());
        let past = Neighbours { sources: vec![2], ..Neighbours::default() };
        assert!(world.dist_graph_create_adjacent(past, Reorder::Forbidden).await.is_err());
        assert!(world.neighbor_allgather(vec![1]).await.is_err());
        Ok(())
    });
}

/// The bytes that a rank of a grid sends in a direction.
fn along(rank: u32, direction: u32, count: u64) -> Vec<u8> {
    bytes(rank * 16 + direction, count)
}

/// A grid's ranks send something else in each direction.
async fn check_grid(grid: &Comm, form: Form) -> Result<()> {
    let (rank, shape) = (grid.rank(), grid.cartesian().expect("it is a grid").clone());
    let dims = shape.dims.len() as u32;
    // What comes from the negative side was sent to the positive one.
    let neighbour = |slot: u32| {
        let (negative, positive) = shape.shift(rank, slot as usize / 2, 1);
        u32::try_from(if slot.is_multiple_of(2) { negative } else { positive }).ok()
    };
    let from = |count: &dyn Fn(u32, u32) -> u64| -> Vec<Option<Vec<u8>>> {
        let part =
            |slot: u32| neighbour(slot).map(|rank| along(rank, slot ^ 1, count(rank, slot ^ 1)));
        (0..2 * dims).map(part).collect()
    };
    let mine = |count: &dyn Fn(u32, u32) -> u64| -> Vec<u8> {
        (0..2 * dims).flat_map(|slot| along(rank, slot, count(rank, slot))).collect()
    };
    let even = |_: u32, _: u32| 3;
    let got = call!(form, grid, neighbor_alltoall / ineighbor_alltoall(mine(&even)));
    assert_eq!(contents(got), from(&even));

    let uneven = |rank: u32, slot: u32| u64::from((rank * 3 + slot * 5) % 7);
    let send = Counts::each((0..2 * dims).map(|slot| uneven(rank, slot)));
    let size = |slot: u32| neighbour(slot).map_or(9, |from| uneven(from, slot ^ 1));
    let receive = Counts::each((0..2 * dims).map(size));
    let data_v = mine(&uneven);
    let got = call!(
        form,
        grid,
        neighbor_alltoallv / ineighbor_alltoallv(data_v.clone(), &send, &receive)
    );
    assert_eq!(contents(got), from(&uneven));
    let got = call!(form, grid, neighbor_alltoallw / ineighbor_alltoallw(data_v, &send, &receive));
    assert_eq!(contents(got), from(&uneven));

    let expected: Vec<_> =
        (0..2 * dims).map(|slot| neighbour(slot).map(|rank| bytes(rank, 5))).collect();
    let got = call!(form, grid, neighbor_allgather / ineighbor_allgather(data(rank, 5)));
    assert_eq!(contents(got), expected);
    let length = |rank: u32| u64::from(rank % 4);
    let sizes = Counts::each((0..2 * dims).map(|slot| neighbour(slot).map_or(1, length)));
    let expected: Vec<_> =
        (0..2 * dims).map(|slot| neighbour(slot).map(|rank| bytes(rank, length(rank)))).collect();
    let mine = data(rank, length(rank));
    let got = call!(form, grid, neighbor_allgatherv / ineighbor_allgatherv(mine, &sizes));
    assert_eq!(contents(got), expected);
    Ok(())
}

#[test]
fn neighbours_of_a_grid_exchange_by_direction() {
    let shapes: [(&[u32], &[bool]); 9] = [
        (&[], &[]),
        (&[1], &[true]),
        (&[1], &[false]),
        (&[2], &[true]),
        (&[5], &[false]),
        (&[2, 2], &[true, true]),
        (&[1, 4], &[true, false]),
        (&[3, 1, 2], &[true, true, true]),
        (&[2, 4], &[false, true]),
    ];
    for (dims, periods) in shapes {
        for form in FORMS {
            run(dims.iter().product::<u32>() + 1, async move |world| {
                match world.cart_create(dims, periods, Reorder::Forbidden).await? {
                    Some(grid) => check_grid(&grid, form).await,
                    None => Ok(()),
                }
            });
        }
    }
}

#[test]
fn grids_have_all_they_need() {
    run(6, async |world| {
        assert_eq!(
            world.cart_map(&[2, 2], &[true; 2])?,
            (world.rank() < 4).then_some(world.rank())
        );
        let point = world.cart_create(&[], &[], Reorder::Forbidden).await?;
        assert_eq!(point.is_some(), world.rank() == 0);
        if let Some(point) = point {
            assert_eq!(point.cart_coords(0)?, [0; 0]);
            assert_eq!(point.cart_rank(&[])?, 0);
            assert_eq!(point.cart_sub(&[]).await?.size(), 1);
        }
        let huge = world.cart_create(&[u32::MAX; 3], &[true; 3], Reorder::Forbidden).await;
        assert!(huge.is_err());
        Ok(())
    });
}

#[test]
fn a_size_that_does_not_fit_is_told() {
    let failure = star(2).run(async |world| {
        let ring = world.cart_create(&[2], &[true], Reorder::Forbidden).await?.unwrap();
        ring.neighbor_allgatherv(data(0, 8), vec![4, 4]).await.map(drop)
    });
    let text = failure.unwrap_err().to_string();
    assert!(text.contains("MPI_Neighbor_allgatherv: a message of 8 bytes from rank"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Any edges, some of them several times: the messages of a pair meet in order.
    #[test]
    fn any_graph_will_do(
        ranks in 1u32..9,
        raw in prop::collection::vec((0u32..9, 0u32..9), 0..30),
        is_blocking: bool,
    ) {
        let edges: Vec<(u32, u32)> = raw.iter().map(|(a, b)| (a % ranks, b % ranks)).collect();
        let form = if is_blocking { Form::Blocking } else { Form::NonBlocking };
        ended(star(ranks).run(async move |world| {
            let rank = world.rank();
            // Each edge is known to one rank; the order is that of the ranks.
            let mut sorted: Vec<(usize, (u32, u32))> = edges.iter().copied().enumerate().collect();
            sorted.sort_by_key(|(at, _)| at % ranks as usize);
            let mine: Vec<(u32, u32)> = sorted
                .iter()
                .filter(|(at, _)| at % ranks as usize == rank as usize)
                .map(|(_, edge)| *edge)
                .collect();
            let comm = world.dist_graph_create(&mine, None, Reorder::Forbidden).await?;
            let whole: Vec<(u32, u32)> = sorted.iter().map(|(_, edge)| *edge).collect();
            let to: Vec<u32> =
                whole.iter().filter(|edge| edge.0 == rank).map(|edge| edge.1).collect();
            let from: Vec<u32> =
                whole.iter().filter(|edge| edge.1 == rank).map(|edge| edge.0).collect();
            let own = comm.neighbours()?.clone();
            assert_eq!((&own.destinations, &own.sources), (&to, &from));
            let adjacent = world.dist_graph_create_adjacent(own, Reorder::Forbidden).await?;
            for comm in [comm, adjacent] {
                // The number of an edge among those of the same two ends is its size.
                let sizes = |list: &[u32]| -> Vec<u64> {
                    let before = |at: usize| list[..at].iter().filter(|b| **b == list[at]).count();
                    (0..list.len()).map(|at| before(at) as u64 + 1).collect()
                };
                let (send, receive) = (sizes(&to), sizes(&from));
                let payload: Vec<u8> = to
                    .iter()
                    .zip(&send)
                    .flat_map(|(to, size)| bytes(rank * 9 + to, *size))
                    .collect();
                let got = call!(
                    form,
                    comm,
                    neighbor_alltoallv / ineighbor_alltoallv(payload, &send, &receive)
                );
                let expected: Vec<_> = from
                    .iter()
                    .zip(&receive)
                    .map(|(from, size)| Some(bytes(from * 9 + rank, *size)))
                    .collect();
                assert_eq!(contents(got), expected);
            }
            Ok(())
        }));
    }
}
