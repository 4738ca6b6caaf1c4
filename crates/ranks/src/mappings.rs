//! Counting kernel mappings: a process that runs into the limit dies without a message.
//!
//! When `mmap` fails inside the allocator, reporting the failure needs memory too, and the
//! process can hang. So whoever makes many mappings asks here first.

use std::fs;

use crate::error::RanksError;

/// Mappings left to the program itself, to its libraries and to the allocator.
const RESERVE: usize = 1_000;

/// The kernel's default, used where the setting cannot be read.
const DEFAULT_LIMIT: usize = 65_530;

/// How many mappings a process may have: `vm.max_map_count`.
pub(crate) fn limit() -> usize {
    let text = fs::read_to_string("/proc/sys/vm/max_map_count").unwrap_or_default();
    text.trim().parse().unwrap_or(DEFAULT_LIMIT)
}

/// How many mappings this process has now.
pub(crate) fn used() -> usize {
    let text = fs::read("/proc/self/maps").unwrap_or_default();
    text.iter().filter(|byte| **byte == b'\n').count()
}

/// How many more mappings can be made without starving the rest of the process.
pub(crate) fn free() -> usize {
    limit().saturating_sub(used() + RESERVE)
}

/// Refuses early what would run into the limit later.
pub(crate) fn check(what: &'static str, needed: usize) -> Result<(), RanksError> {
    let free = free();
    if needed <= free {
        return Ok(());
    }
    let limit = limit();
    // Rounded up to thousands, with room: what a person would type.
    let advised = (limit + needed - free).div_ceil(10_000) * 10_000;
    Err(RanksError::Mappings { what, needed, free, limit, advised })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_uses_some_of_its_mappings() {
        assert!(used() > 5);
        assert!(used() < limit());
    }

    #[test]
    fn too_many_are_refused_with_the_setting_to_raise() {
        let error = check("100 things", limit() + 1).unwrap_err().to_string();
        assert!(error.contains("sysctl -w vm.max_map_count="), "{error}");
    }
}
