//! What a rank waits for and is known already, though its date has not come.
//!
//! Data goes from sender to receiver when a message meets its receive. From then on nothing that
//! other ranks do can change what the two operations bring; only when they are complete is still to
//! be found. Whoever drives the ranks may let a rank go on computing meanwhile, and is told here
//! when it can ([`Memory::known`](crate::Memory::known)). Nothing of the simulation depends on it.

use crate::comm::Comm;
use crate::point_to_point::Status;
use crate::request::{Kind, Request, RequestState};
use crate::world::{NONE, State};

/// In place of a count: the rank has asked, and has not said yet what it waits for.
const ASKED: u32 = NONE - 1;

impl RequestState {
    /// Whether what it brings is known, and is no error.
    fn is_known(&self) -> bool {
        match self.kind {
            Kind::Send | Kind::Receive => (self.is_done || self.is_matched) && !self.is_truncated,
            _ => self.is_done,
        }
    }
}

impl State {
    /// A request that somebody asked about has met its counterpart, or is done without one.
    #[cold]
    pub(crate) fn learn(&mut self, request: u32) {
        let (owner, is_known) = (self.requests[request].owner, self.requests[request].is_known());
        self.requests[request].is_watched = false;
        let Some(unknown) = self.outlook.get_mut(owner as usize) else { return };
        match *unknown {
            ASKED.. => {}
            _ if !is_known => *unknown = NONE,
            1 => {
                *unknown = NONE;
                self.memory.known(owner);
            }
            _ => *unknown -= 1,
        }
    }

    /// A rank waits for these, and for nothing else after them.
    fn look_out<'a>(&mut self, rank: u32, requests: impl IntoIterator<Item = &'a Request>) {
        let mut unknown = 0;
        for request in requests.into_iter().filter(|request| !request.is_null()) {
            let state = &mut self.requests[request.0];
            if state.is_known() {
                continue;
            }
            let is_told = matches!(state.kind, Kind::Send | Kind::Receive | Kind::Timer);
            if !is_told || state.is_matched {
                // Nobody will tell when that is known.
                self.outlook[rank as usize] = NONE;
                return;
            }
            state.is_watched = true;
            unknown += 1;
        }
        self.outlook[rank as usize] = if unknown == 0 { NONE } else { unknown };
        if unknown == 0 {
            self.memory.known(rank);
        }
    }
}

impl Comm {
    /// Asks to be told when all is known that this rank waits for in the call that begins.
    pub fn ask_for_outlook(&self) {
        let state = &mut *self.world.state.borrow_mut();
        if state.outlook.is_empty() {
            state.outlook = vec![NONE; state.ranks.len()];
        }
        state.outlook[self.me as usize] = ASKED;
    }

    /// The call is over: nobody wants to be told any more.
    pub fn forget_outlook(&self) {
        if let Some(unknown) = self.world.state.borrow_mut().outlook.get_mut(self.me as usize) {
            *unknown = NONE;
        }
    }

    /// All that the call of this rank still waits for, after which it does nothing but end. Of
    /// no effect if nobody has asked, or where a part of a collective says it that goes on by itself.
    pub fn waits_only_for<'a>(&self, requests: impl IntoIterator<Item = &'a Request>) {
        let state = &mut *self.world.state.borrow_mut();
        let has_asked = state.outlook.get(self.me as usize) == Some(&ASKED);
        if has_asked && state.is_rank_itself(self.me) {
            state.look_out(self.me, requests);
        }
    }

    /// The size below which a plain send never waits for its receiver.
    pub fn least_rendezvous_limit(&self) -> u64 {
        self.world.state.borrow().network.least_rendezvous_limit()
    }

    /// The status of an operation that is known, as [`Comm::take_done`] will give it.
    pub fn foreseen(&self, request: &Request) -> Status {
        if request.is_null() {
            return crate::point_to_point::Received::nothing().status;
        }
        let state = self.world.state.borrow();
        let known = &state.requests[request.0];
        Status {
            source: self.rank_of_world(known.peer),
            tag: known.tag,
            bytes: if known.kind == Kind::Receive { known.bytes } else { 0 },
            is_cancelled: known.is_cancelled,
        }
    }
}
