//! The ranks of both sides of an inter-communicator.

use crate::fields::{Members, shown};
use crate::mistake::Mistake;

/// What stands between the two sides.
const BAR: u8 = b'|';

/// Both sides of an inter-communicator, in an order that all of its ranks agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sides<'a>([Members<'a>; 2]);

impl<'a> Sides<'a> {
    /// Reads all that is left of a line: the ranks of one side, a bar, those of the other.
    ///
    /// # Errors
    ///
    /// If there is no bar, or something is no run of ranks, or if a side has none or too many.
    pub fn parse(text: &'a [u8], ranks: u32) -> Result<Self, Mistake> {
        let bar = text.iter().position(|byte| *byte == BAR);
        let Some((first, second)) = bar.map(|bar| (&text[..bar], &text[bar + 1..])) else {
            let text = shown(text.trim_ascii());
            return Err(Mistake(format!(
                "expected the ranks of two sides with a | between, not {text}"
            )));
        };
        Ok(Self([Members::parse(first, ranks)?, Members::parse(second, ranks)?]))
    }

    /// Ranks as they are to stand in a line, for [`Sides::parse`].
    pub fn written(sides: [&[u32]; 2]) -> String {
        format!("{} |{}", Members::written(sides[0]), Members::written(sides[1]))
    }

    /// The ranks of each side, in order.
    pub fn each(&self) -> [Members<'a>; 2] {
        self.0
    }
}
