//! The calls of one rank, as they are in its file. Numbers have their highest byte first.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::calls::{END_OF_STREAM, arguments};
use crate::mistake::Problem;

/// What a file begins with, and its index.
pub(super) const MAGIC: [u8; 8] = [0xff, 0xaa, 0xdd, b'D', b'U', b'M', b'P', b'I'];

/// Bits of the mask of a call.
mod mask {
    pub(super) const STATUS: u8 = 0b11;
    pub(super) const CPU: u8 = 1 << 2;
    pub(super) const WALL: u8 = 1 << 3;
    pub(super) const THREAD: u8 = 1 << 6;
    pub(super) const COUNTERS: u8 = 1 << 7;
}

/// One call.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Call {
    /// Where in the file it is.
    pub(super) place: u64,
    /// Which function was called, by its number.
    pub(super) function: u16,
    /// When it began and ended, if that is told: wall-clock time, or else CPU time.
    pub(super) times: Option<(f64, f64)>,
    /// Arguments that are single numbers, in order.
    pub(super) numbers: Vec<i64>,
    /// The rank of the caller and the root, where both are told.
    own: Option<i64>,
    root: Option<i64>,
    /// Arguments that are lists, in order.
    pub(super) lists: Vec<Vec<i64>>,
    pub(super) statuses: Vec<Status>,
}

/// What a call is told of a message.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Status {
    pub(super) bytes: i64,
    pub(super) sender: i64,
    /// Versions before 0.6.3 do not tell it.
    pub(super) tag: Option<i64>,
}

impl Call {
    /// Whether a function of the program begins or ends, which is no call of MPI.
    pub(super) fn is_of_the_program(&self) -> bool {
        matches!(self.function, 291 | 292)
    }

    /// Whether this is a send to -1.
    pub(super) fn is_send_to_minus_one(&self) -> bool {
        let is_send = matches!(self.function, 0 | 3..=5 | 8..=11 | 26..=29 | 33 | 34);
        is_send && self.numbers.get(2) == Some(&-1)
    }
}

/// Reads a file.
#[derive(Debug)]
pub(super) struct Stream {
    path: PathBuf,
    reader: BufReader<File>,
    place: u64,
    length: u64,
    version: [u8; 3],
    cpu: Clock,
    wall: Clock,
    /// Bytes of the datatypes that were used, by their handles; zero for those that were not.
    pub(super) sizes: Vec<u64>,
}

/// One of the two clocks. Dates have seconds of 16 bits since a date of the file.
#[derive(Debug, Default)]
struct Clock {
    bias: f64,
    latest: f64,
}

/// After so many seconds a clock begins anew.
const TURN: f64 = 65536.0;

impl Clock {
    fn starting(bias: u32) -> Self {
        Self { bias: f64::from(bias as i32), latest: 0.0 }
    }

    fn date(&mut self, seconds: u16, nanoseconds: u32) -> f64 {
        let mut date = f64::from(seconds) + 1e-9 * f64::from(nanoseconds);
        // Dates may be a little earlier than the one before, but not by half of a turn.
        date += ((self.latest - date) / TURN).round().max(0.0) * TURN;
        self.latest = self.latest.max(date);
        self.bias + date
    }
}

impl Stream {
    pub(super) fn open(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let file = File::open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        let reader = BufReader::with_capacity(1 << 16, file);
        let path = path.to_owned();
        let (place, version) = (0, [0; 3]);
        let (cpu, wall, sizes) = (Clock::default(), Clock::default(), Vec::new());
        let mut stream = Self { path, reader, place, length, version, cpu, wall, sizes };
        let mut start = [0; 8];
        if length < 56 || stream.bytes(&mut start).is_err() || start != MAGIC {
            return Err(stream.problem(0, "this is not the file of a rank of a DUMPI trace".into()));
        }
        stream.sizes = stream.read_sizes()?;
        // The index is at the end: …, header, body, footer, keys.
        stream.go_to(length - 32)?;
        let (header, body) = (stream.u64()?, stream.u64()?);
        stream.go_to(header)?;
        let mut version = [0; 3];
        stream.bytes(&mut version)?;
        stream.version = version;
        stream.go_to(body)?;
        stream.cpu = Clock::starting(stream.u32()?);
        stream.wall = Clock::starting(stream.u32()?);
        Ok(stream)
    }

    /// Bytes of datatypes, which versions since 0.6.6 tell.
    fn read_sizes(&mut self) -> Result<Vec<u64>, Problem> {
        let Some(index) = self.length.checked_sub(64) else { return Ok(Vec::new()) };
        self.go_to(index)?;
        let mut start = [0; 8];
        self.bytes(&mut start)?;
        let place = self.u64()?;
        if start != MAGIC || place == 0 {
            return Ok(Vec::new());
        }
        self.go_to(place)?;
        let count = self.count(4)?;
        (0..count).map(|_| Ok(self.int()?.max(0) as u64)).collect()
    }

    pub(super) fn problem(&self, offset: u64, reason: String) -> Problem {
        Problem::Byte { path: self.path.clone(), offset, reason }
    }

    fn go_to(&mut self, place: u64) -> Result<(), Problem> {
        if place >= self.length {
            let words = format!("the index of the file tells of byte {place}");
            return Err(self.problem(self.length, words));
        }
        let gone = self.reader.seek(SeekFrom::Start(place));
        gone.map_err(|error| Problem::File { path: self.path.clone(), error })?;
        self.place = place;
        Ok(())
    }

    fn bytes(&mut self, room: &mut [u8]) -> Result<(), Problem> {
        let read = self.reader.read_exact(room);
        read.map_err(|_| self.problem(self.place, "the file ends too early".into()))?;
        self.place += room.len() as u64;
        Ok(())
    }

