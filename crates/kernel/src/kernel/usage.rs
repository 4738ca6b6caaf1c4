//! How much of resources has been used, for those who pay by use.
//!
//! A transfer of `amount` that makes `efficiency` of progress for each unit of rate takes
//! `coefficient * amount / efficiency` of each of its resources, however its rate changed on the
//! way. So nothing need be done while it moves: what it took is added up when it ends, and what
//! those under way have taken so far is worked out when somebody asks, or when the capacity
//! changes that it is a share of.

use super::Kernel;
use crate::activity::{ActivityId, Phase};
use crate::sharing::ResourceId;

/// What all resources have been used for, so far as it is settled.
#[derive(Debug, Default)]
pub(super) struct Usage {
    /// By number of the resource; those that nobody has used may lack.
    of: Vec<Used>,
}

/// The use of one resource.
#[derive(Debug, Clone, Copy, Default)]
struct Used {
    /// Taken by transfers that have ended.
    taken: f64,
    /// Of what was taken in all, that before its capacity last changed.
    before: f64,
    /// That, in seconds of full use.
    seconds: f64,
}

impl Usage {
    fn used(&mut self, resource: ResourceId) -> &mut Used {
        let index = resource.0 as usize;
        if self.of.len() <= index {
            self.of.resize(index + 1, Used::default());
        }
        &mut self.of[index]
    }
}

impl Kernel {
    /// Meters the use of all resources, from before the first transfer on.
    pub fn meter_use(&mut self) {
        self.usage = Some(Box::default());
    }

    /// For each resource, by its number, the seconds for which it would have had to be used in full
    /// for what was moved over it so far. On a fat pipe, which each flow may use in full, flows add
    /// up. Empty unless [`Kernel::meter_use`] was called.
    pub fn seconds_of_use(&self) -> Vec<f64> {
        let Some(usage) = &self.usage else { return Vec::new() };
        let mut taken = self.taken_by_those_under_way();
        let count = taken.len().max(usage.of.len());
        taken.resize(count, 0.0);
        (0..count)
            .map(|index| {
                let used = usage.of.get(index).copied().unwrap_or_default();
                let capacity = self.capacity(ResourceId(index as u32));
                used.seconds + share(used.taken + taken[index] - used.before, capacity)
            })
            .collect()
    }

    /// An activity has come to its end: it has taken what there was to take.
    pub(super) fn settle_whole_use(&mut self, id: ActivityId) {
        if self.usage.is_some() {
            let activity = &self.activities[id.0 as usize];
            self.settle_use(id, activity.amount / activity.efficiency);
        }
    }

    /// An activity is ended before its time.
    pub(super) fn settle_use_so_far(&mut self, id: ActivityId) {
        if self.usage.is_some() && self.is_under_way(id) {
            self.settle_use(id, self.use_so_far(id));
        }
    }

    /// The capacity of a resource is about to change.
    pub(super) fn settle_share(&mut self, resource: ResourceId) {
        if self.usage.is_none() {
            return;
        }
        let under_way = self.taken_by_those_under_way();
        let under_way = under_way.get(resource.0 as usize).copied().unwrap_or(0.0);
        let capacity = self.capacity(resource);
        if let Some(usage) = &mut self.usage {
            let used = usage.used(resource);
            let taken = used.taken + under_way;
            used.seconds += share(taken - used.before, capacity);
            used.before = taken;
        }
    }

    fn settle_use(&mut self, id: ActivityId, taken: f64) {
        let Some(usage) = &mut self.usage else { return };
        for (resource, coefficient) in self.sharing.uses(id.flow()) {
            usage.used(resource).taken += coefficient * taken;
        }
    }

    fn taken_by_those_under_way(&self) -> Vec<f64> {
        let mut taken = Vec::new();
        let ids = (0..self.activities.len() as u32).map(ActivityId);
        for id in ids.filter(|id| self.is_under_way(*id)) {
            let so_far = self.use_so_far(id);
            for (resource, coefficient) in self.sharing.uses(id.flow()) {
                let index = resource.0 as usize;
                if taken.len() <= index {
                    taken.resize(index + 1, 0.0);
                }
                taken[index] += coefficient * so_far;
            }
        }
        taken
    }

    /// Convoys are not counted: their riders are.
    fn is_under_way(&self, id: ActivityId) -> bool {
        matches!(self.activities[id.0 as usize].phase, Phase::Moving | Phase::Suspended)
    }

    fn use_so_far(&self, id: ActivityId) -> f64 {
        let activity = &self.activities[id.0 as usize];
        (activity.amount - self.remaining(id)) / activity.efficiency
    }
}

