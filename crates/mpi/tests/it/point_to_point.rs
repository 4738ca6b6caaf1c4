//! Point-to-point calls: what each gives and when it returns.

use foretell_mpi::{ANY_SOURCE, ANY_TAG, Comm, Error, PROC_NULL, Payload, Request, Result};

use crate::support::{SPEED, run, star};

/// Dates at which the sender's call and the receiver's call return, for a receive posted after a
/// second.
fn check<F>(send: F, expected: [f64; 2])
where
    F: AsyncFn(&Comm) -> Result<()> + 'static,
{
    let report = run(2, async move |comm| {
        if comm.rank() == 0 {
            return send(&comm).await;
        }
        comm.sleep(1.0).await;
        comm.recv(0, 0).await.map(drop)
    });
    for (rank, expected) in report.ranks.iter().zip(expected) {
        assert!((rank.end - expected).abs() < 1e-9, "{} is not {expected}", rank.end);
    }
}

const SHORT: f64 = 1.0 + 2e-6 + 1e-6;
const LONG: f64 = 1.0 + 2e-6 + 1e-4;

#[test]
fn a_probe_finds_a_message_that_is_already_there() {
    run(2, async |comm| {
        if comm.rank() == 0 {
            return comm.send(100, 1, 5).await;
        }
        comm.sleep(1.0).await;
        let status = comm.probe(0, 5).await?;
        assert_eq!((status.source, status.bytes), (0, 100));
        comm.recv(0, 5).await.map(drop)
    });
}

#[test]
fn short_sends_do_not_wait() {
    check(async |comm| comm.send(1000, 1, 0).await, [0.0, SHORT]);
    check(async |comm| comm.rsend(1000, 1, 0).await, [0.0, SHORT]);
    check(async |comm| comm.wait(comm.isend(1000, 1, 0).await?).await.map(drop), [0.0, SHORT]);
    check(async |comm| comm.wait(comm.irsend(1000, 1, 0).await?).await.map(drop), [0.0, SHORT]);
}

#[test]
fn long_sends_wait_for_the_end_of_the_transfer() {
    check(async |comm| comm.send(100_000, 1, 0).await, [LONG, LONG]);
    check(async |comm| comm.wait(comm.isend(100_000, 1, 0).await?).await.map(drop), [LONG, LONG]);
}

#[test]
fn synchronous_sends_always_wait() {
    check(async |comm| comm.ssend(1000, 1, 0).await, [SHORT, SHORT]);
    check(async |comm| comm.wait(comm.issend(1000, 1, 0).await?).await.map(drop), [SHORT, SHORT]);
}

#[test]
fn buffered_sends_never_wait() {
    check(async |comm| comm.bsend(100_000, 1, 0).await, [0.0, LONG]);
    check(async |comm| comm.wait(comm.ibsend(100_000, 1, 0).await?).await.map(drop), [0.0, LONG]);
}

#[test]
fn a_receive_tells_who_sent_what() {
    run(3, async |comm| {
        if comm.rank() > 0 {
            return comm.send(vec![comm.rank() as u8; 5], 0, 40 + comm.rank() as i32).await;
        }
        let mut sources = Vec::new();
        for _ in 0..2 {
            let received = comm.recv(ANY_SOURCE, ANY_TAG).await?;
            let source = received.status.source;
            assert_eq!(received.status.tag, 40 + source);
            assert_eq!(received.status.bytes, 5);
            assert_eq!(received.payload, Payload::from(vec![source as u8; 5]));
            sources.push(source);
        }
        sources.sort_unstable();
        assert_eq!(sources, [1, 2]);
        Ok(())
    });
}

#[test]
fn sendrecv_swaps_around_a_ring() {
    let report = run(5, async |comm| {
        let (rank, size) = (comm.rank() as i32, comm.size() as i32);
        let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
        let got = comm.sendrecv(vec![rank as u8; 100_000], right, 1, left, 1).await?;
        assert_eq!(got.payload.bytes()[0], left as u8);
        // A copy in memory takes no time.
        let before = comm.now();
        let own = comm.sendrecv(vec![7], rank, 1, rank, 1).await?;
        assert_eq!((own.payload.bytes(), comm.now()), (&[7][..], before));
        Ok(())
    });
    assert!((report.seconds - (2e-6 + 1e-4)).abs() < 1e-9);
}

