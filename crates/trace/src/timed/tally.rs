//! Sums over a run: where the time of ranks went, who sent how much to whom, who was late.

use std::collections::BTreeMap;

use super::{Cast, Class, Event, Lane, Message, Place, Protocol};

/// Sums over the events of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Who took part.
    pub cast: Cast,
    /// When the run ended.
    pub end: f64,
    /// What ranks were in, in the order in which it was first met.
    pub states: Vec<StateTime>,
    /// Calls by where they stand in the program, in the order in which they were first met; none
    /// where that is not known.
    pub sites: Vec<SiteTime>,
    /// For each number of a state its place in `states`, and in `sites`.
    numbers: Vec<(usize, Option<usize>)>,
    /// Where each rank's time went.
    pub ranks: Vec<RankTime>,
    /// Messages from one rank to another, those of collective operations included.
    pub pairs: BTreeMap<(u32, u32), Traffic>,
    /// Receivers that waited because the sender came later, and senders that waited because the
    /// receiver came later; of the program's own messages.
    pub late_senders: Late,
    /// See above.
    pub late_receivers: Late,
}

/// Time of all ranks in one state.
#[derive(Debug, Clone, PartialEq)]
pub struct StateTime {
    /// Its name.
    pub name: String,
    /// What it is.
    pub class: Class,
    /// How often ranks were in it.
    pub count: u64,
    /// For how long, all ranks together.
    pub seconds: f64,
    /// Of that, doing nothing but wait.
    pub waited: f64,
    /// Time of each rank.
    pub ranks: Vec<f64>,
}

/// Time of all ranks in a call that stands at one place of the program.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteTime {
    /// The name of the call.
    pub name: String,
    /// `file:line`.
    pub place: String,
    /// How often ranks were in it.
    pub count: u64,
    /// For how long, all ranks together.
    pub seconds: f64,
    /// Of that, doing nothing but wait.
    pub waited: f64,
}

/// Where the time of a rank went, in seconds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankTime {
    /// Computing.
    pub computing: f64,
    /// In calls.
    pub calls: f64,
    /// Of that, doing nothing but wait.
    pub waited: f64,
    /// When it ended.
    pub end: f64,
}

/// What went from one rank to another.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Messages.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Partners that came late.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Late {
    /// How often.
    pub count: u64,
    /// By how much in all.
    pub seconds: f64,
    /// The worst: by how much, the sender and the receiver.
    pub worst: Option<(f64, u32, u32)>,
}

/// How well the ranks were used, as the POP project counts it: each a share of 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Efficiency {
    /// Mean time of computing over the length of the run: the product of the other two.
    pub parallel: f64,
    /// Mean time of computing over the longest of a rank.
    pub load_balance: f64,
    /// The longest time of computing of a rank over the length of the run.
    pub communication: f64,
}

impl Tally {
    /// Nothing yet.
    pub fn new(cast: &Cast) -> Self {
        let ranks = vec![RankTime::default(); cast.ranks() as usize];
        Self { cast: cast.clone(), ranks, ..Self::default() }
    }

