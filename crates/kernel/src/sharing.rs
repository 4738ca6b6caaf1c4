//! Exact weighted max-min sharing of resources among flows, kept up to date incrementally.
//!
//! A *flow* uses some resources, each with a coefficient `a` (1 for data, 0.05 for the
//! acknowledgements that run backwards), has a weight `w` and perhaps a bound. Its rate is
//! `level / w`. The *level* is what progressive filling raises: all flows grow together from zero
//! until a resource is full, the flows through it stop there, the others go on. That resource is
//! then their *bottleneck*.
//!
//! The state between two solutions holds one level per flow and one per saturated resource.
//! [`Sharing::start`], [`Sharing::stop`] and the changes of capacity or bound only note which
//! resources are disturbed; [`Sharing::solve`] (in `sharing/solve.rs`) repairs the solution from
//! there, touching only what moves.

mod aboard;
mod coarse;
mod convoys;
#[cfg(test)]
mod proof;
mod queue;
mod solve;

use smallvec::SmallVec;

use crate::free_slots::FreeSlots;
use foretell_near as near;

/// A resource that flows share: a link in one direction, or the cores of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub u32);

/// A flow, from [`Sharing::prepare`] to [`Sharing::discard`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FlowId(pub u32);

/// How many resources of a flow are fetched ahead: more would take longer than what comes before.
const MOST_FETCHED: u32 = 8;

/// How a resource divides its capacity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// The uses of all flows add up to at most the capacity.
    Shared,
    /// Each flow alone is limited to the capacity.
    FatPipe,
}

pub(crate) const NONE: u32 = u32::MAX;

/// Relative change of a level below which it counts as unchanged.
///
/// Levels are compared with the stored ones, not with the previous attempt, so ignored changes
/// cannot add up: a resource is never off by more than this.
pub(crate) const TOLERANCE: f64 = 1e-12;

/// The resources, the flows, and the current solution.
#[derive(Debug, Default)]
pub struct Sharing {
    resources: Vec<Resource>,
    flows: Vec<Flow>,
    elements: Elements,
    /// Resources disturbed since the last solution.
    disturbed: Vec<u32>,
    /// How many of them have no flow any more.
    deserted: usize,
    /// The number of the solution that is to come.
    round: u32,
    /// Flows whose level the next solution finds from scratch: new ones, and changed bounds.
    loose: Vec<u32>,
    changed: Vec<FlowId>,
    work: solve::Work,
    convoys: convoys::Convoys,
    coarse: coarse::Coarse,
}

/// Two cache lines: the first has what is asked for when flows come and go.
#[derive(Debug)]
#[repr(C, align(64))]
struct Resource {
    capacity: f64,
    /// Level at which the resource is full; infinite when it is the bottleneck of no flow.
    level: f64,
    policy: Policy,
    /// Whether so many flows cross it that they travel in convoys, and how many do.
    is_crowded: bool,
    riders: u32,
    /// Most links carry one flow and the acknowledgements of another: those stay in place. Riders
    /// are not among them.
    members: SmallVec<[Member; 2]>,
    /// What its riders are reckoned with, unless it is crowded: then it sees their convoys.
    reserved: f64,
    /// The solution for which it was last noted in `disturbed`.
    noted_for: u32,
    mark: solve::Mark,
}

const _: () = assert!(std::mem::offset_of!(Resource, reserved) == 64);
const _: () = assert!(size_of::<Resource>() == 128 && size_of::<Flow>() == 64);

/// One flow's use of one resource, as the resource sees it.
#[derive(Debug, Clone, Copy)]
struct Member {
    flow: u32,
    /// Index of the matching element in the flow's own list.
    slot: u32,
    /// `a / w`: what the flow takes of the capacity for each unit of level.
    slope: f64,
}

/// One flow's use of one resource, as the flow sees it.
#[derive(Debug, Clone, Copy)]
struct Element {
    resource: u32,
    /// Where the flow stands among the members of the resource, when it is started.
    position: u32,
    coefficient: f64,
}

/// One cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Flow {
    /// The level the flow has, and the one at which it reaches its own bound: an array, so that
    /// one of the two is taken without a branch.
    levels: [f64; 2],
    weight: f64,
    bound: f64,
    bottleneck: u32,
    first: u32,
    count: u32,
    /// What the solution of which number has found out: see [`solve::Stamp`].
    stamp: solve::Stamp,
    /// The solution in which the flow was found to belong to a component.
    seen: u32,
    /// The convoy that it travels with; its own number if it is one.
    convoy: u32,
    /// Its place among the riders, or that of the convoy among all.
    seat: u32,
    is_started: bool,
    is_changed: bool,
    meets_fat_pipe: bool,
}

