//! The clock, and the activities whose ends move it.

mod clock;
mod riders;
mod rounding;
mod usage;

use foretell_near as near;

use crate::activity::{Activity, ActivityId, Execution, Phase, Then, Transfer};
use crate::actors::{ActorId, Ready};
use crate::free_slots::FreeSlots;
use crate::heap::EventHeap;
use crate::observer::{Event, Observer};
use crate::sharing::{FlowId, NONE, Policy, ResourceId, Sharing};

use clock::Clock;
use rounding::Rounding;
use usage::Usage;

/// With fewer activities than this, what the next events will touch is near anyway.
const WIDE: usize = 2048;

/// Clock, activities, resources, and the queue of actors that are ready to go on.
pub struct Kernel {
    now: f64,
    /// Events closer than this to the present happen with it.
    precision: f64,
    rounding: Rounding,
    heap: EventHeap,
    sharing: Sharing,
    activities: Vec<Activity>,
    free: FreeSlots,
    /// Activities whose end somebody may wait for.
    awaited: usize,
    changed: Vec<FlowId>,
    /// Clocks of convoys, and those that no convoy has.
    clocks: Vec<Clock>,
    free_clocks: Vec<u32>,
    /// Clocks whose next end must be scheduled anew.
    unsettled: Vec<u32>,
    pub(crate) ready: Ready,
    observer: Option<Box<dyn Observer>>,
    /// How much of resources has been used, if that is metered.
    usage: Option<Box<Usage>>,
    dates: u64,
}

impl Kernel {
    /// A kernel at date zero.
    ///
    /// Events less than `precision` seconds apart are taken together. Without that, flows that
    /// end together but for rounding would each disturb the others for a moment.
    pub fn new(precision: f64) -> Self {
        Self {
            now: 0.0,
            precision,
            rounding: Rounding::default(),
            heap: EventHeap::default(),
            sharing: Sharing::default(),
            activities: Vec::new(),
            free: FreeSlots::default(),
            awaited: 0,
            changed: Vec::new(),
            clocks: Vec::new(),
            free_clocks: Vec::new(),
            unsettled: Vec::new(),
            ready: Ready::default(),
            observer: None,
            usage: None,
            dates: 0,
        }
    }

    /// Rounds the ends of transfers to a share of their durations; zero for exact ends.
    ///
    /// Many transfers then end at the same date, and their ends cost one solution instead of many.
    pub fn round_ends(&mut self, share: f64) {
        self.rounding = Rounding::to(share);
        self.sharing.round_levels(share);
    }

    /// The present date, in seconds.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// How many distinct dates the clock has stopped at.
    pub fn dates(&self) -> u64 {
        self.dates
    }

    /// Sets who listens; `None` for nobody.
    pub fn set_observer(&mut self, observer: Option<Box<dyn Observer>>) {
        self.observer = observer;
    }

    /// Adds a resource for transfers and executions to share.
    pub fn add_resource(&mut self, capacity: f64, policy: Policy) -> ResourceId {
        self.sharing.add_resource(capacity, policy)
    }

    /// The capacity of a resource.
    pub fn capacity(&self, resource: ResourceId) -> f64 {
        self.sharing.capacity(resource)
    }

    /// Changes the capacity of a resource from now on, also for what is under way.
    pub fn set_capacity(&mut self, resource: ResourceId, capacity: f64) {
        self.settle_share(resource);
        self.sharing.set_capacity(resource, capacity);
        self.tell(Event::CapacityChanged(resource, capacity));
    }

    /// How many activities use a resource now.
    pub fn load(&self, resource: ResourceId) -> usize {
        self.sharing.load(resource)
    }

    /// Makes an actor ready; it goes on before the clock moves.
    pub fn wake(&mut self, actor: ActorId) {
        self.ready.push(actor);
    }

    /// The actor that is being polled.
    pub fn current(&self) -> ActorId {
        self.ready.current()
    }

    /// Starts a transfer.
    pub fn transfer(&mut self, transfer: &Transfer<'_>, then: Then) -> ActivityId {
        if let Some(seconds) = self.rounding.tiny(transfer) {
            return self.timer(Phase::Timer, self.now + seconds, then);
        }
        let id = self.begin(Activity {
            phase: Phase::Delayed,
            amount: transfer.amount,
            remaining: transfer.amount,
            speed: 0.0,
            since: self.now,
            efficiency: transfer.efficiency,
            then,
            clock: NONE,
        });
        self.sharing.prepare(id.flow(), transfer.uses, transfer.weight, transfer.bound);
        if transfer.delay > 0.0 {
            let date = self.now + transfer.delay;
            // Where events are fetched ahead, they are all to be found in one place.
            match self.is_wide() {
                true => self.heap.schedule(id.0, date),
                false => self.heap.schedule_in_order(id.0, date),
            }
        } else {
            self.start_moving(id);
        }
        id
    }

