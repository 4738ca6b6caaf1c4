//! Measuring how long the program computes between two MPI calls.

use std::io;

/// Which clock tells how long a program computed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Clock {
    /// `CLOCK_MONOTONIC`: cheap, but counts time for which the processor was taken away.
    #[default]
    Wall,
    /// `CLOCK_THREAD_CPUTIME_ID`: right on a busy machine, at eight times the price of a reading.
    ThreadCpu,
}

impl Clock {
    /// Seconds since some fixed moment.
    #[inline]
    pub fn read(self) -> f64 {
        let id = match self {
            Clock::Wall => libc::CLOCK_MONOTONIC,
            Clock::ThreadCpu => libc::CLOCK_THREAD_CPUTIME_ID,
        };
        let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: writes the time to a local; both clocks exist on every Linux.
        unsafe { libc::clock_gettime(id, &mut now) };
        now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
    }
}

/// Measures stretches of computation on this thread.
#[derive(Debug)]
pub struct Stopwatch {
    clock: Clock,
    since: f64,
    preemptions: u64,
}

impl Stopwatch {
    /// A stopwatch that starts now.
    pub fn start(clock: Clock) -> Self {
        Self { clock, since: clock.read(), preemptions: preemptions() }
    }

    /// Seconds since the last start or lap; the next stretch begins here.
    #[inline]
    pub fn lap(&mut self) -> f64 {
        let now = self.clock.read();
        (now - std::mem::replace(&mut self.since, now)).max(0.0)
    }

    /// Begins a stretch now, forgetting what passed since the last one.
    #[inline]
    pub fn restart(&mut self) {
        self.since = self.clock.read();
    }

    /// How often the processor was taken from this thread since the stopwatch was started.
    ///
    /// Each time may have added milliseconds to a stretch measured by [`Clock::Wall`]. A system
    /// call: for the end of a run.
    pub fn preemptions(&self) -> u64 {
        preemptions().saturating_sub(self.preemptions)
    }

    /// A sentence for the user if measured times are doubtful: preempted more than once a second.
    pub fn doubt(&self, measured: f64) -> Option<String> {
        let times = self.preemptions();
        if self.clock == Clock::ThreadCpu || times as f64 <= measured.max(1.0) {
            return None;
        }
        Some(format!(
            "the processor was taken away {times} times while {measured:.1} s of computation were \
             measured: other work ran on this machine, and measured times may be too long; \
             measure processor time instead, or run on an idle machine"
        ))
    }
}

/// Involuntary context switches of this thread so far.
fn preemptions() -> u64 {
    // SAFETY: a structure of integers, filled by the call.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: writes to the local.
    let result = unsafe { libc::getrusage(libc::RUSAGE_THREAD, &mut usage) };
    debug_assert_eq!(result, 0, "{}", io::Error::last_os_error());
    u64::try_from(usage.ru_nivcsw).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laps_add_up() {
        for clock in [Clock::Wall, Clock::ThreadCpu] {
            let mut watch = Stopwatch::start(clock);
            let start = watch.since;
            let sum = watch.lap() + watch.lap();
            assert!((sum - (watch.since - start)).abs() < 1e-9);
        }
    }

    #[test]
    fn sleeping_is_not_computing() {
        let mut watch = Stopwatch::start(Clock::ThreadCpu);
        std::thread::sleep(std::time::Duration::from_millis(50));
        assert!(watch.lap() < 0.025);
    }

    #[test]
    fn few_preemptions_are_no_doubt() {
        let watch = Stopwatch::start(Clock::Wall);
        assert_eq!(watch.doubt(1e9), None);
    }
}
