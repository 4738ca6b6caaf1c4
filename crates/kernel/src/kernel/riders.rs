//! Activities whose flows travel in convoys: they go by the convoy's clock.

use super::Kernel;
use super::clock::Clock;
use crate::activity::{Activity, ActivityId, Phase, Then};
use crate::actors::ActorId;
use crate::observer::Event;
use crate::sharing::{FlowId, NONE};

impl Activity {
    /// What takes the place of an activity for a convoy.
    pub(super) fn convoy() -> Self {
        Activity {
            phase: Phase::Convoy,
            amount: 0.0,
            remaining: 0.0,
            speed: 0.0,
            since: 0.0,
            efficiency: 1.0,
            then: Then::Wake(ActorId(NONE)),
            clock: NONE,
        }
    }

    /// What the clock shows when a rider has come to its end.
    fn end_figure(&self) -> f64 {
        self.since + self.remaining / self.efficiency
    }
}

impl Kernel {
    /// An activity's flow has joined a convoy, or left one.
    pub(super) fn change_clock(&mut self, id: ActivityId) {
        let activity = &self.activities[id.0 as usize];
        if activity.phase != Phase::Moving {
            return;
        }
        let before = activity.clock;
        let clock = self.sharing.convoy_of(id.flow()).map_or(NONE, |convoy| self.clock_of(convoy));
        if clock == before {
            return;
        }
        self.progress(id);
        self.leave_clock(id);
        let activity = &mut self.activities[id.0 as usize];
        activity.speed = 0.0;
        if clock != NONE {
            activity.clock = clock;
            activity.since = self.clocks[clock as usize].at(self.now);
            self.clocks[clock as usize].join(id.0, activity.end_figure());
            self.heap.withdraw(id.0);
            self.unsettle(clock);
        }
    }

    /// An activity does not go by a clock any more.
    #[inline]
    pub(super) fn leave_clock(&mut self, id: ActivityId) {
        let clock = std::mem::replace(&mut self.activities[id.0 as usize].clock, NONE);
        if clock != NONE {
            self.unsettle(clock);
        }
    }

    /// A convoy has another rate.
    pub(super) fn change_rate(&mut self, convoy: ActivityId) {
        let clock = self.clock_of(convoy.flow());
        let rate = self.sharing.rate(convoy.flow());
        self.clocks[clock as usize].set_rate(self.now, rate);
        self.unsettle(clock);
    }

    /// Ends the riders of a convoy that have come to their end before `until`.
    pub(super) fn end_riders(&mut self, convoy: ActivityId, until: f64, fired: &mut Vec<Then>) {
        let clock = self.activities[convoy.0 as usize].clock;
        while let Some((date, rider)) = self.first_end(clock).filter(|(date, _)| *date < until) {
            debug_assert!(date >= self.now);
            self.settle_whole_use(rider);
            fired.push(self.activities[rider.0 as usize].then);
            self.end(rider);
            self.tell(Event::Ended(rider));
        }
        self.unsettle(clock);
    }

    /// Schedules the next ends of convoys where they may have changed.
    pub(super) fn settle_clocks(&mut self) {
        while let Some(clock) = self.unsettled.pop() {
            self.clocks[clock as usize].is_unsettled = false;
            let convoy = self.clocks[clock as usize].convoy;
            match self.first_end(clock) {
                Some((date, _)) => self.heap.schedule(convoy, date),
                None => self.heap.withdraw(convoy),
            }
        }
    }

    /// A convoy has no riders any more.
    pub(super) fn end_convoy(&mut self, convoy: ActivityId) {
        let activity = &mut self.activities[convoy.0 as usize];
        activity.phase = Phase::Free;
        let clock = std::mem::replace(&mut activity.clock, NONE);
        self.heap.withdraw(convoy.0);
        self.free.push(convoy.0);
        if clock != NONE {
            self.clocks[clock as usize].reset();
            self.free_clocks.push(clock);
        }
    }

    /// The end that comes first by a clock, and when; none if there is none or the clock stands.
    fn first_end(&mut self, clock: u32) -> Option<(f64, ActivityId)> {
        let activities = &self.activities;
        let state = self.clocks.get_mut(clock as usize)?;
        let (rider, figure) = state.first(|rider, figure| {
            let activity = &activities[rider as usize];
            activity.clock == clock
                && activity.phase == Phase::Moving
                && activity.end_figure() == figure
        })?;
        if !state.moves() {
            return None;
        }
        let activity = &activities[rider as usize];
        let date = state.date_of(figure, self.now);
        let speed = state.rate() * activity.efficiency;
        let date = self.rounding.date(date, activity.amount, speed, self.now);
        Some((date, ActivityId(rider)))
    }

    /// The clock of a convoy.
    fn clock_of(&mut self, convoy: FlowId) -> u32 {
        let known = self.activities[convoy.0 as usize].clock;
        if known != NONE {
            return known;
        }
        let clock = self.free_clocks.pop().unwrap_or_else(|| {
            self.clocks.push(Clock::default());
            self.clocks.len() as u32 - 1
        });
        let state = &mut self.clocks[clock as usize];
        (state.convoy, state.since) = (convoy.0, self.now);
        self.activities[convoy.0 as usize].clock = clock;
        clock
    }

