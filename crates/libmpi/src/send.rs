//! Sends in all modes, blocking, non-blocking and persistent. MPI 4.1 sections 3.2 to 3.9.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::{Look, Payload, Posted, Request, SendMode, SendTrace, Since};
use foretell_ranks::{block_on_short, work};

use crate::abi::*;
use crate::brief::Patient;
use crate::buffer::Buffer;
use crate::call::mpi_large;
use crate::check::{self, Form, Noted};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::request::{Kind, Persistent, RequestObject, Started};

/// The arguments of a send.
struct Send {
    buffer: Buffer,
    to: c_int,
    tag: c_int,
    comm: Rc<CommObject>,
    mode: SendMode,
}

impl Send {
    #[inline]
    fn new(
        here: &RankContext,
        (address, count, datatype): (usize, i64, MPI_Datatype),
        (to, tag, comm): (c_int, c_int, MPI_Comm),
        mode: SendMode,
    ) -> Result<Self, Failure> {
        let comm = here.comm(comm)?;
        let buffer = Buffer::new(address, count, datatype)?;
        check_tag(tag)?;
        comm.check_target(to)?;
        Ok(Self { buffer, to, tag, comm, mode })
    }

    /// Posts it for a call that waits for it, unless time has to pass before.
    #[inline]
    fn begin(self, here: &RankContext) -> Result<Sending, Failure> {
        if check::is_on() {
            self.note(here, Form::Now);
        }
        let Send { buffer, to, tag, comm, mode } = self;
        let (request, costly) = match comm.comm.post_at_once(buffer.payload(), to, tag, mode)? {
            Posted::Sent(request, _) => (request, None),
            Posted::Costly(payload) => (Request::NULL, Some((payload, to, tag, mode))),
        };
        Ok(Sending { comm, request, since: Since::NOT_YET, costly })
    }

    /// Tells a checker what begins.
    #[cold]
    fn note(&self, here: &RankContext, form: Form) -> Noted {
        let Send { buffer, to, tag, comm, mode } = self;
        check::send(here, comm, buffer, (*to, *tag, *mode), form)
    }

    fn start(&self) -> Result<(Request, SendTrace), Failure> {
        let Send { buffer, to, tag, comm, mode } = self;
        match work(|| comm.comm.start_at_once(buffer.payload(), *to, *tag, *mode))? {
            Posted::Sent(request, trace) => Ok((request, trace)),
            Posted::Costly(payload) => {
                Ok(block_on_short(comm.comm.start_send(payload, *to, *tag, *mode))?)
            }
        }
    }

    fn later(self, here: &RankContext) -> Result<MPI_Request, Failure> {
        let noted = check::is_on().then(|| self.note(here, Form::Later));
        let (request, trace) = self.start()?;
        let object =
            RequestObject { request, comm: Some(self.comm), kind: Kind::Send(trace), after: None };
        Ok(object.keep_noted(noted))
    }

    fn persistent(self) -> MPI_Request {
        let comm = self.comm.clone();
        let start = Rc::new(move |here: &RankContext| {
            let noted = if check::is_on() { self.note(here, Form::Later) } else { Noted::new() };
            let (request, trace) = self.start()?;
            Ok(Started { request, trace, after: None, noted })
        });
        Persistent::keep(comm, start)
    }
}

/// A send that its call waits for.
struct Sending {
    comm: Rc<CommObject>,
    request: Request,
    since: Since,
    /// What is to be sent once the time of the call has passed.
    costly: Option<(Payload, c_int, c_int, SendMode)>,
}

impl Patient for Sending {
    #[inline]
    fn look(&mut self, _: &RankContext) -> Look {
        match self.costly {
            None => self.comm.comm.look_at(&self.request, &mut self.since),
            Some(_) => Look::Owing,
        }
    }

    #[cold]
    fn pay(&mut self) -> Outcome {
        match self.costly.take() {
            Some((payload, to, tag, mode)) => {
                Ok(block_on_short(self.comm.comm.send_in_mode(payload, to, tag, mode))?)
            }
            None => {
                block_on_short(self.comm.comm.pay(&self.request));
                Ok(())
            }
        }
    }

    fn conclude(self) -> Outcome {
        self.comm.comm.take_done(self.request)?;
        Ok(())
    }
}

/// Tags of messages are not negative.
#[inline]
pub(crate) fn check_tag(tag: c_int) -> Outcome {
    if tag >= 0 {
        return Ok(());
    }
    bad(MPI_ERR_TAG, format!("tag {tag} is negative: tags are 0 to {} (MPI_TAG_UB)", c_int::MAX))
}

macro_rules! sends {
    ($($blocking:ident $later:ident $persistent:ident $mode:ident;)*) => {$(
        mpi_large! {
            /// A blocking send.
            brief fn $blocking(
                buf: In<c_void>, count: C, datatype: MPI_Datatype, dest: c_int, tag: c_int,
                comm: MPI_Comm,
            ) -> c_int on Comm(comm), |here| {
                let what = (buf.address(), i64::from(count), datatype);
                Send::new(here, what, (dest, tag, comm), SendMode::$mode)?.begin(here)
            }

            /// A non-blocking send.
            timed fn $later(
                buf: In<c_void>, count: C, datatype: MPI_Datatype, dest: c_int, tag: c_int,
                comm: MPI_Comm, request: Out<MPI_Request>,
            ) -> c_int on Comm(comm), |here| {
                let what = (buf.address(), i64::from(count), datatype);
                let send = Send::new(here, what, (dest, tag, comm), SendMode::$mode)?;
                request.set(send.later(here)?);
                Ok(())
            }

            /// A persistent send.
            local fn $persistent(
                buf: In<c_void>, count: C, datatype: MPI_Datatype, dest: c_int, tag: c_int,
                comm: MPI_Comm, request: Out<MPI_Request>,
            ) -> c_int on Comm(comm), |here| {
                let what = (buf.address(), i64::from(count), datatype);
                let send = Send::new(here, what, (dest, tag, comm), SendMode::$mode)?;
                request.set(send.persistent());
                Ok(())
            }
        }
    )*};
}

sends! {
    MPI_Send MPI_Isend MPI_Send_init Standard;
    MPI_Bsend MPI_Ibsend MPI_Bsend_init Buffered;
    MPI_Ssend MPI_Issend MPI_Ssend_init Synchronous;
    MPI_Rsend MPI_Irsend MPI_Rsend_init Ready;
}
