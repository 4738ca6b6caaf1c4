//! Ports and published names: groups of ranks that find each other. MPI 4.1 sections 11.8.2 to
//! 11.9.4.
//!
//! All ranks live in one process, so a port is an entry in a table. Who accepts and who connects
//! meet there, and then join their groups as `MPI_Intercomm_create` does, in simulated time.
//!
//! No rank can be added to a simulation that runs: stacks, hosts and the world are laid out when it
//! starts. `MPI_Comm_spawn` says so.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_char, c_int};
use std::rc::Rc;

use foretell_mpi::{Payload, Request};
use foretell_ranks::block_on;

use crate::abi::*;
use crate::call::mpi;
use crate::comm::{CommObject, new_place};
use crate::failure::{Failure, Outcome, bad};
use crate::objects::objects;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// The ports and names of all ranks.
pub(crate) struct Ports {
    opened: u32,
    met: c_int,
    open: Vec<Port>,
    /// Services and the ports they are offered at.
    services: Vec<(String, String)>,
}

/// An open port, and who waits at it.
struct Port {
    name: String,
    accepting: VecDeque<Waiting>,
    connecting: VecDeque<Waiting>,
}

/// A leader that waits for the other side.
struct Waiting {
    rank: u32,
    /// Who came, and the number of the meeting.
    partner: Rc<Cell<Option<Meeting>>>,
    /// Completed when somebody has come.
    event: Request,
}

/// Two leaders that have found each other.
#[derive(Clone, Copy)]
struct Meeting {
    with: u32,
    tag: c_int,
}

/// Which side of a meeting a leader is on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Accept,
    Connect,
}

impl Ports {
    pub(crate) const fn new() -> Self {
        Self { opened: 0, met: 0, open: Vec::new(), services: Vec::new() }
    }

    fn open(&mut self) -> String {
        self.opened += 1;
        let name = format!("foretell-port-{}", self.opened);
        let (accepting, connecting) = (VecDeque::new(), VecDeque::new());
        self.open.push(Port { name: name.clone(), accepting, connecting });
        name
    }

    fn port(&mut self, name: &str) -> Result<&mut Port, Failure> {
        let found = self.open.iter_mut().find(|port| port.name == name);
        found.ok_or_else(|| Failure::new(MPI_ERR_PORT, format!("no port {name:?} is open")))
    }
}

impl Port {
    fn queues(&mut self, side: Side) -> (&mut VecDeque<Waiting>, &mut VecDeque<Waiting>) {
        match side {
            Side::Accept => (&mut self.accepting, &mut self.connecting),
            Side::Connect => (&mut self.connecting, &mut self.accepting),
        }
    }
}

/// A leader goes to a port and waits until one of the other side is there.
fn meet(here: &RankContext, name: &str, side: Side) -> Result<Meeting, Failure> {
    let partner = Rc::new(Cell::new(None));
    let event = {
        let ports = &mut *objects().ports.borrow_mut();
        ports.met = (ports.met + 1) & c_int::MAX;
        let (tag, rank) = (ports.met, here.number());
        let (own, others) = ports.port(name)?.queues(side);
        if let Some(other) = others.pop_front() {
            other.partner.set(Some(Meeting { with: rank, tag }));
            here.comm.complete_event(&other.event);
            return Ok(Meeting { with: other.rank, tag });
        }
        let event = here.comm.new_event();
        own.push_back(Waiting { rank, partner: partner.clone(), event: here.comm.alias(&event) });
        event
    };
    block_on(here.comm.wait(event))?;
    let gone = || Failure::new(MPI_ERR_PORT, format!("port {name:?} was closed meanwhile"));
    partner.get().ok_or_else(gone)
}

/// Joins the group of `comm` with the one that its leader meets.
fn join(
    here: &RankContext,
    comm: &CommObject,
    (name, root): (In<c_char>, c_int),
    side: Side,
) -> Result<MPI_Comm, Failure> {
    if comm.comm.is_inter() {
        return bad(MPI_ERR_COMM, "an inter-communicator cannot meet another group");
    }
    let size = comm.comm.size();
    if root < 0 || root as u32 >= size {
        return bad(MPI_ERR_ROOT, format!("root {root} is not in a communicator of {size} ranks"));
    }
    let is_leader = comm.comm.rank() == root as u32;
    let met = if is_leader { Some(meet(here, &name.text(), side)) } else { None };
    // The others learn whether their leader met somebody: they would wait for ever otherwise.
    let word = Payload::Bytes(Box::new([u8::from(matches!(met, Some(Ok(_))))]));
    let told = block_on(comm.comm.bcast(word, root as u32))?;
    let (with, tag) = match met {
        Some(Err(failure)) => return Err(failure),
        Some(Ok(meeting)) => (meeting.with as c_int, meeting.tag),
        None if told.bytes() != [1] => return bad(MPI_ERR_PORT, "the root met nobody"),
        None => (0, 0),
    };
    let peer = is_leader.then_some(&here.comm);
    Ok(comm.child(block_on(comm.comm.intercomm_create(root as u32, peer, with, tag))?))
}

