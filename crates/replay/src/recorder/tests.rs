//! What is captured from a simulation, replayed on the same machine, takes the same time.

mod between;
mod files;
mod later;
mod neighbours;
mod windows;

use std::fs;

use foretell_mpi::{
    ANY_SOURCE, ANY_TAG, Comm, Counts, Mark, Op, Payload, Report, Result, Simulation,
};
use foretell_platform::Platform;
use foretell_trace::Trace;

use super::*;
use crate::Replay;
use foretell_trace::compact;

const RANKS: u32 = 6;

fn simulation() -> Simulation {
    let platform = Platform::named("star-64").unwrap();
    Simulation::new(platform).ranks(RANKS).mapping(foretell_mpi::Mapping::Block(1))
}

/// Runs a program and captures it; the folder has the trace.
fn captured(
    main: impl AsyncFn(Comm) -> Result<()> + 'static,
) -> (Report, Recorded, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let recorder = Recorder::create(folder.path(), RANKS).unwrap();
    let report = simulation().listener(recorder.clone()).run(main).unwrap();
    (report, recorder.finish().unwrap(), folder)
}

fn replayed(folder: &Path) -> Report {
    let replay = Rc::new(Replay::new(Trace::open(folder).unwrap()));
    simulation().run(async move |world| replay.main(world).await).unwrap()
}

/// Checks that a program and the replay of its trace take the same time with as many messages.
fn check(main: impl AsyncFn(Comm) -> Result<()> + 'static) -> tempfile::TempDir {
    let (report, recorded, folder) = captured(main);
    assert_eq!(recorded.untold, []);
    let again = replayed(folder.path());
    let difference = (again.seconds - report.seconds).abs() / report.seconds;
    assert!(difference < 1e-9, "{} s, and {} s", report.seconds, again.seconds);
    assert_eq!(again.counters, report.counters);
    folder
}

fn lines(folder: &tempfile::TempDir, rank: u32) -> Vec<String> {
    let path = folder.path().join(format!("rank-{rank}.txt"));
    let text = fs::read_to_string(path).unwrap();
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text.lines().map(words).collect()
}

fn neighbours(world: &Comm) -> (i32, i32) {
    let (rank, size) = (world.rank() as i32, world.size() as i32);
    ((rank + size - 1) % size, (rank + 1) % size)
}

#[test]
fn blocking_calls_are_lines_of_their_names() {
    let folder = check(async |world| {
        if world.rank() == 0 {
            world.compute(1e6).await;
            world.send(Payload::Size(80), 1, 7).await?;
            world.ssend(Payload::Size(8), 1, 8).await?;
            world.sleep(0.5).await;
        } else if world.rank() == 1 {
            world.recv(0, 7).await?;
            world.recv_up_to(100, ANY_SOURCE, ANY_TAG).await?;
        }
        Ok(())
    });
    let expected = ["0 init", "0 compute 1000000", "0 send 1 7 80 6", "0 Ssend 1 8 8 6"];
    assert_eq!(lines(&folder, 0)[..4], expected);
    assert_eq!(lines(&folder, 0)[4..], ["0 sleep 0.5", "0 finalize"]);
    let expected = ["1 init", "1 recv 0 7 80 6", "1 recv -555 -444 100 6", "1 finalize"];
    assert_eq!(lines(&folder, 1), expected);
}

#[test]
fn requests_are_waited_for_by_their_messages() {
    let folder = check(async |world| {
        let (left, right) = neighbours(&world);
        for bytes in [1_000, 100_000, 1_000_000] {
            let receive = world.irecv(left, 3)?;
            let send = world.isend(Payload::Size(bytes), right, 3).await?;
            world.compute(1e5).await;
            world.wait(receive).await?;
            world.wait(send).await?;
        }
        Ok(())
    });
    let expected =
        ["irecv 5 3 1000 6", "isend 1 3 1000 6", "compute 100000", "wait 5 0 3", "wait 0 1 3"];
    assert_eq!(lines(&folder, 0)[1..6], expected.map(|line| format!("0 {line}")));
}

