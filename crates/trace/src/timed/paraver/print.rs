//! From records to their text.

use super::super::text::{ROOM, Recent, Record, Word};
use super::entry::{Dates, Entry, spelt_out};
use super::labels::Call;

/// The longest pair of a type and a value, with two colons.
const PAIR: usize = 42;

/// Prints records one behind the other.
#[derive(Debug)]
pub(super) struct Printer {
    /// What comes behind the kind in all records of a rank: processor, application, task, thread.
    objects: Vec<Word>,
    /// The ends of records of states, and for each state its events: in, out, in and out.
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
    /// Events of a record that goes on.
    begun: Vec<u16>,
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
            begun: Vec::new(),
        }
    }

    /// Gets to know the next state.
    pub(super) fn learn(&mut self, call: &Call) {
        self.states.push(call.state);
        self.calls.extend([call.enter, call.leave, call.visit]);
    }

    /// Adds a record.
    #[inline]
    pub(super) fn print(&mut self, entry: &Entry) {
        match *entry {
            Entry::Stay { rank, state, begin, end } => self.stay(rank, state, begin, end),
            Entry::Message { ends, tag, ref dates, bytes } => {
                self.message(ends, dates, (bytes, tag));
            }
            Entry::Call { rank, state, begin, end, ref words } => {
                self.stay(rank, state, begin, end);
                self.events(rank, begin, &words.list[..words.count.into()]);
            }
            Entry::Events { rank, date, ref words } => {
                let list = &words.list[..words.count.into()];
                if words.goes_on || !self.begun.is_empty() {
                    self.begun.extend_from_slice(list);
                    if !words.goes_on {
                        let begun = std::mem::take(&mut self.begun);
                        self.events(rank, date, &begun);
                    }
                } else {
                    self.events(rank, date, list);
                }
            }
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

    /// Whether a record begins here.
    pub(super) fn is_between(&self) -> bool {
        self.begun.is_empty()
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

    fn message(&mut self, [from, to]: [u32; 2], dates: &Dates, (bytes, tag): (u64, u32)) {
        self.make_room(0);
        let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
        let (spans, recent, tails) = (&mut self.spans, &mut self.dates, &mut self.tails);
        self.used += Record::write(room, |line| {
            line.byte(b'3');
            line.word(&self.objects[from as usize]);
            span(line, spans, recent, (dates.called, dates.departed));
            line.word(&self.objects[to as usize]);
            span(line, spans, recent, (dates.posted, dates.arrived));
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
        let (mut rest, mut used) = (words, self.used);
        while let [word, after @ ..] = rest {
            if let Some(call) = self.calls.get(usize::from(*word)) {
                used = call.store(&mut self.page, used);
                rest = after;
            } else {
                let (kind, value);
                (kind, value, rest) = spelt_out(rest);
                used = self.pair(used, kind, value);
            }
        }
        self.page[used] = b'\n';
        self.used = used + 1;
    }

    /// Prints a type and a value at a place; gives the place behind them.
    #[cold]
    fn pair(&mut self, used: usize, kind: u64, value: u64) -> usize {
        let Some(room) = self.page[used..].first_chunk_mut() else { return used };
        let length = Record::write(room, |line| {
            line.byte(b':');
            line.number(kind);
            line.byte(b':');
            line.number(value);
        });
        used + length
    }
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