    /// Starts work on a node's cores.
    pub fn execute(&mut self, execution: &Execution, then: Then) -> ActivityId {
        self.transfer(
            &Transfer {
                uses: &[(execution.cores, 1.0), (execution.core, 1.0)],
                delay: 0.0,
                amount: execution.amount,
                efficiency: 1.0,
                weight: 1.0,
                bound: f64::INFINITY,
            },
            then,
        )
    }

    /// Waits for `duration` seconds.
    pub fn wait(&mut self, duration: f64, then: Then) -> ActivityId {
        self.timer(Phase::Timer, self.now + duration.max(0.0), then)
    }

    /// Notifies at a date, but does not keep the simulation going for it.
    pub fn wait_in_background(&mut self, date: f64, then: Then) -> ActivityId {
        self.timer(Phase::Background, date.max(self.now), then)
    }

    /// Ends an activity before its time, without what was to happen then.
    pub fn cancel(&mut self, id: ActivityId) {
        if self.activities[id.0 as usize].phase != Phase::Free {
            self.settle_use_so_far(id);
            self.heap.withdraw(id.0);
            self.end(id);
            self.tell(Event::Cancelled(id));
        }
    }

    /// Whether an activity goes on, after which `then` is to happen. An id alone does not tell: it
    /// is used again as soon as its activity has ended, before what follows has happened.
    pub fn goes_on(&self, id: ActivityId, then: Then) -> bool {
        let activity = &self.activities[id.0 as usize];
        activity.phase != Phase::Free && activity.then == then
    }

    /// How many activities keep the simulation going.
    pub fn awaited(&self) -> usize {
        self.awaited
    }

    /// Whether an activity is among those that keep the simulation going.
    pub fn is_awaited(&self, id: ActivityId, then: Then) -> bool {
        self.goes_on(id, then) && self.activities[id.0 as usize].phase != Phase::Background
    }

    /// Changes the highest rate of a transfer or execution.
    pub fn set_bound(&mut self, id: ActivityId, bound: f64) {
        self.sharing.set_bound(id.flow(), bound);
    }

    /// Changes the weight of a transfer or execution.
    pub fn set_weight(&mut self, id: ActivityId, weight: f64) {
        self.sharing.set_weight(id.flow(), weight);
    }

    /// Takes an activity off its resources until [`Kernel::resume`]. Does nothing to a transfer
    /// in its delay, or to a timer.
    pub fn suspend(&mut self, id: ActivityId) {
        if self.activities[id.0 as usize].phase == Phase::Moving {
            self.progress(id);
            self.leave_clock(id);
            self.sharing.stop(id.flow());
            self.heap.withdraw(id.0);
            let activity = &mut self.activities[id.0 as usize];
            (activity.phase, activity.speed) = (Phase::Suspended, 0.0);
        }
    }

    /// Lets a suspended activity go on.
    pub fn resume(&mut self, id: ActivityId) {
        if self.activities[id.0 as usize].phase == Phase::Suspended {
            self.start_moving(id);
        }
    }

    /// What is left of an activity, in its own unit.
    pub fn remaining(&self, id: ActivityId) -> f64 {
        let activity = &self.activities[id.0 as usize];
        let done = match self.clocks.get(activity.clock as usize) {
            Some(clock) => (clock.at(self.now) - activity.since) * activity.efficiency,
            None => activity.speed * (self.now - activity.since),
        };
        (activity.remaining - done).max(0.0)
    }

    /// Moves the clock to the next date at which something ends, and reports what was to happen.
    ///
    /// False when nothing is left that anybody may wait for.
    pub fn advance(&mut self, fired: &mut Vec<Then>) -> bool {
        self.share();
        if self.awaited == 0 {
            return false;
        }
        let Some((date, _)) = self.heap.first() else { return false };
        self.now = date.max(self.now);
        self.dates += 1;
        // Far from zero the precision is lost in the date: what is due now must happen all the same.
        let until = (self.now + self.precision).max(self.now.next_up());
        while let Some(id) = self.heap.pop_before(until) {
            if self.is_wide() {
                self.foresee();
            }
            self.happen(ActivityId(id), until, fired);
        }
        true
    }

