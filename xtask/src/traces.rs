//! Traces there and back: what is captured is replayed in the same time, by us and by SimGrid.
//!
//! Every program of `bench/` runs as a skeleton and as a compiled C program. The replay of its
//! trace must take the same simulated time to 0.1 %; SimGrid's, where it is installed, to 1 %. So
//! must those of `tests/traces/`, in the compact form too, which SimGrid cannot replay. The same
//! run leaves traces with dates too, an OTF2 archive and a Paraver trace, whose replays must take
//! its time to 0.1 % as well, but for those of `tests/traces/`: such traces do not tell what these
//! do with windows and for later. `otf2-print` must read the archive without a word of complaint.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::bench::{platforms, traces};
use crate::foretell::skeleton;
use crate::packages::{self, Policy};
use crate::test::End;
use crate::{shell, workspace};

/// Arguments of `cargo xtask traces`.
#[derive(Debug, Args)]
pub(crate) struct Options {
    /// Run only the rows whose name contains this text
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Whether missing Debian packages may be installed
    #[arg(long, value_enum, default_value_t = Policy::Auto)]
    packages: Policy,
}

impl Options {
    /// All rows.
    pub(crate) fn all(packages: Policy) -> Self {
        Self { only: None, packages }
    }
}

/// Replays of ours may differ by this much from what was captured.
const OURS: f64 = 0.001;
/// SimGrid's by this much. It prints six digits.
const THEIRS: f64 = 0.01;

/// Traces with dates that are replayed, by the endings of their names.
const DATED: [&str; 2] = ["otf2", "prv"];

/// Reads archives of OTF2.
const OTF2_PRINT: &str = "otf2-print";

/// A program with its arguments, ranks and platform.
type Row = (&'static str, &'static str, u32, &'static str);

const ROWS: &[Row] = &[
    ("init", "", 16, "star-10g-64"),
    ("pingpong", "100 8", 2, "star-10g-64"),
    ("pingpong", "20 200000", 2, "star-10g-64"),
    ("ring", "20 1024", 64, "star-10g-64"),
    ("ring", "5 100000", 64, "torus-10g-64"),
    ("lu_wave", "8 8 8 16 2", 64, "star-10g-64"),
    ("lu_wave", "4 4 8 60 2", 16, "fattree-10g-64"),
    ("stencil3d", "5 16 26 0", 64, "star-10g-64"),
    ("stencil3d", "3 128 6 100000", 64, "torus-10g-64"),
    ("ep", "10", 16, "star-10g-64"),
    ("flows", "1 4 131072", 64, "star-10g-64"),
    ("anysource", "200 64 0", 16, "star-10g-64"),
    ("coll", "allreduce 8 8", 64, "star-10g-64"),
    ("coll", "alltoall 1024 2", 64, "fattree-10g-64"),
    ("coll", "bcast 100000 2", 13, "star-10g-64"),
    ("coll", "reduce 4096 2", 16, "star-10g-64"),
    ("coll", "gather 512 2", 16, "star-10g-64"),
    ("coll", "scatter 512 2", 16, "star-10g-64"),
    ("coll", "allgather 512 2", 16, "star-10g-64"),
    ("coll", "reduce_scatter 512 2", 16, "star-10g-64"),
    ("coll", "barrier 0 4", 16, "star-10g-64"),
];

/// Programs of others, of which there are only skeletons here.
const SKELETONS: &[Row] = &[
    ("lulesh", "-s 10 -i 5", 27, "fattree-10g-64"),
    ("nas-lu", "--class S", 16, "torus-10g-64"),
    ("nas-cg", "--class S", 16, "star-10g-64"),
];

/// Programs of `tests/traces/`, whose traces have words that SimGrid does not know.
const OWN_WORDS: &[Row] = &[
    ("overlap", "3 4096", 8, "star-10g-64"),
    ("overlap", "3 4096", 13, "fattree-10g-64"),
    ("between", "2 4096", 8, "star-10g-64"),
    ("between", "1 50000", 13, "fattree-10g-64"),
    ("neighbours", "3 512", 8, "star-10g-64"),
    ("neighbours", "2 20000", 13, "fattree-10g-64"),
    ("files", "3 4096", 8, STORAGE),
    ("files", "2 1000000", 6, STORAGE),
    ("windows", "3 4096", 8, "star-10g-64"),
    ("windows", "2 100000", 13, "torus-10g-64"),
];

/// A machine whose files take time, which the others do not have.
const STORAGE: &str = "storage";
const STORAGE_TOML: &str = "[nodes]\ncount = 8\nspeed = \"10Gf\"\n[network]\n\
    bandwidth = \"1.25GBps\"\nlatency = \"5us\"\n[storage]\nread = \"400MBps\"\n\
    write = \"300MBps\"\nlatency = \"100us\"\n";

/// Options for both sides.
const COMMON: &[&str] = &["--cfg=smpi/coll-selector:default"];

/// Captures and replays every row; an error when a time is off.
pub(crate) fn run(options: &Options) -> Result<End> {
    let binary = workspace::release_binary()?;
    let has_simgrid = packages::SIMGRID.ready(options.packages);
    if !has_simgrid {
        println!("skipped: SimGrid's own replays; {}", packages::SIMGRID.hint());
    }
    if !shell::exists(OTF2_PRINT) {
        println!("skipped: reading traces with dates; otf2-print is in Debian's otf2-tools");
    }
    let folder = workspace::scratch("traces")?;
    let house = House { binary, folder, has_simgrid };
    let mut misses = 0;
    let both = ROWS.iter().flat_map(|row| [(row, Kind::Skeleton), (row, Kind::Compiled)]);
    let alone = SKELETONS.iter().map(|row| (row, Kind::Skeleton));
    let own = OWN_WORDS.iter().map(|row| (row, Kind::OwnWords));
    for (row, kind) in both.chain(alone).chain(own) {
        let name = format!("{} {} {}, {} ranks, {}", kind.name(), row.0, row.1, row.2, row.3);
        if options.only.as_deref().is_none_or(|text| name.contains(text)) {
            let times = house.times(row, kind).with_context(|| name.clone())?;
            misses += u32::from(!times.agree());
            println!("{times}  {name}");
        }
    }
    if misses > 0 {
        bail!("traces: {misses} replays take another time than what was captured");
    }
    Ok(End::Passed)
}

/// How a program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Skeleton,
    Compiled,
    /// Compiled, and no trace that SimGrid can replay.
    OwnWords,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Skeleton => "skeleton",
            Kind::Compiled => "C program",
            Kind::OwnWords => "C program, own words",
        }
    }
}

