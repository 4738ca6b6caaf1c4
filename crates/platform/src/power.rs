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
//! | `wattage_second_socket` | what more cores busy than one of two sockets has add at once |
//! | `wattage_off` | switched off |
//! | `wattage_cap` | the most that it may draw; not a list |
//! | `wattage_boot`, `wattage_shutdown` | `seconds:watts` of switching it on and off; not a list |

use foretell_units::Seconds;

use crate::machine::{HostId, Platform};

/// Watts by state and pstate, SimGrid's property.
pub(crate) const PER_STATE: &str = "wattage_per_state";
/// The same in SimGrid before 3.26: one busy core in the place of the static part.
pub(crate) const OLD_PER_STATE: &str = "watt_per_state";
/// Watts of a node that is off.
pub(crate) const OFF: &str = "wattage_off";
/// Watts that a second socket adds as soon as one of its cores is busy.
pub(crate) const SECOND_SOCKET: &str = "wattage_second_socket";
/// The most watts that a node may draw.
pub(crate) const CAP: &str = "wattage_cap";
/// Seconds and watts of booting a node, and of shutting it down.
pub(crate) const BOOT: &str = "wattage_boot";
pub(crate) const SHUTDOWN: &str = "wattage_shutdown";
/// Watts of a node all of whose cores poll.
pub(crate) const POLLING: &str = "wattage_polling";

/// The power of a node in one pstate and for one class of work.
///
/// With `c` busy cores and `p` polling ones of `n` it draws
/// `fixed + (computing c + polling p) / n`, and `idle` when both are none
/// (Heinrich et al. 2017, equation 1). Where a second socket costs something of its own, that comes
/// on top as soon as more cores are in use than one of two sockets has.
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
    /// What the second of two sockets adds once it is in use, whatever its cores do.
    pub second_socket: f64,
    /// Cores of the node.
    pub cores: u32,
}

/// What it takes to switch a node on or off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Switching {
    /// How long.
    pub seconds: f64,
    /// What the node draws meanwhile.
    pub watts: f64,
}

impl NodePower {
    /// Watts with so many cores that compute, and so many that poll.
    pub fn watts(&self, computing: u32, polling: u32) -> f64 {
        let polling = if self.polling.is_some() { polling } else { 0 };
        if computing + polling == 0 {
            return self.idle;
        }
        self.busy_watts(computing + polling) + self.dynamic_watts(computing, polling)
    }

    /// Watts with so many computations under way and so many ranks that poll: computations come
    /// first, ranks that poll take what cores are left.
    pub fn drawn(&self, computations: u32, polls: u32) -> f64 {
        let computing = computations.min(self.cores);
        self.watts(computing, polls.min(self.cores - computing))
    }

