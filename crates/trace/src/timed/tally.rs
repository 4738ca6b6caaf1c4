//! Sums over a run: where the time of ranks went, who sent how much to whom, who was late.

mod meetings;
mod regions;

use std::collections::BTreeMap;

pub use meetings::Meeting;
use meetings::Meetings;
use regions::Inside;
pub use regions::RegionTime;

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
    /// Waiting for the last in collective calls, by their names.
    pub meetings: BTreeMap<String, Meeting>,
    /// Regions of the program, in the order in which they were first met.
    pub regions: Vec<RegionTime>,
    /// Who is in which collective call, and in which regions.
    under_way: Meetings,
    inside: Inside,
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

impl Efficiency {
    /// Of ranks whose time went there, in a run of this length.
    fn of(ranks: &[RankTime], length: f64) -> Option<Self> {
        let longest = ranks.iter().map(|rank| rank.computing).fold(0.0, f64::max);
        let all: f64 = ranks.iter().map(|rank| rank.computing).sum();
        let mean = all / ranks.len().max(1) as f64;
        (length > 0.0 && longest > 0.0).then(|| Self {
            parallel: mean / length,
            load_balance: mean / longest,
            communication: longest / length,
        })
    }

    /// What the network costs, and what ranks wait for each other: the two parts of the efficiency
    /// of communication, if the same run takes this long on a network that costs nothing.
    pub fn parts(&self, length: f64, ideal: f64) -> (f64, f64) {
        let transfer = ideal / length;
        (transfer, self.communication / transfer)
    }
}

impl Tally {
    /// Nothing yet.
    pub fn new(cast: &Cast) -> Self {
        let ranks = vec![RankTime::default(); cast.ranks() as usize];
        let inside = Inside::new(ranks.len());
        let mut under_way = Meetings::default();
        under_way.form(0, ranks.len());
        Self { cast: cast.clone(), ranks, inside, under_way, ..Self::default() }
    }

    /// Adds an event.
    pub fn add(&mut self, date: f64, event: &Event<'_>) {
        match *event {
            Event::Names { name, place, .. } => self.name(name, place),
            Event::Forms { comm, members, .. } => self.under_way.form(comm, members.len()),
            Event::Leaves { rank, state, since, waited, collective } => {
                self.stay(rank, state, date - since, waited);
                self.stay_inside(rank, state, (since, date), waited);
                if let Some(args) = collective {
                    self.meet(rank, state, args.comm, since);
                }
            }
            Event::Marks { rank, mark, name } => {
                self.inside.mark(&mut self.regions, date, (rank, mark, name));
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

    fn stay_inside(&mut self, rank: u32, number: u32, dates: (f64, f64), waited: f64) {
        let class = self.states[self.numbers[number as usize].0].class;
        let (regions, seconds) = (&mut self.regions, dates.1 - dates.0);
        self.inside.stay(rank, dates, |region, share| {
            let sum = &mut regions[region].ranks[rank as usize];
            match class {
                Class::Computing => sum.computing += share * seconds,
                Class::Sleeping => {}
                _ => {
                    sum.calls += share * seconds;
                    sum.waited += share * waited;
                }
            }
        });
    }

    fn meet(&mut self, rank: u32, number: u32, comm: u32, since: f64) {
        let name = &self.states[self.numbers[number as usize].0].name;
        if let Some((last, seconds)) = self.under_way.join(rank, comm, since) {
            self.meetings.entry(name.clone()).or_default().add(last, seconds);
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
        Efficiency::of(&self.ranks, self.end)
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
mod tests;
