//! Messages, as their records tell them.

use std::path::Path;

use super::header::Header;
use crate::colons::{Colons, Lines};
use crate::mistake::{Mistake, Problem};

/// A message of which all is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Flight {
    pub(super) from: u32,
    pub(super) to: u32,
    pub(super) called: u64,
    pub(super) departed: u64,
    pub(super) posted: u64,
    pub(super) arrived: u64,
    pub(super) bytes: u64,
    pub(super) tag: i32,
}

impl Flight {
    /// A record behind its kind; none if one of its ends is no first thread of the application.
    pub(super) fn parse(header: &Header, fields: &mut Colons<'_>) -> Result<Option<Self>, Mistake> {
        let from = header.rank(fields)?;
        let called = fields.natural("the date of the send")?;
        let departed = fields.natural("when it left")?;
        let to = header.rank(fields)?;
        let posted = fields.natural("the date of the receive")?;
        let arrived = fields.natural("when it came")?;
        let bytes = size(fields.whole("a number of bytes")?)?;
        let tag = fields.whole("the tag")?;
        let (Some(from), Some(to)) = (from, to) else { return Ok(None) };
        let tag = tag.clamp(0, i64::from(i32::MAX)) as i32;
        Ok(Some(Self { from, to, called, departed, posted, arrived, bytes, tag }))
    }

    /// Whether it came before the call that sent it was over. Extrae's record of it is behind that
    /// call, which is too late for the receiver.
    pub(super) fn is_early(&self) -> bool {
        self.arrived < self.departed
    }

    /// When it is to be known: where clocks of nodes differ, messages come before they are sent.
    fn first_date(&self) -> u64 {
        self.called.min(self.arrived)
    }
}

/// Extrae writes sizes from 2 GiB on as negative numbers.
fn size(bytes: i64) -> Result<u64, Mistake> {
    match bytes {
        0.. => Ok(bytes.unsigned_abs()),
        bytes if bytes >= i64::from(i32::MIN) => Ok((bytes + (1 << 32)).unsigned_abs()),
        bytes => Err(Mistake(format!("a number of bytes cannot be {bytes}"))),
    }
}

/// The early messages of a trace in the order in which they are to be known. What makes no sense
/// is passed over here, since whoever reads the trace as a whole tells it.
pub(super) fn early(path: &Path, header: &Header) -> Result<Vec<(u64, Flight)>, Problem> {
    let mut found = Vec::new();
    let mut lines = Lines::open(path)?;
    while lines.advance()? {
        let Some(record) = lines.line().strip_prefix(b"3:") else { continue };
        if let Ok(Some(flight)) = Flight::parse(header, &mut Colons::new(record))
            && flight.is_early()
        {
            found.push((flight.first_date(), flight));
        }
    }
    found.sort_by_key(|(date, _)| *date);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_do_not_fit_are_those_that_were_meant() {
        let check = |written, meant| assert_eq!(size(written).unwrap(), meant);
        check(7, 7);
        check(-1, (1 << 32) - 1);
        check(i64::from(i32::MIN), 1 << 31);
        assert!(size(i64::from(i32::MIN) - 1).is_err());
    }
}
