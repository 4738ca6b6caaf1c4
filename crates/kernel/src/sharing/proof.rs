//! Shows that repairing the solution equals filling from scratch, and that it is max-min fair.

use proptest::prelude::*;

use super::*;

/// A flow as the tests describe it.
#[derive(Debug, Clone)]
struct Sketch {
    uses: Vec<(usize, f64)>,
    weight: f64,
    bound: f64,
}

/// Progressive filling in its plainest form: raise all levels to the next full resource or bound.
fn fill_from_scratch(capacities: &[(f64, Policy)], flows: &[Sketch]) -> Vec<f64> {
    let mut levels = vec![None; flows.len()];
    let slope = |flow: &Sketch, resource: usize| -> f64 {
        let uses = flow.uses.iter().filter(|(at, _)| *at == resource).map(|(_, a)| *a);
        match capacities[resource].1 {
            Policy::Shared => uses.sum::<f64>() / flow.weight,
            Policy::FatPipe => uses.fold(0.0, f64::max) / flow.weight,
        }
    };
    while levels.iter().any(Option::is_none) {
        let mut next = f64::INFINITY;
        let mut stop = vec![false; flows.len()];
        let mut consider = |level: f64, who: &[usize]| {
            if level < next * (1.0 - 1e-13) {
                next = level;
                stop.fill(false);
            }
            if level <= next * (1.0 + 1e-13) {
                who.iter().for_each(|i| stop[*i] = true);
            }
        };
        for (resource, (capacity, policy)) in capacities.iter().enumerate() {
            let through = |i: &usize| slope(&flows[*i], resource) > 0.0;
            let open: Vec<usize> =
                (0..flows.len()).filter(|i| levels[*i].is_none()).filter(through).collect();
            match policy {
                Policy::Shared => {
                    let used: f64 = (0..flows.len())
                        .filter_map(|i| Some(levels[i]? * slope(&flows[i], resource)))
                        .sum();
                    let slopes: f64 = open.iter().map(|i| slope(&flows[*i], resource)).sum();
                    if slopes > 0.0 {
                        consider((capacity - used).max(0.0) / slopes, &open);
                    }
                }
                Policy::FatPipe => {
                    open.iter()
                        .for_each(|i| consider(capacity / slope(&flows[*i], resource), &[*i]));
                }
            }
        }
        for (i, flow) in flows.iter().enumerate().filter(|(i, _)| levels[*i].is_none()) {
            consider(flow.bound * flow.weight, &[i]);
        }
        for i in 0..flows.len() {
            if levels[i].is_none() && (stop[i] || next.is_infinite()) {
                levels[i] = Some(next);
            }
        }
    }
    flows.iter().zip(levels).map(|(flow, level)| level.unwrap() / flow.weight).collect()
}

/// A machine under random arrivals, departures and changes, checked after every batch.
struct Bench {
    capacities: Vec<(f64, Policy)>,
    sharing: Sharing,
    flows: Vec<Option<Sketch>>,
    /// Numbers of convoys, which lie beyond those of flows.
    convoys: Vec<u32>,
    next_convoy: u32,
}

impl Bench {
    fn new(capacities: &[(f64, Policy)]) -> Self {
        let mut sharing = Sharing::default();
        for (capacity, policy) in capacities {
            sharing.add_resource(*capacity, *policy);
        }
        let capacities = capacities.to_vec();
        Self { capacities, sharing, flows: Vec::new(), convoys: Vec::new(), next_convoy: 1000 }
    }

    /// The same, where few flows are a crowd already.
    fn crowded(capacities: &[(f64, Policy)], crowd: usize) -> Self {
        let mut bench = Self::new(capacities);
        bench.sharing.set_crowd(crowd);
        bench
    }

    fn arrive(&mut self, sketch: Sketch) {
        let free = self.flows.iter().position(Option::is_none);
        let at = free.unwrap_or_else(|| {
            self.flows.push(None);
            self.flows.len() - 1
        });
        let uses: Vec<_> = sketch.uses.iter().map(|(r, a)| (ResourceId(*r as u32), *a)).collect();
        self.sharing.prepare(FlowId(at as u32), &uses, sketch.weight, sketch.bound);
        self.sharing.start(FlowId(at as u32));
        self.flows[at] = Some(sketch);
    }

