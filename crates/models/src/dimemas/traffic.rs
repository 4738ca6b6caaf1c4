//! Who may move now, and who waits for what.
//!
//! A message first needs a link out of where it is, then a link into where it goes, then a bus; what
//! it has it keeps while it waits for the next, and each is given first come, first served. Between
//! nodes there is one exception. A message that finds no link out looks for one whose owner still
//! waits for its link in. If it could go at once, it takes that link, and its owner is the next to
//! get a link out again. So a message may be passed by later ones, and when it arrives is not known
//! before it moves.
//!
//! A collective operation needs all buses between nodes: it keeps those that are free and waits for
//! the others.

use std::collections::VecDeque;

use foretell_kernel::{Kernel, Then};
use rustc_hash::FxHashMap;

use super::port::{Port, Side};

/// Stands for links or buses of which there is any number.
pub(super) const FREE: u32 = u32::MAX;

/// A message on its way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Transfer {
    /// Seconds that it takes once it moves.
    pub(super) seconds: f64,
    /// What the kernel says at its end.
    pub(super) number: u32,
    /// The port that it leaves by, and the one that it comes in by.
    pub(super) ports: [u32; 2],
    pub(super) bus: u32,
    /// Whether it may take the link of one that waits.
    pub(super) may_rob: bool,
    /// Whether the link in comes first.
    pub(super) begins_with_in: bool,
    /// Which of both links it has.
    pub(super) has: [bool; 2],
    /// Its place in a line, if it waits for a link.
    pub(super) ticket: u64,
}

impl Transfer {
    /// A message that meets nobody yet.
    pub(super) fn new(number: u32, seconds: f64) -> Self {
        Self {
            seconds,
            number,
            ports: [FREE; 2],
            bus: FREE,
            may_rob: true,
            begins_with_in: false,
            has: [false; 2],
            ticket: 0,
        }
    }
}

/// Buses of one place.
#[derive(Debug)]
struct Buses {
    count: u32,
    taken: u32,
    waiting: VecDeque<Waiter>,
}

#[derive(Debug, Clone, Copy)]
enum Waiter {
    Message(u32),
    Operation(u32),
}

/// A collective operation.
#[derive(Debug)]
struct Operation {
    bus: u32,
    /// Buses that it keeps already.
    kept: u32,
    seconds: f64,
    /// What the kernel says at its end, for each rank.
    numbers: Vec<u32>,
}

/// All that moves or waits.
#[derive(Debug, Default)]
pub(super) struct Traffic {
    ports: Vec<Port>,
    buses: Vec<Buses>,
    transfers: Vec<Transfer>,
    /// Places of transfers that are over.
    vacant: Vec<u32>,
    operations: Vec<Operation>,
    /// How many operations have not ended.
    open: usize,
    /// What moves, by the number that tells its end.
    moving: FxHashMap<u32, Waiter>,
    tickets: u64,
}

impl Traffic {
    /// A new port with so many links in and out; if only one of both is told, each of so many links
    /// serves either way.
    pub(super) fn add_port(&mut self, inputs: Option<u32>, outputs: Option<u32>) -> u32 {
        match Port::new(inputs, outputs) {
            None => FREE,
            Some(port) => {
                self.ports.push(port);
                self.ports.len() as u32 - 1
            }
        }
    }

    /// A new place with so many buses.
    pub(super) fn add_buses(&mut self, count: Option<u32>) -> u32 {
        let Some(count) = count else { return FREE };
        self.buses.push(Buses { count, taken: 0, waiting: VecDeque::new() });
        self.buses.len() as u32 - 1
    }

    /// A message asks for its way.
    pub(super) fn send(&mut self, transfer: Transfer, kernel: &mut Kernel) {
        if transfer.ports == [FREE; 2] && transfer.bus == FREE {
            kernel.wait(transfer.seconds, Then::Notify(transfer.number));
            return;
        }
        let place = match self.vacant.pop() {
            Some(place) => {
                self.transfers[place as usize] = transfer;
                place
            }
            None => {
                self.transfers.push(transfer);
                self.transfers.len() as u32 - 1
            }
        };
        self.go(place, kernel);
    }

    /// An operation that takes so long asks for all buses of a place.
    pub(super) fn operate(
        &mut self,
        bus: u32,
        seconds: f64,
        numbers: Vec<u32>,
        kernel: &mut Kernel,
    ) {
        if bus == FREE {
            for number in numbers {
                kernel.wait(seconds, Then::Notify(number));
            }
            return;
        }
        let buses = &mut self.buses[bus as usize];
        let (is_idle, kept) = (buses.taken == 0, buses.count - buses.taken);
        buses.taken = buses.count;
        let place = self.operations.len() as u32;
        self.operations.push(Operation { bus, kept, seconds, numbers });
        self.open += 1;
        match is_idle {
            true => self.begin(place, kernel),
            false => buses.waiting.push_back(Waiter::Operation(place)),
        }
    }

    /// The kernel says that something has ended: what it kept goes to those who wait for it.
    pub(super) fn ended(&mut self, number: u32, kernel: &mut Kernel) {
        match self.moving.remove(&number) {
            None => {}
            Some(Waiter::Message(place)) => self.end_message(place, kernel),
            Some(Waiter::Operation(place)) => self.end_operation(place, kernel),
        }
    }