    fn unsettle(&mut self, clock: u32) {
        if let Some(state) = self.clocks.get_mut(clock as usize)
            && !std::mem::replace(&mut state.is_unsettled, true)
        {
            self.unsettled.push(clock);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::activity::Transfer;
    use crate::sharing::{Policy, ResourceId};

    /// A transfer from a node to another, and when it is asked for.
    type Order = ((usize, usize), f64, f64);

    const NODES: usize = 18;

    /// Two links for each node, and two for each cabinet of six, which are thin.
    fn machine(crowd: usize) -> (Kernel, Vec<ResourceId>) {
        let mut kernel = Kernel::new(1e-9);
        kernel.sharing.set_crowd(crowd);
        let nodes = (0..2 * NODES).map(|_| 10.0).chain((0..NODES / 3).map(|_| 14.0));
        let links = nodes.map(|capacity| kernel.add_resource(capacity, Policy::Shared)).collect();
        (kernel, links)
    }

    fn uses((from, to): (usize, usize), links: &[ResourceId]) -> Vec<(ResourceId, f64)> {
        let mut uses = vec![(links[2 * from], 1.0), (links[2 * from + 1], 0.05)];
        uses.extend([(links[2 * to + 1], 1.0), (links[2 * to], 0.05)]);
        let (here, there) = (NODES + from / 6, NODES + to / 6);
        if here != there {
            uses.extend([(links[2 * here], 1.0), (links[2 * here + 1], 0.05)]);
            uses.extend([(links[2 * there + 1], 1.0), (links[2 * there], 0.05)]);
        }
        uses
    }

    /// When each transfer ends; some are suspended for a while, held back, or cancelled.
    fn ends(orders: &[Order], crowd: usize) -> Vec<Option<f64>> {
        let (mut kernel, links) = machine(crowd);
        let mut ends = vec![None; orders.len()];
        let mut ids = Vec::new();
        for (number, (pair, delay, amount)) in orders.iter().enumerate() {
            let uses = uses(*pair, &links);
            let (delay, amount) = (*delay, *amount);
            let transfer =
                Transfer { uses: &uses, delay, amount, efficiency: 0.9, weight: 1.0, bound: 9.0 };
            ids.push(kernel.transfer(&transfer, Then::Notify(number as u32)));
        }
        let disturbed = |number: usize| number.is_multiple_of(7);
        for (step, date) in [3.0, 6.0, 9.0].into_iter().enumerate() {
            kernel.wait(date, Then::Notify((orders.len() + step) as u32));
        }
        let mut fired = Vec::new();
        while kernel.advance(&mut fired) {
            for then in fired.drain(..) {
                let Then::Notify(number) = then else { continue };
                let Some(step) = (number as usize).checked_sub(orders.len()) else {
                    ends[number as usize] = Some(kernel.now());
                    continue;
                };
                for at in (0..ids.len()).filter(|at| disturbed(*at) && ends[*at].is_none()) {
                    match (step, at % 3) {
                        (0, 0) => kernel.suspend(ids[at]),
                        (1, 0) => kernel.resume(ids[at]),
                        (1, 1) => kernel.set_bound(ids[at], 0.25),
                        (2, 2) => kernel.set_capacity(links[2 * NODES + at % 6], 11.0),
                        _ => {}
                    }
                }
            }
        }
        ends
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn riders_end_when_they_would_by_themselves(
            orders in prop::collection::vec(
                ((0..NODES, 0..NODES), 0.001..6.0f64, 0.1..20.0f64), 20..150),
            crowd in 3usize..14,
        ) {
            let (together, alone) = (ends(&orders, crowd), ends(&orders, usize::MAX));
            for (together, alone) in together.iter().zip(alone) {
                let (together, alone) = (together.unwrap(), alone.unwrap());
                prop_assert!((together - alone).abs() < 1e-7 * alone, "{together} and {alone}");
            }
        }
    }

    #[test]
    fn a_crowd_through_one_link_takes_what_the_link_takes() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(100.0, Policy::Shared);
        let own: Vec<_> = (0..200).map(|_| kernel.add_resource(50.0, Policy::Shared)).collect();
        for (number, own) in own.iter().enumerate() {
            let uses = [(link, 1.0), (*own, 1.0)];
            let amount = 1.0 + number as f64 / 100.0;
            let transfer = Transfer {
                uses: &uses,
                delay: 0.0,
                amount,
                efficiency: 1.0,
                weight: 1.0,
                bound: f64::INFINITY,
            };
            kernel.transfer(&transfer, Then::Notify(number as u32));
        }
        let (mut fired, mut order) = (Vec::new(), Vec::new());
        while kernel.advance(&mut fired) {
            order.append(&mut fired);
        }
        assert_eq!(order, (0..200).map(Then::Notify).collect::<Vec<_>>());
        // All that is to move, but for the last, which may have the link for itself at half speed.
        let total: f64 = (0..200).map(|number| 1.0 + f64::from(number) / 100.0).sum();
        assert!((kernel.now() - (total / 100.0 + 0.01 / 100.0)).abs() < 1e-9, "{}", kernel.now());
    }
}