    fn nth_live(&self, n: usize) -> Option<usize> {
        let live: Vec<usize> = (0..self.flows.len()).filter(|i| self.flows[*i].is_some()).collect();
        (!live.is_empty()).then(|| live[n % live.len()])
    }

    fn depart(&mut self, n: usize) {
        if let Some(at) = self.nth_live(n) {
            self.sharing.stop(FlowId(at as u32));
            self.sharing.discard(FlowId(at as u32));
            self.flows[at] = None;
        }
    }

    fn check(&mut self) {
        self.solve();
        let live: Vec<usize> = (0..self.flows.len()).filter(|i| self.flows[*i].is_some()).collect();
        let sketches: Vec<Sketch> = live.iter().filter_map(|i| self.flows[*i].clone()).collect();
        let expected = fill_from_scratch(&self.capacities, &sketches);
        for (at, expected) in live.iter().zip(expected) {
            let found = self.sharing.rate(FlowId(*at as u32));
            assert!(
                (found - expected).abs() <= 1e-9 * expected || found == expected,
                "flow {at}: {found} instead of {expected} among {sketches:?}"
            );
        }
    }

    fn solve(&mut self) {
        self.sharing.regroup(|| {
            let known = self.convoys.pop();
            FlowId(known.unwrap_or_else(|| {
                self.next_convoy += 1;
                self.next_convoy
            }))
        });
        self.sharing.solve();
        let mut deserted = Vec::new();
        self.sharing.drain_deserted(&mut deserted);
        self.convoys.extend(deserted.iter().map(|convoy| convoy.0));
    }

    /// No capacity is exceeded, and each flow is held where nobody has more, but for a share.
    fn check_roughly(&mut self, share: f64) {
        self.solve();
        let live = (0..self.flows.len()).filter_map(|at| {
            let rate = self.sharing.rate(FlowId(at as u32));
            self.flows[at].as_ref().map(|sketch| (sketch, rate))
        });
        let live: Vec<(&Sketch, f64)> = live.collect();
        let mut used = vec![0.0; self.capacities.len()];
        let mut most = vec![0.0_f64; self.capacities.len()];
        for (sketch, rate) in &live {
            for (resource, coefficient) in &sketch.uses {
                used[*resource] += coefficient * rate;
                most[*resource] = most[*resource].max(rate * sketch.weight);
            }
        }
        for (resource, used) in used.iter().enumerate() {
            let capacity = self.capacities[resource].0;
            assert!(*used <= capacity * (1.0 + share), "{used} of {capacity} on {resource}");
        }
        for (sketch, rate) in &live {
            let is_held = sketch.uses.iter().any(|(resource, _)| {
                used[*resource] >= self.capacities[*resource].0 * (1.0 - share)
                    && rate * sketch.weight >= most[*resource] * (1.0 - share)
            });
            assert!(
                is_held || *rate >= sketch.bound * (1.0 - share),
                "nothing holds {sketch:?} at {rate}"
            );
        }
    }
}

fn sketches(resources: usize) -> impl Strategy<Value = Sketch> {
    let coefficient = prop_oneof![3 => Just(1.0), 2 => Just(0.05), 1 => 0.01..2.0f64];
    let uses = prop::collection::vec((0..resources, coefficient), 1..6);
    let weight = prop_oneof![Just(1.0), 0.01..10.0f64];
    let bound = prop_oneof![2 => Just(f64::INFINITY), 1 => 0.1..50.0f64];
    (uses, weight, bound).prop_map(|(uses, weight, bound)| Sketch { uses, weight, bound })
}

fn capacities() -> impl Strategy<Value = Vec<(f64, Policy)>> {
    let capacity = prop_oneof![Just(10.0), Just(20.0), 0.5..100.0f64];
    let policy = prop_oneof![4 => Just(Policy::Shared), 1 => Just(Policy::FatPipe)];
    prop::collection::vec((capacity, policy), 1..14)
}

#[derive(Debug, Clone)]
enum Step {
    Arrive(Sketch),
    Depart(usize),
    Capacity(usize, f64),
    Bound(usize, f64),
    Weight(usize, f64),
    Check,
}

