//! Models of kernels as files give them: for all processors, or for some hosts, CPUs and days.

use std::ops::Range;

use foretell_diagnostics::Diagnostic;

use super::known::{KNOWN, KernelId};
use super::law::Law;
use super::{csv, toml};

/// Models of compute kernels, before they are asked about a particular machine.
///
/// Kernels without a model of their own take the time of their floating-point operations on a
/// core of the host; copies then take none.
#[derive(Debug, Clone, PartialEq)]
pub struct ComputeKernels {
    /// By number; the known ones are always there.
    pub(super) kernels: Vec<KernelSpec>,
    /// Processors (sockets) of a host.
    pub cpus: u32,
    /// How its cores are numbered among them.
    pub numbering: Numbering,
}

/// Which processor of a host the cores belong to, in the order in which ranks are put on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Numbering {
    /// Those of one processor, then those of the next.
    #[default]
    Blocks,
    /// One of each processor in turn, as many machines with two sockets number them.
    Alternate,
}

impl Numbering {
    /// How files call it.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "blocks" => Some(Self::Blocks),
            "alternate" => Some(Self::Alternate),
            _ => None,
        }
    }

    /// The processor of a core.
    pub(super) fn cpu(self, core: u32, cores: u32, cpus: u32) -> u32 {
        match self {
            Self::Blocks => core * cpus / cores,
            Self::Alternate => core % cpus,
        }
    }
}

/// One kernel.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KernelSpec {
    pub(super) name: String,
    /// A letter for each dimension, in the order of a call.
    pub(super) dimensions: String,
    pub(super) laws: Vec<(Scope, Law)>,
}

/// Where and when a model counts; what is not said does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Names of hosts; all hosts if empty.
    pub hosts: Vec<String>,
    /// The CPU of the host, from zero.
    pub cpu: Option<u32>,
    /// The day it was measured on, as the file calls it.
    pub day: Option<String>,
}

impl Default for ComputeKernels {
    fn default() -> Self {
        let known = |known: &super::known::Known| KernelSpec {
            name: known.name.to_owned(),
            dimensions: known.dimensions.to_owned(),
            laws: Vec::new(),
        };
        Self {
            kernels: KNOWN.iter().map(known).collect(),
            cpus: 1,
            numbering: Numbering::default(),
        }
    }
}

impl ComputeKernels {
    /// Reads a file of models in TOML, or tells all its mistakes.
    ///
    /// ```
    /// let kernels = foretell_models::ComputeKernels::from_toml(
    ///     r#"
    ///         [dgemm]
    ///         mean = { mnk = 1.029e-11, 1 = 1.981e-12 }
    ///         deviation = { mnk = 3e-13 }
    ///     "#,
    /// );
    /// assert!(kernels.is_ok());
    /// ```
    pub fn from_toml(text: &str) -> Result<Self, Vec<Diagnostic>> {
        toml::read(text)
    }

    /// Reads a table of models, one line for each kernel, host, CPU and day, or tells all its
    /// mistakes.
    pub fn from_csv(text: &str) -> Result<Self, Vec<Diagnostic>> {
        csv::read(text)
    }

    /// The kernel of this name.
    pub fn id(&self, name: &str) -> Option<KernelId> {
        let place = self.kernels.iter().position(|kernel| kernel.name == name)?;
        Some(KernelId(place as u16))
    }

    /// The name of a kernel.
    pub fn name(&self, id: KernelId) -> &str {
        &self.kernels[usize::from(id.0)].name
    }

    /// Sets the model of a kernel within a scope.
    pub fn set(&mut self, id: KernelId, scope: Scope, law: Law) {
        self.kernels[usize::from(id.0)].laws.push((scope, law));
    }

    /// The days that models are given for, in order of appearance.
    pub fn days(&self) -> Vec<&str> {
        let mut days = Vec::new();
        for day in self.scopes().filter_map(|scope| scope.day.as_deref()) {
            if !days.contains(&day) {
                days.push(day);
            }
        }
        days
    }

