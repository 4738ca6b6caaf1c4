//! The child while it runs: progress is shown, signals are passed on.

use std::io::{IsTerminal, stderr, stdin, stdout};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use foretell_launch::{Outcome, Page, Progress};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::signal::{Signal, kill};
use nix::sys::time::TimeValLike;
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
use signal_hook::iterator::Signals;

use super::plan::Start;
use crate::figures::{count, time};
use crate::meters::{Stopwatch, Usage};
use crate::notes;
use crate::progress::Voice;

/// How often the page is looked at.
const GLANCE: Duration = Duration::from_millis(100);
/// Signals that are for the program.
const PASSED_ON: [i32; 6] = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2];

/// A child that has ended.
#[derive(Debug)]
pub(super) struct Ran {
    pub(super) status: ExitStatus,
    pub(super) progress: Progress,
    /// What its number was.
    pub(super) process: u32,
    /// The signal by which the user ended it.
    pub(super) ended_by: Option<i32>,
    used: Usage,
}

impl Ran {
    /// What the run took; the child knows its own memory best.
    pub(super) fn usage(&self, outcome: &Outcome) -> Usage {
        Usage { peak_rss_bytes: outcome.peak_rss_bytes.or(self.used.peak_rss_bytes), ..self.used }
    }

    /// Largest resident memory of the child.
    pub(super) fn peak_memory(&self) -> Option<u64> {
        self.used.peak_rss_bytes
    }
}

/// What the parent hears.
enum Event {
    Ended(std::io::Result<ExitStatus>),
    Signal(i32),
}

/// Starts the child and stays with it to its end.
pub(super) fn run(start: &mut Start, mut voice: Voice, since: &Stopwatch) -> Result<Ran> {
    let (sender, events) = channel();
    // Before the child is there, so that no signal is lost in between.
    listen(sender.clone())?;
    let name = start.command.get_program().to_string_lossy().into_owned();
    let child = start.command.spawn().with_context(|| format!("cannot start {name}"))?;
    let process = Pid::from_raw(child.id() as i32);
    if start.stops {
        notes::plain(&format!(
            "the program waits for a debugger before its first rank: `gdb -p {process}`, set \
             breakpoints, then `continue`; without one, `kill -CONT {process}`"
        ));
    }
    wait_apart(child, sender);
    let (status, ended_by) = follow(&events, process, &start.channels.page, &mut voice)?;
    drop(voice);
    let progress = start.channels.page.progress().unwrap_or_default();
    let process = process.as_raw() as u32;
    Ok(Ran { status, process, progress, ended_by, used: used(since.usage()) })
}

/// Passes signals on and shows progress, until the child has ended.
fn follow(
    events: &Receiver<Event>,
    child: Pid,
    page: &Page,
    voice: &mut Voice,
) -> Result<(ExitStatus, Option<i32>)> {
    let mut ended_by = None;
    loop {
        let event = match voice.is_silent() {
            true => events.recv().map_err(|_| RecvTimeoutError::Disconnected),
            false => events.recv_timeout(GLANCE),
        };
        match event {
            Ok(Event::Ended(status)) => {
                return Ok((status.context("cannot wait for the program")?, ended_by));
            }
            Ok(Event::Signal(signal)) => {
                pass_on(signal, ended_by, child);
                if ends(signal) {
                    ended_by = Some(signal);
                }
            }
            Err(RecvTimeoutError::Timeout) => {
                let progress = page.progress().unwrap_or_default();
                voice.say(|elapsed| line(&progress, elapsed));
            }
            Err(RecvTimeoutError::Disconnected) => {
                unreachable!("whoever waits for the child sends before it leaves")
            }
        }
    }
}

/// Gives a signal to the child; the second that asks for an end kills it.
fn pass_on(signal: i32, before: Option<i32>, child: Pid) {
    if ends(signal) && before.is_some() {
        kill(child, Signal::SIGKILL).ok();
        return;
    }
    // The keyboard's signals reach all programs of a terminal by themselves.
    let from_keyboard = matches!(signal, SIGINT | SIGQUIT) && has_terminal();
    if !from_keyboard {
        kill(child, Signal::try_from(signal).ok()).ok();
    }
}

fn has_terminal() -> bool {
    stdin().is_terminal() || stdout().is_terminal() || stderr().is_terminal()
}

/// Whether a signal asks a program to end.
fn ends(signal: i32) -> bool {
    matches!(signal, SIGINT | SIGQUIT | SIGTERM | SIGHUP)
}

fn listen(events: Sender<Event>) -> Result<()> {
    let mut signals = Signals::new(PASSED_ON).context("cannot listen to signals")?;
    thread::spawn(move || {
        for signal in signals.forever() {
            if events.send(Event::Signal(signal)).is_err() {
                break;
            }
        }
    });
    Ok(())
}

fn wait_apart(mut child: Child, events: Sender<Event>) {
    thread::spawn(move || {
        // Nobody is left to hear it if the parent has given up.
        events.send(Event::Ended(child.wait())).ok();
    });
}

/// Adds what the child used to our own.
fn used(own: Usage) -> Usage {
    let Ok(children) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return own };
    let seconds = |time: nix::sys::time::TimeVal| 1e-6 * time.num_microseconds() as f64;
    Usage {
        cpu_s: own.cpu_s + seconds(children.user_time()) + seconds(children.system_time()),
        wall_s: own.wall_s,
        peak_rss_bytes: u64::try_from(children.max_rss()).ok().map(|kilobytes| 1024 * kilobytes),
    }
}

fn line(progress: &Progress, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    format!(
        "{} simulated in {seconds:.0} s, {} messages, {} ranks ended",
        time(progress.date),
        count(progress.messages),
        count(progress.ended)
    )
}

/// The signal that ended a process, with its name.
pub(super) fn signal_of(status: ExitStatus) -> Option<(i32, &'static str)> {
    let number = status.signal()?;
    let name = Signal::try_from(number).map_or("an unknown signal", Signal::as_str);
    Some((number, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_how_far_the_run_has_come() {
        let progress = Progress { process: 1, date: 0.0125, ended: 3, messages: 123_456, dates: 9 };
        assert_eq!(
            line(&progress, Duration::from_secs(2)),
            "12.5 ms simulated in 2 s, 123,456 messages, 3 ranks ended"
        );
    }

    #[test]
    fn signals_have_names() {
        assert_eq!(signal_of(ExitStatus::from_raw(11)), Some((11, "SIGSEGV")));
        assert_eq!(signal_of(ExitStatus::from_raw(0)), None);
    }
}
