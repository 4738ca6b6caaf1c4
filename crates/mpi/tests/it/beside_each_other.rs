//! Collectives by any algorithm run at once on communicators that have ranks in common, and again
//! and again.

use foretell_mpi::{Comm, Operation, Result};

use crate::collective_checks::{Called, Case, Form, call, ready};
use crate::support::{ended, odd_parameters, only, uneven_nodes};

/// Runs a program by every algorithm of every operation, with ranks on nodes of different sizes.
fn check<F>(program: F)
where
    F: AsyncFn(&Comm, Operation) -> Result<()> + Clone + 'static,
{
    // A split has no non-blocking form here.
    for operation in Operation::ALL.into_iter().filter(|it| *it != Operation::CommSplit) {
        for algorithm in operation.algorithms() {
            for (ranks, is_apart) in [(5, true), (8, false)] {
                for selection in [only(operation, algorithm), odd_parameters(operation, algorithm)]
                {
                    let program = program.clone();
                    let simulation = uneven_nodes(ranks, is_apart).collectives(selection);
                    ended(simulation.run(async move |world| program(&world, operation).await));
                }
            }
        }
    }
}

/// Half of the ranks, a copy, and all: three communicators that share ranks, and a fourth that has
/// the ranks in another order.
async fn overlapping(world: &Comm, operation: Operation) -> Result<Vec<Comm>> {
    let rank = world.rank() as i32;
    let mut all = Vec::new();
    for (color, key) in [(rank % 2, rank), (0, -rank)] {
        all.extend(world.split(Some(color), key).await?);
    }
    all.extend([world.dup().await?, world.clone()]);
    let mut made = Vec::new();
    for comm in all {
        made.push(ready(&comm, operation).await?);
    }
    Ok(made)
}

fn case(seed: u32) -> Case {
    Case { seed, count: 96, root: seed * 3, op: seed }
}

#[test]
fn those_under_way_at_once_do_not_mix() {
    check(async |world, operation| {
        let comms = overlapping(world, operation).await?;
        let mut under_way: Vec<Called> = Vec::new();
        // Two on each communicator; ranks are late by different times between them.
        for turn in 0..2 {
            for (number, comm) in (0..).zip(&comms) {
                let case = case(1 + turn * 10 + number);
                under_way.push(call(comm, operation, Form::NonBlocking, case));
                world.sleep(f64::from((world.rank() * 3 + number) % 4) * 1e-6).await;
            }
        }
        // The last first.
        for called in under_way.into_iter().rev() {
            called.await?;
        }
        Ok(())
    });
}

#[test]
fn blocking_ones_do_not_mix_with_those_under_way() {
    check(async |world, operation| {
        let comms = overlapping(world, operation).await?;
        let mut under_way: Vec<Called> = Vec::new();
        for (number, comm) in (0..).zip(&comms) {
            under_way.push(call(comm, operation, Form::NonBlocking, case(number)));
            // Some are first in the blocking one, others let the one under way go first.
            if world.rank().is_multiple_of(2) {
                world.sleep(1e-5).await;
            }
            call(comm, operation, Form::Blocking, case(100 + number)).await?;
        }
        for called in under_way {
            called.await?;
        }
        Ok(())
    });
}

/// A persistent collective has a copy of the communicator, on which it is called again and again;
/// ranks may start several in any order.
#[test]
fn persistent_ones_start_again_in_any_order() {
    check(async |world, operation| {
        let made = ready(world, operation).await?;
        let copies = [made.dup().await?, made.dup().await?];
        for turn in 0..3 {
            let is_turned = usize::from((world.rank() + turn).is_multiple_of(2));
            let mut under_way: Vec<Called> = Vec::new();
            for number in [is_turned, 1 - is_turned] {
                let case = case(turn * 2 + number as u32);
                under_way.push(call(&copies[number], operation, Form::NonBlocking, case));
            }
            for called in under_way {
                called.await?;
            }
        }
        Ok(())
    });
}
