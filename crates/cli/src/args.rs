//! The command line as typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::check_command::CheckCommand;
use crate::cluster_command::ClusterCommand;
use crate::collectives_command::CollectivesCommand;
use crate::kernel_options::KernelOptions;
use crate::platform_command::PlatformCommand;
use crate::replay_command::ReplayCommand;
use crate::run_command::RunCommand;
use crate::run_options::RunOptions;
use crate::skeleton::Skeleton;
use crate::trace_command::TraceCommand;
use crate::tracer_command::TracerCommand;

const EXAMPLES: &str = "\
Examples:
  foretell demo
  foretell-mpicc app.c -o app && foretell run -n 64 -p star-64 ./app
  foretell app ring -n 64 -p star-64 1000 1024
  foretell app stencil3d -n 512 -p torus-512 --map cyclic --json run.json
  foretell platform show graphene

Exit codes:
  0    all went well
  1    the simulated program failed or gave up; `run` gives the program's own code
  2    bad usage or bad input
  3    the simulated program is deadlocked
  130  interrupted";

const APP_EXAMPLES: &str = "\
Options may stand before or after the skeleton and its parameters.

Examples:
  foretell app ring -n 64 -p star-64 1000 1024
  foretell app collective -n 128 -p fat-tree-1024 --coll alltoall=ring alltoall 4096 10
  foretell app lu-wave -n 64 -p cluster.xml --map block:4 8 8 16 60 2
  foretell app pingpong -p graphene --map hosts:graphene-1,graphene-144 100 1000000
  foretell app ep -n 1024 -p dahu --quiet --json - 20
  foretell app lulesh -n 27 -p star-64 -s 30 -i 10
  foretell app nas-lu -n 64 -p graphene --class B
  foretell app hpl -p dahu -N 50000 --nb 128 -P 32 -Q 32 --bcast 2ring --depth 1

Exit codes: 0 well, 1 the program failed, 2 bad usage or input, 3 deadlock, 130 interrupted.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  foretell replay trace.ti -p star-64
  foretell replay trace.txt -np 64 -platform cluster.xml -hostfile hosts --cfg=smpi/barrier:smp

Exit codes: as for the whole command; 2 where the trace makes no sense.";

const RUN_EXAMPLES: &str = "\
Options end at the program; all after it is the program's. A colon separates programs that run
together. Without -p the machine is a star: a node of one core for each rank on one 10 Gb/s
switch. Our summary goes to standard error.

The words of mpiexec and smpirun are understood: -np N, -platform FILE, -hostfile FILE, -map,
-no-privatize, -gdb, -wrapper COMMAND, --log=…, -wdir DIR, -host a,b, -genv NAME VALUE, -ppn K,
-prepend-rank, --oversubscribe, --bind-to …, --mca NAME VALUE.

Examples:
  foretell run -n 4 ./app
  foretell run -n 64 -p cluster.toml --computation off ./app input.dat
  foretell run -n 1 -p star-64 ./master : -n 63 ./worker
  foretell run -np 16 -platform cluster.xml -hostfile hosts --cfg=smpi/alltoall:pair ./app

Exit codes: the program's own; 128 and the signal if one ended it; 2 bad usage or input.";

/// Tells how long an MPI application will run on a machine you do not have.
///
/// `run` runs a compiled MPI program on a simulated machine, every rank of it, after
/// `foretell-mpicc` has built it; `app` runs a skeleton that comes with foretell; `replay` does
/// what a trace says; `platform` is about machines; `demo` shows some of it.
#[derive(Debug, Parser)]
#[command(name = "foretell", version, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a compiled MPI program on a simulated machine
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<RunCommand>),
    /// Run a skeleton of an MPI application on a simulated machine
    #[command(after_help = APP_EXAMPLES)]
    App(Box<AppCommand>),
    /// Replay a trace of an MPI program on a simulated machine
    #[command(after_help = REPLAY_EXAMPLES)]
    Replay(Box<ReplayCommand>),
    /// List, show, check and convert machines
    #[command(subcommand)]
    Platform(PlatformCommand),
    /// Sum up and show traces that runs have written with --trace
    #[command(subcommand)]
    Trace(TraceCommand),
    /// Build the library that traces real runs, of any MPI library, for `replay`
    Tracer(TracerCommand),
    /// List collective algorithms, explain which one a library chooses, find which one wins
    #[command(subcommand)]
    Collectives(CollectivesCommand),
    /// Learn how the processors of a cluster differ, and draw clusters like it
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// List the MPI functions a program uses, and those we do not have
    Check(CheckCommand),
    /// Compile C for `run`; the same as foretell-mpicc
    Cc(CompilerWords),
    /// Compile C++ for `run`; the same as foretell-mpicxx
    Cxx(CompilerWords),
    /// Compile Fortran for `run`; the same as foretell-mpifort
    Fc(CompilerWords),
    /// Simulate a few MPI programs with thousands of ranks, in seconds
    Demo,
    /// Print the completions of a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page, or write the pages of all sub-commands
    Man {
        /// Write the pages into this folder, one per sub-command
        #[arg(long, value_name = "DIR")]
        dir: Option<PathBuf>,
    },
}

/// What goes to a compiler.
#[derive(Debug, Args)]
pub(crate) struct CompilerWords {
    /// Options and files of the compiler, and -show, -cc=NAME, --showme:link and the like
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    pub(crate) words: Vec<OsString>,
}

/// `foretell app …`.
#[derive(Debug, Args)]
pub(crate) struct AppCommand {
    #[command(flatten)]
    pub(crate) options: RunOptions,
    #[command(flatten)]
    pub(crate) kernels: KernelOptions,
    #[command(subcommand)]
    pub(crate) skeleton: Skeleton,
}

impl AppCommand {
    /// All options of the run: those after the skeleton win over those before it.
    pub(crate) fn merged(self) -> (foretell_apps::App, RunOptions, KernelOptions) {
        let Skeleton { app, options, kernels } = self.skeleton;
        (app, options.over(self.options), kernels.over(self.kernels))
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parsed(line: &str) -> RunOptions {
        let cli = Cli::try_parse_from(line.split_whitespace()).unwrap();
        let Command::App(command) = cli.command else { panic!("not an app: {line}") };
        command.merged().1
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_stand_where_one_likes() {
        let before = parsed("foretell app -n 4 -p x --cfg a:1 ring 10 20");
        assert_eq!(before, parsed("foretell app ring -n 4 10 -p x 20 --cfg a:1"));
        assert_eq!((before.ranks, before.options.as_slice()), (Some(4), &["a:1".to_owned()][..]));
    }

    #[test]
    fn options_of_both_places_come_together() {
        let both = parsed("foretell app -n 4 -p x --cfg a:1 ring -n 8 --cfg b:2");
        assert_eq!((both.ranks, both.platform.as_deref()), (Some(8), Some("x")));
        assert_eq!(both.options, ["a:1", "b:2"]);
    }
}
