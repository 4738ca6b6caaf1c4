//! Reading a program or library: its segments and its dynamic section.
//!
//! Mapping needs the program headers and the dynamic section only, so files stripped of their
//! section headers work. Everything is read from `memory`, the content of the segments laid out
//! as they will lie in memory, so that link-time addresses are plain offsets.

pub(crate) mod bytes;
pub(crate) mod constants;
pub(crate) mod relocations;
pub(crate) mod symbols;

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use bytes::{string_at, u16_at, u32_at, u64_at};
use constants::*;
use symbols::Symbols;

use crate::ImageError;

/// Size of a page; x86-64 has no other for ordinary mappings.
pub(crate) const PAGE: usize = 4096;

/// A program header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Segment {
    pub(crate) kind: u32,
    pub(crate) flags: u32,
    pub(crate) file_offset: u64,
    pub(crate) address: u64,
    pub(crate) file_size: u64,
    pub(crate) size: u64,
    pub(crate) align: u64,
}

impl Segment {
    /// Link-time addresses it takes in memory.
    pub(crate) fn range(&self) -> std::ops::Range<u64> {
        self.address..self.address.saturating_add(self.size)
    }

    /// Whether it is writable.
    pub(crate) fn is_writable(&self) -> bool {
        self.flags & PF_W != 0
    }
}

/// A program or library as read from its file.
#[derive(Debug)]
pub(crate) struct Elf {
    /// All program headers.
    pub(crate) segments: Vec<Segment>,
    /// The memory image: byte `i` has the link-time address `origin + i`.
    pub(crate) memory: Vec<u8>,
    /// The lowest link-time address, rounded down to a page.
    pub(crate) origin: u64,
    /// Where execution starts.
    pub(crate) entry: u64,
    /// The greatest alignment a segment asks for.
    pub(crate) align: usize,
    /// The dynamic section: tag and value.
    dynamic: Vec<(u64, u64)>,
    /// The dynamic symbols.
    pub(crate) symbols: Symbols,
}

impl Elf {
    /// Reads the file at `path`.
    pub(crate) fn read(path: &Path) -> Result<Elf, ImageError> {
        let unreadable = |source| ImageError::Unreadable { path: path.to_owned(), source };
        let file = File::open(path).map_err(unreadable)?;
        let (segments, entry) = headers(&file, path)?;
        let loads = || segments.iter().filter(|segment| segment.kind == PT_LOAD);
        let (Some(low), Some(high)) =
            (loads().map(|l| l.address).min(), loads().map(|l| l.range().end).max())
        else {
            return Err(malformed(path, "it has no segment to load"));
        };
        let origin = low / PAGE as u64 * PAGE as u64;
        let size = usize::try_from(high - origin)
            .ok()
            .filter(|size| *size < 1 << 40)
            .ok_or_else(|| malformed(path, "its segments are too large"))?;
        let align = loads().map(|load| load.align as usize).max().unwrap_or(PAGE);
        if align > 1 << 30 || !align.max(1).is_power_of_two() {
            return Err(malformed(path, "its alignment is not a power of two"));
        }
        // Zeroed memory of this size comes from the kernel untouched: a large bss costs nothing.
        let mut memory = vec![0; size];
        for load in loads() {
            let start = (load.address - origin) as usize;
            let bytes = memory
                .get_mut(start..start.saturating_add(load.file_size as usize))
                .ok_or_else(|| malformed(path, "a segment is larger in the file than in memory"))?;
            file.read_exact_at(bytes, load.file_offset).map_err(unreadable)?;
        }
        let mut elf = Elf {
            segments,
            memory,
            origin,
            entry,
            align: align.max(PAGE),
            dynamic: Vec::new(),
            symbols: Symbols::default(),
        };
        elf.dynamic = elf.dynamic_section();
        elf.symbols = Symbols::read(&elf).map_err(|reason| malformed(path, reason))?;
        Ok(elf)
    }

    /// The first segment of the given kind.
    pub(crate) fn segment(&self, kind: u32) -> Option<&Segment> {
        self.segments.iter().find(|segment| segment.kind == kind)
    }

