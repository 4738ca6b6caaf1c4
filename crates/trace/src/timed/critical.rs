//! The critical path: what the end of a run waited for, step by step back to its beginning.
//!
//! From the rank that ended last, time is gone through backwards. A call that ended with a message
//! that came while the rank was in it leads to the sender, at the date the message was sent; one
//! whose sender was there first, and waited for its receiver, stays on the receiver. A collective
//! call whose messages are not told leads to the rank that entered it last. A path is one of
//! several where ranks waited for each other at the same date. Its steps follow each other without
//! a gap, so that together they are as long as the run.

use std::collections::BTreeMap;

use super::whole::{Delivered, Stay, Whole};
use super::{Class, Protocol};

/// The critical path of a run, from its beginning to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct CriticalPath {
    /// The steps, in the order of time.
    pub steps: Vec<Step>,
    /// How long it is: from the first step's begin to the last one's end.
    pub seconds: f64,
}

/// A part of the path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// The rank; of a message, its receiver.
    pub rank: u32,
    /// From when on.
    pub begin: f64,
    /// Until when.
    pub end: f64,
    /// What happened.
    pub what: What,
}

/// What a step of the path is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum What {
    /// The rank was in a state, by its number.
    Stay(u32),
    /// A message moved.
    Message {
        /// Its sender.
        from: u32,
        /// Its size.
        bytes: u64,
        /// The rank that the path comes from and the one that it goes to: the sender and the
        /// receiver, but where one of them waited for the other to ask or to be served.
        leads: (u32, u32),
    },
}

impl CriticalPath {
    /// Finds the path.
    pub fn of(whole: &Whole) -> Self {
        let mut walk = Walk::new(whole);
        let last =
            |(rank, stays): (usize, &Vec<Stay>)| stays.last().map(|stay| (rank as u32, stay.end));
        let ends = whole.stays.iter().enumerate().filter_map(last);
        let latest = ends.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((rank, end)) = latest {
            walk.go(rank, end);
        }
        walk.steps.reverse();
        let first = walk.steps.first().map_or(0.0, |step| step.begin);
        let seconds = walk.steps.last().map_or(0.0, |step| step.end) - first;
        Self { steps: joined(walk.steps), seconds }
    }

    /// Seconds of the path in each state, by its number, and in messages.
    pub fn shares(&self) -> (BTreeMap<u32, f64>, f64) {
        let (mut states, mut messages) = (BTreeMap::new(), 0.0);
        for Step { begin, end, what, .. } in &self.steps {
            match what {
                What::Stay(state) => *states.entry(*state).or_insert(0.0) += end - begin,
                What::Message { .. } => messages += end - begin,
            }
        }
        (states, messages)
    }
}

/// Steps of one rank in one state that follow each other are one.
fn joined(steps: Vec<Step>) -> Vec<Step> {
    let mut all: Vec<Step> = Vec::with_capacity(steps.len());
    for step in steps {
        match all.last_mut() {
            Some(last) if last.rank == step.rank && last.what == step.what => last.end = step.end,
            _ => all.push(step),
        }
    }
    all
}

struct Walk<'a> {
    whole: &'a Whole,
    /// Messages to each rank and from each, by delivery.
    to: Vec<Vec<u32>>,
    from: Vec<Vec<u32>>,
    /// For each collective stay the rank that entered last, and when.
    latest: BTreeMap<(u32, u32), (u32, f64)>,
    classes: Vec<Class>,
    steps: Vec<Step>,
}

impl<'a> Walk<'a> {
    fn new(whole: &'a Whole) -> Self {
        let ranks = whole.stays.len();
        let (mut to, mut from) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
        for (number, one) in whole.messages.iter().enumerate() {
            to[one.message.letter.to as usize].push(number as u32);
            from[one.message.letter.from as usize].push(number as u32);
        }
        let latest = match whole.tells_collective_messages() {
            true => BTreeMap::new(),
            false => latest(whole),
        };
        let classes = whole.states.iter().map(|name| Class::of(name)).collect();
        Self { whole, to, from, latest, classes, steps: Vec::new() }
    }

