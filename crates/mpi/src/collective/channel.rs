//! How the ranks of one collective operation talk to each other.

use foretell_models::SendKind;

use crate::comm::Comm;
use crate::error::Result;
use crate::payload::Payload;
use crate::point_to_point::{Flavour, Lane, Outgoing};
use crate::request::Request;

/// Messages of one collective operation on one communicator: they match no others.
pub(crate) struct Channel<'a> {
    comm: &'a Comm,
    tag: i32,
}

impl<'a> Channel<'a> {
    pub(crate) fn new(comm: &'a Comm, tag: i32) -> Self {
        Self { comm, tag }
    }

    pub(crate) fn rank(&self) -> u32 {
        self.comm.rank()
    }

    pub(crate) fn size(&self) -> u32 {
        self.comm.size()
    }

    /// A blocking send.
    pub(crate) async fn send(&self, payload: Payload, to: u32) -> Result<()> {
        let request = self.comm.send_out(self.outgoing(payload, to, SendKind::Blocking)).await?;
        self.comm.wait_inside(request).await.map(drop)
    }

    /// A blocking receive.
    pub(crate) async fn recv(&self, from: u32) -> Result<Payload> {
        let request = self.irecv(from)?;
        Ok(self.comm.wait_inside(request).await?.payload)
    }

    /// Sends to one rank while receiving from another, or the same.
    pub(crate) async fn exchange(&self, payload: Payload, to: u32, from: u32) -> Result<Payload> {
        let outgoing = self.outgoing(payload, to, SendKind::NonBlocking);
        Ok(self.comm.exchange(outgoing, from as i32, self.tag).await?.payload)
    }

    pub(crate) async fn isend(&self, payload: Payload, to: u32) -> Result<Request> {
        self.comm.send_out(self.outgoing(payload, to, SendKind::NonBlocking)).await
    }

    pub(crate) fn irecv(&self, from: u32) -> Result<Request> {
        self.comm.receive(u64::MAX, from as i32, self.tag, Lane::Collective)
    }

    /// Waits for all; gives what came, in the order of the requests.
    pub(crate) async fn wait_all(&self, requests: &mut [Request]) -> Result<Vec<Payload>> {
        let mut all: Vec<Payload> = requests.iter().map(|_| Payload::Size(0)).collect();
        self.comm.wait_all_inside(requests, |at, received| all[at] = received.payload).await?;
        Ok(all)
    }

    fn outgoing(&self, payload: Payload, to: u32, kind: SendKind) -> Outgoing {
        let (lane, flavour) = (Lane::Collective, Flavour::Standard);
        Outgoing { payload, to: to as i32, tag: self.tag, lane, flavour, kind }
    }
}

/// The largest power of two that is not above `count`.
pub(crate) fn previous_power_of_two(count: u32) -> u32 {
    1 << (31 - count.leading_zeros())
}
