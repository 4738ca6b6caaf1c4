//! The incremental solution: repairs the levels upwards from the lowest disturbed one.
//!
//! In a max-min solution a resource's level depends only on lower levels: flows that stopped
//! earlier leave it room, flows that would stop later do not matter. So a change is repaired in
//! one sweep of increasing level, as Dijkstra's algorithm settles distances. A heap holds, for
//! each resource in question, a level below which nothing can happen to it; the lowest is looked
//! at first:
//!
//! - if its level *rises*, the flows it held are let go at the old level, and the other resources
//!   they cross come into question;
//! - otherwise it is full at its new level, and the flows still growing through it are settled
//!   there. Where that differs from what a flow had before, the flow's other resources come into
//!   question too.
//!
//! A resource whose level comes out as before passes nothing on, so the sweep ends where the
//! change does. Each resource is settled at most once in a solution. The property test below
//! compares with filling from scratch.

use super::queue::Queue;
use super::{Element, LEVEL, Member, NONE, Policy, Sharing, TOLERANCE};

/// Buffers that live as long as the sharing, so that a solution allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Work {
    epoch: u32,
    queue: Queue,
    /// The level that the current solution has reached.
    sweep: f64,
    let_go: Vec<u32>,
    /// Flows of the component in hand that are not settled; none known in a common sweep.
    unsettled: usize,
    touched: Vec<u32>,
    growing: Vec<(f64, f64)>,
    tallies: Vec<Tally>,
}

/// What a solution has found out about a flow: the number of the solution, and one bit. One number
/// compares faster than two. A flow that bears the stamp of an earlier solution is held at its level
/// by its bottleneck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp(u32);

impl Stamp {
    /// Nothing yet.
    pub(super) const NONE: Stamp = Stamp(0);

    /// Let go in this solution: its level is to be found.
    #[inline]
    fn loose(epoch: u32) -> Self {
        Self(epoch << 1)
    }

    /// Its level in this solution is known.
    #[inline]
    fn settled(epoch: u32) -> Self {
        Self(epoch << 1 | 1)
    }
}

/// What the flows of a resource in question take, kept up to date during a solution.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    /// Capacity taken by flows whose level is given elsewhere.
    given: f64,
    /// Slopes of the flows that grow: let go, or held by this very resource.
    slopes: f64,
}

/// How often coarse levels are mended after one solution.
const MOST_TURNS: usize = 64;

/// With fewer resources in question there is no point in looking for components.
const WORTHWHILE: usize = 32;

/// With more flows than this a resource is worth a tally.
const MANY: usize = 6;

/// With more flows than this a resource needs room that is not on the stack.
const FEW: usize = 8;

/// What the current solution knows of a resource.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    epoch: u32,
    is_done: bool,
    has_let_go: bool,
    is_touched: bool,
    /// Whether nothing has happened to its flows since its level was computed.
    is_fresh: bool,
    /// Place of its tally, once it has one.
    tally: u32,
    /// The level under which the resource stands in the queue; older entries are ignored.
    queued: f64,
    /// The level that was computed last.
    level: f64,
}

impl Sharing {
    /// Repairs the solution after all changes since the last call.
    pub fn solve(&mut self) {
        self.repair();
        let mut turns = 0;
        while self.convoys.has_crowds() && self.mend() {
            self.repair();
            turns += 1;
            // Coarse levels need not be the same when looked at again.
            if turns == MOST_TURNS && self.coarse.is_on() {
                break;
            }
        }
        self.coarse.note_solution();
    }

    /// Repairs the solution, convoys being as they are.
    fn repair(&mut self) {
        // Flows that met only each other, and have all gone, leave nothing to repair.
        if self.loose.is_empty() && self.deserted == self.disturbed.len() {
            return self.end_round();
        }
        self.work.epoch = self.work.epoch.wrapping_add(1);
        self.work.let_go.clear();
        self.work.tallies.clear();
        self.let_go_loose();
        let disturbed = std::mem::take(&mut self.disturbed);
        let rest = self.sweep_small_components(&disturbed);
        for resource in &disturbed[rest..] {
            self.touch(*resource);
        }
        self.work.unsettled = usize::MAX;
        self.sweep();
        self.disturbed = disturbed;
        self.settle_unhindered();
        self.end_round();
    }

