//! Deadlocks and failures are told exactly.

use foretell_mpi::{ANY_SOURCE, ANY_TAG, Comm, Failure, Op, Result};

use crate::support::{data, machine, plain_star, star};

fn check<F>(ranks: u32, expected: &[&str], main: F)
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    let failure = star(ranks).run(main).expect_err("the program does not come to its end");
    assert_eq!(failure.to_string(), expected.join("\n"));
}

#[test]
fn two_receives_that_wait_for_each_other() {
    let expected = [
        "deadlock at 0.000000000 s: 2 ranks wait for ever",
        "  rank 0 in MPI_Recv waits for a message from rank 1, tag 3",
        "  rank 1 in MPI_Recv waits for a message from rank 0, tag 4",
        "  they wait in a ring: 0 -> 1 -> 0",
    ];
    check(2, &expected, async |comm| {
        let (rank, other) = (comm.rank() as i32, 1 - comm.rank() as i32);
        comm.recv(other, 3 + rank).await?;
        comm.send(8, other, 3).await
    });
}

#[test]
fn synchronous_sends_around_a_ring() {
    let expected = [
        "deadlock at 0.000000000 s: 3 ranks wait for ever",
        "  rank 0 in MPI_Ssend waits for rank 1 to receive 8 bytes, tag 0",
        "  rank 1 in MPI_Ssend waits for rank 2 to receive 8 bytes, tag 0",
        "  rank 2 in MPI_Ssend waits for rank 0 to receive 8 bytes, tag 0",
        "  they wait in a ring: 0 -> 1 -> 2 -> 0",
    ];
    check(3, &expected, async |comm| {
        let size = comm.size();
        comm.ssend(8, ((comm.rank() + 1) % size) as i32, 0).await?;
        comm.recv(((comm.rank() + size - 1) % size) as i32, 0).await.map(drop)
    });
}

