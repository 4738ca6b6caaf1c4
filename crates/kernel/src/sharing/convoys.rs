//! Flows that share their fate, kept as one.
//!
//! Where hundreds of flows squeeze through the link between two cabinets, each that comes or goes
//! changes the rate of all the others. But it changes them all alike: what crosses the same
//! crowded resources, with the same weight and the same bound, has the same level. Such flows form
//! a *convoy*. The crowded resources see the convoy, as one flow that takes as much as all its
//! *riders* together, and the solution finds one level for all of them.
//!
//! The other resources of a rider, such as the link of its host, see the rider itself. They are
//! far from full, and must stay so: for them each rider takes what it would at the convoy's
//! *allowance*, which is above the convoy's level. As long as a resource is not full by that
//! reckoning, it is certainly not full. When it is, its riders are put out: they are flows of their
//! own again, and the solution is exact for them too. The allowance also bounds the convoy itself;
//! when it gets that far, the allowance is raised, and who cannot follow is put out.
//!
//! So the rates are those that all flows by themselves would have.

use rustc_hash::FxHashMap;

use super::aboard::Aboard;
use super::solve::Stamp;
use super::{CEILING, FlowId, LEVEL, Member, NONE, Policy, Sharing};

/// A resource is crowded when it is the bottleneck of so many flows, or is crossed by a multiple
/// of that, and until half of them are left.
const CROWD: usize = 64;
const WIDE: usize = 4;

/// How far above the level of a convoy its allowance is set, and when it is lowered to that.
const HEADROOM: f64 = 1.5;
const FAR_BELOW: f64 = 2.5;

/// Flows that leave a resource with at most so many others may let those join a convoy.
const FEW: usize = 8;

/// Of many flows at once, the search ends when after so many tries fewer than one in so many others
/// was admitted.
const TRIES: usize = 256;
const TRIES_FOR_ONE: usize = 8;

/// Room for candidates that is kept from one time to the next.
const MOST_KEPT: usize = 1 << 15;

/// So many kinds of flows are remembered before those without a convoy are forgotten.
const MANY_KINDS: usize = 1 << 14;

/// The convoys, and what is to be done about them before the next solution.
#[derive(Debug)]
pub(super) struct Convoys {
    /// How many flows make a crowd, if they are held, and in any case.
    crowd: usize,
    wide: usize,
    /// How many resources are crowded.
    crowded: usize,
    all: Vec<Convoy>,
    free: Vec<u32>,
    kinds: FxHashMap<Box<[u64]>, Kind>,
    /// Resources that may be crowded by now, or not any more.
    filling: Vec<u32>,
    thinning: Vec<u32>,
    /// Flows that may be able to join.
    candidates: Vec<u32>,
    /// Resources with riders that are full by their reckoning.
    /// With the level above which they are put out.
    pub(super) conflicts: Vec<(u32, f64)>,
    /// The riders on each resource that is not crowded.
    pub(super) aboard: Vec<Aboard>,
    /// Flows that have joined or left since the kernel last asked.
    moved: Vec<FlowId>,
    /// Convoys that have lost their last rider.
    deserted: Vec<FlowId>,
    key: Vec<u64>,
}

/// Flows that are alike.
#[derive(Debug)]
struct Convoy {
    riders: Vec<u32>,
    /// What one rider takes of each of the convoy's resources, in order.
    units: Vec<f64>,
    /// The level that each rider may reach by itself.
    ceiling: f64,
    /// The level that riders are reckoned with where they are seen themselves.
    allowance: f64,
    key: Box<[u64]>,
}

/// What is known of flows that are alike.
#[derive(Debug, Clone, Copy)]
enum Kind {
    /// One such flow was seen.
    Lone(u32),
    /// They travel with this convoy.
    Convoy(u32),
}

impl Default for Convoys {
    fn default() -> Self {
        Self {
            crowd: CROWD,
            wide: WIDE * CROWD,
            crowded: 0,
            all: Vec::new(),
            free: Vec::new(),
            kinds: FxHashMap::default(),
            filling: Vec::new(),
            thinning: Vec::new(),
            candidates: Vec::new(),
            conflicts: Vec::new(),
            aboard: Vec::new(),
            moved: Vec::new(),
            deserted: Vec::new(),
            key: Vec::new(),
        }
    }
}

