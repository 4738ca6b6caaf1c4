//! Explicit routes between members, used as they are or as edges of shortest paths.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::machine::LinkId;
use crate::zone::Point;

/// Past this many members, all-pairs tables would cost more than they give: paths are then found
/// per source, which changes nothing but the choice among equally short ones.
const MOST_FOR_ALL_PAIRS: usize = 512;

/// No edge.
const NONE: u32 = u32::MAX;

/// Members by slot, and the routes declared between them.
#[derive(Debug)]
pub(crate) struct Graph {
    method: Method,
    edges: Vec<Edge>,
    by_ends: FxHashMap<(u32, u32), u32>,
    order: Order,
}

/// The order of a declared route's links on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    AsDeclared,
    /// SimGrid's Dijkstra zones turn the links of each route round; the sharing is the same.
    Reversed,
}

/// A declared route.
#[derive(Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) links: Box<[(LinkId, f64)]>,
    /// Where members that are zones are left and entered.
    pub(crate) gateways: Option<(Point, Point)>,
}

/// How declared routes are combined.
#[derive(Debug)]
enum Method {
    /// Not at all.
    Direct,
    /// Fewest links, with one table for all pairs.
    AllPairs { slots: usize, table: OnceLock<Box<[u32]>> },
    /// Fewest links, with one table per source.
    PerSource(PerSource),
}

#[derive(Debug, Default)]
struct PerSource {
    /// Number of each slot in order of first mention: ties are broken by it.
    node: FxHashMap<u32, u32>,
    /// Edges out of each node, in file order.
    out: Vec<Vec<u32>>,
    /// The edge that leads to each node, per source.
    last_edge: Vec<OnceLock<Box<[u32]>>>,
}

impl Graph {
    /// Routes used exactly as declared.
    pub(crate) fn direct() -> Self {
        Self::with(Method::Direct)
    }

    /// Shortest paths over `slots` members, all pairs at once where that is affordable.
    pub(crate) fn all_pairs(slots: usize) -> Self {
        if slots > MOST_FOR_ALL_PAIRS {
            return Self::with(Method::PerSource(PerSource::default()));
        }
        Self::with(Method::AllPairs { slots, table: OnceLock::new() })
    }

    /// Shortest paths, one source at a time.
    pub(crate) fn per_source() -> Self {
        let graph = Self::with(Method::PerSource(PerSource::default()));
        Self { order: Order::Reversed, ..graph }
    }

    fn with(method: Method) -> Self {
        let order = Order::AsDeclared;
        Self { method, edges: Vec::new(), by_ends: FxHashMap::default(), order }
    }

    /// Adds a route; `false` if there is one already.
    #[must_use]
    pub(crate) fn add(&mut self, mut edge: Edge) -> bool {
        let (ends, index) = ((edge.from, edge.to), self.edges.len() as u32);
        if self.by_ends.contains_key(&ends) {
            return false;
        }
        if self.order == Order::Reversed {
            edge.links.reverse();
        }
        if let Method::PerSource(paths) = &mut self.method {
            let from = paths.mention(edge.from);
            paths.mention(edge.to);
            paths.out[from as usize].push(index);
        }
        self.by_ends.insert(ends, index);
        self.edges.push(edge);
        true
    }

    /// The declared route between two slots.
    pub(crate) fn between(&self, from: u32, to: u32) -> Option<&Edge> {
        self.by_ends.get(&(from, to)).map(|index| &self.edges[*index as usize])
    }

    /// The last declared route on the way between two different slots.
    pub(crate) fn last_edge(&self, from: u32, to: u32) -> Option<&Edge> {
        let index = match &self.method {
            Method::Direct => return self.between(from, to),
            Method::AllPairs { slots, table } => {
                let table = table.get_or_init(|| self.solve_all_pairs(*slots));
                table[from as usize * slots + to as usize]
            }
            Method::PerSource(paths) => {
                let (source, target) = (*paths.node.get(&from)?, *paths.node.get(&to)?);
                let table = paths.last_edge[source as usize]
                    .get_or_init(|| paths.solve(source, &self.edges));
                table[target as usize]
            }
        };
        (index != NONE).then(|| &self.edges[index as usize])
    }

