//! Communicators: a group of ranks and a context of their own. MPI 4.1 chapter 7.
//!
//! Missing: attributes, info, names.

mod creation;
mod derived;
mod inter;
mod shared;

use std::cell::Cell;
use std::rc::Rc;

use foretell_models::Change;

use crate::error::{Error, Result};
use crate::group::{Comparison, Group};
use crate::listener::Event;
use crate::observer::Doing;
use crate::request::Request;
use crate::topology::Neighbours;
use crate::wait::{busy, done};
use crate::world::{Call, Computation, NONE, World};

pub(crate) use creation::{Creation, CreationId, Part, Plan};
pub use derived::SplitType;
pub(crate) use shared::CommShared;

/// `MPI_ANY_SOURCE`: a receive from whoever sends first. These three are the numbers of the standard ABI.
pub const ANY_SOURCE: i32 = -1;
/// `MPI_ANY_TAG`: a receive of whatever tag comes first.
pub const ANY_TAG: i32 = -2;
/// `MPI_PROC_NULL`: sends and receives that do nothing.
pub const PROC_NULL: i32 = -3;

/// A communicator as one rank holds it. Cloning is cheap and gives the same communicator.
#[derive(Clone)]
pub struct Comm {
    pub(crate) world: Rc<World>,
    pub(crate) shared: Rc<CommShared>,
    /// This rank, in the communicator.
    rank: u32,
    /// This rank, in the world.
    pub(crate) me: u32,
    pub(crate) own: Rc<Own>,
}

/// What a rank alone knows of a communicator.
#[derive(Debug, Default)]
pub(crate) struct Own {
    /// How many collective operations this rank has begun here: the tag of the next.
    pub(crate) sequence: Cell<u32>,
    /// Whether it has told the others on which node it is.
    pub(crate) has_met: Cell<bool>,
    /// Its neighbours in a distributed graph.
    pub(crate) neighbours: Option<Rc<Neighbours>>,
}

impl Comm {
    pub(crate) fn new(world: Rc<World>, shared: Rc<CommShared>, me: u32) -> Comm {
        Comm::with_neighbours(world, shared, me, None)
    }

    pub(crate) fn with_neighbours(
        world: Rc<World>,
        shared: Rc<CommShared>,
        me: u32,
        neighbours: Option<Rc<Neighbours>>,
    ) -> Comm {
        let rank = shared.group.rank_of(me).expect("a rank holds only communicators it is in");
        let own = Own { sequence: Cell::new(0), has_met: Cell::new(false), neighbours };
        Comm { world, shared, rank, me, own: Rc::new(own) }
    }

    /// `MPI_Comm_rank`: in the local group, if the communicator is an inter-communicator.
    pub fn rank(&self) -> u32 {
        self.rank
    }

    /// `MPI_Comm_size`: of the local group, if the communicator is an inter-communicator.
    pub fn size(&self) -> u32 {
        self.shared.group.size()
    }

    /// The ranks of the communicator; the local ones, if it is an inter-communicator.
    pub fn group(&self) -> &Group {
        &self.shared.group
    }

    /// `MPI_Comm_compare`. The groups of inter-communicators are compared side by side.
    pub fn compare(&self, other: &Comm) -> Comparison {
        if self.shared.context == other.shared.context {
            return Comparison::Identical;
        }
        let local = self.group().compare(other.group());
        let both = match (self.remote_group(), other.remote_group()) {
            (None, None) => local,
            (Some(mine), Some(theirs)) => local.and(mine.compare(theirs)),
            _ => Comparison::Unequal,
        };
        match both {
            Comparison::Identical => Comparison::Congruent,
            comparison => comparison,
        }
    }

    /// `MPI_Comm_free`. Operations under way come to their end all the same.
    pub fn free(self) {}

    /// The world that this communicator belongs to.
    pub fn world(&self) -> &Rc<World> {
        &self.world
    }

    /// The simulated date, free of charge. [`Comm::wtime`] is the MPI call.
    pub fn now(&self) -> f64 {
        self.world.now()
    }

    /// Where the time of this rank went so far.
    pub fn times(&self) -> crate::world::RankTimes {
        self.world.state.borrow().ranks[self.me as usize].times
    }

