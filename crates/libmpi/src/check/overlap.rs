//! Buffers of operations under way, and those that others must not touch meanwhile.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::operation::Operation;
use crate::buffer::Buffer;

/// What an operation does to a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A buffer that an operation uses.
#[derive(Clone)]
pub(crate) struct Claim {
    pub(crate) buffer: Buffer,
    pub(crate) access: Access,
}

impl Claim {
    pub(crate) fn reads(buffer: &Buffer) -> Claim {
        Claim { buffer: buffer.clone(), access: Access::Read }
    }

    pub(crate) fn writes(buffer: &Buffer) -> Claim {
        Claim { buffer: buffer.clone(), access: Access::Write }
    }

    /// The addresses between which its bytes lie; none without bytes.
    fn span(&self) -> Option<Range<usize>> {
        let Buffer { address, count, datatype } = &self.buffer;
        let span = datatype.datatype.span(*count)?;
        if span.is_empty() || self.buffer.bytes() == 0 {
            return None;
        }
        let at = |offset: i64| address.wrapping_add_signed(offset as isize);
        Some(at(span.start)..at(span.end))
    }

    /// The same, unless it lies in folded memory, which overlaps by the will of who folds it.
    fn own_span(&self) -> Option<Range<usize>> {
        if self.buffer.is_folded() { None } else { self.span() }
    }

    /// The first byte that both touch, if one of them writes.
    pub(super) fn conflict(&self, other: &Claim) -> Option<usize> {
        if (self.access, other.access) == (Access::Read, Access::Read) {
            return None;
        }
        let (mine, theirs) = (self.own_span()?, other.own_span()?);
        let common = mine.start.max(theirs.start)..mine.end.min(theirs.end);
        if common.is_empty() {
            return None;
        }
        match (self.buffer.datatype.dense, other.buffer.datatype.dense) {
            (Some(_), Some(_)) => Some(common.start),
            _ => first_common(&runs(&self.buffer), &runs(&other.buffer)),
        }
    }
}

/// The runs of bytes of a buffer, in order of address.
fn runs(buffer: &Buffer) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    buffer.datatype.datatype.for_each_run(buffer.count, 0..buffer.bytes(), |offset, bytes| {
        let start = buffer.address.wrapping_add_signed(offset as isize);
        runs.push(start..start.wrapping_add(bytes as usize));
    });
    runs.sort_unstable_by_key(|run| run.start);
    runs
}

fn first_common(one: &[Range<usize>], other: &[Range<usize>]) -> Option<usize> {
    let (mut i, mut j) = (0, 0);
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        let start = a.start.max(b.start);
        if start < a.end.min(b.end) {
            return Some(start);
        }
        if a.end <= b.end {
            i += 1;
        } else {
            j += 1;
        }
    }
    None
}

/// Buffers of the operations of one rank that are under way.
#[derive(Default)]
pub(super) struct Buffers {
    /// By first address, operation, and which of its buffers.
    spans: BTreeMap<(usize, u64, usize), Rc<Operation>>,
    /// The longest span that ever was here: what begins further before an address ends before it.
    longest: usize,
}

impl Buffers {
    /// Takes note of the buffers of an operation.
    pub(super) fn claim(&mut self, operation: &Rc<Operation>) {
        for (at, claim) in operation.claims.iter().enumerate() {
            if let Some(span) = claim.own_span() {
                self.longest = self.longest.max(span.end - span.start);
                self.spans.insert((span.start, operation.number, at), operation.clone());
            }
        }
    }

    /// The operation is complete.
    pub(super) fn release(&mut self, operation: &Operation) {
        for (at, claim) in operation.claims.iter().enumerate() {
            if let Some(span) = claim.span() {
                self.spans.remove(&(span.start, operation.number, at));
            }
        }
    }

    /// An operation under way whose buffer must not be used so, and the first byte of both.
    pub(super) fn conflict(&self, claim: &Claim) -> Option<(Rc<Operation>, usize, usize)> {
        let span = claim.own_span()?;
        let first = (span.start.saturating_sub(self.longest), 0, 0);
        self.spans.range(first..(span.end, 0, 0)).find_map(|((_, _, at), operation)| {
            let byte = operation.claims[*at].conflict(claim)?;
            Some((operation.clone(), *at, byte))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interleaved_runs_do_not_touch() {
        assert_eq!(first_common(&[0..4, 8..12], &[4..8, 12..16]), None);
        assert_eq!(first_common(&[0..4, 8..12], &[4..8, 11..16]), Some(11));
        assert_eq!(first_common(&[0..100, 100..200], &[100..110, 150..300]), Some(100));
        assert_eq!(first_common(&[], &[0..1, 2..3]), None);
    }
}
