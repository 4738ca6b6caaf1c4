//! Riders, as the resources see them that are not crowded: what they take together.

use super::{Element, Policy, Sharing};

/// The riders that cross a resource, which is not crowded.
#[derive(Debug, Default)]
pub(super) struct Aboard {
    riders: Vec<Passenger>,
    /// No rider is reckoned with more than this level.
    top: f64,
}

/// A rider, and its element for the resource.
#[derive(Debug, Clone, Copy)]
struct Passenger {
    flow: u32,
    slot: u32,
}

impl Sharing {
    /// The flow of an element crosses its resource as a rider from now on, at a level.
    pub(super) fn embark(&mut self, at: u32, flow: u32, level: f64) {
        let Element { resource, coefficient, .. } = self.elements[at];
        let number = resource as usize;
        if self.convoys.aboard.len() <= number {
            self.convoys.aboard.resize_with(self.resources.len(), Aboard::default);
        }
        let aboard = &mut self.convoys.aboard[number];
        self.elements[at].position = aboard.riders.len() as u32;
        aboard.riders.push(Passenger { flow, slot: at });
        aboard.top = aboard.top.max(level);
        self.resources[number].reserved += coefficient / self.flows[flow as usize].weight * level;
        if self.coarse.is_on() {
            self.disturb(resource);
        }
    }

    /// It does not any more.
    pub(super) fn disembark(&mut self, at: u32, flow: u32, level: f64) {
        let Element { resource, position, coefficient } = self.elements[at];
        let aboard = &mut self.convoys.aboard[resource as usize];
        aboard.riders.swap_remove(position as usize);
        if let Some(moved) = aboard.riders.get(position as usize) {
            self.elements[moved.slot].position = position;
        }
        let state = &mut self.resources[resource as usize];
        if aboard.riders.is_empty() {
            (state.reserved, aboard.top) = (0.0, 0.0);
        } else {
            state.reserved -= coefficient / self.flows[flow as usize].weight * level;
        }
        self.disturb_if_full(resource);
    }

    /// Reckons a rider with another level.
    pub(super) fn reckon(&mut self, flow: u32, old: f64, level: f64) {
        let super::Flow { first, count, weight, .. } = self.flows[flow as usize];
        for at in first..first + count {
            let Element { resource, coefficient, .. } = self.elements[at];
            let state = &mut self.resources[resource as usize];
            if state.is_crowded {
                continue;
            }
            state.reserved += coefficient / weight * (level - old);
            let is_overfull = state.reserved > state.capacity && state.policy == Policy::Shared;
            let aboard = &mut self.convoys.aboard[resource as usize];
            aboard.top = aboard.top.max(level);
            if is_overfull && self.coarse.is_on() {
                self.convoys.conflicts.push((resource, 0.0));
            }
            if level < old {
                self.disturb_if_full(resource);
            } else if self.coarse.is_on() {
                self.disturb(resource);
            }
        }
    }

    /// With coarse levels, riders cross resources that are full: these must be looked at again
    /// when riders take less. The others have room already, and more of it changes nothing.
    #[inline]
    fn disturb_if_full(&mut self, resource: u32) {
        if self.coarse.is_on() && self.resources[resource as usize].level.is_finite() {
            self.disturb(resource);
        }
    }

    /// Whether a full resource with riders would let them go faster: only where levels are coarse
    /// may it have riders at all.
    pub(super) fn is_above_riders(&mut self, resource: u32) -> bool {
        let level = self.resources[resource as usize].level;
        if !self.coarse.is_on() {
            return false;
        }
        if level < self.convoys.aboard[resource as usize].top {
            let riders = &self.convoys.aboard[resource as usize].riders;
            let levels = riders.iter().map(|rider| self.reckoned_level(rider.flow));
            self.convoys.aboard[resource as usize].top = levels.fold(0.0, f64::max);
        }
        level >= self.convoys.aboard[resource as usize].top
    }

    /// Puts riders out that cross a resource and are reckoned with more than a level.
    pub(super) fn put_out_above(&mut self, resource: u32, level: f64) {
        let Some(aboard) = self.convoys.aboard.get(resource as usize) else { return };
        let is_above = |flow: &u32| self.reckoned_level(*flow) > level;
        let flows = aboard.riders.iter().map(|rider| rider.flow);
        let flows: Vec<u32> = flows.filter(is_above).collect();
        for flow in flows {
            self.put_out(flow);
        }
    }
}