    /// Floyd and Warshall's algorithm; the cost of a route is its number of links.
    fn solve_all_pairs(&self, slots: usize) -> Box<[u32]> {
        let mut cost = vec![u64::MAX; slots * slots];
        let mut last = vec![NONE; slots * slots].into_boxed_slice();
        for slot in 0..slots {
            // A member reaches itself over its loopback, so no round trip is ever shorter.
            cost[slot * slots + slot] = 1;
        }
        for (index, edge) in self.edges.iter().enumerate() {
            let cell = edge.from as usize * slots + edge.to as usize;
            cost[cell] = edge.links.len() as u64;
            last[cell] = index as u32;
        }
        for via in 0..slots {
            for from in 0..slots {
                let first_half = cost[from * slots + via];
                if first_half == u64::MAX {
                    continue;
                }
                for to in 0..slots {
                    let whole = first_half.saturating_add(cost[via * slots + to]);
                    if whole < cost[from * slots + to] {
                        cost[from * slots + to] = whole;
                        last[from * slots + to] = last[via * slots + to];
                    }
                }
            }
        }
        last
    }
}

impl PerSource {
    fn mention(&mut self, slot: u32) -> u32 {
        let next = self.out.len() as u32;
        let node = *self.node.entry(slot).or_insert(next);
        if node == next {
            self.out.push(Vec::new());
            self.last_edge.push(OnceLock::new());
        }
        node
    }

    /// Dijkstra's algorithm; among equal costs the node mentioned first is settled first.
    fn solve(&self, source: u32, edges: &[Edge]) -> Box<[u32]> {
        let mut cost = vec![u64::MAX; self.out.len()];
        let mut last = vec![NONE; self.out.len()].into_boxed_slice();
        let mut open = BinaryHeap::from([Reverse((0, source))]);
        cost[source as usize] = 0;
        while let Some(Reverse((so_far, node))) = open.pop() {
            if so_far > cost[node as usize] {
                continue;
            }
            for index in &self.out[node as usize] {
                let edge = &edges[*index as usize];
                let next = self.node[&edge.to];
                let whole = so_far + edge.links.len() as u64;
                if whole < cost[next as usize] {
                    cost[next as usize] = whole;
                    last[next as usize] = *index;
                    open.push(Reverse((whole, next)));
                }
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(mut graph: Graph, edges: &[(u32, u32, usize)]) -> Graph {
        for (from, to, length) in edges {
            let links = vec![(LinkId(0), 0.0); *length].into();
            assert!(graph.add(Edge { from: *from, to: *to, links, gateways: None }));
        }
        graph
    }

    fn path(graph: &Graph, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut path = vec![to];
        while path[path.len() - 1] != from {
            path.push(graph.last_edge(from, path[path.len() - 1])?.from);
        }
        path.reverse();
        Some(path)
    }

    #[test]
    fn the_fewest_links_win_over_the_fewest_edges() {
        let edges = [(0, 3, 4), (0, 1, 1), (1, 2, 1), (2, 3, 1)];
        for graph in [graph(Graph::all_pairs(4), &edges), graph(Graph::per_source(), &edges)] {
            assert_eq!(path(&graph, 0, 3), Some(vec![0, 1, 2, 3]));
            assert_eq!(path(&graph, 3, 0), None);
        }
    }

    #[test]
    fn direct_routes_are_not_combined() {
        let graph = graph(Graph::direct(), &[(0, 1, 1), (1, 2, 1)]);
        assert_eq!(path(&graph, 0, 1), Some(vec![0, 1]));
        assert_eq!(path(&graph, 0, 2), None);
    }

    #[test]
    fn a_second_route_between_the_same_ends_is_refused() {
        let mut graph = graph(Graph::direct(), &[(0, 1, 1)]);
        assert!(!graph.add(Edge { from: 0, to: 1, links: [].into(), gateways: None }));
    }
}
