//! Setting up a simulation, and what it tells at its end.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use foretell_kernel::{Actors, Outcome};
use foretell_models::{
    Change, ComputeKernels, Energy, EnergyReport, PowerModel, PstateReport, Pstates, RankKernels,
};
use foretell_platform::{HostId, Platform};

use crate::collective::{Notes, Selection, Used};
use crate::comm::{Comm, CommShared};
use crate::deadlock::Deadlock;
use crate::error::Error;
use crate::group::Group;
use crate::listener::Listener;
use crate::memory::{Memory, NoMemory};
use crate::observer::{Happening, Observer, Watch};
use crate::wait::busy;
use crate::world::{Computation, Counters, Foresee, Hooks, Outside, RankTimes, State, World};

/// Where ranks run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mapping {
    /// As many consecutive ranks on a host as it has cores; past the last host, from the first.
    Cores,
    /// So many consecutive ranks on each host; past the last host, from the first.
    Block(u32),
    /// Rank after rank to host after host.
    Cyclic,
    /// The host of each rank; past the end of the list, from its beginning.
    Explicit(Vec<HostId>),
}

impl Mapping {
    /// The host of each of `count` ranks.
    pub fn hosts(&self, count: u32, platform: &Platform) -> Vec<HostId> {
        let hosts = platform.host_count() as u32;
        let block = |size: u32| (0..count).map(move |rank| HostId(rank / size % hosts)).collect();
        match self {
            Mapping::Cores => {
                let all = platform.hosts();
                let slots = all.flat_map(|id| (0..platform.host(id).cores.max(1)).map(move |_| id));
                let once: Vec<HostId> = slots.take(count as usize).collect();
                (0..count as usize).map(|rank| once[rank % once.len()]).collect()
            }
            Mapping::Block(size) => block((*size).max(1)),
            Mapping::Cyclic => block(1),
            Mapping::Explicit(list) => {
                (0..count as usize).map(|rank| list[rank % list.len()]).collect()
            }
        }
    }
}

/// A simulation about to run: a platform, ranks, and where they run.
pub struct Simulation {
    platform: Rc<Platform>,
    ranks: u32,
    mapping: Mapping,
    computation: Computation,
    selection: Selection,
    rounding: f64,
    kernels: Option<RankKernels>,
    memory: Box<dyn Memory>,
    each_date: Box<dyn FnMut(f64) -> bool>,
    outside: Option<Box<Outside>>,
    foresee: Option<Box<Foresee>>,
    listener: Option<Box<dyn Listener>>,
    observer: Option<Box<dyn Observer>>,
    power: Option<PowerModel>,
    pstates: Option<Pstates>,
}

/// What a simulation found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// When the last rank ended, in simulated seconds.
    pub seconds: f64,
    /// What was sent.
    pub counters: Counters,
    /// Where each rank's time went.
    pub ranks: Vec<RankTimes>,
    /// Distinct dates at which something happened.
    pub dates: u64,
    /// Links that carried a message.
    pub links_used: usize,
    /// Which collective algorithms ran; none unless [`Selection::note_use`] was called.
    pub collectives: Vec<Used>,
    /// What nodes drew, if that was asked for.
    pub energy: Option<Box<EnergyReport>>,
    /// Which pstates governors and caps chose, if there are any.
    pub pstates: Option<PstateReport>,
}

/// Why a simulation did not come to its end.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Failure {
    /// Ranks wait for each other, or for messages that nobody sends.
    #[error("{0}")]
    Deadlock(Deadlock),
    /// A rank met an error.
    #[error("rank {rank} at {date:.9} s in {call}: {error}")]
    Rank {
        /// The rank in the world.
        rank: u32,
        /// When.
        date: f64,
        /// In which call.
        call: String,
        /// What.
        error: Error,
    },
    /// The caller ended it.
    #[error("interrupted at {0:.9} s of simulated time")]
    Interrupted(f64),
}

impl Simulation {
    /// A simulation on `platform`, of one rank until [`Simulation::ranks`] says otherwise.
    pub fn new(platform: Platform) -> Self {
        Self::on(Rc::new(platform))
    }

    /// The same on a platform that others look at too.
    pub fn on(platform: Rc<Platform>) -> Self {
        Self {
            platform,
            ranks: 1,
            mapping: Mapping::Cores,
            computation: Computation::Simulated,
            selection: Selection::default(),
            rounding: 0.0,
            kernels: None,
            memory: Box::new(NoMemory),
            each_date: Box::new(|_| true),
            outside: None,
            foresee: None,
            listener: None,
            observer: None,
            power: None,
            pstates: None,
        }
    }

    /// Sets how many ranks there are.
    pub fn ranks(mut self, count: u32) -> Self {
        self.ranks = count;
        self
    }

    /// Sets where ranks run.
    pub fn mapping(mut self, mapping: Mapping) -> Self {
        self.mapping = mapping;
        self
    }

    /// Sets whether computations take time.
    pub fn computation(mut self, computation: Computation) -> Self {
        self.computation = computation;
        self
    }