impl Convoys {
    /// A resource has so many flows now, one more than before.
    #[inline]
    pub(super) fn note_filling(&mut self, resource: u32, flows: usize) {
        if flows == self.wide {
            self.filling.push(resource);
        }
    }

    /// A resource with so many flows is the bottleneck of some.
    #[inline]
    pub(super) fn note_holding(&mut self, resource: u32, flows: usize) {
        if flows >= self.crowd {
            self.filling.push(resource);
        }
    }

    /// Whether there are none, and none are about to form.
    #[inline]
    pub(super) fn are_at_rest(&self) -> bool {
        let pending = self.filling.len() | self.thinning.len() | self.candidates.len();
        pending | self.crowded | self.moved.len() | self.deserted.len() == 0
    }

    /// Whether any resource is crowded.
    #[inline]
    pub(super) fn has_crowds(&self) -> bool {
        self.crowded > 0
    }
}

impl Sharing {
    /// Sets from how many flows on a resource is crowded.
    #[cfg(test)]
    pub(crate) fn set_crowd(&mut self, flows: usize) {
        (self.convoys.crowd, self.convoys.wide) = (flows, flows.saturating_mul(2));
    }

    /// The convoy that a flow travels with.
    pub(crate) fn convoy_of(&self, id: FlowId) -> Option<FlowId> {
        let flow = self.flows.get(id.0 as usize)?;
        (flow.is_started && self.is_riding(id.0)).then_some(FlowId(flow.convoy))
    }

    /// Takes the flows that have joined or left a convoy since this was last called.
    #[inline]
    pub(crate) fn drain_moved(&mut self, into: &mut Vec<FlowId>) {
        if !self.convoys.moved.is_empty() {
            into.append(&mut self.convoys.moved);
        }
    }

    /// Takes the convoys that have no riders any more: their numbers can be used for others.
    #[inline]
    pub(crate) fn drain_deserted(&mut self, into: &mut Vec<FlowId>) {
        if !self.convoys.deserted.is_empty() {
            into.append(&mut self.convoys.deserted);
        }
    }

    /// Lets flows join convoys where resources are crowded, before a solution.
    ///
    /// `fresh` gives numbers for new convoys.
    #[inline]
    pub(crate) fn regroup(&mut self, fresh: impl FnMut() -> FlowId) {
        self.coarsen_if_due();
        if !self.convoys.are_at_rest() {
            self.regroup_flows(fresh);
        }
    }

    #[inline(never)]
    fn regroup_flows(&mut self, mut fresh: impl FnMut() -> FlowId) {
        while let Some(resource) = self.convoys.filling.pop() {
            self.crowd(resource);
        }
        while let Some(resource) = self.convoys.thinning.pop() {
            self.uncrowd(resource);
        }
        let mut candidates = std::mem::take(&mut self.convoys.candidates);
        let (mut tried, mut admitted) = (0, 0);
        for flow in candidates.drain(..) {
            tried += 1;
            admitted += usize::from(self.admit(flow, &mut fresh));
            // Where every flow is different, looking for others costs more than it brings.
            if tried > TRIES && tried > TRIES_FOR_ONE * admitted {
                break;
            }
        }
        // Those that were put out meanwhile are not tried again at once.
        self.convoys.candidates.clear();
        candidates.clear();
        // So many are there when whole machines begin to send, not each time.
        if candidates.capacity() <= MOST_KEPT {
            self.convoys.candidates = candidates;
        }
    }

    /// Whether a flow travels with a convoy.
    #[inline]
    pub(super) fn is_riding(&self, flow: u32) -> bool {
        let convoy = self.flows[flow as usize].convoy;
        convoy != NONE && convoy != flow
    }

    /// A flow that crosses a crowded resource may join others.
    #[inline]
    pub(super) fn propose(&mut self, flow: u32) {
        self.convoys.candidates.push(flow);
    }

