//! What one program used: wall time, CPU time and peak memory of its whole process tree.
//!
//! The figures come from the kernel's account of a parent's dead children, which never forgets a
//! child. So each measured program gets a parent of its own: `bench` starts this binary again as
//! `measure`, which runs the program, waits, and writes the account to a file.

use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use nix::sys::resource::{Resource, UsageWho, getrusage, setrlimit};
use nix::sys::signal::{Signal, killpg};
use nix::sys::time::TimeVal;
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

/// Arguments of the hidden command.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Where to write the account, as JSON
    #[arg(long)]
    report: PathBuf,
    /// CPU seconds after which the program is stopped; eight times that of wall time
    #[arg(long)]
    cap: u64,
    /// The program and its arguments
    #[arg(last = true, required = true)]
    program: Vec<String>,
}

/// What a program used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Account {
    /// How it ended.
    pub(crate) end: End,
    /// Seconds from start to end.
    pub(crate) wall_s: f64,
    /// User plus system time of the process tree.
    pub(crate) cpu_s: f64,
    /// Largest resident set of any process of the tree.
    pub(crate) peak_rss_bytes: u64,
}

/// How a measured program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum End {
    /// Exit code zero.
    Well,
    /// Stopped at the cap.
    Capped,
    /// Anything else, in words.
    Badly(String),
}

/// A finished run: its account and what it printed.
#[derive(Debug, Clone)]
pub(crate) struct Run {
    /// What it used.
    pub(crate) account: Account,
    /// Its standard output.
    pub(crate) stdout: String,
    /// Its standard error.
    pub(crate) stderr: String,
}

/// Runs `program` in `directory` under its own accountant, stopping it after `cap` CPU seconds.
pub(crate) fn program(program: &[String], directory: &Path, cap: u64) -> Result<Run> {
    let report = directory.join(format!("account-{}.json", std::process::id()));
    let mut command = Command::new(std::env::current_exe().context("cannot find this program")?);
    command.arg("measure").arg("--report").arg(&report).arg("--cap").arg(cap.to_string());
    command.arg("--").args(program).current_dir(directory).stdin(Stdio::null());
    // Cargo puts its folders there, and with them the library as it is built for tests, which is
    // slower than the one that programs were linked with.
    command.env_remove("LD_LIBRARY_PATH");
    let output = command.output().context("cannot start the accountant")?;
    let text = fs::read_to_string(&report).with_context(|| {
        format!("no account of `{}`: {}", program.join(" "), lossy(&output.stderr))
    })?;
    fs::remove_file(&report).ok();
    let account = serde_json::from_str(&text).context("the account is not readable")?;
    Ok(Run { account, stdout: lossy(&output.stdout), stderr: lossy(&output.stderr) })
}

/// The hidden command: runs the program as the only child and writes its account.
pub(crate) fn run(options: &Options) -> Result<()> {
    setrlimit(Resource::RLIMIT_CPU, options.cap, options.cap + 5)?;
    let start = Instant::now();
    let mut child = Command::new(&options.program[0])
        .args(&options.program[1..])
        .process_group(0)
        .spawn()
        .with_context(|| format!("cannot start {}", options.program[0]))?;
    let deadline = Duration::from_secs(8 * options.cap);
    let mut late = false;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > deadline && !late {
            late = true;
            killpg(Pid::from_raw(child.id().cast_signed()), Signal::SIGKILL).ok();
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let wall_s = start.elapsed().as_secs_f64();
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu_s = seconds(usage.user_time()) + seconds(usage.system_time());
    let capped = late || (!status.success() && cpu_s >= options.cap.saturating_sub(1) as f64);
    let account = Account {
        end: if capped { End::Capped } else { end(status) },
        wall_s,
        cpu_s,
        // Linux counts in KiB.
        peak_rss_bytes: usage.max_rss().cast_unsigned() * 1024,
    };
    fs::write(&options.report, serde_json::to_string(&account)?).context("cannot write the account")
}

fn end(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(0), _) => End::Well,
        (Some(code), _) => End::Badly(format!("exit code {code}")),
        (None, Some(signal)) => End::Badly(format!("signal {signal}")),
        (None, None) => End::Badly("unknown end".into()),
    }
}

fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + 1e-6 * time.tv_usec() as f64
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account_of(script: &str, cap: u64) -> Account {
        let name = format!("xtask-measure-{}-{}", std::process::id(), script.len());
        let report = std::env::temp_dir().join(name);
        let program = ["sh", "-c", script].map(String::from).to_vec();
        // The limit would stick to the test's own process, so it is generous here.
        run(&Options { report: report.clone(), cap, program }).unwrap();
        let text = fs::read_to_string(&report).unwrap();
        fs::remove_file(report).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_good_end_has_a_wall_time_and_memory() {
        let account = account_of("sleep 0.05", 3600);
        assert_eq!(account.end, End::Well);
        assert!(account.wall_s >= 0.05);
        assert!(account.peak_rss_bytes > 0);
    }

    #[test]
    fn an_exit_code_is_told() {
        assert_eq!(account_of("exit 7", 3600).end, End::Badly("exit code 7".into()));
    }
}
