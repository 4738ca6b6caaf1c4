//! What becomes of what is seen: events of a trace.

use foretell_mpi::{Ear, Happening, Incoming, Interests, Mark, Notes, Place};
use foretell_platform::HostId;
use foretell_trace::Problem;
use foretell_trace::timed::{self, Collective, Event, Lane, Needs, Taken, Writer};

use super::flights::{self, Flights, Hold};
use super::hearer::Hearer;
use super::states::{NOWHERE, Spot, States};

/// Makes a trace of what it hears.
pub(super) struct Scribe<W> {
    writer: W,
    needs: Needs,
    ranks: Vec<Own>,
    /// What ranks that are in collective calls said when they joined them.
    joined: Vec<Joined>,
    /// For each rank the parts of the program that it is in.
    parts: Vec<u32>,
    flights: Flights,
    states: States,
    /// Communicators by their numbers in the simulation.
    comms: Vec<Option<u32>>,
    comm_count: u32,
    /// Where each host is in the list of nodes.
    nodes: Vec<Option<u32>>,
    /// What each node was last told to run at: its pstate and its speed.
    speeds: Vec<Option<(u16, f64)>>,
    date: f64,
}

/// What is known of a rank.
#[derive(Debug, Clone, Copy)]
struct Own {
    since: f64,
    waited: f64,
    state: u32,
    has_joined: bool,
    has_ended: bool,
}

/// A collective call under way.
#[derive(Debug, Clone, Copy, Default)]
struct Joined {
    comm: u32,
    root: Option<u32>,
    /// Bytes and algorithm, once they are chosen.
    chosen: Option<(u64, &'static str)>,
}

impl<W: Writer> Scribe<W> {
    /// Hears of a run with so many ranks; tells where each host is in the list of nodes.
    pub(super) fn new(mut writer: W, ranks: usize, nodes: Vec<Option<u32>>) -> Self {
        writer.go_live();
        let own =
            Own { since: 0.0, waited: 0.0, state: NOWHERE, has_joined: false, has_ended: false };
        Self {
            needs: writer.needs(),
            writer,
            ranks: vec![own; ranks],
            joined: vec![Joined::default(); ranks],
            parts: vec![0; ranks],
            flights: Flights::default(),
            states: States::default(),
            comms: vec![Some(0)],
            comm_count: 1,
            speeds: vec![None; nodes.len()],
            nodes,
            date: 0.0,
        }
    }

    // Which event it is is known where it is told.
    #[inline(always)]
    fn tell(&mut self, date: f64, event: &Event<'_>) {
        self.writer.write(date, event);
    }

    fn enter(&mut self, date: f64, rank: u32, name: u16) {
        self.leave(date, rank);
        let state = match self.states.of(name) {
            Some(NOWHERE) => return,
            Some(state) => state,
            None => self.begin_state(date, name),
        };
        let own = &mut self.ranks[rank as usize];
        (own.state, own.since, own.waited, own.has_joined) = (state, date, 0.0, false);
        self.tell(date, &Event::Enters { rank, state });
    }

    /// A rank enters a state that none was in before.
    #[cold]
    fn begin_state(&mut self, date: f64, name: u16) -> u32 {
        let state = self.states.begin(name);
        let text = self.states.name(name);
        let place = self.states.place(name);
        self.writer.write(date, &Event::Names { state, name: text, place });
        state
    }

    /// Whatever the rank was in ends.
    #[inline(always)]
    fn leave(&mut self, date: f64, rank: u32) {
        let own = &mut self.ranks[rank as usize];
        let state = std::mem::replace(&mut own.state, NOWHERE);
        if state == NOWHERE {
            return;
        }
        let (since, waited) = (own.since, own.waited);
        if own.has_joined {
            own.has_joined = false;
            let collective = Some(self.collective(rank));
            self.tell(date, &Event::Leaves { rank, state, since, waited, collective });
        } else {
            self.tell(date, &Event::Leaves { rank, state, since, waited, collective: None });
        }
    }

    /// The collective call that a rank is in.
    fn collective(&self, rank: u32) -> Collective<'static> {
        let Joined { comm, root, chosen } = self.joined[rank as usize];
        let (bytes, algorithm) = chosen.unwrap_or((0, ""));
        Collective { comm, root, bytes, gathered: 0, algorithm }
    }

    fn end(&mut self, date: f64, rank: u32) {
        if !std::mem::replace(&mut self.ranks[rank as usize].has_ended, true) {
            self.leave(date, rank);
            self.tell(date, &Event::Ends { rank });
        }
    }

    fn send(&mut self, date: f64, message: u32, sent: &foretell_mpi::Letter) {
        let comm = self.comm(sent.traffic.comm);
        let letter = self.flights.letter(sent, comm);
        if self.needs.ways {
            let called = self.ranks[letter.from as usize].since;
            // Only what ranks send themselves lies in their calls.
            let is_own = letter.lane == Lane::PointToPoint;
            let place = if is_own { self.writer.keep_place(date, letter.from) } else { None };
            self.flights.send(message, (called, date), letter, place);
        }
        if self.needs.takings
            && let Some(request) = sent.request
        {
            // What a collective operation sends is none of the program's requests.
            let is_told = letter.lane == Lane::PointToPoint;
            self.flights.post(request, date, letter.is_blocking || !is_told);
        }
        if letter.lane == Lane::PointToPoint {
            self.tell(date, &Event::Sends(&letter));
        }
    }