    /// A flow has left a resource.
    pub(super) fn note_leaving(&mut self, resource: u32) {
        let state = &self.resources[resource as usize];
        if state.is_crowded {
            if self.is_thin(resource) {
                self.convoys.thinning.push(resource);
            }
        } else if state.members.len() + state.riders as usize <= FEW {
            for member in &state.members {
                if self.flows[member.flow as usize].convoy == NONE {
                    self.convoys.candidates.push(member.flow);
                }
            }
        }
    }

    /// Whether a crowded resource has so few flows left that they are no crowd.
    fn is_thin(&self, resource: u32) -> bool {
        let state = &self.resources[resource as usize];
        // Counting is only worth it where convoys could make up the difference.
        let most = state.members.len() + state.riders as usize;
        most < self.convoys.crowd && self.count_flows(resource) < self.convoys.crowd.div_ceil(2)
    }

    /// How many flows use a resource, riders and all.
    pub(super) fn count_flows(&self, resource: u32) -> usize {
        let state = &self.resources[resource as usize];
        if !state.is_crowded {
            return state.members.len() + state.riders as usize;
        }
        let alone = |member: &&Member| self.flows[member.flow as usize].convoy != member.flow;
        state.members.iter().filter(alone).count() + state.riders as usize
    }

    fn crowd(&mut self, resource: u32) {
        let state = &self.resources[resource as usize];
        if state.is_crowded || state.policy == Policy::FatPipe {
            return;
        }
        let is_held = |member: &&Member| self.flows[member.flow as usize].bottleneck == resource;
        if self.count_flows(resource) < self.convoys.wide
            && state.members.iter().filter(is_held).count() < self.convoys.crowd
        {
            return;
        }
        // Its riders would have to ride with others, who cross it too.
        self.put_out_above(resource, 0.0);
        let members = &self.resources[resource as usize].members;
        let flows: Vec<u32> = members.iter().map(|member| member.flow).collect();
        self.resources[resource as usize].is_crowded = true;
        self.convoys.crowded += 1;
        self.convoys.candidates.extend(flows);
    }

    fn uncrowd(&mut self, resource: u32) {
        let state = &self.resources[resource as usize];
        if state.is_crowded && self.is_thin(resource) {
            self.disperse(resource);
        }
    }

    /// Lets a resource be crowded no more.
    fn disperse(&mut self, resource: u32) {
        let state = &self.resources[resource as usize];
        let flows: Vec<u32> = state.members.iter().map(|member| member.flow).collect();
        for flow in flows {
            if self.flows[flow as usize].convoy == flow {
                self.disband(flow);
            }
        }
        self.resources[resource as usize].is_crowded = false;
        self.convoys.crowded -= 1;
    }

    /// Flows that a crowded resource holds may ride with others, even where hosts are full.
    pub(super) fn propose_held(&mut self, resource: u32) {
        for member in &self.resources[resource as usize].members {
            let flow = &self.flows[member.flow as usize];
            if flow.convoy == NONE && flow.bottleneck == resource {
                self.convoys.candidates.push(member.flow);
            }
        }
    }

    /// Lets crowds be larger by a factor, and looks anew for where they are.
    pub(super) fn enlarge_crowds(&mut self, factor: usize) {
        self.convoys.crowd = self.convoys.crowd.saturating_mul(factor);
        self.convoys.wide = self.convoys.wide.saturating_mul(factor);
        for resource in 0..self.resources.len() as u32 {
            if self.resources[resource as usize].is_crowded {
                self.disperse(resource);
                self.convoys.filling.push(resource);
            }
        }
    }

    /// Puts all riders of a convoy out; they may form other ones.
    fn disband(&mut self, convoy: u32) {
        let seat = self.flows[convoy as usize].seat as usize;
        let riders = self.convoys.all[seat].riders.clone();
        for rider in riders {
            self.put_out(rider);
            self.convoys.candidates.push(rider);
        }
    }

