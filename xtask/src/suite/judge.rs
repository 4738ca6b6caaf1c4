//! Runs a test and judges its end by the suite's rules: exit code 0 and one line "No Errors",
//! unless the list says otherwise.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::build::{Builder, NO_SOURCE};
use super::list::Test;

/// A test that takes longer hangs.
const LONGEST: Duration = Duration::from_secs(300);

/// What became of a test.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Passed,
    Failed(String),
    /// MPICH's own lists leave it out, or its source is not shipped.
    LeftOut,
}

/// Builds and runs a test, in a folder of its own.
pub(super) fn run(builder: &Builder, test: &Test, number: usize) -> Verdict {
    if test.left_out {
        return Verdict::LeftOut;
    }
    let program = match builder.program(&test.directory, &test.program) {
        Ok(program) => program,
        Err(why) if why == NO_SOURCE => return Verdict::LeftOut,
        Err(why) => return Verdict::Failed(why),
    };
    let folder = builder.built.join("runs").join(number.to_string());
    match simulate(builder, test, &program, &folder) {
        Ok(Some(output)) => judge(test, &output),
        Ok(None) => Verdict::Failed(format!("did not end within {} s", LONGEST.as_secs())),
        Err(error) => Verdict::Failed(format!("cannot be run: {error}")),
    }
}

/// What a test printed, and its end; none if it did not come to one in time.
fn simulate(
    builder: &Builder,
    test: &Test,
    program: &Path,
    folder: &Path,
) -> std::io::Result<Option<Output>> {
    std::fs::remove_dir_all(folder).ok();
    std::fs::create_dir_all(folder)?;
    let log = std::fs::File::create(folder.join("output.txt"))?;
    let mut command = Command::new(builder.bin.join("foretell"));
    command.args(["run", "-q", "--computation", "off", "-n", &test.ranks.to_string()]);
    command.arg(program).args(&test.arguments).envs(test.environment.iter().cloned());
    command.env_remove("LD_LIBRARY_PATH").current_dir(folder);
    let mut child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
    let begin = Instant::now();
    let status = loop {
        match child.try_wait()? {
            Some(status) => break status,
            None if begin.elapsed() > LONGEST => {
                child.kill()?;
                child.wait()?;
                return Ok(None);
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let stdout = std::fs::read(folder.join("output.txt"))?;
    std::fs::remove_dir_all(folder).ok();
    Ok(Some(Output { status, stdout, stderr: Vec::new() }))
}

fn judge(test: &Test, output: &Output) -> Verdict {
    let text = String::from_utf8_lossy(&output.stdout);
    let is_good = |line: &&str| line.trim().eq_ignore_ascii_case("no errors");
    let is_noise = |line: &&str| {
        line.trim().is_empty() || line.contains("FORTRAN STOP") || line.trim() == "Test passed"
    };
    let good = text.lines().filter(is_good).count();
    let other = text.lines().find(|line| !is_good(line) && !is_noise(line));
    let passed = match test.rule.as_deref() {
        Some("TestStatus" | "TestErrFatal") => !output.status.success(),
        Some("TestStatusNoErrors") => !output.status.success() && good > 0 && other.is_none(),
        _ => output.status.success() && good == 1 && other.is_none(),
    };
    match passed {
        true => Verdict::Passed,
        false => Verdict::Failed(format!("{}; {}", output.status, other.unwrap_or("no complaint"))),
    }
}