    fn go(&mut self, mut rank: u32, mut date: f64) {
        let ranks = self.whole.stays.len();
        // Without a step back in time the path goes to another rank; that ends when all had a turn,
        // since ranks may have waited for each other at the same date.
        let mut turns = 0;
        loop {
            let own = &self.whole.stays[rank as usize];
            let at = own.partition_point(|stay| stay.begin < date);
            let Some(at) = at.checked_sub(1) else { return };
            let before = date;
            (rank, date) = match self.leap(rank, own[at], at as u32, date, turns < ranks) {
                Some(leap) => leap,
                None => {
                    self.push(rank, own[at].begin, date, What::Stay(own[at].state));
                    (rank, own[at].begin)
                }
            };
            turns = if date < before { 0 } else { turns + 1 };
        }
    }

    /// Goes back from a date in a stay to whom the rank waited for; none if it did for nobody.
    fn leap(
        &mut self,
        rank: u32,
        stay: Stay,
        at: u32,
        date: f64,
        may_stand_still: bool,
    ) -> Option<(u32, f64)> {
        let what = What::Stay(stay.state);
        let is_back = |to: f64| to < date || to == date && may_stand_still;
        if let Some(one) = self.waited_for(rank, stay, date) {
            let message = &one.message;
            let arrived = one.date;
            let is_receiver_late =
                message.posted > message.sent && message.letter.protocol != Protocol::Eager;
            let (to, start) = match is_receiver_late {
                true => (message.letter.to, message.posted),
                false => (message.letter.from, message.sent),
            };
            // A date that is later than what it led to is one of another clock.
            let start = start.min(arrived);
            if is_back(start) {
                self.push(rank, arrived, date, what);
                let (from, bytes) = (message.letter.from, message.letter.bytes);
                let moved = What::Message { from, bytes, leads: (to, rank) };
                self.push(message.letter.to, start, arrived, moved);
                return Some((to, start));
            }
        }
        let (other, entered) = self.latest.get(&(rank, at)).copied()?;
        (entered > stay.begin && entered < date && other != rank).then(|| {
            self.push(rank, entered, date, what);
            (other, entered)
        })
    }

    fn push(&mut self, rank: u32, begin: f64, end: f64, what: What) {
        if end > begin {
            self.steps.push(Step { rank, begin, end, what });
        }
    }

    /// The last message that ended a wait in a stay: one that came to the rank, or one of its own
    /// that waited for its receiver. What comes while a rank sends is not what it waits for.
    fn waited_for(&self, rank: u32, stay: Stay, date: f64) -> Option<&'a Delivered> {
        let class = self.classes[stay.state as usize];
        let is_receiving = !matches!(
            class,
            Class::Computing | Class::Sleeping | Class::Send | Class::Isend | Class::Ireceive
        );
        let is_sending = !matches!(
            class,
            Class::Computing | Class::Sleeping | Class::Isend | Class::Receive | Class::Ireceive
        );
        let came = if is_receiving { self.last(&self.to[rank as usize], stay, date) } else { None };
        let went = if is_sending { self.last(&self.from[rank as usize], stay, date) } else { None };
        let went = went.filter(|one| {
            let message = &one.message;
            message.letter.protocol == Protocol::Rendezvous && message.posted > message.sent
        });
        match (came, went) {
            (Some(came), Some(went)) => Some(if went.date > came.date { went } else { came }),
            (came, went) => came.or(went),
        }
    }

    /// The last of these messages that came in a stay by a date, and not as soon as it was asked
    /// for: nobody waited for one that was there.
    fn last(&self, numbers: &[u32], stay: Stay, date: f64) -> Option<&'a Delivered> {
        let messages = &self.whole.messages;
        let end = numbers.partition_point(|number| messages[*number as usize].date <= date);
        let backwards = numbers[..end].iter().rev().map(|number| &messages[*number as usize]);
        let mut came = backwards.take_while(|one| one.date > stay.begin);
        came.find(|one| one.date > one.message.posted)
    }
}

