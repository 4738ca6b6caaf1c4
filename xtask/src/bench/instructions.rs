//! Instructions per message: the difference between a long and a short run over the extra messages.
//!
//! Start-up cancels out, and so does the noise of a shared machine.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::configuration::{Configuration, Suite};
use super::platforms;
use crate::foretell::Request;
use crate::packages::{self, Policy};
use crate::workspace;

/// A message may cost this many instructions.
const BAR: f64 = 3000.0;

/// Fewer than this, and the program did not do the work.
const LEAST: f64 = 10.0;

/// A pattern: its name, program, ranks, platform, long and short arguments, and what SimGrid 4.1.1
/// spends on one message.
type Pattern = (&'static str, &'static str, u32, &'static str, &'static str, &'static str, f64);

const PATTERNS: &[Pattern] = &[
    ("pingpong 2", "pingpong", 2, "star-10g-64", "20000 8", "2000 8", 33_100.0),
    ("ring 64", "ring", 64, "star-10g-64", "300 1024", "30 1024", 35_500.0),
    ("ring 512", "ring", 512, "star-10g-512", "50 1024", "10 1024", 36_500.0),
    ("lu-wave 64", "lu_wave", 64, "star-10g-64", "8 8 64 16 5", "8 8 64 16 1", 46_000.0),
    ("stencil26 64", "stencil3d", 64, "star-10g-64", "20 16 26 0", "4 16 26 0", 53_300.0),
    (
        "alltoall pair 64",
        "coll",
        64,
        "star-10g-64",
        "alltoall 1024 10",
        "alltoall 1024 2",
        30_200.0,
    ),
    (
        "allreduce rdb 1024",
        "coll",
        1024,
        "star-10g-1024",
        "allreduce 8 8",
        "allreduce 8 2",
        30_800.0,
    ),
];

/// Counts every pattern; an error when one costs more than its bar or cannot be counted.
pub(super) fn run(binary: &str, only: Option<&str>, policy: Policy) -> Result<()> {
    if !packages::VALGRIND.ready(policy) {
        bail!("{}; it counts the instructions", packages::VALGRIND.hint());
    }
    println!(
        "{:<20} {:>12} {:>14} {:>8}  bar {BAR} instructions",
        "pattern", "per message", "SimGrid 4.1.1", "ratio"
    );
    let mut missed = 0;
    for pattern in PATTERNS.iter().filter(|p| only.is_none_or(|text| p.0.contains(text))) {
        let (name, .., theirs) = *pattern;
        let per_message = per_message(binary, pattern).with_context(|| name.to_owned())?;
        let verdict = if per_message <= BAR { "pass" } else { "MISS" };
        missed += usize::from(per_message > BAR);
        println!(
            "{name:<20} {per_message:>12.0} {theirs:>14} {:>8.1}  {verdict}",
            theirs / per_message
        );
    }
    if missed > 0 {
        bail!("{missed} patterns cost more than {BAR} instructions a message");
    }
    Ok(())
}

fn per_message(binary: &str, pattern: &Pattern) -> Result<f64> {
    let (_, program, ranks, platform, long, short, _) = *pattern;
    let row = |args| Configuration::new(Suite::P2p, program, args, ranks, platform);
    let (long, short) = (row(long), row(short));
    let extra = long.messages() - short.messages();
    let per_message = (count(binary, &long)? - count(binary, &short)?) / extra;
    if per_message < LEAST {
        bail!("{per_message:.1} instructions a message; the messages cannot have been simulated");
    }
    Ok(per_message)
}

fn count(binary: &str, row: &Configuration) -> Result<f64> {
    let platform = platforms::write(row.platform, &workspace::scratch("bench")?)?;
    let request = Request {
        program: row.program,
        trace: None,
        args: row.args,
        ranks: row.ranks,
        platform: &platform.to_string_lossy(),
        placement: "block:1",
        options: row.options.clone(),
    };
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .args(request.command(binary))
        .stdin(Stdio::null())
        .output()
        .context("cannot start valgrind")?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("the counted run failed: {}", log.lines().last().unwrap_or("no message"));
    }
    collected(&log).context("valgrind printed no instruction count")
}

/// The count in valgrind's closing line, `==12345== Collected : 67890`.
fn collected(log: &str) -> Option<f64> {
    let line = log.lines().find_map(|line| line.split_once("Collected : "))?;
    line.1.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_log() {
        let log = "==7== Events    : Ir\n==7== Collected : 1234567\n==7==\n";
        assert_eq!(collected(log), Some(1_234_567.0));
        assert_eq!(collected("==7== nothing\n"), None);
    }

    #[test]
    fn the_long_run_has_more_messages() {
        for (name, program, ranks, platform, long, short, _) in PATTERNS {
            let messages =
                |args| Configuration::new(Suite::P2p, program, args, *ranks, platform).messages();
            assert!(messages(long) > messages(short), "{name}");
        }
    }
}
