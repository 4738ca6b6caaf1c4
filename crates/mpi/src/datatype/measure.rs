//! What is known of a datatype once it is made: sizes, bounds, signature, layout.

use std::rc::Rc;

use super::basic::Basic;
use super::bounds::{Bounds, around};
use super::layout::{Layout, Sequence};
use super::recipe::{Blocks, Body, Recipe};
use super::signature::Signature;
use crate::error::{Error, Result};

/// The properties of some data. Bounds of data that has none are missing.
#[derive(Debug, Clone)]
pub(super) struct Measure {
    /// Bytes of data.
    pub(super) size: u64,
    /// Bytes of data in external32.
    pub(super) external: u64,
    /// The largest alignment of a basic element.
    pub(super) alignment: u64,
    /// Around the bytes of data.
    pub(super) data: Option<Bounds>,
    /// Around the bounds that were set explicitly, which count instead of the others.
    pub(super) marks: Option<Bounds>,
    pub(super) signature: Signature,
    pub(super) layout: Rc<Layout>,
}

impl Measure {
    /// The measure of what a recipe makes; refuses arguments that make no sense.
    pub(super) fn of(recipe: &Recipe) -> Result<Measure> {
        check_arguments(recipe)?;
        let measure = match recipe.body() {
            Body::Basic(basic) => Some(Measure::basic(basic)),
            Body::Strided { count, block, stride, of } => {
                let block = of.measure().repeated(block as u64, of.extent());
                block.and_then(|block| block.repeated(count as u64, stride))
            }
            Body::Blocks(blocks) => Measure::blocks(blocks),
        };
        measure.filter(Measure::is_representable).ok_or_else(|| overflow(recipe))
    }

    /// The bounds, with padding up to the alignment unless they were set explicitly. MPI 4.1
    /// section 5.1.7.
    pub(super) fn bounds(&self) -> Option<Bounds> {
        match (self.marks, self.data) {
            (Some(marks), _) => Some(marks),
            (None, Some(data)) => data.padded(self.alignment),
            (None, None) => Some(Bounds { lower: 0, upper: 0 }),
        }
    }

    fn is_representable(&self) -> bool {
        let has_extent = |bounds: Option<Bounds>| bounds.and_then(Bounds::extent).is_some();
        let size = i64::try_from(self.size.max(self.external));
        size.is_ok() && has_extent(self.bounds()) && (self.data.is_none() || has_extent(self.data))
    }

    fn empty() -> Measure {
        Measure {
            size: 0,
            external: 0,
            alignment: 1,
            data: None,
            marks: None,
            signature: Signature::default(),
            layout: Rc::new(Layout::run(0, 0)),
        }
    }

    fn basic(basic: Basic) -> Measure {
        let mut runs = Sequence::default();
        let mut upper = 0;
        for (part, offset) in basic.parts() {
            runs.push(Layout::run(offset as i64, part.size()));
            upper = (offset + part.size()) as i64;
        }
        Measure {
            size: basic.size(),
            external: basic.external32_size(),
            alignment: basic.alignment(),
            data: Some(Bounds { lower: 0, upper }),
            marks: None,
            signature: Signature::of(basic),
            layout: Rc::new(runs.finish()),
        }
    }

    /// `count` copies, `step` bytes apart; `None` if that is too far or too much.
    fn repeated(&self, count: u64, step: i64) -> Option<Measure> {
        match count {
            0 => return Some(Measure::empty()),
            1 => return Some(self.clone()),
            _ => (),
        }
        let spread = |bounds: Option<Bounds>| match bounds {
            Some(bounds) => bounds.repeated(count, step).map(Some),
            None => Some(None),
        };
        Some(Measure {
            size: self.size.checked_mul(count)?,
            external: self.external.checked_mul(count)?,
            alignment: self.alignment,
            data: spread(self.data)?,
            marks: spread(self.marks)?,
            signature: self.signature.repeated(count),
            layout: Rc::new(self.layout.repeated(count, step)),
        })
    }

    /// Blocks one behind the other in packing order.
    fn blocks(blocks: Blocks) -> Option<Measure> {
        let mut all = Measure::empty();
        let mut layouts = Sequence::default();
        for (displacement, length, of) in blocks.iter() {
            let block = of.measure().repeated(length, of.extent())?;
            let place = |bounds: Option<Bounds>| match bounds {
                Some(bounds) => bounds.shifted(displacement).map(Some),
                None => Some(None),
            };
            layouts.push(block.layout.shifted(displacement));
            all.size = all.size.checked_add(block.size)?;
            all.external = all.external.checked_add(block.external)?;
            all.alignment = all.alignment.max(block.alignment);
            all.data = around(all.data, place(block.data)?);
            all.marks = around(all.marks, place(block.marks)?);
            all.signature = all.signature.then(block.signature);
        }
        all.layout = Rc::new(layouts.finish());
        Some(all)
    }
}

/// Refuses negative counts, lists of different lengths, and strides past the range of addresses.
fn check_arguments(recipe: &Recipe) -> Result<()> {
    match recipe {
        Recipe::Vector { stride, of, .. } if stride.checked_mul(of.extent()).is_none() => {
            return Err(overflow(recipe));
        }
        Recipe::Struct { displacements, types, .. } if types.len() != displacements.len() => {
            let (types, displacements) = (types.len(), displacements.len());
            let message = format!("{types} types for {displacements} displacements of a structure");
            return Err(Error::BadArgument(message));
        }
        _ => (),
    }
    match recipe.body() {
        Body::Basic(_) => Ok(()),
        Body::Strided { count, block, .. } => non_negative(count).and(non_negative(block)),
        Body::Blocks(blocks) => check_blocks(recipe, blocks),
    }
}

fn check_blocks(recipe: &Recipe, blocks: Blocks) -> Result<()> {
    blocks.lengths.iter().try_for_each(|length| non_negative(*length))?;
    let has_one_length =
        matches!(recipe, Recipe::IndexedBlock { .. } | Recipe::HindexedBlock { .. });
    let (lengths, displacements) = (blocks.lengths.len(), blocks.displacements.len());
    if !has_one_length && lengths != displacements {
        let message = format!("{lengths} block lengths for {displacements} displacements");
        return Err(Error::BadArgument(message));
    }
    let is_near = |place: &i64| place.checked_mul(blocks.scale).is_some();
    if !blocks.displacements.iter().all(is_near) {
        return Err(overflow(recipe));
    }
    Ok(())
}

fn non_negative(count: i64) -> Result<()> {
    match count {
        0.. => Ok(()),
        _ => {
            Err(Error::BadArgument(format!("a count of {count} is negative: counts are 0 or more")))
        }
    }
}

fn overflow(recipe: &Recipe) -> Error {
    let combiner = recipe.combiner();
    Error::BadArgument(format!("a datatype ({combiner:?}) that reaches past 2^63 bytes"))
}
