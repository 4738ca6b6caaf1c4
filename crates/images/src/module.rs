//! A program or library within the memory of an image.

use std::ops::Range;
use std::path::PathBuf;

use crate::elf::constants::*;
use crate::elf::relocations::Relocation;
use crate::elf::{Elf, PAGE, Segment};
use crate::host::Host;
use crate::{Caller, libraries};

/// A bss from this size on is mapped apart, without a file behind it, so that the kernel can use
/// huge pages and the template does not grow with it.
const LARGE_BSS: usize = 4 << 20;

/// Zeroes from this size on hold many large pages, of 2 MiB, wherever they begin.
const MANY_LARGE_PAGES: usize = 16 << 20;

/// One file of a program: where it lies in an image, and what the loader made of it.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) elf: Elf,
    pub(crate) path: PathBuf,
    /// The path as a C string, for the unwinder and dladdr.
    pub(crate) c_path: std::ffi::CString,
    /// Where it starts in every image.
    pub(crate) start: usize,
    /// Where the next module starts.
    pub(crate) end: usize,
    /// The copy of the loader; none for a second executable.
    pub(crate) host: Option<Host>,
    /// Program headers in the C layout, for the unwinder.
    pub(crate) headers: Vec<libc::Elf64_Phdr>,
}

/// A part of an image that is mapped by one call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mapping {
    /// Offsets in the image.
    pub(crate) range: Range<usize>,
    pub(crate) kind: MappingKind,
}

impl Mapping {
    /// Whether it is worth to ask for large pages.
    pub(crate) fn holds_large_pages(&self) -> bool {
        self.kind == MappingKind::Zero && self.range.len() >= MANY_LARGE_PAGES
    }
}

/// How a part of an image is mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MappingKind {
    /// From the template, the same pages for all.
    Constant,
    /// From the template, copied when written.
    Data,
    /// Zeroes.
    Zero,
}

