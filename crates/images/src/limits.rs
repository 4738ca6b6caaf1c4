//! The kernel's limit on mappings, told before or after it is met.

use std::fs::File;
use std::io::{self, Read};

use crate::ImageError;

/// Checks that the process may have `more` mappings than it has now.
///
/// # Errors
///
/// Fails with the limit and what to set it to.
pub fn check_mappings(more: usize) -> Result<(), ImageError> {
    let (used, limit) = (used(), limit());
    if used + more <= limit { Ok(()) } else { Err(too_many(used, more, limit)) }
}

/// Explains why the kernel refused to map an image of `bytes` with `mappings`.
pub(crate) fn refused(bytes: usize, mappings: usize, source: io::Error) -> ImageError {
    let (used, limit) = (used(), limit());
    // The last mappings of an image may split reserved space, which takes two more.
    if source.raw_os_error() == Some(libc::ENOMEM) && used + mappings + 2 >= limit {
        too_many(used, mappings, limit)
    } else {
        ImageError::Memory { bytes, source }
    }
}

fn too_many(used: usize, more: usize, limit: usize) -> ImageError {
    // Twice what is known to be needed: the caller may want many more images.
    let needed = used + more;
    ImageError::MappingLimit { needed, used, limit, suggested: needed.next_power_of_two() * 2 }
}

/// `vm.max_map_count`.
fn limit() -> usize {
    let text = std::fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
    text.trim().parse().unwrap_or(65_530)
}

/// Mappings of this process, counted without large allocations: there may be no room for them.
fn used() -> usize {
    let Ok(mut maps) = File::open("/proc/self/maps") else { return 0 };
    let mut buffer = [0; 4096];
    let mut lines = 0;
    while let Ok(read @ 1..) = maps.read(&mut buffer) {
        lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_too_low_is_explained_with_the_command_that_raises_it() {
        let message = check_mappings(1 << 40).unwrap_err().to_string();
        assert!(message.contains("sysctl -w vm.max_map_count="), "{message}");
        assert!(check_mappings(1).is_ok());
    }
}