fn steps(resources: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => sketches(resources).prop_map(Step::Arrive),
        4 => (0usize..64).prop_map(Step::Depart),
        1 => (0..resources, 0.5..100.0f64).prop_map(|(r, c)| Step::Capacity(r, c)),
        1 => (0usize..64, 0.1..50.0f64).prop_map(|(n, b)| Step::Bound(n, b)),
        1 => (0usize..64, 0.01..10.0f64).prop_map(|(n, w)| Step::Weight(n, w)),
        6 => Just(Step::Check),
    ];
    prop::collection::vec(step, 1..80)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn repairing_equals_filling_from_scratch(
        (capacities, steps) in capacities().prop_flat_map(|c| { let n = c.len(); (Just(c), steps(n)) }),
        crowd in 2usize..70,
    ) {
        let mut bench = Bench::crowded(&capacities, crowd);
        for step in steps {
            match step {
                Step::Arrive(sketch) => bench.arrive(sketch),
                Step::Depart(n) => bench.depart(n),
                Step::Capacity(resource, capacity) => {
                    bench.capacities[resource].0 = capacity;
                    bench.sharing.set_capacity(ResourceId(resource as u32), capacity);
                }
                Step::Bound(n, bound) => if let Some(at) = bench.nth_live(n) {
                    bench.flows[at].as_mut().unwrap().bound = bound;
                    bench.sharing.set_bound(FlowId(at as u32), bound);
                },
                Step::Weight(n, weight) => if let Some(at) = bench.nth_live(n) {
                    bench.flows[at].as_mut().unwrap().weight = weight;
                    bench.sharing.set_weight(FlowId(at as u32), weight);
                },
                Step::Check => bench.check(),
            }
        }
        bench.check();
    }

    /// The pattern of a switched network: an up and a down link per node, acknowledgements at 5 %.
    #[test]
    fn crossed_traffic_on_a_star_stays_exact(
        pairs in prop::collection::vec((0usize..8, 0usize..8), 1..60),
        departures in prop::collection::vec(0usize..60, 0..60),
    ) {
        let mut bench = Bench::new(&[(10.0, Policy::Shared); 16]);
        for (from, to) in pairs {
            let uses = vec![(2 * from, 1.0), (2 * to + 1, 1.0), (2 * to, 0.05), (2 * from + 1, 0.05)];
            bench.arrive(Sketch { uses, weight: 1.0, bound: 10.0 });
        }
        bench.check();
        for n in departures {
            bench.depart(n);
            bench.check();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Cabinets joined by thin links: what crosses the same ones travels in convoys.
    #[test]
    fn convoys_between_cabinets_stay_exact(
        pairs in prop::collection::vec((0usize..24, 0usize..24), 20..120),
        turns in prop::collection::vec((0usize..120, (0usize..24, 0usize..24)), 0..80),
        uplink in prop_oneof![Just(13.0), Just(40.0), 1.0..200.0f64],
        crowd in 3usize..12,
    ) {
        let mut bench = Bench::crowded(&cabinets(uplink), crowd);
        for pair in pairs {
            bench.arrive(between(pair));
        }
        bench.check();
        for (n, pair) in turns {
            bench.depart(n);
            if n % 3 > 0 {
                bench.arrive(between(pair));
            }
            bench.check();
        }
        while bench.nth_live(0).is_some() {
            bench.depart(0);
            bench.check();
        }
    }

    /// The same with many more flows and levels that need only be about right.
    #[test]
    fn coarse_levels_are_about_right(
        pairs in prop::collection::vec((0usize..24, 0usize..24), 100..600),
        turns in prop::collection::vec((0usize..600, (0usize..24, 0usize..24)), 0..120),
        uplink in prop_oneof![Just(13.0), Just(40.0), 1.0..200.0f64],
        share in prop_oneof![Just(1e-3), Just(1e-2)],
    ) {
        let mut bench = Bench::crowded(&cabinets(uplink), 4);
        bench.sharing.coarsen_at_once(share);
        for pair in pairs {
            bench.arrive(between(pair));
        }
        bench.check_roughly(3.0 * share);
        for (n, pair) in turns {
            bench.depart(n);
            if n % 3 > 0 {
                bench.arrive(between(pair));
            }
            bench.check_roughly(3.0 * share);
        }
        while bench.nth_live(0).is_some() {
            bench.depart(0);
            bench.check_roughly(3.0 * share);
        }
    }
}

/// For each of 24 nodes an up link, a down link and a limit for both; then the same for three
/// cabinets.
fn cabinets(uplink: f64) -> Vec<(f64, Policy)> {
    let nodes = [10.0, 10.0, 15.0];
    let joints = [uplink, uplink, 1.3 * uplink];
    let capacities = (0..24).flat_map(|_| nodes).chain((0..3).flat_map(|_| joints));
    capacities.map(|capacity| (capacity, Policy::Shared)).collect()
}

/// A flow between two of these nodes, with its acknowledgements.
fn between((from, to): (usize, usize)) -> Sketch {
    let mut uses = vec![(3 * from, 1.0), (3 * from + 1, 0.05), (3 * from + 2, 1.05)];
    uses.extend([(3 * to + 1, 1.0), (3 * to, 0.05), (3 * to + 2, 1.05)]);
    let (here, there) = (24 + from / 8, 24 + to / 8);
    if here != there {
        uses.extend([(3 * here, 1.0), (3 * here + 1, 0.05), (3 * here + 2, 1.05)]);
        uses.extend([(3 * there + 1, 1.0), (3 * there, 0.05), (3 * there + 2, 1.05)]);
    }
    Sketch { uses, weight: if here == there { 1.0 } else { 2.0 }, bound: 9.0 }
}

#[test]
fn flows_that_are_alike_travel_as_one() {
    let mut bench = Bench::crowded(&[(12.0, Policy::Shared), (100.0, Policy::Shared)], 4);
    let flow = || Sketch { uses: vec![(0, 1.0), (1, 1.0)], weight: 1.0, bound: f64::INFINITY };
    for _ in 0..6 {
        bench.arrive(flow());
    }
    // The first solution finds that they are all held at one place, the second treats them so.
    bench.check();
    bench.check();
    let convoy = bench.sharing.convoy_of(FlowId(0)).expect("six flows are a crowd");
    assert!((0..6).all(|id| bench.sharing.convoy_of(FlowId(id)) == Some(convoy)));
    assert_eq!(bench.sharing.load(ResourceId(0)), 6);
    for left in (1..6).rev() {
        bench.depart(0);
        bench.check();
        assert_eq!(bench.sharing.load(ResourceId(0)), left);
    }
    assert_eq!(
        bench.sharing.convoy_of(bench.nth_live(0).map(|id| FlowId(id as u32)).unwrap()),
        None
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Batches large enough to be solved component by component.
    #[test]
    fn large_batches_stay_exact(
        pairs in prop::collection::vec((0usize..40, 0usize..40), 40..160),
        departures in prop::collection::vec(prop::collection::vec(0usize..160, 1..40), 0..6),
    ) {
        let mut bench = Bench::new(&[(10.0, Policy::Shared); 80]);
        for (from, to) in pairs {
            let uses = vec![(2 * from, 1.0), (2 * to + 1, 1.0), (2 * to, 0.05), (2 * from + 1, 0.05)];
            bench.arrive(Sketch { uses, weight: 1.0, bound: 7.0 });
        }
        bench.check();
        for batch in departures {
            for n in batch {
                bench.depart(n);
            }
            bench.check();
        }
    }
}

#[test]
fn two_flows_split_a_link_by_weight() {
    let mut bench = Bench::new(&[(9.0, Policy::Shared)]);
    let flow = |weight| Sketch { uses: vec![(0, 1.0)], weight, bound: f64::INFINITY };
    bench.arrive(flow(1.0));
    bench.arrive(flow(2.0));
    bench.check();
    assert_eq!(bench.sharing.rate(FlowId(0)), 6.0);
    assert_eq!(bench.sharing.rate(FlowId(1)), 3.0);
}

#[test]
fn what_a_bounded_flow_leaves_goes_to_the_others() {
    let mut bench = Bench::new(&[(10.0, Policy::Shared)]);
    for bound in [1.0, f64::INFINITY, f64::INFINITY] {
        bench.arrive(Sketch { uses: vec![(0, 1.0)], weight: 1.0, bound });
    }
    bench.check();
    let rates: Vec<f64> = (0..3).map(|i| bench.sharing.rate(FlowId(i))).collect();
    assert_eq!(rates, [1.0, 4.5, 4.5]);
}
