//! Other ways to place the same ranks on the same hosts.

use std::collections::{BTreeMap, VecDeque};

use super::Places;
use crate::mapping::Placement;

/// With more ranks, other placements are not tried: each rank's host is named.
const MOST_RANKS: usize = 1 << 20;

/// Ranks one after the other to the same host until it has as many as it had, and to one host after
/// the other; as far as that is not what it is, nor the same.
pub(super) fn others(places: &Places) -> Vec<(&'static str, Placement)> {
    if places.hosts.len() > MOST_RANKS {
        return Vec::new();
    }
    let numbers: Vec<u32> = places.hosts.iter().map(|host| host.0).collect();
    let candidates = [("ranks in blocks", blocks(&numbers)), ("ranks in turns", turns(&numbers))];
    let names: BTreeMap<u32, &String> = numbers.iter().copied().zip(&places.names).collect();
    let named = |hosts: Vec<u32>| hosts.iter().map(|host| names[host].clone()).collect();
    let other = candidates.into_iter().filter(|(_, hosts)| *hosts != numbers);
    other.map(|(name, hosts)| (name, Placement::Hosts(named(hosts)))).collect()
}

/// Hosts in the order in which ranks name them, with how many each has.
fn counts(hosts: &[u32]) -> Vec<(u32, usize)> {
    let (mut counts, mut at): (Vec<(u32, usize)>, _) = (Vec::new(), BTreeMap::new());
    for host in hosts {
        let at = *at.entry(*host).or_insert_with(|| {
            counts.push((*host, 0));
            counts.len() - 1
        });
        counts[at].1 += 1;
    }
    counts
}

fn blocks(hosts: &[u32]) -> Vec<u32> {
    let counts = counts(hosts).into_iter();
    counts.flat_map(|(host, count)| std::iter::repeat_n(host, count)).collect()
}

fn turns(hosts: &[u32]) -> Vec<u32> {
    let mut left: VecDeque<(u32, usize)> = counts(hosts).into();
    let mut placed = Vec::with_capacity(hosts.len());
    while let Some((host, count)) = left.pop_front() {
        placed.push(host);
        if count > 1 {
            left.push_back((host, count - 1));
        }
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_keep_as_many_ranks_as_they_have() {
        assert_eq!(blocks(&[4, 2, 4, 4, 7]), [4, 4, 4, 2, 7]);
        assert_eq!(turns(&[4, 4, 4, 2, 7]), [4, 2, 7, 4, 4]);
        assert!(turns(&[]).is_empty());
    }

    #[test]
    fn placements_that_change_nothing_are_not_tried() {
        let names = |hosts: &[u32]| {
            let names = hosts.iter().map(|host| format!("h{host}")).collect();
            let hosts = hosts.iter().map(|host| foretell_platform::HostId(*host)).collect();
            others(&Places { hosts, names }).iter().map(|(name, _)| *name).collect::<Vec<_>>()
        };
        assert!(names(&[0, 1, 2, 3]).is_empty());
        assert!(names(&[5, 5, 5]).is_empty());
        assert_eq!(names(&[0, 0, 1, 1]), ["ranks in turns"]);
        assert_eq!(names(&[0, 1, 0, 1]), ["ranks in blocks"]);
        assert_eq!(names(&[0, 1, 1, 0]), ["ranks in blocks", "ranks in turns"]);
    }
}
