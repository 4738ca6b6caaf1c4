//! Programs that poll for what never comes are told so, like any deadlock.

use foretell_mpi::{Failure, Simulation};
use foretell_platform::Platform;

fn told(run: Result<foretell_mpi::Report, Failure>) -> String {
    match run {
        Err(Failure::Deadlock(deadlock)) => deadlock.to_string(),
        other => panic!("no deadlock: {other:?}"),
    }
}

#[test]
fn a_loop_of_probes_that_nobody_answers_is_a_deadlock() {
    let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(2);
    let text = told(simulation.run(async |world| {
        while world.rank() == 0 && world.iprobe(1, 7).await?.is_none() {}
        Ok(())
    }));
    assert!(
        text.contains(
            "rank 0 in MPI_Iprobe waits for a message from rank 1 (which has ended), tag 7, what "
        ),
        "{text}"
    );
}

#[test]
fn a_loop_of_tests_beside_a_rank_that_waits_is_a_deadlock() {
    let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(2);
    let text = told(simulation.run(async |world| {
        let mut request = world.irecv(1 - world.rank() as i32, 7)?;
        match world.rank() {
            0 => while world.test(&mut request).await?.is_none() {},
            _ => drop(world.wait(request).await?),
        }
        Ok(())
    }));
    assert!(
        text.contains("rank 0 in MPI_Test waits for a message from rank 1, tag 7, what "),
        "{text}"
    );
    assert!(text.contains("rank 1 in MPI_Wait waits for a message from rank 0"), "{text}");
}

#[test]
fn a_loop_that_ends_at_a_date_is_none() {
    let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(1);
    let report = simulation.run(async |world| {
        while world.now() < 2.0 && world.iprobe(0, 7).await?.is_none() {}
        Ok(())
    });
    assert!(report.unwrap().seconds >= 2.0);
}

#[test]
fn polls_beside_a_long_computation_are_none() {
    let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(2);
    let report = simulation.run(async |world| {
        if world.rank() == 0 {
            // Far longer than it takes to lose patience.
            world.spend(50_000.0).await;
            return world.send(8, 1, 7).await;
        }
        while world.iprobe(0, 7).await?.is_none() {}
        world.recv(0, 7).await.map(drop)
    });
    assert!(report.unwrap().seconds >= 50_000.0);
}
