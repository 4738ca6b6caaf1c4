//! Counting and visiting basic elements. MPI 4.1 sections 3.2.5 and 5.1.11.

use super::Datatype;
use super::basic::Basic;
use super::recipe::Body;
use super::signature::Signature;

impl Datatype {
    /// `MPI_Get_count`: how many elements of this type `bytes` of packed data are; nothing if not
    /// a whole number.
    pub fn count(&self, bytes: u64) -> Option<u64> {
        match self.size() {
            0 => (bytes == 0).then_some(0),
            size => bytes.is_multiple_of(size).then_some(bytes / size),
        }
    }

    /// `MPI_Get_elements`: how many basic elements `bytes` of packed data are; nothing if not a
    /// whole number. The two of a pair count each.
    pub fn elements(&self, bytes: u64) -> Option<u64> {
        let prefix = Prefix::of(self, Limit::Bytes(bytes));
        (prefix.bytes == bytes).then_some(prefix.signature.elements())
    }

    /// The bytes of the first `elements` basic elements, as `MPI_Status_set_elements` needs them;
    /// nothing for elements of a type without any.
    pub fn bytes_of_elements(&self, elements: u64) -> Option<u64> {
        let prefix = Prefix::of(self, Limit::Elements(elements));
        (prefix.signature.elements() == elements).then_some(prefix.bytes)
    }

    /// The signature of the first `elements` basic elements: what a shorter message has to match.
    pub fn signature_of_elements(&self, elements: u64) -> Signature {
        Prefix::of(self, Limit::Elements(elements)).signature
    }

    /// Calls `visit` with each basic element of `count` elements and its offset from the buffer's
    /// address, in packing order. A pair is visited as one.
    pub fn for_each_basic(&self, count: i64, mut visit: impl FnMut(Basic, i64)) {
        self.for_each_array(count, |basic, offset, number| {
            for index in 0..number {
                visit(basic, offset.wrapping_add((index * basic.extent()) as i64));
            }
        });
    }

    /// As [`Datatype::for_each_basic`], with elements that form an array given together: their
    /// type, the offset of the first, their number.
    pub fn for_each_array(&self, count: i64, mut visit: impl FnMut(Basic, i64, u64)) {
        place(self, 0, count.max(0) as u64, self.extent(), &mut visit);
    }
}

/// Visits `count` elements that are `step` bytes apart.
fn place<F: FnMut(Basic, i64, u64)>(
    of: &Datatype,
    base: i64,
    count: u64,
    step: i64,
    visit: &mut F,
) {
    let at = |index: u64| base.wrapping_add(step.wrapping_mul(index as i64));
    match of.body() {
        Body::Basic(basic) if step == basic.extent() as i64 => {
            if count > 0 {
                visit(basic, base, count);
            }
        }
        Body::Basic(basic) => (0..count).for_each(|index| visit(basic, at(index), 1)),
        body => (0..count).for_each(|index| walk(body, at(index), visit)),
    }
}

/// Visits one element that is not basic.
fn walk<F: FnMut(Basic, i64, u64)>(body: Body, base: i64, visit: &mut F) {
    match body {
        Body::Basic(basic) => visit(basic, base, 1),
        Body::Strided { count, block, stride, of } => {
            for index in 0..count {
                let base = base.wrapping_add(stride.wrapping_mul(index));
                place(of, base, block as u64, of.extent(), visit);
            }
        }
        Body::Blocks(blocks) => {
            for (displacement, length, of) in blocks.iter() {
                place(of, base.wrapping_add(displacement), length, of.extent(), visit);
            }
        }
    }
}

/// How far to go in a sequence of basic elements.
#[derive(Clone, Copy)]
enum Limit {
    Bytes(u64),
    Elements(u64),
}

/// The whole basic elements at the beginning of a sequence.
struct Prefix {
    limit: Limit,
    bytes: u64,
    signature: Signature,
}

impl Prefix {
    /// As many elements of endless copies of `datatype` as the limit allows.
    fn of(datatype: &Datatype, limit: Limit) -> Prefix {
        let mut prefix = Prefix { limit, bytes: 0, signature: Signature::default() };
        if datatype.size() > 0 {
            prefix.take(datatype, u64::MAX);
        }
        prefix
    }

    /// Takes up to `copies` of a datatype and, when there is no room for another one, its
    /// beginning. Says whether all copies were taken.
    fn take(&mut self, of: &Datatype, copies: u64) -> bool {
        if self.take_whole(of.size(), of.measure().signature, copies) {
            return true;
        }
        match of.body() {
            Body::Basic(basic) => {
                let fits =
                    |(part, _): (Basic, u64)| self.take_whole(part.size(), Signature::of(part), 1);
                basic.parts().all(fits)
            }
            Body::Strided { count, block, of, .. } => self.take(of, count as u64 * block as u64),
            Body::Blocks(blocks) => blocks.iter().all(|(_, length, of)| self.take(of, length)),
        }
    }

    /// Takes as many copies as there is room for; says whether that was all.
    fn take_whole(&mut self, size: u64, signature: Signature, copies: u64) -> bool {
        let room = match self.limit {
            Limit::Bytes(bytes) => (bytes - self.bytes).checked_div(size),
            Limit::Elements(elements) => {
                (elements - self.signature.elements()).checked_div(signature.elements())
            }
        };
        // Copies of nothing always fit and change nothing.
        let Some(room) = room else { return true };
        let taken = copies.min(room);
        self.bytes = self.bytes.saturating_add(taken.saturating_mul(size));
        self.signature = self.signature.then(signature.repeated(taken));
        taken == copies
    }
}
