//! Files: each access takes the time of the storage of the machine that replays it.

use foretell_mpi::{Access, FileCall, FileDeed};

use super::*;

const SLOW: &str = "[storage]\nread = \"100MBps\"\nwrite = \"50MBps\"\nlatency = \"2ms\"";
const FAST: &str = "[storage]\nread = \"1GBps\"\nwrite = \"500MBps\"\nlatency = \"200us\"";

/// Six nodes with this storage.
fn machine(storage: &str) -> Simulation {
    let text = format!(
        "[nodes]\ncount = 6\nspeed = \"1Gf\"\n[network]\nbandwidth = \"1GBps\"\n\
         latency = \"1us\"\n{storage}"
    );
    Simulation::new(foretell_platform::toml_format::read(&text).unwrap()).ranks(RANKS)
}

/// Opens a file, reads and writes alone and together, at once and beside, and closes it.
async fn use_files(world: Comm) -> Result<()> {
    world.begin_deed();
    world.file_call(FileCall::Open, [0, 0]).await?;
    let file = world.dup().await?;
    file.access(Access::Read, 0).await;
    world.end_deed(FileDeed::Open);
    file.file_call(FileCall::SetView, [0, 0]).await?;
    let bytes = 100_000 * u64::from(world.rank() + 1);
    file.access(Access::Write, bytes).await;
    world.compute(1e6).await;
    file.begin_deed();
    file.file_call(FileCall::WriteAll, [0, 8]).await?;
    file.access(Access::Write, bytes).await;
    file.end_deed(FileDeed::Together(Access::Write, bytes));
    let beside = file.start_access(Access::Read, bytes);
    world.compute(1e5).await;
    world.wait(beside).await?;
    let share = move |_| ((), Access::Read, bytes);
    let told = (Access::Read, bytes);
    let beside = file.file_call_later(FileCall::ReadAll, [0, 8], told, share);
    world.barrier().await?;
    world.complete(beside).await?;
    file.file_call(FileCall::Close, [0, 0]).await.map(drop)
}

/// Captures the program on this machine.
fn captured_on(storage: &str, path: &Path) -> (Report, Recorded) {
    let recorder = Recorder::create(path, RANKS).unwrap();
    let report = machine(storage).listener(recorder.clone()).run(use_files).unwrap();
    (report, recorder.finish().unwrap())
}

fn replayed_on(storage: &str, path: &Path) -> Report {
    let replay = Rc::new(Replay::new(Trace::open(path).unwrap()));
    machine(storage).run(async move |world| replay.main(world).await).unwrap()
}

#[test]
fn files_take_the_time_of_the_machine_that_replays_them() {
    let folder = tempfile::tempdir().unwrap();
    let machines = [SLOW, FAST, ""];
    let [slow, fast, none] = machines.map(|storage| captured_on(storage, folder.path()).0);
    assert!(slow.seconds > 2.0 * fast.seconds && fast.seconds > none.seconds);
    let all = [slow, fast, none];
    // Where files take no time, nothing goes on beside a rank.
    for captured in [SLOW, FAST] {
        let (_, recorded) = captured_on(captured, folder.path());
        assert_eq!(recorded.untold, []);
        for (storage, report) in machines.iter().zip(&all) {
            let again = replayed_on(storage, folder.path());
            let difference = (again.seconds - report.seconds).abs() / report.seconds;
            assert!(difference < 1e-9, "{} s, and {} s", report.seconds, again.seconds);
            assert_eq!(again.counters, report.counters);
        }
    }
}

#[test]
fn files_are_told_by_words_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let (_, recorded) = captured_on(SLOW, folder.path());
    let expected = [
        "1 init",
        "1 file_open",
        "1 comm_def 4 0:6:1",
        "1 within 4",
        "1 file_meet",
        "1 file_write 200000",
        "1 compute 1000000",
        "1 within 4",
        "1 file_write_all 200000",
        "1 later 0",
        "1 file_read 200000",
        "1 compute 100000",
        "1 await 0",
    ];
    let lines = lines(&folder, 1);
    assert_eq!(lines[..expected.len()], expected);
    let ends = [
        "1 within 4",
        "1 later 0",
        "1 file_read_all 200000",
        "1 barrier",
        "1 await 0",
        "1 within 4",
        "1 file_close",
        "1 finalize",
    ];
    assert_eq!(lines[lines.len() - ends.len()..], ends);
    let told = recorded.warning().unwrap();
    for word in ["file_open", "file_write", "file_read_all"] {
        assert!(told.contains(word), "{told}");
    }
}

#[test]
fn looks_whether_a_file_was_read_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let looks = async |world: Comm| {
        let mut beside = world.start_access(Access::Read, 1_000);
        while world.test(&mut beside).await?.is_none() {
            world.compute(1e6).await;
        }
        Ok(())
    };
    for (storage, expected) in [
        (SLOW, ["2 init", "2 later 0", "2 file_read 1000"]),
        ("", ["2 init", "2 file_read 1000", "2 finalize"]),
    ] {
        let recorder = Recorder::create(folder.path(), RANKS).unwrap();
        let report = machine(storage).listener(recorder.clone()).run(looks).unwrap();
        recorder.finish().unwrap();
        let again = replayed_on(storage, folder.path());
        let difference = (again.seconds - report.seconds).abs();
        let both = (storage, report.seconds, again.seconds);
        assert!(difference <= 1e-9 * report.seconds, "{both:?}");
        let lines = lines(&folder, 2);
        assert_eq!(lines[..3], expected);
        assert_eq!(lines.contains(&"2 await 0".to_owned()), storage == SLOW);
    }
}

#[test]
fn the_compact_form_takes_the_same_time() {
    let folder = tempfile::tempdir().unwrap();
    let small = folder.path().join("small.fti");
    let (report, recorded) = captured_on(SLOW, &small);
    assert_eq!(recorded, Recorded::default());
    let again = replayed_on(SLOW, &small);
    assert!((again.seconds - report.seconds).abs() < 1e-9 * report.seconds);
    assert_eq!(again.counters, report.counters);
}
