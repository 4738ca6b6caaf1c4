//! Buffers with one part for each rank.

use std::ffi::c_int;
use std::rc::Rc;

use foretell_mpi::{Counts, Payload};

use super::check::check_length;
use crate::abi::*;
use crate::buffer::Buffer;
use crate::check::{Claim, Described, Piece, Side};
use crate::datatype::{self, TypeObject};
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::pointer::In;

/// Numbers of the program, one for each rank.
///
/// They stay where they are: MPI lets nobody change them before the operation is complete. MPI 4.1
/// section 6.12.
#[derive(Clone, Copy)]
pub(super) enum Numbers {
    Int(In<c_int>),
    Count(In<MPI_Count>),
    Aint(In<MPI_Aint>),
}

impl Numbers {
    /// The number of one of `count` ranks.
    pub(super) fn of(self, rank: u32, count: u32) -> i64 {
        let (rank, count) = (rank as usize, count as usize);
        match self {
            Numbers::Int(list) => i64::from(list.slice(count)[rank]),
            Numbers::Count(list) => list.slice(count)[rank],
            Numbers::Aint(list) => list.slice(count)[rank] as i64,
        }
    }

    /// That there are any, if there must be.
    fn are_given(self, count: u32) -> Outcome {
        let is_absent = match self {
            Numbers::Int(list) => list.is_null(),
            Numbers::Count(list) => list.is_null(),
            Numbers::Aint(list) => list.is_null(),
        };
        ensure(!is_absent || count == 0, MPI_ERR_ARG, || {
            format!("a null pointer where there should be a number for each of {count} ranks")
        })
    }

    /// That they are numbers of elements.
    pub(super) fn are_counts(self, ranks: u32) -> Outcome {
        self.are_given(ranks)?;
        for rank in 0..ranks {
            let count = self.of(rank, ranks);
            ensure(count >= 0, MPI_ERR_COUNT, || {
                format!("the count {count} of rank {rank} is negative")
            })?;
        }
        Ok(())
    }
}

impl From<In<c_int>> for Numbers {
    fn from(list: In<c_int>) -> Self {
        Numbers::Int(list)
    }
}

impl From<In<MPI_Count>> for Numbers {
    fn from(list: In<MPI_Count>) -> Self {
        Numbers::Count(list)
    }
}

impl From<In<MPI_Aint>> for Numbers {
    fn from(list: In<MPI_Aint>) -> Self {
        Numbers::Aint(list)
    }
}

/// Whether the parts of all ranks have one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sizes {
    Equal,
    Any,
}

/// The bytes of each of `ranks` ranks.
pub(super) fn counts(ranks: u32, bytes: impl Fn(u32) -> u64) -> Counts {
    let first = if ranks > 0 { bytes(0) } else { 0 };
    match (1..ranks).all(|rank| bytes(rank) == first) {
        true => Counts::even(ranks, first),
        false => Counts::each((0..ranks).map(bytes)),
    }
}

/// A buffer that has a part for each rank, or for each neighbour.
#[derive(Clone)]
pub(super) struct Parts {
    ranks: u32,
    places: Places,
}

/// Where the parts are.
#[derive(Clone)]
enum Places {
    /// One behind the other; the buffer is the first.
    Even(Buffer),
    /// So many elements each, beginning with the element that is said.
    Each { first: Buffer, counts: Numbers, starts: Numbers },
    /// So many elements each of a datatype of its own, beginning with the byte that is said.
    Mixed { address: usize, counts: Numbers, starts: Numbers, types: Rc<[Rc<TypeObject>]> },
}

impl Parts {
    /// Parts of equal size, one behind the other.
    pub(super) fn even(
        ranks: u32,
        address: usize,
        count: i64,
        handle: MPI_Datatype,
    ) -> Result<Parts, Failure> {
        let places = Places::Even(Buffer::new(address, count, handle)?);
        Ok(Parts { ranks, places })
    }

    /// Parts of a size and at a place of their own.
    pub(super) fn each(
        ranks: u32,
        address: usize,
        (counts, starts): (impl Into<Numbers>, impl Into<Numbers>),
        handle: MPI_Datatype,
    ) -> Result<Parts, Failure> {
        let (counts, starts) = (counts.into(), starts.into());
        let first = Buffer::new(address, 0, handle)?;
        let parts = Parts { ranks, places: Places::Each { first, counts, starts } };
        parts.check(address, counts, starts)
    }

    /// Parts of a size, a datatype and at a place of their own.
    pub(super) fn mixed(
        ranks: u32,
        address: usize,
        (counts, starts): (impl Into<Numbers>, impl Into<Numbers>),
        handles: In<MPI_Datatype>,
    ) -> Result<Parts, Failure> {
        let (counts, starts) = (counts.into(), starts.into());
        let handles = handles.given(ranks as usize, "datatypes")?.slice(ranks as usize);
        let types: Result<Rc<[_]>, Failure> =
            handles.iter().map(|handle| datatype::committed(*handle)).collect();
        let places = Places::Mixed { address, counts, starts, types: types? };
        Parts { ranks, places }.check(address, counts, starts)
    }

