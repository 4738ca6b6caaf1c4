//! What is to be other than recorded.

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use foretell_platform::NetworkFactors;
use foretell_replay::Factors;
use foretell_units::FlopPerSecond;

use crate::figures::counted;

/// Options of a replay that change what is replayed.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Replay")]
pub(crate) struct Changes {
    /// The speed of the processor that a trace with dates was recorded on, such as 10Gf: a
    /// recorded second is so many flops [default: the speed of rank 0's host, so that recorded
    /// seconds stay what they are]
    #[arg(long, value_name = "SPEED")]
    pub(super) recorded_speed: Option<FlopPerSecond>,
    /// Compute faster than recorded: `2` all ranks, `rank:3=2` one of them, `ranks:0-7=2` several,
    /// `solve=2` a part of the program; may be repeated
    #[arg(long, value_name = "WHAT=FACTOR")]
    pub(super) speedup: Vec<String>,
    /// Let each computation take what it takes on average for its rank at its place in the
    /// program: as much work, without its variation from one time to the next
    #[arg(long)]
    pub(super) no_noise: bool,
    /// Let all ranks that compute do equally much in all, as if the work were spread evenly
    #[arg(long)]
    pub(super) balance: bool,
    /// Multiply the bandwidth of all links
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    link_bandwidth: Option<f64>,
    /// Multiply the latency of all links
    #[arg(long, value_name = "FACTOR", value_parser = factor)]
    link_latency: Option<f64>,
    /// Tell what would help most: replay again with all processors twice as fast, with half the
    /// latency, with twice the bandwidth, without noise, balanced, with other placements of the
    /// ranks on the same hosts, with each part of the program twice as fast, and sort them by what
    /// they gain
    #[arg(long)]
    pub(super) what_if: bool,
    /// What --what-if sorts by
    #[arg(long, value_name = "BY", requires = "what_if", default_value = "time")]
    pub(super) sort: Sort,
}

/// What a table of gains is sorted by.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Sort {
    /// Simulated time
    #[default]
    Time,
    /// Joules, which --energy tells
    Energy,
}

impl Changes {
    pub(super) fn network(&self) -> NetworkFactors {
        NetworkFactors {
            bandwidth: self.link_bandwidth.unwrap_or(1.0),
            latency: self.link_latency.unwrap_or(1.0),
        }
    }
}

/// A factor such as `2` or `x0.5`.
fn factor(text: &str) -> Result<f64> {
    let number = text.strip_prefix('x').unwrap_or(text).parse::<f64>().ok();
    let factor = number.filter(|factor| factor.is_normal() && *factor > 0.0);
    factor.ok_or_else(|| anyhow!("`{text}` is no factor; write 2 or x0.5"))
}

/// Speed-ups as typed.
#[derive(Debug)]
pub(super) struct SpeedUps {
    /// Of all ranks and of parts.
    usual: Factors,
    /// Of ranks, from the first to the last, with the words that said so.
    ranks: Vec<(u32, u32, f64, String)>,
}

impl SpeedUps {
    /// Makes sense of what was typed.
    pub(super) fn parse(words: &[String]) -> Result<Self> {
        let mut all = Self { usual: Factors::default(), ranks: Vec::new() };
        for word in words {
            let (what, number) = word.rsplit_once('=').unwrap_or(("", word));
            let Ok(factor) = factor(number) else {
                bail!("`--speedup {word}` has no factor; write --speedup solve=2 or rank:3=1.5");
            };
            if what.is_empty() || what == "all" {
                all.usual.all *= factor;
            } else if let Some(ranks) = what.strip_prefix("ranks:").or(what.strip_prefix("rank:")) {
                let (first, last) = ranks.split_once('-').unwrap_or((ranks, ranks));
                let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) else {
                    bail!("`--speedup {word}` names no ranks; write rank:3=2 or ranks:0-7=2");
                };
                if last < first {
                    bail!("`--speedup {word}` names no ranks; the first comes first");
                }
                all.ranks.push((first, last, factor, word.clone()));
            } else {
                *all.usual.parts.entry(what.to_owned()).or_insert(1.0) *= factor;
            }
        }
        Ok(all)
    }

    /// Refuses those of ranks that none of these traces has, which have so many each.
    pub(super) fn check(&self, ranks: impl IntoIterator<Item = u32>) -> Result<()> {
        let most = ranks.into_iter().max().unwrap_or_default();
        let Some((.., word)) = self.ranks.iter().find(|(_, last, ..)| *last >= most) else {
            return Ok(());
        };
        let ranks = counted(most.into(), "rank");
        let last = most.saturating_sub(1);
        bail!(
            "`--speedup {word}` names ranks that are not there: the trace has {ranks}, 0 to {last}"
        )
    }

    /// Those that belong to a trace with so many ranks.
    pub(super) fn of(&self, ranks: u32) -> Factors {
        let mut factors = self.usual.clone();
        for (first, last, factor, _) in &self.ranks {
            let own = *first..ranks.min(last.saturating_add(1));
            own.for_each(|rank| *factors.ranks.entry(rank).or_insert(1.0) *= factor);
        }
        factors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_ups_are_of_all_of_ranks_and_of_parts() {
        let words = ["2", "rank:3=4", "ranks:2-3=x0.5", "a=b=1.5", "a=b=2"].map(str::to_owned);
        let asked = SpeedUps::parse(&words).unwrap();
        let found = asked.of(4);
        assert_eq!((found.all, found.parts["a=b"]), (2.0, 3.0));
        assert_eq!((found.ranks[&2], found.ranks[&3]), (0.5, 2.0));
        for word in ["solve", "solve=0", "rank:x=2", "ranks:5-2=2", "=nan"] {
            assert!(SpeedUps::parse(&[word.to_owned()]).is_err(), "{word}");
        }
        // A job with fewer ranks takes what is its own.
        assert_eq!(asked.of(3).ranks.len(), 1);
        assert!(asked.check([2, 4]).is_ok());
        let told = asked.check([2, 3]).unwrap_err().to_string();
        assert!(told.contains("rank:3=4") && told.contains("3 ranks, 0 to 2"), "{told}");
    }
}