    /// Adds an event.
    pub fn add(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, place, .. } => self.name(name, place),
            Event::Leaves { rank, state, since, waited, .. } => {
                self.stay(rank, state, date - since, waited);
            }
            Event::Delivers(message) => self.message(message),
            Event::Ends { rank } => self.ranks[rank as usize].end = date,
            _ => {}
        }
    }

    /// States of one name are one, wherever they stand in the program.
    fn name(&mut self, name: &str, place: Option<Place<'_>>) {
        let known = self.states.iter().position(|state| state.name == name);
        let state = known.unwrap_or_else(|| {
            self.states.push(StateTime {
                name: name.to_owned(),
                class: Class::of(name),
                count: 0,
                seconds: 0.0,
                waited: 0.0,
                ranks: vec![0.0; self.ranks.len()],
            });
            self.states.len() - 1
        });
        let site = place.map(|place| {
            let (name, place) = (name.to_owned(), place.to_string());
            self.sites.push(SiteTime { name, place, count: 0, seconds: 0.0, waited: 0.0 });
            self.sites.len() - 1
        });
        self.numbers.push((state, site));
    }

    fn stay(&mut self, rank: u32, number: u32, seconds: f64, waited: f64) {
        let (state, site) = self.numbers[number as usize];
        if let Some(site) = site.and_then(|site| self.sites.get_mut(site)) {
            site.count += 1;
            site.seconds += seconds;
            site.waited += waited;
        }
        let state = &mut self.states[state];
        state.count += 1;
        state.seconds += seconds;
        state.waited += waited;
        state.ranks[rank as usize] += seconds;
        let rank = &mut self.ranks[rank as usize];
        match state.class {
            Class::Computing => rank.computing += seconds,
            Class::Sleeping => {}
            _ => {
                rank.calls += seconds;
                rank.waited += waited;
            }
        }
    }

    fn message(&mut self, message: &Message) {
        let letter = &message.letter;
        let traffic = self.pairs.entry((letter.from, letter.to)).or_default();
        traffic.messages += 1;
        traffic.bytes += letter.bytes;
        if letter.lane == Lane::PointToPoint {
            let pair = (letter.from, letter.to);
            self.late_senders.add(message.sent - message.posted, pair);
            if letter.protocol == Protocol::Rendezvous {
                self.late_receivers.add(message.departed - message.sent, pair);
            }
        }
    }

    /// How well the ranks were used; none if there was nothing to do.
    pub fn efficiency(&self) -> Option<Efficiency> {
        let longest = self.ranks.iter().map(|rank| rank.computing).fold(0.0, f64::max);
        let all: f64 = self.ranks.iter().map(|rank| rank.computing).sum();
        let mean = all / self.ranks.len().max(1) as f64;
        (self.end > 0.0 && longest > 0.0).then(|| Efficiency {
            parallel: mean / self.end,
            load_balance: mean / longest,
            communication: longest / self.end,
        })
    }
}

impl Late {
    fn add(&mut self, seconds: f64, (from, to): (u32, u32)) {
        if seconds > 0.0 {
            self.count += 1;
            self.seconds += seconds;
            if self.worst.is_none_or(|worst| seconds > worst.0) {
                self.worst = Some((seconds, from, to));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timed::Letter;

    #[test]
    fn sums_tell_who_computed_who_waited_and_who_was_late() {
        let cast = Cast { nodes: vec!["n".into()], places: vec![0, 0], ..Cast::default() };
        let mut tally = Tally::new(&cast);
        let leaves = |rank, state, since, waited| Event::Leaves {
            rank,
            state,
            since,
            waited,
            collective: None,
        };
        let letter = Letter { from: 0, to: 1, bytes: 100, ..Letter::default() };
        let message = Message {
            letter,
            called: 4.0,
            sent: 4.0,
            departed: 4.0,
            posted: 1.0,
            arrived: 5.0,
            place: None,
        };
        for (date, event) in [
            (0.0, Event::Names { state: 0, name: "computing", place: None }),
            (0.0, Event::Names { state: 1, name: "MPI_Recv", place: None }),
            (4.0, leaves(0, 0, 0.0, 0.0)),
            (1.0, leaves(1, 0, 0.0, 0.0)),
            (5.0, Event::Delivers(&message)),
            (5.0, leaves(1, 1, 1.0, 3.5)),
        ] {
            tally.add(date, &event);
        }
        tally.end = 5.0;
        assert_eq!(tally.ranks[1].computing, 1.0);
        assert_eq!((tally.ranks[1].calls, tally.ranks[1].waited), (4.0, 3.5));
        assert_eq!(tally.pairs[&(0, 1)], Traffic { messages: 1, bytes: 100 });
        assert_eq!(tally.late_senders.worst, Some((3.0, 0, 1)));
        assert_eq!(tally.late_receivers.count, 0);
        let efficiency = tally.efficiency().unwrap();
        assert_eq!((efficiency.parallel, efficiency.load_balance), (0.5, 0.625));
        assert_eq!(efficiency.communication, 0.8);
    }
}
