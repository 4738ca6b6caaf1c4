//! A trace that is written beside the simulation, on a thread of its own.
//!
//! What is seen goes over as it is, in long batches: waking a thread takes longer than writing a
//! hundred records. Those that were worked off are used again, so that few of them are in the caches
//! as long as the thread keeps up.

use std::io;
use std::mem;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};

use foretell_mpi::{Interests, Mark, Notes, Place};
use foretell_trace::Problem;
use nix::sys::signal::{SigSet, SigmaskHow};

use super::hearer::{Hearer, Hired};
use super::states::Spot;

/// How many words go over at once: a quarter of a MiB.
const BATCH: usize = 32 << 10;
/// How many batches may lie between the simulation and the thread, which may have to wait for the
/// system now and then: making a thousand files takes a tenth of a second and more. A simulation
/// that is ahead by more waits.
const AHEAD: usize = 128;

/// What the thread is told.
enum Word {
    Happened(Notes),
    Forms(f64, u32, Box<[u32]>),
    Lies(u32, Spot),
    Marks(f64, u32, Mark, Box<str>),
    End,
}

/// The simulation's side.
pub(super) struct Aside {
    interests: Interests,
    /// Gone once there is nothing more to be told.
    words: Option<SyncSender<Word>>,
    /// Batches that were worked off, to be filled again: those that came back, the last on top, and
    /// where they come from.
    empty: Vec<Notes>,
    returned: Receiver<Notes>,
    thread: Option<JoinHandle<Result<(), Problem>>>,
}

impl Aside {
    /// Begins the thread.
    pub(super) fn begin(hearer: Hired) -> io::Result<Self> {
        let (words, to_do) = sync_channel(AHEAD);
        let (done, returned) = channel();
        let interests = Interests { batch: BATCH, ..hearer.interests() };
        let life = move || work_off(hearer, &to_do, &done);
        let thread = undisturbed(|| thread::Builder::new().name("trace".into()).spawn(life))?;
        let (words, thread) = (Some(words), Some(thread));
        Ok(Self { interests, words, empty: Vec::new(), returned, thread })
    }

    /// A thread that hears nothing more has failed, which is found when it is joined.
    fn tell(&self, word: Word) {
        if let Some(words) = &self.words {
            let _ = words.send(word);
        }
    }

    /// Waits for the end of the thread.
    fn join(&mut self) -> Result<(), Problem> {
        self.words = None;
        let outcome = self.thread.take().map_or(Ok(Ok(())), JoinHandle::join);
        outcome.unwrap_or_else(|panic| resume_unwind(panic))
    }
}

/// Signals are for the program, whose handlers know nothing of a thread of ours.
fn undisturbed<T>(begin: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let before = SigSet::all().thread_swap_mask(SigmaskHow::SIG_SETMASK)?;
    let outcome = begin();
    before.thread_set_mask()?;
    outcome
}

/// The life of the thread.
fn work_off(
    mut hearer: Hired,
    to_do: &Receiver<Word>,
    done: &Sender<Notes>,
) -> Result<(), Problem> {
    loop {
        match to_do.recv() {
            Ok(Word::Happened(mut notes)) => {
                hearer.hear(&mut notes);
                let _ = done.send(notes);
            }
            Ok(Word::Forms(date, comm, members)) => hearer.form(date, comm, &members),
            Ok(Word::Lies(number, spot)) => hearer.place(number, &spot.place()),
            Ok(Word::Marks(date, rank, mark, name)) => hearer.mark(date, rank, mark, &name),
            Ok(Word::End) => return hearer.finish(),
            // The trace is given up.
            Err(_) => return Ok(()),
        }
    }
}

impl Hearer for Aside {
    fn interests(&self) -> Interests {
        self.interests
    }

    fn hear(&mut self, notes: &mut Notes) {
        if !notes.is_empty() {
            self.empty.extend(self.returned.try_iter());
            // The last that came back is the one that caches still have.
            let next = self.empty.pop().unwrap_or_else(|| Notes::with_room(BATCH));
            self.tell(Word::Happened(mem::replace(notes, next)));
        }
    }

    fn form(&mut self, date: f64, comm: u32, members: &[u32]) {
        self.tell(Word::Forms(date, comm, members.into()));
    }

    fn place(&mut self, number: u32, place: &Place<'_>) {
        self.tell(Word::Lies(number, Spot::of(place)));
    }

    fn mark(&mut self, date: f64, rank: u32, mark: Mark, name: &str) {
        self.tell(Word::Marks(date, rank, mark, name.into()));
    }

    fn finish(mut self: Box<Self>) -> Result<(), Problem> {
        self.tell(Word::End);
        self.join()
    }
}

impl Drop for Aside {
    /// What was written of a trace that is given up is gone when this ends.
    fn drop(&mut self) {
        let _ = self.join();
    }
}