    /// Lets a flow join those that are alike, if there are any and its own resources allow it.
    /// Tells whether it has.
    fn admit(&mut self, flow: u32, fresh: &mut impl FnMut() -> FlowId) -> bool {
        let state = &self.flows[flow as usize];
        if !state.is_started || state.convoy != NONE || !self.find_key(flow) {
            return false;
        }
        match self.convoys.kinds.get(&self.convoys.key[..]).copied() {
            Some(Kind::Convoy(convoy)) => self.board(flow, convoy),
            Some(Kind::Lone(other)) if other != flow && self.is_like_key(other) => {
                let convoy = self.form(other, fresh().0);
                self.board(other, convoy);
                // Not if the other could not join the convoy that was made for it.
                if self.is_riding(other) {
                    self.board(flow, convoy);
                }
            }
            _ => {
                if self.convoys.kinds.len() > MANY_KINDS {
                    self.convoys.kinds.retain(|_, kind| matches!(kind, Kind::Convoy(_)));
                }
                self.convoys.kinds.insert(self.convoys.key[..].into(), Kind::Lone(flow));
            }
        }
        self.is_riding(flow)
    }

    /// Puts into `key` what makes a flow like others; false if it crosses no crowd.
    fn find_key(&mut self, flow: u32) -> bool {
        let mut key = std::mem::take(&mut self.convoys.key);
        let crosses = self.write_key(flow, &mut key);
        self.convoys.key = key;
        crosses
    }

    fn write_key(&self, flow: u32, key: &mut Vec<u64>) -> bool {
        let state = &self.flows[flow as usize];
        key.clear();
        for at in state.first..state.first + state.count {
            let element = &self.elements[at];
            if self.resources[element.resource as usize].is_crowded {
                key.extend([u64::from(element.resource), element.coefficient.to_bits()]);
            }
        }
        let crosses = !key.is_empty();
        key.extend([state.weight.to_bits(), self.ceiling(flow).to_bits()]);
        crosses
    }

    /// Whether a flow is there, by itself, and like the one whose key was found last.
    fn is_like_key(&self, flow: u32) -> bool {
        let state = &self.flows[flow as usize];
        let mut key = Vec::new();
        state.is_started
            && state.convoy == NONE
            && self.write_key(flow, &mut key)
            && key == self.convoys.key
    }

    /// Makes a convoy for flows like this one, of which none has joined yet.
    fn form(&mut self, flow: u32, number: u32) -> u32 {
        let state = self.flows[flow as usize];
        let (mut uses, mut units) = (Vec::new(), Vec::new());
        for at in state.first..state.first + state.count {
            let element = self.elements[at];
            if self.resources[element.resource as usize].is_crowded {
                uses.push((super::ResourceId(element.resource), element.coefficient));
                units.push(element.coefficient);
            }
        }
        let ceiling = self.ceiling(flow);
        let level = uses.iter().map(|(resource, _)| self.likely_level(resource.0));
        let level = level.fold(f64::INFINITY, f64::min);
        let is_coarse = self.coarse.is_on();
        let allowance = if is_coarse { level } else { HEADROOM * level }.min(ceiling);
        // Where levels are coarse the allowance follows the level, and bounds nothing.
        let bound = if is_coarse { ceiling } else { allowance };
        self.prepare(FlowId(number), &uses, state.weight, bound / state.weight);
        let key: Box<[u64]> = self.convoys.key[..].into();
        self.convoys.kinds.insert(key.clone(), Kind::Convoy(number));
        let convoy = Convoy { riders: Vec::new(), units, ceiling, allowance, key };
        let seat = match self.convoys.free.pop() {
            Some(seat) => {
                self.convoys.all[seat as usize] = convoy;
                seat
            }
            None => {
                self.convoys.all.push(convoy);
                self.convoys.all.len() as u32 - 1
            }
        };
        let state = &mut self.flows[number as usize];
        (state.convoy, state.seat) = (number, seat);
        number
    }

    /// About the level at which a crowded resource is full.
    fn likely_level(&self, resource: u32) -> f64 {
        let state = &self.resources[resource as usize];
        if state.level.is_finite() {
            return state.level;
        }
        state.capacity / state.members.iter().map(|member| member.slope).sum::<f64>()
    }