    /// Watts that the node itself draws when so many of its cores are in use, at least one.
    pub fn busy_watts(&self, in_use: u32) -> f64 {
        let of_one_socket = self.cores.div_ceil(2);
        self.fixed + if in_use > of_one_socket { self.second_socket } else { 0.0 }
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
         `all_cores`, or hosts of a SimGrid file the property `wattage_per_state`; links and \
         switches have `[network.power]`, or the property `wattage_range`"
    )]
    Nothing,
    /// A property does not read as watts.
    #[error("{what}: property `{key}` is `{value}`; it should be watts like `{example}`")]
    Malformed {
        /// The host, link or zone.
        what: String,
        /// The property.
        key: String,
        /// What stands there.
        value: String,
        /// What could.
        example: &'static str,
    },
    /// A property does not read as a time and watts.
    #[error("{what}: property `{key}` is `{value}`; it should be seconds and watts like `120:150`")]
    Time {
        /// The host.
        what: String,
        /// The property.
        key: String,
        /// What stands there.
        value: String,
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
    /// Nothing is said of switching a node on and off.
    #[error(
        "host {0} does not say what booting and shutting down take; give its nodes `boot` and \
         `shutdown` in `[nodes.power]`, or the properties `wattage_boot` and `wattage_shutdown`"
    )]
    Switching(String),
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
    /// The power of a host in its first pstate for a class of work; none if nothing is said of it.
    ///
    /// # Errors
    ///
    /// Fails if a property does not read as watts, or the host does not know the class of work.
    pub fn node_power(
        &self,
        id: HostId,
        workload: Option<&str>,
    ) -> Result<Option<NodePower>, PowerError> {
        self.node_power_in(id, workload, self.host(id).pstate)
    }

    /// The same in another pstate of the host.
    ///
    /// # Errors
    ///
    /// As [`Platform::node_power`].
    pub fn node_power_in(
        &self,
        id: HostId,
        workload: Option<&str>,
        pstate: usize,
    ) -> Result<Option<NodePower>, PowerError> {
        let reader = Reader { platform: self, id, pstate };
        let Some((idle, mut fixed, mut all)) = reader.states()? else { return Ok(None) };
        if let Some(name) = workload {
            (fixed, all) = reader.workload(name)?;
        }
        let single = |key| reader.entry(key, "95", |f| (f.len() == 1).then(|| f[0]));
        let (off, polling) = (single(OFF)?, single(POLLING)?);
        let second_socket = single(SECOND_SOCKET)?.unwrap_or(0.0);
        let polling = polling.map(|watts| watts - fixed - second_socket);
        let cores = self.host(id).cores.max(1);
        let (off, computing) = (off.unwrap_or(0.0), all - fixed - second_socket);
        Ok(Some(NodePower { off, idle, fixed, computing, polling, second_socket, cores }))
    }

    /// What it takes to boot a host, and to shut it down.
    ///
    /// # Errors
    ///
    /// Fails if nothing is said of either, or a property does not read as seconds and watts.
    pub fn switching(&self, id: HostId) -> Result<[Switching; 2], PowerError> {
        let (reader, host) = (Reader { platform: self, id, pstate: 0 }, self.host(id));
        let read = |key: &str| {
            let missing = || PowerError::Switching(self.host_name(id));
            let value = host.property(key).ok_or_else(missing)?;
            let figures = value.split_once(':').and_then(|(seconds, watts)| {
                let seconds = seconds.trim().parse::<Seconds>().ok()?.get();
                (seconds >= 0.0).then_some(())?;
                Some(Switching { seconds, watts: self::watts(watts)? })
            });
            figures.ok_or_else(|| PowerError::Time {
                what: reader.name(),
                key: key.to_owned(),
                value: value.to_owned(),
            })
        };
        Ok([read(BOOT)?, read(SHUTDOWN)?])
    }

    /// The most that a host may draw; none if nothing is said of it.
    ///
    /// # Errors
    ///
    /// Fails if the property does not read as watts.
    pub fn power_cap(&self, id: HostId) -> Result<Option<f64>, PowerError> {
        let (reader, host) = (Reader { platform: self, id, pstate: 0 }, self.host(id));
        let Some(value) = host.property(CAP) else { return Ok(None) };
        watts(value).map(Some).ok_or_else(|| reader.malformed(CAP, value, "150"))
    }
}

/// Reads the properties of one host.
struct Reader<'a> {
    platform: &'a Platform,
    id: HostId,
    pstate: usize,
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

    /// The entry of the pstate, taken apart at colons.
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
            count if count >= host.speeds.len() => entries[self.pstate],
            found => {
                let pstates = host.speeds.len();
                return Err(PowerError::Pstates { host: name(), key, found, pstates });
            }
        };
        let figures: Option<Vec<f64>> = entry.split(':').map(watts).collect();
        let found = figures.and_then(|figures| meaning(&figures));
        found.map(Some).ok_or_else(|| self.malformed(&key, value, example))
    }

    fn name(&self) -> String {
        format!("host {}", self.platform.host_name(self.id))
    }

    fn malformed(&self, key: &str, value: &str, example: &'static str) -> PowerError {
        let what = self.name();
        PowerError::Malformed { what, key: key.to_owned(), value: value.to_owned(), example }
    }
}

/// The line through one busy core and all of them, at no busy core.
pub(crate) fn static_part(one: f64, all: f64, cores: u32) -> f64 {
    match cores {
        0 | 1 => one,
        cores => one - (all - one) / f64::from(cores - 1),
    }
}

