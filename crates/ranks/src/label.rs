//! Labelled output: each line of a rank starts with `[rank] `, and lines never mix.
//!
//! The standard streams are replaced by files in memory. After each switch, what the rank wrote
//! is taken from there and whole lines are passed on. A pipe would do as well until it is full and
//! the rank, the only one who could empty it, waits for ever.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The labels in force, for reports of crashes.
static ACTIVE: AtomicPtr<Labels> = AtomicPtr::new(ptr::null_mut());

/// The replaced standard streams.
#[derive(Debug)]
pub(crate) struct Labels {
    output: Stream,
    error: Stream,
    /// Begun lines by rank and stream; in order, so that the last ones are too.
    begun: RefCell<BTreeMap<(u32, RawFd), Vec<u8>>>,
}

impl Labels {
    /// Replaces the standard streams, until dropped.
    pub(crate) fn new() -> io::Result<Rc<Self>> {
        flush();
        let labels = Rc::new(Self {
            output: Stream::replace(libc::STDOUT_FILENO)?,
            error: Stream::replace(libc::STDERR_FILENO)?,
            begun: RefCell::default(),
        });
        ACTIVE.store(Rc::as_ptr(&labels).cast_mut(), Ordering::Release);
        Ok(labels)
    }

    /// Passes on the lines that `rank` wrote since the last call.
    pub(crate) fn drain(&self, rank: u32) {
        flush();
        self.pass_on(rank);
    }

    /// As [`Self::drain`], also a line that was begun and will not be ended.
    pub(crate) fn end(&self, rank: u32) {
        self.drain(rank);
        for stream in [&self.output, &self.error] {
            if let Some(mut text) = self.begun.borrow_mut().remove(&(rank, stream.number)) {
                text.push(b'\n');
                stream.write(rank, &text);
            }
        }
    }

    fn pass_on(&self, rank: u32) {
        for stream in [&self.output, &self.error] {
            let new = stream.take();
            if new.is_empty() {
                continue;
            }
            let mut begun = self.begun.borrow_mut();
            let mut text = begun.remove(&(rank, stream.number)).unwrap_or_default();
            text.extend_from_slice(&new);
            let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
            let rest = text.split_off(whole);
            stream.write(rank, &text);
            if !rest.is_empty() {
                begun.insert((rank, stream.number), rest);
            }
        }
    }
}

impl Drop for Labels {
    fn drop(&mut self) {
        let own = (&raw const *self).cast_mut();
        let _ = ACTIVE.compare_exchange(own, ptr::null_mut(), Ordering::AcqRel, Ordering::Relaxed);
        let ranks: Vec<u32> = self.begun.borrow().keys().map(|(rank, _)| *rank).collect();
        ranks.into_iter().for_each(|rank| self.end(rank));
        flush();
        for stream in [&self.output, &self.error] {
            // What was written while no rank ran belongs to nobody.
            let _ = (&stream.real).write_all(&stream.take());
            // SAFETY: puts the real stream back in its place.
            unsafe { libc::dup2(stream.real.as_raw_fd(), stream.number) };
        }
    }
}

/// One standard stream: what stands in for it, and where it really leads.
#[derive(Debug)]
struct Stream {
    number: RawFd,
    real: File,
    memory: File,
}

impl Stream {
    fn replace(number: RawFd) -> io::Result<Self> {
        // SAFETY: copies a descriptor, if it is open.
        let real = owned(unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 3) })?;
        // SAFETY: makes a file in memory.
        let memory = owned(unsafe { libc::memfd_create(c"output".as_ptr(), libc::MFD_CLOEXEC) })?;
        // SAFETY: the standard stream now leads to the file in memory.
        if unsafe { libc::dup2(memory.as_raw_fd(), number) } < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { number, real, memory })
    }

    /// Takes what was written since the last call.
    fn take(&self) -> Vec<u8> {
        let mut memory = &self.memory;
        let mut text = Vec::new();
        // The standard stream and this file share one position.
        if memory.stream_position().is_ok_and(|written| written > 0) {
            // A failure leaves the text where it is, for the next call.
            let _ = memory.seek(SeekFrom::Start(0)).and_then(|_| memory.read_to_end(&mut text));
            let _ = memory.set_len(0).and_then(|()| memory.seek(SeekFrom::Start(0)));
        }
        text
    }

    /// Writes whole lines, each with its label.
    fn write(&self, rank: u32, lines: &[u8]) {
        let mut labelled = Vec::with_capacity(lines.len() + 16);
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            let _ = write!(labelled, "[{rank}] ");
            labelled.extend_from_slice(line);
        }
        // A reader that has gone is no reason to stop the simulation.
        let _ = (&self.real).write_all(&labelled);
    }
}

fn owned(descriptor: RawFd) -> io::Result<File> {
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor was just made and belongs to nobody else.
    Ok(File::from(unsafe { OwnedFd::from_raw_fd(descriptor) }))
}

/// Makes the C library write out what it holds back of its standard output.
fn flush() {
    // SAFETY: a stream of the C library that is open for the life of the process.
    unsafe { libc::fflush(stdout) };
}

/// The labels in force, if there are any.
fn active() -> Option<&'static Labels> {
    // SAFETY: labels take themselves out before they are gone.
    unsafe { ACTIVE.load(Ordering::Acquire).as_ref() }
}

/// Passes on what a crashed rank had written out, without asking the C library for more: it may
/// have crashed in there.
pub(crate) fn pass_on_after_crash(rank: Option<u32>) {
    if let (Some(labels), Some(rank)) = (active(), rank)
        && labels.begun.try_borrow_mut().is_ok()
    {
        labels.pass_on(rank);
    }
}

/// Where messages to the user go.
pub(crate) fn error_descriptor() -> RawFd {
    active().map_or(libc::STDERR_FILENO, |labels| labels.error.real.as_raw_fd())
}

unsafe extern "C" {
    static stdout: *mut libc::FILE;
}
