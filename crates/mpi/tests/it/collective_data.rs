//! Every collective, by every algorithm, brings the right bytes to the right ranks.
//!
//! The algorithms are those that the list of an operation names: a new one is tested by being in it.

use foretell_mpi::{Comm, Mapping, Operation, Result, Selection, Simulation};
use proptest::prelude::*;

use crate::collective_checks::{Case, Form, call, ready};
use crate::support::{odd_parameters, only, star, uneven_nodes};

/// Calls an operation with many cases, among them vectors of nothing.
async fn cases(comm: &Comm, operation: Operation, forms: &[Form], most: u64) -> Result<()> {
    let comm = ready(comm, operation).await?;
    let size = comm.size();
    let roots: Vec<u32> = if size < 7 { (0..size).collect() } else { vec![0, size / 2, size - 1] };
    let has_root = ["bcast", "gather", "gatherv", "scatter", "scatterv", "reduce"];
    let roots = if has_root.contains(&operation.name()) { &roots[..] } else { &[0] };
    let combines = ["reduce", "scan"].iter().any(|part| operation.name().contains(part));
    let ops = if combines { 3 } else { 1 };
    for form in forms {
        for root in roots {
            for op in 0..ops {
                for (seed, count) in [(1, 0), (2, 12), (3, most)] {
                    let case = Case { seed, count, root: *root, op };
                    call(&comm, operation, *form, case).await?;
                }
            }
        }
    }
    Ok(())
}