mpi! {
    /// `MPI_Open_port`.
    local fn MPI_Open_port(info: MPI_Info, port_name: Out<c_char>) -> c_int, |here| {
        let _ = (here, info);
        let name = objects().ports.borrow_mut().open();
        port_name.given("port_name")?.write_text(&name, MPI_MAX_PORT_NAME as usize);
        Ok(())
    }

    /// `MPI_Close_port`. Who waits there is told.
    local fn MPI_Close_port(port_name: In<c_char>) -> c_int, |here| {
        let name = port_name.text();
        let ports = &mut *objects().ports.borrow_mut();
        let port = ports.port(&name)?;
        for waiting in port.accepting.drain(..).chain(port.connecting.drain(..)) {
            here.comm.complete_event(&waiting.event);
        }
        ports.open.retain(|port| port.name != name);
        Ok(())
    }

    /// `MPI_Comm_accept`.
    timed fn MPI_Comm_accept(
        port_name: In<c_char>, info: MPI_Info, root: c_int, comm: MPI_Comm,
        newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm), |here| {
        let _ = info;
        let newcomm = new_place(newcomm, "newcomm")?;
        newcomm.set(join(here, &*here.comm(comm)?, (port_name, root), Side::Accept)?);
        Ok(())
    }

    /// `MPI_Comm_connect`.
    timed fn MPI_Comm_connect(
        port_name: In<c_char>, info: MPI_Info, root: c_int, comm: MPI_Comm,
        newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm), |here| {
        let _ = info;
        let newcomm = new_place(newcomm, "newcomm")?;
        newcomm.set(join(here, &*here.comm(comm)?, (port_name, root), Side::Connect)?);
        Ok(())
    }

    /// `MPI_Publish_name`.
    local fn MPI_Publish_name(
        service_name: In<c_char>, info: MPI_Info, port_name: In<c_char>,
    ) -> c_int, |here| {
        let _ = (here, info);
        let service = service_name.text();
        let services = &mut objects().ports.borrow_mut().services;
        if services.iter().any(|(known, _)| *known == service) {
            return bad(MPI_ERR_SERVICE, format!("the service {service:?} is published already"));
        }
        services.push((service, port_name.text()));
        Ok(())
    }

    /// `MPI_Unpublish_name`.
    local fn MPI_Unpublish_name(
        service_name: In<c_char>, info: MPI_Info, port_name: In<c_char>,
    ) -> c_int, |here| {
        let _ = (here, info, port_name);
        let service = service_name.text();
        let services = &mut objects().ports.borrow_mut().services;
        let before = services.len();
        services.retain(|(known, _)| *known != service);
        if services.len() == before {
            return bad(MPI_ERR_SERVICE, format!("no service {service:?} is published"));
        }
        Ok(())
    }

    /// `MPI_Lookup_name`.
    timed fn MPI_Lookup_name(
        service_name: In<c_char>, info: MPI_Info, port_name: Out<c_char>,
    ) -> c_int, |here| {
        let _ = (here, info);
        let service = service_name.text();
        let ports = objects().ports.borrow();
        match ports.services.iter().find(|(known, _)| *known == service) {
            Some((_, port)) => {
                port_name.given("port_name")?.write_text(port, MPI_MAX_PORT_NAME as usize);
                Ok(())
            }
            None => bad(MPI_ERR_NAME, format!("no service {service:?} is published")),
        }
    }

    /// `MPI_Comm_join`: refused.
    local fn MPI_Comm_join(fd: c_int, intercomm: Out<MPI_Comm>) -> c_int, |here| {
        let _ = (here, fd, intercomm);
        bad(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "sockets reach out of the simulation, where time means nothing; join groups with \
             MPI_Comm_connect and MPI_Comm_accept",
        )
    }

    /// `MPI_Comm_spawn`: refused.
    timed fn MPI_Comm_spawn(
        command: In<c_char>, _argv: usize, maxprocs: c_int, _info: MPI_Info, root: c_int,
        comm: MPI_Comm, intercomm: Out<MPI_Comm>, _errcodes: usize,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        intercomm.set(MPI_COMM_NULL);
        let is_root = comm.comm.rank() as c_int == root;
        no_spawn(&if is_root { command.text() } else { String::new() }, maxprocs)
    }

    /// `MPI_Comm_spawn_multiple`: refused.
    timed fn MPI_Comm_spawn_multiple(
        count: c_int, _commands: usize, _argvs: usize, _maxprocs: usize, _infos: usize,
        _root: c_int, comm: MPI_Comm, intercomm: Out<MPI_Comm>, _errcodes: usize,
    ) -> c_int on Comm(comm), |here| {
        here.comm(comm)?;
        intercomm.set(MPI_COMM_NULL);
        no_spawn("several programs", count)
    }
}

fn no_spawn(command: &str, count: c_int) -> Outcome {
    bad(
        MPI_ERR_SPAWN,
        format!(
            "{command} cannot be started {count} times: ranks cannot be added to a simulation that \
             runs. Start all at once, with `foretell run -n 4 ./parent : -n {count} ./child`, and \
             let them meet by MPI_Comm_split or by ports"
        ),
    )
}
