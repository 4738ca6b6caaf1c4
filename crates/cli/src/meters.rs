//! What the simulator itself uses: processor time, memory.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// CPU seconds of this process so far, all its threads together.
pub(crate) fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// CPU seconds of the calling thread so far.
pub(crate) fn thread_cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

/// Largest resident memory of this process so far, where the system tells it.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    peak_of(&status)
}

fn peak_of(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// What a run of the simulator took.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Usage {
    pub(crate) cpu_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) peak_rss_bytes: Option<u64>,
}

/// A stopwatch over the whole work of a command.
#[derive(Debug)]
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: f64,
}

impl Stopwatch {
    /// Starts one.
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), cpu: cpu_seconds() }
    }

    /// What was used since.
    pub(crate) fn usage(&self) -> Usage {
        Usage {
            cpu_s: cpu_seconds() - self.cpu,
            wall_s: self.wall.elapsed().as_secs_f64(),
            peak_rss_bytes: peak_memory(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_read_in_bytes() {
        assert_eq!(peak_of("Name:\tx\nVmHWM:\t    1234 kB\nVmRSS:\t 1 kB\n"), Some(1_263_616));
        assert_eq!(peak_of("Name:\tx\n"), None);
    }

    #[test]
    fn processor_time_goes_on() {
        let before = cpu_seconds();
        let sum: u64 = (0..3_000_000_u64).map(std::hint::black_box).sum();
        assert!(sum > 0 && cpu_seconds() > before);
    }
}
