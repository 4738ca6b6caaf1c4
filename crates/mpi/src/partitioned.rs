//! Partitioned communication: one message whose parts become ready one by one. MPI 4.1 chapter 4.
//!
//! Sender and receiver may cut the data differently, and the receiver cannot know how the sender
//! did. So the sender announces its cut once, when it initialises the operation; announcements
//! are matched as messages are, in order. Parts then travel as messages of their own, under tags
//! that the announcement named.

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use foretell_models::SendKind;

use crate::comm::{Comm, PROC_NULL};
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::memory::Landing;
use crate::payload::Payload;
use crate::point_to_point::{Flavour, Lane, Outgoing, Received};
use crate::request::{Kind, Request};
use crate::world::Call;

/// How a sender cut its data: into so many parts of so many bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Number of parts.
    pub parts: u32,
    /// Size of each.
    pub bytes: u64,
}

/// A partitioned send, from its initialisation on.
#[derive(Debug)]
pub struct PartitionedSend {
    to: i32,
    /// The tag of the first part; the others follow.
    first_tag: i32,
}

/// A partitioned receive, from its initialisation on.
#[derive(Debug)]
pub struct PartitionedReceive {
    from: i32,
    tag: i32,
    /// What the receiver has room for.
    room: u64,
    announcement: RefCell<Option<Request>>,
    /// The cut, once it is known, and the tag of the first part.
    cut: Cell<Option<(Cut, i32)>>,
    /// Which of the sender's parts have come since the last start.
    arrived: RefCell<Vec<bool>>,
}

/// What a partitioned receive does with its parts, told by their first byte.
pub trait Parts {
    /// Where a part of so many bytes goes.
    fn landing(&self, offset: u64, bytes: u64) -> Landing;

    /// A part has come.
    fn landed(&self, offset: u64, received: &Received);
}

impl Comm {
    /// `MPI_Psend_init`: tells the receiver how the data is cut.
    pub async fn announce_parts(&self, cut: Cut, to: i32, tag: i32) -> Result<PartitionedSend> {
        let first_tag = self.world.state.borrow_mut().take_part_tags(cut.parts);
        let mut text = Vec::with_capacity(16);
        text.extend(cut.bytes.to_le_bytes());
        text.extend(cut.parts.to_le_bytes());
        text.extend(first_tag.to_le_bytes());
        let announcement = Outgoing {
            payload: Payload::Bytes(text.into()),
            to,
            tag,
            lane: Lane::Announcement,
            flavour: Flavour::Buffered,
            kind: SendKind::NonBlocking,
        };
        // Buffered: it leaves by itself.
        self.send_out(None, announcement).await.map(drop)?;
        Ok(PartitionedSend { to, first_tag })
    }

    /// `MPI_Pready`: sends one part.
    pub async fn send_part(
        &self,
        send: &PartitionedSend,
        part: u32,
        payload: Payload,
    ) -> Result<Request> {
        self.enter(Call::Isend);
        self.tell(Event::Untold("MPI_Pready"));
        self.send_out(
            None,
            Outgoing {
                payload,
                to: send.to,
                tag: send.first_tag + part as i32,
                lane: Lane::Part,
                flavour: Flavour::Standard,
                kind: SendKind::NonBlocking,
            },
        )
        .await
    }

    /// `MPI_Precv_init`: awaits the announcement of a partitioned send.
    pub fn expect_parts(&self, room: u64, from: i32, tag: i32) -> Result<PartitionedReceive> {
        let announcement = self.receive(16, from, tag, Lane::Announcement)?;
        Ok(PartitionedReceive {
            from,
            tag,
            room,
            announcement: RefCell::new(Some(announcement)),
            cut: Cell::new(None),
            arrived: RefCell::default(),
        })
    }

