//! Receives, probes and combined calls. MPI 4.1 sections 3.2, 3.7, 3.8 and 3.10.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::{Look, Matched, Received, Request, SendTrace, Since};
use foretell_ranks::block_on_short;

use crate::abi::*;
use crate::ahead::{self, Debt};
use crate::brief::Patient;
use crate::buffer::Buffer;
use crate::call::{mpi, mpi_large};
use crate::check::{self, Form, Noted};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::request::{After, Kind, Persistent, RequestObject, Started, plain_status, store};
use crate::send::check_tag;

/// The arguments of a receive.
pub(crate) struct Receive {
    buffer: Buffer,
    from: c_int,
    tag: c_int,
    comm: Rc<CommObject>,
}

impl Receive {
    #[inline]
    pub(crate) fn new(
        here: &RankContext,
        (address, count, datatype): (usize, i64, MPI_Datatype),
        (from, tag, comm): (c_int, c_int, MPI_Comm),
    ) -> Result<Self, Failure> {
        let comm = here.comm(comm)?;
        let buffer = Buffer::new(address, count, datatype)?;
        check_source(&comm, from, tag)?;
        Ok(Self { buffer, from, tag, comm })
    }

    /// Posts it for a call that waits for it.
    #[inline]
    fn begin(self, here: &RankContext, status: Out<MPI_Status>) -> Result<Awaited, Failure> {
        if check::is_on() {
            self.note(here, Form::Now);
        }
        let (landing, room) = (self.buffer.landing(), self.buffer.bytes());
        let request = self.comm.comm.begin_receive(landing, room, self.from, self.tag)?;
        Ok(Awaited { receive: self, request, since: Since::NOT_YET, status, is_watched: false })
    }

    /// Tells a checker what begins.
    #[cold]
    fn note(&self, here: &RankContext, form: Form) -> Noted {
        let Receive { buffer, from, tag, comm } = self;
        check::receive(here, comm, buffer, (*from, *tag), form)
    }

    fn start(&self) -> Result<(Request, Option<After>), Failure> {
        let Receive { buffer, from, tag, comm } = self;
        let request = comm.comm.start_receive(buffer.landing(), buffer.bytes(), *from, *tag)?;
        Ok((request, unpacking(buffer)))
    }

    pub(crate) fn later(self, here: &RankContext) -> Result<MPI_Request, Failure> {
        let noted = check::is_on().then(|| self.note(here, Form::Later));
        let (request, after) = self.start()?;
        let comm = Some(self.comm);
        Ok(RequestObject { request, comm, kind: Kind::Receive, after }.keep_noted(noted))
    }

    /// Tells a checker of both halves of an exchange.
    #[cold]
    fn note_exchange(
        &self,
        here: &RankContext,
        send: (Option<&Buffer>, c_int, c_int),
        form: Form,
    ) -> Noted {
        let receive = (&self.buffer, self.from, self.tag);
        check::exchange(here, &self.comm, send, receive, form)
    }

    fn persistent(self) -> MPI_Request {
        let comm = self.comm.clone();
        let start = Rc::new(move |here: &RankContext| {
            let noted = if check::is_on() { self.note(here, Form::Later) } else { Noted::new() };
            let (request, after) = self.start()?;
            Ok(Started { request, trace: SendTrace::NONE, after, noted })
        });
        Persistent::keep(comm, start)
    }
}

/// A receive that its call waits for.
struct Awaited {
    receive: Receive,
    request: Request,
    since: Since,
    status: Out<MPI_Status>,
    /// Whether word was asked for when it is known what comes.
    is_watched: bool,
}

impl Patient for Awaited {
    #[inline]
    fn look(&mut self, here: &RankContext) -> Look {
        let Receive { comm, buffer, .. } = &self.receive;
        let look = comm.comm.look_at(&self.request, &mut self.since);
        self.is_watched = look == Look::Waiting
            && buffer.datatype.dense.is_some()
            && ahead::watch(here, &comm.comm, &self.request);
        look
    }

    fn is_watched(&self) -> bool {
        self.is_watched
    }