/// Places in [`Flow::levels`].
const LEVEL: usize = 0;
const CEILING: usize = 1;

impl Sharing {
    /// Adds a resource.
    pub fn add_resource(&mut self, capacity: f64, policy: Policy) -> ResourceId {
        let id = ResourceId(self.resources.len() as u32);
        self.resources.push(Resource {
            capacity,
            level: f64::INFINITY,
            reserved: 0.0,
            members: SmallVec::new(),
            policy,
            noted_for: self.round.wrapping_sub(1),
            is_crowded: false,
            riders: 0,
            mark: solve::Mark::default(),
        });
        id
    }

    /// The capacity of a resource.
    pub fn capacity(&self, resource: ResourceId) -> f64 {
        self.resources[resource.0 as usize].capacity
    }

    /// Changes the capacity of a resource; takes effect at the next [`Sharing::solve`].
    pub fn set_capacity(&mut self, resource: ResourceId, capacity: f64) {
        let resource = resource.0;
        self.resources[resource as usize].capacity = capacity;
        self.put_out_above(resource, 0.0);
        if self.resources[resource as usize].policy == Policy::FatPipe {
            for i in 0..self.resources[resource as usize].members.len() {
                let flow = self.resources[resource as usize].members[i].flow;
                self.loosen(flow);
            }
        } else {
            self.disturb(resource);
        }
    }