    fn receive(&mut self, date: f64, rank: u32, request: u32, received: Incoming) {
        let (hold, serial) = self.flights.take(request);
        let Incoming { from, traffic, tag, bytes } = received;
        if hold == Hold::Nothing || flights::lane(traffic.lane) != Lane::PointToPoint {
            return;
        }
        let request = (hold == Hold::NonBlocking).then_some(request);
        let comm = self.comm(traffic.comm);
        let taken = Taken::Receive { serial, from, comm, tag, bytes };
        self.tell(date, &Event::Takes { rank, request, taken });
    }

    /// The cores of a node have a speed, which may be the one that is known.
    fn run(&mut self, date: f64, host: HostId, pstate: u16, speed: f64) {
        if let Some(node) = self.nodes[host.0 as usize]
            && self.speeds[host.0 as usize].replace((pstate, speed)) != Some((pstate, speed))
        {
            self.tell(date, &Event::Runs { node, pstate: pstate.into(), speed });
        }
    }

    /// A communicator as the trace counts them. One that was never told of is one of a rank alone.
    fn comm(&mut self, comm: u32) -> u32 {
        self.comms.get(comm as usize / 2).copied().flatten().unwrap_or(0)
    }
}

impl<W: Writer> Ear for Scribe<W> {
    // What has happened is known where it is told.
    #[inline(always)]
    fn hear(&mut self, date: f64, what: Happening) {
        match what {
            Happening::Enters { rank, name } => self.enter(date, rank, name),
            Happening::Waited { rank, since } => {
                let own = &mut self.ranks[rank as usize];
                own.waited += date - since.max(own.since);
            }
            Happening::Ends { rank } => self.end(date, rank),
            Happening::Sends { message, letter: ref sent } => self.send(date, message, sent),
            Happening::Posts { rank, request, traffic, is_blocking } => {
                self.flights.post(request, date, is_blocking);
                if !is_blocking && flights::lane(traffic.lane) == Lane::PointToPoint {
                    self.tell(date, &Event::Posts { rank, request });
                }
            }
            Happening::Arrives { message } => self.flights.arrive(message, date),
            Happening::Delivers { message, request } => {
                let message = self.flights.deliver(message, request, date);
                self.writer.write(date, &Event::Delivers(message));
            }
            Happening::TakesSend { rank, request } => {
                if self.flights.take(request).0 == Hold::NonBlocking {
                    let (request, taken) = (Some(request), Taken::Send);
                    self.tell(date, &Event::Takes { rank, request, taken });
                }
            }
            Happening::TakesReceive { rank, request, received } => {
                self.receive(date, rank, request, received);
            }
            Happening::Joins { rank, comm, root, is_blocking } => {
                if is_blocking {
                    let comm = self.comm(comm);
                    self.joined[rank as usize] = Joined { comm, root, chosen: None };
                    self.ranks[rank as usize].has_joined = true;
                }
            }
            Happening::Chooses { rank, bytes, name } => {
                // Later choices are those of the parts that the operation is made of.
                if self.ranks[rank as usize].has_joined {
                    let algorithm = self.states.name(name);
                    self.joined[rank as usize].chosen.get_or_insert((bytes, algorithm));
                }
            }
            Happening::Draws { host, watts } => {
                if let Some(node) = self.nodes[host.0 as usize] {
                    self.tell(date, &Event::Draws { node, watts });
                }
            }
            Happening::Runs { host, pstate, speed } => self.run(date, host, pstate, speed),
        }
    }
}

impl<W: Writer> Hearer for Scribe<W> {
    fn interests(&self) -> Interests {
        let Needs { ways, takings, waits } = self.needs;
        Interests { ways, takings, waits, ..Interests::ALL }
    }

    fn hear(&mut self, notes: &mut Notes) {
        self.states.learn(notes.new_names());
        notes.tell(self);
        self.date = notes.last_date().unwrap_or(self.date);
    }

    fn form(&mut self, date: f64, comm: u32, members: &[u32]) {
        self.date = date;
        let at = comm as usize / 2;
        if self.comms.len() <= at {
            self.comms.resize(at + 1, None);
        }
        let number = self.comm_count;
        self.comms[at] = Some(number);
        self.comm_count += 1;
        self.tell(date, &Event::Forms { comm: number, members, first_side: 0 });
    }

    fn place(&mut self, number: u32, place: &Place<'_>) {
        self.states.lies(number, Spot::of(place));
    }

    /// Marks lie outside of calls. An end without a beginning is passed over.
    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        self.date = date;
        let parts = &mut self.parts[rank as usize];
        let mark = match mark {
            Mark::Here => timed::Mark::Here,
            Mark::Begin => {
                *parts += 1;
                timed::Mark::Begin
            }
            Mark::End if *parts == 0 => return,
            Mark::End => {
                *parts -= 1;
                timed::Mark::End
            }
        };
        self.leave(date, rank);
        self.tell(date, &Event::Marks { rank, mark, name });
    }

    fn finish(mut self: Box<Self>) -> Result<(), Problem> {
        for rank in 0..self.ranks.len() as u32 {
            self.end(self.date, rank);
        }
        let date = self.date;
        Box::new(self.writer).finish(date)
    }
}
