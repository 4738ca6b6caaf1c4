//! The description of a run: all that the user asked for, read and checked.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::energy::EnergyRequest;
use crate::placement::Placement;
use crate::pstates::PstateRequest;

/// A run about to start in a child.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Launch {
    /// Version of the command that wrote this.
    pub version: String,
    /// The machine.
    pub machine: Machine,
    /// Options of SimGrid's names given on the command line, as typed, in the order to apply
    /// them. Those of the platform file come before them. The parent has checked all: a name that
    /// neither network nor collectives know has no effect or is a field of its own here.
    pub options: Vec<(String, String)>,
    /// The programs, in the order of ranks. The first is the child's own executable.
    pub programs: Vec<Program>,
    /// The host of each rank.
    pub placement: Placement,
    /// What the program's own computation costs.
    pub computation: Computation,
    /// The clock that measures it.
    pub clock: Clock,
    /// Measured stretches shorter than this many seconds count for nothing; none: the default.
    pub threshold: Option<f64>,
    /// A file of factors for regions of the program.
    pub region_factors: Option<PathBuf>,
    /// Bytes of each rank's stack; none: the default.
    pub stack_size: Option<u64>,
    /// Whether each stack has a guard page; none: as fits the number of ranks.
    pub guard: Option<bool>,
    /// How ranks get globals of their own.
    pub privacy: Privacy,
    /// Which libraries have their globals private too.
    pub libraries: Libraries,
    /// What allocations that the program shares between ranks do.
    pub memory: Memory,
    /// Whether large pages are asked for.
    pub large_pages: LargePages,
    /// Whether the program's use of MPI is checked.
    pub check: bool,
    /// A folder to write a time-independent trace to, by its absolute path.
    pub trace_ti: Option<PathBuf>,
    /// A trace with dates to write.
    pub trace: Option<TimedTrace>,
    /// How long calls of compute kernels take; none: the time of their operations.
    pub kernels: Option<KernelModels>,
    /// What to find out about energy; none: nothing.
    pub energy: Option<EnergyRequest>,
    /// Who chooses the pstates of nodes, beside what the machine says.
    pub pstates: PstateRequest,
    /// Whether lines that ranks print start with their number.
    pub label: bool,
    /// Where random numbers start.
    pub seed: Option<u64>,
    /// How many cores of this computer ranks may compute on; none: all that there are.
    pub cores: Option<u32>,
    /// Whether only errors are told.
    pub quiet: bool,
    /// Whether the child stops itself (`SIGSTOP`) before its first rank runs, for a debugger.
    pub wait_for_debugger: bool,
}

/// A trace with dates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedTrace {
    /// The file, by its absolute path.
    pub path: PathBuf,
    /// The name of its format.
    pub format: String,
    /// Whether it tells where in the source calls stand.
    pub lines: bool,
}

/// The machine as the user named it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Machine {
    /// One that comes with foretell.
    Preset(String),
    /// A platform file, by its absolute path.
    File(PathBuf),
    /// A platform in our TOML format, made up by the parent.
    Text(String),
}

/// Models of compute kernels, as their file has them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KernelModels {
    /// What the file says.
    pub text: String,
    /// Whether it is a table; else it is TOML.
    pub is_table: bool,
    /// The day whose models count.
    pub day: Option<String>,
    /// Whether calls vary; else each takes its mean.
    pub has_noise: bool,
}

/// Some ranks that run one program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// The executable, by its absolute path.
    pub path: PathBuf,
    /// What the user called it: the program's `argv[0]`.
    pub name: String,
    /// The arguments after that.
    pub arguments: Vec<String>,
    /// How many ranks.
    pub ranks: u32,
}

/// What the computation between MPI calls costs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Computation {
    /// The time it took here, scaled.
    Measured(Scale),
    /// Nothing; only annotations of the program cost time.
    Off,
}

/// How measured time becomes simulated time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Simulated seconds for each second measured here, whatever the host.
    Ratio(f64),
    /// This computer makes so many flops a second; each host takes as long as its own speed says.
    HostSpeed(f64),
}

/// Which clock measures computation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Wall time: cheap to read, right on an idle computer.
    #[default]
    Monotonic,
    /// CPU time of the thread: dearer to read, right on a busy computer too.
    ThreadCpu,
}

/// How ranks get globals of their own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Privacy {
    /// One private image of the program for each rank.
    #[default]
    Images,
    /// One copy of the program for each rank, opened by the system's loader.
    Copies,
    /// All ranks share the program's globals.
    Shared,
}

/// Libraries whose globals are private to each rank.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Libraries {
    /// All that the program links, but for the system's.
    #[default]
    ExceptSystem,
    /// Those whose file names begin so.
    Only(Vec<String>),
    /// None.
    None,
}

/// Whether the kernel is asked for large pages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LargePages {
    /// For the large arrays among the globals of ranks, if those of all ranks fit into a part of
    /// the memory that is free, and no host takes free memory back; for the heap, if there are many
    /// ranks.
    #[default]
    Auto,
    /// Wherever they can be.
    Always,
    /// Nowhere.
    Never,
}

/// What allocations that the program shares between ranks do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memory {
    /// Whether they share physical memory at all.
    pub shared: bool,
    /// Bytes of the block that is mapped again and again; none: the default.
    pub block_size: Option<u64>,
    /// Allocations of at least this many bytes are shared without being asked for.
    pub automatic: Option<u64>,
}

impl Default for Memory {
    fn default() -> Self {
        Self { shared: true, block_size: None, automatic: None }
    }
}

impl Default for Computation {
    fn default() -> Self {
        Self::Measured(Scale::default())
    }
}

impl Default for Scale {
    fn default() -> Self {
        Self::Ratio(1.0)
    }
}

impl Launch {
    /// How many ranks all programs have together.
    pub fn ranks(&self) -> u32 {
        self.programs.iter().map(|program| program.ranks).sum()
    }
}
