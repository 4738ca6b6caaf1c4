//! How much memory this process may still take.

use std::fs;

/// Bytes that this computer has free, or would free for us, and that this process may take; zero if
/// the system does not tell.
pub(crate) fn bytes() -> usize {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let here = available(&read("/proc/meminfo"));
    let limit = limited(&read("/sys/fs/cgroup/memory.max"), &read("/sys/fs/cgroup/memory.current"));
    limit.map_or(here, |limit| here.min(limit))
}

/// Whether this is a virtual machine whose host takes free memory back, the largest pieces first
/// (`VIRTIO_BALLOON_F_REPORTING`). Large pages then have to be fetched from the host each time,
/// which takes several times as long as the small ones that were in use of late.
pub(crate) fn is_taken_back() -> bool {
    let Ok(devices) = fs::read_dir("/sys/bus/virtio/devices") else { return false };
    devices.flatten().any(|device| {
        let read = |name| fs::read_to_string(device.path().join(name)).unwrap_or_default();
        reports_free_memory(&read("device"), &read("features"))
    })
}

/// Whether a device is a balloon, by its number, that reports free memory, by its features: a digit
/// for each, the first one first.
fn reports_free_memory(device: &str, features: &str) -> bool {
    const BALLOON: &str = "0x0005";
    const REPORTING: usize = 5;
    device.trim() == BALLOON && features.as_bytes().get(REPORTING) == Some(&b'1')
}

/// What the kernel says is available, in bytes.
fn available(meminfo: &str) -> usize {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    kilobytes.map_or(0, |kilobytes: usize| kilobytes.saturating_mul(1024))
}

/// What a container leaves, if it has a limit.
fn limited(most: &str, taken: &str) -> Option<usize> {
    let most: usize = most.trim().parse().ok()?;
    Some(most.saturating_sub(taken.trim().parse().unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_tells_in_kilobytes() {
        let meminfo = "MemTotal:       24681904 kB\nMemAvailable:   23794120 kB\n";
        assert_eq!(available(meminfo), 23_794_120 << 10);
        assert_eq!(available("MemTotal: 1 kB\n"), 0);
    }

    #[test]
    fn balloons_may_report_free_memory() {
        assert!(reports_free_memory("0x0005\n", "0110010100\n"));
        assert!(!reports_free_memory("0x0005\n", "0110000100\n"), "a balloon that does not");
        assert!(!reports_free_memory("0x0002\n", "0110010100\n"), "a disk");
        assert!(!reports_free_memory("", ""));
    }

    #[test]
    fn a_container_may_leave_less() {
        assert_eq!(limited("1000\n", "300\n"), Some(700));
        assert_eq!(limited("1000\n", ""), Some(1000));
        assert_eq!(limited("max\n", "300\n"), None);
    }
}