#[test]
fn a_message_that_nobody_sends() {
    let expected = [
        "deadlock at 1.500000000 s: 1 rank waits for ever",
        "  rank 1 in MPI_Recv waits for a message from any rank, any tag",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(3, &expected, async |comm| {
        comm.sleep(1.5).await;
        match comm.rank() {
            1 => comm.recv(ANY_SOURCE, ANY_TAG).await.map(drop),
            _ => Ok(()),
        }
    });
}

#[test]
fn a_probe_for_a_message_nobody_sends() {
    let expected = [
        "deadlock at 0.000000000 s: 1 rank waits for ever",
        "  rank 1 in MPI_Probe waits for a message from rank 0 (which has ended), any tag",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(2, &expected, async |comm| match comm.rank() {
        1 => comm.probe(0, ANY_TAG).await.map(drop),
        _ => Ok(()),
    });
}

#[test]
fn several_requests_on_another_communicator() {
    let expected = [
        "deadlock at 0.000000000 s: 1 rank waits for ever",
        "  rank 0 in MPI_Waitall waits for a message from rank 1 (which has ended), tag 1 on \
         communicator 2; a message from rank 2 (which has ended), tag 2 on communicator 2",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(3, &expected, async |comm| {
        let copy = comm.dup().await?;
        if comm.rank() == 0 {
            let mut requests = [copy.irecv(1, 1)?, copy.irecv(2, 2)?];
            copy.wait_all(&mut requests).await?;
        }
        Ok(())
    });
}

#[test]
fn collectives_that_do_not_belong_together() {
    let expected = [
        "deadlock at 0.000000000 s: 2 ranks wait for ever",
        "  rank 0 in MPI_Barrier waits for a message from rank 1 of MPI_Barrier",
        "  rank 1 in MPI_Allreduce waits for a message from rank 0 of MPI_Allreduce",
        "  they wait in a ring: 0 -> 1 -> 0",
    ];
    check(2, &expected, async |comm| match comm.rank() {
        0 => comm.barrier().await,
        _ => comm.allreduce(8, &Op::sized()).await.map(drop),
    });
}

#[test]
fn a_collective_that_one_rank_does_not_call() {
    let expected = [
        "deadlock at 0.000000000 s: 2 ranks wait for ever",
        "  rank 1 in MPI_Bcast waits for a message from rank 0 (which has ended) of MPI_Bcast",
        "  rank 2 in MPI_Bcast waits for a message from rank 0 (which has ended) of MPI_Bcast",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(3, &expected, async |comm| match comm.rank() {
        0 => Ok(()),
        _ => comm.bcast(8, 0).await.map(drop),
    });
}

#[test]
fn a_non_blocking_collective_that_is_waited_for() {
    let expected = [
        "deadlock at 0.000000000 s: 1 rank waits for ever",
        "  rank 0 in MPI_Wait waits for a message from rank 1 (which has ended) of MPI_Ibarrier",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(2, &expected, async |comm| {
        if comm.rank() == 0 {
            let pending = comm.ibarrier();
            comm.complete(pending).await?;
        }
        Ok(())
    });
}

#[test]
fn a_collective_beside_is_not_what_the_rank_waits_for() {
    let expected = [
        "deadlock at 0.000000000 s: 1 rank waits for ever",
        "  rank 0 in MPI_Recv waits for a message from rank 2 (which has ended), tag 5",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(3, &expected, async |comm| {
        if comm.rank() == 0 {
            let _pending = comm.ibarrier();
            comm.recv(2, 5).await?;
        }
        Ok(())
    });
}

#[test]
fn a_collective_left_behind() {
    let expected = [
        "deadlock at 0.000000000 s: 1 rank waits for ever",
        "  rank 0 in MPI_Ibarrier waits for a message from rank 1 (which has ended) of MPI_Ibarrier",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    check(2, &expected, async |comm| {
        if comm.rank() == 0 {
            let _pending = comm.ibarrier();
        }
        Ok(())
    });
}

#[test]
fn an_error_names_its_rank_and_call() {
    let expected =
        ["rank 2 at 0.500000000 s in MPI_Send: rank 7 is not in a communicator of 3 ranks"];
    check(3, &expected, async |comm| {
        comm.sleep(0.5).await;
        match comm.rank() {
            2 => comm.send(8, 7, 0).await,
            _ => comm.recv(2, 0).await.map(drop),
        }
    });
}

#[test]
fn an_error_in_a_collective_names_it() {
    let expected = [
        "rank 1 at 0.000002008 s in MPI_Bcast: a message of 8 bytes from rank 0 does not fit the \
         receive of 4 bytes",
    ];
    check(2, &expected, async |comm| {
        let count = if comm.rank() == 0 { 8 } else { 4 };
        comm.bcast(data(0, count), 0).await.map(drop)
    });
}

#[test]
fn an_error_in_a_non_blocking_collective_names_it() {
    let expected =
        ["rank 1 at 0.000002004 s in MPI_Ibcast: rank 0 sent 4 bytes of the 8 that are due"];
    check(2, &expected, async |comm| {
        let count = if comm.rank() == 0 { 4 } else { 8 };
        let pending = comm.ibcast(data(0, count), 0);
        comm.complete(pending).await?;
        comm.barrier().await
    });
}

#[test]
fn an_abort_ends_all() {
    let failure = star(2).run(async |comm| match comm.rank() {
        0 => comm.abort(3).await,
        _ => comm.recv(0, 0).await.map(drop),
    });
    let expected = "rank 0 at 0.000000000 s in MPI_Abort: aborted with code 3";
    assert_eq!(failure.unwrap_err().to_string(), expected);
}

#[test]
fn the_caller_can_interrupt() {
    let simulation = star(1).each_date(|now| now < 2.5);
    let outcome = simulation.run(async |comm| {
        loop {
            comm.sleep(1.0).await;
        }
    });
    assert_eq!(outcome, Err(Failure::Interrupted(3.0)));
}

#[test]
fn a_computation_on_a_host_that_is_off() {
    use foretell_platform::{ProfileKind, ProfileSpec};
    let mut spec = plain_star(1);
    spec.profiles.push(ProfileSpec {
        kind: ProfileKind::HostState,
        element: "n0".into(),
        events: vec![(1.0, 0.0)],
        repeat_after: None,
    });
    let simulation = foretell_mpi::Simulation::new(machine(spec, |_| ()));
    let failure = simulation.run(async |comm| {
        comm.compute(5e9).await;
        Ok(())
    });
    let expected = [
        "deadlock at 1.000000000 s: 1 rank waits for ever",
        "  rank 0 in computing waits for a computation on a host that is off",
        "  there is no cycle: a message is missing that no rank sends",
    ];
    assert_eq!(failure.unwrap_err().to_string(), expected.join("\n"));
}