impl Module {
    /// Puts a module at the first suitable place from `after` on.
    pub(crate) fn new(elf: Elf, path: PathBuf, host: Option<Host>, after: usize) -> Module {
        let start = after.next_multiple_of(elf.align);
        let end = start + elf.memory.len().next_multiple_of(PAGE);
        let c_path = std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str());
        let c_path = std::ffi::CString::new(c_path).unwrap_or_default();
        let headers = elf.segments.iter().map(header).collect();
        Module { elf, path, c_path, start, end, host, headers }
    }

    /// What turns link-time addresses into offsets in an image.
    pub(crate) fn shift(&self) -> u64 {
        (self.start as u64).wrapping_sub(self.elf.origin)
    }

    /// Offset in an image of a link-time address.
    pub(crate) fn place(&self, address: u64) -> u64 {
        self.shift().wrapping_add(address)
    }

    /// Whose code it is.
    pub(crate) fn caller(&self) -> Caller {
        if libraries::is_run_time(&self.path) { Caller::RunTime } else { Caller::Program }
    }

    /// Whether its code finds thread-locals by calls only, and at once: the compiler's run-time
    /// library does, others may keep an address for long.
    pub(crate) fn asks_for_thread_locals(&self) -> bool {
        let has_own = self.elf.segment(PT_TLS).is_some_and(|segment| segment.size > 0);
        let fixed = |one: &Relocation| matches!(one.kind, R_TPOFF64 | R_TLSDESC);
        let asking = |one: &Relocation| matches!(one.kind, R_DTPMOD64 | R_DTPOFF64);
        let relocations = self.elf.relocations();
        let is_run_time = self.caller() == Caller::RunTime;
        !relocations.iter().any(fixed)
            && (is_run_time || !has_own && !relocations.iter().any(asking))
    }

    /// Whether its code writes into the buffers of streams by itself, as the macros of the C
    /// library do that take no lock: it calls these functions when a buffer is full or empty.
    pub(crate) fn touches_streams(&self) -> bool {
        let names: [&std::ffi::CStr; 4] = [c"__overflow", c"__uflow", c"__woverflow", c"__wuflow"];
        self.elf.symbols.all.iter().any(|symbol| names.contains(&&*symbol.name))
    }

    /// Whether the loader's copy holds this address.
    pub(crate) fn host_holds(&self, address: usize) -> bool {
        self.host.as_ref().is_some_and(|host| {
            let start = host.bias.wrapping_add(self.elf.origin as usize);
            address.wrapping_sub(start) < self.elf.memory.len()
        })
    }

    /// The parts to map: neighbours with the same rights are one, and gaps belong to the part
    /// before them, so that an image leaves no hole that would count as one more mapping.
    pub(crate) fn mappings(&self, used_bss: usize) -> Vec<Mapping> {
        let mut mappings: Vec<Mapping> = Vec::new();
        for load in self.elf.loads() {
            let kind = if load.is_writable() { MappingKind::Data } else { MappingKind::Constant };
            if mappings.last().is_some_and(|last| last.kind == kind) {
                continue;
            }
            let start = self.place(load.address) as usize / PAGE * PAGE;
            // The first part starts with the module.
            let start = if mappings.is_empty() { self.start } else { start };
            if let Some(last) = mappings.last_mut() {
                last.range.end = start;
            }
            mappings.push(Mapping { range: start..self.end, kind });
        }
        let bss = self.split_bss(&mut mappings, used_bss);
        mappings.extend(bss);
        mappings
    }

    /// Takes a large bss off the last part; `used` is the offset where template content ends.
    fn split_bss(&self, mappings: &mut [Mapping], used: usize) -> Option<Mapping> {
        let last = mappings.last_mut().filter(|last| last.kind == MappingKind::Data)?;
        let filled =
            self.elf.loads().map(|l| self.place(l.address + l.file_size) as usize).max()?;
        let split = filled.max(used).next_multiple_of(PAGE);
        if split + LARGE_BSS > last.range.end {
            return None;
        }
        let range = split..last.range.end;
        last.range.end = split;
        Some(Mapping { range, kind: MappingKind::Zero })
    }

    /// The parts of an image that hold content from the file, by offset.
    pub(crate) fn filled(&self) -> impl Iterator<Item = Range<usize>> {
        self.elf.loads().map(|load| {
            let start = self.place(load.address) as usize;
            start..start + load.file_size as usize
        })
    }

    /// Address in the loader's copy of a link-time address.
    pub(crate) fn host_address(&self, address: u64) -> Option<usize> {
        self.host.as_ref().map(|host| host.bias.wrapping_add(address as usize))
    }
}

fn header(segment: &Segment) -> libc::Elf64_Phdr {
    libc::Elf64_Phdr {
        p_type: segment.kind,
        p_flags: segment.flags,
        p_offset: segment.file_offset,
        p_vaddr: segment.address,
        p_paddr: segment.address,
        p_filesz: segment.file_size,
        p_memsz: segment.size,
        p_align: segment.align,
    }
}

/// An array of functions named by the dynamic section, as link-time addresses of its words.
pub(crate) fn function_array(elf: &Elf, address: u64, size: u64) -> Vec<u64> {
    let Some((start, size)) = elf.dynamic(address).zip(elf.dynamic(size)) else {
        return Vec::new();
    };
    (0..size / 8).map(|number| start + 8 * number).collect()
}

/// The function of DT_INIT or DT_FINI.
pub(crate) fn single_function(elf: &Elf, tag: u64) -> Option<u64> {
    elf.dynamic(tag).filter(|address| *address != 0)
}

/// The parts of a module that hold arrays of constructors and destructors.
pub(crate) fn function_arrays(elf: &Elf) -> Vec<u64> {
    [
        (DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ),
        (DT_INIT_ARRAY, DT_INIT_ARRAYSZ),
        (DT_FINI_ARRAY, DT_FINI_ARRAYSZ),
    ]
    .iter()
    .flat_map(|(address, size)| function_array(elf, *address, *size))
    .collect()
}