    /// Lets go the flows that are to be settled from scratch, and brings what they cross into
    /// question: at once if it is so little that there is no point in looking for components.
    fn let_go_loose(&mut self) {
        let are_few = 4 * self.loose.len() + self.disturbed.len() < WORTHWHILE;
        for i in 0..self.loose.len() {
            let flow = self.loose[i];
            let super::Flow { first, count, is_started, .. } = self.flows[flow as usize];
            if !is_started || self.is_riding(flow) || self.is_loose(flow) {
                continue;
            }
            self.let_go(flow);
            for at in first..first + count {
                let resource = self.elements[at].resource;
                if are_few { self.touch(resource) } else { self.disturb(resource) }
            }
        }
        self.loose.clear();
    }

    /// Forgets what was disturbed; the number of the round says so of each resource.
    fn end_round(&mut self) {
        if !self.disturbed.is_empty() {
            self.disturbed.clear();
            self.deserted = 0;
            self.round = self.round.wrapping_add(1);
        }
    }

    /// Deals with the disturbed resources one connected component at a time, while components are
    /// small; gives how many of the disturbed resources are dealt with.
    ///
    /// Where a regular program starts thousands of unrelated flows at once, each component fits
    /// in the processor's cache and its queue is short. Where everything hangs together, looking
    /// for components would cost more than the repair: the search then gives up, and leaves what
    /// it has touched to the common sweep.
    fn sweep_small_components(&mut self, disturbed: &[u32]) -> usize {
        if disturbed.len() < WORTHWHILE || self.coarse.is_on() {
            return 0;
        }
        let mut budget = 4 * disturbed.len();
        for (at, seed) in disturbed.iter().enumerate() {
            if self.resources[*seed as usize].mark.epoch == self.work.epoch {
                continue;
            }
            self.touch(*seed);
            let mut next = 0;
            let mut flows = 0;
            while next < self.work.touched.len() {
                flows += self.touch_around(self.work.touched[next]);
                next += 1;
                if next > budget {
                    return at;
                }
            }
            budget -= next;
            self.work.unsettled = flows;
            self.sweep();
        }
        disturbed.len()
    }

    /// Touches what shares a flow with the resource; gives how many flows were not seen before.
    fn touch_around(&mut self, resource: u32) -> usize {
        // Riders are never settled: what they are reckoned with must be looked at to the end.
        let mut found = self.resources[resource as usize].riders as usize;
        for i in 0..self.resources[resource as usize].members.len() {
            let flow = self.resources[resource as usize].members[i].flow;
            if self.flows[flow as usize].seen != self.work.epoch {
                self.flows[flow as usize].seen = self.work.epoch;
                found += 1;
                self.touch_resources_of(flow, resource);
            }
        }
        found
    }

    /// Repairs what is touched, upwards from its lowest level.
    fn sweep(&mut self) {
        self.work.sweep = 0.0;
        self.requeue_touched();
        while let Some((level, resource)) = self.work.queue.pop() {
            self.look_at(resource, level);
            if self.work.unsettled == 0 {
                self.work.queue.clear();
            }
        }
    }

    /// Handles the resource that stands lowest in the queue, at level `at`.
    fn look_at(&mut self, resource: u32, at: f64) {
        let state = &self.resources[resource as usize];
        if state.mark.is_done || state.mark.queued != at {
            return;
        }
        let (old, has_let_go) = (state.level, state.mark.has_let_go);
        let Mark { is_fresh, tally, level: known, .. } = state.mark;
        self.work.sweep = at;
        if tally != NONE {
            let least = self.least_level(resource);
            let least = if has_let_go { least } else { least.min(old) };
            if least > at * (1.0 + TOLERANCE) {
                return self.enqueue(resource, least);
            }
        }
        let level = if is_fresh { known } else { self.water_level(resource, at) };
        if !has_let_go && self.is_about(resource, old, level) {
            // Good enough as it was; but others that stop below must have had their turn.
            if at < old {
                return self.enqueue(resource, old);
            }
            return self.settle_at(resource, old);
        }
        if !has_let_go && old < level * (1.0 - TOLERANCE) {
            // The flows it holds may grow, but only from their present level on.
            if at < old {
                self.enqueue(resource, old);
            } else {
                self.let_go_all(resource);
                self.enqueue(resource, level.max(at));
            }
        } else if level > at * (1.0 + TOLERANCE) {
            self.enqueue(resource, level);
        } else {
            let unchanged = !has_let_go && old - level <= TOLERANCE * level;
            self.settle_at(resource, if unchanged { old } else { level });
        }
    }

