//! A skeleton with the options of its run.
//!
//! Options are accepted before the skeleton's name and after it. Clap's own global options would
//! keep the last place only, which loses a `--cfg` given in the other; so every skeleton gets the
//! options as its own, and both places are merged.

use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Subcommand};
use foretell_apps::App;

use crate::kernel_options::KernelOptions;
use crate::run_options::RunOptions;

/// A skeleton, and the options given after its name.
#[derive(Debug, Clone)]
pub(crate) struct Skeleton {
    pub(crate) app: App,
    pub(crate) options: RunOptions,
    pub(crate) kernels: KernelOptions,
}

impl FromArgMatches for Skeleton {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let app = App::from_arg_matches(matches)?;
        let (_, own) = matches.subcommand().expect("a skeleton was just read from it");
        let options = RunOptions::from_arg_matches(own)?;
        Ok(Self { app, options, kernels: KernelOptions::from_arg_matches(own)? })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Subcommand for Skeleton {
    fn augment_subcommands(command: Command) -> Command {
        App::augment_subcommands(command).mut_subcommands(with_options)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        App::augment_subcommands_for_update(command).mut_subcommands(with_options)
    }

    fn has_subcommand(name: &str) -> bool {
        App::has_subcommand(name)
    }
}

fn with_options(skeleton: Command) -> Command {
    // What the options say about themselves must not replace what the skeleton does.
    let about = skeleton.get_about().cloned().unwrap_or_default();
    let skeleton = KernelOptions::augment_args(RunOptions::augment_args(skeleton));
    skeleton.about(about).long_about(None)
}
