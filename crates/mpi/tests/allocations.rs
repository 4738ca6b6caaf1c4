//! No memory is taken from the heap for a message, once the simulation is warm.
//!
//! A test binary of its own: it counts all allocations of the process.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use foretell_mpi::{Comm, Op, Result, Simulation};
use foretell_platform::Platform;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as this call.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as this call.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as this call.
        unsafe { System.realloc(block, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of a whole simulation of so many rounds.
fn allocations<F>(ranks: u32, rounds: u32, round: F) -> u64
where
    F: AsyncFn(&Comm) -> Result<()> + 'static,
{
    let platform = Platform::named("star-64").expect("the preset exists");
    let simulation = Simulation::new(platform).ranks(ranks);
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    let outcome = simulation.run(async move |comm| {
        for _ in 0..rounds {
            round(&comm).await?;
        }
        Ok(())
    });
    outcome.expect("the program comes to its end");
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

/// Twice the rounds may at most let a few growing arrays double once more.
fn check<F>(ranks: u32, round: F)
where
    F: AsyncFn(&Comm) -> Result<()> + Clone + 'static,
{
    let few = allocations(ranks, 1000, round.clone());
    let many = allocations(ranks, 2000, round);
    assert!(many <= few + 8, "{few} allocations for 1000 rounds, {many} for 2000");
}

/// One test, so that nothing else allocates meanwhile.
#[test]
fn messages_take_no_memory_from_the_heap() {
    for bytes in [8, 5000, 200_000] {
        check(2, async move |comm| {
            let other = 1 - comm.rank() as i32;
            if comm.rank() == 0 {
                comm.send(bytes, other, 0).await?;
                return comm.recv(other, 0).await.map(drop);
            }
            comm.recv(other, 0).await?;
            comm.send(bytes, other, 0).await
        });
        check(16, async move |comm| {
            let (rank, size) = (comm.rank() as i32, comm.size() as i32);
            let (left, right) = ((rank + size - 1) % size, (rank + 1) % size);
            let mut requests = [comm.irecv(left, 0)?, comm.isend(bytes, right, 0).await?];
            comm.wait_all(&mut requests).await
        });
        let op = Op::sized();
        check(16, async move |comm| comm.allreduce(bytes, &op).await.map(drop));
    }
    check(16, async |comm| comm.barrier().await);
    check(16, async |comm| comm.bcast(1000, 3).await.map(drop));
    check(16, async |comm| comm.alltoall(1600).await.map(drop));
}