    /// The resources of a prepared flow, each with its coefficient.
    pub(crate) fn uses(&self, id: FlowId) -> impl Iterator<Item = (ResourceId, f64)> + '_ {
        let flow = self.flows.get(id.0 as usize).copied().unwrap_or(Flow::EMPTY);
        let elements = self.elements.of(flow.first, flow.count).iter();
        elements.map(|element| (ResourceId(element.resource), element.coefficient))
    }

    /// How many started flows use a resource.
    pub fn load(&self, resource: ResourceId) -> usize {
        self.count_flows(resource.0)
    }

    /// Describes flow `id`, which uses nothing until it is started.
    ///
    /// `uses` may name a resource more than once: the coefficients add up (on a fat pipe the
    /// largest counts). A `bound` on the rate may be infinite.
    pub fn prepare(&mut self, id: FlowId, uses: &[(ResourceId, f64)], weight: f64, bound: f64) {
        debug_assert!(weight > 0.0, "a flow needs a positive weight");
        let index = id.0 as usize;
        if self.flows.len() <= index {
            self.flows.resize(index + 1, Flow::EMPTY);
        }
        let first = self.elements.allocate(uses.len());
        // Routes seldom repeat a resource: a bit for each spares most of the search.
        let (mut seen, mut seen_twice) = ([0_u64; 4], 0);
        let elements = self.elements.of_mut(first, uses.len() as u32);
        for (element, &(ResourceId(resource), coefficient)) in elements.iter_mut().zip(uses) {
            *element = Element { resource, position: NONE, coefficient };
            let (word, bit) = (&mut seen[(resource >> 6) as usize % 4], 1 << (resource % 64));
            seen_twice |= *word & bit;
            *word |= bit;
        }
        let count = match seen_twice {
            0 => uses.len() as u32,
            _ => self.merge_uses(first, uses.len()),
        };
        self.flows[index] = Flow { weight, bound, first, count, ..Flow::EMPTY };
        // The block was sized for all uses; merged ones leave a gap that `discard` gives back.
        self.elements.remember_size(first, uses.len());
    }

    /// Merges uses of the same resource among the elements of a flow; gives how many are left.
    fn merge_uses(&mut self, first: u32, count: usize) -> u32 {
        let Self { elements, resources, .. } = self;
        let elements = elements.of_mut(first, count as u32);
        let mut kept = 0;
        for at in 0..count {
            let Element { resource, coefficient, .. } = elements[at];
            match elements[..kept].iter_mut().find(|known| known.resource == resource) {
                Some(known) => match resources[resource as usize].policy {
                    Policy::Shared => known.coefficient += coefficient,
                    Policy::FatPipe => known.coefficient = known.coefficient.max(coefficient),
                },
                None => {
                    elements[kept] = elements[at];
                    kept += 1;
                }
            }
        }
        kept as u32
    }

    /// Lets a prepared flow take its share from the next [`Sharing::solve`] on.
    pub fn start(&mut self, id: FlowId) {
        let index = id.0 as usize;
        let Flow { first, count, weight, .. } = self.flows[index];
        self.coarse.note_change();
        let (alone, meets_fat_pipe) = self.meets_nobody(first, count);
        self.flows[index].meets_fat_pipe = meets_fat_pipe;
        if self.put_in(id.0, first, count, weight) {
            self.propose(id.0);
        }
        // What it had before it was stopped is no level to start from: the same one is a change.
        let flow = &mut self.flows[index];
        (flow.is_started, flow.levels[LEVEL], flow.bottleneck) = (true, 0.0, NONE);
        if alone {
            self.settle_alone(id.0);
        } else {
            self.loosen(id.0);
        }
    }

    /// Lets the resources of a flow come near, which will start or stop soon.
    #[inline]
    pub(crate) fn foresee_resources(&self, id: FlowId) {
        let Some(Flow { first, count, .. }) = self.flows.get(id.0 as usize) else { return };
        for at in *first..*first + (*count).min(MOST_FETCHED) {
            near::fetch(&self.resources[self.elements[at].resource as usize]);
        }
    }

    /// Lets the list of its resources come near.
    #[inline]
    pub(crate) fn foresee_elements(&self, id: FlowId) {
        if let Some(Flow { first, count: 1.., .. }) = self.flows.get(id.0 as usize) {
            near::fetch(&self.elements[*first]);
        }
    }

    /// Lets the flow itself come near.
    #[inline]
    pub(crate) fn foresee_flow(&self, id: FlowId) {
        if let Some(flow) = self.flows.get(id.0 as usize) {
            near::fetch(flow);
        }
    }

    /// Puts a flow among the members of its resources; whether one of them is crowded.
    #[inline(always)]
    fn put_in(&mut self, flow: u32, first: u32, count: u32, weight: f64) -> bool {
        let Self { resources, elements, convoys, deserted, round, .. } = self;
        let mut meets_crowd = false;
        for (slot, element) in (first..).zip(elements.of_mut(first, count)) {
            let resource = &mut resources[element.resource as usize];
            let members = resource.members.len();
            if members == 0 && resource.noted_for == *round {
                *deserted -= 1;
            }
            element.position = members as u32;
            resource.members.push(Member { flow, slot, slope: element.coefficient / weight });
            convoys.note_filling(element.resource, members + 1 + resource.riders as usize);
            meets_crowd |= resource.is_crowded;
        }
        meets_crowd
    }

    /// Takes the flow of an element out of the members of its resource; whether others are left.
    #[inline(always)]
    fn take_out(&mut self, at: u32) -> bool {
        let Element { resource, position, .. } = self.elements[at];
        let members = &mut self.resources[resource as usize].members;
        members.swap_remove(position as usize);
        if let Some(moved) = members.get(position as usize) {
            self.elements[moved.slot].position = position;
        }
        let are_left = !members.is_empty();
        if !are_left {
            self.desert(resource);
        }
        are_left
    }

    /// Whether no other flow shares the resources of these elements, and whether one is a fat pipe.
    ///
    /// Looks at all of them before anything is changed: resources lie far apart in memory, and so
    /// the processor waits for all at once rather than for one after the other.
    #[inline]
    fn meets_nobody(&self, first: u32, count: u32) -> (bool, bool) {
        let elements = self.elements.of(first, count).iter();
        elements.fold((true, false), |(alone, fat), element| {
            let resource = &self.resources[element.resource as usize];
            let is_empty = resource.members.is_empty() & (resource.riders == 0);
            let is_fat = resource.policy == Policy::FatPipe;
            (alone & (is_empty | is_fat), fat | is_fat)
        })
    }

    /// Takes a flow off its resources.
    pub fn stop(&mut self, id: FlowId) {
        let flow = &mut self.flows[id.0 as usize];
        if !std::mem::replace(&mut flow.is_started, false) {
            return;
        }
        let Flow { first, count, .. } = *flow;
        self.coarse.note_change();
        if self.is_riding(id.0) {
            return self.stop_rider(id.0);
        }
        if self.is_alone(first, count) {
            return self.leave_empty(first, count);
        }
        for at in first..first + count {
            let resource = self.elements[at].resource;
            if self.take_out(at) && self.resources[resource as usize].level.is_finite() {
                // One that holds nobody has room already: more of it changes nothing.
                if self.holds_any(resource) {
                    self.disturb(resource);
                } else {
                    self.resources[resource as usize].level = f64::INFINITY;
                }
            }
            if self.convoys.has_crowds() {
                self.note_leaving(resource);
            }
        }
    }

    /// Whether a resource is the bottleneck of one of its flows, or may be that of riders.
    #[inline]
    fn holds_any(&self, resource: u32) -> bool {
        let state = &self.resources[resource as usize];
        let is_held = |member: &Member| self.flows[member.flow as usize].bottleneck == resource;
        state.riders > 0 || state.is_crowded || state.members.iter().any(is_held)
    }

    /// Whether a started flow with these elements shares no resource; looks at all of them first,
    /// as [`Sharing::meets_nobody`] does.
    #[inline]
    fn is_alone(&self, first: u32, count: u32) -> bool {
        self.elements.of(first, count).iter().fold(true, |alone, element| {
            let resource = &self.resources[element.resource as usize];
            alone & (resource.members.len() == 1) & (resource.riders == 0)
        })
    }

    /// Takes a flow off resources that nobody else uses.
    fn leave_empty(&mut self, first: u32, count: u32) {
        for at in first..first + count {
            let resource = self.elements[at].resource;
            self.resources[resource as usize].members.clear();
            self.desert(resource);
        }
    }

    /// A resource has lost its last flow.
    fn desert(&mut self, resource: u32) {
        let state = &mut self.resources[resource as usize];
        state.level = f64::INFINITY;
        self.deserted += usize::from(state.noted_for == self.round);
    }

    /// Forgets a stopped flow, so that its id can be prepared anew.
    pub fn discard(&mut self, id: FlowId) {
        let flow = self.flows[id.0 as usize];
        debug_assert!(!flow.is_started, "a flow is stopped before it is discarded");
        if flow.count > 0 {
            self.elements.free(flow.first);
        }
        self.flows[id.0 as usize].count = 0;
    }

    /// Changes the bound on a flow's rate.
    pub fn set_bound(&mut self, id: FlowId, bound: f64) {
        if self.flows[id.0 as usize].is_started {
            self.put_out(id.0);
        }
        self.flows[id.0 as usize].bound = bound;
        if self.flows[id.0 as usize].is_started {
            self.loosen(id.0);
        }
    }

    /// Changes a flow's weight.
    pub fn set_weight(&mut self, id: FlowId, weight: f64) {
        let was_started = self.flows[id.0 as usize].is_started;
        if was_started {
            self.stop(id);
        }
        self.flows[id.0 as usize].weight = weight;
        if was_started {
            self.start(id);
        }
    }

    /// The rate of a flow in the current solution.
    pub fn rate(&self, id: FlowId) -> f64 {
        let flow = &self.flows[id.0 as usize];
        if !flow.is_started {
            return 0.0;
        }
        match self.convoy_of(id) {
            Some(convoy) => self.flows[convoy.0 as usize].levels[LEVEL] / flow.weight,
            None => flow.levels[LEVEL] / flow.weight,
        }
    }

    /// Whether nothing has happened since the last solution that could change it.
    #[inline]
    pub(crate) fn is_at_rest(&self) -> bool {
        let noted = self.disturbed.len() | self.loose.len() | self.changed.len();
        noted == 0 && self.convoys.are_at_rest() && !self.coarse.is_on()
    }

    /// Takes the flows whose rate has changed since this was last called, each once.
    pub fn drain_changed(&mut self, into: &mut Vec<FlowId>) {
        match into.is_empty() {
            true => std::mem::swap(into, &mut self.changed),
            false => into.append(&mut self.changed),
        }
        for flow in into.iter() {
            self.flows[flow.0 as usize].is_changed = false;
        }
    }

    /// Gives a flow that meets no other its rate at once: no solution is needed.
    fn settle_alone(&mut self, flow: u32) {
        let Flow { first, count, .. } = self.flows[flow as usize];
        let mut level = self.ceiling(flow);
        self.flows[flow as usize].levels[CEILING] = level;
        let mut bottleneck = NONE;
        for &Element { resource, position, .. } in self.elements.of(first, count) {
            let resource_state = &self.resources[resource as usize];
            if resource_state.policy == Policy::FatPipe {
                continue;
            }
            let full = resource_state.capacity / resource_state.members[position as usize].slope;
            if full < level {
                level = full;
                bottleneck = resource;
            }
        }
        if bottleneck != NONE {
            self.resources[bottleneck as usize].level = level;
        }
        let state = &mut self.flows[flow as usize];
        (state.levels[LEVEL], state.bottleneck) = (level, bottleneck);
        self.note_change(flow);
    }

    /// Makes the next solution find the flow's level anew.
    fn loosen(&mut self, flow: u32) {
        self.flows[flow as usize].levels[CEILING] = self.ceiling(flow);
        self.loose.push(flow);
    }

    /// The level at which the flow meets its bound or the narrowest fat pipe.
    fn ceiling(&self, flow: u32) -> f64 {
        let Flow { first, count, weight, bound, meets_fat_pipe, .. } = self.flows[flow as usize];
        if !meets_fat_pipe {
            return bound * weight;
        }
        let bound = self.elements.of(first, count).iter().fold(bound, |bound, element| {
            let resource = &self.resources[element.resource as usize];
            match resource.policy {
                Policy::FatPipe => bound.min(resource.capacity / element.coefficient),
                Policy::Shared => bound,
            }
        });
        bound * weight
    }

    fn disturb(&mut self, resource: u32) {
        let state = &mut self.resources[resource as usize];
        if state.noted_for != self.round && state.policy == Policy::Shared {
            state.noted_for = self.round;
            self.disturbed.push(resource);
            self.deserted += usize::from(state.members.is_empty());
        }
    }

    fn note_change(&mut self, flow: u32) {
        let state = &mut self.flows[flow as usize];
        if !state.is_changed {
            state.is_changed = true;
            self.changed.push(FlowId(flow));
        }
    }
}