    /// Whether so much goes on that the processor's caches cannot hold it: looking ahead takes
    /// longer than what it saves otherwise.
    #[inline]
    fn is_wide(&self) -> bool {
        self.activities.len() >= WIDE
    }

    /// What will probably happen next, and after that, where it is worth knowing.
    #[inline]
    pub(crate) fn upcoming(&self) -> [Option<Then>; 2] {
        if self.is_wide() { self.next_two() } else { [None; 2] }
    }

    fn next_two(&self) -> [Option<Then>; 2] {
        [self.heap.first().map(|(_, id)| id), self.heap.second()].map(|id| {
            let activity = &self.activities[id? as usize];
            let ends = !matches!(activity.phase, Phase::Delayed | Phase::Convoy);
            ends.then_some(activity.then)
        })
    }

    /// Lets come near what the next events will touch, one step further for each that is nearer:
    /// where a thing is must be known, without waiting, from what was asked for before.
    #[inline]
    fn foresee(&self) {
        if let Some((_, next)) = self.heap.first() {
            self.sharing.foresee_resources(FlowId(next));
        }
        if let Some(second) = self.heap.second() {
            self.sharing.foresee_elements(FlowId(second));
        }
        for later in self.heap.later() {
            near::fetch(&self.activities[later as usize]);
            self.sharing.foresee_flow(FlowId(later));
        }
    }

    fn happen(&mut self, id: ActivityId, until: f64, fired: &mut Vec<Then>) {
        match self.activities[id.0 as usize].phase {
            Phase::Delayed => self.start_moving(id),
            Phase::Moving => {
                self.settle_whole_use(id);
                fired.push(self.activities[id.0 as usize].then);
                self.end(id);
                self.tell(Event::Ended(id));
            }
            Phase::Timer | Phase::Background => {
                fired.push(self.activities[id.0 as usize].then);
                self.end(id);
                self.tell(Event::Ended(id));
            }
            Phase::Convoy => self.end_riders(id, until, fired),
            Phase::Free | Phase::Suspended => unreachable!("only live activities have events"),
        }
    }

    fn timer(&mut self, phase: Phase, date: f64, then: Then) -> ActivityId {
        let id = self.begin(Activity {
            phase,
            amount: 0.0,
            remaining: 0.0,
            speed: 0.0,
            since: self.now,
            efficiency: 0.0,
            then,
            clock: NONE,
        });
        self.heap.schedule(id.0, date);
        id
    }

    #[inline(always)]
    fn begin(&mut self, activity: Activity) -> ActivityId {
        self.awaited += usize::from(activity.phase != Phase::Background);
        let id = match self.free.pop(self.activities.len()) {
            Some(slot) => {
                self.activities[slot as usize] = activity;
                ActivityId(slot)
            }
            None => {
                self.activities.push(activity);
                ActivityId(self.activities.len() as u32 - 1)
            }
        };
        self.tell(Event::Started(id));
        id
    }

    fn end(&mut self, id: ActivityId) {
        let activity = &mut self.activities[id.0 as usize];
        let phase = std::mem::replace(&mut activity.phase, Phase::Free);
        self.awaited -= usize::from(phase != Phase::Background);
        self.leave_clock(id);
        if !matches!(phase, Phase::Timer | Phase::Background) {
            self.sharing.stop(id.flow());
            self.sharing.discard(id.flow());
        }
        self.free.push(id.0);
    }

    fn start_moving(&mut self, id: ActivityId) {
        let activity = &mut self.activities[id.0 as usize];
        (activity.phase, activity.since, activity.speed) = (Phase::Moving, self.now, 0.0);
        if activity.remaining > 0.0 {
            self.sharing.start(id.flow());
        } else {
            self.heap.schedule(id.0, self.now);
        }
    }

