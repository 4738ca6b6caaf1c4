//! Windows: memory that other ranks read and write without the owner's help. MPI 4.1 chapter 12.
//!
//! An operation is a message over the network whose arrival does the work at the target; what it
//! reads there comes back in a second message. The target's own time is not touched. The caller
//! says what the work is ([`Operation`]), since only it can reach the memory; here are the order,
//! the time, and the epochs in which operations are allowed.
//!
//! A put is complete when its data has arrived: no acknowledgement is simulated.

mod active;
mod epoch;
mod lock;
mod operation;
mod passive;
mod region;
mod signal;
mod told;

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::world::State;

use epoch::Epochs;
use lock::Lock;
use operation::Lane;
use signal::Signal;

pub use lock::LockKind;
pub use operation::{Back, Operation};
pub use region::{Memories, Region};
pub use told::WindowCall;

/// A window as one rank holds it. Cloning is cheap and gives the same window.
#[derive(Clone)]
pub struct Window {
    /// The ranks of the window, with a context of their own.
    comm: Comm,
    common: Rc<Common>,
    own: Rc<Own>,
}

/// One object for all ranks of a window.
pub(crate) struct Common {
    members: Vec<Member>,
    /// How many ranks have found it.
    taken: Cell<u32>,
    /// What the ranks share beside the window itself.
    shared: RefCell<Option<Rc<dyn Any>>>,
}

/// What others see of a rank.
struct Member {
    memories: RefCell<Memories>,
    lock: RefCell<Lock>,
    /// How many posts have come in, by who posted.
    posts: RefCell<FxHashMap<u32, u32>>,
    /// How many origins have said that they are through.
    completed: Cell<u32>,
    /// Raised when any of this changes.
    changed: Signal,
}

/// What a rank alone knows.
#[derive(Default)]
struct Own {
    epochs: RefCell<Epochs>,
    /// Operations under way, by target.
    lanes: RefCell<FxHashMap<u32, Lane>>,
    /// How often `MPI_Win_start` has named each target.
    starts: RefCell<FxHashMap<u32, u32>>,
    /// Raised when an operation is complete.
    progress: Signal,
}

impl Member {
    fn new() -> Self {
        Self {
            memories: RefCell::new(Memories::Dynamic(Vec::new())),
            lock: RefCell::default(),
            posts: RefCell::default(),
            completed: Cell::new(0),
            changed: Signal::default(),
        }
    }
}

impl State {
    /// The common part of a window, made by the first rank that asks.
    fn window(&mut self, context: u32, size: u32) -> Rc<Common> {
        let make = || {
            let members = (0..size).map(|_| Member::new()).collect();
            Rc::new(Common { members, taken: Cell::new(0), shared: RefCell::default() })
        };
        let common = self.windows.entry(context).or_insert_with(make).clone();
        common.taken.set(common.taken.get() + 1);
        if common.taken.get() == size {
            self.windows.remove(&context);
        }
        common
    }
}

impl Comm {
    /// `MPI_Win_create` and its like: called by all ranks, each with the memory it opens. Costs a
    /// barrier.
    pub async fn window(&self, memories: Memories) -> Result<Window> {
        self.require_intra("a window")?;
        self.tell_window();
        let comm = self.dup().await?;
        let common = self.world.state.borrow_mut().window(comm.shared.context, comm.size());
        common.members[comm.rank() as usize].memories.replace(memories);
        comm.barrier().await?;
        let window = Window { comm, common, own: Rc::default() };
        window.end_told(WindowCall::Create);
        Ok(window)
    }

    /// Whether a rank runs on the same host as this one.
    pub fn shares_host(&self, rank: u32) -> bool {
        let state = self.world.state.borrow();
        let host = |world: u32| state.hosts[world as usize];
        host(self.group().world_rank(rank)) == host(self.me)
    }
}

impl Window {
    /// The ranks of the window.
    pub fn comm(&self) -> &Comm {
        &self.comm
    }

    /// That no epoch keeps the window from being freed.
    pub fn check_free(&self) -> Result<()> {
        self.own.epochs.borrow().check_fence()
    }

    /// `MPI_Win_free`: called by all ranks, at a time when none is in an epoch.
    pub async fn free(&self) -> Result<()> {
        self.own.epochs.borrow().check_fence()?;
        self.begin_told();
        self.name_call("MPI_Win_free");
        self.settle(None).await;
        self.comm.barrier().await?;
        self.end_told(WindowCall::Free);
        Ok(())
    }

    /// What a rank has opened.
    pub fn memories(&self, rank: u32) -> Memories {
        self.common.members[rank as usize].memories.borrow().clone()
    }

    /// Changes what this rank has opened: `MPI_Win_attach` and `MPI_Win_detach`.
    pub fn change_memories<R>(&self, change: impl FnOnce(&mut Memories) -> R) -> R {
        change(&mut self.common.members[self.comm.rank() as usize].memories.borrow_mut())
    }

    /// Puts the memories of all ranks side by side in one block.
    pub fn lay_out(&self, block: usize) {
        let mut address = block;
        for member in &self.common.members {
            if let Memories::One(region) = &mut *member.memories.borrow_mut() {
                region.address = address;
                address += region.bytes as usize;
            }
        }
    }

    /// Something that the ranks share, made by the first that asks.
    pub fn shared<T: 'static, E>(
        &self,
        make: impl FnOnce() -> std::result::Result<T, E>,
    ) -> std::result::Result<Rc<T>, E> {
        let found = self.common.shared.borrow().clone();
        if let Some(Ok(found)) = found.map(Rc::downcast::<T>) {
            return Ok(found);
        }
        let made = Rc::new(make()?);
        self.common.shared.replace(Some(made.clone()));
        Ok(made)
    }

    /// The address at a target that a displacement names.
    pub fn address(&self, target: u32, displacement: i64) -> usize {
        self.common.members[target as usize].memories.borrow().address(displacement)
    }

    /// That a target has opened so many bytes at an address.
    pub fn check_range(&self, target: u32, address: usize, bytes: u64) -> Result<()> {
        self.common.members[target as usize].memories.borrow().check(address, bytes)
    }

    /// That a number names a rank of the window.
    pub fn target(&self, rank: i32) -> Result<u32> {
        match u32::try_from(rank) {
            Ok(target) if target < self.comm.size() => Ok(target),
            _ => Err(Error::NoSuchRank { rank, size: self.comm.size() }),
        }
    }

    fn rank(&self) -> u32 {
        self.comm.rank()
    }

    fn member(&self, rank: u32) -> &Member {
        &self.common.members[rank as usize]
    }

    /// Says which call the rank is in, for reports.
    fn name_call(&self, call: &'static str) {
        self.comm.set_collective(call);
    }

    /// The call is over.
    fn forget_call(&self) {
        self.comm.set_collective("");
    }
}
