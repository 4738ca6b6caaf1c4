//! The kernels as the ranks of one simulation call them.

use std::fmt;

use foretell_platform::{HostId, Platform};
use rustc_hash::FxHashMap;

use super::known::{KNOWN, KernelId, MOST_DIMENSIONS};
use super::law::Law;
use super::noise::Noise;
use super::spec::ComputeKernels;

/// Each rank's models and random stream.
#[derive(Debug, Clone)]
pub struct RankKernels {
    names: Vec<String>,
    /// How many dimensions each kernel has.
    dimensions: Vec<usize>,
    laws: Vec<Law>,
    /// For each kind of processor and each kernel, a law and what its durations are divided by.
    sets: Vec<Vec<(u32, f64)>>,
    /// The kind of processor of each rank.
    ranks: Vec<u32>,
    seed: u64,
    /// The random stream of each rank; none until a kernel is called.
    noises: Vec<Noise>,
}

/// A host about which a file says nothing that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownKernel {
    kernel: String,
    host: String,
    day: Option<String>,
    days: Vec<String>,
}

impl fmt::Display for UnknownKernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, host, day, days } = self;
        write!(f, "the models of `{kernel}` leave out host {host}")?;
        match (day, days.as_slice()) {
            (_, []) => write!(f, "; add one for all hosts"),
            (None, days) => write!(f, "; choose a day: {}", days.join(", ")),
            (Some(day), days) => write!(f, " on day {day}; there are: {}", days.join(", ")),
        }
    }
}

impl std::error::Error for UnknownKernel {}

impl RankKernels {
    /// The models for ranks on these hosts, on a day; streams begin from `seed`.
    pub fn new(
        kernels: &ComputeKernels,
        platform: &Platform,
        hosts: &[HostId],
        day: Option<&str>,
        seed: u64,
    ) -> Result<Self, UnknownKernel> {
        let mut made = Self {
            names: kernels.kernels.iter().map(|kernel| kernel.name.clone()).collect(),
            dimensions: kernels.kernels.iter().map(|kernel| kernel.dimensions.len()).collect(),
            laws: Vec::new(),
            sets: Vec::new(),
            ranks: Vec::with_capacity(hosts.len()),
            seed,
            noises: Vec::new(),
        };
        let numbers = made.collect(kernels);
        let mut places: FxHashMap<(HostId, u32), u32> = FxHashMap::default();
        let mut filled: FxHashMap<HostId, u32> = FxHashMap::default();
        for host in hosts {
            let cores = platform.host(*host).cores.max(1);
            let slot = filled.entry(*host).or_insert(0);
            let cpu = kernels.numbering.cpu(*slot % cores, cores, kernels.cpus);
            *slot += 1;
            let set = match places.get(&(*host, cpu)) {
                Some(set) => *set,
                None => {
                    let set = made.add_set(kernels, &numbers, platform, *host, cpu, day)?;
                    places.insert((*host, cpu), set);
                    set
                }
            };
            made.ranks.push(set);
        }
        Ok(made)
    }

    /// The kernel of this name.
    pub fn id(&self, name: &str) -> Option<KernelId> {
        Some(KernelId(self.names.iter().position(|known| known == name)? as u16))
    }

    /// How many dimensions a kernel has.
    pub fn dimensions(&self, id: KernelId) -> usize {
        self.dimensions[usize::from(id.0)]
    }

    /// The names of all kernels.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Draws how long a call takes on a rank, in seconds. Dimensions that a kernel does not have
    /// are one.
    #[inline]
    pub fn draw(&mut self, rank: u32, id: KernelId, dimensions: [f64; MOST_DIMENSIONS]) -> f64 {
        if self.noises.is_empty() {
            self.begin_streams();
        }
        let (set, noise) = (self.ranks[rank as usize], &mut self.noises[rank as usize]);
        let (law, divisor) = self.sets[set as usize][usize::from(id.0)];
        self.laws[law as usize].duration(dimensions, noise) / divisor
    }

    #[cold]
    fn begin_streams(&mut self) {
        let ranks = 0..self.ranks.len() as u32;
        self.noises = ranks.map(|rank| Noise::new(self.seed, rank)).collect();
    }

    /// Takes in all laws: the operations of the known kernels first, then those of the file. The
    /// numbers of the latter, kernel by kernel.
    fn collect(&mut self, kernels: &ComputeKernels) -> Vec<Vec<u32>> {
        self.laws = KNOWN.iter().map(|known| Law::certain(known.operations())).collect();
        let mut numbers = Vec::new();
        for kernel in &kernels.kernels {
            let first = self.laws.len() as u32;
            self.laws.extend(kernel.laws.iter().map(|(_, law)| law.clone()));
            numbers.push((first..self.laws.len() as u32).collect());
        }
        numbers
    }

    fn add_set(
        &mut self,
        kernels: &ComputeKernels,
        numbers: &[Vec<u32>],
        platform: &Platform,
        host: HostId,
        cpu: u32,
        day: Option<&str>,
    ) -> Result<u32, UnknownKernel> {
        let (name, speed) = (platform.host_name(host), platform.host(host).speed());
        let mut set: Vec<(u32, f64)> = Vec::with_capacity(kernels.kernels.len());
        for (at, kernel) in kernels.kernels.iter().enumerate() {
            let fitting =
                kernel.laws.iter().zip(&numbers[at]).filter_map(|((scope, _), number)| {
                    Some((scope.closeness(&name, cpu, day)?, *number))
                });
            let found = fitting.max().map(|(_, number)| (number, 1.0));
            let instead = KNOWN.get(at).and_then(|known| known.instead);
            set.push(match (found, instead) {
                (Some(found), _) => found,
                (None, Some(other)) => set[usize::from(other.0)],
                (None, None) if kernel.laws.is_empty() && at < KNOWN.len() => (at as u32, speed),
                (None, None) => {
                    return Err(UnknownKernel {
                        kernel: kernel.name.clone(),
                        host: name.to_string(),
                        day: day.map(str::to_owned),
                        days: kernels.days().into_iter().map(str::to_owned).collect(),
                    });
                }
            });
        }
        if let Some(same) = self.sets.iter().rposition(|other| *other == set) {
            return Ok(same as u32);
        }
        self.sets.push(set);
        Ok(self.sets.len() as u32 - 1)
    }
}
