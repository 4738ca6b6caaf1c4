//! High-Performance Linpack, as HPL 2.2 and 2.3 do it: rank by rank the messages of the reference
//! implementation, with compute kernels called with the sizes that real ranks call them with.
//!
//! Left out: the generation of the matrix and the check of the result, which HPL does not time.
//! The copies that follow the choice of a pivot depend on data; one row is copied on every rank.

mod aggregate;
mod back_substitution;
mod blocks;
mod broadcast;
mod configuration;
mod dat;
mod factorise;
mod long_broadcast;
mod max_swap;
mod panel;
mod pivots;
mod process;
mod solve;
mod spread_roll;
mod swap;
mod update;

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use clap::Args;
use foretell_mpi::{Comm, Error, Result};

pub use aggregate::Factorise;
pub use configuration::{Bcast, Configuration, Factorisation, Form, ProcessMap, Swap};
pub use pivots::Pivots;
pub use process::Sent;

use self::process::Process;
use self::solve::{Shared, solve};
use crate::Section;

/// Parameters of HPL.
#[derive(Debug, Clone, Args)]
pub struct Hpl {
    /// Order of the matrix
    #[arg(short = 'N', long = "order", value_name = "ORDER")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub order: Option<u32>,
    /// Columns of a panel: the size of blocks
    #[arg(long, value_name = "COLUMNS", default_value_t = 128)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub nb: u32,
    /// Rows of the process grid
    #[arg(short = 'P', value_name = "ROWS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub p: Option<u32>,
    /// Columns of the process grid
    #[arg(short = 'Q', value_name = "COLUMNS")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub q: Option<u32>,
    /// How ranks are laid out on the grid
    #[arg(long, default_value = "row")]
    pub pmap: ProcessMap,
    /// How panels are broadcast
    #[arg(long, default_value = "1ringM")]
    pub bcast: Bcast,
    /// Depth of the look-ahead
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// How rows are swapped
    #[arg(long, default_value = "binary-exchange")]
    pub swap: Swap,
    /// Columns above which the mix of swaps takes the long form
    #[arg(long, value_name = "COLUMNS", default_value_t = 64)]
    pub swap_threshold: u32,
    /// Factorisation of the columns of a panel
    #[arg(long, default_value = "crout")]
    pub pfact: Factorisation,
    /// Recursive factorisation of panels
    #[arg(long, default_value = "right")]
    pub rfact: Factorisation,
    /// Columns at which the recursion stops
    #[arg(long, value_name = "COLUMNS", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub nbmin: u32,
    /// Parts that the recursion divides a panel into
    #[arg(long, value_name = "PARTS", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub ndiv: u32,
    /// Leave shares of the long swap as uneven as they come
    #[arg(long)]
    pub no_equilibration: bool,
    /// Copy each panel before it is broadcast, as HPL does when it was built with HPL_COPY_L or
    /// HPL_NO_MPI_DATATYPE
    #[arg(long)]
    pub copy_l: bool,
    /// Take all parameters from a file for HPL, with all configurations that it asks for
    #[arg(long, value_name = "FILE", conflicts_with_all = ["order", "p", "q"])]
    pub hpl_dat: Option<PathBuf>,
    /// Where pivots are: `random` (the default, by --seed), `diagonal`, or a file with the row of
    /// each column's pivot, from zero
    #[arg(long, value_name = "WHERE", default_value = "random")]
    pub pivots: String,
    /// How the exchanges of a panel's columns are simulated
    #[arg(long, default_value = "full")]
    pub panel: Factorise,
    #[arg(skip)]
    prepared: Rc<[Rc<Shared>]>,
}

/// What HPL found for one configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Solved {
    /// The configuration.
    pub configuration: Configuration,
    /// Simulated seconds, as HPL times them: the longest of all processes.
    pub seconds: f64,
    /// What each process sent meanwhile.
    pub sent: Vec<Sent>,
}

impl Solved {
    /// Billions of operations a second.
    pub fn gflops(&self) -> f64 {
        self.configuration.gflops(self.seconds)
    }

    /// The line that HPL prints.
    pub fn line(&self) -> String {
        let Configuration { n, nb, p, q, .. } = self.configuration;
        let (seconds, gflops) = (self.seconds, exponential(self.gflops()));
        let variant = self.configuration.variant();
        format!("{variant}{n:12} {nb:5} {p:5} {q:5} {seconds:18.2}    {gflops:>19}")
    }
}

