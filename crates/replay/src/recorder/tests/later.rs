//! Non-blocking collectives: begun in one line, waited for in another.

use super::*;

/// Begins one of each kind, then waits for them in another order.
async fn all_kinds(comm: &Comm) -> Result<()> {
    let (bytes, op) = (Payload::Size(u64::from(comm.size()) * 4_800), Op::sum_f64());
    let counts: Vec<u64> = (1..=u64::from(comm.size())).map(|count| 800 * count).collect();
    let own = counts[comm.rank() as usize];
    let total = Payload::Size(counts.iter().sum());
    let from_each: Vec<u64> = counts.iter().map(|_| own).collect();
    let mut all = vec![
        comm.ibarrier().take_request(),
        comm.ibcast(bytes.clone(), 1).take_request(),
        comm.ireduce(bytes.clone(), &op, 0).take_request(),
        comm.iallreduce(bytes.clone(), &op).take_request(),
        comm.iscan(bytes.clone(), &op).take_request(),
        comm.iexscan(bytes.clone(), &op).take_request(),
        comm.igather(bytes.clone(), 1).take_request(),
        comm.iscatter(bytes.clone(), 0).take_request(),
        comm.iallgather(bytes.clone()).take_request(),
        comm.ialltoall(bytes.clone()).take_request(),
        comm.ireduce_scatter_block(bytes, &op).take_request(),
        comm.igatherv(Payload::Size(own), &counts, 0).take_request(),
        comm.iscatterv(total.clone(), &counts, 1).take_request(),
        comm.iallgatherv(Payload::Size(own), &counts).take_request(),
        comm.ireduce_scatter(total.clone(), &counts, &op).take_request(),
        comm.ialltoallv(total.clone(), &counts, from_each.clone()).take_request(),
        comm.ialltoallw(total, &counts, from_each).take_request(),
    ];
    comm.compute(1e5).await;
    comm.wait(all.remove(3)).await?;
    comm.wait_any(&mut all).await?;
    comm.wait_all(&mut all).await
}

#[test]
fn collectives_of_all_kinds_go_on_beside_the_ranks() {
    let folder = check(async |world| all_kinds(&world).await);
    let lines = lines(&folder, 1);
    assert_eq!(lines[1..5], ["1 later 0", "1 barrier", "1 later 1", "1 bcast 28800 1 6"]);
    assert!(lines.contains(&"1 passes 28800 4800 other".to_owned()), "{lines:?}");
    let awaits = lines.iter().filter(|line| line.contains("await")).count();
    assert_eq!(awaits, 17, "{lines:?}");
}

#[test]
fn each_kind_alone_takes_the_same_time() {
    check(async |world| {
        let (size, op) = (Payload::Size(60_000), Op::sum_f64());
        let mut all = Vec::new();
        for round in 0..6 {
            let mut request = match round {
                0 => world.ireduce_scatter_block(size.clone(), &op).take_request(),
                1 => world.iallreduce(size.clone(), &op).take_request(),
                2 => world.ibcast(size.clone(), 3).take_request(),
                3 => world.iscan(size.clone(), &op).take_request(),
                4 => {
                    world.ialltoallw(size.clone(), vec![10_000; 6], vec![10_000; 6]).take_request()
                }
                _ => world.ialltoall(size.clone()).take_request(),
            };
            world.compute(1e4).await;
            if round % 2 == 0 {
                world.wait(Request::alias(&request)).await?;
            } else {
                while world.test(&mut request).await?.is_none() {
                    world.compute(1e4).await;
                }
            }
            all.push(round);
        }
        Ok(())
    });
}

#[test]
fn communicators_are_told_where_they_are_not_the_world() {
    let folder = check(async |world| {
        let half = world.split(Some(world.rank() as i32 % 2), 0).await?.unwrap();
        all_kinds(&half).await?;
        // The same ranks as the world, which need not begin in the same order on both.
        let copy = world.dup().await?;
        let (one, other) = match world.rank() {
            0 => (world.ibarrier(), copy.ibarrier()),
            _ => {
                let other = copy.ibarrier();
                (world.ibarrier(), other)
            }
        };
        world.complete(one).await?;
        world.complete(other).await
    });
    let lines = lines(&folder, 2);
    let defined = lines.iter().filter(|line| line.contains("comm_def")).collect::<Vec<_>>();
    assert_eq!(defined.len(), 2, "{lines:?}");
    assert!(defined[0].ends_with(" 0:3:2"), "{defined:?}");
    assert!(defined[1].ends_with(" 0:6:1"), "{defined:?}");
}

#[test]
fn tests_of_them_are_looks_and_numbers_are_used_again() {
    let folder = check(async |world| {
        let (left, right) = neighbours(&world);
        for _ in 0..3 {
            let mut sum = world.iallreduce(Payload::Size(800_000), &Op::sum_f64()).take_request();
            let bcast = world.ibcast(Payload::Size(8_000), 0).take_request();
            let receive = world.irecv(left, 1)?;
            let send = world.isend(Payload::Size(100_000), right, 1).await?;
            while world.test(&mut sum).await?.is_none() {
                world.compute(1e4).await;
            }
            world.wait_all(&mut [bcast, receive, send]).await?;
        }
        Ok(())
    });
    let lines = lines(&folder, 0);
    assert!(lines.contains(&"0 look 0".to_owned()), "{lines:?}");
    assert!(lines.contains(&"0 waitall 2".to_owned()), "{lines:?}");
    assert!(!lines.iter().any(|line| line.ends_with("later 2")), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| *line == "0 await 1").count(), 3);
}

#[test]
fn text_warns_of_words_that_simgrid_does_not_know() {
    let (_, recorded, _folder) = captured(async |world| {
        let pending = world.ibarrier();
        world.complete(pending).await
    });
    let warning = recorded.warning().unwrap();
    assert_eq!(warning, "SimGrid's replay does not know all words of the trace: await, later");
}

#[test]
fn loops_of_them_are_stored_once() {
    let size_of = |turns: u32| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.fti");
        let recorder = Recorder::create(&path, RANKS).unwrap();
        let main = async move |world: Comm| -> Result<()> {
            let half = world.split(Some(world.rank() as i32 % 2), 0).await?.unwrap();
            for _ in 0..turns {
                let sum = half.iallreduce(Payload::Size(8_000), &Op::sum_f64());
                let barrier = world.ibarrier();
                world.compute(1e5).await;
                half.complete(sum).await?;
                world.complete(barrier).await?;
            }
            Ok(())
        };
        let report = simulation().listener(recorder.clone()).run(main).unwrap();
        assert_eq!(recorder.finish().unwrap(), Recorded::default());
        let again = replayed(&path);
        assert!((again.seconds - report.seconds).abs() < 1e-9 * report.seconds);
        fs::metadata(&path).unwrap().len()
    };
    assert!(size_of(1000) <= size_of(10) + 8, "{} {}", size_of(1000), size_of(10));
}
