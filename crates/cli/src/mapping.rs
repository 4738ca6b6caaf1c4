//! Where ranks run.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Result, anyhow};
use foretell_mpi::Mapping;
use foretell_platform::{HostId, Platform};

use crate::figures::{count, counted};
use crate::hostfile;

/// A `--map` as typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Placement {
    /// One rank per core, in order.
    #[default]
    Cores,
    /// So many consecutive ranks on each host; without a number, as few as fit all ranks.
    Block(Option<u32>),
    /// Rank after rank to host after host.
    Cyclic,
    /// As a host file says.
    Hostfile(PathBuf),
    /// On these hosts, in turn.
    Hosts(Vec<String>),
}

impl FromStr for Placement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (how, value) = text.split_once(':').map_or((text, None), |(how, v)| (how, Some(v)));
        match (how, value) {
            ("cores", None) => Ok(Placement::Cores),
            ("cyclic", None) => Ok(Placement::Cyclic),
            ("block", None) => Ok(Placement::Block(None)),
            ("block", Some(size)) => match size.parse() {
                Ok(size) if size > 0 => Ok(Placement::Block(Some(size))),
                _ => Err(format!("`{size}` is no number of ranks; write block:4")),
            },
            ("hostfile", Some(path)) if !path.is_empty() => Ok(Placement::Hostfile(path.into())),
            ("hosts", Some(names)) if names.split(',').all(|name| !name.trim().is_empty()) => {
                Ok(Placement::Hosts(names.split(',').map(|name| name.trim().into()).collect()))
            }
            _ => Err("expected cores, block, block:K, cyclic, hostfile:FILE or hosts:a,b,c".into()),
        }
    }
}

impl std::fmt::Display for Placement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Placement::Cores => f.write_str("cores"),
            Placement::Block(None) => f.write_str("block"),
            Placement::Block(Some(size)) => write!(f, "block:{size}"),
            Placement::Cyclic => f.write_str("cyclic"),
            Placement::Hostfile(path) => write!(f, "hostfile:{}", path.display()),
            Placement::Hosts(names) => write!(f, "hosts:{}", names.join(",")),
        }
    }
}

impl Placement {
    /// The mapping of `ranks` ranks on a machine.
    pub(crate) fn mapping(&self, ranks: u32, platform: &Platform) -> Result<Mapping> {
        Ok(match self {
            Placement::Cores => Mapping::Cores,
            Placement::Block(Some(size)) => Mapping::Block(*size),
            Placement::Block(None) => Mapping::Block(ranks.div_ceil(platform.host_count() as u32)),
            Placement::Cyclic => Mapping::Cyclic,
            Placement::Hostfile(path) => Mapping::Explicit(hostfile::read(path, platform)?),
            Placement::Hosts(names) => Mapping::Explicit(
                names.iter().map(|name| find(name, platform)).collect::<Result<_>>()?,
            ),
        })
    }
}

pub(crate) fn find(name: &str, platform: &Platform) -> Result<HostId> {
    platform.find_host(name).ok_or_else(|| {
        anyhow!(
            "no host is called `{name}`; {}",
            foretell_platform::hostfile::guess(name, platform)
        )
    })
}

/// How the ranks of a run fill the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occupation {
    /// Hosts with at least one rank.
    pub(crate) hosts: usize,
    /// The host with most ranks per core, its ranks, its cores.
    fullest: (HostId, u32, u32),
}

impl Occupation {
    /// Counts the ranks of each host.
    pub(crate) fn of(hosts: &[HostId], platform: &Platform) -> Self {
        let mut ranks = vec![0_u32; platform.host_count()];
        hosts.iter().for_each(|host| ranks[host.0 as usize] += 1);
        let mut found = Self { hosts: 0, fullest: (HostId(0), 0, 1) };
        for (host, ranks) in platform.hosts().zip(ranks).filter(|(_, ranks)| *ranks > 0) {
            let cores = platform.host(host).cores.max(1);
            let (_, most, of) = found.fullest;
            found.hosts += 1;
            if u64::from(ranks) * u64::from(of) > u64::from(most) * u64::from(cores) {
                found.fullest = (host, ranks, cores);
            }
        }
        found
    }

    /// What to say if ranks share a core.
    pub(crate) fn warning(&self, platform: &Platform) -> Option<String> {
        let (host, ranks, cores) = self.fullest;
        (ranks > cores).then(|| {
            format!(
                "ranks share cores: {} has {} on {}, and what they compute takes longer",
                platform.host_name(host),
                counted(ranks.into(), "rank"),
                counted(cores.into(), "core"),
            )
        })
    }

    /// Where the ranks are, in words.
    pub(crate) fn words(&self, platform: &Platform) -> String {
        let all = platform.host_count();
        match self.hosts == all {
            true => counted(all as u64, "host"),
            false => format!("{} of {} hosts", count(self.hosts as u64), count(all as u64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placements_read_back_as_they_print() {
        for text in ["cores", "block", "block:4", "cyclic", "hostfile:a:b", "hosts:a,b"] {
            assert_eq!(text.parse::<Placement>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "core", "block:0", "block:x", "cyclic:3", "hostfile:", "hosts:a,,b"] {
            assert!(text.parse::<Placement>().is_err(), "{text}");
        }
    }

    #[test]
    fn blocks_without_a_size_spread_over_all_hosts() {
        let platform = Platform::named("star-64").unwrap();
        let mapping = |ranks| Placement::Block(None).mapping(ranks, &platform).unwrap();
        assert_eq!(mapping(64), Mapping::Block(1));
        assert_eq!(mapping(65), Mapping::Block(2));
    }

    #[test]
    fn only_shared_cores_are_worth_a_warning() {
        let platform = Platform::named("star-64").unwrap();
        let warning = |mapping: Mapping, ranks| {
            Occupation::of(&mapping.hosts(ranks, &platform), &platform).warning(&platform)
        };
        assert_eq!(warning(Mapping::Cores, 1024), None);
        assert!(warning(Mapping::Cores, 1025).unwrap().contains("17 ranks on 16 cores"));
        assert_eq!(warning(Mapping::Block(16), 64), None);
        assert!(warning(Mapping::Block(17), 17).is_some());
    }
}
