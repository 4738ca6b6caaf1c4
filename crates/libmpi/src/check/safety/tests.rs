//! The thought run on small programs.

use std::rc::Rc;

use foretell_mpi::Group;

use super::super::operation::{Gathering, Operation, What};
use super::super::site::{Site, Spots};
use super::{Need, Safety};

/// A world whose ranks make calls one after the other.
#[derive(Default)]
struct World {
    safety: Safety,
    spots: Spots,
    last: u64,
}

impl World {
    fn site(&mut self, rank: u32) -> Site {
        Site { rank, call: "MPI_Call", spot: self.spots.spot(0, 0), comm: None }
    }

    fn begin(&mut self, rank: u32, what: What) -> Rc<Operation> {
        self.last += 1;
        let operation = Rc::new(Operation::new(self.last, self.site(rank), what, Vec::new()));
        self.safety.begin(&operation);
        operation
    }

    fn wait(&mut self, operations: &[&Rc<Operation>], need: Need) {
        let site = self.site(operations[0].site.rank);
        self.safety.wait(site, operations.iter().copied().cloned().collect(), need);
    }

    fn isend(&mut self, rank: u32, to: u32) -> Rc<Operation> {
        self.begin(rank, What::Send { to, tag: 0, context: 0 })
    }

    fn send(&mut self, rank: u32, to: u32) -> Rc<Operation> {
        let send = self.isend(rank, to);
        self.wait(&[&send], Need::All);
        send
    }

    fn irecv(&mut self, rank: u32, from: Option<u32>) -> Rc<Operation> {
        self.begin(rank, What::Receive { from, tag: 0, context: 0 })
    }

    fn recv(&mut self, rank: u32, from: Option<u32>) -> Rc<Operation> {
        let receive = self.irecv(rank, from);
        self.wait(&[&receive], Need::All);
        receive
    }

    fn collective(&mut self, rank: u32, gathering: &Rc<Gathering>) {
        let operation = self.begin(rank, What::Collective(gathering.clone()));
        self.wait(&[&operation], Need::All);
    }

    fn meet(&mut self, send: &Rc<Operation>, receive: &Rc<Operation>) {
        self.safety.meet(send, receive);
    }

    /// Ends all ranks; gives how many calls each ring has.
    fn rings(mut self) -> Vec<usize> {
        (0..self.safety.lines.len() as u32).for_each(|rank| self.safety.end(rank));
        self.safety.untie().iter().map(|draft| draft.calls.len()).collect()
    }
}

fn everybody(members: u32) -> Rc<Gathering> {
    let groups = vec![Group::Range { first: 0, stride: 1, count: members }];
    let (reached, is_free) = Default::default();
    Rc::new(Gathering { groups, members, reached, is_free })
}

#[test]
fn two_that_send_first_are_stuck_each_time() {
    let mut world = World::default();
    for _ in 0..2 {
        let sends = [world.send(0, 1), world.send(1, 0)];
        let receives = [world.recv(0, Some(1)), world.recv(1, Some(0))];
        world.meet(&sends[0], &receives[1]);
        world.meet(&sends[1], &receives[0]);
    }
    assert_eq!(world.rings(), [2, 2]);
}

#[test]
fn one_that_sends_and_one_that_receives_are_not() {
    let mut world = World::default();
    let (first, second) = (world.send(0, 1), world.recv(1, Some(0)));
    world.meet(&first, &second);
    let (third, fourth) = (world.send(1, 0), world.recv(0, Some(1)));
    world.meet(&third, &fourth);
    assert_eq!(world.rings(), [0_usize; 0]);
}

#[test]
fn sends_that_are_waited_for_after_the_receive_are_safe() {
    let mut world = World::default();
    let sends = [world.isend(0, 1), world.isend(1, 0)];
    let receives = [world.recv(0, Some(1)), world.recv(1, Some(0))];
    world.meet(&sends[0], &receives[1]);
    world.meet(&sends[1], &receives[0]);
    world.wait(&[&sends[0]], Need::All);
    world.wait(&[&sends[1]], Need::Any);
    assert_eq!(world.rings(), [0_usize; 0]);
}

#[test]
fn a_receive_from_anybody_could_have_got_another_message() {
    let mut world = World::default();
    let receives = [world.recv(0, None), world.recv(0, None)];
    let (to_other, to_first) = (world.send(1, 2), world.send(1, 0));
    let (late, from_other) = (world.send(2, 0), world.recv(2, Some(1)));
    world.meet(&to_first, &receives[0]);
    world.meet(&late, &receives[1]);
    world.meet(&to_other, &from_other);
    assert_eq!(world.rings(), [0_usize; 0]);
}

#[test]
fn a_send_to_itself_waits_for_itself() {
    let mut world = World::default();
    let (send, receive) = (world.send(0, 0), world.recv(0, Some(0)));
    world.meet(&send, &receive);
    assert_eq!(world.rings(), [1]);
}

#[test]
fn a_collective_may_hold_its_root() {
    let mut world = World::default();
    let gathering = everybody(2);
    world.collective(0, &gathering);
    let send = world.send(0, 1);
    let receive = world.recv(1, Some(0));
    world.meet(&send, &receive);
    world.collective(1, &gathering);
    assert_eq!(world.rings(), [2]);
}

#[test]
fn ranks_that_are_still_running_are_not_judged() {
    let mut world = World::default();
    world.send(0, 1);
    world.recv(0, Some(1));
    assert!(world.safety.untie().is_empty());
}
