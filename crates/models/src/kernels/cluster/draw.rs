//! Drawing a cluster, and writing it as models of a kernel.

use std::fmt::Write;

use super::super::noise::Noise;
use super::table::{Coefficient, Observation, Observations, Part};
use super::{ClusterModel, Kind};

/// Tries to draw a mean duration that is not negative before the kind's own is taken.
const TRIES: usize = 100;

/// What cluster to draw.
#[derive(Debug, Clone)]
pub struct Drawing {
    /// The names of its nodes.
    pub hosts: Vec<String>,
    /// Processors of a node.
    pub cpus: u32,
    /// Days; none for a single one without a name.
    pub days: u32,
    /// Factor on the deviation between processors.
    pub spatial: f64,
    /// Factor on the deviation from day to day.
    pub daily: f64,
    /// Where random numbers start.
    pub seed: u64,
}

impl ClusterModel {
    /// Draws a cluster. Each node has random numbers of its own, so that the nodes of a cluster
    /// are also those of a larger one.
    pub fn draw(&self, drawing: &Drawing) -> Observations {
        let roots: Vec<Vec<Vec<f64>>> = self.kinds.iter().map(|kind| kind.spatial.root()).collect();
        let daily = self.daily.root();
        let mut rows = Vec::new();
        for (number, host) in (0..).zip(&drawing.hosts) {
            let mut noise = Noise::new(drawing.seed, number);
            let kind = self.drawn_kind(&mut noise);
            for cpu in 0..drawing.cpus {
                let (centre, root) = (&self.kinds[kind].mean, &roots[kind]);
                let own = self.drawn(centre, root, drawing.spatial, &mut noise);
                for day in 0..drawing.days.max(1) {
                    let values = self.drawn(&own, &daily, drawing.daily, &mut noise);
                    let day = (drawing.days > 0).then(|| (day + 1).to_string());
                    rows.push(Observation { host: host.clone(), cpu, day, values });
                }
            }
        }
        let (kernel, coefficients) = (self.kernel.clone(), self.coefficients.clone());
        Observations { kernel, coefficients, rows }
    }

    fn drawn_kind(&self, noise: &mut Noise) -> usize {
        let mut left = noise.below(1 << 53) as f64 / (1_u64 << 53) as f64;
        for (number, Kind { weight, .. }) in self.kinds.iter().enumerate() {
            left -= weight;
            if left < 0.0 {
                return number;
            }
        }
        0
    }

    /// A vector around `centre`. Nothing takes less than no time: a draw whose first term of the
    /// mean is negative is drawn again, and deviations below zero are none.
    fn drawn(&self, centre: &[f64], root: &[Vec<f64>], factor: f64, noise: &mut Noise) -> Vec<f64> {
        let first = self.coefficients.iter().position(|known| known.part == Part::Mean);
        for _ in 0..TRIES {
            let mut vector = centre.to_vec();
            for column in root {
                let step = factor * noise.normal();
                vector.iter_mut().zip(column).for_each(|(value, part)| *value += step * part);
            }
            if first.is_none_or(|first| vector[first] >= 0.0) {
                for (value, coefficient) in vector.iter_mut().zip(&self.coefficients) {
                    if coefficient.part == Part::Deviation {
                        *value = value.max(0.0);
                    }
                }
                return vector;
            }
        }
        centre.to_vec()
    }
}

impl Observations {
    /// The observations as a file of kernel models in TOML.
    pub fn to_kernels_toml(&self) -> String {
        let mut text = format!("cpus = {}\n\n[{}]\n", self.cpus(), self.kernel);
        for row in &self.rows {
            let _ = write!(text, "\n[[{}.on]]\nhosts = {:?}\n", self.kernel, [&row.host]);
            let _ = writeln!(text, "cpu = {}", row.cpu);
            if let Some(day) = &row.day {
                let _ = writeln!(text, "day = {day:?}");
            }
            for (part, key) in [(Part::Mean, "mean"), (Part::Deviation, "deviation")] {
                let terms: Vec<String> = self.terms(row, part).collect();
                if !terms.is_empty() {
                    let _ = writeln!(text, "{key} = {{ {} }}", terms.join(", "));
                }
            }
        }
        text
    }

    fn terms(&self, row: &Observation, part: Part) -> impl Iterator<Item = String> {
        let all = self.coefficients.iter().zip(&row.values);
        let own = all.filter(move |(coefficient, _)| coefficient.part == part);
        own.map(|(Coefficient { term, .. }, value)| format!("{term:?} = {value:e}"))
    }
}