/// Rank 1 sends much, then little; rank 0 takes note of them the other way round.
#[test]
fn requests_for_equal_messages_are_told_apart() {
    let folder = check(async |world| {
        if world.rank() == 0 {
            let (much, mut little) = (world.irecv(1, 4)?, world.irecv(1, 4)?);
            while world.test(&mut little).await?.is_none() {
                world.compute(1e4).await;
            }
            world.compute(1e8).await;
            world.wait(much).await?;
            let mut both = [world.irecv(ANY_SOURCE, ANY_TAG)?, world.irecv(ANY_SOURCE, ANY_TAG)?];
            while world.wait_any(&mut both).await?.is_some() {
                world.compute(1e8).await;
            }
        } else if world.rank() == 1 {
            world.compute(1e6).await;
            let much = world.isend(Payload::Size(10_000_000), 0, 4).await?;
            let little = world.isend(Payload::Size(8), 0, 4).await?;
            world.wait(little).await?;
            world.compute(1e8).await;
            world.wait(much).await?;
            let much = world.isend(Payload::Size(10_000_000), 0, 5).await?;
            world.send(Payload::Size(8), 0, 5).await?;
            world.wait(much).await?;
        }
        Ok(())
    });
    let lines = lines(&folder, 0);
    let younger = |line: &&str| *line == "#@ 0 younger 1";
    let looks = lines.iter().filter(|line| *line == "0 test 1 0 4").count();
    assert!(looks > 1, "{lines:?}");
    let hints = lines.iter().map(String::as_str).filter(younger).count();
    assert_eq!(hints, looks + 2, "{lines:?}");
    let sender = self::lines(&folder, 1);
    assert_eq!(sender[4..6], ["#@ 1 younger 1", "1 wait 1 0 4"]);
    let small = folder.path().join("small.fti");
    compact(&Trace::open(folder.path()).unwrap(), &small).unwrap();
    assert_eq!(replayed(&small).seconds.to_bits(), replayed(folder.path()).seconds.to_bits());
}

#[test]
fn waits_for_all_are_one_line_if_nothing_else_is_under_way() {
    let folder = check(async |world| {
        let (left, right) = neighbours(&world);
        let mut both = [world.irecv(left, 1)?, world.isend(Payload::Size(9), right, 1).await?];
        world.wait_all(&mut both).await?;
        let other = world.irecv(left, 2)?;
        let mut both = [world.irecv(left, 1)?, world.isend(Payload::Size(9), right, 1).await?];
        world.wait_all(&mut both).await?;
        world.send(Payload::Size(5), right, 2).await?;
        world.wait(other).await.map(drop)
    });
    let lines = lines(&folder, 0);
    assert_eq!(lines[3], "0 waitall 2");
    assert_eq!(lines[7..9], ["0 wait 5 0 1", "0 wait 0 1 1"]);
}

#[test]
fn waits_for_any_are_for_the_one_that_came() {
    check(async |world| {
        if world.rank() == 0 {
            let mut all = Vec::new();
            for rank in 1..RANKS {
                all.push(world.irecv(rank as i32, 4)?);
            }
            while world.wait_any(&mut all).await?.is_some() {
                world.compute(1e7).await;
            }
            Ok(())
        } else {
            world.compute(1e8 / f64::from(world.rank())).await;
            world.send(Payload::Size(200_000), 0, 4).await
        }
    });
}

#[test]
fn polling_costs_the_same_time() {
    let folder = check(async |world| {
        if world.rank() == 0 {
            let mut request = world.irecv(1, 4)?;
            while world.test(&mut request).await?.is_none() {
                world.compute(1e5).await;
            }
            while world.iprobe(2, ANY_TAG).await?.is_none() {}
            world.recv(2, ANY_TAG).await?;
            let found = world.probe(3, ANY_TAG).await?;
            world.recv_up_to(found.bytes, 3, found.tag).await.map(drop)
        } else {
            world.compute(f64::from(world.rank()) * 3e7).await;
            world.send(Payload::Size(10_000), 0, 4).await
        }
    });
    let lines = lines(&folder, 0);
    assert!(lines.iter().any(|line| line == "0 test 1 0 4"), "{lines:?}");
    assert!(lines.iter().any(|line| line == "0 recv 3 4 -1 6"), "{lines:?}");
}

