//! Descriptions of machines against figures counted by hand.

use super::{Summary, describe};
use crate::{Platform, toml_format};

fn summary(shape: &str) -> Summary {
    let text = format!(
        "name = 'm'\n[nodes]\ncores = 4\nspeed = '10Gf'\n{}\n[network]\nbandwidth = '1GBps'\n\
         latency = '1us'\n{shape}\n",
        if shape.contains("topology") { "" } else { "count = 10" }
    );
    Summary::of(&toml_format::read(&text).unwrap())
}

#[test]
fn graphene_in_a_dozen_lines() {
    assert_eq!(
        describe(&Platform::named("graphene").unwrap()),
        "\
graphene
  nodes      144 of 4 cores, 576 in all, 10.12 Gflop/s a core
  peak       5.829 Tflop/s
  network    4 zones, full routing, 4 switches, 588 links
  nearest    20 us over 4 links at 125 MB/s, graphene-1 to graphene-2
  farthest   22.4 us over 8 links at 125 MB/s, graphene-1 to graphene-40
  in a node  200 ns, 6 GB/s
  model      hybrid
  memory     about 11 kB for this description
"
    );
}

#[test]
fn bisections_follow_the_formula_of_each_shape() {
    let bisection = |shape| summary(shape).bisection;
    assert_eq!(bisection(""), Some(5e9));
    assert_eq!(bisection("backbone = { bandwidth = '3GBps' }"), Some(3e9));
    assert_eq!(bisection("topology = 'torus'\ndims = [8, 4]"), Some(8e9));
    assert_eq!(bisection("topology = 'mesh'\ndims = [8, 4]"), Some(4e9));
    assert_eq!(bisection("topology = 'fat-tree'\ndown = [4, 4]\nup = [1, 4]"), Some(8e9));
    assert_eq!(bisection("topology = 'fat-tree'\ndown = [4, 4]\nup = [1, 2]"), Some(4e9));
    let fly = "topology = 'dragonfly'\ngroups = 4\nchassis = 2\nrouters = 4\nrouter_nodes = 2";
    assert_eq!(bisection(fly), Some(4e9));
}

#[test]
fn a_torus_is_as_wide_as_half_its_rings() {
    let torus = summary("topology = 'torus'\ndims = [8, 4]");
    assert_eq!(torus.diameter, 6);
    assert_eq!(torus.nearest.unwrap().links, 1);
    assert_eq!(torus.topology, "8 x 4 torus");
}

#[test]
fn switches_of_trees_and_dragonflies_are_counted() {
    assert_eq!(summary("topology = 'fat-tree'\ndown = [4, 4]\nup = [1, 2]").switches, 6);
    let fly = "topology = 'dragonfly'\ngroups = 4\nchassis = 2\nrouters = 4\nrouter_nodes = 2";
    assert_eq!(summary(fly).switches, 32);
}

#[test]
fn special_nodes_count_in_the_peak() {
    let text = "[nodes]\ncount = 2\nspeed = '1Gf'\n[network]\nbandwidth = '1Gbps'\nlatency = '1us'\n\
                [[override]]\nnodes = 'node-1'\nspeed = '3Gf'\ncores = 2\n";
    let summary = Summary::of(&toml_format::read(text).unwrap());
    assert_eq!((summary.peak, summary.cores), (7e9, 3));
}

#[test]
fn a_million_nodes_are_described_at_once() {
    let text = "[nodes]\ncount = 1048576\nspeed = '1Gf'\n[network]\nbandwidth = '1Gbps'\nlatency = '1us'\n";
    let summary = Summary::of(&toml_format::read(text).unwrap());
    assert!(summary.sampled);
    assert_eq!(summary.peak, 1_048_576e9);
}
