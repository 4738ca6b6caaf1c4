//! Packing and unpacking on slices. MPI 4.1 section 5.2.
//!
//! A buffer is a slice and the index `origin` in it that the buffer's address stands for: data
//! may lie before it.

use std::ops::Range;

use super::Datatype;
use crate::error::{Error, Result};

impl Datatype {
    /// Appends the data of `count` elements to `out`.
    pub fn pack_into(
        &self,
        count: i64,
        source: &[u8],
        origin: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let layout = self.layout(count);
        let mut outcome = Ok(());
        layout.for_each_run(0..layout.size(), |offset, bytes| {
            match span(origin, offset, bytes, source.len()) {
                Ok(span) => out.extend_from_slice(&source[span]),
                Err(error) => outcome = Err(error),
            }
        });
        outcome
    }

    /// Puts packed data into the place of `count` elements. Data may end early; what is too much
    /// is left.
    pub fn unpack(
        &self,
        count: i64,
        packed: &[u8],
        target: &mut [u8],
        origin: usize,
    ) -> Result<()> {
        self.unpack_part(count, 0, packed, target, origin)
    }

    /// As [`Datatype::unpack`] for a piece of the packed data that begins at byte `start` of it.
    pub fn unpack_part(
        &self,
        count: i64,
        start: u64,
        packed: &[u8],
        target: &mut [u8],
        origin: usize,
    ) -> Result<()> {
        let room = target.len();
        let mut packed = packed;
        let mut outcome = Ok(());
        let range = start..start.saturating_add(packed.len() as u64);
        self.layout(count).for_each_run(range, |offset, bytes| {
            let (piece, rest) = packed.split_at(bytes as usize);
            packed = rest;
            match span(origin, offset, bytes, room) {
                Ok(span) => target[span].copy_from_slice(piece),
                Err(error) => outcome = Err(error),
            }
        });
        outcome
    }
}

/// The indices of a run in a slice.
pub(super) fn span(origin: usize, offset: i64, bytes: u64, room: usize) -> Result<Range<usize>> {
    let start = origin.checked_add_signed(offset as isize);
    let end = start.and_then(|start| start.checked_add(bytes as usize));
    match (start, end) {
        (Some(start), Some(end)) if end <= room => Ok(start..end),
        _ => Err(Error::BadArgument(format!(
            "{bytes} bytes at offset {offset} are outside of a buffer of {room} bytes whose \
             address stands for byte {origin}"
        ))),
    }
}
