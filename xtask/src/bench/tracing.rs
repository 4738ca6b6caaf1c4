//! What a trace costs: the same runs with and without one, in turn.
//!
//! Each trace goes into a folder of its own, and all are removed at the end: file systems take long
//! to make files where others were just removed.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::platforms;
use crate::foretell::skeleton;
use crate::measure::{self, End};
use crate::{shell, workspace};

/// A trace may lengthen a run by this share.
const BAR: f64 = 0.3;
/// CPU seconds after which a run is stopped.
const CAP: u64 = 600;
/// Endings of the traces that are held to the bar.
const FORMATS: [&str; 2] = ["prv", "otf2"];

/// A program, its arguments, ranks and platform.
type Case = (&'static str, &'static str, u32, &'static str);

/// A second or so each.
const CASES: [Case; 4] = [
    ("ring", "20000 1024", 64, "star-10g-64"),
    ("lu_wave", "8 8 64 16 100", 64, "star-10g-64"),
    ("ring", "3000 1024", 512, "star-10g-512"),
    ("lu_wave", "16 32 64 16 15", 512, "star-10g-512"),
];

/// Seconds from start to end, and of CPU; each the least of several runs.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cost {
    wall_s: f64,
    cpu_s: f64,
}

impl Cost {
    const UNKNOWN: Cost = Cost { wall_s: f64::INFINITY, cpu_s: f64::INFINITY };

    fn least(self, other: Self) -> Self {
        Cost { wall_s: self.wall_s.min(other.wall_s), cpu_s: self.cpu_s.min(other.cpu_s) }
    }
}

/// Measures all runs; an error when a trace costs more than its bar.
pub(super) fn run(binary: &str, only: Option<&str>, repeat: u32) -> Result<()> {
    let folder = workspace::scratch("bench")?;
    let traces = workspace::scratch("bench-traces")?;
    fs::remove_dir_all(&traces)?;
    fs::create_dir(&traces)?;
    println!(
        "{:<22} {:>8} {:>8}   {:<26}{:<26}bar {:.0} % of time",
        "run",
        "time, s",
        "CPU, s",
        "more with Paraver",
        "more with OTF2",
        100.0 * BAR
    );
    let mut missed = 0;
    for case in &CASES {
        for is_compiled in [false, true] {
            let name = name(case, is_compiled);
            if only.is_none_or(|text| name.contains(text)) {
                let command = command(binary, case, is_compiled, &folder)?;
                let costs = costs(&command, repeat.max(1), &folder, &traces);
                missed += usize::from(!tell(&name, costs.with_context(|| name.clone())?));
            }
        }
    }
    fs::remove_dir_all(&traces)?;
    if missed > 0 {
        bail!("traces of {missed} runs cost more than {:.0} % of their time", 100.0 * BAR);
    }
    Ok(())
}

/// Prints a line; whether all is below the bar.
fn tell(name: &str, [without, with @ ..]: [Cost; 3]) -> bool {
    let more = |with: f64, without: f64| with / without - 1.0;
    print!("{name:<22} {:>8.3} {:>8.3}   ", without.wall_s, without.cpu_s);
    for cost in with {
        let (time, cpu) = (more(cost.wall_s, without.wall_s), more(cost.cpu_s, without.cpu_s));
        print!("{:>5.1} %, CPU {:>5.1} %     ", 100.0 * time, 100.0 * cpu);
    }
    let is_cheap = with.iter().all(|cost| more(cost.wall_s, without.wall_s) < BAR);
    println!("{}", if is_cheap { "pass" } else { "MISS" });
    is_cheap
}

fn name((program, _, ranks, _): &Case, is_compiled: bool) -> String {
    format!("{program} {ranks} {}", if is_compiled { "compiled" } else { "skeleton" })
}

/// The words of a run.
fn command(
    binary: &str,
    &(program, args, ranks, platform): &Case,
    is_compiled: bool,
    folder: &Path,
) -> Result<Vec<String>> {
    let platform = platforms::write(platform, folder)?.display().to_string();
    let ranks = ranks.to_string();
    let mut words = vec![binary, if is_compiled { "run" } else { "app" }];
    words.extend(["-n", &ranks, "-p", &platform, "--map", "block:1", "--quiet"]);
    if is_compiled {
        words.extend(["--computation", "off"]);
    }
    let mut words: Vec<String> = words.into_iter().map(str::to_owned).collect();
    words.push(if is_compiled {
        compiled(binary, program, folder)?
    } else {
        skeleton(program).to_owned()
    });
    words.extend(args.split_whitespace().map(str::to_owned));
    Ok(words)
}

/// The program of `bench/`, compiled by our wrapper.
fn compiled(binary: &str, program: &str, folder: &Path) -> Result<String> {
    let path = folder.join(format!("{program}.traced"));
    let source = workspace::root().join("bench").join(format!("{program}.c"));
    let mut compile = Command::new(Path::new(binary).with_file_name("foretell-mpicc"));
    compile.env_remove("LD_LIBRARY_PATH").args(["-O2", "-o"]).arg(&path).arg(source);
    shell::output(compile.arg("-lm"))?;
    Ok(path.display().to_string())
}

/// What a run costs without a trace and with each of them.
fn costs(command: &[String], repeat: u32, folder: &Path, traces: &Path) -> Result<[Cost; 3]> {
    let mut least = [Cost::UNKNOWN; 3];
    for _ in 0..repeat {
        let endings = std::iter::once(None).chain(FORMATS.map(Some));
        for (least, ending) in least.iter_mut().zip(endings) {
            let mut command = command.to_vec();
            if let Some(ending) = ending {
                let count = fs::read_dir(traces)?.count();
                let place = traces.join(count.to_string());
                fs::create_dir(&place)?;
                let trace = place.join(format!("trace.{ending}"));
                // Options stand before the program and its arguments.
                command.splice(2..2, ["--trace".into(), trace.display().to_string()]);
            }
            let run = measure::program(&command, folder, CAP)?;
            if run.account.end != End::Well {
                bail!("`{}` failed: {}", command.join(" "), run.stderr.trim());
            }
            let (wall_s, cpu_s) = (run.account.wall_s, run.account.cpu_s);
            *least = least.least(Cost { wall_s, cpu_s });
        }
    }
    Ok(least)
}