    /// Sets which algorithms collective operations run.
    pub fn collectives(mut self, selection: Selection) -> Self {
        self.selection = selection;
        self
    }

    /// Rounds the ends of messages and computations to a share of their durations: a thousandth
    /// spares much work where ranks are out of step. Zero, as it is otherwise, for exact ends.
    ///
    /// # Panics
    ///
    /// Panics when it runs if the share is negative or not less than one.
    pub fn rounding(mut self, share: f64) -> Self {
        self.rounding = share;
        self
    }

    /// Sets how long calls of compute kernels take. Else they take the time of their operations.
    pub fn kernels(mut self, kernels: RankKernels) -> Self {
        self.kernels = Some(kernels);
        self
    }

    /// Sets who reaches the memory of ranks that are compiled programs.
    pub fn memory(mut self, memory: impl Memory + 'static) -> Self {
        self.memory = Box::new(memory);
        self
    }

    /// Sets what is called whenever simulated time has moved; a false answer ends the run.
    pub fn each_date(mut self, each_date: impl FnMut(f64) -> bool + 'static) -> Self {
        self.each_date = Box::new(each_date);
        self
    }

    /// Sets who is asked when no rank can go on, before the clock moves: ranks that are held up by
    /// something outside of the simulation may go on by then. It is told whether the clock cannot
    /// move, and answers whether it woke anybody.
    pub fn outside(mut self, outside: impl FnMut(bool) -> bool + 'static) -> Self {
        self.outside = Some(Box::new(outside));
        self
    }

    /// Sets who is told, while one rank runs, which comes next: it may have fetched by then what
    /// that one will touch.
    pub fn foresee(mut self, foresee: impl Fn(u32) + 'static) -> Self {
        self.foresee = Some(Box::new(foresee));
        self
    }

    /// Sets who hears what ranks do.
    pub fn listener(mut self, listener: impl Listener + 'static) -> Self {
        self.listener = Some(Box::new(listener));
        self
    }

