//! The bytes of a datatype as a compact tree, and the fast walk over them.
//!
//! Adjacent bytes are one run, blocks at a regular distance are one node whatever their number.
//! A walk may begin and end anywhere in the packed sequence; it finds its place by division and
//! bisection, then steps through whole nodes.

use std::ops::Range;
use std::rc::Rc;

/// Equal blocks of bytes at a regular distance, `count` of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Group {
    /// Where the first block begins, from the buffer's address.
    pub offset: i64,
    /// Bytes of a block.
    pub bytes: u64,
    /// From the beginning of a block to that of the next.
    pub stride: i64,
    /// How many blocks.
    pub count: u64,
}

/// Where the data of a buffer lies, in the order in which it is packed.
#[derive(Debug, Clone)]
pub struct Layout {
    offset: i64,
    size: u64,
    shape: Shape,
}

#[derive(Debug, Clone)]
enum Shape {
    /// Nothing, or all `size` bytes in one piece.
    Run,
    /// Blocks of `block` bytes.
    Strided { block: u64, stride: i64 },
    /// Copies of a layout that is not one run.
    Repeated { of: Rc<Layout>, stride: i64 },
    /// Runs without any order.
    Runs(Rc<[Run]>),
    /// Layouts without any order, each with the place of its first byte in the packed sequence.
    Parts(Rc<[(u64, Layout)]>),
}

/// One run of many: its place in the packed sequence and in memory.
#[derive(Debug, Clone, Copy)]
struct Run {
    start: u64,
    offset: i64,
}

impl Layout {
    /// `size` bytes in one piece.
    pub(super) fn run(offset: i64, size: u64) -> Layout {
        Layout { offset, size, shape: Shape::Run }
    }

    /// Bytes of data.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The offset of all the data, if it is one run.
    pub fn as_run(&self) -> Option<i64> {
        matches!(self.shape, Shape::Run).then_some(self.offset)
    }

    /// Calls `visit` with the offset and length of each run of bytes, for the part `range` of the
    /// packed sequence. Runs come in packing order; adjacent ones may come apart.
    pub fn for_each_run(&self, range: Range<u64>, mut visit: impl FnMut(i64, u64)) {
        self.for_each_group(range, |group| {
            let mut offset = group.offset;
            for _ in 0..group.count {
                visit(offset, group.bytes);
                offset = offset.wrapping_add(group.stride);
            }
        });
    }

    /// As [`Layout::for_each_run`], with runs of the same length at a regular distance given
    /// together, so that they can be copied by a loop made for their length.
    pub fn for_each_group(&self, range: Range<u64>, mut visit: impl FnMut(Group)) {
        let end = range.end.min(self.size);
        if range.start < end {
            self.walk(0, range.start, end, &mut visit);
        }
    }

    /// Visits the bytes `from..to` of the packed sequence, of which there is at least one.
    fn walk<F: FnMut(Group)>(&self, base: i64, from: u64, to: u64, visit: &mut F) {
        let base = base.wrapping_add(self.offset);
        match &self.shape {
            Shape::Run => visit(single(base.wrapping_add(from as i64), to - from)),
            Shape::Strided { block, stride } => walk_blocks(base, *block, *stride, from..to, visit),
            Shape::Repeated { of, stride } => {
                for index in from / of.size..=(to - 1) / of.size {
                    let start = index * of.size;
                    let base = base.wrapping_add(stride.wrapping_mul(index as i64));
                    of.walk(base, from.max(start) - start, (to - start).min(of.size), visit);
                }
            }
            Shape::Runs(runs) => {
                let first = runs.partition_point(|run| run.start <= from) - 1;
                for (index, run) in runs.iter().enumerate().skip(first) {
                    if run.start >= to {
                        break;
                    }
                    let end = runs.get(index + 1).map_or(self.size, |next| next.start).min(to);
                    let skipped = from.saturating_sub(run.start);
                    let offset = base.wrapping_add(run.offset).wrapping_add(skipped as i64);
                    visit(single(offset, end - run.start - skipped));
                }
            }
            Shape::Parts(parts) => {
                let first = parts.partition_point(|(start, _)| *start <= from) - 1;
                for (start, part) in parts[first..].iter().take_while(|(start, _)| *start < to) {
                    let end = (to - start).min(part.size);
                    part.walk(base, from.saturating_sub(*start), end, visit);
                }
            }
        }
    }