    fn check(self, address: usize, counts: Numbers, starts: Numbers) -> Result<Parts, Failure> {
        counts.are_counts(self.ranks)?;
        starts.are_given(self.ranks)?;
        let needs_place = |part: Buffer| part.count > 0 && part.datatype.dense > Some(0);
        if address == 0 && (0..self.ranks).any(|rank| needs_place(self.part(rank))) {
            return bad(MPI_ERR_BUFFER, "a null buffer for some elements");
        }
        Ok(self)
    }

    /// The part of one rank.
    pub(super) fn part(&self, rank: u32) -> Buffer {
        match &self.places {
            Places::Even(first) => first.at(i64::from(rank) * first.count, first.count),
            Places::Each { first, counts, starts } => {
                first.at(starts.of(rank, self.ranks), counts.of(rank, self.ranks))
            }
            Places::Mixed { address, counts, starts, types } => Buffer {
                address: address.wrapping_add_signed(starts.of(rank, self.ranks) as isize),
                count: counts.of(rank, self.ranks),
                datatype: types[rank as usize].clone(),
            },
        }
    }

    /// Whether two buffers begin at the same place and both have data.
    pub(super) fn begins_with(&self, other: &Parts) -> bool {
        self.address() == other.address() && self.has_data() && other.has_data()
    }

    fn address(&self) -> usize {
        match &self.places {
            Places::Even(first) | Places::Each { first, .. } => first.address,
            Places::Mixed { address, .. } => *address,
        }
    }

    fn has_data(&self) -> bool {
        (0..self.ranks).any(|rank| self.bytes(rank) > 0)
    }

    fn bytes(&self, rank: u32) -> u64 {
        match &self.places {
            Places::Even(first) => first.bytes(),
            Places::Each { first, counts, .. } => {
                counts.of(rank, self.ranks) as u64 * first.datatype.datatype.size()
            }
            Places::Mixed { counts, types, .. } => {
                counts.of(rank, self.ranks) as u64 * types[rank as usize].datatype.size()
            }
        }
    }

    /// The sizes in bytes.
    pub(super) fn counts(&self) -> Counts {
        match &self.places {
            Places::Even(first) => Counts::even(self.ranks, first.bytes()),
            _ => counts(self.ranks, |rank| self.bytes(rank)),
        }
    }

    /// The buffer as a whole, if its parts lie one behind the other.
    fn whole(&self) -> Option<Buffer> {
        match &self.places {
            Places::Even(first) => Some(first.at(0, first.count * i64::from(self.ranks))),
            _ => None,
        }
    }

    /// Address and bytes, if all parts lie one behind the other, without holes and not folded.
    pub(super) fn solid(&self) -> Option<(usize, u64)> {
        let whole = self.whole()?;
        (whole.datatype.dense.is_some() && !whole.is_folded())
            .then(|| (whole.address, whole.bytes()))
    }

    /// What all parts hold, side by side.
    pub(super) fn copied(&self) -> Payload {
        if let Some(whole) = self.whole() {
            return whole.copied();
        }
        let total: u64 = (0..self.ranks).map(|rank| self.bytes(rank)).sum();
        let with_data = || (0..self.ranks).map(|rank| self.part(rank)).filter(|p| p.bytes() > 0);
        if total > 0 && with_data().all(|part| part.is_folded()) {
            return Payload::Size(total);
        }
        let mut packed = Vec::with_capacity(total as usize);
        for rank in 0..self.ranks {
            self.part(rank).pack_onto(&mut packed);
        }
        Payload::Bytes(packed.into())
    }

    /// Adds the parts to what a checker is told: to be sent.
    pub(super) fn sent(&self, call: Described) -> Described {
        let claims = self.pieces().iter().map(Claim::reads).chain(call.claims).collect();
        Described { send: self.side(), claims, ..call }
    }

    /// Adds the parts to what a checker is told: to be received. What is sent from the part of
    /// rank `own` stays in its place.
    pub(super) fn received(&self, mut call: Described, own: Option<u32>) -> Described {
        if let Some(own) = own.filter(|own| *own < self.ranks) {
            call.stays(&self.part(own));
        }
        call.claims.extend(self.pieces().iter().map(Claim::writes));
        Described { receive: self.side(), ..call }
    }

    /// As few buffers as there are.
    fn pieces(&self) -> Vec<Buffer> {
        match self.whole() {
            Some(whole) => vec![whole],
            None => (0..self.ranks).map(|rank| self.part(rank)).collect(),
        }
    }

    fn side(&self) -> Side {
        match &self.places {
            Places::Even(first) => Side::One(Piece::of(first)),
            _ => Side::Each((0..self.ranks).map(|rank| Piece::of(&self.part(rank))).collect()),
        }
    }

    /// Puts what came for all parts, side by side, in its places.
    pub(super) fn land(&self, brought: &Payload) -> Outcome {
        if let Some(whole) = self.whole() {
            return super::check::land(&whole, brought);
        }
        let total = (0..self.ranks).map(|rank| self.bytes(rank)).sum();
        check_length(brought.len(), total)?;
        let mut rest = brought.bytes();
        for rank in 0..self.ranks {
            let part = self.part(rank);
            // Of a size alone there are no bytes.
            let (now, later) = rest.split_at((part.bytes() as usize).min(rest.len()));
            part.unpack(now);
            rest = later;
        }
        Ok(())
    }
}
