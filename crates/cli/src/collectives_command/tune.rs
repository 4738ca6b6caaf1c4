//! Every algorithm of an operation, simulated on a machine: who wins, and by how much.

mod numbers;
mod page;
mod race;
mod report;
mod rule_file;
mod study;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Result, bail};
use clap::Args;
use foretell_apps::Which;
use foretell_mpi::{Library, Rules};
use foretell_platform::Platform;

use super::rules;
use crate::exit::INTERRUPTED;
use crate::figures::{count, counted};
use crate::interrupt::Interrupt;
use crate::mapping::{Occupation, Placement};
use crate::meters::{Stopwatch, Usage};
use crate::options::{self, Heard, Settings};
use crate::output::{self, NewFile};
use crate::panics::command_line;
use crate::run_options::{Progress, RunOptions};
use crate::{notes, platform_file};
use numbers::Numbers;
use race::Race;
use study::Table;

/// Shown behind the options.
pub(super) const EXAMPLES: &str = "\
All ranks call the operation at the same date; its time is that until the last has its result.

Examples:
  foretell collectives tune -p star-64 --op allreduce --ranks 4..64 --bytes 8..1M
  foretell collectives tune -p cluster.toml --op all --ranks 48,96 --bytes 1k..1M \\
      --rules winners.toml --html winners.html
  foretell app ring -n 64 -p star-64 --collectives winners.toml 1000 1024";

/// Bytes of one block, as skeletons have them.
const MOST_BYTES: u64 = 1 << 36;
/// Ranks of a run.
const MOST_RANKS: u64 = 100_000_000;

/// What to compare, where, and what to write.
#[derive(Debug, Clone, Args)]
pub(crate) struct Tune {
    /// The machine: a platform file (.toml, or SimGrid's .xml) or a preset of `platform list`
    #[arg(short, long, value_name = "FILE|PRESET")]
    platform: String,
    /// The collective operation, such as alltoall; may be repeated; `all` for all
    #[arg(long = "op", value_name = "OPERATION", required = true)]
    operations: Vec<String>,
    /// Numbers of ranks: 4..1024 for the powers of two from 4 to 1024, 24,48,96 for these
    #[arg(short = 'n', long, value_name = "NUMBERS")]
    ranks: Numbers,
    /// Bytes of one block: per destination for the all-to-all family, else of the whole vector;
    /// 32k..2M for powers of two, or a list. Rounded up to whole doubles
    #[arg(long, value_name = "NUMBERS")]
    bytes: Numbers,
    /// Set an option by its SimGrid name; may be repeated
    #[arg(long = "cfg", value_name = "KEY:VALUE")]
    options: Vec<String>,
    /// The algorithm of an operation that others use, such as barrier=ompi_tree; may be repeated
    #[arg(long = "coll", value_name = "OPERATION=ALGORITHM")]
    coll: Vec<String>,
    /// Where ranks run: `cores` (the default), as many on each host as it has cores; `block:K`, K
    /// on each host; `block`, spread evenly; `cyclic`, rank after rank to host after host;
    /// `hostfile:FILE`; `hosts:a,b,c`
    #[arg(long, value_name = "HOW")]
    map: Option<Placement>,
    /// The same as --map hostfile:FILE; a line is a host, `host:count` or `host slots=count`
    #[arg(long, value_name = "FILE", conflicts_with = "map")]
    hostfile: Option<PathBuf>,
    /// Simulations at a time [default: as many as there are processors]
    #[arg(short, long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// CPU seconds that one simulation may take; one that takes longer is marked so
    #[arg(long, value_name = "SECONDS", default_value_t = 3600.0, value_parser = positive)]
    limit: f64,
    /// Let times be off by about this share, such as 1e-3: ends of messages are rounded to it, and
    /// shares of links where thousands change at once, so that simulations take less time
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    rounding: f64,
    /// Write the winners as rules, for --collectives
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    rules: Option<PathBuf>,
    /// Write a page with the curves and the winners
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Write all times as JSON to a file; `-` prints them instead of the tables for people
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    json: Option<PathBuf>,
    /// Print no tables and no progress
    #[arg(short, long, help_heading = "Output")]
    quiet: bool,
    /// When to say how far the study has come [default: auto]
    #[arg(long, value_name = "WHEN", help_heading = "Output")]
    progress: Option<Progress>,
}

