//! Whether a program has global variables of its own at all.
//!
//! Every program has some writable data: 16 bytes and a flag of the C start files, copies of
//! libraries' variables, and tables that are read-only once relocated. The symbol table tells
//! these from the user's.

use std::path::Path;

use crate::copies::Copied;
use crate::elf::Elf;
use crate::elf::bytes::{string_at, u16_at, u32_at, u64_at};
use crate::elf::constants::*;
use crate::module::Module;

/// Variables of the C and C++ start code, which no rank can tell apart.
const START_FILES: [&[u8]; 4] = [b"completed.0", b"completed", b"__dso_handle", b"_ZStL8__ioinit"];
/// Bytes of initialised data that the C start files have.
const START_DATA: u64 = 16;

/// Whether any module has variables of its own.
pub(crate) fn any(modules: &[Module], copied: &[Copied]) -> bool {
    modules.iter().any(|module| in_module(module, copied))
}

fn in_module(module: &Module, copied: &[Copied]) -> bool {
    let Some(symbols) = symbol_table(&module.path).filter(|symbols| !symbols.is_empty()) else {
        // Stripped: a byte of padding cannot be told from a variable.
        return true;
    };
    let elf = &module.elf;
    let own = |symbol: &FileSymbol| {
        let copy =
            |copied: &Copied| copied.range().contains(&(module.place(symbol.address) as usize));
        matches!(symbol.kind, STT_OBJECT | STT_COMMON)
            && symbol.size > 0
            && is_plain_data(elf, symbol.address)
            && !START_FILES.contains(&symbol.name.as_slice())
            && !copied.iter().any(copy)
    };
    initialised(elf) > START_DATA || symbols.iter().any(own)
}

/// Whether an address is in data that stays writable.
fn is_plain_data(elf: &Elf, address: u64) -> bool {
    let writable = elf.loads().filter(|l| l.is_writable()).any(|l| l.range().contains(&address));
    let relro = elf.segment(PT_GNU_RELRO).is_some_and(|relro| relro.range().contains(&address));
    writable && !relro
}

/// Bytes of initialised data that stay writable, without the table of lazily bound functions.
fn initialised(elf: &Elf) -> u64 {
    let Some(load) = elf.loads().filter(|load| load.is_writable()).last() else { return 0 };
    let end = load.address + load.file_size;
    let mut start = load.address;
    if let Some(relro) = elf.segment(PT_GNU_RELRO) {
        start = start.max(relro.range().end);
    }
    // Three words for the loader, then one per function.
    if let Some(table) = elf.dynamic(DT_PLTGOT).filter(|table| (start..end).contains(table)) {
        start = table + 8 * (3 + elf.dynamic(DT_PLTRELSZ).unwrap_or(0) / 24);
    } else if let Some(table) = elf.dynamic(DT_PLTGOT).filter(|table| *table < start) {
        // The linker leaves the table's end outside the protected part when it binds lazily.
        start = start.max(table + 8 * (3 + elf.dynamic(DT_PLTRELSZ).unwrap_or(0) / 24));
    }
    end.saturating_sub(start.next_multiple_of(8))
}

/// A symbol of the file's full symbol table.
#[derive(Debug)]
pub(crate) struct FileSymbol {
    pub(crate) name: Vec<u8>,
    pub(crate) kind: u8,
    pub(crate) is_defined: bool,
    pub(crate) address: u64,
    pub(crate) size: u64,
}

/// The full symbol table of a file, unless it was stripped.
pub(crate) fn symbol_table(path: &Path) -> Option<Vec<FileSymbol>> {
    let file = std::fs::read(path).ok()?;
    let (table, entry, count) =
        (u64_at(&file, 40)? as usize, u16_at(&file, 58)? as usize, u16_at(&file, 60)? as usize);
    let header = |number: usize| file.get(table.checked_add(number.checked_mul(entry)?)?..);
    let content = |header: &[u8]| {
        let start = u64_at(header, 24)? as usize;
        file.get(start..start.checked_add(u64_at(header, 32)? as usize)?)
    };
    let symbols = (0..count).filter_map(header).find(|h| u32_at(h, 4) == Some(SHT_SYMTAB))?;
    let strings = content(header(u32_at(symbols, 40)? as usize)?)?;
    let parse = |symbol: &[u8]| {
        Some(FileSymbol {
            name: string_at(strings, u32_at(symbol, 0)? as usize)?.to_vec(),
            kind: symbol[4] & 15,
            is_defined: u16_at(symbol, 6)? != SHN_UNDEF,
            address: u64_at(symbol, 8)?,
            size: u64_at(symbol, 16)?,
        })
    };
    Some(content(symbols)?.chunks_exact(24).filter_map(parse).collect())
}
