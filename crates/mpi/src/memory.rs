//! Memory of compiled programs, which this crate moves data between but cannot touch itself.

use crate::payload::Payload;

/// Who can reach the memory that [`Payload::Memory`] and [`Landing::Memory`] name.
pub trait Memory {
    /// Copies `bytes` bytes; the two places do not overlap.
    fn copy(&self, from: usize, to: usize, bytes: usize);

    /// Takes a copy of `bytes` bytes.
    fn read(&self, from: usize, bytes: usize) -> Box<[u8]>;

    /// Puts bytes in their place.
    fn write(&self, bytes: &[u8], to: usize);

    /// All is known that a rank waits for, if somebody has asked for it. Called while the state of
    /// the simulation is being changed: it can be asked nothing.
    fn known(&self, rank: u32) {
        let _ = rank;
    }

    /// Gives back a copy made by [`Memory::read`] that is no longer needed.
    fn recycle(&self, copy: Box<[u8]>) {
        drop(copy);
    }
}

/// The memory of ranks that have none: skeletons send no places.
#[derive(Debug)]
pub(crate) struct NoMemory;

impl Memory for NoMemory {
    fn copy(&self, _: usize, _: usize, _: usize) {}

    fn read(&self, _: usize, bytes: usize) -> Box<[u8]> {
        vec![0; bytes].into()
    }

    fn write(&self, _: &[u8], _: usize) {}
}

/// Where a receive puts what comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Landing {
    /// The payload is handed over when the receive is complete.
    Payload,
    /// Into the program's memory at this address, as soon as the message is known.
    Memory(usize),
    /// Nowhere: only sizes and times matter.
    Nowhere,
}

/// What a message in flight carries, or what a receive has: two words.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Bytes of its own.
    Bytes(Box<[u8]>),
    /// A place in memory; [`Content::NOTHING`] is none.
    Memory(usize),
}

impl Content {
    pub(crate) const NOTHING: Content = Content::Memory(0);
    /// A receive that wants no bytes.
    pub(crate) const NOWHERE: Content = Content::Memory(usize::MAX);

    /// Takes it, leaving nothing behind.
    pub(crate) fn take(&mut self) -> Content {
        std::mem::replace(self, Content::NOTHING)
    }

    /// As a payload of so many bytes.
    pub(crate) fn into_payload(self, bytes: u64) -> Payload {
        match self {
            Content::Bytes(bytes) => Payload::Bytes(bytes),
            Content::Memory(_) => Payload::Size(bytes),
        }
    }
}

impl From<Payload> for Content {
    fn from(payload: Payload) -> Content {
        match payload {
            Payload::Size(_) => Content::NOTHING,
            Payload::Bytes(bytes) => Content::Bytes(bytes),
            Payload::Memory { address, .. } => Content::Memory(address),
        }
    }
}

impl From<Landing> for Content {
    fn from(landing: Landing) -> Content {
        match landing {
            Landing::Payload => Content::NOTHING,
            // A null buffer is one that nothing goes to.
            Landing::Memory(0) | Landing::Nowhere => Content::NOWHERE,
            Landing::Memory(address) => Content::Memory(address),
        }
    }
}

const _: () = assert!(size_of::<Content>() == 16);