#[test]
fn nobody_is_a_partner_that_does_nothing() {
    let report = run(1, async |comm| {
        comm.send(1000, PROC_NULL, 0).await?;
        comm.ssend(1000, PROC_NULL, 0).await?;
        let got = comm.recv(PROC_NULL, 3).await?;
        assert_eq!((got.status.source, got.status.tag), (PROC_NULL, ANY_TAG));
        assert_eq!(got.status.bytes, 0);
        let requests = [comm.isend(9, PROC_NULL, 0).await?, comm.irecv(PROC_NULL, 0)?];
        assert!(requests.iter().all(Request::is_null));
        comm.sendrecv(4, PROC_NULL, 0, PROC_NULL, 0).await.map(drop)
    });
    assert_eq!((report.seconds, report.counters.messages), (0.0, 0));
}

#[test]
fn probes_see_a_message_and_leave_it() {
    run(2, async |comm| {
        if comm.rank() == 0 {
            comm.sleep(0.5).await;
            return comm.send(vec![1, 2, 3], 1, 9).await;
        }
        assert_eq!(comm.iprobe(0, 9).await?, None);
        let status = comm.probe(ANY_SOURCE, ANY_TAG).await?;
        assert_eq!((status.source, status.tag, status.bytes), (0, 9, 3));
        assert!((0.5..0.5002).contains(&comm.now()));
        assert_eq!(comm.iprobe(0, 8).await?, None);
        assert!(comm.iprobe(0, 9).await?.is_some());
        assert_eq!(comm.recv(0, 9).await?.payload.bytes(), [1, 2, 3]);
        assert_eq!(comm.iprobe(0, 9).await?, None);
        Ok(())
    });
}

/// Rank 1 sends 10, 20 and 30 bytes with tags 1, 2 and 3 after 3, 1 and 2 seconds.
async fn send_in_turn(comm: &Comm) -> Result<()> {
    for tag in [2, 3, 1] {
        comm.sleep(1.0).await;
        comm.send(Payload::Size(10 * tag as u64), 0, tag).await?;
    }
    Ok(())
}

/// Lets rank 0 receive what [`send_in_turn`] sends by three requests and nulls between.
fn receiving<F>(main: F)
where
    F: AsyncFn(&Comm, &mut [Request]) -> Result<()> + 'static,
{
    run(2, async move |comm| {
        if comm.rank() == 1 {
            return send_in_turn(&comm).await;
        }
        let mut requests = [comm.irecv(1, 1)?, Request::NULL, comm.irecv(1, 2)?, comm.irecv(1, 3)?];
        main(&comm, &mut requests).await?;
        assert!(requests.iter().all(Request::is_null));
        Ok(())
    });
}

#[test]
fn wait_any_gives_them_in_order_of_completion() {
    receiving(async |comm, requests| {
        for (at, seconds) in [(2, 1.0), (3, 2.0), (0, 3.0)] {
            let (place, received) = comm.wait_any(requests).await?.unwrap();
            assert_eq!((place, received.status.bytes), (at, [10, 0, 20, 30][at]));
            assert!((comm.now() - seconds).abs() < 1e-5);
        }
        assert!(comm.wait_any(requests).await?.is_none());
        Ok(())
    });
}

#[test]
fn wait_some_gives_all_that_are_done() {
    receiving(async |comm, requests| {
        comm.sleep(2.5).await;
        let done = comm.wait_some(requests).await?;
        assert_eq!(done.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [2, 3]);
        let done = comm.wait_some(requests).await?;
        assert_eq!(done.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0]);
        assert!(comm.wait_some(requests).await?.is_empty());
        Ok(())
    });
}

#[test]
fn wait_all_waits_for_the_last() {
    receiving(async |comm, requests| {
        comm.wait_all(requests).await?;
        assert!((comm.now() - 3.0).abs() < 1e-5);
        Ok(())
    });
    receiving(async |comm, requests| {
        let all = comm.wait_each(requests).await?;
        let sizes: Vec<u64> = all.iter().map(|received| received.status.bytes).collect();
        assert_eq!(sizes, [10, 0, 20, 30]);
        Ok(())
    });
}

#[test]
fn test_all_takes_all_or_none() {
    receiving(async |comm, requests| {
        comm.sleep(2.5).await;
        assert!(comm.test_all(requests).await?.is_none());
        assert!(!requests[2].is_null());
        comm.sleep(1.0).await;
        assert_eq!(comm.test_all(requests).await?.unwrap().len(), 4);
        Ok(())
    });
}

