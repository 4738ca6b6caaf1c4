//! How far a long run has come, said once a while on standard error.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::figures::{many, time};
use crate::interrupt::Interrupt;
use crate::notes;
use crate::run_options::Progress;

/// Short runs are left alone.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the clock is looked at.
const GLANCE: Duration = Duration::from_millis(50);
/// How often a line is said where there is no terminal.
const LINE: Duration = Duration::from_secs(5);

/// Follows a run date by date. The wall clock is read every so many dates only, so that following
/// costs next to nothing.
pub(crate) struct Follower {
    interrupt: Interrupt,
    voice: Voice,
    /// Dates so far, up to the last look at the clock.
    dates: u64,
    /// Dates between two looks, and until the next.
    stride: u64,
    left: u64,
    last_look: Instant,
}

/// How progress is said.
pub(crate) struct Voice {
    manner: Manner,
    start: Instant,
    last_word: Option<Instant>,
}

enum Manner {
    Silent,
    Lines,
    Bar(ProgressBar),
}

impl Follower {
    /// Follows a run that starts now.
    pub(crate) fn new(progress: Progress, interrupt: Interrupt) -> Self {
        let (voice, last_look) = (Voice::new(progress), Instant::now());
        Self { interrupt, voice, dates: 0, stride: 1, left: 1, last_look }
    }

    /// Notes that simulated time has come to `date`; false if the run should end.
    pub(crate) fn goes_on(&mut self, date: f64) -> bool {
        self.left -= 1;
        self.left > 0 || self.look(date)
    }

    #[cold]
    fn look(&mut self, date: f64) -> bool {
        let now = Instant::now();
        self.dates += self.stride;
        self.stride = next_stride(self.stride, now - self.last_look);
        self.left = self.stride;
        self.last_look = now;
        self.voice.say(|elapsed| line(date, self.dates, elapsed));
        !self.interrupt.was_heard()
    }
}

impl Voice {
    /// Speaks of a run that starts now.
    pub(crate) fn new(progress: Progress) -> Self {
        let manner = match (progress, stderr().is_terminal()) {
            (Progress::Never, _) | (Progress::Auto, false) => Manner::Silent,
            (Progress::Always, false) => Manner::Lines,
            (_, true) => Manner::Bar(hidden_bar()),
        };
        Self { manner, start: Instant::now(), last_word: None }
    }

    /// Whether anything is ever said.
    pub(crate) fn is_silent(&self) -> bool {
        matches!(self.manner, Manner::Silent)
    }

    /// Says how far the run has come, if it is time to; the text is told the time since the start.
    pub(crate) fn say(&mut self, text: impl Fn(Duration) -> String) {
        let now = Instant::now();
        let elapsed = now - self.start;
        if elapsed < PATIENCE {
            return;
        }
        let text = || text(elapsed);
        match &self.manner {
            Manner::Silent => {}
            Manner::Bar(bar) => {
                if self.last_word.is_none() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                self.last_word = Some(now);
                bar.set_message(text());
                bar.tick();
            }
            Manner::Lines => {
                if self.last_word.is_none_or(|last| now - last >= LINE) {
                    notes::plain(&text());
                    self.last_word = Some(now);
                }
            }
        }
    }
}

impl Drop for Voice {
    fn drop(&mut self) {
        if let Manner::Bar(bar) = &self.manner {
            bar.finish_and_clear();
        }
    }
}

fn hidden_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    let style = ProgressStyle::with_template("{spinner} {msg}");
    bar.set_style(style.expect("the template is a sound one"));
    bar
}

/// So many dates that the next look comes after about [`GLANCE`].
pub(crate) fn next_stride(stride: u64, took: Duration) -> u64 {
    let wanted = GLANCE.as_secs_f64() / took.as_secs_f64().max(1e-9) * stride as f64;
    // One quick stretch does not tell much about the next.
    (wanted as u64).clamp(1, 2 * stride)
}

fn line(date: f64, dates: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = many(dates as f64 / seconds);
    format!("{} simulated in {seconds:.0} s, {rate} dates/s", time(date))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_are_rare_when_dates_are_quick_and_frequent_when_they_are_slow() {
        let mut stride = 1;
        for _ in 0..40 {
            // A microsecond each.
            stride = next_stride(stride, Duration::from_micros(stride));
        }
        assert_eq!(stride, 50_000);
        assert_eq!(next_stride(stride, Duration::from_secs(5000)), 1);
    }

    #[test]
    fn a_line_tells_how_far_and_how_fast() {
        let text = line(0.0125, 3_000_000, Duration::from_secs(2));
        assert_eq!(text, "12.5 ms simulated in 2 s, 1.50 million dates/s");
    }

    #[test]
    fn an_interrupted_run_ends_at_the_next_look() {
        let interrupt = Interrupt::default();
        let mut follower = Follower::new(Progress::Never, interrupt.clone());
        assert!(follower.goes_on(0.0));
        interrupt.press();
        assert!((0..1_000_000).any(|date| !follower.goes_on(f64::from(date))));
    }
}