    /// `MPI_Start` of a partitioned receive.
    pub fn start_parts(
        &self,
        receive: &Rc<PartitionedReceive>,
        parts: impl Parts + 'static,
    ) -> Request {
        receive.arrived.borrow_mut().clear();
        if receive.from == PROC_NULL {
            return Request::NULL;
        }
        let whole = self.new_event();
        let (comm, receive, event) = (self.clone(), receive.clone(), whole.0);
        self.world.spawn(async move {
            if let Err(error) = comm.take_parts(&receive, &parts).await {
                return comm.world.fail(comm.me, error);
            }
            let peer = comm.world_rank(receive.from).unwrap_or_default();
            let state = &mut *comm.world.state.borrow_mut();
            let request = &mut state.requests[event];
            (request.kind, request.is_matched) = (Kind::Receive, true);
            (request.peer, request.tag) = (peer, receive.tag);
            request.bytes = receive.bytes();
            state.complete(event);
        });
        whole
    }

    /// Receives all parts, in whatever order they come.
    async fn take_parts(&self, receive: &PartitionedReceive, parts: &impl Parts) -> Result<()> {
        let (cut, first_tag) = self.cut_of(receive).await?;
        let mut requests = Vec::with_capacity(cut.parts as usize);
        for part in 0..cut.parts {
            let landing = parts.landing(u64::from(part) * cut.bytes, cut.bytes);
            let tag = first_tag + part as i32;
            requests.push(self.receive_to(landing, cut.bytes, receive.from, tag, Lane::Part)?);
        }
        for _ in 0..cut.parts {
            let part = self.wait_for_any(&requests).await;
            let received = self.wait_inside(requests[part].take()).await?;
            parts.landed(part as u64 * cut.bytes, &received);
            if let Some(arrived) = receive.arrived.borrow_mut().get_mut(part) {
                *arrived = true;
            }
        }
        Ok(())
    }

    /// How the sender cut the data: known from its announcement.
    async fn cut_of(&self, receive: &PartitionedReceive) -> Result<(Cut, i32)> {
        let announcement = receive.announcement.borrow_mut().take();
        if let Some(announcement) = announcement {
            let received = self.wait_inside(announcement).await?;
            receive.cut.set(read_announcement(received.payload.bytes()));
        }
        let (cut, first_tag) = receive.cut.get().unwrap_or((Cut { parts: 0, bytes: 0 }, 0));
        let sent = u64::from(cut.parts) * cut.bytes;
        if sent > receive.room {
            let source_rank = self.world_rank(receive.from)?;
            return Err(Error::Truncated { source_rank, tag: first_tag, sent, room: receive.room });
        }
        *receive.arrived.borrow_mut() = vec![false; cut.parts as usize];
        Ok((cut, first_tag))
    }
}

impl PartitionedReceive {
    /// `MPI_Parrived`: whether all of these bytes have come.
    pub fn has_arrived(&self, bytes: Range<u64>) -> bool {
        let Some((cut, _)) = self.cut.get() else { return self.from == PROC_NULL };
        let arrived = self.arrived.borrow();
        if cut.bytes == 0 {
            return arrived.iter().all(|part| *part) && !arrived.is_empty();
        }
        let parts = bytes.start / cut.bytes..bytes.end.div_ceil(cut.bytes);
        let mut parts = parts.filter(|part| *part < u64::from(cut.parts));
        parts.all(|part| arrived.get(part as usize) == Some(&true))
    }

    fn bytes(&self) -> u64 {
        self.cut.get().map_or(0, |(cut, _)| u64::from(cut.parts) * cut.bytes)
    }
}

fn read_announcement(text: &[u8]) -> Option<(Cut, i32)> {
    let bytes = u64::from_le_bytes(text.get(..8)?.try_into().ok()?);
    let parts = u32::from_le_bytes(text.get(8..12)?.try_into().ok()?);
    let first_tag = i32::from_le_bytes(text.get(12..16)?.try_into().ok()?);
    Some((Cut { parts, bytes }, first_tag))
}
