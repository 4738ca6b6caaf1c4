//! What it takes to boot the nodes of a run before it, and to shut them down after it.

use std::collections::BTreeSet;

use foretell_platform::{HostId, Platform, PowerError};

/// Energy and time around a run; the run's own are not in it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct SwitchingEnergy {
    /// Joules until all nodes are up: those that are up before the last one are idle until then.
    pub boot_joules: f64,
    /// How long that takes.
    pub boot_seconds: f64,
    /// Joules of shutting all nodes down.
    pub shutdown_joules: f64,
    /// Until the last one is off.
    pub shutdown_seconds: f64,
}

impl SwitchingEnergy {
    /// That of the nodes of ranks on these hosts, each of which draws so much when it is idle.
    pub(super) fn of(
        platform: &Platform,
        hosts: &[HostId],
        idle: impl Fn(HostId) -> f64,
    ) -> Result<Self, PowerError> {
        let hosts: BTreeSet<HostId> = hosts.iter().copied().collect();
        let mut nodes = Vec::with_capacity(hosts.len());
        for host in hosts {
            nodes.push((host, platform.switching(host)?));
        }
        let longest = |which: usize| {
            nodes.iter().map(|(_, switching)| switching[which].seconds).fold(0.0, f64::max)
        };
        let mut found =
            Self { boot_seconds: longest(0), shutdown_seconds: longest(1), ..Self::default() };
        for (host, [boot, shutdown]) in &nodes {
            let waiting = found.boot_seconds - boot.seconds;
            found.boot_joules += boot.seconds * boot.watts + waiting * idle(*host);
            found.shutdown_joules += shutdown.seconds * shutdown.watts;
        }
        Ok(found)
    }
}