/// A resource that lets nothing through is not used.
fn share(taken: f64, capacity: f64) -> f64 {
    if capacity > 0.0 { taken / capacity } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::activity::{Then, Transfer};
    use crate::sharing::Policy;

    /// A transfer, its uses and its efficiency.
    type Moving = (ActivityId, Vec<(ResourceId, f64)>, f64);

    /// A kernel with the events that change something, and what the rates add up to.
    struct Bench {
        kernel: Kernel,
        links: Vec<ResourceId>,
        /// The uses of each transfer, and whether it still goes on.
        flows: Vec<Moving>,
        ended: Vec<bool>,
        /// Integrals of rates over capacities, by the dates at which anything happens.
        seconds: Vec<f64>,
    }

    impl Bench {
        fn new(capacities: &[(f64, bool)]) -> Self {
            let mut kernel = Kernel::new(1e-9);
            kernel.meter_use();
            let add = |(capacity, is_fat): &(f64, bool)| {
                let policy = if *is_fat { Policy::FatPipe } else { Policy::Shared };
                kernel.add_resource(*capacity, policy)
            };
            let links: Vec<ResourceId> = capacities.iter().map(add).collect();
            let seconds = vec![0.0; links.len()];
            Self { kernel, links, flows: Vec::new(), ended: Vec::new(), seconds }
        }

        fn start(&mut self, uses: Vec<(ResourceId, f64)>, amount: f64, efficiency: f64) {
            let transfer = Transfer {
                uses: &uses,
                delay: 0.1 * amount,
                amount,
                efficiency,
                weight: 1.0,
                bound: 7.0,
            };
            let then = Then::Notify(self.flows.len() as u32);
            let id = self.kernel.transfer(&transfer, then);
            self.flows.push((id, uses, efficiency));
            self.ended.push(false);
        }

        /// What all that goes on has left.
        fn remaining(&self) -> Vec<f64> {
            let each = self.flows.iter().zip(&self.ended);
            each.map(|((id, ..), ended)| if *ended { 0.0 } else { self.kernel.remaining(*id) })
                .collect()
        }

        /// Goes to the next date, adding up progress as it is seen from outside.
        fn step(&mut self) -> Option<Vec<u32>> {
            let before = self.remaining();
            let mut fired = Vec::new();
            if !self.kernel.advance(&mut fired) {
                return None;
            }
            let numbers: Vec<u32> = fired
                .iter()
                .filter_map(|then| match then {
                    Then::Notify(number) => Some(*number),
                    Then::Wake(_) => None,
                })
                .collect();
            for number in &numbers {
                if let Some(ended) = self.ended.get_mut(*number as usize) {
                    *ended = true;
                }
            }
            let after = self.remaining();
            for ((_, uses, efficiency), done) in
                self.flows.iter().zip(before.iter().zip(&after).map(|(a, b)| a - b))
            {
                for (resource, coefficient) in uses {
                    let capacity = self.kernel.capacity(*resource);
                    if capacity > 0.0 {
                        self.seconds[resource.0 as usize] +=
                            coefficient * done / efficiency / capacity;
                    }
                }
            }
            Some(numbers)
        }

        fn check(&self) {
            let found = self.kernel.seconds_of_use();
            for (index, expected) in self.seconds.iter().enumerate() {
                let found = found.get(index).copied().unwrap_or(0.0);
                assert!(
                    (found - expected).abs() <= 1e-9 * expected.max(1e-3),
                    "{found} {expected}"
                );
            }
        }
    }

    #[test]
    fn use_is_what_was_moved_over_the_capacity() {
        let mut bench = Bench::new(&[(10.0, false), (4.0, true)]);
        let links = bench.links.clone();
        bench.start(vec![(links[0], 1.0), (links[1], 1.0)], 8.0, 0.5);
        bench.start(vec![(links[0], 0.05), (links[1], 1.0)], 6.0, 1.0);
        while bench.step().is_some() {}
        let found = bench.kernel.seconds_of_use();
        assert!((found[0] - (16.0 + 0.3) / 10.0).abs() < 1e-12, "{found:?}");
        assert!((found[1] - (16.0 + 6.0) / 4.0).abs() < 1e-12, "{found:?}");
    }

    type Flow = (Vec<(usize, f64)>, f64, f64);

    fn flows() -> impl Strategy<Value = Vec<Flow>> {
        let uses = prop::collection::vec((0..5_usize, 0.05..1.0), 1..4);
        prop::collection::vec((uses, 0.1..20.0, 0.3..1.1), 1..90)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Beside adding up the progress of each transfer from date to date, through changes of
        /// capacities, links that are off for a while, suspensions and cancellations.
        #[test]
        fn use_is_the_integral_of_the_rates(
            flows in flows(),
            fat in any::<bool>(),
            changes in prop::collection::vec((0..5_usize, 0.0..9.0, 0..3_u8), 0..8),
        ) {
            let mut bench = Bench::new(&[(10.0, false), (6.0, fat), (3.0, false), (5.0, false), (2.0, false)]);
            bench.kernel.sharing.set_crowd(6);
            for (uses, amount, efficiency) in &flows {
                let mut uses: Vec<_> =
                    uses.iter().map(|(link, a)| (bench.links[*link], *a)).collect();
                uses.sort_by_key(|(link, _)| *link);
                uses.dedup_by_key(|(link, _)| *link);
                bench.start(uses, *amount, *efficiency);
            }
            let first = flows.len() as u32;
            for number in 0..changes.len() as u32 {
                bench.kernel.wait(1.5 * f64::from(number + 1), Then::Notify(first + number));
            }
            // All links are as they were in the end, so that everything ends.
            bench.kernel.wait(20.0, Then::Notify(u32::MAX));
            let capacities = bench.links.iter().map(|link| bench.kernel.capacity(*link));
            let capacities: Vec<f64> = capacities.collect();
            while let Some(numbers) = bench.step() {
                bench.check();
                for number in numbers.iter().filter(|number| **number >= first) {
                    let Some((link, capacity, what)) = changes.get((number - first) as usize) else {
                        for (link, capacity) in bench.links.clone().into_iter().zip(&capacities) {
                            bench.kernel.set_capacity(link, *capacity);
                        }
                        for at in (0..bench.flows.len()).filter(|at| !bench.ended[*at]) {
                            bench.kernel.resume(bench.flows[at].0);
                        }
                        continue;
                    };
                    let capacity = if *capacity < 1.0 { 0.0 } else { *capacity };
                    bench.kernel.set_capacity(bench.links[*link], capacity);
                    let at = *link % bench.flows.len();
                    match what {
                        1 if !bench.ended[at] => bench.kernel.suspend(bench.flows[at].0),
                        2 if !bench.ended[at] => {
                            bench.kernel.cancel(bench.flows[at].0);
                            bench.ended[at] = true;
                        }
                        _ => {}
                    }
                    bench.check();
                }
            }
        }
    }
}
