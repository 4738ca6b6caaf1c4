//! What a node draws, in watts: idle, off, with some of its cores busy.
//!
//! The figures are properties of hosts in SimGrid's spelling, which is what its platform files
//! have; `[nodes.power]` of our own format is written down the same way. A list with commas has
//! one entry per pstate; a single entry holds for all of them.
//!
//! | property | watts |
//! | --- | --- |
//! | `wattage_per_state` | `idle:static:all cores` or `idle:all cores` |
//! | `watt_per_state` | `idle:one core:all cores` (SimGrid before 3.26) |
//! | `wattage_per_state/NAME` | `static:all cores` of a class of work |
//! | `wattage_polling` | all cores waiting inside MPI |
//! | `wattage_off` | switched off |

use crate::machine::{HostId, Platform};

/// Watts by state and pstate, SimGrid's property.
pub(crate) const PER_STATE: &str = "wattage_per_state";
/// The same in SimGrid before 3.26: one busy core in the place of the static part.
pub(crate) const OLD_PER_STATE: &str = "watt_per_state";
/// Watts of a node that is off.
pub(crate) const OFF: &str = "wattage_off";
/// Watts of a node all of whose cores poll.
pub(crate) const POLLING: &str = "wattage_polling";

/// The power of a node in one pstate and for one class of work.
///
/// With `c` busy cores and `p` polling ones of `n` it draws
/// `fixed + (computing c + polling p) / n`, and `idle` when both are none
/// (Heinrich et al. 2017, equation 1).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NodePower {
    /// Watts when switched off.
    pub off: f64,
    /// Watts when no core is busy.
    pub idle: f64,
    /// The line of busy cores at no busy core; not the idle power.
    pub fixed: f64,
    /// What all cores add when they compute.
    pub computing: f64,
    /// What all cores add when they poll; none: a core that waits for messages is idle.
    pub polling: Option<f64>,
    /// Cores of the node.
    pub cores: u32,
}

impl NodePower {
    /// Watts with so many cores that compute, and so many that poll.
    pub fn watts(&self, computing: u32, polling: u32) -> f64 {
        let polling = if self.polling.is_some() { polling } else { 0 };
        if computing + polling == 0 {
            return self.idle;
        }
        self.fixed + self.dynamic_watts(computing, polling)
    }

    fn dynamic_watts(&self, computing: u32, polling: u32) -> f64 {
        let added = self.computing * f64::from(computing)
            + self.polling.unwrap_or(0.0) * f64::from(polling);
        added / f64::from(self.cores)
    }
}

/// Why the power of a machine cannot be told.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PowerError {
    /// No host says anything.
    #[error(
        "the platform says nothing of power; give its nodes `[nodes.power]` with `idle` and \
         `all_cores`, or hosts of a SimGrid file the property `wattage_per_state`"
    )]
    Nothing,
    /// A property does not read as watts.
    #[error("host {host}: property `{key}` is `{value}`; it should be watts like `{example}`")]
    Malformed {
        /// The host.
        host: String,
        /// The property.
        key: String,
        /// What stands there.
        value: String,
        /// What could.
        example: &'static str,
    },
    /// There is neither one entry nor one per pstate.
    #[error(
        "host {host}: property `{key}` has {found} entries for {pstates} pstates; give one, or one \
         for each"
    )]
    Pstates {
        /// The host.
        host: String,
        /// The property.
        key: String,
        /// Entries found.
        found: usize,
        /// Pstates of the host.
        pstates: usize,
    },
    /// Nobody measured this class of work.
    #[error("host {host} has no power for the work `{workload}`; it knows: {known}")]
    Workload {
        /// The host.
        host: String,
        /// What was asked for.
        workload: String,
        /// The classes it has.
        known: String,
    },
}

