//! Whether a thread waits for another one: the kernel knows.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use super::Thread;

/// What a thread was seen doing, from quiet to not quiet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// It has ended.
    Gone,
    /// It waits for another thread, for ever if need be.
    Blocked,
    /// It waits for another thread, or for a date or a signal that somebody outside sends.
    Timed,
    /// It runs, or will soon.
    Running,
}

/// Commands of the system call `futex` that wait: plain, for a lock with inheritance, by bits.
const WAITS: [u64; 4] = [0, 6, 9, 11];

/// Marks of `futex` commands: of one process only, and by the clock of the day.
const MARKS: u64 = 128 | 256;

/// System calls that end when a signal comes.
const SIGNAL_WAITS: [u64; 3] = [34, 128, 130];

/// Files that the kernel has for a thread, opened once: they are read at every call of another.
#[derive(Debug, Default)]
pub(super) struct Files {
    syscall: OnceLock<Option<File>>,
    stat: OnceLock<Option<File>>,
}

/// What a thread does now.
pub(super) fn look(thread: &Thread) -> Look {
    let Some(tid) = thread.tid() else { return Look::Running };
    let mut text = [0; 256];
    match read(&thread.files.syscall, tid, "syscall", &mut text).map(parse) {
        None => Look::Gone,
        Some(Look::Running) => Look::Running,
        // One that was woken on another processor and has not run yet is still told to wait.
        Some(_) if !is_asleep(thread, tid) => Look::Running,
        Some(look) => look,
    }
}

/// Whether a thread sleeps, and has not been woken.
fn is_asleep(thread: &Thread, tid: i32) -> bool {
    let mut text = [0; 512];
    let line = read(&thread.files.stat, tid, "stat", &mut text);
    line.and_then(state).is_some_and(|state| state == 'S')
}

/// The state in a line of `stat`: behind the name of the program, which may have anything in it.
fn state(line: &str) -> Option<char> {
    line[line.rfind(')')? + 1..].trim_start().chars().next()
}

/// Reads a file of a thread; none if the thread has ended.
fn read<'a>(
    kept: &OnceLock<Option<File>>,
    tid: i32,
    name: &str,
    text: &'a mut [u8],
) -> Option<&'a str> {
    let length = match kept.get_or_init(|| open(tid, name)) {
        Some(file) => file.read_at(text, 0).ok()?,
        None => open(tid, name)?.read_at(text, 0).ok()?,
    };
    std::str::from_utf8(&text[..length]).ok().filter(|text| !text.is_empty())
}

/// How often a thread has been run, to tell whether it ran between two looks.
pub(super) fn runs(thread: &Thread) -> u64 {
    let mut text = [0; 128];
    let counted = thread.tid().and_then(|tid| {
        let length = open(tid, "schedstat")?.read_at(&mut text, 0).ok()?;
        let line = std::str::from_utf8(&text[..length]).ok()?;
        line.split_whitespace().nth(2)?.parse().ok()
    });
    counted.unwrap_or(0)
}

/// Opens a file that the kernel has for a thread of this process; none if it has ended.
fn open(tid: i32, name: &str) -> Option<File> {
    File::open(format!("/proc/self/task/{tid}/{name}")).ok()
}

/// `running`, or the system call that a thread waits in: its number and its arguments.
fn parse(text: &str) -> Look {
    let mut words = text.split_whitespace();
    let number = words.next().and_then(|word| word.parse::<u64>().ok());
    let arguments: Vec<u64> =
        words.map_while(|word| u64::from_str_radix(word.strip_prefix("0x")?, 16).ok()).collect();
    match (number, arguments.as_slice()) {
        (Some(202), [_, command, _, timeout, ..]) if WAITS.contains(&(command & !MARKS)) => {
            if *timeout == 0 {
                Look::Blocked
            } else {
                Look::Timed
            }
        }
        (Some(number), _) if SIGNAL_WAITS.contains(&number) => Look::Timed,
        _ => Look::Running,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_without_a_limit_is_quiet() {
        assert_eq!(parse("202 0x55c7 0x80 0x2 0x0 0x0 0x0 0x7f2f 0x7f2f\n"), Look::Blocked);
        assert_eq!(parse("202 0x55c7 0x189 0x0 0x0 0x0 0xffffffff 0x7f 0x7f\n"), Look::Blocked);
        assert_eq!(parse("202 0x55c7 0x109 0x1 0x0 0x0 0xffffffff 0x7f 0x7f\n"), Look::Blocked);
    }

    #[test]
    fn a_wait_with_a_limit_may_end_by_itself() {
        assert_eq!(parse("202 0x55c7 0x189 0x0 0x7ffe 0x0 0xffffffff 0x7f 0x7f\n"), Look::Timed);
        assert_eq!(parse("34 0x0 0x0 0x0 0x0 0x0 0x0 0x7f 0x7f\n"), Look::Timed);
    }

    #[test]
    fn the_state_stands_behind_the_name() {
        assert_eq!(state("12 (a ) S b) S 1 12 12 0"), Some('S'));
        assert_eq!(state("12 (app) R 1 12 12 0"), Some('R'));
        assert_eq!(state("12"), None);
    }

    #[test]
    fn all_else_is_work() {
        assert_eq!(parse("running\n"), Look::Running);
        assert_eq!(parse("-1 0x7f 0x7f\n"), Look::Running);
        assert_eq!(parse("1 0x1 0x55 0x5 0x0 0x0 0x0 0x7f 0x7f\n"), Look::Running);
        // Waking others is no waiting.
        assert_eq!(parse("202 0x55c7 0x81 0x1 0x0 0x0 0x0 0x7f 0x7f\n"), Look::Running);
    }
}