    /// Removes all deviations: every call then takes its mean.
    pub fn without_noise(mut self) -> Self {
        let laws = self.kernels.iter_mut().flat_map(|kernel| &mut kernel.laws);
        laws.for_each(|(_, law)| law.deviation = super::Polynomial::ZERO);
        self
    }

    fn scopes(&self) -> impl Iterator<Item = &Scope> {
        self.kernels.iter().flat_map(|kernel| kernel.laws.iter().map(|(scope, _)| scope))
    }

    /// The number of a kernel, which is made if the user gives its dimensions.
    pub(super) fn declare(
        &mut self,
        name: &str,
        dimensions: Option<&str>,
        span: Range<usize>,
    ) -> Result<KernelId, Diagnostic> {
        match (self.id(name), dimensions) {
            (Some(id), None) => Ok(id),
            (Some(id), Some(given)) if self.kernels[usize::from(id.0)].dimensions == given => {
                Ok(id)
            }
            (Some(id), Some(_)) => {
                let known = &self.kernels[usize::from(id.0)].dimensions;
                let message = format!("the dimensions of `{name}` are `{known}`");
                Err(Diagnostic::error(span, message).with_help("leave `dimensions` out"))
            }
            (None, Some(given)) => {
                let (name, dimensions) = (name.to_owned(), given.to_owned());
                self.kernels.push(KernelSpec { name, dimensions, laws: Vec::new() });
                Ok(KernelId(self.kernels.len() as u16 - 1))
            }
            (None, None) => {
                let message = format!("`{name}` is not a kernel that is known by name");
                let help = "give the letters of its dimensions, as in `dimensions = \"mn\"`";
                Err(Diagnostic::error(span, message).with_help(help))
            }
        }
    }

    /// The letters of a kernel's dimensions.
    pub(super) fn dimensions(&self, id: KernelId) -> &str {
        &self.kernels[usize::from(id.0)].dimensions
    }
}

impl Scope {
    /// Whether it takes in a processor, and how closely it describes it; the closest counts.
    pub(super) fn closeness(&self, host: &str, cpu: u32, day: Option<&str>) -> Option<u32> {
        let fits = (self.hosts.is_empty() || self.hosts.iter().any(|name| is_same(name, host)))
            && self.cpu.is_none_or(|own| own == cpu)
            && (self.day.is_none() || self.day.as_deref() == day);
        let points =
            [(!self.hosts.is_empty(), 4), (self.cpu.is_some(), 2), (self.day.is_some(), 1)];
        fits.then(|| points.iter().filter(|(says, _)| *says).map(|(_, points)| points).sum())
    }
}

/// Whether two names mean one host: a domain may be left out.
fn is_same(name: &str, host: &str) -> bool {
    let short = |name: &str| name.split('.').next().unwrap_or_default().to_owned();
    name == host || short(name) == short(host)
}

/// The names that `node-[1-3]` stands for.
pub fn expanded(name: &str) -> Option<Vec<String>> {
    let Some((before, rest)) = name.split_once('[') else { return Some(vec![name.to_owned()]) };
    let (range, after) = rest.split_once(']')?;
    let (first, last) = range.split_once('-')?;
    let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
    let sane = first <= last && last - first < 1_000_000;
    sane.then(|| (first..=last).map(|number| format!("{before}{number}{after}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_hosts_are_written_in_brackets() {
        assert_eq!(expanded("a-[2-4].x").unwrap(), ["a-2.x", "a-3.x", "a-4.x"]);
        assert_eq!(expanded("a").unwrap(), ["a"]);
        assert_eq!(expanded("a-[4-2]"), None);
        assert_eq!(expanded("a-[x-2]"), None);
    }

    #[test]
    fn the_closer_description_counts() {
        let all = Scope::default();
        let host = Scope { hosts: vec!["a.site".into()], ..all.clone() };
        let cpu = Scope { cpu: Some(1), ..host.clone() };
        assert_eq!(all.closeness("a", 1, None), Some(0));
        assert_eq!(host.closeness("a", 1, None), Some(4));
        assert_eq!(cpu.closeness("a", 1, Some("monday")), Some(6));
        assert_eq!(cpu.closeness("a", 0, None), None);
        assert_eq!(host.closeness("b", 0, None), None);
    }
}
