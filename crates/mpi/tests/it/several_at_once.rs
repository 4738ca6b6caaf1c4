//! Non-blocking collectives run beside their rank and beside each other.

use foretell_mpi::{Operation, Payload};

use crate::support::{LATENCY, SPEED, bytes, data, ended, only, run, star, sums};

#[test]
fn several_of_one_communicator_do_not_mix() {
    run(5, async |comm| {
        let rank = comm.rank();
        let first = comm.iallgather(data(rank, 3));
        let second = comm.iallgather(data(rank + 10, 3));
        let third = comm.ibcast(if rank == 2 { data(7, 9) } else { 9.into() }, 2);
        let sum = comm.allreduce(vec![rank as u8], &sums()).await?;
        assert_eq!(sum.bytes(), [10]);
        let expected =
            |from: u32| (0..5).flat_map(|rank| bytes(rank + from, 3)).collect::<Vec<u8>>();
        assert_eq!(comm.complete(third).await?, data(7, 9));
        assert_eq!(comm.complete(second).await?.bytes(), expected(10));
        assert_eq!(comm.complete(first).await?.bytes(), expected(0));
        Ok(())
    });
}

#[test]
fn their_requests_wait_among_others() {
    run(4, async |comm| {
        let (rank, size) = (comm.rank() as i32, comm.size() as i32);
        let mut sum = comm.iallreduce(vec![rank as u8 + 1], &sums());
        let mut barrier = comm.ibarrier();
        let receive = comm.irecv((rank + size - 1) % size, 3)?;
        let send = comm.isend(vec![rank as u8], (rank + 1) % size, 3).await?;
        let mut requests = [sum.take_request(), receive, send, barrier.take_request()];
        let received = comm.wait_each(&mut requests).await?;
        assert_eq!(received[1].payload.bytes(), [((rank + size - 1) % size) as u8]);
        assert_eq!(comm.complete(sum).await?.bytes(), [10]);
        comm.complete(barrier).await
    });
}

#[test]
fn one_can_be_tested_until_it_is_done() {
    run(3, async |comm| {
        if comm.rank() == 0 {
            comm.sleep(0.01).await;
        }
        let mut pending = comm.iallreduce(vec![1], &sums());
        let mut polls = 0;
        while comm.test(pending.request()).await?.is_none() {
            polls += 1;
        }
        assert_eq!(polls > 0, comm.rank() > 0);
        assert!(comm.now() < 0.011);
        assert_eq!(comm.complete(pending).await?.bytes(), [3]);
        Ok(())
    });
}

#[test]
fn errors_go_to_who_wants_them() {
    run(6, async |comm| {
        let is_root = comm.rank() == 0;
        let pending = comm.ibcast(if is_root { data(7, 4) } else { 40.into() }, 0);
        pending.take_errors();
        // All hear of it, also those that wait for others who got too little.
        assert_eq!(comm.complete(pending).await.is_ok(), is_root);
        comm.barrier().await
    });
}

#[test]
fn a_value_asked_for_too_early_is_an_error() {
    let failure = star(2).run(async |comm| {
        let mut pending = comm.ibarrier();
        let _request = pending.take_request();
        comm.complete(pending).await
    });
    let expected =
        "rank 0 at 0.000000000 s in its own code: a collective whose request is not done";
    assert_eq!(failure.unwrap_err().to_string(), expected);
}

/// A rank's time is told once: a collective beside a computation costs it nothing.
#[test]
fn computation_hides_a_collective() {
    let report = run(2, async |comm| {
        let pending = comm.iallreduce(1000, &sums());
        comm.compute(SPEED).await;
        comm.complete(pending).await.map(drop)
    });
    assert_eq!(report.seconds, 1.0);
    for rank in &report.ranks {
        assert_eq!((rank.computing, rank.waiting, rank.overhead), (1.0, 0.0, 0.0));
    }
}

#[test]
fn a_blocking_collective_is_waiting_time() {
    let report = run(2, async |comm| comm.barrier().await);
    for rank in &report.ranks {
        assert_eq!((rank.computing, rank.overhead), (0.0, 0.0));
        assert_eq!(rank.waiting, rank.end);
        assert!((rank.end - 2.0 * LATENCY).abs() < 1e-12);
    }
}

#[test]
fn both_forms_take_the_same_time() {
    for operation in [Operation::Bcast, Operation::Allreduce, Operation::Alltoall] {
        for algorithm in operation.algorithms() {
            let time = |later: bool| {
                let simulation = star(6).collectives(only(operation, algorithm));
                ended(simulation.run(async move |comm| match (operation, later) {
                    (Operation::Bcast, false) => comm.bcast(9000, 1).await.map(drop),
                    (Operation::Bcast, true) => comm.complete(comm.ibcast(9000, 1)).await.map(drop),
                    (Operation::Allreduce, false) => comm.allreduce(9000, &sums()).await.map(drop),
                    (Operation::Allreduce, true) => {
                        comm.complete(comm.iallreduce(9000, &sums())).await.map(drop)
                    }
                    (_, false) => comm.alltoall(Payload::Size(9000)).await.map(drop),
                    (_, true) => comm.complete(comm.ialltoall(9000)).await.map(drop),
                }))
            };
            assert_eq!(time(false).seconds.to_bits(), time(true).seconds.to_bits(), "{algorithm}");
        }
    }
}