/// A number as C's `%.4e` writes it.
fn exponential(number: f64) -> String {
    let text = format!("{number:.4e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = power.parse().unwrap_or_default();
    format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
}

impl Hpl {
    /// Reads what the parameters refer to, before anything is run.
    pub fn prepare(&mut self, seed: u64) -> std::result::Result<(), String> {
        let configurations = match &self.hpl_dat {
            Some(path) => {
                let read = dat::read(&text_of(path)?);
                let read = read.map_err(|why| format!("{}:{why}", path.display()))?;
                let copying = |one| Configuration { copies_l: self.copy_l, ..one };
                read.into_iter().map(copying).collect()
            }
            None => vec![self.configuration()?],
        };
        let columns = configurations.iter().map(|configuration| configuration.n).max();
        let pivots = self.pivots(seed, columns.unwrap_or(0))?;
        let shared =
            |configuration| Rc::new(Shared::new(configuration, pivots.clone(), self.panel));
        self.prepared = configurations.into_iter().map(shared).collect();
        Ok(())
    }

    /// Ranks that the largest grid needs, once prepared.
    pub fn ranks(&self) -> usize {
        let grids = self.prepared.iter().map(|shared| shared.configuration.processes());
        grids.max().unwrap_or(1)
    }

    fn configuration(&self) -> std::result::Result<Configuration, String> {
        let (Some(n), Some(p), Some(q)) = (self.order, self.p, self.q) else {
            return Err("HPL needs -N, -P and -Q, or --hpl-dat FILE".into());
        };
        let as_is = |number: u32| number as usize;
        Ok(Configuration {
            n: as_is(n),
            nb: as_is(self.nb),
            p: as_is(p),
            q: as_is(q),
            map: self.pmap,
            depth: as_is(self.depth),
            bcast: self.bcast,
            rfact: self.rfact,
            ndiv: as_is(self.ndiv),
            pfact: self.pfact,
            nbmin: as_is(self.nbmin),
            swap: self.swap,
            threshold: as_is(self.swap_threshold),
            equilibration: !self.no_equilibration,
            l1: Form::Transposed,
            u: Form::Transposed,
            copies_l: self.copy_l,
        })
    }

    fn pivots(&self, seed: u64, columns: usize) -> std::result::Result<Pivots, String> {
        match self.pivots.as_str() {
            "random" => Ok(Pivots::Random(seed)),
            "diagonal" => Ok(Pivots::Diagonal),
            path => given_pivots(&text_of(&PathBuf::from(path))?, columns)
                .map_err(|why| format!("{path}: {why}")),
        }
    }

    /// The life of one rank.
    pub async fn main(&self, world: Comm, section: &Section) -> Result<()> {
        section.begin(&world).await;
        for shared in self.prepared.iter() {
            let configuration = shared.configuration;
            if configuration.processes() > world.size() as usize {
                let (needed, given) = (configuration.processes(), world.size());
                let grid = format!("{} x {}", configuration.p, configuration.q);
                let message = format!("a grid of {grid} needs {needed} ranks, not {given}");
                return Err(Error::BadArgument(message));
            }
            if let Some(process) = Process::new(&world, configuration).await? {
                test(&process, shared, section).await?;
            }
        }
        section.end(&world).await;
        Ok(())
    }
}

/// Solves one configuration, with the calls that HPL makes around it.
async fn test(process: &Process, shared: &Rc<Shared>, section: &Section) -> Result<()> {
    process.all_reduce(3 * 4).await?;
    process.broadcast(&process.all, 4, 0).await?;
    let began = process.all.wtime().await;
    process.take_sent();
    solve(process, shared.clone()).await?;
    let seconds = process.all.wtime().await - began;
    shared.note(process.all.rank() as usize, seconds, process.take_sent());
    process.all_reduce(8).await?;
    if process.all.rank() == 0 {
        let (seconds, sent) = shared.noted();
        section.add(Solved { configuration: shared.configuration, seconds, sent });
    }
    Ok(())
}

fn text_of(path: &PathBuf) -> std::result::Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

fn given_pivots(text: &str, columns: usize) -> std::result::Result<Pivots, String> {
    let mut rows = Vec::with_capacity(columns);
    for (line, word) in text.lines().enumerate().filter(|(_, word)| !word.trim().is_empty()) {
        match word.trim().parse() {
            Ok(row) if (rows.len()..columns).contains(&row) => rows.push(row),
            _ => {
                let column = rows.len();
                return Err(format!("line {}: `{word}` is no row from {column} on", line + 1));
            }
        }
    }
    if rows.len() < columns {
        return Err(format!("{} pivots for {columns} columns", rows.len()));
    }
    Ok(Pivots::Given(rows.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_hpl() {
        let configuration = dat::read(dat::tests::EXAMPLE).unwrap()[0];
        let solved = Solved { configuration, seconds: 12.345, sent: Vec::new() };
        assert_eq!(
            solved.line(),
            "WR00L2L2        1000   128     2     2              12.35             5.4124e-02"
        );
        assert_eq!(exponential(1234.56), "1.2346e+03");
    }

    #[test]
    fn pivots_are_on_or_below_the_diagonal() {
        assert_eq!(given_pivots("1\n1\n2\n", 3), Ok(Pivots::Given([1, 1, 2].into())));
        assert_eq!(given_pivots("1\n0\n", 2), Err("line 2: `0` is no row from 1 on".into()));
        assert_eq!(given_pivots("1\n", 2), Err("1 pivots for 2 columns".into()));
    }
}
