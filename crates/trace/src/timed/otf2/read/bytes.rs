//! The bytes of the files of an archive, some at a time.

use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

use crate::files::Files;
use crate::mistake::Problem;

/// Bytes read at once, unless a record is longer.
const WINDOW: usize = 4096;

/// In which order the bytes of numbers come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Order {
    Little,
    Big,
}

/// A file of the archive, read from its beginning to its end.
#[derive(Debug)]
pub(super) struct Window {
    files: Rc<RefCell<Files>>,
    file: u32,
    length: u64,
    /// Where in the file the bytes at hand begin.
    start: u64,
    bytes: Vec<u8>,
    /// What of them has been taken.
    taken: usize,
    pub(super) order: Order,
}

impl Window {
    pub(super) fn new(files: Rc<RefCell<Files>>, file: u32, length: u64) -> Self {
        let bytes = Vec::new();
        Self { files, file, length, start: 0, bytes, taken: 0, order: Order::Little }
    }

    /// Where the next byte is.
    pub(super) fn place(&self) -> u64 {
        self.start + self.taken as u64
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.place() >= self.length
    }

    /// Goes to another place.
    pub(super) fn go_to(&mut self, place: u64) {
        let ahead = place.checked_sub(self.start).filter(|ahead| *ahead <= self.bytes.len() as u64);
        match ahead {
            Some(ahead) => self.taken = ahead as usize,
            None => {
                self.bytes.clear();
                (self.start, self.taken) = (place, 0);
            }
        }
    }

    /// Takes so many bytes. A length beyond the file asks for no room.
    pub(super) fn take(&mut self, count: u64) -> Result<&[u8], Problem> {
        let left = self.length.saturating_sub(self.place());
        if count > left {
            let words = format!("{count} bytes are expected here, but {left} are left of the file");
            return Err(self.problem(self.place(), words));
        }
        let count = count as usize;
        if self.bytes.len() - self.taken < count {
            self.refill(count)?;
        }
        self.taken += count;
        Ok(&self.bytes[self.taken - count..self.taken])
    }

    fn refill(&mut self, count: usize) -> Result<(), Problem> {
        self.bytes.drain(..self.taken);
        self.start += self.taken as u64;
        self.taken = 0;
        let mut filled = self.bytes.len();
        self.bytes.resize(count.max(WINDOW), 0);
        while filled < self.bytes.len() {
            let at = self.start + filled as u64;
            let read = self.files.borrow_mut().read(self.file, at, &mut self.bytes[filled..])?;
            if read == 0 {
                break;
            }
            filled += read;
        }
        self.bytes.truncate(filled);
        if filled < count {
            return Err(self.problem(self.start, "the file ends too early".into()));
        }
        Ok(())
    }

    pub(super) fn byte(&mut self) -> Result<u8, Problem> {
        Ok(self.take(1)?[0])
    }

    /// A number of eight bytes.
    pub(super) fn full(&mut self) -> Result<u64, Problem> {
        let order = self.order;
        Ok(whole(self.take(8)?, order))
    }

    /// A compressed number.
    pub(super) fn number(&mut self) -> Result<u64, Problem> {
        let (place, order) = (self.place(), self.order);
        match self.byte()? {
            0xff => Ok(u64::MAX),
            count @ 0..=8 => Ok(whole(self.take(count.into())?, order)),
            other => Err(self.problem(place, format!("there is no number of {other} bytes"))),
        }
    }

    /// The body of a record, behind its length.
    pub(super) fn body(&mut self) -> Result<Body<'_>, Problem> {
        let length = match self.byte()? {
            0xff => self.full()?,
            length => length.into(),
        };
        let (place, order) = (self.place(), self.order);
        Ok(Body { bytes: self.take(length)?, place, order })
    }

    pub(super) fn problem(&self, offset: u64, reason: String) -> Problem {
        Problem::Byte { path: self.path(), offset, reason }
    }

    fn path(&self) -> PathBuf {
        self.files.borrow().path(self.file).to_owned()
    }

    /// The header that each chunk begins with; definitions and events have counters in it.
    pub(super) fn chunk_header(&mut self) -> Result<(), Problem> {
        let place = self.place();
        let header = self.take(2)?;
        self.order = match (header[0], header[1]) {
            (3, 0x42) => Order::Little,
            (3, 0x23) => Order::Big,
            _ => {
                let words = "a chunk is expected to begin here, with 3 and its byte order";
                return Err(self.problem(place, words.into()));
            }
        };
        self.take(16).map(drop)
    }
}

/// A number of up to eight bytes.
fn whole(bytes: &[u8], order: Order) -> u64 {
    let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
    match order {
        Order::Little => bytes.iter().rev().fold(0, add),
        Order::Big => bytes.iter().fold(0, add),
    }
}

/// What is wrong with a record, and where.
#[derive(Debug)]
pub(super) struct Wrong {
    pub(super) offset: u64,
    pub(super) reason: String,
}

/// What a record says. Bytes behind what is known of it are passed over.
#[derive(Debug)]
pub(super) struct Body<'a> {
    bytes: &'a [u8],
    place: u64,
    order: Order,
}

impl<'a> Body<'a> {
    pub(super) fn rest(&self) -> usize {
        self.bytes.len()
    }

    fn take(&mut self, count: usize, what: &str) -> Result<&'a [u8], Wrong> {
        let Some((taken, rest)) = self.bytes.split_at_checked(count) else {
            let reason = format!("{what} is expected here, but the record ends");
            return Err(Wrong { offset: self.place, reason });
        };
        self.place += count as u64;
        self.bytes = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Wrong> {
        Ok(self.take(1, "a byte")?[0])
    }

    pub(super) fn full(&mut self) -> Result<u64, Wrong> {
        let order = self.order;
        Ok(whole(self.take(8, "a number of eight bytes")?, order))
    }

    pub(super) fn number(&mut self) -> Result<u64, Wrong> {
        let (offset, order) = (self.place, self.order);
        match self.byte()? {
            0xff => Ok(u64::MAX),
            count @ 0..=8 => Ok(whole(self.take(count.into(), "a number")?, order)),
            other => Err(Wrong { offset, reason: format!("there is no number of {other} bytes") }),
        }
    }

    /// A count of things, each of which takes at least a byte.
    pub(super) fn count(&mut self) -> Result<usize, Wrong> {
        let offset = self.place;
        let count = self.number()?;
        let fits = usize::try_from(count).ok().filter(|count| *count <= self.bytes.len());
        fits.ok_or_else(|| Wrong {
            offset,
            reason: format!("there is no room for {count} of them"),
        })
    }

    pub(super) fn text(&mut self) -> Result<String, Wrong> {
        let end = self.bytes.iter().position(|byte| *byte == 0).unwrap_or(self.bytes.len());
        let text = String::from_utf8_lossy(self.take(end, "a text")?).into_owned();
        self.take(1, "the end of a text")?;
        Ok(text)
    }
}
