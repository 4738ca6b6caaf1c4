//! Collectives on inter-communicators. MPI 4.1 section 6.2.2.
//!
//! Data goes from each group to the other: it is brought together at rank 0 of its group, the
//! ranks 0 exchange it, and it is spread in the group that gets it. What is done within a group
//! goes by the algorithm chosen for the operation.

mod all;
mod rooted;

pub(crate) use all::{
    allgather, allgatherv, allreduce, alltoall, barrier, reduce_scatter, swap, tell,
};
pub(crate) use rooted::{bcast, gather, gatherv, reduce, scatter, scatterv};