    /// The level at which the resource is full, given what is known of its flows; infinite if they
    /// leave some room.
    ///
    /// Flows held or settled elsewhere take what they have there, unless they would have more
    /// than the others here; the rest grow together. The level is known not to lie below `floor`,
    /// which spares most flows a second look.
    #[inline]
    fn water_level(&mut self, resource: u32, floor: f64) -> f64 {
        let state = &self.resources[resource as usize];
        let room = state.capacity - state.reserved;
        let enough = room + TOLERANCE * state.capacity;
        let cap = |member: &Member| self.cap(member.flow, resource);
        match state.members.as_slice() {
            [] => f64::INFINITY,
            [only] => match only.slope * cap(only) <= enough {
                true => f64::INFINITY,
                false => (room / only.slope).max(floor),
            },
            [one, other] => {
                let [first, second] = [cap(one), cap(other)];
                let [one, other] = [one.slope, other.slope];
                if one * first + other * second <= enough {
                    return f64::INFINITY;
                }
                let together = room / (one + other);
                // One that cannot reach the level leaves more to the other.
                let level = if first < together.min(second) {
                    (room - one * first) / other
                } else if second < together {
                    (room - other * second) / one
                } else {
                    together
                };
                level.max(floor)
            }
            members => {
                let demand = |sum, member: &Member| sum + member.slope * cap(member);
                match members.iter().fold(0.0, demand) <= enough {
                    true => f64::INFINITY,
                    false => self.full_level(resource, floor),
                }
            }
        }
    }

    /// The level of a resource whose flows would take more than there is.
    #[inline(never)]
    fn full_level(&mut self, resource: u32, floor: f64) -> f64 {
        let many = self.resources[resource as usize].members.len();
        if many > FEW {
            let mut all = std::mem::take(&mut self.work.growing);
            all.clear();
            all.resize(many, (0.0, 0.0));
            let level = self.fill(resource, floor, &mut all);
            self.work.growing = all;
            return level;
        }
        self.fill(resource, floor, &mut [(0.0, 0.0); FEW][..many])
    }

    /// Fills a resource with `flows.len()` members, which would take more than there is; `flows` is
    /// room for their caps and slopes.
    #[inline(always)]
    fn fill(&self, resource: u32, floor: f64, flows: &mut [(f64, f64)]) -> f64 {
        let state = &self.resources[resource as usize];
        let mut left = state.capacity - state.reserved;
        let mut slopes = 0.0;
        for (flow, member) in flows.iter_mut().zip(&state.members) {
            let (cap, slope) = (self.cap(member.flow, resource), member.slope);
            *flow = (cap, slope);
            let is_low = cap < floor;
            left -= if is_low { slope * cap } else { 0.0 };
            slopes += if is_low { 0.0 } else { slope };
        }
        // Flows that cannot reach the level leave more to the others: it only rises.
        let (mut level, mut least) = (left / slopes, floor);
        loop {
            let (mut rest, mut has_stopped) = (0.0, false);
            for &(cap, slope) in &*flows {
                let grows = cap >= level;
                let stops = !grows & (cap >= least);
                left -= if stops { slope * cap } else { 0.0 };
                rest += if grows { slope } else { 0.0 };
                has_stopped |= stops;
            }
            // Rounding may leave no flow to fill the rest: the last level is then right.
            if !has_stopped || rest == 0.0 {
                return level.max(floor);
            }
            (least, level) = (level, left / rest);
        }
    }

    /// Counts what the flows of a resource take as things stand.
    fn survey(&mut self, resource: u32) {
        let given = self.resources[resource as usize].reserved;
        let mut tally = Tally { given, slopes: 0.0 };
        for member in &self.resources[resource as usize].members {
            let flow = &self.flows[member.flow as usize];
            let epoch = self.work.epoch;
            let is_held_here = flow.stamp != Stamp::settled(epoch) && flow.bottleneck == resource;
            if flow.stamp == Stamp::loose(epoch) || is_held_here {
                tally.slopes += member.slope;
            } else {
                tally.given += member.slope * flow.levels[LEVEL];
            }
        }
        self.resources[resource as usize].mark.tally = self.work.tallies.len() as u32;
        self.work.tallies.push(tally);
    }