/// A study at its end.
pub(crate) struct Study {
    /// The machine as the user called it, and where ranks were.
    pub(crate) machine: String,
    pub(crate) placement: String,
    pub(crate) rounding: f64,
    pub(crate) command: String,
    pub(crate) tables: Vec<Table>,
    pub(crate) simulations: usize,
    pub(crate) usage: Usage,
}

/// Runs the study and tells what was found.
pub(crate) fn run(tune: &Tune) -> Result<ExitCode> {
    let stopwatch = Stopwatch::start();
    let (platform, settings) = tune.machine()?;
    settings.warnings.iter().for_each(|warning| notes::warning(warning));
    let mut tables = tune.tables(&platform)?;
    drop(platform);
    // Whoever cannot write should know before hours of simulation.
    let file = |path: &Option<PathBuf>| path.as_deref().map(NewFile::create).transpose();
    let prints_json = tune.json.as_ref().is_some_and(|path| path.as_os_str() == "-");
    let json = if prints_json { None } else { file(&tune.json)? };
    let (rule_file, html) = (file(&tune.rules)?, file(&tune.html)?);
    let interrupt = Interrupt::listen();
    let race = Race {
        machine: &|| tune.machine_again(),
        placement: &tune.run_options().placement(),
        threads: tune.threads(),
        limit: tune.limit,
        rounding: tune.rounding,
        progress: if tune.quiet { Progress::Never } else { tune.progress.unwrap_or_default() },
        interrupt: interrupt.clone(),
    };
    let simulations = race.run(&mut tables)?;
    if interrupt.was_heard() {
        let done = counted(simulations as u64, "simulation");
        notes::error(&format!("interrupted after {done}; nothing was written"));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let study = Study {
        machine: crate::summary::machine(&tune.platform, &tune.platform),
        placement: tune.run_options().placement().to_string(),
        rounding: tune.rounding,
        command: command_line(),
        tables,
        simulations,
        usage: stopwatch.usage(),
    };
    let all = [(json, Study::json as fn(&Study) -> String), (rule_file, Study::rules)];
    for (file, text) in all.into_iter().chain([(html, Study::page as fn(&Study) -> String)]) {
        if let Some(file) = file {
            file.write(&text(&study))?;
        }
    }
    if prints_json {
        output::print(&study.json())?;
    } else if !tune.quiet {
        output::print(&summary::text(&study))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// A number of seconds.
fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    number.ok_or_else(|| "a positive number of seconds is wanted, such as 60 or 0.5".into())
}

/// A share of a duration.
fn share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|share| (0.0..=0.1).contains(share));
    number.ok_or_else(|| "a share between 0 and 0.1 is wanted, such as 1e-3".into())
}

impl Study {
    fn json(&self) -> String {
        report::text(self)
    }

    fn page(&self) -> String {
        page::text(self)
    }

    fn rules(&self) -> String {
        rule_file::text(&format!("winners on {}", self.setting()), &self.tables)
    }

    /// Where and how it was simulated.
    pub(crate) fn setting(&self) -> String {
        let Study { machine, placement, rounding, .. } = self;
        let rounded = match *rounding {
            0.0 => String::new(),
            share => format!(", rounded to {share}"),
        };
        format!("{machine}, ranks mapped by {placement}{rounded}")
    }
}

impl Tune {
    fn run_options(&self) -> RunOptions {
        RunOptions {
            options: self.options.clone(),
            coll: self.coll.clone(),
            map: self.map.clone(),
            hostfile: self.hostfile.clone(),
            ..RunOptions::default()
        }
    }