#[test]
fn exchanges_keep_their_tags() {
    check(async |world| {
        let (left, right) = neighbours(&world);
        for bytes in [10, 70_000, 500_000] {
            world.sendrecv(Payload::Size(bytes), right, 5, left, 5).await?;
        }
        Ok(())
    });
}

#[test]
fn collectives_of_all_ranks_are_one_line() {
    let folder = check(async |world| {
        let (size, op) = (Payload::Size(4_800), Op::sum_f64());
        world.barrier().await?;
        world.bcast(size.clone(), 1).await?;
        world.reduce(size.clone(), &op, 2).await?;
        world.allreduce(size.clone(), &op).await?;
        world.scan(size.clone(), &op).await?;
        world.exscan(size.clone(), &op).await?;
        world.gather(size.clone(), 3).await?;
        world.scatter(size.clone(), 4).await?;
        world.allgather(size.clone()).await?;
        world.alltoall(size).await.map(drop)
    });
    let expected = [
        "barrier",
        "bcast 4800 1 6",
        "reduce 600 0 2 0",
        "allreduce 600 0 0",
        "scan 600 0 0",
        "exscan 600 0 0",
        "gather 4800 4800 3 6 6",
        "scatter 800 800 4 6 6",
        "allgather 4800 4800 6 6",
        "alltoall 800 800 6 6",
    ];
    assert_eq!(lines(&folder, 0)[1..11], expected.map(|line| format!("0 {line}")));
}

#[test]
fn collectives_with_counts_tell_them() {
    let folder = check(async |world| {
        let counts: Vec<u64> = (1..=u64::from(RANKS)).map(|count| 8 * count).collect();
        let own = counts[world.rank() as usize];
        let total = Payload::Size(counts.iter().sum());
        world.gatherv(Payload::Size(own), &counts, 0).await?;
        world.scatterv(total.clone(), &counts, 0).await?;
        world.allgatherv(Payload::Size(own), &counts).await?;
        world.reduce_scatter(total.clone(), &counts, &Op::sum_f64()).await?;
        let from_each: Vec<u64> = counts.iter().map(|_| own).collect();
        world.alltoallv(total, &counts, from_each).await.map(drop)
    });
    let expected = [
        "gatherv 16 8 16 24 32 40 48 0 6 6",
        "scatterv 8 16 24 32 40 48 16 0 6 6",
        "allgatherv 16 8 16 24 32 40 48 6 6",
        "reducescatter 1 2 3 4 5 6 0 0",
        "alltoallv 168 8 16 24 32 40 48 96 16 16 16 16 16 16 6 6",
    ];
    assert_eq!(lines(&folder, 1)[1..6], expected.map(|line| format!("1 {line}")));
}

#[test]
fn collectives_of_some_ranks_are_told_by_their_messages() {
    let folder = check(async |world| {
        let half = world.split(Some(world.rank() as i32 % 2), 0).await?;
        let Some(half) = half else { return Ok(()) };
        half.allreduce(Payload::Size(64_000), &Op::sum_f64()).await?;
        half.barrier().await?;
        let copy = world.dup().await?;
        copy.barrier().await?;
        // The same tag on two communicators.
        let (left, right) = neighbours(&world);
        let mut three = [
            copy.irecv(left, 1)?,
            world.irecv(left, 1)?,
            world.isend(Payload::Size(100_000), right, 1).await?,
        ];
        copy.send(Payload::Size(10), right, 1).await?;
        world.wait_all(&mut three).await
    });
    let lines = lines(&folder, 0);
    assert!(!lines.iter().any(|line| line.contains("allreduce")), "{lines:?}");
    assert!(lines.iter().any(|line| line == "0 barrier"), "{lines:?}");
}