    /// A level below which the resource is certainly not full, from its tally alone.
    ///
    /// Flows counted as given may turn out to take less here, and growing ones may be stopped by
    /// their bound: both would only raise the level.
    fn least_level(&self, resource: u32) -> f64 {
        let state = &self.resources[resource as usize];
        let tally = self.work.tallies[state.mark.tally as usize];
        let left = state.capacity - tally.given;
        // Too little is left to be trusted after so many subtractions.
        if left < 1e-3 * state.capacity {
            return if tally.slopes <= 0.0 && left >= -TOLERANCE * state.capacity {
                f64::INFINITY
            } else {
                self.work.sweep
            };
        }
        if tally.slopes <= 0.0 { f64::INFINITY } else { (left / tally.slopes).max(self.work.sweep) }
    }

    /// The level a flow can reach as seen from `resource`, were that resource without limit.
    ///
    /// That is its ceiling if it was let go, or is held by this very resource and not settled.
    #[inline(always)]
    fn cap(&self, flow: u32, resource: u32) -> f64 {
        let flow = &self.flows[flow as usize];
        let is_loose = flow.stamp == Stamp::loose(self.work.epoch);
        let is_settled = flow.stamp == Stamp::settled(self.work.epoch);
        let is_held_here = !is_settled & (flow.bottleneck == resource);
        flow.levels[usize::from(is_loose | is_held_here)]
    }

    /// Declares the resource full at `level` and stops there the flows that got so far.
    fn settle_at(&mut self, resource: u32, level: f64) {
        let state = &mut self.resources[resource as usize];
        state.mark.is_done = true;
        state.level = level;
        if !state.is_crowded {
            self.convoys.note_holding(resource, state.members.len());
            if state.riders > 0 && !self.is_above_riders(resource) {
                // Only those stay that would not be held back here, if there may be any.
                let level = if self.coarse.is_on() { level } else { 0.0 };
                self.convoys.conflicts.push((resource, level));
            }
        } else if self.coarse.is_on() {
            self.propose_held(resource);
        }
        let (mut at, least) = (0, level * (1.0 - TOLERANCE));
        while let Some(&Member { flow, .. }) = self.resources[resource as usize].members.get(at) {
            at += 1;
            let cap = self.cap(flow, resource);
            // A flow that stands at this very level for another reason is held here as well:
            // the resource has no room left for it if the other reason goes away.
            if cap >= least && !self.is_settled(flow) {
                self.settle_flow(flow, level.min(cap), resource);
            }
        }
        if !self.work.touched.is_empty() {
            self.requeue_touched();
        }
    }

    /// Fixes a flow's level; when it differs from before, its other resources are in question.
    fn settle_flow(&mut self, flow: u32, level: f64, bottleneck: u32) {
        let epoch = self.work.epoch;
        self.coarse.note_effort();
        self.work.unsettled -= 1;
        let state = &mut self.flows[flow as usize];
        let was = *state;
        let was_loose = was.stamp == Stamp::loose(epoch);
        (state.stamp, state.bottleneck) = (Stamp::settled(epoch), bottleneck);
        let is_changed = (level - was.levels[LEVEL]).abs() > TOLERANCE * was.levels[LEVEL];
        if is_changed {
            state.levels[LEVEL] = level;
            self.note_change(flow);
        } else if !was_loose && was.bottleneck == bottleneck {
            return;
        }
        let level = self.flows[flow as usize].levels[LEVEL];
        for at in was.first..was.first + was.count {
            let element = self.elements[at];
            let resource = &self.resources[element.resource as usize];
            let mark = &resource.mark;
            if mark.epoch != epoch {
                // One already in question can only rise by this, and is queued low enough. One
                // that held nobody has room already: more of it changes nothing.
                let gives_room = level < was.levels[LEVEL] && resource.level.is_infinite();
                if is_changed && !gives_room {
                    self.touch(element.resource);
                }
            } else if mark.tally == NONE {
                self.resources[element.resource as usize].mark.is_fresh = false;
            } else {
                let slope = element.coefficient / was.weight;
                let tally = &mut self.work.tallies[mark.tally as usize];
                tally.given += slope * level;
                if was_loose || was.bottleneck == element.resource {
                    tally.slopes -= slope;
                } else {
                    tally.given -= slope * was.levels[LEVEL];
                }
            }
        }
    }