/// For each collective stay, by rank and place, the rank that entered the same call last.
fn latest(whole: &Whole) -> BTreeMap<(u32, u32), (u32, f64)> {
    // By communicator and number: the ranks, their stays, and when they entered.
    type Calls = BTreeMap<(u32, u64), Vec<(u32, u32, f64)>>;
    let mut counts: BTreeMap<(u32, u32), u64> = BTreeMap::new();
    let mut calls = Calls::new();
    for (rank, stays) in whole.stays.iter().enumerate() {
        let rank = rank as u32;
        for (at, stay) in stays.iter().enumerate() {
            let Some(comm) = stay.comm else { continue };
            let nth = counts.entry((rank, comm)).or_default();
            calls.entry((comm, *nth)).or_default().push((rank, at as u32, stay.begin));
            *nth += 1;
        }
    }
    let mut all = BTreeMap::new();
    for parts in calls.values() {
        let last = parts.iter().max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0)));
        if let Some((rank, _, entered)) = last {
            parts.iter().for_each(|(own, at, _)| _ = all.insert((*own, *at), (*rank, *entered)));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Letter, Message};
    use super::*;

    fn stay(state: u32, begin: f64, end: f64) -> Stay {
        Stay { state, begin, end, comm: None }
    }

    /// State 0 is computing, 1 a receive, 2 a barrier.
    fn whole(stays: Vec<Vec<Stay>>, messages: Vec<Delivered>) -> Whole {
        let states = ["computing", "MPI_Recv", "MPI_Barrier"].map(str::to_owned).to_vec();
        Whole { states, stays, messages, ..Whole::default() }
    }

    fn sent(from: u32, to: u32, sent: f64, date: f64) -> Delivered {
        let letter = Letter { from, to, bytes: 8, ..Letter::default() };
        let message = Message {
            letter,
            called: sent,
            sent,
            departed: sent,
            posted: 0.0,
            arrived: date,
            place: None,
        };
        Delivered { message, date }
    }

    #[test]
    fn a_receiver_that_waits_leads_to_its_sender() {
        // Rank 1 waits from 1 for what rank 0 sends at 3 and gets at 4.
        let stays = vec![
            vec![stay(0, 0.0, 3.0), stay(0, 3.0, 3.5)],
            vec![stay(0, 0.0, 1.0), stay(1, 1.0, 4.0), stay(0, 4.0, 6.0)],
        ];
        let path = CriticalPath::of(&whole(stays, vec![sent(0, 1, 3.0, 4.0)]));
        let steps: Vec<_> =
            path.steps.iter().map(|step| (step.rank, step.begin, step.end)).collect();
        assert_eq!(steps, [(0, 0.0, 3.0), (1, 3.0, 4.0), (1, 4.0, 6.0)]);
        assert_eq!(path.seconds, 6.0);
        let (states, messages) = path.shares();
        assert_eq!((states[&0], messages), (5.0, 1.0));
    }

    #[test]
    fn a_message_that_came_before_it_was_asked_for_does_not_matter() {
        let stays = vec![vec![stay(0, 0.0, 1.0)], vec![stay(0, 0.0, 5.0), stay(1, 5.0, 5.5)]];
        let path = CriticalPath::of(&whole(stays, vec![sent(0, 1, 1.0, 2.0)]));
        assert!(path.steps.iter().all(|step| step.rank == 1));
        assert_eq!(path.seconds, 5.5);
    }

    #[test]
    fn a_collective_leads_to_who_came_last() {
        let meet = |begin: f64| Stay { state: 2, begin, end: 4.0, comm: Some(0) };
        let stays = vec![
            vec![stay(0, 0.0, 1.0), meet(1.0), stay(0, 4.0, 7.0)],
            vec![stay(0, 0.0, 3.0), meet(3.0)],
        ];
        let path = CriticalPath::of(&whole(stays, Vec::new()));
        let steps: Vec<_> =
            path.steps.iter().map(|step| (step.rank, step.begin, step.end)).collect();
        assert_eq!(steps, [(1, 0.0, 3.0), (0, 3.0, 4.0), (0, 4.0, 7.0)]);
    }
}
