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
    /// Arguments that are lists, in order.
    pub(super) lists: Vec<Vec<i64>>,
    /// For each status the bytes and the sender.
    pub(super) statuses: Vec<(i64, i64)>,
}

/// Reads a file.
#[derive(Debug)]
pub(super) struct Stream {
    path: PathBuf,
    reader: BufReader<File>,
    place: u64,
    length: u64,
    version: [u8; 3],
    cpu_bias: u32,
    wall_bias: u32,
}

impl Stream {
    pub(super) fn open(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        let file = File::open(path).map_err(cannot)?;
        let length = file.metadata().map_err(cannot)?.len();
        let reader = BufReader::with_capacity(1 << 16, file);
        let path = path.to_owned();
        let (place, version) = (0, [0; 3]);
        let mut stream = Self { path, reader, place, length, version, cpu_bias: 0, wall_bias: 0 };
        let mut start = [0; 8];
        if length < 56 || stream.bytes(&mut start).is_err() || start != MAGIC {
            return Err(stream.problem(0, "this is not the file of a rank of a DUMPI trace".into()));
        }
        // The index is at the end: …, header, body, footer, keys.
        stream.go_to(length - 32)?;
        let (header, body) = (stream.u64()?, stream.u64()?);
        stream.go_to(header)?;
        let mut version = [0; 3];
        stream.bytes(&mut version)?;
        stream.version = version;
        stream.go_to(body)?;
        (stream.cpu_bias, stream.wall_bias) = (stream.u32()?, stream.u32()?);
        Ok(stream)
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
            let words = format!("the arguments of function {function} are not known");
            return Err(self.problem(place, words));
        };
        let mask = self.u8()?;
        if mask & mask::THREAD != 0 {
            self.u16()?;
        }
        let cpu = self.times(mask & mask::CPU != 0, self.cpu_bias)?;
        let wall = self.times(mask & mask::WALL != 0, self.wall_bias)?;
        if mask & mask::COUNTERS != 0 {
            return Err(self.problem(place, "counters of the processor are not read".into()));
        }
        let mut call = Call { place, function, times: wall.or(cpu), ..Call::default() };
        for letter in letters.bytes() {
            self.argument(letter, mask, &mut call)?;
        }
        Ok(Some(call))
    }

    fn times(&mut self, are_there: bool, bias: u32) -> Result<Option<(f64, f64)>, Problem> {
        if !are_there {
            return Ok(None);
        }
        let mut date = || -> Result<f64, Problem> {
            let seconds = f64::from(self.u16()?) + f64::from(bias as i32);
            Ok(seconds + 1e-9 * f64::from(self.u32()?))
        };
        Ok(Some((date()?, date()?)))
    }

    fn argument(&mut self, letter: u8, mask: u8, call: &mut Call) -> Result<(), Problem> {
        match letter {
            b'i' => call.numbers.push(self.int()?),
            b'h' => call.numbers.push(self.short()?),
            b'b' => call.numbers.push(i64::from(self.u8()?)),
            b'I' => {
                let count = self.count(4)?;
                let list = (0..count).map(|_| self.int()).collect::<Result<_, _>>()?;
                call.lists.push(list);
            }
            b'D' => {
                let count = self.count(2)?;
                let list = (0..count).map(|_| self.short()).collect::<Result<_, _>>()?;
                call.lists.push(list);
            }
            b'C' => self.characters()?,
            b'A' => {
                for _ in 0..self.count(4)? {
                    self.characters()?;
                }
            }
            b'S' if mask & mask::STATUS != 0 => self.statuses(call)?,
            // What only the root tells: its rank is the first number, the root the one before the
            // communicator.
            b'?' => {
                let root = call.numbers.len().checked_sub(2).map(|at| call.numbers[at]);
                if call.numbers.first().copied() == root {
                    let rest: &[u8] = match call.function {
                        54 | 56 => b"ih",
                        _ => b"II",
                    };
                    for letter in rest {
                        self.argument(*letter, mask, call)?;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn characters(&mut self) -> Result<(), Problem> {
        let count = self.count(1)?;
        let gone = self.reader.seek_relative(count as i64);
        gone.map_err(|error| Problem::File { path: self.path.clone(), error })?;
        self.place += count;
        Ok(())
    }

    fn statuses(&mut self, call: &mut Call) -> Result<(), Problem> {
        let has_tags = self.version >= [0, 6, 3];
        for _ in 0..self.count(if has_tags { 14 } else { 10 })? {
            let (bytes, source) = (self.int()?, self.int()?);
            self.u16()?;
            if has_tags {
                self.u32()?;
            }
            call.statuses.push((bytes, source));
        }
        Ok(())
    }
}