    /// Lets a flow join a convoy, unless one of its own resources could be full then.
    fn board(&mut self, flow: u32, convoy: u32) {
        let allowance = self.allowance(convoy);
        if !self.fits(flow, allowance) {
            let level = self.flows[convoy as usize].levels[LEVEL];
            let lower = HEADROOM * level;
            let is_near = level * FAR_BELOW > allowance || self.coarse.is_on();
            if is_near || level <= 0.0 || !self.fits(flow, lower) {
                return self.desert_if_empty(convoy);
            }
            self.set_allowance(convoy, lower);
        }
        let allowance = self.allowance(convoy);
        let seat = self.flows[convoy as usize].seat as usize;
        let place = self.convoys.all[seat].riders.len() as u32;
        self.convoys.all[seat].riders.push(flow);
        let super::Flow { first, count, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let resource = self.elements[at].resource;
            self.take_out(at);
            if !self.resources[resource as usize].is_crowded {
                self.embark(at, flow, allowance);
            }
            self.resources[resource as usize].riders += 1;
        }
        let state = &mut self.flows[flow as usize];
        (state.convoy, state.seat) = (convoy, place);
        (state.bottleneck, state.stamp) = (NONE, Stamp::NONE);
        self.convoys.moved.push(FlowId(flow));
        self.recount(convoy);
    }

    /// Whether the resources that a flow shares with few others are far enough from full for it to
    /// reach a level.
    fn fits(&self, flow: u32, level: f64) -> bool {
        let super::Flow { first, count, .. } = self.flows[flow as usize];
        (first..first + count).all(|at| {
            let number = self.elements[at].resource;
            let resource = &self.resources[number as usize];
            if resource.is_crowded || resource.policy == Policy::FatPipe {
                return true;
            }
            if self.coarse.is_on() && resource.level < level {
                return false;
            }
            let (mut taken, mut holds_another) = (resource.reserved, false);
            for member in &resource.members {
                let other = &self.flows[member.flow as usize];
                let is_other = member.flow != flow;
                let takes = if !is_other {
                    level
                } else if self.coarse.is_on() {
                    0.0
                } else {
                    other.levels[LEVEL]
                };
                taken += member.slope * takes;
                holds_another |= is_other && other.bottleneck == number;
            }
            (!holds_another || self.coarse.is_on()) && taken <= resource.capacity * (1.0 - 1e-9)
        })
    }

    /// The level that riders of a convoy are reckoned with.
    fn allowance(&self, convoy: u32) -> f64 {
        self.convoys.all[self.flows[convoy as usize].seat as usize].allowance
    }

    /// The level that a rider is reckoned with.
    pub(super) fn reckoned_level(&self, rider: u32) -> f64 {
        self.allowance(self.flows[rider as usize].convoy)
    }

    /// Changes the level that riders of a convoy are reckoned with.
    fn set_allowance(&mut self, convoy: u32, allowance: f64) {
        let seat = self.flows[convoy as usize].seat as usize;
        if !self.coarse.is_on() {
            let state = &mut self.flows[convoy as usize];
            state.bound = allowance / state.weight;
            state.levels[CEILING] = state.bound * state.weight;
        }
        let old = std::mem::replace(&mut self.convoys.all[seat].allowance, allowance);
        let riders = std::mem::take(&mut self.convoys.all[seat].riders);
        for rider in &riders {
            self.reckon(*rider, old, allowance);
        }
        self.convoys.all[seat].riders = riders;
    }

    /// Makes a flow one of its own again, whose level the next solution finds.
    pub(super) fn put_out(&mut self, flow: u32) {
        if !self.is_riding(flow) {
            return;
        }
        let convoy = self.take_off(flow);
        let level = self.allowance(convoy);
        let super::Flow { first, count, weight, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let resource = self.elements[at].resource as usize;
            self.resources[resource].riders -= 1;
            if !self.resources[resource].is_crowded {
                self.disembark(at, flow, level);
            }
        }
        self.put_in(flow, first, count, weight);
        let state = &mut self.flows[flow as usize];
        (state.levels[LEVEL], state.bottleneck) = (0.0, NONE);
        self.loosen(flow);
        self.recount(convoy);
    }

