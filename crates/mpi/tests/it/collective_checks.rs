//! One call of any collective operation, with what must come of it.

use std::ops::Range;
use std::pin::Pin;

use foretell_mpi::{Comm, Counts, Op, Operation, Payload, Reorder, Result, dims_create};

use crate::support::{bytes, matrices, sums, triples};

/// How an operation is called.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    Blocking,
    NonBlocking,
}

/// What an operation is called with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Case {
    /// Tells the data of one call from those of another.
    pub(crate) seed: u32,
    /// Bytes of a vector or block, a multiple of 12; the largest of uneven blocks.
    pub(crate) count: u64,
    pub(crate) root: u32,
    /// Of reductions: 0 commutes, on single bytes; 1 does not commute; 2 has elements of 3 bytes.
    pub(crate) op: u32,
}

/// A call under way, or about to be made.
pub(crate) type Called = Pin<Box<dyn Future<Output = Result<()>>>>;

/// Calls an operation in one form or the other; a non-blocking one begins at once. Then looks at
/// what came.
macro_rules! called {
    ($form:expr, $comm:ident, $blocking:ident / $later:ident ($($argument:expr),*), $check:expr) => {
        match $form {
            Form::Blocking => Box::pin(async move {
                let got = $comm.$blocking($($argument),*).await?;
                $check(got);
                Ok(())
            }),
            Form::NonBlocking => {
                let pending = $comm.$later($($argument),*);
                Box::pin(async move {
                    let got = $comm.complete(pending).await?;
                    $check(got);
                    Ok(())
                })
            }
        }
    };
}

impl Case {
    /// Bytes of a rank, or of a pair of ranks.
    fn of(self, owner: u32, count: u64) -> Vec<u8> {
        bytes(owner * 131 + self.seed * 7919, count)
    }

    /// An uneven part of the count, now and then nothing, in whole elements.
    fn uneven(self, number: u32) -> u64 {
        let twelfths = self.count / 12;
        u64::from((number * 5 + self.seed) % 7) * twelfths / 6 * 12
    }

    fn op(self) -> Op {
        match self.op % 3 {
            0 => sums(),
            1 => matrices(),
            _ => triples(),
        }
    }

    /// A part of the vectors of ranks before `end`, combined in rank order.
    fn combined(self, end: u32, part: Range<u64>) -> Option<Payload> {
        let op = self.op();
        let vector = |rank: u32| self.of(rank, part.end).split_off(part.start as usize);
        let vectors = (0..end).map(|rank| Payload::from(vector(rank)));
        vectors.reduce(|left, mut right| {
            op.apply(&left, &mut right);
            right
        })
    }
}

/// A communicator like this one on which an operation can be called: a grid for neighbours.
pub(crate) async fn ready(comm: &Comm, operation: Operation) -> Result<Comm> {
    if !operation.name().starts_with("neighbor") {
        return Ok(comm.clone());
    }
    let mut dims = [0, 0];
    dims_create(comm.size(), &mut dims)?;
    let grid = comm.cart_create(&dims, &[true, false], Reorder::Forbidden).await?;
    Ok(grid.expect("all ranks have a place"))
}

/// Calls an operation. Every operation there is must be here.
pub(crate) fn call(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    match operation {
        Operation::Barrier => {
            let comm = comm.clone();
            called!(form, comm, barrier / ibarrier(), |()| ())
        }
        Operation::Bcast
        | Operation::Gather
        | Operation::Gatherv
        | Operation::Scatter
        | Operation::Scatterv
        | Operation::Reduce => rooted(comm, operation, form, case),
        Operation::Allgather | Operation::Allgatherv => allgather(comm, operation, form, case),
        Operation::Alltoall | Operation::Alltoallv | Operation::Alltoallw => {
            alltoall(comm, operation, form, case)
        }
        Operation::Allreduce
        | Operation::ReduceScatter
        | Operation::ReduceScatterBlock
        | Operation::Scan
        | Operation::Exscan => reduction(comm, operation, form, case),
        Operation::CommSplit => split(comm.clone()),
        Operation::NeighborAllgather
        | Operation::NeighborAllgatherv
        | Operation::NeighborAlltoall
        | Operation::NeighborAlltoallv
        | Operation::NeighborAlltoallw => neighbours(comm, operation, form, case),
        other => panic!("{other:?} has no check: write one here"),
    }
}