impl Platform {
    /// The power of a host in its pstate for a class of work; none if nothing is said of it.
    ///
    /// # Errors
    ///
    /// Fails if a property does not read as watts, or the host does not know the class of work.
    pub fn node_power(
        &self,
        id: HostId,
        workload: Option<&str>,
    ) -> Result<Option<NodePower>, PowerError> {
        let reader = Reader { platform: self, id };
        let Some((idle, mut fixed, mut all)) = reader.states()? else { return Ok(None) };
        if let Some(name) = workload {
            (fixed, all) = reader.workload(name)?;
        }
        let single = |key| reader.entry(key, "95", |f| (f.len() == 1).then(|| f[0]));
        let (off, polling) = (single(OFF)?, single(POLLING)?);
        let polling = polling.map(|watts| watts - fixed);
        let cores = self.host(id).cores.max(1);
        let (off, computing) = (off.unwrap_or(0.0), all - fixed);
        Ok(Some(NodePower { off, idle, fixed, computing, polling, cores }))
    }
}

/// Reads the properties of one host.
struct Reader<'a> {
    platform: &'a Platform,
    id: HostId,
}

impl Reader<'_> {
    /// Idle, static, all cores.
    fn states(&self) -> Result<Option<(f64, f64, f64)>, PowerError> {
        let example = "100:120:200";
        let new = self.entry(PER_STATE, example, |figures| match *figures {
            [idle, all] => Some((idle, idle, all)),
            [idle, fixed, all] => Some((idle, fixed, all)),
            _ => None,
        })?;
        if new.is_some() {
            return Ok(new);
        }
        let cores = self.platform.host(self.id).cores;
        self.entry(OLD_PER_STATE, example, |figures| match *figures {
            [idle, all] => Some((idle, idle, all)),
            [idle, one, all] => Some((idle, static_part(one, all, cores), all)),
            _ => None,
        })
    }

    /// Static part and all cores of a class of work.
    fn workload(&self, name: &str) -> Result<(f64, f64), PowerError> {
        let key = format!("{PER_STATE}/{name}");
        let found = self.entry(&key, "120:200", |figures| match *figures {
            [fixed, all] => Some((fixed, all)),
            _ => None,
        })?;
        found.ok_or_else(|| PowerError::Workload {
            host: self.platform.host_name(self.id),
            workload: name.to_owned(),
            known: self.known_workloads(),
        })
    }

    fn known_workloads(&self) -> String {
        let host = self.platform.host(self.id);
        let names = host.properties.iter().filter_map(|(key, _)| {
            key.strip_prefix(PER_STATE).and_then(|rest| rest.strip_prefix('/'))
        });
        let names = names.collect::<Vec<_>>().join(", ");
        if names.is_empty() { "none".to_owned() } else { names }
    }

    /// The entry of the host's pstate, taken apart at colons.
    fn entry<T>(
        &self,
        key: &str,
        example: &'static str,
        meaning: impl Fn(&[f64]) -> Option<T>,
    ) -> Result<Option<T>, PowerError> {
        let host = self.platform.host(self.id);
        let Some(value) = host.property(key) else { return Ok(None) };
        let name = || self.platform.host_name(self.id);
        let (key, entries) = (key.to_owned(), value.split(',').collect::<Vec<_>>());
        let entry = match entries.len() {
            1 => entries[0],
            count if count >= host.speeds.len() => entries[host.pstate],
            found => {
                let pstates = host.speeds.len();
                return Err(PowerError::Pstates { host: name(), key, found, pstates });
            }
        };
        let figures: Option<Vec<f64>> = entry.split(':').map(watts).collect();
        let malformed =
            || PowerError::Malformed { host: name(), key, value: value.to_owned(), example };
        figures.and_then(|figures| meaning(&figures)).map(Some).ok_or_else(malformed)
    }
}

/// The line through one busy core and all of them, at no busy core.
pub(crate) fn static_part(one: f64, all: f64, cores: u32) -> f64 {
    match cores {
        0 | 1 => one,
        cores => one - (all - one) / f64::from(cores - 1),
    }
}

fn watts(text: &str) -> Option<f64> {
    let text = text.trim();
    let number =
        text.parse().ok().or_else(|| Some(text.parse::<foretell_units::Watt>().ok()?.get()));
    number.filter(|watts: &f64| watts.is_finite() && *watts >= 0.0)
}
