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

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::{NONE, Policy, Sharing, State, TOLERANCE};

/// Buffers that live as long as the sharing, so that a solution allocates nothing.
#[derive(Debug, Default)]
pub(super) struct Work {
    epoch: u32,
    queue: BinaryHeap<Reverse<(u64, u32)>>,
    /// The level that the current solution has reached.
    sweep: f64,
    let_go: Vec<u32>,
    touched: Vec<u32>,
    growing: Vec<(f64, f64)>,
}

/// What the current solution knows of a resource.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mark {
    epoch: u32,
    is_done: bool,
    has_let_go: bool,
    is_touched: bool,
    /// The level under which the resource stands in the queue; older entries are ignored.
    queued: f64,
}

impl Sharing {
    /// Repairs the solution after all changes since the last call.
    pub fn solve(&mut self) {
        if self.disturbed.is_empty() && self.loose.is_empty() {
            return;
        }
        self.work.epoch = self.work.epoch.wrapping_add(1);
        self.work.let_go.clear();
        self.work.sweep = 0.0;
        for i in 0..self.loose.len() {
            let flow = self.loose[i];
            if self.flows[flow as usize].is_started && !self.is_loose(flow) {
                self.let_go(flow);
                self.touch_resources_of(flow, NONE);
            }
        }
        self.loose.clear();
        for i in 0..self.disturbed.len() {
            let resource = self.disturbed[i];
            self.resources[resource as usize].is_disturbed = false;
            self.touch(resource);
        }
        self.disturbed.clear();
        self.requeue_touched();
        while let Some(Reverse((bits, resource))) = self.work.queue.pop() {
            self.look_at(resource, f64::from_bits(bits));
        }
        self.settle_unhindered();
    }

    /// Handles the resource that stands lowest in the queue, at level `at`.
    fn look_at(&mut self, resource: u32, at: f64) {
        let state = &self.resources[resource as usize];
        if state.mark.is_done || state.mark.queued != at {
            return;
        }
        let (old, has_let_go) = (state.level, state.mark.has_let_go);
        self.work.sweep = at;
        let level = self.water_level(resource, at);
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

    /// The level at which the resource is full, given what is known of its flows.
    ///
    /// Flows held or settled elsewhere take what they have there, unless they would have more
    /// than the others here; the rest grow together. The level is known not to lie below `floor`,
    /// which spares most flows a second look.
    fn water_level(&mut self, resource: u32, floor: f64) -> f64 {
        let state = &self.resources[resource as usize];
        let mut growing = std::mem::take(&mut self.work.growing);
        growing.clear();
        let mut left = state.capacity;
        let mut slopes = 0.0;
        let mut demand = 0.0;
        for member in &state.members {
            let cap = self.cap(member.flow, resource);
            if cap < floor {
                left -= member.slope * cap;
            } else {
                slopes += member.slope;
                demand += member.slope * cap;
                growing.push((cap, member.slope));
            }
        }
        let mut level = f64::INFINITY;
        if demand > left + TOLERANCE * state.capacity {
            loop {
                level = left / slopes;
                let before = growing.len();
                slopes = 0.0;
                growing.retain(|&(cap, slope)| {
                    if cap < level {
                        left -= slope * cap;
                        false
                    } else {
                        slopes += slope;
                        true
                    }
                });
                // Rounding may leave no flow to fill the rest: the last level is then right.
                if growing.len() == before || growing.is_empty() {
                    break;
                }
            }
        }
        self.work.growing = growing;
        level.max(floor)
    }

    /// The level a flow can reach as seen from `resource`, were that resource without limit.
    fn cap(&self, flow: u32, resource: u32) -> f64 {
        let flow = &self.flows[flow as usize];
        if flow.epoch == self.work.epoch {
            match flow.state {
                State::Settled => return flow.level,
                State::Loose => return flow.ceiling,
                State::Held => {}
            }
        }
        if flow.bottleneck == resource { flow.ceiling } else { flow.level }
    }

    /// Declares the resource full at `level` and stops there the flows that got so far.
    fn settle_at(&mut self, resource: u32, level: f64) {
        let state = &mut self.resources[resource as usize];
        state.mark.is_done = true;
        state.level = level;
        for i in 0..self.resources[resource as usize].members.len() {
            let flow = self.resources[resource as usize].members[i].flow;
            let cap = self.cap(flow, resource);
            // A flow that stands at this very level for another reason is held here as well:
            // the resource has no room left for it if the other reason goes away.
            if self.is_settled(flow) || cap < level * (1.0 - TOLERANCE) {
                continue;
            }
            self.settle_flow(flow, level.min(cap), resource);
        }
        self.requeue_touched();
    }

    /// Fixes a flow's level; when it differs from before, its other resources are in question.
    fn settle_flow(&mut self, flow: u32, level: f64, bottleneck: u32) {
        let epoch = self.work.epoch;
        let state = &mut self.flows[flow as usize];
        (state.epoch, state.state, state.bottleneck) = (epoch, State::Settled, bottleneck);
        if (level - state.level).abs() <= TOLERANCE * state.level {
            return;
        }
        state.level = level;
        let super::Flow { first, count, .. } = *state;
        self.note_change(flow);
        for at in first..first + count {
            let resource = self.elements.all[at as usize].resource;
            // One already in question can only rise by this, and stands in the queue low enough.
            if self.resources[resource as usize].mark.epoch != epoch {
                self.touch(resource);
            }
        }
    }

    fn let_go(&mut self, flow: u32) {
        let epoch = self.work.epoch;
        let state = &mut self.flows[flow as usize];
        (state.epoch, state.state) = (epoch, State::Loose);
        self.work.let_go.push(flow);
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
                self.let_go(flow);
                self.touch_resources_of(flow, resource);
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
            (state.epoch, state.state, state.bottleneck) = (epoch, State::Settled, NONE);
            if (state.ceiling - state.level).abs() > TOLERANCE * state.level
                || state.ceiling.is_infinite()
            {
                state.level = state.ceiling;
                self.note_change(flow);
            }
        }
    }

    fn is_settled(&self, flow: u32) -> bool {
        let flow = &self.flows[flow as usize];
        flow.epoch == self.work.epoch && flow.state == State::Settled
    }

    fn is_loose(&self, flow: u32) -> bool {
        let flow = &self.flows[flow as usize];
        flow.epoch == self.work.epoch && flow.state == State::Loose
    }

    fn touch_resources_of(&mut self, flow: u32, except: u32) {
        let super::Flow { first, count, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let resource = self.elements.all[at as usize].resource;
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
            state.mark = Mark { epoch, queued: f64::INFINITY, ..Mark::default() };
        }
        if !state.mark.is_touched && !state.mark.is_done {
            state.mark.is_touched = true;
            self.work.touched.push(resource);
        }
    }

    fn requeue_touched(&mut self) {
        while let Some(resource) = self.work.touched.pop() {
            let level = self.water_level(resource, self.work.sweep);
            let state = &mut self.resources[resource as usize];
            state.mark.is_touched = false;
            let at = if state.mark.has_let_go { level } else { level.min(state.level) };
            if at < state.mark.queued {
                self.enqueue(resource, at);
            }
        }
    }

    fn enqueue(&mut self, resource: u32, at: f64) {
        self.resources[resource as usize].mark.queued = at;
        if at.is_finite() {
            self.work.queue.push(Reverse((at.to_bits(), resource)));
        }
    }
}
