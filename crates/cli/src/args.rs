//! The command line as typed.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::platform_command::PlatformCommand;
use crate::run_options::RunOptions;
use crate::skeleton::Skeleton;

const EXAMPLES: &str = "\
Examples:
  foretell demo
  foretell app ring -n 64 -p star-64 1000 1024
  foretell app stencil3d -n 512 -p torus-512 --map cyclic --json run.json
  foretell platform show graphene

Exit codes:
  0    all went well
  1    the simulated program failed or gave up
  2    bad usage or bad input
  3    the simulated program is deadlocked
  130  interrupted";

const APP_EXAMPLES: &str = "\
Options may stand before or after the skeleton and its parameters.

Examples:
  foretell app ring -n 64 -p star-64 1000 1024
  foretell app collective -n 128 -p fat-tree-1024 --cfg smpi/alltoall:ring alltoall 4096 10
  foretell app lu-wave -n 64 -p cluster.xml --map block:4 8 8 16 60 2
  foretell app pingpong -p graphene --map hosts:graphene-1,graphene-144 100 1000000
  foretell app ep -n 1024 -p dahu --quiet --json - 20

Exit codes: 0 well, 1 the program failed, 2 bad usage or input, 3 deadlock, 130 interrupted.";

/// Tells how long an MPI application will run on a machine you do not have.
///
/// A skeleton of the application runs on a simulated machine: `app` runs one of those that come
/// with foretell, `platform` is about machines, `demo` shows both.
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
    /// Run a skeleton of an MPI application on a simulated machine
    #[command(after_help = APP_EXAMPLES)]
    App(Box<AppCommand>),
    /// List, show, check and convert machines
    #[command(subcommand)]
    Platform(PlatformCommand),
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

/// `foretell app …`.
#[derive(Debug, Args)]
pub(crate) struct AppCommand {
    #[command(flatten)]
    pub(crate) options: RunOptions,
    #[command(subcommand)]
    pub(crate) skeleton: Skeleton,
}

impl AppCommand {
    /// All options of the run: those after the skeleton win over those before it.
    pub(crate) fn merged(self) -> (foretell_apps::App, RunOptions) {
        (self.skeleton.app, self.skeleton.options.over(self.options))
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