    /// The machine with the options in force; what its reader warns of is said.
    fn machine(&self) -> Result<(Platform, Settings)> {
        self.settled(platform_file::open(&self.platform)?.platform)
    }

    /// The same for another thread, without a word.
    fn machine_again(&self) -> Result<(Platform, Settings)> {
        match platform_file::read(&self.platform)? {
            Ok((platform, _)) => self.settled(platform),
            Err(_) => bail!("{} has changed while it was used", self.platform),
        }
    }

    fn settled(&self, mut platform: Platform) -> Result<(Platform, Settings)> {
        let words = self.run_options().words()?;
        let settings = options::apply(&mut platform, &words, &mut |_, _| Ok(Heard::Unknown))?;
        Ok((platform, settings))
    }

    fn threads(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, usize::from);
        self.jobs.map_or_else(processors, |jobs| jobs as usize)
    }

    /// All points, with nothing run yet.
    fn tables(&self, platform: &Platform) -> Result<Vec<Table>> {
        let (ranks, bytes) = (self.rank_counts(platform)?, self.sizes()?);
        let placement = self.run_options().placement();
        let most = ranks.last().copied().unwrap_or(1);
        let hosts = placement.mapping(most, platform)?.hosts(most, platform);
        if let Some(warning) = Occupation::of(&hosts, platform).warning(platform) {
            notes::warning(&warning);
        }
        // A mapping may depend on how many ranks there are.
        let mappings: Vec<_> = ranks
            .iter()
            .map(|ranks| Ok((*ranks, placement.mapping(*ranks, platform)?)))
            .collect::<Result<_>>()?;
        let hosts = |ranks: u32| {
            let mapping = mappings.iter().find(|(of, _)| *of == ranks);
            mapping.map_or_else(Vec::new, |(_, mapping)| mapping.hosts(ranks, platform))
        };
        let libraries: Vec<Rc<Rules>> = Library::ALL.into_iter().map(Library::rules).collect();
        let table = |which| Table::new(which, &ranks, &bytes, &libraries, hosts);
        Ok(self.which()?.into_iter().map(table).collect())
    }

    /// The operations asked for, each once, in the order asked for.
    fn which(&self) -> Result<Vec<Which>> {
        let mut found = Vec::new();
        for name in &self.operations {
            let tunable = study::tunable();
            if name == "all" {
                found.extend(tunable);
                continue;
            }
            let operation = rules::operation(name)?;
            let Some(which) = tunable.into_iter().find(|which| which.operation() == operation)
            else {
                let only = operation.algorithms()[0];
                bail!("{name} has one algorithm, {only}: there is nothing to compare");
            };
            found.push(which);
        }
        let mut once = Vec::new();
        found.into_iter().for_each(|which| {
            if !once.contains(&which) {
                once.push(which);
            }
        });
        Ok(once)
    }

    fn rank_counts(&self, platform: &Platform) -> Result<Vec<u32>> {
        let cores: u64 = platform.hosts().map(|host| u64::from(platform.host(host).cores)).sum();
        let most = self.ranks.0.last().copied().unwrap_or(1);
        if most > cores.min(MOST_RANKS) {
            bail!(
                "{} ranks are more than {} has room for; it has {}",
                count(most),
                self.platform,
                counted(cores, "core")
            );
        }
        Ok(self.ranks.0.iter().map(|ranks| *ranks as u32).collect())
    }

    fn sizes(&self) -> Result<Vec<u64>> {
        let most = self.bytes.0.last().copied().unwrap_or(1);
        if most > MOST_BYTES {
            bail!("{} bytes are too many; a block has up to {}", count(most), count(MOST_BYTES));
        }
        let mut sizes: Vec<u64> = self.bytes.0.iter().map(|bytes| bytes.div_ceil(8) * 8).collect();
        sizes.dedup();
        Ok(sizes)
    }
}