    #[cold]
    fn go_ahead(self, here: &RankContext) {
        let Awaited { receive: Receive { comm, buffer, .. }, request, since, status, .. } = self;
        store(status, plain_status(&here.owed_ahead.foreseen()));
        here.owe(Debt::Receive { comm, buffer, request, since });
    }

    #[cold]
    fn pay(&mut self) -> Outcome {
        block_on_short(self.receive.comm.comm.pay(&self.request));
        Ok(())
    }

    fn conclude(self) -> Outcome {
        let received = self.receive.comm.comm.take_done(self.request)?;
        land(&self.receive.buffer, &received)?;
        store(self.status, plain_status(&received.status));
        Ok(())
    }
}

/// What came goes to its places, unless it is there already.
fn land(buffer: &Buffer, received: &Received) -> Outcome {
    if buffer.datatype.dense.is_some() {
        return Ok(());
    }
    let bytes = received.payload.bytes();
    buffer.unpack(bytes);
    let (datatype, came) = (&buffer.datatype.datatype, bytes.len() as u64);
    // Only whole elements can have been sent, if the types of both sides agree.
    let is_whole = came % datatype.size().max(1) == 0 || datatype.elements(came).is_some();
    ensure(is_whole, MPI_ERR_TYPE, || {
        format!("a message of {came} bytes ends inside an element of the receive's datatype")
    })
}

/// The last step of a receive whose data has holes.
fn unpacking(buffer: &Buffer) -> Option<After> {
    if buffer.datatype.dense.is_some() {
        return None;
    }
    let buffer = buffer.clone();
    Some(Box::new(move |_, received| land(&buffer, received)))
}

#[inline]
fn check_source(comm: &CommObject, from: c_int, tag: c_int) -> Outcome {
    if tag != MPI_ANY_TAG {
        check_tag(tag)?;
    }
    if from == MPI_ANY_SOURCE { Ok(()) } else { comm.check_target(from) }
}

mpi_large! {
    /// `MPI_Recv`.
    brief fn MPI_Recv(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, source: c_int, tag: c_int,
        comm: MPI_Comm, status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let what = (buf.address(), i64::from(count), datatype);
        Receive::new(here, what, (source, tag, comm))?.begin(here, status)
    }

    /// `MPI_Irecv`.
    timed fn MPI_Irecv(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, source: c_int, tag: c_int,
        comm: MPI_Comm, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let what = (buf.address(), i64::from(count), datatype);
        request.set(Receive::new(here, what, (source, tag, comm))?.later(here)?);
        Ok(())
    }

    /// `MPI_Recv_init`.
    local fn MPI_Recv_init(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, source: c_int, tag: c_int,
        comm: MPI_Comm, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let what = (buf.address(), i64::from(count), datatype);
        request.set(Receive::new(here, what, (source, tag, comm))?.persistent());
        Ok(())
    }

    /// `MPI_Mrecv`.
    timed fn MPI_Mrecv(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, message: Out<MPI_Message>,
        status: Out<MPI_Status>,
    ) -> c_int, |here| {
        let buffer = Buffer::new(buf.address(), i64::from(count), datatype)?;
        let request = matched(here, buffer, message)?;
        store(status, crate::wait::one(here, &mut { request })?);
        Ok(())
    }

    /// `MPI_Imrecv`.
    timed fn MPI_Imrecv(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, message: Out<MPI_Message>,
        request: Out<MPI_Request>,
    ) -> c_int, |here| {
        let buffer = Buffer::new(buf.address(), i64::from(count), datatype)?;
        request.set(matched(here, buffer, message)?);
        Ok(())
    }

    /// `MPI_Sendrecv`.
    timed fn MPI_Sendrecv(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype, source: c_int, recvtag: c_int,
        comm: MPI_Comm, status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let send = Buffer::new(sendbuf.address(), i64::from(sendcount), sendtype)?;
        let what = (recvbuf.address(), i64::from(recvcount), recvtype);
        let receive = Receive::new(here, what, (source, recvtag, comm))?;
        check_tag(sendtag)?;
        receive.comm.check_target(dest)?;
        if check::is_on() {
            receive.note_exchange(here, (Some(&send), dest, sendtag), Form::Now);
        }
        store(status, exchange(send.payload(), dest, sendtag, receive)?);
        Ok(())
    }

    /// `MPI_Sendrecv_replace`.
    timed fn MPI_Sendrecv_replace(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, dest: c_int, sendtag: c_int,
        source: c_int, recvtag: c_int, comm: MPI_Comm, status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let what = (buf.address(), i64::from(count), datatype);
        let receive = Receive::new(here, what, (source, recvtag, comm))?;
        check_tag(sendtag)?;
        receive.comm.check_target(dest)?;
        let sent = foretell_mpi::Payload::Bytes(receive.buffer.pack());
        if check::is_on() {
            receive.note_exchange(here, (None, dest, sendtag), Form::Now);
        }
        store(status, exchange(sent, dest, sendtag, receive)?);
        Ok(())
    }
}