    /// Computes the shares, and moves the end dates of all activities whose speed changed.
    fn share(&mut self) {
        if self.sharing.is_at_rest() {
            return self.settle_clocks();
        }
        let (activities, free) = (&mut self.activities, &mut self.free);
        self.sharing.regroup(|| {
            let convoy = Activity::convoy();
            match free.pop(activities.len()) {
                Some(slot) => {
                    activities[slot as usize] = convoy;
                    FlowId(slot)
                }
                None => {
                    activities.push(convoy);
                    FlowId(activities.len() as u32 - 1)
                }
            }
        });
        self.sharing.solve();
        let mut changed = std::mem::take(&mut self.changed);
        self.sharing.drain_moved(&mut changed);
        for flow in changed.drain(..) {
            self.change_clock(ActivityId(flow.0));
        }
        self.sharing.drain_changed(&mut changed);
        for flow in &changed {
            self.change_speed(ActivityId(flow.0));
        }
        changed.clear();
        self.sharing.drain_deserted(&mut changed);
        for flow in changed.drain(..) {
            self.end_convoy(ActivityId(flow.0));
        }
        self.changed = changed;
        self.settle_clocks();
    }

    fn change_speed(&mut self, id: ActivityId) {
        match self.activities[id.0 as usize] {
            Activity { phase: Phase::Moving, clock: NONE, .. } => {}
            Activity { phase: Phase::Convoy, .. } => return self.change_rate(id),
            _ => return,
        }
        self.progress(id);
        let rate = self.sharing.rate(id.flow());
        let activity = &mut self.activities[id.0 as usize];
        activity.speed = rate * activity.efficiency;
        let speed = activity.speed;
        if speed > 0.0 {
            let date = self.now + activity.remaining / speed;
            let date = self.rounding.date(date, activity.amount, speed, self.now);
            self.heap.schedule(id.0, date);
        } else {
            self.heap.withdraw(id.0);
        }
        self.tell(Event::SpeedChanged(id, speed));
    }

    fn progress(&mut self, id: ActivityId) {
        let remaining = self.remaining(id);
        let activity = &mut self.activities[id.0 as usize];
        (activity.remaining, activity.since) = (remaining, self.now);
    }

    fn tell(&mut self, event: Event) {
        if let Some(observer) = &mut self.observer {
            observer.observe(self.now, event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link_transfer(uses: &[(ResourceId, f64)], amount: f64) -> Transfer<'_> {
        Transfer { uses, delay: 0.0, amount, efficiency: 1.0, weight: 1.0, bound: f64::INFINITY }
    }

    /// Runs until nothing is left; the dates at which each number was notified.
    fn ends(kernel: &mut Kernel) -> Vec<(f64, u32)> {
        let (mut fired, mut ends) = (Vec::new(), Vec::new());
        while kernel.advance(&mut fired) {
            for then in fired.drain(..) {
                if let Then::Notify(number) = then {
                    ends.push((kernel.now(), number));
                }
            }
        }
        ends
    }

    #[test]
    fn a_lone_transfer_takes_delay_plus_amount_over_capacity() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(100.0, Policy::Shared);
        let uses = [(link, 1.0)];
        kernel.transfer(&Transfer { delay: 2.0, ..link_transfer(&uses, 500.0) }, Then::Notify(1));
        assert_eq!(ends(&mut kernel), [(7.0, 1)]);
    }

    #[test]
    fn two_transfers_share_until_the_short_one_ends() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(10.0, Policy::Shared);
        kernel.transfer(&link_transfer(&[(link, 1.0)], 10.0), Then::Notify(1));
        kernel.transfer(&link_transfer(&[(link, 1.0)], 30.0), Then::Notify(2));
        // 5 each until 2 s; then 20 left at 10 a second.
        assert_eq!(ends(&mut kernel), [(2.0, 1), (4.0, 2)]);
    }

