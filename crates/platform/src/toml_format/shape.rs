//! `topology` and the numbers that go with it.

use std::ops::Range;

use super::nodes::MOST_NODES;
use super::section::Section;
use super::value::Value;
use crate::spec::Topology;
use crate::topology::{DragonflyRouting, DragonflySpec, FatTreeSpec};

/// What the network section says about its shape.
pub(super) enum Shape {
    /// Several clusters below one switch.
    Cabinets,
    /// A shape, with its number of nodes unless it takes any.
    Known { topology: Topology, span: Range<usize>, nodes: Option<u64> },
    /// Something was wrong with it, and has been reported.
    Wrong,
}

#[derive(Clone, Copy, PartialEq)]
enum Word {
    Star,
    Torus,
    Mesh,
    FatTree,
    Dragonfly,
    Cabinets,
}

const WORDS: [(&str, Word); 6] = [
    ("star", Word::Star),
    ("torus", Word::Torus),
    ("mesh", Word::Mesh),
    ("fat-tree", Word::FatTree),
    ("dragonfly", Word::Dragonfly),
    ("cabinets", Word::Cabinets),
];

const GRID_KEYS: [&str; 1] = ["dims"];
const TREE_KEYS: [&str; 4] = ["levels", "down", "up", "cables"];
const DRAGONFLY_KEYS: [&str; 8] = [
    "groups",
    "chassis",
    "routers",
    "router_nodes",
    "group_cables",
    "chassis_cables",
    "router_cables",
    "routing",
];

const DRAGONFLY_ROUTING: [(&str, DragonflyRouting); 2] =
    [("minimal", DragonflyRouting::Minimal), ("simgrid", DragonflyRouting::AsSimGrid)];

/// Most dimensions or levels.
const MOST_LEVELS: usize = 32;

/// Reads the topology; a star if nothing is said.
pub(super) fn read(network: &Section<'_>) -> Shape {
    let value = network.value("topology");
    let span = value.as_ref().map_or(network.span.clone(), Value::span);
    let word = match value {
        Some(value) => match value.choice(&WORDS) {
            Some(word) => word,
            None => {
                // The keys of every shape are let pass: which of them belong is not known.
                for key in GRID_KEYS.iter().chain(&TREE_KEYS).chain(&DRAGONFLY_KEYS) {
                    network.value(key);
                }
                return Shape::Wrong;
            }
        },
        None => Word::Star,
    };
    refuse_others(network, word);
    let topology = match word {
        Word::Cabinets => return Shape::Cabinets,
        Word::Star => Some((Topology::Star, None)),
        Word::Torus => grid(network).map(|(dims, nodes)| (Topology::Torus(dims), Some(nodes))),
        Word::Mesh => grid(network).map(|(dims, nodes)| (Topology::Mesh(dims), Some(nodes))),
        Word::FatTree => {
            fat_tree(network).map(|(tree, nodes)| (Topology::FatTree(tree), Some(nodes)))
        }
        Word::Dragonfly => {
            dragonfly(network).map(|(fly, nodes)| (Topology::Dragonfly(fly), Some(nodes)))
        }
    };
    match topology {
        Some((topology, nodes)) => Shape::Known { topology, span, nodes },
        None => Shape::Wrong,
    }
}

fn refuse_others(network: &Section<'_>, word: Word) {
    if !matches!(word, Word::Torus | Word::Mesh) {
        network.refuse(&GRID_KEYS, "unless `topology` is \"torus\" or \"mesh\"");
    }
    if word != Word::FatTree {
        network.refuse(&TREE_KEYS, "unless `topology` is \"fat-tree\"");
    }
    if word != Word::Dragonfly {
        network.refuse(&DRAGONFLY_KEYS, "unless `topology` is \"dragonfly\"");
    }
}

fn grid(network: &Section<'_>) -> Option<(Vec<u32>, u64)> {
    network.require(&GRID_KEYS);
    let value = network.value("dims")?;
    let dims = sizes(&value)?;
    let nodes = product(&value, &dims)?;
    Some((dims, nodes))
}

fn fat_tree(network: &Section<'_>) -> Option<(FatTreeSpec, u64)> {
    network.require(&["down", "up"]);
    let down_value = network.value("down");
    let down = down_value.as_ref().and_then(sizes);
    let up_value = network.value("up");
    let up = up_value.as_ref().and_then(sizes);
    let cables_value = network.value("cables");
    let cables = cables_value.as_ref().map(sizes);
    let levels = network.value("levels");
    let down = down?;

    let mut fits = true;
    let mut check = |value: &Option<Value<'_>>, length: Option<usize>| {
        if let (Some(value), Some(length)) = (value, length)
            && length != down.len()
        {
            fits = false;
            let levels = down.len();
            value.error(format!(
                "{} has {length} entries but `down` has {levels}: one per level, from the nodes up",
                value.title
            ));
        }
    };
    check(&up_value, up.as_ref().map(Vec::len));
    check(&cables_value, cables.as_ref().and_then(|list| list.as_ref().map(Vec::len)));
    if let Some(value) = levels
        && let Some(levels) = value.count(MOST_LEVELS as u32)
        && levels as usize != down.len()
    {
        fits = false;
        value.error(format!("`levels` is {levels} but `down` has {} entries", down.len()));
    }
    let cables = match cables {
        Some(list) => list?,
        None => vec![1; down.len()],
    };
    let nodes = product(&down_value?, &down)?;
    fits.then_some((FatTreeSpec { down, up: up?, cables }, nodes))
}

fn dragonfly(network: &Section<'_>) -> Option<(DragonflySpec, u64)> {
    network.require(&["groups", "chassis", "routers", "router_nodes"]);
    let count = |key| network.value(key).map(|value| value.count(MOST_NODES));
    let (groups, chassis) = (count("groups"), count("chassis"));
    let (routers, router_nodes) = (count("routers"), count("router_nodes"));
    let cables = |key| count(key).unwrap_or(Some(1));
    let (group_cables, chassis_cables) = (cables("group_cables"), cables("chassis_cables"));
    let router_cables = cables("router_cables");
    let routing = network.value("routing").map(|value| value.choice(&DRAGONFLY_ROUTING));
    let spec = DragonflySpec {
        groups: groups??,
        chassis: chassis??,
        routers: routers??,
        nodes: router_nodes??,
        blue: group_cables?,
        black: chassis_cables?,
        green: router_cables?,
        routing: match routing {
            Some(routing) => routing?,
            None => Default::default(),
        },
    };
    let value = network.value("groups")?;
    let nodes = product(&value, &[spec.groups, spec.chassis, spec.routers, spec.nodes])?;
    Some((spec, nodes))
}

fn sizes(value: &Value<'_>) -> Option<Vec<u32>> {
    let list = value.list()?;
    if list.is_empty() || list.len() > MOST_LEVELS {
        value.error(format!("{} needs 1 to {MOST_LEVELS} entries", value.title));
        return None;
    }
    list.iter().map(|size| size.count(MOST_NODES)).collect()
}

/// The number of nodes of a shape, if a machine can have that many.
fn product(value: &Value<'_>, sizes: &[u32]) -> Option<u64> {
    let nodes = sizes.iter().try_fold(1_u64, |nodes, size| nodes.checked_mul(u64::from(*size)));
    match nodes.filter(|nodes| *nodes <= u64::from(MOST_NODES)) {
        Some(nodes) => Some(nodes),
        None => {
            value.error(format!(
                "{} makes more than {MOST_NODES} nodes, the most a cluster can have",
                value.title
            ));
            None
        }
    }
}