fn rooted(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    let (comm, rank, size) = (comm.clone(), comm.rank(), comm.size());
    let (count, root) = (case.count, case.root % size);
    let is_root = rank == root;
    let counts: Vec<u64> = (0..size).map(|rank| case.uneven(rank)).collect();
    let all = move |count: &dyn Fn(u32) -> u64| -> Vec<u8> {
        (0..size).flat_map(|rank| case.of(rank, count(rank))).collect()
    };
    let even = move |_: u32| count;
    let uneven = move |rank: u32| case.uneven(rank);
    match operation {
        Operation::Bcast => {
            let mine = if is_root { case.of(root, count).into() } else { Payload::Size(count) };
            called!(form, comm, bcast / ibcast(mine, root), |got: Payload| {
                assert_eq!(got.bytes(), case.of(root, count));
            })
        }
        Operation::Gather => {
            let mine = case.of(rank, count);
            called!(form, comm, gather / igather(mine, root), |got: Option<Payload>| {
                assert_eq!(got, is_root.then(|| all(&even).into()));
            })
        }
        Operation::Gatherv => {
            let mine = case.of(rank, uneven(rank));
            called!(form, comm, gatherv / igatherv(mine, &counts, root), |got| {
                assert_eq!(got, is_root.then(|| Payload::from(all(&uneven))));
            })
        }
        Operation::Scatter => {
            // Others than the root tell how many bytes there are.
            let size = Payload::Size(count * u64::from(size));
            let mine = if is_root { all(&even).into() } else { size };
            called!(form, comm, scatter / iscatter(mine, root), |got: Payload| {
                assert_eq!(got.bytes(), case.of(rank, count));
            })
        }
        Operation::Scatterv => {
            let mine = if is_root { all(&uneven).into() } else { Payload::Size(0) };
            called!(form, comm, scatterv / iscatterv(mine, &counts, root), |got: Payload| {
                assert_eq!(got.bytes(), case.of(rank, uneven(rank)));
            })
        }
        _ => {
            let (mine, op) = (case.of(rank, count), case.op());
            called!(form, comm, reduce / ireduce(mine, &op, root), |got| {
                assert_eq!(got, case.combined(size, 0..count).filter(|_| is_root));
            })
        }
    }
}

fn allgather(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    let (comm, rank, size) = (comm.clone(), comm.rank(), comm.size());
    let is_even = operation == Operation::Allgather;
    let count = move |rank: u32| if is_even { case.count } else { case.uneven(rank) };
    let mine = case.of(rank, count(rank));
    let check = move |got: Payload| {
        let all: Vec<u8> = (0..size).flat_map(|rank| case.of(rank, count(rank))).collect();
        assert_eq!(got.bytes(), all);
    };
    let counts = Counts::each((0..size).map(count));
    match is_even {
        true => called!(form, comm, allgather / iallgather(mine), check),
        false => called!(form, comm, allgatherv / iallgatherv(mine, &counts), check),
    }
}

fn alltoall(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    let (comm, rank, size) = (comm.clone(), comm.rank(), comm.size());
    let count = move |from: u32, to: u32| match operation {
        Operation::Alltoall => case.count,
        _ => case.uneven(from * 3 + to),
    };
    let block = move |from: u32, to: u32| case.of(from * 64 + to, count(from, to));
    let mine: Vec<u8> = (0..size).flat_map(|to| block(rank, to)).collect();
    let send = Counts::each((0..size).map(|to| count(rank, to)));
    let receive = Counts::each((0..size).map(|from| count(from, rank)));
    let check = move |got: Payload| {
        let all: Vec<u8> = (0..size).flat_map(|from| block(from, rank)).collect();
        assert_eq!(got.bytes(), all);
    };
    match operation {
        Operation::Alltoall => called!(form, comm, alltoall / ialltoall(mine), check),
        Operation::Alltoallv => {
            called!(form, comm, alltoallv / ialltoallv(mine, &send, &receive), check)
        }
        _ => called!(form, comm, alltoallw / ialltoallw(mine, &send, &receive), check),
    }
}

