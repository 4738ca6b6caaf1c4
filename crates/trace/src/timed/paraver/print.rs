//! From records to their text.

use super::super::text::{ROOM, Recent, Record, Word};
use super::labels::Call;
use super::queue::Came;
use super::slot::{NONE, Slot, spelt_out};

/// The longest pair of a type and a value, with two colons, and how many are written at once.
const PAIR: usize = 42;
const AT_ONCE: usize = 6;

/// Prints records one behind the other.
#[derive(Debug)]
pub(super) struct Printer {
    /// What comes behind the kind in all records of a rank: processor, application, task, thread.
    objects: Vec<Word>,
    /// The ends of records of states, and for each state its events: in, out, in and out, where it
    /// stands in the program.
    states: Vec<Word>,
    calls: Vec<Word>,
    /// The text, with room behind it.
    page: Vec<u8>,
    used: usize,
    dates: Recent<u64>,
    /// Two dates with a colon between them, which many records have in common.
    spans: Recent<(u64, u64)>,
    /// Sizes and tags.
    tails: Recent<(u64, u32)>,
}

impl Printer {
    pub(super) fn new(objects: Vec<Word>) -> Self {
        Self {
            objects,
            states: Vec::new(),
            calls: Vec::new(),
            page: Vec::new(),
            used: 0,
            dates: Recent::new(0, "0"),
            spans: Recent::new((0, 0), "0:0"),
            tails: Recent::new((0, 0), ":0:0\n"),
        }
    }

    /// Gets to know the next state.
    pub(super) fn learn(&mut self, call: &Call) {
        self.states.push(call.state);
        let caller = call.caller.map(|[(function, at), (line, number)]| {
            Word::new(&format!(":{function}:{at}:{line}:{number}"))
        });
        self.calls.extend([call.enter, call.leave, call.visit, caller.unwrap_or(Word::new(""))]);
    }

    /// Adds the records of a slot, but for its messages: its state and its events.
    #[inline]
    pub(super) fn print(&mut self, slot: &Slot, words: &[u16]) {
        if slot.state != NONE && slot.end > slot.begin {
            self.stay(slot.rank, slot.state, slot.begin, slot.end);
        }
        if !words.is_empty() {
            self.events(slot.rank, slot.begin, words);
        }
    }

    /// The text of all records that were added since this was asked last.
    pub(super) fn take(&mut self) -> &[u8] {
        let used = std::mem::take(&mut self.used);
        &self.page[..used]
    }

    /// The same, but the text stays.
    pub(super) fn text(&self) -> &[u8] {
        &self.page[..self.used]
    }

    /// Lets so much of the text go.
    pub(super) fn drop_first(&mut self, bytes: usize) {
        self.page.copy_within(bytes..self.used, 0);
        self.used -= bytes;
    }

    /// How long that text is.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// Makes sure that there is room for so many bytes and a record.
    #[inline]
    fn make_room(&mut self, bytes: usize) {
        if self.page.len() < self.used + bytes + ROOM {
            self.grow(bytes);
        }
    }

    #[cold]
    fn grow(&mut self, bytes: usize) {
        self.page.resize(2 * self.page.len() + bytes + ROOM, 0);
    }

    fn stay(&mut self, rank: u32, state: u32, begin: u64, end: u64) {
        self.make_room(0);
        let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
        let (spans, dates) = (&mut self.spans, &mut self.dates);
        self.used += Record::write(room, |line| {
            line.byte(b'1');
            line.word(&self.objects[rank as usize]);
            span(line, spans, dates, (begin, end));
            line.word(&self.states[state as usize]);
        });
    }

    /// Adds a message that a rank sent at a date.
    pub(super) fn message(&mut self, from: u32, called: u64, came: &Came) {
        self.make_room(0);
        let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
        let (spans, dates, tails) = (&mut self.spans, &mut self.dates, &mut self.tails);
        let &Came { departed, posted, arrived, bytes, to, tag } = came;
        self.used += Record::write(room, |line| {
            line.byte(b'3');
            line.word(&self.objects[from as usize]);
            span(line, spans, dates, (called, departed));
            line.word(&self.objects[to as usize]);
            span(line, spans, dates, (posted, arrived));
            line.recent(tails, ((bytes, tag), bytes ^ u64::from(tag) << 48), |line| {
                line.byte(b':');
                line.number(bytes);
                line.byte(b':');
                line.number(tag.into());
                line.byte(b'\n');
            });
        });
    }

    fn events(&mut self, rank: u32, date: u64, words: &[u16]) {
        self.make_room(PAIR * words.len());
        let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
        let dates = &mut self.dates;
        self.used += Record::write(room, |line| {
            line.byte(b'2');
            line.word(&self.objects[rank as usize]);
            line.date(dates, date);
        });
        let mut rest = words;
        while !rest.is_empty() {
            let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
            self.used += Record::write(room, |line| {
                for _ in 0..AT_ONCE {
                    let [word, after @ ..] = rest else { break };
                    if let Some(call) = self.calls.get(usize::from(*word)) {
                        line.word(call);
                        rest = after;
                    } else {
                        rest = pair(line, rest);
                    }
                }
            });
        }
        self.page[self.used] = b'\n';
        self.used += 1;
    }
}

/// Prints the type and the value that words begin with; gives the words behind them.
#[cold]
fn pair<'a>(line: &mut Record<'_>, words: &'a [u16]) -> &'a [u16] {
    let (kind, value, rest) = spelt_out(words);
    line.byte(b':');
    line.number(kind);
    line.byte(b':');
    line.number(value);
    rest
}

/// Two dates with a colon between them.
#[inline]
fn span(
    line: &mut Record<'_>,
    spans: &mut Recent<(u64, u64)>,
    dates: &mut Recent<u64>,
    (begin, end): (u64, u64),
) {
    // Equal dates are common, and must not all go to one place.
    let hint = begin.wrapping_add(end.rotate_left(24));
    line.recent(spans, ((begin, end), hint), |line| {
        line.date(dates, begin);
        line.byte(b':');
        line.date(dates, end);
    });
}