mpi_large! {
    /// `MPI_Isendrecv`.
    timed fn MPI_Isendrecv(
        sendbuf: In<c_void>, sendcount: C, sendtype: MPI_Datatype, dest: c_int, sendtag: c_int,
        recvbuf: Out<c_void>, recvcount: C, recvtype: MPI_Datatype, source: c_int, recvtag: c_int,
        comm: MPI_Comm, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let send = Buffer::new(sendbuf.address(), i64::from(sendcount), sendtype)?;
        let what = (recvbuf.address(), i64::from(recvcount), recvtype);
        let receive = Receive::new(here, what, (source, recvtag, comm))?;
        check_exchange(&receive, dest, sendtag)?;
        let noted = check::is_on()
            .then(|| receive.note_exchange(here, (Some(&send), dest, sendtag), Form::Later));
        request.set(exchange_later(send.payload(), (dest, sendtag), receive, noted)?);
        Ok(())
    }

    /// `MPI_Isendrecv_replace`.
    timed fn MPI_Isendrecv_replace(
        buf: Out<c_void>, count: C, datatype: MPI_Datatype, dest: c_int, sendtag: c_int,
        source: c_int, recvtag: c_int, comm: MPI_Comm, request: Out<MPI_Request>,
    ) -> c_int on Comm(comm), |here| {
        let what = (buf.address(), i64::from(count), datatype);
        let receive = Receive::new(here, what, (source, recvtag, comm))?;
        let sent = foretell_mpi::Payload::Bytes(receive.buffer.pack());
        check_exchange(&receive, dest, sendtag)?;
        let noted = check::is_on()
            .then(|| receive.note_exchange(here, (None, dest, sendtag), Form::Later));
        request.set(exchange_later(sent, (dest, sendtag), receive, noted)?);
        Ok(())
    }
}

fn exchange_later(
    payload: foretell_mpi::Payload,
    (to, tag): (c_int, c_int),
    receive: Receive,
    noted: Option<Noted>,
) -> Result<MPI_Request, Failure> {
    let Receive { buffer, from, tag: receive_tag, comm } = receive;
    let landing = (buffer.landing(), buffer.bytes(), from, receive_tag);
    let request = block_on_short(comm.comm.start_send_and_receive((payload, to, tag), landing))?;
    let after = unpacking(&buffer);
    Ok(RequestObject { request, comm: Some(comm), kind: Kind::Receive, after }.keep_noted(noted))
}

/// That a message can be sent so.
fn check_exchange(receive: &Receive, to: c_int, tag: c_int) -> Outcome {
    check_tag(tag)?;
    receive.comm.check_target(to)
}

fn exchange(
    payload: foretell_mpi::Payload,
    to: c_int,
    tag: c_int,
    receive: Receive,
) -> Result<MPI_Status, Failure> {
    let Receive { buffer, from, tag: receive_tag, comm } = receive;
    let landing = (buffer.landing(), buffer.bytes(), from, receive_tag);
    let received = block_on_short(comm.comm.send_and_receive((payload, to, tag), landing))?;
    land(&buffer, &received)?;
    Ok(plain_status(&received.status))
}