    /// Sets who watches the run, with dates.
    pub fn observer(mut self, observer: impl Observer + 'static) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Sets what nodes draw; the report then tells the energy of the run.
    pub fn power(mut self, power: PowerModel) -> Self {
        self.power = Some(power);
        self
    }

    /// Sets who chooses the pstates of nodes, for ranks on the hosts that the mapping says.
    pub fn pstates(mut self, pstates: Option<Pstates>) -> Self {
        self.pstates = pstates;
        self
    }

    /// Runs `main` once for each rank, each with its world communicator.
    pub fn run<F>(self, main: F) -> Result<Report, Failure>
    where
        F: AsyncFn(Comm) -> crate::Result<()> + 'static,
    {
        let main = Rc::new(main);
        self.run_actors(|comm| Box::pin(live(main.clone(), comm)))
    }

    /// As [`Simulation::run`], for ranks that are futures of a type of their own: what a turn of
    /// one reads then lies where that type puts it.
    pub fn run_lives<L>(self, mut begin: impl FnMut(Comm) -> L) -> Result<Report, Failure>
    where
        L: Future<Output = crate::Result<()>> + Unpin + 'static,
    {
        self.run_actors(|comm| Box::pin(Life::new(&comm.clone(), begin(comm))))
    }

    fn run_actors(
        self,
        mut begin: impl FnMut(Comm) -> Pin<Box<dyn Future<Output = ()>>>,
    ) -> Result<Report, Failure> {
        let Simulation {
            platform, ranks, mapping, computation, selection, memory, kernels, ..
        } = self;
        let mut each_date = self.each_date;
        let hosts = mapping.hosts(ranks, &platform);
        let kernels = kernels.unwrap_or_else(|| by_operations(&platform, &hosts));
        let hooks = Hooks { outside: self.outside.map(RefCell::new), foresee: self.foresee };
        let world = World::new(platform, hosts, computation, selection, kernels, memory, hooks);
        let samples_links = self.power.as_ref().is_some_and(PowerModel::samples_network);
        let energy = self.power.map(|power| Box::new(Energy::new(&power, &world.hosts())));
        world.state.borrow_mut().kernel.round_ends(self.rounding);
        world.state.borrow_mut().follow(self.listener, self.observer, energy);
        world.state.borrow_mut().pstates = self.pstates.map(Box::new);
        world.state.borrow_mut().begin_pstates();
        world.state.borrow_mut().observe_speeds();
        let mut actors = Actors::default();
        let group = Group::Range { first: 0, stride: 1, count: ranks };
        let shared = Rc::new(CommShared::new(group, 0));
        for rank in 0..ranks {
            let comm = Comm::new(world.clone(), shared.clone(), rank);
            let actor = actors.spawn(begin(comm));
            world.state.borrow_mut().kernel.wake(actor);
        }
        let mut interrupted = false;
        let outcome = foretell_kernel::run(&*world, &mut actors, |now| {
            if samples_links {
                world.state.borrow_mut().sample_links();
            }
            interrupted = !each_date(now);
            !interrupted && !world.has_failed()
        });
        // Ranks that have not ended hold the world, which would otherwise never be freed.
        drop(actors);
        world.state.borrow_mut().end_watch();
        conclude(&world, outcome, interrupted)
    }
}

impl State {
    /// Lets those follow the run who were asked to.
    fn follow(
        &mut self,
        listener: Option<Box<dyn Listener>>,
        observer: Option<Box<dyn Observer>>,
        energy: Option<Box<Energy>>,
    ) {
        self.is_followed = listener.is_some() || observer.is_some() || energy.is_some();
        if energy.as_ref().is_some_and(|energy| energy.meters_network()) {
            self.kernel.meter_use();
        }
        (self.listener, self.observer, self.energy) = (listener, observer.map(Watch::new), energy);
        let wants_takings = |watch: &Watch| watch.interests().takings;
        self.ends_are_followed =
            self.listener.is_some() || self.observer.as_ref().is_some_and(wants_takings);
        if self.observer.is_some() && self.energy.is_some() {
            let hosts: BTreeSet<HostId> = self.hosts.iter().copied().collect();
            hosts.into_iter().for_each(|host| self.observe_power(host));
        }
    }
}

impl State {
    /// Tells the meters that a date has come, for the power of links over time.
    fn sample_links(&mut self) {
        if let Some(energy) = &mut self.energy {
            energy.sample(&self.network, &self.kernel);
        }
    }
}

/// Kernels of which nothing is known but their operations.
fn by_operations(platform: &Platform, hosts: &[HostId]) -> RankKernels {
    RankKernels::new(&ComputeKernels::default(), platform, hosts, None, 0)
        .expect("the operations of known kernels are known for every host")
}

/// The life of a rank, from `MPI_Init` to the end of its program.
fn live<F: AsyncFn(Comm) -> crate::Result<()>>(
    main: Rc<F>,
    comm: Comm,
) -> impl Future<Output = ()> {
    async move {
        busy(&comm.world, comm.me, comm.world.settings().init).await;
        // The communicator has its place here for ever, and so it tells in the end who this was.
        let ended = main(comm.clone()).await;
        end(&comm.world, comm.me, ended);
    }
}

/// The same for a rank that is a future itself; what each turn reads comes first.
#[repr(C, align(64))]
struct Life<L> {
    /// The time of `MPI_Init`, until it has passed.
    init: Option<Pin<Box<dyn Future<Output = ()>>>>,
    program: L,
    world: Rc<World>,
    me: u32,
}

impl<L> Life<L> {
    fn new(comm: &Comm, program: L) -> Self {
        let (world, me) = (comm.world.clone(), comm.me);
        let init = world.settings().init;
        let clock = world.clone();
        let init = (init > 0.0).then(|| -> Pin<Box<dyn Future<Output = ()>>> {
            Box::pin(async move { busy(&clock, me, init).await })
        });
        Self { init, program, world, me }
    }
}

impl<L: Future<Output = crate::Result<()>> + Unpin> Future for Life<L> {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let life = &mut *self;
        if let Some(init) = &mut life.init {
            ready!(init.as_mut().poll(context));
            life.init = None;
        }
        let ended = ready!(Pin::new(&mut life.program).poll(context));
        end(&life.world, life.me, ended);
        Poll::Ready(())
    }
}

/// A rank has come to the end of its program.
fn end(world: &World, me: u32, ended: crate::Result<()>) {
    if let Err(error) = ended {
        world.fail(me, error);
    }
    let state = &mut *world.state.borrow_mut();
    let now = state.kernel.now();
    let rank = &mut state.ranks[me as usize];
    rank.has_ended = true;
    rank.times.end = now;
    state.note(me, Change::Ends);
    state.observe(Happening::Ends { rank: me });
}

fn conclude(world: &World, outcome: Outcome, interrupted: bool) -> Result<Report, Failure> {
    if let Some((rank, date, error)) = world.take_failure() {
        let state = world.state.borrow();
        if error == Error::PolledInVain {
            return Err(Failure::Deadlock(Deadlock::find(&state)));
        }
        let call = state.described_call(rank as usize);
        return Err(Failure::Rank { rank, date, call, error });
    }
    if interrupted {
        return Err(Failure::Interrupted(world.now()));
    }
    let energy = world.state.borrow_mut().energy.take();
    let pstates = world.state.borrow_mut().pstates.take();
    let state = world.state.borrow();
    let seconds = state.ranks.iter().map(|rank| rank.times.end).fold(0.0, f64::max);
    match outcome {
        Outcome::Deadlocked => Err(Failure::Deadlock(Deadlock::find(&state))),
        Outcome::Completed => Ok(Report {
            seconds,
            counters: state.counters,
            ranks: state.ranks.iter().map(|rank| rank.times).collect(),
            dates: state.kernel.dates(),
            links_used: state.network.links_used(),
            collectives: world.notes().map_or_else(Vec::new, Notes::all),
            energy: energy.map(|energy| {
                Box::new(energy.conclude_with(seconds, &state.network, &state.kernel))
            }),
            pstates: pstates.map(|pstates| pstates.conclude(seconds)),
        }),
    }
}