    /// Moved by `displacement` bytes.
    pub(super) fn shifted(&self, displacement: i64) -> Layout {
        Layout { offset: self.offset.wrapping_add(displacement), ..self.clone() }
    }

    /// `count` copies, `stride` bytes apart.
    pub(super) fn repeated(self: &Rc<Layout>, count: u64, stride: i64) -> Layout {
        if count == 0 || self.size == 0 {
            return Layout::run(0, 0);
        }
        if count == 1 {
            return Layout::clone(self);
        }
        let size = self.size.saturating_mul(count);
        let continues = |inner: i64, copies: u64| inner.checked_mul(copies as i64) == Some(stride);
        let shape = match &self.shape {
            Shape::Run if u64::try_from(stride) == Ok(self.size) => Shape::Run,
            Shape::Run => Shape::Strided { block: self.size, stride },
            Shape::Strided { block, stride } if continues(*stride, self.size / block) => {
                self.shape.clone()
            }
            Shape::Repeated { of, stride } if continues(*stride, self.size / of.size) => {
                self.shape.clone()
            }
            _ => {
                return Layout {
                    offset: 0,
                    size,
                    shape: Shape::Repeated { of: self.clone(), stride },
                };
            }
        };
        Layout { offset: self.offset, size, shape }
    }
}

/// Puts layouts one behind the other, merging what touches.
#[derive(Debug, Default)]
pub(super) struct Sequence {
    parts: Vec<Layout>,
}

impl Sequence {
    /// Appends a layout.
    pub(super) fn push(&mut self, layout: Layout) {
        if layout.size == 0 {
            return;
        }
        match (self.parts.last_mut(), layout.as_run()) {
            (Some(last), Some(offset))
                if last.as_run().and_then(|start| start.checked_add(last.size as i64))
                    == Some(offset) =>
            {
                last.size += layout.size;
            }
            _ => self.parts.push(layout),
        }
    }

    /// All of them as one.
    pub(super) fn finish(mut self) -> Layout {
        if self.parts.len() <= 1 {
            return self.parts.pop().unwrap_or(Layout::run(0, 0));
        }
        let size = self.parts.iter().map(|part| part.size).sum();
        let is_runs = self.parts.iter().all(|part| part.as_run().is_some());
        if let Some(stride) = self.regular_stride().filter(|_| is_runs) {
            let Layout { offset, size: block, .. } = self.parts[0];
            return Layout { offset, size, shape: Shape::Strided { block, stride } };
        }
        let mut start = 0;
        let mut begins = |part: &Layout| {
            start += part.size;
            start - part.size
        };
        let parts = self.parts.into_iter();
        let shape = if is_runs {
            Shape::Runs(
                parts.map(|part| Run { start: begins(&part), offset: part.offset }).collect(),
            )
        } else {
            Shape::Parts(parts.map(|part| (begins(&part), part)).collect())
        };
        Layout { offset: 0, size, shape }
    }

    /// The distance between the parts, if all are equally long and equally far apart.
    fn regular_stride(&self) -> Option<i64> {
        let distance = |pair: &[Layout]| pair[1].offset.checked_sub(pair[0].offset);
        let stride = distance(&self.parts[..2])?;
        let is_regular =
            |pair: &[Layout]| pair[0].size == pair[1].size && distance(pair) == Some(stride);
        self.parts.windows(2).all(is_regular).then_some(stride)
    }
}

/// One run.
fn single(offset: i64, bytes: u64) -> Group {
    Group { offset, bytes, stride: 0, count: 1 }
}

/// Visits a part of regular blocks: the rest of a first one, whole ones, the beginning of a last.
fn walk_blocks<F: FnMut(Group)>(
    base: i64,
    block: u64,
    stride: i64,
    range: Range<u64>,
    visit: &mut F,
) {
    let place = |index: u64| base.wrapping_add(stride.wrapping_mul(index as i64));
    let (mut first, skipped) = (range.start / block, range.start % block);
    let (last, rest) = (range.end / block, range.end % block);
    if skipped > 0 {
        let bytes = (block - skipped).min(range.end - range.start);
        visit(single(place(first).wrapping_add(skipped as i64), bytes));
        first += 1;
    }
    if first < last {
        visit(Group { offset: place(first), bytes: block, stride, count: last - first });
    }
    if rest > 0 && first <= last {
        visit(single(place(last), rest));
    }
}