    /// Takes a rider that is to stop off its convoy and its resources.
    pub(super) fn stop_rider(&mut self, flow: u32) {
        let convoy = self.take_off(flow);
        let level = self.allowance(convoy);
        let super::Flow { first, count, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let resource = self.elements[at].resource;
            self.resources[resource as usize].riders -= 1;
            if !self.resources[resource as usize].is_crowded {
                self.disembark(at, flow, level);
            }
            self.note_leaving(resource);
        }
        self.recount(convoy);
    }

    /// Takes a flow off its convoy, which is to be recounted.
    fn take_off(&mut self, flow: u32) -> u32 {
        let state = &mut self.flows[flow as usize];
        let (convoy, place) = (state.convoy, state.seat as usize);
        state.convoy = NONE;
        let seat = self.flows[convoy as usize].seat as usize;
        let riders = &mut self.convoys.all[seat].riders;
        riders.swap_remove(place);
        if let Some(moved) = riders.get(place) {
            self.flows[*moved as usize].seat = place as u32;
        }
        self.convoys.moved.push(FlowId(flow));
        convoy
    }

    /// Lets a convoy take what its riders take together.
    fn recount(&mut self, convoy: u32) {
        let super::Flow { first, count, weight, seat, is_started, .. } =
            self.flows[convoy as usize];
        let riders = self.convoys.all[seat as usize].riders.len() as f64;
        if riders == 0.0 {
            return self.desert_if_empty(convoy);
        }
        for nth in 0..count {
            let at = first + nth;
            let coefficient = riders * self.convoys.all[seat as usize].units[nth as usize];
            let element = &mut self.elements[at];
            element.coefficient = coefficient;
            let (resource, position) = (element.resource, element.position as usize);
            if is_started {
                self.resources[resource as usize].members[position].slope = coefficient / weight;
                self.disturb(resource);
            }
        }
        if !is_started {
            self.start(FlowId(convoy));
        }
    }

    fn desert_if_empty(&mut self, convoy: u32) {
        let seat = self.flows[convoy as usize].seat as usize;
        if !self.convoys.all[seat].riders.is_empty() {
            return;
        }
        self.convoys.kinds.remove(&self.convoys.all[seat].key);
        self.convoys.free.push(seat as u32);
        self.flows[convoy as usize].convoy = NONE;
        self.stop(FlowId(convoy));
        self.discard(FlowId(convoy));
        self.convoys.deserted.push(FlowId(convoy));
    }

    /// Mends what the last solution found to be out of bounds; whether another is needed.
    pub(super) fn mend(&mut self) -> bool {
        let conflicts = std::mem::take(&mut self.convoys.conflicts);
        for (resource, level) in &conflicts {
            self.put_out_above(*resource, *level);
        }
        let mut is_needed = !conflicts.is_empty();
        self.convoys.conflicts = conflicts;
        self.convoys.conflicts.clear();
        if self.convoys.has_crowds() {
            for i in 0..self.changed.len() {
                is_needed |= self.adjust_allowance(self.changed[i].0);
            }
        }
        is_needed || !self.convoys.conflicts.is_empty()
    }

    /// Raises the allowance of a convoy that has got as far; lets it follow where levels are
    /// coarse. Whether there is something to repair.
    fn adjust_allowance(&mut self, convoy: u32) -> bool {
        let state = &self.flows[convoy as usize];
        if state.convoy != convoy || !state.is_started {
            return false;
        }
        let (level, allowance) = (state.levels[LEVEL], self.allowance(convoy));
        let seat = state.seat as usize;
        if self.coarse.is_on() {
            let is_other = level != allowance;
            if is_other {
                self.set_allowance(convoy, level);
            }
            return is_other;
        }
        let ceiling = self.convoys.all[seat].ceiling;
        if level < allowance * (1.0 - 1e-9) || allowance >= ceiling * (1.0 - 1e-9) {
            return false;
        }
        self.set_allowance(convoy, (HEADROOM * allowance).min(ceiling));
        let allowance = self.allowance(convoy);
        let riders = self.convoys.all[seat].riders.clone();
        self.loosen(convoy);
        for rider in riders {
            if !self.fits(rider, allowance) {
                self.put_out(rider);
            }
        }
        true
    }
}