/// Runs the cases; tells who failed.
fn run(
    simulation: Simulation,
    operation: Operation,
    selection: Selection,
    (forms, most): (&'static [Form], u64),
) {
    let name = selection.algorithm(operation).to_owned();
    let simulation = simulation.collectives(selection);
    let outcome = simulation.run(async move |comm| cases(&comm, operation, forms, most).await);
    if let Err(failure) = outcome {
        panic!("{} by {name}: {failure}", operation.name());
    }
}

/// Each rank on a node of its own, all numbers of them.
fn check_numbers(operation: Operation) {
    for algorithm in operation.algorithms() {
        for ranks in (1..=33).chain([64]) {
            // Both forms drive the same code: the other one with some numbers of ranks only.
            let forms: &[Form] = match ranks {
                1 | 5 | 16 => &[Form::Blocking, Form::NonBlocking],
                _ => &[Form::Blocking],
            };
            let most = if ranks < 8 { 20_004 } else { 120 };
            run(star(ranks), operation, only(operation, algorithm), (forms, most));
        }
    }
}

/// Several ranks on a node: as many on each, more on some than on others, one after the other, all
/// on one. Also with a radix and segments that divide nothing.
fn check_nodes(operation: Operation) {
    for algorithm in operation.algorithms() {
        for ranks in [2u32, 6, 12, 13, 17] {
            let places = || {
                [
                    star(ranks.div_ceil(3)).ranks(ranks).mapping(Mapping::Block(3)),
                    star(3).ranks(ranks).mapping(Mapping::Cyclic),
                    star(1).ranks(ranks),
                    uneven_nodes(ranks, false),
                    uneven_nodes(ranks, true),
                ]
            };
            for place in places() {
                let selection = odd_parameters(operation, algorithm);
                run(place, operation, selection, (&[Form::Blocking], 480));
            }
            for place in places() {
                let selection = only(operation, algorithm);
                run(place, operation, selection, (&[Form::NonBlocking], 24));
            }
        }
    }
}

/// Two tests for each operation, and one that none was forgotten.
macro_rules! every_algorithm {
    ($($operation:ident => $on_any_number_of_ranks:ident, $on_any_nodes:ident;)*) => {
        $(
            #[test]
            fn $on_any_number_of_ranks() {
                check_numbers(Operation::$operation);
            }

            #[test]
            fn $on_any_nodes() {
                check_nodes(Operation::$operation);
            }
        )*

        #[test]
        fn no_operation_is_forgotten() {
            assert_eq!([$(Operation::$operation),*], Operation::ALL);
        }
    };
}

every_algorithm! {
    Barrier => barriers, barriers_on_nodes;
    Bcast => bcasts, bcasts_on_nodes;
    Gather => gathers, gathers_on_nodes;
    Gatherv => uneven_gathers, uneven_gathers_on_nodes;
    Scatter => scatters, scatters_on_nodes;
    Scatterv => uneven_scatters, uneven_scatters_on_nodes;
    Allgather => allgathers, allgathers_on_nodes;
    Allgatherv => uneven_allgathers, uneven_allgathers_on_nodes;
    Alltoall => alltoalls, alltoalls_on_nodes;
    Alltoallv => uneven_alltoalls, uneven_alltoalls_on_nodes;
    Alltoallw => typed_alltoalls, typed_alltoalls_on_nodes;
    Reduce => reduces, reduces_on_nodes;
    Allreduce => allreduces, allreduces_on_nodes;
    ReduceScatter => reduce_scatters, reduce_scatters_on_nodes;
    ReduceScatterBlock => even_reduce_scatters, even_reduce_scatters_on_nodes;
    Scan => scans, scans_on_nodes;
    Exscan => exclusive_scans, exclusive_scans_on_nodes;
    CommSplit => splits, splits_on_nodes;
    NeighborAllgather => neighbour_allgathers, neighbour_allgathers_on_nodes;
    NeighborAllgatherv => uneven_neighbour_allgathers, uneven_neighbour_allgathers_on_nodes;
    NeighborAlltoall => neighbour_alltoalls, neighbour_alltoalls_on_nodes;
    NeighborAlltoallv => uneven_neighbour_alltoalls, uneven_neighbour_alltoalls_on_nodes;
    NeighborAlltoallw => typed_neighbour_alltoalls, typed_neighbour_alltoalls_on_nodes;
}

#[test]
fn nobody_leaves_a_barrier_before_all_have_come() {
    for algorithm in Operation::Barrier.algorithms() {
        for ranks in (1..=33).chain([64]) {
            for simulation in [star(ranks), uneven_nodes(ranks, true)] {
                let selection = odd_parameters(Operation::Barrier, algorithm);
                let outcome = simulation.collectives(selection).run(async |comm| {
                    let last = (0..comm.size()).map(|rank| rank * 7 % 5).max().unwrap_or(0);
                    comm.sleep(f64::from(comm.rank() * 7 % 5)).await;
                    comm.barrier().await?;
                    assert!(comm.now() >= f64::from(last));
                    Ok(())
                });
                assert!(outcome.is_ok(), "{algorithm}, {ranks} ranks: {:?}", outcome.err());
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_call_by_any_algorithm_is_right(
        operation in prop::sample::select(Operation::ALL.to_vec()),
        algorithm in any::<prop::sample::Index>(),
        (radix, segment) in (2u32..9, 0u64..600),
        ranks in 1u32..26,
        place in 0u32..4,
        (seed, root, op) in (0u32..1000, 0u32..64, 0u32..3),
        (elements, is_blocking) in (0u64..60, any::<bool>()),
    ) {
        let name = algorithm.get(operation.algorithms());
        let selection = only(operation, &format!("{name}:radix={radix},segment={segment}"));
        let simulation = match place {
            0 => star(ranks),
            1 => uneven_nodes(ranks, true),
            2 => uneven_nodes(ranks, false),
            _ => star(ranks.div_ceil(4)).ranks(ranks).mapping(Mapping::Block(4)),
        };
        let form = if is_blocking { Form::Blocking } else { Form::NonBlocking };
        let case = Case { seed, count: elements * 12, root, op };
        let outcome = simulation.collectives(selection).run(async move |comm| {
            let comm = ready(&comm, operation).await?;
            call(&comm, operation, form, case).await
        });
        prop_assert!(outcome.is_ok(), "{name}: {}", outcome.err().map_or(String::new(), |e| e.to_string()));
    }
}