/// Simulated seconds of a run, of our replays of it, and of SimGrid's.
#[derive(Debug)]
struct Times {
    captured: f64,
    replayed: f64,
    /// Those of traces with dates.
    dated: Vec<(&'static str, f64)>,
    simgrid: Option<f64>,
}

impl Times {
    fn agree(&self) -> bool {
        let off = |time: f64, bound: f64| (time - self.captured).abs() > bound * self.captured;
        !off(self.replayed, OURS)
            && !self.dated.iter().any(|(_, time)| off(*time, OURS))
            && !self.simgrid.is_some_and(|time| off(time, THEIRS))
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Times { captured, replayed, dated, simgrid } = self;
        let verdict = if self.agree() { "same" } else { "OFF " };
        write!(f, "{verdict} {captured:>12.9} s, replayed {replayed:>12.9} s")?;
        dated.iter().try_for_each(|(format, time)| write!(f, ", {format} {time:>12.9} s"))?;
        match simgrid {
            Some(simgrid) => write!(f, ", by SimGrid {simgrid:>12.9} s"),
            None => Ok(()),
        }
    }
}

/// Lets `otf2-print` read an archive, if it is there; whatever it complains of is an error.
fn read_by_otf2_print(archive: &Path) -> Result<()> {
    if !shell::exists(OTF2_PRINT) {
        return Ok(());
    }
    let output = Command::new(OTF2_PRINT).arg(archive).output()?;
    if !output.status.success() || !output.stderr.is_empty() {
        bail!("otf2-print complains: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// Where things are.
struct House {
    binary: PathBuf,
    folder: PathBuf,
    has_simgrid: bool,
}

impl House {
    fn times(&self, row: &Row, kind: Kind) -> Result<Times> {
        let trace = self.folder.join("trace.ti");
        if trace.exists() {
            std::fs::remove_dir_all(&trace)?;
        }
        let told = ["--trace-ti".into(), trace.display().to_string()];
        let captured = self.captured(row, kind, &told)?;
        let dated = DATED.iter().map(|format| Ok((*format, self.by_dates(row, kind, format)?)));
        let dated = dated.collect::<Result<Vec<(&'static str, Option<f64>)>>>()?;
        let dated = dated.into_iter().filter_map(|(format, time)| Some((format, time?))).collect();
        let replayed = self.replayed(row, &trace)?;
        let asks_simgrid = self.has_simgrid && kind != Kind::OwnWords;
        let simgrid = asks_simgrid.then(|| self.by_simgrid(row, &trace)).transpose()?;
        if kind == Kind::OwnWords {
            let small = self.by_compact_form(row, &trace)?;
            if small.to_bits() != replayed.to_bits() {
                bail!("the compact form takes {small} s, the text {replayed} s");
            }
        }
        Ok(Times { captured, replayed, dated, simgrid })
    }

    /// Runs the program with options for its traces.
    fn captured(&self, row: &Row, kind: Kind, options: &[String]) -> Result<f64> {
        let capture = [self.capture(row, kind)?, options.to_vec(), self.program(row, kind)?];
        self.simulated(capture.concat())
    }

    fn replayed(&self, row: &Row, trace: &Path) -> Result<f64> {
        let words = vec!["replay".into()];
        let replay = [words, self.machine(row)?, vec![trace.display().to_string()]];
        self.simulated(replay.concat())
    }

    /// The simulated time of a trace with dates, if that tells all of what the program does.
    fn by_dates(&self, row: &Row, kind: Kind, format: &str) -> Result<Option<f64>> {
        let trace = self.folder.join(format!("dated.{format}"));
        self.captured(row, kind, &["--trace".into(), trace.display().to_string()])?;
        if format == "otf2" {
            read_by_otf2_print(&trace)?;
        }
        (kind != Kind::OwnWords).then(|| self.replayed(row, &trace)).transpose()
    }

    /// The simulated time of the same trace in its compact form.
    fn by_compact_form(&self, row: &Row, trace: &Path) -> Result<f64> {
        let small = self.folder.join("trace.fti");
        let mut convert = Command::new(&self.binary);
        convert.env_remove("LD_LIBRARY_PATH").args(["trace", "convert"]).arg(trace).arg(&small);
        shell::output(&mut convert)?;
        self.replayed(row, &small)
    }

    /// The words before the program.
    fn capture(&self, row: &Row, kind: Kind) -> Result<Vec<String>> {
        let words: &[&str] = match kind {
            Kind::Skeleton => &["app"],
            Kind::Compiled | Kind::OwnWords => &["run", "--computation", "off"],
        };
        let words = words.iter().map(ToString::to_string).collect();
        Ok([words, self.machine(row)?].concat())
    }

    /// The program and its arguments.
    fn program(&self, row: &Row, kind: Kind) -> Result<Vec<String>> {
        let (program, arguments, ..) = row;
        let first = match kind {
            Kind::Skeleton => skeleton(program).to_owned(),
            Kind::Compiled => self.compiled("bench", program)?.display().to_string(),
            Kind::OwnWords => self.compiled("tests/traces", program)?.display().to_string(),
        };
        Ok([vec![first], arguments.split_whitespace().map(str::to_owned).collect()].concat())
    }

    fn compiled(&self, folder: &str, program: &str) -> Result<PathBuf> {
        let path = self.folder.join(program);
        let source = workspace::root().join(folder).join(format!("{program}.c"));
        let mut compile = Command::new(self.binary.with_file_name("foretell-mpicc"));
        compile.env_remove("LD_LIBRARY_PATH").args(["-O2", "-o"]).arg(&path).arg(source);
        shell::output(compile.arg("-lm"))?;
        Ok(path)
    }

    fn machine(&self, (_, _, ranks, platform): &Row) -> Result<Vec<String>> {
        let platform = match *platform {
            STORAGE => self.storage()?,
            name => platforms::write(name, &self.folder)?,
        };
        let platform = platform.display().to_string();
        let words = ["-n", &ranks.to_string(), "-p", &platform, "--map", "block:1", "--quiet"];
        let words = words.iter().chain(COMMON).chain(&["--json", "-"]);
        Ok(words.map(ToString::to_string).collect())
    }

    fn storage(&self) -> Result<PathBuf> {
        let path = self.folder.join("storage.toml");
        std::fs::write(&path, STORAGE_TOML)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }

    /// Runs a command of ours; the simulated seconds it tells.
    fn simulated(&self, words: Vec<String>) -> Result<f64> {
        let mut command = Command::new(&self.binary);
        // Cargo names its own folders there, where another build of the library may lie.
        command.env_remove("LD_LIBRARY_PATH").args(words).current_dir(&self.folder);
        let told = shell::output(&mut command)?;
        let start = told.find("{\n").context("no JSON in the output")?;
        let mut values = serde_json::Deserializer::from_str(&told[start..]).into_iter();
        let value: serde_json::Value = values.next().context("no JSON in the output")??;
        value["simulated_s"].as_f64().context("no simulated time in the JSON summary")
    }

    fn by_simgrid(&self, (_, _, ranks, platform): &Row, trace: &Path) -> Result<f64> {
        traces::list(trace)?;
        let file = platforms::write(platform, &self.folder)?;
        let hosts = platforms::write_hosts(platform, *ranks, 1, &self.folder)?;
        let mut command = Command::new("smpirun");
        command.arg("-replay").arg(trace.join(traces::LIST)).args(traces::FLAGS);
        command.args(["-np", &ranks.to_string()]).arg("-platform").arg(file);
        command.arg("-hostfile").arg(hosts).args(COMMON).current_dir(&self.folder);
        let output = command.output().context("cannot start smpirun")?;
        let text =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        traces::simulated(&text.concat()).with_context(|| text.concat())
    }
}