    /// The segments to load.
    pub(crate) fn loads(&self) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(|segment| segment.kind == PT_LOAD)
    }

    /// The value of the first entry with this tag in the dynamic section.
    pub(crate) fn dynamic(&self, tag: u64) -> Option<u64> {
        self.dynamic.iter().find(|entry| entry.0 == tag).map(|entry| entry.1)
    }

    /// Offset into `memory` of a link-time address.
    pub(crate) fn offset(&self, address: u64) -> Option<usize> {
        address.checked_sub(self.origin).map(|offset| offset as usize)
    }

    /// The bytes at a link-time address.
    pub(crate) fn bytes(&self, address: u64, size: u64) -> Option<&[u8]> {
        let start = self.offset(address)?;
        self.memory.get(start..start.checked_add(size as usize)?)
    }

    /// The word at a link-time address.
    pub(crate) fn word(&self, address: u64) -> Option<u64> {
        u64_at(&self.memory, self.offset(address)?)
    }

    /// The table whose address and size the two tags give; empty when there is none.
    pub(crate) fn table(&self, address: u64, size: u64) -> &[u8] {
        let found = self.dynamic(address).zip(self.dynamic(size));
        found.and_then(|(address, size)| self.bytes(address, size)).unwrap_or_default()
    }

    /// A string of the dynamic section, for tags whose value is one.
    pub(crate) fn string(&self, tag: u64) -> Option<String> {
        self.dynamic(tag).and_then(|at| self.string_at(at))
    }

    /// Names of the libraries it needs, in order.
    pub(crate) fn needed(&self) -> Vec<String> {
        let entries = self.dynamic.iter().filter(|entry| entry.0 == DT_NEEDED);
        entries.filter_map(|entry| self.string_at(entry.1)).collect()
    }

    /// Whether its own definitions come before those of the executable.
    pub(crate) fn is_symbolic(&self) -> bool {
        self.dynamic(DT_SYMBOLIC).is_some()
            || self.dynamic(DT_FLAGS).is_some_and(|flags| flags & DF_SYMBOLIC != 0)
    }

    fn string_at(&self, at: u64) -> Option<String> {
        let table = self.table(DT_STRTAB, DT_STRSZ);
        string_at(table, at as usize).map(|bytes| String::from_utf8_lossy(bytes).into_owned())
    }

    fn dynamic_section(&self) -> Vec<(u64, u64)> {
        let Some(segment) = self.segment(PT_DYNAMIC) else { return Vec::new() };
        let bytes = self.bytes(segment.address, segment.size).unwrap_or_default();
        let entries = bytes.chunks_exact(16).filter_map(|c| u64_at(c, 0).zip(u64_at(c, 8)));
        entries.take_while(|entry| entry.0 != DT_NULL).collect()
    }
}

/// Checks the file header and reads the program headers and the entry point.
fn headers(file: &File, path: &Path) -> Result<(Vec<Segment>, u64), ImageError> {
    let mut header = [0; 64];
    file.read_exact_at(&mut header, 0).map_err(|source| match source.kind() {
        io::ErrorKind::UnexpectedEof => malformed(path, "it is too short"),
        _ => ImageError::Unreadable { path: path.to_owned(), source },
    })?;
    if header[..4] != *b"\x7fELF" {
        return Err(malformed(path, "it is not an ELF file"));
    }
    // Class 2 is 64-bit, data 1 is little-endian.
    if header[4..6] != [2, 1] || u16_at(&header, 18) != Some(EM_X86_64) {
        return Err(ImageError::WrongArchitecture { path: path.to_owned() });
    }
    match u16_at(&header, 16) {
        Some(ET_DYN) => {}
        Some(ET_EXEC) => {
            return Err(ImageError::NotPositionIndependent { path: path.to_owned() });
        }
        _ => return Err(malformed(path, "it is neither an executable nor a shared library")),
    }
    let truncated = || malformed(path, "its program headers are cut off");
    let table = u64_at(&header, 32).ok_or_else(truncated)?;
    let count = u16_at(&header, 56).ok_or_else(truncated)? as usize;
    let mut bytes = vec![0; count * 56];
    file.read_exact_at(&mut bytes, table).map_err(|_| truncated())?;
    let segments = bytes.chunks_exact(56).filter_map(segment).collect();
    Ok((segments, u64_at(&header, 24).ok_or_else(truncated)?))
}

fn segment(header: &[u8]) -> Option<Segment> {
    Some(Segment {
        kind: u32_at(header, 0)?,
        flags: u32_at(header, 4)?,
        file_offset: u64_at(header, 8)?,
        address: u64_at(header, 16)?,
        file_size: u64_at(header, 32)?,
        size: u64_at(header, 40)?,
        align: u64_at(header, 48)?,
    })
}

/// The file is not what the format says.
pub(crate) fn malformed(path: &Path, reason: impl Into<String>) -> ImageError {
    ImageError::Malformed { path: path.to_owned(), reason: reason.into() }
}