#[test]
fn test_any_and_test_some_take_what_is_done() {
    receiving(async |comm, requests| {
        assert!(comm.test_any(requests).await?.is_none());
        assert!(comm.test_some(requests).await?.is_empty());
        comm.sleep(2.5).await;
        let (at, _) = comm.test_any(requests).await?.unwrap();
        assert_eq!(at, 2);
        comm.sleep(1.0).await;
        let done = comm.test_some(requests).await?;
        assert_eq!(done.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [0, 3]);
        Ok(())
    });
}

#[test]
fn a_polling_loop_sees_a_message_at_the_next_step() {
    run(2, async |comm| {
        if comm.rank() == 1 {
            comm.sleep(0.0123456).await;
            return comm.send(8, 0, 0).await;
        }
        let mut request = comm.irecv(1, 0)?;
        while comm.test(&mut request).await?.is_none() {}
        // 0.0123456 and the transfer, rounded up to the step of a test.
        assert!((comm.now() - 0.0124).abs() < 1e-9, "{}", comm.now());
        Ok(())
    });
}

#[test]
fn a_poll_that_ends_with_what_it_waits_for_ends_once() {
    run(2, async |comm| {
        if comm.rank() == 1 {
            comm.send(vec![7], 0, 0).await?;
            comm.sleep(0.5).await;
            return comm.send(vec![8], 0, 1).await;
        }
        // A little shorter than a test takes, by less than dates are told apart.
        let mut work = comm.start_compute((1e-4 - 1e-10) * SPEED);
        assert!(comm.test(&mut work).await?.is_some());
        // These take the places of the two requests that are done.
        let mut requests = [comm.irecv(1, 0)?, comm.irecv(1, 1)?];
        let received = comm.wait_each(&mut requests).await?;
        assert_eq!(received[0].payload.bytes(), [7]);
        assert_eq!(received[1].payload.bytes(), [8]);
        Ok(())
    });
}

#[test]
fn persistent_requests_start_again_and_again() {
    run(2, async |comm| {
        let mut request = match comm.rank() {
            0 => comm.send_init(vec![5; 100_000], 1, 2),
            _ => comm.recv_init(0, 2),
        };
        for _ in 0..3 {
            comm.start(&mut request).await?;
            assert!(comm.start(&mut request).await.is_err());
            let received = comm.wait_persistent(&mut request).await?;
            if comm.rank() == 1 {
                assert_eq!(received.payload.len(), 100_000);
            }
        }
        Ok(())
    });
}

#[test]
fn a_receive_can_be_cancelled_until_it_is_matched() {
    run(2, async |comm| {
        if comm.rank() == 0 {
            comm.sleep(1.0).await;
            return comm.send(8, 1, 0).await;
        }
        let (early, wild) = (comm.irecv(0, 0)?, comm.irecv(ANY_SOURCE, 0)?);
        let kept = comm.irecv(0, 0)?;
        assert!(comm.cancel(early).await?);
        assert!(comm.cancel(wild).await?);
        let late = comm.irecv(0, 1)?;
        assert_eq!(comm.wait(kept).await?.status.bytes, 8);
        assert!(comm.cancel(late).await?);
        assert!(!comm.cancel(Request::NULL).await?);
        Ok(())
    });
}

#[test]
fn a_matched_receive_is_not_cancelled() {
    run(2, async |comm| {
        if comm.rank() == 0 {
            return comm.send(100_000, 1, 0).await;
        }
        let request = comm.irecv(0, 0)?;
        comm.sleep(1e-5).await;
        assert!(!comm.cancel(request).await?);
        Ok(())
    });
}

#[test]
fn a_message_that_does_not_fit_is_an_error() {
    let outcome = star(2).run(async |comm| {
        if comm.rank() == 0 {
            return comm.send(100, 1, 0).await;
        }
        let error = comm.recv_up_to(99, 0, 0).await.unwrap_err();
        assert_eq!(error, Error::Truncated { source_rank: 0, tag: 0, sent: 100, room: 99 });
        Err(error)
    });
    let message = outcome.unwrap_err().to_string();
    assert!(message.starts_with("rank 1 at 0.000002100 s in MPI_Recv: a message of 100 bytes"));
}

#[test]
fn tags_and_ranks_are_checked() {
    run(2, async |comm| {
        assert_eq!(comm.send(8, 1, -3).await, Err(Error::BadTag(-3)));
        assert_eq!(comm.recv(0, -5).await, Err(Error::BadTag(-5)));
        let missing = Error::NoSuchRank { rank: 2, size: 2 };
        assert_eq!(comm.send(8, 2, 0).await, Err(missing.clone()));
        assert_eq!(comm.recv(2, 0).await, Err(missing));
        Ok(())
    });
}
