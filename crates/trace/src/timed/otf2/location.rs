//! The events of one location, cut into chunks.

use super::super::Mark;
use super::archive::{Archive, EVENT_CHUNK, chunk_header};
use super::record::{ROOM, Record};

/// What all locations together may hold back, and what they do while blocks are not small: new
/// memory costs the system as much as short writes.
const MOST_HELD: usize = 64 << 20;
const HELD: usize = 8 << 20;
/// No date.
const NEVER: u64 = u64::MAX;
/// What a location writes at once, at most. With less the system has more ado; with more, blocks
/// leave the nearer caches while they fill.
const BLOCK: usize = 32 << 10;
/// A block that is not small.
const FAIR: usize = 16 << 10;
/// Where in a chunk the number of its last event is.
const LAST_EVENT: u64 = 10;

/// A location and what of its file is not written yet.
#[derive(Debug)]
pub(super) struct Location {
    number: u64,
    /// A block, of which a whole number fills a chunk, and room for the record that reaches over
    /// its end; how much of them is used, and up to where one more record may begin.
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
        let share = (HELD / of.max(1)).clamp(FAIR, BLOCK).min(MOST_HELD / of.max(1)).max(512);
        let block = 1_usize << share.ilog2();
        let mut location = Self {
            number,
            page: vec![0; block + ROOM],
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

    fn block(&self) -> usize {
        self.page.len() - ROOM
    }

    /// The end of the file takes two bytes of the chunk, and one must stay free.
    fn set_limit(&mut self) {
        let chunk = EVENT_CHUNK - self.chunk_written - 3;
        self.limit = (chunk - ROOM).min(self.block() - 1);
    }

    /// Adds some events of a date.
    #[inline]
    pub(super) fn add(
        &mut self,
        time: u64,
        events: u64,
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
        self.events += events;
    }

    /// Writes the block, and ends the chunk if it has no room for one more record.
    #[cold]
    fn make_room(&mut self, archive: &mut Archive) {
        let block = self.block();
        if self.used < block {
            self.page[self.used..block].fill(0);
            self.used = block;
        }
        self.flush(block, archive);
        if self.chunk_written == EVENT_CHUNK {
            archive.patch(self.number, self.chunk_start + LAST_EVENT, self.events);
            self.chunk_start += EVENT_CHUNK as u64;
            self.begin_chunk();
        } else {
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