    #[test]
    fn cancelling_gives_the_share_back() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(10.0, Policy::Shared);
        let first = kernel.transfer(&link_transfer(&[(link, 1.0)], 1000.0), Then::Notify(1));
        kernel.transfer(&link_transfer(&[(link, 1.0)], 20.0), Then::Notify(2));
        kernel.wait(1.0, Then::Notify(3));
        let mut fired = Vec::new();
        assert!(kernel.advance(&mut fired));
        assert_eq!(fired, [Then::Notify(3)]);
        assert_eq!(kernel.remaining(first), 995.0);
        kernel.cancel(first);
        // 15 left at 10 a second.
        assert_eq!(ends(&mut kernel), [(2.5, 2)]);
    }

    #[test]
    fn an_id_may_belong_to_another_activity_by_now() {
        let mut kernel = Kernel::new(1e-9);
        let first = kernel.wait(1.0, Then::Notify(1));
        assert!(kernel.goes_on(first, Then::Notify(1)));
        assert_eq!(ends(&mut kernel), [(1.0, 1)]);
        assert!(!kernel.goes_on(first, Then::Notify(1)));
        let second = kernel.wait(1.0, Then::Notify(2));
        assert_eq!(first, second);
        assert!(!kernel.goes_on(first, Then::Notify(1)) && kernel.goes_on(second, Then::Notify(2)));
    }

    #[test]
    fn capacity_and_bound_may_change_under_way() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(10.0, Policy::Shared);
        let id = kernel.transfer(&link_transfer(&[(link, 1.0)], 30.0), Then::Notify(1));
        kernel.wait(1.0, Then::Notify(9));
        let mut fired = Vec::new();
        kernel.advance(&mut fired);
        kernel.set_capacity(link, 5.0);
        kernel.wait(2.0, Then::Notify(9));
        fired.clear();
        kernel.advance(&mut fired);
        kernel.set_bound(id, 2.0);
        // 10 by 1 s, 10 more by 3 s, the last 10 at 2 a second.
        assert_eq!(ends(&mut kernel), [(8.0, 1)]);
    }

    #[test]
    fn suspended_work_waits_for_its_resumption() {
        let mut kernel = Kernel::new(1e-9);
        let cores = kernel.add_resource(4.0, Policy::Shared);
        let core = kernel.add_resource(2.0, Policy::FatPipe);
        let work = Execution { cores, core, amount: 8.0 };
        let id = kernel.execute(&work, Then::Notify(1));
        let mut fired = Vec::new();
        for step in [Kernel::suspend, Kernel::resume] {
            kernel.wait(1.0, Then::Notify(9));
            kernel.advance(&mut fired);
            step(&mut kernel, id);
        }
        assert_eq!(ends(&mut kernel), [(5.0, 1)]);
    }

    #[test]
    fn what_is_resumed_gets_its_old_share_again() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(10.0, Policy::Shared);
        let first = kernel.transfer(&link_transfer(&[(link, 1.0)], 15.0), Then::Notify(1));
        kernel.transfer(&link_transfer(&[(link, 1.0)], 30.0), Then::Notify(2));
        let mut fired = Vec::new();
        for step in [Kernel::suspend, Kernel::resume] {
            kernel.wait(1.0, Then::Notify(9));
            kernel.advance(&mut fired);
            step(&mut kernel, first);
        }
        // 5 each for a second, 10 for the second one alone for another, then 5 each again.
        assert_eq!(ends(&mut kernel), [(4.0, 1), (4.5, 2)]);
    }

    #[test]
    fn more_work_than_cores_shares_them() {
        let mut kernel = Kernel::new(1e-9);
        let cores = kernel.add_resource(2.0, Policy::Shared);
        let core = kernel.add_resource(1.0, Policy::FatPipe);
        for number in 0..3 {
            kernel.execute(&Execution { cores, core, amount: 2.0 }, Then::Notify(number));
        }
        assert_eq!(ends(&mut kernel), [(3.0, 0), (3.0, 1), (3.0, 2)]);
    }

    #[test]
    fn background_timers_do_not_keep_time_going() {
        let mut kernel = Kernel::new(1e-9);
        kernel.wait_in_background(1.0, Then::Notify(1));
        assert_eq!(ends(&mut kernel), []);
    }

    #[test]
    fn dates_so_large_that_the_precision_is_lost_still_come() {
        let mut kernel = Kernel::new(1e-9);
        kernel.wait(1e12, Then::Notify(1));
        kernel.wait(1e12, Then::Notify(2));
        assert_eq!(ends(&mut kernel), [(1e12, 1), (1e12, 2)]);
    }

    #[test]
    fn a_precision_of_zero_takes_equal_dates_together() {
        let mut kernel = Kernel::new(0.0);
        kernel.wait(1.0, Then::Notify(1));
        kernel.wait(1.0, Then::Notify(2));
        assert_eq!(ends(&mut kernel), [(1.0, 1), (1.0, 2)]);
        assert_eq!(kernel.dates(), 1);
    }

    #[test]
    fn nothing_is_taken_for_a_transfer_of_nothing() {
        let mut kernel = Kernel::new(1e-9);
        let link = kernel.add_resource(10.0, Policy::Shared);
        kernel.transfer(&link_transfer(&[(link, 1.0)], 0.0), Then::Notify(1));
        assert_eq!(ends(&mut kernel), [(0.0, 1)]);
    }
}
