//! The life of one rank, put together from its stays, messages and marks.

use std::ops::Range;

use super::Deed;
use crate::timed::{Class, Collective, Mark, Message, Protocol, Taken};

/// What is known of a rank.
#[derive(Debug, Default)]
pub(super) struct Rank {
    pub(super) stays: Vec<Stay>,
    /// Each with how many stays there were before it.
    pub(super) marks: Vec<(usize, f64, Mark, usize)>,
    pub(super) end: Option<f64>,
    /// What it does within its stays: the stay, the date, and what.
    within: Vec<(usize, f64, Deed)>,
    /// Requests that it has begun.
    requests: Vec<Request>,
    /// Calls that have no message yet: those that send, that begin to receive, that receive.
    senders: Free,
    beginners: Free,
    receivers: Free,
}

/// A stay in a state; of a collective call, what it was about, and the text of the algorithm.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stay {
    pub(super) state: u32,
    pub(super) since: f64,
    pub(super) until: f64,
    pub(super) waited: f64,
    pub(super) collective: Option<(Collective<'static>, usize)>,
}

/// A send or a receive that a call has begun, and when it was done.
#[derive(Debug, Clone, Copy)]
struct Request {
    number: u32,
    begun_in: usize,
    done: f64,
    taken: Taken,
}

impl Rank {
    /// All of its stays are known.
    pub(super) fn settle(&mut self, states: &[Class]) {
        self.stays.sort_by(|a, b| a.since.total_cmp(&b.since));
        let of = |classes: &[Class]| {
            let is = |stay: &Stay| classes.contains(&states[stay.state as usize]);
            Free::those(self.stays.iter().map(is))
        };
        self.senders = of(&[Class::Send, Class::Isend, Class::Sendreceive]);
        self.beginners = of(&[Class::Ireceive]);
        self.receivers = of(&[Class::Receive, Class::Sendreceive]);
    }

    /// The rank has sent a message, which was delivered at a date.
    pub(super) fn send(&mut self, delivered: f64, message: &mut Message, states: &[Class]) {
        let stays = self.begun_last_by(message.called);
        let free = self.senders.take(&stays);
        let Some(stay) = free.or_else(|| self.any_call(&stays, states)) else { return };
        let letter = &mut message.letter;
        letter.is_blocking = states[self.stays[stay].state as usize] != Class::Isend;
        if !letter.is_blocking && letter.protocol == Protocol::Rendezvous {
            letter.request = Some(self.begin(stay, delivered, Taken::Send));
        }
        let date = message.sent.clamp(self.stays[stay].since, self.stays[stay].until);
        self.within.push((stay, date, Deed::Sends(*letter)));
    }

    /// The rank has received a message, which was delivered at a date.
    pub(super) fn receive(&mut self, delivered: f64, message: &Message, states: &[Class]) {
        let stays = self.begun_last_by(message.posted);
        let last = self.stays[stays.clone()].last().map_or(0.0, |stay| stay.until);
        // A call that receives lasts until the message is there, and the next one begins then.
        let waiting = match delivered > message.posted {
            true if last < delivered => 0..0,
            true => stays.end - 1..stays.end,
            false => stays.clone(),
        };
        let is_its_end = delivered == message.posted || delivered == last;
        let at_once = is_its_end.then(|| self.receivers.take(&waiting)).flatten();
        let found = at_once.or_else(|| self.beginners.take(&stays));
        let found = found.or_else(|| self.receivers.take(&waiting));
        let Some(stay) = found.or_else(|| self.any_call(&stays, states)) else { return };
        let taken = Taken::receive(&message.letter);
        let Stay { state, since, until, .. } = self.stays[stay];
        match states[state as usize] {
            Class::Ireceive | Class::Isend => {
                let number = self.begin(stay, delivered, taken);
                let date = message.posted.clamp(since, until);
                self.within.push((stay, date, Deed::Posts(number)));
            }
            // It stayed in the call for it.
            _ => self.within.push((stay, delivered.clamp(since, until), Deed::Takes(None, taken))),
        }
    }

    /// Those of its stays that began last by a date; all but the last of them took no time.
    fn begun_last_by(&self, date: f64) -> Range<usize> {
        let end = self.stays.partition_point(|stay| stay.since <= date);
        let Some(last) = self.stays[..end].last() else { return 0..0 };
        self.stays[..end].partition_point(|stay| stay.since < last.since)..end
    }