impl Flow {
    const EMPTY: Flow = Flow {
        levels: [0.0, f64::INFINITY],
        weight: 1.0,
        bound: f64::INFINITY,
        bottleneck: NONE,
        first: 0,
        count: 0,
        stamp: solve::Stamp::NONE,
        seen: 0,
        convoy: NONE,
        seat: NONE,
        is_started: false,
        is_changed: false,
        meets_fat_pipe: false,
    };
}

/// The elements of all flows, in blocks that are reused by size.
#[derive(Debug, Default)]
struct Elements {
    all: Vec<Element>,
    /// Size of the block that starts at each grain, in grains.
    size_at: Vec<u16>,
    /// Free blocks of each size, and how many blocks of it there are.
    free: Vec<(FreeSlots, usize)>,
}

/// Blocks come in multiples of this: a route through a switch and back.
const GRAIN: usize = 4;

impl Elements {
    /// Those of a flow, whose first is here.
    #[inline]
    fn of(&self, first: u32, count: u32) -> &[Element] {
        &self.all[first as usize..][..count as usize]
    }

    #[inline]
    fn of_mut(&mut self, first: u32, count: u32) -> &mut [Element] {
        &mut self.all[first as usize..][..count as usize]
    }

    fn allocate(&mut self, count: usize) -> u32 {
        let size = count.div_ceil(GRAIN);
        if self.free.len() <= size {
            self.free.resize(size + 1, Default::default());
        }
        let (free, blocks) = &mut self.free[size];
        if let Some(grain) = free.pop(*blocks) {
            return grain * GRAIN as u32;
        }
        *blocks += 1;
        let first = self.all.len();
        let unused = Element { resource: NONE, position: NONE, coefficient: 0.0 };
        self.all.resize(first + size * GRAIN, unused);
        self.size_at.resize(self.all.len() / GRAIN + 1, 0);
        first as u32
    }

    fn remember_size(&mut self, first: u32, count: usize) {
        self.size_at[first as usize / GRAIN] = count.div_ceil(GRAIN) as u16;
    }

    fn free(&mut self, first: u32) {
        let size = self.size_at[first as usize / GRAIN] as usize;
        self.free[size].0.push(first / GRAIN as u32);
    }
}

impl std::ops::Index<u32> for Elements {
    type Output = Element;

    #[inline]
    fn index(&self, at: u32) -> &Element {
        &self.all[at as usize]
    }
}

impl std::ops::IndexMut<u32> for Elements {
    #[inline]
    fn index_mut(&mut self, at: u32) -> &mut Element {
        &mut self.all[at as usize]
    }
}
