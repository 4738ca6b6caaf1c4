//! Why an algorithm gives way to another.
//!
//! The algorithms themselves decide: this tells beforehand what they will do, so that a comparison
//! does not take one for another.

use super::Operation;
use crate::collective::channel::previous_power_of_two;
use crate::collective::grid::{cube, square};
use crate::collective::{Layout, Situation};

const POWER_OF_TWO: &str = "the number of ranks is no power of two";
const ODD: &str = "the number of ranks is odd";
const NOT_TWO: &str = "there are not two ranks";
const NO_GRID: &str = "the number of ranks makes no grid";
const NO_CUBE: &str = "the number of ranks makes no grid of three dimensions";
const ONE_NODE: &str = "all ranks are on one node";
const UNEVEN: &str = "nodes have not all as many ranks";
const SCATTERED: &str = "nodes have not all as many consecutive ranks";
const SHORT: &str = "there is not an element for each rank";
const EMPTY: &str = "there is no element";
const ORDERED: &str = "operands must stay in rank order";
const SEGMENT: &str = "there is not a segment for each rank";
const HALVES: &str = "a half is shorter than a segment";
const BLOCKS: &str = "blocks are not all of one size";
const OUTSIDE: &str = "the sizes for which it has two levels are others";

/// Ranks of a situation on the nodes where they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// The situation.
    pub situation: Situation,
    /// Whether the ranks of each node are consecutive.
    pub is_blocked: bool,
}

impl Standing {
    /// A call of ranks that run on these hosts.
    pub fn on<H: Copy + Ord>(call: crate::collective::Call, hosts: &[H]) -> Standing {
        let layout = Layout::new(hosts.iter().copied());
        let situation = Situation {
            nodes: layout.nodes().len() as u32,
            per_node: layout.per_node().unwrap_or(0),
            ..Situation::spread(call, hosts.len() as u32)
        };
        Standing { situation, is_blocked: layout.is_blocked() }
    }

    /// Why an algorithm, with the parameters it has if it is told none, gives way to another here;
    /// none if it runs. A single rank has nothing to do in any case.
    pub fn hindrance(&self, algorithm: &str) -> Option<&'static str> {
        if self.situation.ranks == 1 {
            return None;
        }
        match self.situation.call.operation {
            Operation::Barrier => when(algorithm == "ompi_two_procs" && self.ranks() != 2, NOT_TWO),
            Operation::Bcast => self.of_bcast(algorithm),
            Operation::Scatter => {
                let is_of_two = algorithm.contains("two_level");
                when(is_of_two && self.situation.nodes == 1, ONE_NODE)
            }
            Operation::Allgather | Operation::Allgatherv => self.of_allgather(algorithm),
            Operation::Alltoall | Operation::Alltoallv | Operation::Alltoallw => {
                self.of_alltoall(algorithm)
            }
            Operation::Reduce => self.of_reduce(algorithm),
            Operation::Allreduce => self.of_allreduce(algorithm),
            Operation::ReduceScatter | Operation::ReduceScatterBlock => {
                self.of_reduce_scatter(algorithm)
            }
            _ => None,
        }
    }

    fn ranks(&self) -> u32 {
        self.situation.ranks
    }

    fn is_uneven(&self) -> bool {
        self.situation.per_node == 0
    }

    /// Whether there is not an element for each of so many ranks.
    fn is_short(&self, ranks: u32) -> bool {
        self.situation.elements() < u64::from(ranks)
    }

    fn of_bcast(&self, algorithm: &str) -> Option<&'static str> {
        let (bytes, nodes) = (self.situation.call.bytes, self.situation.nodes);
        match algorithm {
            "SMP_binary" | "SMP_linear" | "SMP_binomial" if self.is_uneven() => Some(UNEVEN),
            "SMP_linear" => when(nodes == 1, ONE_NODE),
            "arrival_scatter" => when(bytes / 8 < u64::from(self.ranks()), SHORT),
            "ompi_split_bintree" => {
                let segment = if bytes < 370_728 { 1 << 10 } else { 8 << 10 };
                when(bytes / 2 < segment, HALVES)
            }
            "mvapich2_intra_node" => {
                let in_between = (16 << 10) + 1..512 << 10;
                when(self.ranks() <= 64 && !in_between.contains(&bytes), OUTSIDE)
            }
            _ => None,
        }
    }

    fn of_allgather(&self, algorithm: &str) -> Option<&'static str> {
        let ranks = self.ranks();
        let is_scattered = self.is_uneven() || !self.is_blocked;
        match algorithm {
            "rhv" | "pair" => when(!ranks.is_power_of_two(), POWER_OF_TWO),
            "2dmesh" => when(square(ranks).is_none(), NO_GRID),
            "3dmesh" => when(cube(ranks).is_none(), NO_CUBE),
            "ompi_neighborexchange" => when(!ranks.is_multiple_of(2), ODD),
            "SMP_NTS" if !is_scattered && self.situation.nodes == 1 => Some(ONE_NODE),
            "SMP_NTS" | "smp_simple" | "loosely_lr" | "mvapich2_smp" | "two_level" => {
                when(is_scattered, SCATTERED)
            }
            _ => None,
        }
    }

    fn of_alltoall(&self, algorithm: &str) -> Option<&'static str> {
        let ranks = self.ranks();
        match algorithm {
            "2dmesh" => when(square(ranks).is_none(), NO_GRID),
            "3dmesh" => when(cube(ranks).is_none(), NO_CUBE),
            // It does not exchange, and goes around where the others go pairwise.
            "pair_rma" => None,
            name if name.starts_with("pair") => when(!ranks.is_power_of_two(), POWER_OF_TWO),
            _ => None,
        }
    }

    fn of_reduce(&self, algorithm: &str) -> Option<&'static str> {
        let keeps_order = [
            "binomial",
            "flat_tree",
            "ompi_basic_linear",
            "ompi_in_order_binary",
            "default_linear",
        ];
        match algorithm {
            name if keeps_order.contains(&name) => None,
            _ if !self.situation.call.is_commutative => Some(ORDERED),
            "mvapich2_two_level" | "two_level" | "han" => when(self.situation.nodes == 1, ONE_NODE),
            _ => None,
        }
    }

    fn of_allreduce(&self, algorithm: &str) -> Option<&'static str> {
        let ranks = self.ranks();
        let in_segments = |segment: u64| {
            let in_segment = (segment / self.situation.call.element.max(1)).max(1);
            let elements = self.situation.elements();
            let wanted = u64::from(ranks) * in_segment.min(elements.max(1));
            when(elements < wanted, SEGMENT)
        };
        match algorithm {
            "rdb" | "redbcast" => None,
            _ if !self.situation.call.is_commutative => Some(ORDERED),
            _ if self.situation.elements() == 0 => Some(EMPTY),
            "lr" => when(self.is_short(ranks), SHORT),
            "rab1" => when(!ranks.is_power_of_two(), POWER_OF_TWO),
            "mvapich2_rs" => when(self.is_short(previous_power_of_two(ranks)), SHORT),
            "ompi_ring_segmented" => in_segments(1 << 20),
            "nccl_ring" => in_segments(512 << 10),
            name if name.starts_with("smp_") => when(self.is_uneven(), UNEVEN),
            _ => None,
        }
    }

    fn of_reduce_scatter(&self, algorithm: &str) -> Option<&'static str> {
        let call = self.situation.call;
        match algorithm {
            "mpich_pair" => None,
            _ if call.bytes == 0 => Some(EMPTY),
            "ompi_basic_recursivehalving" | "ompi_ring" | "two_level" => {
                when(!call.is_commutative, ORDERED)
            }
            "mpich_noncomm" if !call.is_even => Some(BLOCKS),
            "mpich_noncomm" => when(!self.ranks().is_power_of_two(), POWER_OF_TWO),
            _ => None,
        }
    }
}

