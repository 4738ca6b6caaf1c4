//! Compute kernels as ranks call them: a duration is drawn, then spent.

use foretell_kernel::Then;
use foretell_models::{Change, KernelId, MOST_DIMENSIONS};

use crate::comm::Comm;
use crate::listener::Event;
use crate::request::RequestState;
use crate::wait::done;
use crate::world::{Call, Computation, REQUEST, State};

impl Comm {
    /// The compute kernel of this name.
    pub fn kernel_named(&self, name: &str) -> Option<KernelId> {
        self.world.kernels.borrow().id(name)
    }

    /// How many dimensions a kernel has.
    pub fn kernel_dimensions(&self, kernel: KernelId) -> usize {
        self.world.kernels.borrow().dimensions(kernel)
    }

    /// The names of all kernels.
    pub fn kernel_names(&self) -> Vec<String> {
        self.world.kernels.borrow().names().to_vec()
    }

    /// Draws how long a call of a compute kernel takes on this rank, in seconds. Dimensions that
    /// the kernel does not have are one. Nothing is spent yet, so that several calls may be spent
    /// at once; where computation is free, it is zero and nothing is drawn.
    #[inline]
    pub fn kernel_time(&self, kernel: KernelId, dimensions: [f64; MOST_DIMENSIONS]) -> f64 {
        match self.world.settings().computation {
            Computation::Free => 0.0,
            Computation::Simulated => {
                let time = self.world.kernels.borrow_mut().draw(self.me, kernel, dimensions);
                let state = self.world.state.borrow();
                match state.has_changed_pstates {
                    true => time * state.nodes.slowdown(state.hosts[self.me as usize]),
                    false => time,
                }
            }
        }
    }

    /// Computes for so many seconds: measured times are spent as they are, whoever else computes
    /// on the node.
    pub async fn spend(&self, seconds: f64) {
        if seconds > 0.0 && self.world.settings().computation == Computation::Simulated {
            self.enter(Call::Compute);
            if self.is_heard() {
                self.tell(Event::Compute(seconds * self.core_speed()));
            }
            let request = self.world.state.borrow_mut().spending(self.me, seconds);
            done(&self.world, request).await;
            self.world.state.borrow_mut().forget(request);
        }
    }
}

impl State {
    /// A request that completes after `seconds` of computing.
    fn spending(&mut self, rank: u32, seconds: f64) -> u32 {
        self.idle_polls = 0;
        // Who computes between two polls does not wait in vain: the next poll costs one step.
        self.ranks[rank as usize].failed_polls = 0;
        let request = self.requests.insert(RequestState::computation(rank));
        self.kernel.wait(seconds, Then::Notify(REQUEST + request));
        self.note(rank, Change::Computes);
        request
    }
}
