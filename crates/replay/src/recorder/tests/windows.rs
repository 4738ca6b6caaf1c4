//! One-sided communication: windows, epochs, operations.

use foretell_mpi::{Back, Group, LockKind, Memories, Window, WindowOperation};

use super::*;

fn operation(target: u32, bytes: u64, returned: Option<u64>, is_ordered: bool) -> WindowOperation {
    let back = returned.map(|bytes| Back { bytes, land: Box::new(drop) });
    WindowOperation { target, bytes, is_ordered, apply: Box::new(Box::default), back }
}

async fn fences(window: &Window) -> Result<()> {
    let (own, size) = (window.comm().rank(), window.comm().size());
    window.fence(false).await?;
    window.operate(operation((own + 1) % size, 80_000, None, false)).await?;
    window.operate(operation((own + 2) % size, 16, Some(8_000), false)).await?;
    window.fence(false).await?;
    window.operate(operation(0, 800, None, true)).await?;
    window.operate(operation(0, 24, Some(8), true)).await?;
    window.fence(true).await
}

async fn epochs(window: &Window) -> Result<()> {
    let (own, size) = (window.comm().rank(), window.comm().size());
    let world = |rank: u32| window.comm().group().world_rank(rank % size);
    let (next, last) = (world(own + 1), world(own + size - 1));
    window.post(&Group::new(vec![last]))?;
    window.start(&Group::new(vec![next]))?;
    window.operate(operation((own + 1) % size, 50_000, None, false)).await?;
    window.complete().await?;
    if own % 2 == 0 {
        return window.wait().await;
    }
    while !window.test().await? {
        window.comm().compute(1e4).await;
    }
    Ok(())
}

async fn locks(window: &Window) -> Result<()> {
    let (own, size) = (window.comm().rank(), window.comm().size());
    let next = (own + 1) % size;
    // Who asks first gets the lock first, so none asks at the same date as another.
    window.comm().compute(3e5 * f64::from(own)).await;
    window.lock(0, LockKind::Exclusive, false).await?;
    window.operate(operation(0, 8_000, None, false)).await?;
    window.unlock(0).await?;
    window.lock(next, LockKind::Shared, true).await?;
    let first = window.operate_with_request(operation(next, 100_000, None, false)).await?;
    let second = window.operate_with_request(operation(next, 16, Some(9_000), false)).await?;
    window.comm().compute(1e5).await;
    window.flush(Some(next)).await?;
    window.comm().wait_all(&mut [second, first]).await?;
    window.unlock(next).await?;
    window.lock_all(false).await?;
    for target in 0..size {
        window.operate(operation(target, 24, Some(8), true)).await?;
    }
    window.flush(None).await?;
    window.sync().await;
    window.unlock_all().await
}

async fn all_of(comm: &Comm) -> Result<()> {
    let window = comm.window(Memories::Dynamic(Vec::new())).await?;
    for _ in 0..2 {
        comm.compute(1e5 * f64::from(comm.rank())).await;
        fences(&window).await?;
        epochs(&window).await?;
        locks(&window).await?;
    }
    window.free().await
}

#[test]
fn one_sided_communication_is_told_and_takes_the_same_time() {
    let folder = check(async |world| all_of(&world).await);
    let lines = lines(&folder, 1);
    let expected = [
        "win_create 0",
        "compute 100000",
        "win_fence 0",
        "put 0 2 80000",
        "get 0 3 8000",
        "win_fence 0",
        "accumulate 0 0 800",
        "accumulate 0 0 24 8",
        "win_fence 0 last",
        "win_post 0 0:1:1",
        "win_start 0 2:1:1",
        "put 0 2 50000",
        "win_complete 0",
    ];
    assert_eq!(lines[1..14], expected.map(|line| format!("1 {line}")));
    for line in [
        "1 win_wait 0",
        "1 win_lock 0 0 exclusive",
        "1 win_lock 0 2 shared unchecked",
        "1 later 1",
        "1 win_flush 0 2",
        "1 await 0",
        "1 win_unlock 0 2",
        "1 win_lock_all 0",
        "1 win_flush 0",
        "1 win_unlock_all 0",
        "1 win_free 0",
    ] {
        assert!(lines.contains(&line.to_owned()), "{line}: {lines:?}");
    }
    assert!(!lines.iter().any(|line| line.contains("barrier")), "{lines:?}");
}

#[test]
fn windows_of_some_ranks_are_told_with_their_communicators() {
    let folder = check(async |world| {
        let half = world.split(Some(world.rank() as i32 % 2), -(world.rank() as i32)).await?;
        let Some(half) = half else { return Ok(()) };
        all_of(&half).await?;
        all_of(&world).await?;
        all_of(&half).await
    });
    let lines = lines(&folder, 1);
    assert_eq!(lines.iter().filter(|line| *line == "1 win_create 0").count(), 3, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("within")).count(), 2, "{lines:?}");
}

#[test]
fn windows_of_compact_traces_go_round_in_loops() {
    let size_of = |turns: u32| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("small.fti");
        let recorder = Recorder::create(&path, RANKS).unwrap();
        let main = async move |world: Comm| -> Result<()> {
            let window = world.window(Memories::Dynamic(Vec::new())).await?;
            window.fence(false).await?;
            for _ in 0..turns {
                world.compute(1e5).await;
                window.operate(operation((world.rank() + 1) % RANKS, 800, None, false)).await?;
                window.fence(false).await?;
            }
            window.free().await
        };
        let report = simulation().listener(recorder.clone()).run(main).unwrap();
        assert_eq!(recorder.finish().unwrap(), Recorded::default());
        let again = replayed(&path);
        assert!((again.seconds - report.seconds).abs() < 1e-9 * report.seconds);
        assert_eq!(again.counters, report.counters);
        fs::metadata(&path).unwrap().len()
    };
    assert!(size_of(1000) <= size_of(10) + 2, "{} {}", size_of(1000), size_of(10));
    assert!(size_of(1000) < 200, "{}", size_of(1000));
}

/// What is wrong with a trace of one rank.
fn refused(text: &str) -> String {
    let file = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
    fs::write(file.path(), text).unwrap();
    let trace = Trace::open_as(file.path(), foretell_trace::Form::TimeIndependent).unwrap();
    let replay = Rc::new(Replay::new(trace));
    let running = replay.clone();
    let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(1);
    simulation.run(async move |world| running.main(world).await).unwrap_err();
    let problem = replay.take_problem().expect("the trace is at fault").to_string();
    problem.replace(&file.path().display().to_string(), "t")
}

#[test]
fn what_a_trace_has_no_right_to_do_with_windows_is_told_with_its_place() {
    let told = refused("0 init\n0 win_fence 3\n");
    assert_eq!(told, "t:2: there is no window 3; a win_create makes one");
    let told = refused("0 init\n0 win_create 0\n0 put 0 0 8\n");
    assert!(told.starts_with("t:3: rank 0 is the target of an operation outside"), "{told}");
    let told = refused("0 init\n0 win_create 0\n0 win_lock 0 0 sharde\n");
    assert!(told.starts_with("t:3: expected shared or exclusive, not `sharde`"), "{told}");
    assert!(told.ends_with("rank win_lock window target shared|exclusive [unchecked]"), "{told}");
    let told = refused("0 init\n0 win_create 0\n0 get 0 9 8\n");
    assert!(told.starts_with("t:3: expected one of 1 ranks, not 9"), "{told}");
}
