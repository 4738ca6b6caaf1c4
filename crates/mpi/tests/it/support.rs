//! Machines, payloads and operations for the tests.

use foretell_mpi::{
    Comm, Failure, Mapping, Op, Operation, Payload, Report, Result, Selection, Simulation,
};
use foretell_platform::{
    ClusterSpec, HostId, Naming, NetworkSettings, NodeSpec, Platform, PlatformSpec, Sharing, Steps,
    WireSpec, ZoneSpec,
};

/// Bytes per second of a cable of [`star`].
pub(crate) const BANDWIDTH: f64 = 1e9;
/// Seconds of a cable of [`star`]; a route has two.
pub(crate) const LATENCY: f64 = 1e-6;
/// Operations per second of a core of [`star`].
pub(crate) const SPEED: f64 = 1e9;

/// A star of single-core nodes whose messages take `2 LATENCY + bytes / BANDWIDTH`.
pub(crate) fn plain_star(nodes: u32) -> PlatformSpec {
    let wire = WireSpec { bandwidth: BANDWIDTH, latency: LATENCY, sharing: Sharing::SplitDuplex };
    let naming = Naming::counted("n", "", nodes);
    let cluster = ClusterSpec::new(naming, NodeSpec::new(SPEED, 1), wire);
    let mut spec = PlatformSpec::new(ZoneSpec::cluster("c", cluster));
    let network = &mut spec.network;
    network.tables.bandwidth_factor = Steps::default();
    network.tables.latency_factor = Steps::default();
    network.tcp_gamma = 0.0;
    network.cross_traffic = 0.0;
    network.envelope = 0;
    spec
}

/// The machine of a specification, after a change of its network.
pub(crate) fn machine(
    mut spec: PlatformSpec,
    change: impl FnOnce(&mut NetworkSettings),
) -> Platform {
    change(&mut spec.network);
    Platform::build(spec).expect("the specification is sound")
}

/// A plain star of one node for each rank.
pub(crate) fn star(ranks: u32) -> Simulation {
    Simulation::new(machine(plain_star(ranks), |_| ())).ranks(ranks)
}

/// Runs on a plain star and expects the end.
pub(crate) fn run<F>(ranks: u32, main: F) -> Report
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    ended(star(ranks).run(main))
}

/// The report of a simulation that came to its end.
pub(crate) fn ended(outcome: std::result::Result<Report, Failure>) -> Report {
    match outcome {
        Ok(report) => report,
        Err(failure) => panic!("{failure}"),
    }
}

/// The default algorithms but for one.
pub(crate) fn only(operation: Operation, algorithm: &str) -> Selection {
    let mut selection = Selection::default();
    selection.choose(operation, algorithm).expect("the algorithm exists");
    selection
}

/// Bytes that tell whose they are and where they stood.
pub(crate) fn bytes(owner: u32, count: u64) -> Vec<u8> {
    (0..count).map(|at| (u64::from(owner) * 37 + at * 11 + 5) as u8).collect()
}

/// The payload of [`bytes`].
pub(crate) fn data(owner: u32, count: u64) -> Payload {
    bytes(owner, count).into()
}

/// Products of 2 by 2 matrices of bytes: associative, but not commutative.
pub(crate) fn matrices() -> Op {
    Op::ordered("matrices", 4, |left, right| {
        for (a, b) in left.chunks_exact(4).zip(right.chunks_exact_mut(4)) {
            let dot = |row: usize, column: usize| {
                let (first, second) = (a[row].wrapping_mul(b[column]), b[column + 2]);
                first.wrapping_add(a[row + 1].wrapping_mul(second))
            };
            let product = [dot(0, 0), dot(0, 1), dot(2, 0), dot(2, 1)];
            b.copy_from_slice(&product);
        }
    })
}

/// Sums of bytes.
pub(crate) fn sums() -> Op {
    Op::new("sums", 1, |left, right| {
        left.iter().zip(right).for_each(|(a, b)| *b = a.wrapping_add(*b));
    })
}

/// A commutative operation on elements of three bytes that only counts if these stay together.
pub(crate) fn triples() -> Op {
    Op::on_words::<3>("triples", |a, b| {
        let number = |[low, middle, high]: [u8; 3]| u32::from_le_bytes([low, middle, high, 0]);
        let [low, middle, high, _] = number(a).wrapping_add(number(b)).to_le_bytes();
        [low, middle, high]
    })
}

/// Ranks on nodes of different sizes; some orders have the ranks of a node apart.
pub(crate) fn uneven_nodes(ranks: u32, is_apart: bool) -> Simulation {
    let nodes = [0, 0, 0, 1, 2, 2, 3, 3, 3, 3, 1];
    let host = |rank: u32| match is_apart {
        true => HostId(nodes[(rank * 4) as usize % nodes.len()]),
        false => HostId((rank + 1).ilog2()),
    };
    let hosts = (0..ranks).map(host).collect();
    star(8).ranks(ranks).mapping(Mapping::Explicit(hosts))
}

/// The algorithm of an operation, with parameters that divide nothing evenly.
pub(crate) fn odd_parameters(operation: Operation, algorithm: &str) -> Selection {
    only(operation, &format!("{algorithm}:radix=3,segment=52"))
}
