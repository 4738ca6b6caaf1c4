//! Learning a cluster from observations, by matching moments.
//!
//! With `x(p, d)` the observations of processor `p`, `n(p)` many, and `x(p)` their mean:
//!
//! - `T` is the covariance of `x(p, d) - x(p)`, pooled over all processors;
//! - the mean is that of the `x(p)` of a kind;
//! - the covariance of the `x(p)` is `S` and what is left of `T` in a mean of `n(p)` days, so that
//!   `S = cov x(p) - T mean(1 / n(p))`, as far as that is a covariance.

use std::fmt;

use rustc_hash::FxHashMap;

use super::kinds::{self, kinds_of};
use super::symmetric::Symmetric;
use super::table::{Observation, Observations};
use super::{ClusterModel, Kind};

/// Why nothing can be learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitError {
    /// There is no observation.
    Empty,
    /// There are fewer nodes than kinds of them.
    TooFewNodes {
        /// Nodes observed.
        nodes: usize,
        /// Kinds asked for.
        kinds: usize,
    },
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::Empty => write!(f, "the table has no line with coefficients"),
            FitError::TooFewNodes { nodes, kinds } => {
                write!(f, "{nodes} nodes are not enough to tell {kinds} kinds apart")
            }
        }
    }
}

impl std::error::Error for FitError {}

/// A processor as it was seen.
pub(super) struct Processor {
    /// Its node, counted in order of appearance.
    pub(super) node: usize,
    days: usize,
    pub(super) mean: Vec<f64>,
}

impl ClusterModel {
    /// Learns from observations, with so many kinds of nodes.
    ///
    /// Processors seen on one day only tell nothing of `T`, and a kind with one processor nothing
    /// of its `S`: these are zero where nothing is known.
    pub fn fit(observations: &Observations, kinds: usize) -> Result<Self, FitError> {
        if observations.rows.is_empty() {
            return Err(FitError::Empty);
        }
        let seen = by_processor(&observations.rows);
        let mut nodes: FxHashMap<&str, usize> = FxHashMap::default();
        let mut processors = Vec::with_capacity(seen.len());
        for rows in &seen {
            let next = nodes.len();
            processors.push(processor(*nodes.entry(&rows[0].host).or_insert(next), rows));
        }
        if nodes.len() < kinds.max(1) {
            return Err(FitError::TooFewNodes { nodes: nodes.len(), kinds });
        }
        let daily = daily(&seen, &processors);
        let of_kind = kinds_of(&processors, kinds.max(1));
        let share = |some: usize| some as f64 / nodes.len() as f64;
        let mut kinds: Vec<Kind> =
            of_kind.iter().map(|(some, own)| kind(own, share(*some), &daily)).collect();
        kinds.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Ok(Self {
            kernel: observations.kernel.clone(),
            cpus: observations.cpus(),
            coefficients: observations.coefficients.clone(),
            daily,
            kinds,
        })
    }
}

/// The observations of each processor, in order of appearance.
fn by_processor(rows: &[Observation]) -> Vec<Vec<&Observation>> {
    let mut places: FxHashMap<(&str, u32), usize> = FxHashMap::default();
    let mut processors: Vec<Vec<&Observation>> = Vec::new();
    for row in rows {
        let place = *places.entry((&row.host, row.cpu)).or_insert(processors.len());
        if place == processors.len() {
            processors.push(Vec::new());
        }
        processors[place].push(row);
    }
    processors
}

fn processor(node: usize, rows: &[&Observation]) -> Processor {
    let mean = kinds::mean(rows.iter().map(|row| row.values.as_slice()));
    Processor { node, days: rows.len(), mean }
}

/// The covariance from day to day.
fn daily(seen: &[Vec<&Observation>], processors: &[Processor]) -> Symmetric {
    let order = processors[0].mean.len();
    let mut sum = Symmetric::zero(order);
    let mut freedom = 0;
    for (rows, processor) in seen.iter().zip(processors) {
        rows.iter().for_each(|row| sum.add_square(1.0, &away(&row.values, &processor.mean)));
        freedom += rows.len() - 1;
    }
    let mut daily = Symmetric::zero(order);
    daily.add(1.0 / freedom.max(1) as f64, &sum);
    daily
}

/// What the processors of one kind have in common.
fn kind(processors: &[&Processor], weight: f64, daily: &Symmetric) -> Kind {
    let mean = kinds::mean(processors.iter().map(|processor| processor.mean.as_slice()));
    let count = processors.len() as f64;
    let mut between = Symmetric::zero(mean.len());
    for processor in processors {
        between.add_square(1.0 / (count - 1.0).max(1.0), &away(&processor.mean, &mean));
    }
    let scales: Vec<f64> = (0..mean.len()).map(|i| between.at(i, i).sqrt()).collect();
    if processors.len() > 1 {
        let inverse_days: f64 = processors.iter().map(|p| 1.0 / p.days as f64).sum();
        between.add(-inverse_days / count, daily);
    }
    Kind { weight, mean, spatial: between.as_covariance(&scales) }
}

fn away(values: &[f64], mean: &[f64]) -> Vec<f64> {
    values.iter().zip(mean).map(|(value, mean)| value - mean).collect()
}