#[test]
fn what_cannot_be_told_is_counted() {
    let (_, recorded, _folder) = captured(async |world| {
        for _ in 0..2 {
            let request = world.irecv(0, 1)?;
            world.cancel(Request::alias(&request)).await?;
        }
        Ok(())
    });
    assert_eq!(recorded.untold, [("MPI_Cancel", 2 * u64::from(RANKS))]);
    assert!(recorded.warning().unwrap().ends_with("differ: MPI_Cancel (12 times)"));
    assert_eq!(Recorded::default().warning(), None);
}

#[test]
fn sizes_are_in_elements_that_simgrid_can_count() {
    assert_eq!(amount(7, 8), Amount::of_bytes(7));
    assert_eq!(amount(16, 4), Amount::new(4, Datatype::numbered(1).unwrap()));
    assert_eq!(amount(8 << 30, 1), Amount::new(1 << 30, Datatype::DOUBLE));
    assert_eq!(amount(12, 3), Amount::of_bytes(12));
}

#[test]
fn compact_traces_tell_collectives_on_their_communicators() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.fti");
    let recorder = Recorder::create(&path, RANKS).unwrap();
    let main = async |world: Comm| -> Result<()> {
        // Backwards, so that ranks are no run of equal distances.
        let key = -(world.rank() as i32);
        let half = world.split(Some(world.rank() as i32 % 2), key).await?.unwrap();
        let op = Op::new("sum", 8, |_, _| ());
        half.allreduce(Payload::Size(800), &op).await?;
        half.bcast(Payload::Size(5000), 2).await?;
        let counts = Counts::each([8, 16, 24]);
        half.allgatherv(Payload::Size(counts.of(half.rank())), counts).await?;
        world.barrier().await
    };
    let report = simulation().listener(recorder.clone()).run(main).unwrap();
    assert_eq!(recorder.finish().unwrap().untold, []);
    let again = replayed(&path);
    assert!((again.seconds - report.seconds).abs() < 1e-9 * report.seconds);
    assert_eq!(again.counters, report.counters);
    let (trace, mut told) = (Trace::open(&path).unwrap(), Vec::new());
    let mut cursor = trace.cursor(3);
    while let Some(action) = cursor.next().unwrap() {
        told.push(action.to_string());
    }
    let defined = told.iter().find_map(|line| line.strip_prefix("comm_def ")).unwrap();
    let (number, ranks) = defined.split_once(' ').unwrap();
    assert_eq!(ranks, "5:1:1 3:1:1 1:1:1");
    let within = format!("within {number}");
    let count = told.iter().filter(|line| **line == within).count();
    assert_eq!(count, 3, "{told:?}");
    assert!(told.contains(&"bcast 5000 2 6".to_owned()), "{told:?}");
}

#[test]
fn parts_of_the_program_are_hints_that_a_replay_knows() {
    let folder = check(async |world| {
        for _ in 0..3 {
            world.mark(Mark::Begin, "solve it");
            world.compute(1e8).await;
            world.mark(Mark::Begin, "dot");
            world.allreduce(Payload::Size(8), &Op::sum_f64()).await?;
            world.mark(Mark::End, "");
            world.mark(Mark::Here, "here");
            world.mark(Mark::End, "solve it");
            world.compute(1e8).await;
        }
        Ok(())
    });
    let lines = lines(&folder, 2);
    let expected = [
        "#@ 2 region solve_it",
        "2 compute 100000000",
        "#@ 2 region dot",
        "2 allreduce 1 0 0",
        "#@ 2 leave dot",
        "#@ 2 leave solve_it",
        "2 compute 100000000",
    ];
    assert_eq!(lines[1..8], expected);
    let seconds = |factors: crate::Factors| {
        let replay = Replay::new(Trace::open(folder.path()).unwrap()).with_factors(factors);
        let replay = Rc::new(replay);
        simulation().run(async move |world| replay.main(world).await).unwrap().seconds
    };
    let mut faster = crate::Factors::default();
    let before = seconds(faster.clone());
    faster.parts.insert("solve_it".into(), 2.0);
    assert!((seconds(faster) / before - 0.75).abs() < 0.01);
}
