//! The options of a run of a compiled program, beside those of any run.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use foretell_launch::{Clock, LargePages, Libraries, Privacy};
use foretell_units::{Bytes, FlopPerSecond};

/// How the program runs.
#[derive(Debug, Clone, Default, PartialEq, Args)]
#[command(next_help_heading = "Program")]
pub(super) struct ProgramOptions {
    /// What the program's own computation costs: `measured`, the time it takes here, scaled (the
    /// default); `off`, nothing
    #[arg(long, value_name = "HOW")]
    pub(super) computation: Option<ComputationChoice>,
    /// The speed of this computer, such as 10Gf: each host takes as long as its own speed says
    #[arg(long, value_name = "SPEED", conflicts_with = "speed_ratio")]
    pub(super) host_speed: Option<FlopPerSecond>,
    /// Simulated seconds for each second measured here [default: 1]
    #[arg(long, value_name = "X", value_parser = positive)]
    pub(super) speed_ratio: Option<f64>,
    /// The clock that measures: `monotonic`, or `cpu` if other work runs on this computer
    #[arg(long, value_name = "CLOCK")]
    pub(super) clock: Option<ClockChoice>,
    /// Bytes of each rank's stack, such as 256KiB
    #[arg(long, value_name = "SIZE")]
    pub(super) stack_size: Option<Bytes>,
    /// How ranks get globals of their own: `images` (the default), `copies`, or `off`
    #[arg(long, value_name = "HOW")]
    pub(super) privatise: Option<PrivacyChoice>,
    /// Libraries whose globals are private too: `all` but the system's (the default), `none`, or
    /// names such as libfoo,libbar
    #[arg(long, value_name = "NAMES", value_parser = libraries)]
    pub(super) private_libs: Option<Libraries>,
    /// What calls of libforetell_blas do: `skip=` (the time of a kernel model instead), `compute=` or
    /// `both=` with routines, such as skip=dgemm,dtrsm, or `all`; may be repeated [default: skip=all
    /// both=dcopy,dswap,idamax]
    #[arg(long, value_name = "WORDS", value_parser = blas)]
    pub(super) blas: Vec<String>,
    /// Check how the program uses MPI: collectives and types that do not match, buffers that
    /// overlap, objects never freed, sends that rely on buffering; exit code 4 if any is found
    #[arg(long)]
    pub(super) check: bool,
    /// Let ranks compute on so many cores of this computer at a time, as long as computation is
    /// not measured; nothing that is simulated depends on it [default: all that may be used]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub(super) cores: Option<u32>,
    /// Whether to ask for large pages: `auto` (the default), for large arrays among the globals,
    /// if those of all ranks fit into a quarter of the free memory, and for the heap of many ranks;
    /// `always`; `never`
    #[arg(long, value_name = "WHEN")]
    pub(super) large_pages: Option<LargePagesChoice>,
    /// Put the rank before each line it prints
    #[arg(short, long, help_heading = "Output")]
    pub(super) label: bool,
    /// Tell on which host each rank runs
    #[arg(long, help_heading = "Output")]
    pub(super) display_map: bool,
    /// Let --trace tell from which lines of the source MPI is called, of programs compiled with -g
    #[arg(long, requires = "trace", help_heading = "Output")]
    pub(super) trace_lines: bool,
    /// Hosts to run on, in turn: the same as --map hosts:a,b
    #[arg(long, value_name = "HOSTS", conflicts_with_all = ["map", "hostfile"])]
    pub(super) host: Option<String>,
    /// Set a variable of the program's environment; may be repeated
    #[arg(short = 'x', long = "env", value_name = "NAME=VALUE")]
    pub(super) environment: Vec<String>,
    /// Run the program in this folder
    #[arg(long, value_name = "DIR")]
    pub(super) wdir: Option<PathBuf>,
    /// Run the program in gdb
    #[arg(long, conflicts_with = "wrapper")]
    pub(super) gdb: bool,
    /// Stop before the first rank runs, and tell how to attach a debugger
    #[arg(long)]
    pub(super) debug: bool,
    /// Start the program by this command, such as "valgrind -q"
    #[arg(long, value_name = "COMMAND")]
    pub(super) wrapper: Option<String>,
}

/// What computation costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ComputationChoice {
    /// The time it takes here, scaled
    Measured,
    /// Nothing
    Off,
}

/// Which clock measures computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum ClockChoice {
    /// Wall time
    Monotonic,
    /// CPU time of the thread
    Cpu,
}

/// How ranks get globals of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum PrivacyChoice {
    /// A private image of the program for each rank
    Images,
    /// A copy of the program for each rank, opened by the system's loader
    Copies,
    /// Not at all: ranks share all globals
    Off,
}

/// Whether large pages are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum LargePagesChoice {
    /// Where they cannot take much memory
    Auto,
    /// Wherever they can be
    Always,
    /// Nowhere
    Never,
}

impl From<LargePagesChoice> for LargePages {
    fn from(choice: LargePagesChoice) -> Self {
        match choice {
            LargePagesChoice::Auto => LargePages::Auto,
            LargePagesChoice::Always => LargePages::Always,
            LargePagesChoice::Never => LargePages::Never,
        }
    }
}

impl From<ClockChoice> for Clock {
    fn from(choice: ClockChoice) -> Self {
        match choice {
            ClockChoice::Monotonic => Clock::Monotonic,
            ClockChoice::Cpu => Clock::ThreadCpu,
        }
    }
}

impl From<PrivacyChoice> for Privacy {
    fn from(choice: PrivacyChoice) -> Self {
        match choice {
            PrivacyChoice::Images => Privacy::Images,
            PrivacyChoice::Copies => Privacy::Copies,
            PrivacyChoice::Off => Privacy::Shared,
        }
    }
}

/// Words for the BLAS; which routines there are, it knows itself.
fn blas(word: &str) -> Result<String, String> {
    match word.split_once('=') {
        Some(("skip" | "compute" | "both", names)) if !names.is_empty() => Ok(word.to_owned()),
        _ => {
            Err("expected skip=, compute= or both= with routines, such as skip=dgemm,dtrsm".into())
        }
    }
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number above 0".into()),
    }
}

/// Which libraries are private, as typed.
pub(super) fn libraries(text: &str) -> Result<Libraries, String> {
    match text {
        "all" => Ok(Libraries::ExceptSystem),
        "none" => Ok(Libraries::None),
        names => {
            let names: Vec<String> = (names.split([',', ';']).map(str::trim))
                .filter(|name| !name.is_empty())
                .map(str::to_owned)
                .collect();
            match names.is_empty() {
                true => Err("expected all, none, or names of libraries".into()),
                false => Ok(Libraries::Only(names)),
            }
        }
    }
}