    /// Such as `MPI_Startall`, which begins several.
    fn any_call(&self, stays: &Range<usize>, states: &[Class]) -> Option<usize> {
        stays.clone().find(|stay| states[self.stays[*stay].state as usize].is_call())
    }

    fn begin(&mut self, begun_in: usize, done: f64, taken: Taken) -> u32 {
        let number = self.requests.len() as u32;
        self.requests.push(Request { number, begun_in, done, taken });
        number
    }

    /// Finds for each request the call that took note of its end.
    pub(super) fn take_all(&mut self, states: &[Class], takes_one: &[bool]) {
        let class = |stay: &Stay| states[stay.state as usize];
        let waits = |stay: &Stay| matches!(class(stay), Class::Wait | Class::Test);
        let waiting: Vec<usize> =
            (0..self.stays.len()).filter(|stay| waits(&self.stays[*stay])).collect();
        let mut free = Free::those(waiting.iter().map(|_| true));
        self.requests.sort_by(|a, b| a.done.total_cmp(&b.done).then(a.begun_in.cmp(&b.begun_in)));
        for request in &self.requests {
            let first = waiting.partition_point(|stay| {
                *stay <= request.begun_in || self.stays[*stay].until < request.done
            });
            let place = free.from(first);
            // Of what nobody has waited for, the end of the rank takes note.
            let stay = waiting.get(place).copied().unwrap_or(self.stays.len() - 1);
            if let Some(stay) = waiting.get(place)
                && takes_one[self.stays[*stay].state as usize]
            {
                free.fill(place);
            }
            let Stay { since, until, .. } = self.stays[stay];
            let date = request.done.clamp(since, until);
            let taken = Deed::Takes(Some(request.number), request.taken);
            self.within.push((stay, date, taken));
        }
        self.within.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    }

    /// All that it does, in order.
    pub(super) fn life(&mut self) -> Vec<(f64, Deed)> {
        let count = 2 * self.stays.len() + self.within.len() + self.marks.len() + 1;
        let mut life = Vec::with_capacity(count);
        let (mut within, mut marks) = (self.within.iter().peekable(), self.marks.iter().peekable());
        for (number, stay) in self.stays.iter().enumerate() {
            while let Some((_, date, mark, name)) = marks.next_if(|(before, ..)| *before <= number)
            {
                life.push((*date, Deed::Marks(*mark, *name)));
            }
            life.push((stay.since, Deed::Enters(number)));
            while let Some((_, date, deed)) = within.next_if(|(of, ..)| *of == number) {
                life.push((*date, *deed));
            }
            life.push((stay.until, Deed::Leaves(number)));
        }
        life.extend(marks.map(|(_, date, mark, name)| (*date, Deed::Marks(*mark, *name))));
        life.extend(self.end.map(|date| (date, Deed::Ends)));
        life
    }
}

/// Which of a row of places are still free, found in a few steps however many are not.
#[derive(Debug, Default)]
struct Free(Vec<usize>);

impl Free {
    /// Those for which this is true.
    fn those(are: impl Iterator<Item = bool>) -> Self {
        let mut places: Vec<usize> =
            are.enumerate().map(|(place, is)| place + usize::from(!is)).collect();
        places.push(places.len());
        Self(places)
    }

    /// The first free one from here on; one behind the last if there is none.
    fn from(&mut self, place: usize) -> usize {
        let mut free = place;
        while self.0[free] != free {
            free = self.0[free];
        }
        let mut at = place;
        while self.0[at] != free {
            at = std::mem::replace(&mut self.0[at], free);
        }
        free
    }

    fn fill(&mut self, place: usize) {
        self.0[place] = place + 1;
    }

    /// Takes the first free one of these.
    fn take(&mut self, places: &Range<usize>) -> Option<usize> {
        let found = self.from(places.start);
        places.contains(&found).then(|| {
            self.fill(found);
            found
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_free_until_they_are_filled() {
        let mut free = Free::those([true; 4].into_iter());
        assert_eq!(free.from(1), 1);
        free.fill(1);
        free.fill(2);
        assert_eq!((free.from(0), free.from(1), free.from(2)), (0, 3, 3));
        free.fill(3);
        assert_eq!((free.from(1), free.from(4)), (4, 4));
        assert_eq!(free.from(0), 0);
        let mut some = Free::those([false, true, false].into_iter());
        assert_eq!((some.from(0), some.from(2)), (1, 3));
    }
}