fn reduction(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    let (comm, rank, size, op) = (comm.clone(), comm.rank(), comm.size(), case.op());
    let counts = Counts::each((0..size).map(|rank| match operation {
        Operation::ReduceScatterBlock => case.count,
        _ => case.uneven(rank),
    }));
    let total = match operation {
        Operation::ReduceScatter | Operation::ReduceScatterBlock => counts.total(),
        _ => case.count,
    };
    let mine = case.of(rank, total);
    let own = counts.start(rank)..counts.start(rank + 1);
    let part = move |got: Payload| assert_eq!(Some(got), case.combined(size, own));
    match operation {
        Operation::Allreduce => called!(form, comm, allreduce / iallreduce(mine, &op), |got| {
            assert_eq!(Some(got), case.combined(size, 0..total));
        }),
        Operation::ReduceScatter => {
            called!(form, comm, reduce_scatter / ireduce_scatter(mine, &counts, &op), part)
        }
        Operation::ReduceScatterBlock => {
            called!(form, comm, reduce_scatter_block / ireduce_scatter_block(mine, &op), part)
        }
        Operation::Scan => called!(form, comm, scan / iscan(mine, &op), |got| {
            assert_eq!(Some(got), case.combined(rank + 1, 0..total));
        }),
        _ => called!(form, comm, exscan / iexscan(mine, &op), |got| {
            assert_eq!(got, case.combined(rank, 0..total));
        }),
    }
}

fn split(comm: Comm) -> Called {
    Box::pin(async move {
        let (rank, size) = (comm.rank(), comm.size());
        let part = comm.split(Some((rank % 2) as i32), -(rank as i32)).await?;
        let expected = (0..size).rev().filter(|other| other % 2 == rank % 2);
        assert_eq!(part.map(|part| part.size() as usize), Some(expected.count()));
        Ok(())
    })
}

/// On a grid: in each direction goes something else.
fn neighbours(comm: &Comm, operation: Operation, form: Form, case: Case) -> Called {
    let (comm, rank) = (comm.clone(), comm.rank());
    let grid = comm.cartesian().expect("it is a grid").clone();
    let slots = 2 * grid.dims.len() as u32;
    let neighbour = move |slot: u32| {
        let (negative, positive) = grid.shift(rank, slot as usize / 2, 1);
        u32::try_from(if slot.is_multiple_of(2) { negative } else { positive }).ok()
    };
    let is_to_all = operation.name().contains("allgather");
    let is_even = !operation.name().ends_with(['v', 'w']);
    // What a rank sends in a direction.
    let count = move |rank: u32, slot: u32| match (is_even, is_to_all) {
        (true, _) => case.count,
        (false, true) => case.uneven(rank),
        (false, false) => case.uneven(rank * 4 + slot),
    };
    let sent = move |rank: u32, slot: u32| match is_to_all {
        true => case.of(rank, count(rank, 0)),
        false => case.of(rank * 4 + slot, count(rank, slot)),
    };
    let mine: Vec<u8> = match is_to_all {
        true => sent(rank, 0),
        false => (0..slots).flat_map(|slot| sent(rank, slot)).collect(),
    };
    let send = Counts::each((0..slots).map(|slot| count(rank, slot)));
    let from: Vec<Option<u32>> = (0..slots).map(neighbour).collect();
    let due = |slot: u32| from[slot as usize].map_or(5, |rank| count(rank, slot ^ 1));
    let receive = Counts::each((0..slots).map(due));
    let check = move |got: Vec<Option<Payload>>| {
        for (slot, got) in (0..).zip(got) {
            let expected = from[slot as usize].map(|rank| sent(rank, slot ^ 1));
            assert_eq!(got.map(|got| got.bytes().to_vec()), expected);
        }
    };
    match operation {
        Operation::NeighborAllgather => {
            called!(form, comm, neighbor_allgather / ineighbor_allgather(mine), check)
        }
        Operation::NeighborAllgatherv => {
            called!(form, comm, neighbor_allgatherv / ineighbor_allgatherv(mine, &receive), check)
        }
        Operation::NeighborAlltoall => {
            called!(form, comm, neighbor_alltoall / ineighbor_alltoall(mine), check)
        }
        Operation::NeighborAlltoallv => called!(
            form,
            comm,
            neighbor_alltoallv / ineighbor_alltoallv(mine, &send, &receive),
            check
        ),
        _ => called!(
            form,
            comm,
            neighbor_alltoallw / ineighbor_alltoallw(mine, &send, &receive),
            check
        ),
    }
}
