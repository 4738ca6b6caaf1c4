//! Many flows of different sizes on a star or a 3-D torus: how fast shares are repaired.
//!
//! `cargo run --release -p foretell-kernel --example contention -- star 4096 4`
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::time::Instant;

use foretell_kernel::{Kernel, Policy, ResourceId, Then, Transfer};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let shape = arguments.next().unwrap_or_else(|| "star".into());
    let mut number =
        |default: u64| arguments.next().and_then(|a| a.parse().ok()).unwrap_or(default);
    let (nodes, flows_per_node) = (number(1024), number(4));
    let mut kernel = Kernel::new(1e-9);
    let links: Vec<ResourceId> =
        (0..6 * nodes).map(|_| kernel.add_resource(1.25e9, Policy::Shared)).collect();
    let begin = Instant::now();
    for k in 0..flows_per_node {
        let shift = 1 + mix(77 + k) % (nodes - 1);
        for node in 0..nodes {
            let peer = (node + shift) % nodes;
            let mut uses = Vec::new();
            for (from, to, share) in [(node, peer, 1.0), (peer, node, 0.05)] {
                route(&shape, nodes, from, to, &mut |at| uses.push((links[at as usize], share)));
            }
            let amount =
                131_072.0 - (mix(node * 1_315_423_911 + k * 2_654_435_761) % 65_537) as f64;
            let bound = 1.25e9;
            let weight = 5e-6 + 8775.0 / 1.25e9 * (uses.len() / 2) as f64;
            let flow =
                Transfer { uses: &uses, delay: 5e-5, amount, efficiency: 0.94, weight, bound };
            kernel.transfer(&flow, Then::Notify(0));
        }
    }
    let mut fired = Vec::new();
    while kernel.advance(&mut fired) {}
    println!(
        "{} flows ended at {:.9} s after {} dates in {:.3} s",
        fired.len(),
        kernel.now(),
        kernel.dates(),
        begin.elapsed().as_secs_f64()
    );
}

/// Calls `cross` with the number of each link from one node to another.
fn route(shape: &str, nodes: u64, from: u64, to: u64, cross: &mut dyn FnMut(u64)) {
    if shape == "star" {
        cross(6 * from);
        cross(6 * to + 1);
        return;
    }
    let side = [nodes / 64, 8, 8];
    let mut at = from;
    let mut stride = 1;
    for (dimension, size) in side.into_iter().enumerate() {
        let goal = to / stride % size;
        while at / stride % size != goal {
            let here = at / stride % size;
            let up = (goal + size - here) % size <= size / 2;
            let next = if up { (here + 1) % size } else { (here + size - 1) % size };
            cross(6 * at + 2 * dimension as u64 + u64::from(up));
            at = at - here * stride + next * stride;
        }
        stride *= size;
    }
}

fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 31)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^ (x >> 32)
}