    fn u8(&mut self) -> Result<u8, Problem> {
        let mut room = [0; 1];
        self.bytes(&mut room)?;
        Ok(room[0])
    }

    fn u16(&mut self) -> Result<u16, Problem> {
        let mut room = [0; 2];
        self.bytes(&mut room)?;
        Ok(u16::from_be_bytes(room))
    }

    fn u32(&mut self) -> Result<u32, Problem> {
        let mut room = [0; 4];
        self.bytes(&mut room)?;
        Ok(u32::from_be_bytes(room))
    }

    fn u64(&mut self) -> Result<u64, Problem> {
        let mut room = [0; 8];
        self.bytes(&mut room)?;
        Ok(u64::from_be_bytes(room))
    }

    fn int(&mut self) -> Result<i64, Problem> {
        Ok(i64::from(self.u32()? as i32))
    }

    fn short(&mut self) -> Result<i64, Problem> {
        Ok(i64::from(self.u16()? as i16))
    }

    /// How many things of so many bytes follow. More than the file has asks for no room.
    fn count(&mut self, bytes: u64) -> Result<u64, Problem> {
        let place = self.place;
        let count = u64::from(self.u32()?);
        let left = self.length.saturating_sub(self.place);
        match count.checked_mul(bytes).filter(|needed| *needed <= left) {
            Some(_) => Ok(count),
            None => Err(self.problem(place, format!("there is no room for {count} of them"))),
        }
    }

    /// The next call; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<Call>, Problem> {
        let place = self.place;
        let function = self.u16()?;
        if function == END_OF_STREAM {
            return Ok(None);
        }
        let Some(letters) = arguments(function) else {
            let words = format!("there is no function {function} among those of MPI");
            return Err(self.problem(place, words));
        };
        let mask = self.u8()?;
        if mask & mask::THREAD != 0 {
            self.u16()?;
        }
        let cpu = self.times(mask & mask::CPU != 0, |stream| &mut stream.cpu)?;
        let wall = self.times(mask & mask::WALL != 0, |stream| &mut stream.wall)?;
        if mask & mask::COUNTERS != 0 {
            // Two numbers for each counter.
            let count = u64::from(self.u8()?);
            self.pass_over(16 * count)?;
        }
        let mut call = Call { place, function, times: wall.or(cpu), ..Call::default() };
        self.arguments(letters, mask, &mut call)?;
        Ok(Some(call))
    }

    fn times(
        &mut self,
        are_there: bool,
        clock: impl Fn(&mut Self) -> &mut Clock,
    ) -> Result<Option<(f64, f64)>, Problem> {
        if !are_there {
            return Ok(None);
        }
        let mut date = || -> Result<f64, Problem> {
            let (seconds, nanoseconds) = (self.u16()?, self.u32()?);
            Ok(clock(self).date(seconds, nanoseconds))
        };
        Ok(Some((date()?, date()?)))
    }

    /// Reads the arguments that these letters stand for.
    fn arguments(&mut self, letters: &str, mask: u8, call: &mut Call) -> Result<(), Problem> {
        let mut letters = letters.bytes();
        while let Some(mut letter) = letters.next() {
            if letter == b'?' {
                letter = letters.next().unwrap_or(letter);
                if call.own != call.root {
                    continue;
                }
            }
            self.argument(letter, mask, call)?;
        }
        Ok(())
    }

    fn argument(&mut self, letter: u8, mask: u8, call: &mut Call) -> Result<(), Problem> {
        match letter {
            b'i' => call.numbers.push(self.int()?),
            b'h' => call.numbers.push(self.short()?),
            b'b' => call.numbers.push(i64::from(self.u8()?)),
            b'q' => call.numbers.push(self.u64()? as i64),
            b'r' => {
                call.own = Some(self.int()?);
                call.numbers.extend(call.own);
            }
            b'R' => {
                call.root = Some(self.int()?);
                call.numbers.extend(call.root);
            }
            b'I' => {
                let list = self.ints()?;
                call.lists.push(list);
            }
            b'J' => {
                let mut all = Vec::new();
                for _ in 0..self.count(4)? {
                    all.extend(self.ints()?);
                }
                call.lists.push(all);
            }
            b'D' => {
                let count = self.count(2)?;
                let list = (0..count).map(|_| self.short()).collect::<Result<_, _>>()?;
                call.lists.push(list);
            }
            b'B' | b'C' => self.characters()?,
            b'A' => {
                for _ in 0..self.count(4)? {
                    self.characters()?;
                }
            }
            b'T' => {
                for _ in 0..self.count(4)? {
                    self.argument(b'A', mask, call)?;
                }
            }
            b'S' if mask & mask::STATUS != 0 => self.statuses(call)?,
            _ => {}
        }
        Ok(())
    }

    fn ints(&mut self) -> Result<Vec<i64>, Problem> {
        let count = self.count(4)?;
        (0..count).map(|_| self.int()).collect()
    }

    fn characters(&mut self) -> Result<(), Problem> {
        let count = self.count(1)?;
        self.pass_over(count)
    }

    fn pass_over(&mut self, count: u64) -> Result<(), Problem> {
        let gone = self.reader.seek_relative(count as i64);
        gone.map_err(|error| Problem::File { path: self.path.clone(), error })?;
        self.place += count;
        Ok(())
    }

    fn statuses(&mut self, call: &mut Call) -> Result<(), Problem> {
        let has_tags = self.version >= [0, 6, 3];
        for _ in 0..self.count(if has_tags { 14 } else { 10 })? {
            let (bytes, sender) = (self.int()?, self.int()?);
            self.u16()?;
            let tag = if has_tags { Some(self.int()?) } else { None };
            call.statuses.push(Status { bytes, sender, tag });
        }
        Ok(())
    }
}