/// A power, which is not negative.
pub(crate) fn watts(text: &str) -> Option<f64> {
    let text = text.trim();
    let number =
        text.parse().ok().or_else(|| Some(text.parse::<foretell_units::Watt>().ok()?.get()));
    number.filter(|watts: &f64| watts.is_finite() && *watts >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn platform(node: &str) -> Platform {
        let text = format!(
            "name = 'm'\n[nodes]\ncount = 2\ncores = 4\nspeed = ['2Gf', '1Gf']\n{node}\n\
             [network]\ntopology = 'star'\nbandwidth = '1GBps'\nlatency = '1us'\n"
        );
        crate::toml_format::read(&text).unwrap()
    }

    fn check(node: &str, workload: Option<&str>, busy: &[f64]) {
        let power = platform(node).node_power(HostId(0), workload).unwrap().unwrap();
        for (cores, expected) in busy.iter().enumerate() {
            let watts = power.watts(cores as u32, 0);
            assert!((watts - expected).abs() < 1e-9, "{node}: {cores} cores draw {watts}");
        }
    }

    #[test]
    fn properties_of_simgrid_are_understood() {
        let of = |key, value| format!("properties = {{ {key} = '{value}' }}");
        check(&of(PER_STATE, "100:120:200,90:100:140"), None, &[100.0, 140.0, 160.0, 180.0, 200.0]);
        check(&of(PER_STATE, "100:200"), None, &[100.0, 125.0, 150.0, 175.0, 200.0]);
        check(&of(OLD_PER_STATE, "100:140:200"), None, &[100.0, 140.0, 160.0, 180.0, 200.0]);
        let slow = format!("pstate = 1\n{}", of(PER_STATE, "100:120:200,90:100:140"));
        check(&slow, None, &[90.0, 110.0, 120.0, 130.0, 140.0]);
    }

    #[test]
    fn one_core_and_all_cores_give_the_line() {
        let table = "[nodes.power]\nidle = '100W'\none_core = '140W'\nall_cores = '200W'\n\
                     off = 8\npolling = [180, 130]\nworkloads.ep = { all_cores = 160 }";
        check(table, None, &[100.0, 140.0, 160.0, 180.0, 200.0]);
        check(table, Some("ep"), &[100.0, 130.0, 140.0, 150.0, 160.0]);
        let power = platform(table).node_power(HostId(1), None).unwrap().unwrap();
        assert_eq!((power.off, power.watts(0, 4)), (8.0, 180.0));
    }

    #[test]
    fn a_second_socket_comes_on_top_of_the_line() {
        let table = "[nodes.power]\nidle = 100\none_core = 140\nall_cores = 215\n\
                     second_socket = 15\npolling = 195";
        check(table, None, &[100.0, 140.0, 160.0, 195.0, 215.0]);
        let power = platform(table).node_power(HostId(0), None).unwrap().unwrap();
        assert!((power.watts(0, 4) - 195.0).abs() < 1e-9);
        assert!((power.watts(1, 1) - power.watts(2, 0) + 5.0).abs() < 1e-9);
    }

    #[test]
    fn booting_takes_time_and_power() {
        let table = "[nodes.power]\nidle = 100\nall_cores = 200\ncap = '150W'\n\
                     boot = { time = '2m', power = 130 }\n\
                     shutdown = { time = 10.5, power = '0.1kW' }";
        for platform in [platform(table), {
            crate::toml_format::read(&crate::write_toml(&platform(table))).unwrap()
        }] {
            let [boot, shutdown] = platform.switching(HostId(1)).unwrap();
            assert_eq!((boot.seconds, boot.watts), (120.0, 130.0));
            assert_eq!((shutdown.seconds, shutdown.watts), (10.5, 100.0));
            assert_eq!(platform.power_cap(HostId(1)), Ok(Some(150.0)));
        }
        let told = |properties: &str| {
            platform(&format!("properties = {{ {properties} }}")).switching(HostId(0)).unwrap_err()
        };
        assert!(told("colour = 'red'").to_string().contains("`boot` and `shutdown`"));
        let told = told("wattage_boot = '120'").to_string();
        assert!(told.contains("should be seconds and watts like `120:150`"), "{told}");
    }

    #[test]
    fn nodes_may_differ() {
        let differs = "[nodes.power]\nidle = 100\nall_cores = 200\n\
                       [[override]]\nnodes = 'node-1'\npower = { idle = 111, all_cores = 211 }";
        let platform = platform(differs);
        let idle = |host| platform.node_power(HostId(host), None).unwrap().unwrap().idle;
        assert_eq!((idle(0), idle(1)), (100.0, 111.0));
        let again = crate::toml_format::read(&crate::write_toml(&platform)).unwrap();
        assert_eq!(again.node_power(HostId(1), None).unwrap().unwrap().idle, 111.0);
    }

    #[test]
    fn what_does_not_read_as_watts_is_told() {
        let said = |node: &str, workload| {
            platform(node).node_power(HostId(0), workload).unwrap_err().to_string()
        };
        let bad = "properties = { wattage_per_state = '100:x' }";
        assert!(said(bad, None).contains("host node-0: property `wattage_per_state`"));
        let usual = "[nodes.power]\nidle = 1\nall_cores = 2";
        assert!(said(usual, Some("hpl")).contains("no power for the work `hpl`"));
    }
}