fn when(is_so: bool, reason: &'static str) -> Option<&'static str> {
    is_so.then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Call;

    fn hindered(operation: Operation, algorithm: &str, ranks: u32, bytes: u64) -> bool {
        let hosts: Vec<u32> = (0..ranks).collect();
        let call = Call { element: 8, ..Call::new(operation, bytes) };
        Standing::on(call, &hosts).hindrance(algorithm).is_some()
    }

    #[test]
    fn numbers_of_ranks_hinder() {
        assert!(hindered(Operation::Alltoall, "pair_light_barrier", 6, 8));
        assert!(!hindered(Operation::Alltoall, "pair_light_barrier", 8, 8));
        assert!(!hindered(Operation::Alltoall, "pair_rma", 6, 8));
        assert!(hindered(Operation::Alltoall, "2dmesh", 7, 8));
        assert!(hindered(Operation::Allgather, "ompi_neighborexchange", 7, 8));
        assert!(hindered(Operation::Barrier, "ompi_two_procs", 3, 0));
        assert!(!hindered(Operation::Alltoall, "2dmesh", 1, 8));
    }

    #[test]
    fn short_vectors_hinder() {
        assert!(hindered(Operation::Allreduce, "lr", 16, 120));
        assert!(!hindered(Operation::Allreduce, "lr", 16, 128));
        assert!(hindered(Operation::Allreduce, "ompi_ring_segmented", 4, 4 << 19));
        assert!(!hindered(Operation::Allreduce, "ompi_ring_segmented", 4, 4 << 20));
        assert!(hindered(Operation::Bcast, "ompi_split_bintree", 4, 2000));
    }

    #[test]
    fn nodes_hinder() {
        let reason = |hosts: &[u32], operation, algorithm: &str| {
            let call = Call { element: 8, ..Call::new(operation, 1 << 20) };
            Standing::on(call, hosts).hindrance(algorithm)
        };
        let (even, uneven, mixed, one) = ([0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 0, 1], [0; 4]);
        assert_eq!(reason(&even, Operation::Allgather, "two_level"), None);
        assert_eq!(reason(&uneven, Operation::Allgather, "two_level"), Some(SCATTERED));
        assert_eq!(reason(&mixed, Operation::Allgather, "two_level"), Some(SCATTERED));
        assert_eq!(reason(&mixed, Operation::Allreduce, "smp_rdb"), None);
        assert_eq!(reason(&uneven, Operation::Allreduce, "smp_rdb"), Some(UNEVEN));
        assert_eq!(reason(&one, Operation::Scatter, "two_level"), Some(ONE_NODE));
    }
}