    fn let_go(&mut self, flow: u32) {
        self.flows[flow as usize].stamp = Stamp::loose(self.work.epoch);
        self.work.let_go.push(flow);
    }

    /// The flow grows from now on: its resources other than `holder` are in question.
    fn let_go_of_held(&mut self, flow: u32, holder: u32) {
        self.let_go(flow);
        let was = self.flows[flow as usize];
        for at in was.first..was.first + was.count {
            let Element { resource, coefficient, .. } = self.elements[at];
            if resource == holder {
                continue;
            }
            let mark = &self.resources[resource as usize].mark;
            if mark.epoch == self.work.epoch && mark.tally != NONE {
                let slope = coefficient / was.weight;
                let tally = &mut self.work.tallies[mark.tally as usize];
                tally.given -= slope * was.levels[LEVEL];
                tally.slopes += slope;
            }
            self.touch(resource);
        }
    }

    /// Lets go the flows that `resource` held: its level rises.
    fn let_go_all(&mut self, resource: u32) {
        self.resources[resource as usize].mark.has_let_go = true;
        self.resources[resource as usize].level = f64::INFINITY;
        for i in 0..self.resources[resource as usize].members.len() {
            let flow = self.resources[resource as usize].members[i].flow;
            if self.flows[flow as usize].bottleneck == resource
                && !self.is_settled(flow)
                && !self.is_loose(flow)
            {
                self.let_go_of_held(flow, resource);
            }
        }
        self.requeue_touched();
    }

    /// Flows let go that no resource stopped run at their own bound.
    fn settle_unhindered(&mut self) {
        for i in 0..self.work.let_go.len() {
            let flow = self.work.let_go[i];
            if self.is_settled(flow) {
                continue;
            }
            let epoch = self.work.epoch;
            let state = &mut self.flows[flow as usize];
            (state.stamp, state.bottleneck) = (Stamp::settled(epoch), NONE);
            let [level, ceiling] = state.levels;
            if (ceiling - level).abs() > TOLERANCE * level || ceiling.is_infinite() {
                state.levels[LEVEL] = ceiling;
                self.note_change(flow);
            }
        }
    }

    fn is_settled(&self, flow: u32) -> bool {
        self.flows[flow as usize].stamp == Stamp::settled(self.work.epoch)
    }

    fn is_loose(&self, flow: u32) -> bool {
        self.flows[flow as usize].stamp == Stamp::loose(self.work.epoch)
    }

    fn touch_resources_of(&mut self, flow: u32, except: u32) {
        let super::Flow { first, count, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let resource = self.elements[at].resource;
            if resource != except {
                self.touch(resource);
            }
        }
    }

    /// Brings a resource into question; [`Self::requeue_touched`] then computes its level.
    fn touch(&mut self, resource: u32) {
        let epoch = self.work.epoch;
        let state = &mut self.resources[resource as usize];
        if state.policy == Policy::FatPipe {
            return;
        }
        if state.mark.epoch != epoch {
            state.mark = Mark { epoch, tally: NONE, queued: f64::INFINITY, ..Mark::default() };
        }
        if !state.mark.is_touched && !state.mark.is_done {
            state.mark.is_touched = true;
            self.work.touched.push(resource);
        }
    }

    fn requeue_touched(&mut self) {
        while let Some(resource) = self.work.touched.pop() {
            let state = &self.resources[resource as usize];
            let has_many = state.mark.tally != NONE || state.members.len() > MANY;
            if has_many && state.mark.tally == NONE {
                self.survey(resource);
            }
            let level = if has_many {
                self.least_level(resource)
            } else {
                self.water_level(resource, self.work.sweep)
            };
            let state = &mut self.resources[resource as usize];
            let mark = &mut state.mark;
            (mark.is_touched, mark.is_fresh, mark.level) = (false, !has_many, level);
            let at = if mark.has_let_go { level } else { level.min(state.level) };
            if at < mark.queued {
                self.enqueue(resource, at);
            }
        }
    }

    fn enqueue(&mut self, resource: u32, at: f64) {
        self.resources[resource as usize].mark.queued = at;
        if at.is_finite() {
            self.work.queue.push(at, resource);
        }
    }
}
