//! `foretell demo`: a C program that is compiled and simulated, and a few skeletons with thousands
//! of ranks, each in a moment.

mod program;

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser;

use crate::args::{Cli, Command};
use crate::figures::{count, many, result, time};
use crate::interrupt::Interrupt;
use crate::notes;
use crate::output::print;
use crate::progress::Follower;
use crate::run::{Outcome, Plan, Work};
use crate::run_options::Progress;
use crate::summary;

/// What is shown: a sentence, and the command that does it.
const SCENES: [(&str, &str); 5] = [
    (
        "Halo exchange with 26 neighbours, 4,096 ranks on a 16 x 16 x 16 torus",
        "foretell app stencil3d -n 4096 -p torus-4096 --map block:1 4 32 26",
    ),
    (
        "The same on a star: one ideal switch",
        "foretell app stencil3d -n 4096 -p star-4096 --map block:1 4 32 26",
    ),
    (
        "All-to-all of 4 KiB blocks, 1,024 ranks on a fat tree",
        "foretell app collective -n 1024 -p fat-tree-1024 --map block:1 alltoall 4096 1",
    ),
    (
        "All-to-all of 16 KiB blocks, the 144 nodes of the graphene cluster, Gigabit Ethernet",
        "foretell app collective -n 144 -p graphene --map block:1 --cfg precision/timing:1e-12 alltoall 16384 2",
    ),
    (
        "LU wavefronts, 1,024 ranks on a dragonfly",
        "foretell app lu-wave -n 1024 -p dragonfly-1024 --map block:1 32 32 16 60 2",
    ),
];

const NEXT: &str = "\
Next: `foretell-mpicc` and `foretell run --help` for your own program, `foretell app --help` for
skeletons, `foretell platform list` for machines.
";

/// Runs all scenes.
pub(crate) fn run() -> Result<ExitCode> {
    print("MPI programs on machines you do not have, simulated here and now.\n\n")?;
    if let Some(program::Missing(why)) = program::run()? {
        notes::warning(&format!(
            "no compiled program is shown, only skeletons: {why}\n  with gcc installed, and the \
             library built by `cargo build --release` or installed, one is"
        ));
    }
    let interrupt = Interrupt::listen();
    for (title, command) in SCENES {
        print(&format!("{title}\n  $ {command}\n"))?;
        let outcome =
            simulate(command, interrupt.clone()).with_context(|| format!("`{command}` failed"))?;
        print(&told(&outcome))?;
    }
    print(NEXT)?;
    Ok(ExitCode::SUCCESS)
}

fn simulate(command: &str, interrupt: Interrupt) -> Result<Outcome> {
    let cli = Cli::try_parse_from(command.split_whitespace())?;
    let Command::App(command) = cli.command else { bail!("not an app") };
    let (app, options, kernels) = command.merged();
    let plan = Plan::new(Work::App(app), &options, &kernels)?;
    plan.run(Follower::new(Progress::Auto, interrupt))
}

fn told(outcome: &Outcome) -> String {
    let speed = match summary::rate(outcome) {
        Some(rate) => format!(", {} messages/s", many(rate)),
        None => String::new(),
    };
    format!(
        "  takes {} there with {} messages; {} here{speed}\n\n",
        result(outcome.report.seconds),
        count(outcome.report.counters.messages),
        time(outcome.usage.wall_s)
    )
}
