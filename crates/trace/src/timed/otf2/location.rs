//! The events of one location, cut into chunks.

use super::super::Mark;
use super::archive::{Archive, EVENT_CHUNK, chunk_header};
use super::record::{LONGEST, Record};

/// What all locations together may hold back.
const HELD_BACK: usize = 64 << 20;
/// No date.
const NEVER: u64 = u64::MAX;
/// What the system keeps files in: where pages are written whole, it has less ado.
const PAGE: usize = 4 << 10;
/// Where in a chunk the number of its last event is.
const LAST_EVENT: u64 = 10;

/// A location and what of its file is not written yet.
#[derive(Debug)]
pub(super) struct Location {
    number: u64,
    /// A page, how much of it is used, and up to where there is room for one more record, in it
    /// and in the chunk.
    page: Vec<u8>,
    used: usize,
    limit: usize,
    /// The date that was written last; [`NEVER`] at the beginning of a chunk.
    time: u64,
    events: u64,
    /// Where the chunk begins in the file, and what of it is written.
    chunk_start: u64,
    chunk_written: usize,
    /// Parts of the program that are open.
    open: Vec<u32>,
    has_ended: bool,
}

impl Location {
    /// One of so many.
    pub(super) fn new(number: u64, of: usize) -> Self {
        let capacity = (HELD_BACK / of.max(1)).clamp(512, 16 << 10);
        let mut location = Self {
            number,
            page: vec![0; capacity],
            used: 0,
            limit: 0,
            time: NEVER,
            events: 0,
            chunk_start: 0,
            chunk_written: 0,
            open: Vec::new(),
            has_ended: false,
        };
        location.begin_chunk();
        location
    }

    /// The page is empty when a chunk begins.
    fn begin_chunk(&mut self) {
        let header = chunk_header(self.events + 1);
        self.page[..header.len()].copy_from_slice(&header);
        self.used = header.len();
        self.chunk_written = 0;
        self.time = NEVER;
        self.set_limit();
    }

    /// The end of the file takes two bytes of the chunk, and one must stay free.
    fn set_limit(&mut self) {
        let chunk = EVENT_CHUNK - self.chunk_written - 3;
        self.limit = chunk.min(self.page.len()) - LONGEST;
    }

    /// Adds an event of a date.
    #[inline]
    pub(super) fn add(
        &mut self,
        time: u64,
        archive: &mut Archive,
        fill: impl FnOnce(&mut Record<'_>),
    ) {
        if self.used > self.limit {
            self.make_room(archive);
        }
        let is_new = self.time != time;
        self.time = time;
        let Some(room) = self.page[self.used..].first_chunk_mut() else { return };
        self.used += Record::write(room, |record| {
            if is_new {
                record.byte(5);
                record.full(time);
            }
            fill(record);
        });
        self.events += 1;
    }

    /// Writes the page, and ends the chunk if it has no room for one more record.
    #[cold]
    fn make_room(&mut self, archive: &mut Archive) {
        if self.chunk_written + self.used + LONGEST + 3 > EVENT_CHUNK {
            self.flush(self.used, archive);
            self.end_chunk(archive);
        } else {
            let rest = if self.page.len() < 2 * PAGE { 0 } else { self.used % PAGE };
            self.flush(self.used - rest, archive);
            self.set_limit();
        }
    }

    /// Writes the first bytes of the page; the others become the first.
    fn flush(&mut self, bytes: usize, archive: &mut Archive) {
        archive.append(self.number, &self.page[..bytes]);
        self.page.copy_within(bytes..self.used, 0);
        self.chunk_written += bytes;
        self.used -= bytes;
    }

    fn end_chunk(&mut self, archive: &mut Archive) {
        archive.append(self.number, &vec![0; EVENT_CHUNK - self.chunk_written]);
        archive.patch(self.number, self.chunk_start + LAST_EVENT, self.events);
        self.chunk_start += EVENT_CHUNK as u64;
        self.begin_chunk();
    }

    /// Writes what is held back; tells how many events there are.
    pub(super) fn finish(mut self, archive: &mut Archive) -> u64 {
        self.flush(self.used, archive);
        archive.append(self.number, &[2, 1]);
        archive.patch(self.number, self.chunk_start + LAST_EVENT, self.events);
        archive.local_definitions(self.number);
        self.events
    }

    /// Keeps track of parts of the program: whether the one that ends is the one that began last.
    pub(super) fn follow(&mut self, mark: Mark, region: u32) -> bool {
        match mark {
            Mark::Here => true,
            Mark::Begin => {
                self.open.push(region);
                true
            }
            Mark::End => {
                let is_last = self.open.last() == Some(&region);
                if is_last {
                    self.open.pop();
                }
                is_last
            }
        }
    }

    /// The part of the program that is to be closed next.
    pub(super) fn close(&mut self) -> Option<u32> {
        self.open.pop()
    }

    /// Ends the program; whether it had not ended before.
    pub(super) fn end(&mut self) -> bool {
        !std::mem::replace(&mut self.has_ended, true)
    }
}