    /// A message takes what is free of what it lacks; it moves, or it waits.
    fn go(&mut self, place: u32, kernel: &mut Kernel) {
        if !self.take_links(place) {
            return;
        }
        let &Transfer { bus, seconds, number, .. } = &self.transfers[place as usize];
        if bus != FREE {
            let buses = &mut self.buses[bus as usize];
            if buses.taken >= buses.count {
                buses.waiting.push_back(Waiter::Message(place));
                return;
            }
            buses.taken += 1;
        }
        self.moving.insert(number, Waiter::Message(place));
        kernel.wait(seconds, Then::Notify(number));
    }

    /// Whether the message has both links now; if not, it waits for one.
    fn take_links(&mut self, place: u32) -> bool {
        let transfer = self.transfers[place as usize];
        let order = match transfer.begins_with_in {
            true => [Side::In, Side::Out],
            false => [Side::Out, Side::In],
        };
        let mut owes_out = false;
        for side in order {
            let port = transfer.ports[side as usize];
            if port == FREE || transfer.has[side as usize] {
                continue;
            }
            if self.ports[port as usize].take(side) {
                self.transfers[place as usize].has[side as usize] = true;
            } else if transfer.may_rob && self.ports[port as usize].may_be_robbed(side) {
                if side == Side::Out {
                    // Only if the link in is there, too.
                    owes_out = true;
                    continue;
                }
                self.rob(port, place, Side::In);
            } else {
                let (port, side) =
                    if owes_out { (transfer.ports[0], Side::Out) } else { (port, side) };
                self.wait(port, side, place);
                return false;
            }
        }
        let has = self.transfers[place as usize].has;
        if owes_out && !has[0] {
            self.rob(transfer.ports[0], place, Side::Out);
        } else if has == [true; 2] && transfer.may_rob {
            self.ports[transfer.ports[0] as usize].settle(place);
        }
        true
    }

    fn wait(&mut self, port: u32, side: Side, place: u32) {
        self.tickets += 1;
        let transfer = &mut self.transfers[place as usize];
        transfer.ticket = self.tickets;
        self.ports[port as usize].line(side).push_back((place, self.tickets));
        if side == Side::In && transfer.has[0] && transfer.may_rob {
            let out = transfer.ports[0];
            self.ports[out as usize].hold(place);
        }
    }

    /// Gives the message the link of the first that leaves by this port and waits for its link in.
    fn rob(&mut self, port: u32, place: u32, side: Side) {
        let Some(owner) = self.ports[port as usize].first_holder() else { return };
        self.ports[port as usize].settle(owner);
        self.tickets += 1;
        let ticket = self.tickets;
        let robbed = &mut self.transfers[owner as usize];
        robbed.has[0] = false;
        // Its place in the other line is void by its new ticket.
        robbed.ticket = ticket;
        self.ports[port as usize].line(Side::Out).push_front((owner, ticket));
        self.transfers[place as usize].has[side as usize] = true;
    }

    /// A link is free again: the first that waits for it tries to go.
    fn give_back(&mut self, port: u32, side: Side, kernel: &mut Kernel) {
        self.ports[port as usize].give_back(side);
        let is_either = self.ports[port as usize].serves_both_ways();
        for line in is_either.then_some(side.other()).into_iter().chain([side]) {
            if let Some(first) = self.first_in(port, line) {
                self.go(first, kernel);
            }
        }
    }

    fn first_in(&mut self, port: u32, side: Side) -> Option<u32> {
        while let Some((place, ticket)) = self.ports[port as usize].line(side).pop_front() {
            let transfer = &mut self.transfers[place as usize];
            if transfer.ticket == ticket {
                transfer.ticket = 0;
                return Some(place);
            }
        }
        None
    }

    fn end_message(&mut self, place: u32, kernel: &mut Kernel) {
        let Transfer { ports, has, bus, .. } = self.transfers[place as usize];
        self.vacant.push(place);
        for side in [Side::Out, Side::In] {
            if has[side as usize] {
                self.give_back(ports[side as usize], side, kernel);
            }
        }
        // Those who were just served found its bus still taken.
        if bus != FREE {
            self.buses[bus as usize].taken -= 1;
            self.serve(bus, kernel);
        }
    }

    /// Lets the first that waits for a bus have what is free; false if it needs more.
    fn serve(&mut self, bus: u32, kernel: &mut Kernel) -> bool {
        let buses = &mut self.buses[bus as usize];
        match buses.waiting.front() {
            None => false,
            Some(&Waiter::Message(place)) => {
                buses.waiting.pop_front();
                self.go(place, kernel);
                true
            }
            Some(&Waiter::Operation(place)) => {
                let operation = &mut self.operations[place as usize];
                operation.kept += buses.count - buses.taken;
                buses.taken = buses.count;
                if operation.kept == buses.count {
                    buses.waiting.pop_front();
                    self.begin(place, kernel);
                }
                false
            }
        }
    }

    fn begin(&mut self, place: u32, kernel: &mut Kernel) {
        let operation = &mut self.operations[place as usize];
        let (seconds, numbers) = (operation.seconds, std::mem::take(&mut operation.numbers));
        if let Some(first) = numbers.first() {
            self.moving.insert(*first, Waiter::Operation(place));
        }
        for number in numbers {
            kernel.wait(seconds, Then::Notify(number));
        }
    }

    fn end_operation(&mut self, place: u32, kernel: &mut Kernel) {
        let bus = self.operations[place as usize].bus;
        // Operations end in the order in which they came: nothing else is under way on their buses.
        self.buses[bus as usize].taken = 0;
        let waiting = self.buses[bus as usize].waiting.len();
        for _ in 0..waiting {
            let buses = &self.buses[bus as usize];
            if buses.taken >= buses.count || !self.serve(bus, kernel) {
                break;
            }
        }
        self.open -= 1;
        if self.open == 0 {
            self.operations.clear();
        }
    }
}