/// Starts the receive of a message that a probe has taken.
fn matched(
    here: &RankContext,
    buffer: Buffer,
    message: Out<MPI_Message>,
) -> Result<MPI_Request, Failure> {
    let handle = message.get();
    if handle == MPI_MESSAGE_NO_PROC {
        message.set(MPI_MESSAGE_NULL);
        let (request, comm) = (Request::NULL, Some(here.world.clone()));
        return Ok(RequestObject { request, comm, kind: Kind::Receive, after: None }.keep());
    }
    let found = objects().messages.borrow_mut().remove(handle);
    let (comm, found) = found.ok_or_else(|| no_such(MPI_ERR_REQUEST, "message", handle))?;
    message.set(MPI_MESSAGE_NULL);
    let from = (found.status.source, found.status.tag);
    let noted = check::is_on().then(|| check::receive(here, &comm, &buffer, from, Form::Later));
    let request = comm.comm.start_matched_receive(found, buffer.landing(), buffer.bytes())?;
    let after = unpacking(&buffer);
    Ok(RequestObject { request, comm: Some(comm), kind: Kind::Receive, after }.keep_noted(noted))
}

/// Keeps a message that a probe has taken.
fn keep_message(comm: Rc<CommObject>, found: Matched) -> MPI_Message {
    let handle = objects().messages.borrow_mut().insert((comm, found));
    check::note(check::Sort::Message, handle)
}

mpi! {
    /// `MPI_Probe`.
    timed fn MPI_Probe(
        source: c_int, tag: c_int, comm: MPI_Comm, status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        check_source(&comm, source, tag)?;
        if source == MPI_PROC_NULL {
            store(status, from_nobody());
            return Ok(());
        }
        store(status, plain_status(&block_on_short(comm.comm.probe(source, tag))?));
        Ok(())
    }

    /// `MPI_Iprobe`.
    timed fn MPI_Iprobe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: Out<c_int>, status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        check_source(&comm, source, tag)?;
        if source == MPI_PROC_NULL {
            flag.set(1);
            store(status, from_nobody());
            return Ok(());
        }
        let found = block_on_short(comm.comm.iprobe(source, tag))?;
        flag.set(c_int::from(found.is_some()));
        if let Some(found) = found {
            store(status, plain_status(&found));
        }
        Ok(())
    }

    /// `MPI_Mprobe`.
    timed fn MPI_Mprobe(
        source: c_int, tag: c_int, comm: MPI_Comm, message: Out<MPI_Message>,
        status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        check_source(&comm, source, tag)?;
        if source == MPI_PROC_NULL {
            message.set(MPI_MESSAGE_NO_PROC);
            store(status, from_nobody());
            return Ok(());
        }
        let found = block_on_short(comm.comm.mprobe(source, tag))?;
        store(status, plain_status(&found.status));
        message.set(keep_message(comm, found));
        Ok(())
    }

    /// `MPI_Improbe`.
    timed fn MPI_Improbe(
        source: c_int, tag: c_int, comm: MPI_Comm, flag: Out<c_int>, message: Out<MPI_Message>,
        status: Out<MPI_Status>,
    ) -> c_int on Comm(comm), |here| {
        let comm = here.comm(comm)?;
        check_source(&comm, source, tag)?;
        if source == MPI_PROC_NULL {
            flag.set(1);
            message.set(MPI_MESSAGE_NO_PROC);
            store(status, from_nobody());
            return Ok(());
        }
        let found = block_on_short(comm.comm.improbe(source, tag))?;
        flag.set(c_int::from(found.is_some()));
        if let Some(found) = found {
            store(status, plain_status(&found.status));
            message.set(keep_message(comm, found));
        }
        Ok(())
    }
}

/// The status of a receive from `MPI_PROC_NULL`.
fn from_nobody() -> MPI_Status {
    crate::request::pack_status(MPI_PROC_NULL, MPI_ANY_TAG, 0, false)
}

impl CommObject {
    /// That messages can be sent to a rank, or received from it.
    #[inline]
    pub(crate) fn check_target(&self, rank: c_int) -> Outcome {
        let size = self.comm.target_count();
        if (rank >= 0 && (rank as u32) < size) || rank == MPI_PROC_NULL {
            return Ok(());
        }
        bad(
            MPI_ERR_RANK,
            format!(
                "there is no rank {rank} in this communicator: its ranks are 0 to {}, and \
                 MPI_PROC_NULL is nobody",
                size.saturating_sub(1)
            ),
        )
    }
}