    /// `MPI_Wtime`: the date, after the time it takes to ask. It is known when that time has
    /// passed, which may be before this rank's turn.
    pub async fn wtime(&self) -> f64 {
        let seconds = self.world.settings().wtime;
        self.tell(Event::Sleep(seconds));
        if seconds > 0.0 {
            let request = Request(self.world.state.borrow_mut().timer(self.me, seconds));
            self.waits_only_for([&request]);
            done(&self.world, request.0).await;
            self.world.state.borrow_mut().forget(request.0);
        }
        self.now()
    }

    /// Computes: `flops` operations on one core of the rank's node.
    pub async fn compute(&self, flops: f64) {
        if flops > 0.0 && self.world.settings().computation == Computation::Simulated {
            self.enter(Call::Compute);
            self.tell(Event::Compute(flops));
            let request = self.world.state.borrow_mut().computation(self.me, flops);
            done(&self.world, request).await;
            self.world.state.borrow_mut().forget(request);
        }
    }

    /// Starts a computation and goes on; the request completes at its end.
    pub fn start_compute(&self, flops: f64) -> Request {
        match self.world.settings().computation {
            Computation::Free => Request::NULL,
            Computation::Simulated => {
                self.tell(Event::Untold("computing beside other calls"));
                Request(self.world.state.borrow_mut().computation(self.me, flops))
            }
        }
    }

    /// Flops a second that one core of the rank's node does now.
    pub fn core_speed(&self) -> f64 {
        let state = self.world.state.borrow();
        state.nodes.core_speed(state.hosts[self.me as usize], &state.kernel)
    }

    /// The host the rank runs on, by its number in the platform.
    pub fn host(&self) -> foretell_platform::HostId {
        self.world.state.borrow().hosts[self.me as usize]
    }

    /// This rank in the world.
    pub fn world_number(&self) -> u32 {
        self.me
    }

    /// Lets time pass.
    pub async fn sleep(&self, seconds: f64) {
        self.tell(Event::Sleep(seconds));
        {
            let state = &mut *self.world.state.borrow_mut();
            state.observe_entry(self.me, Doing::SLEEPING);
            state.note(self.me, Change::Leaves);
        }
        busy(&self.world, self.me, seconds).await;
        self.world.state.borrow_mut().note(self.me, Change::Returns);
    }

    /// `MPI_Abort`: ends the whole simulation.
    pub async fn abort(&self, code: i32) -> Result<()> {
        self.enter(Call::Abort);
        self.world.fail(self.me, Error::Aborted(code));
        Err(Error::Aborted(code))
    }

    pub(crate) fn enter(&self, call: Call) {
        let state = &mut *self.world.state.borrow_mut();
        state.ranks[self.me as usize].call = call;
        if state.is_followed {
            state.follow_call(self.me, call);
        }
    }

    /// Tells those who follow which call the rank begins. From the first time on names come from here
    /// alone, not from the calls that this one is made of.
    pub fn name_call(&self, call: &'static str) {
        let state = &mut *self.world.state.borrow_mut();
        state.calls_are_named = true;
        if let Some(energy) = &mut state.energy {
            energy.enter(self.me, call, state.kernel.now());
        }
        state.observe_entry(self.me, Doing::call(call));
    }

    /// Those that messages go to and come from: the remote group of an inter-communicator.
    pub(crate) fn peers(&self) -> &Group {
        self.remote_group().unwrap_or(&self.shared.group)
    }

    /// The world rank of a peer to send to.
    pub(crate) fn world_rank(&self, rank: i32) -> Result<u32> {
        let peers = self.peers();
        match u32::try_from(rank) {
            Ok(rank) if rank < peers.size() => Ok(peers.world_rank(rank)),
            _ => Err(Error::NoSuchRank { rank, size: peers.size() }),
        }
    }

    /// The world rank of a peer to receive from; a wildcard gives [`NONE`].
    pub(crate) fn source_rank(&self, rank: i32) -> Result<u32> {
        if rank == ANY_SOURCE { Ok(NONE) } else { self.world_rank(rank) }
    }

    /// The rank here of a world rank; the way back of [`Comm::world_rank`].
    pub fn rank_of_world(&self, world: u32) -> i32 {
        match self.peers().rank_of(world) {
            Some(rank) => rank as i32,
            None => PROC_NULL,
        }
    }
}
