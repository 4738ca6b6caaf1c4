//! The memory that ranks open to others.

use crate::error::{Error, Result};

/// A piece of a rank's memory, by address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Region {
    /// Where it begins.
    pub address: usize,
    /// How long it is.
    pub bytes: u64,
    /// What displacements are counted in.
    pub unit: u64,
}

/// What a rank has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Memories {
    /// One region, for the life of the window.
    One(Region),
    /// Regions that come and go; displacements are addresses.
    Dynamic(Vec<Region>),
}

impl Memories {
    /// The address that a displacement names.
    pub(super) fn address(&self, displacement: i64) -> usize {
        match self {
            Memories::One(region) => {
                let shift = displacement.wrapping_mul(region.unit as i64);
                region.address.wrapping_add_signed(shift as isize)
            }
            Memories::Dynamic(_) => displacement as usize,
        }
    }

    /// That `bytes` from an address on are open to others.
    pub(super) fn check(&self, address: usize, bytes: u64) -> Result<()> {
        match self {
            Memories::One(region) if region.reach(address).is_some_and(|open| open >= bytes) => {
                Ok(())
            }
            Memories::One(region) => Err(Error::RmaRange(format!(
                "{bytes} bytes from byte {} of a window of {} bytes",
                address.wrapping_sub(region.address) as isize,
                region.bytes
            ))),
            Memories::Dynamic(regions) if is_covered(regions, address, bytes) => Ok(()),
            Memories::Dynamic(_) => Err(Error::RmaRange(format!(
                "{bytes} bytes at address {address:#x}, which the target has not attached"
            ))),
        }
    }
}

impl Region {
    /// How many bytes there are from an address to the end, if it lies inside or at the end.
    fn reach(&self, address: usize) -> Option<u64> {
        let offset = address.checked_sub(self.address)? as u64;
        self.bytes.checked_sub(offset)
    }
}

/// Whether an access lies in regions that follow each other without a gap.
fn is_covered(regions: &[Region], address: usize, bytes: u64) -> bool {
    let (mut at, mut left) = (address, bytes);
    loop {
        let open = regions.iter().filter_map(|region| region.reach(at)).max();
        match open {
            Some(open) if open >= left => return true,
            Some(open @ 1..) => (at, left) = (at + open as usize, left - open),
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_stay_within_what_was_opened() {
        let one = Memories::One(Region { address: 1000, bytes: 80, unit: 8 });
        let at = |displacement| one.check(one.address(displacement), 16);
        assert!(at(0).is_ok() && at(8).is_ok());
        assert!(at(9).is_err() && at(-1).is_err() && at(i64::MAX).is_err());
        let dynamic = Memories::Dynamic(vec![Region { address: 64, bytes: 8, unit: 1 }]);
        assert!(dynamic.check(64, 8).is_ok() && dynamic.check(60, 8).is_err());
        let neighbours = [64, 72].map(|address| Region { address, bytes: 8, unit: 1 });
        let dynamic = Memories::Dynamic(neighbours.into());
        assert!(dynamic.check(66, 14).is_ok() && dynamic.check(66, 15).is_err());
        assert!(Memories::Dynamic(Vec::new()).check(64, 1).is_err());
    }
}
