//! `foretell collectives`: algorithms listed, choices explained, winners found.

mod explain;
mod list;
pub(crate) mod rules;
mod tune;

use std::process::ExitCode;

use anyhow::Result;
use clap::Subcommand;

use crate::output;
use explain::Explain;
use tune::Tune;

/// What to do with collectives.
#[derive(Debug, Subcommand)]
pub(crate) enum CollectivesCommand {
    /// Name the algorithms of each collective operation, and the libraries whose rules there are
    List {
        /// Only this operation
        operation: Option<String>,
    },
    /// Tell which algorithm runs, and by which rule
    Explain(Explain),
    /// Print the rules of a library, to be read, or changed and given to --collectives
    Rules {
        /// A library of `collectives list`
        library: String,
    },
    /// Simulate every algorithm of an operation on a machine: which one wins, how far libraries
    /// are from it, rules with the winners, a page with the curves
    #[command(after_help = tune::EXAMPLES)]
    Tune(Box<Tune>),
}

/// Does it.
pub(crate) fn run(command: CollectivesCommand) -> Result<ExitCode> {
    match command {
        CollectivesCommand::List { operation } => list::run(operation.as_deref()),
        CollectivesCommand::Explain(question) => explain::run(&question),
        CollectivesCommand::Tune(study) => tune::run(&study),
        CollectivesCommand::Rules { library } => {
            output::print(rules::library(&library)?.text())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}
