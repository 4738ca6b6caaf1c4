//! Finding `main` in an executable that was not started by the system.

use std::path::Path;

use crate::elf::Elf;
use crate::elf::bytes::u32_at;
use crate::elf::constants::R_RELATIVE;
use crate::elf::symbols::Use;
use crate::globals::symbol_table;

/// Bytes of `_start` in which `main` is loaded.
const START: u64 = 64;

/// Link-time address of `main`: from the symbols, or from the start code, which loads it into
/// `rdi` as the first argument of `__libc_start_main`.
pub(crate) fn main(elf: &Elf, path: &Path) -> Option<u64> {
    if let Some(symbol) = elf.symbols.find(c"main", None, Use::Call) {
        return Some(symbol.value);
    }
    let symbols = symbol_table(path).unwrap_or_default();
    let named = symbols.iter().find(|symbol| symbol.name == b"main" && symbol.is_defined);
    named.map(|symbol| symbol.address).or_else(|| in_start_code(elf))
}

fn in_start_code(elf: &Elf) -> Option<u64> {
    let code = elf.bytes(elf.entry, START)?;
    for at in 0..code.len() - 7 {
        let target = || {
            let distance = u32_at(code, at + 3)? as i32;
            Some(elf.entry.wrapping_add(at as u64 + 7).wrapping_add_signed(distance.into()))
        };
        match code[at..at + 3] {
            // lea main(%rip), %rdi
            [0x48, 0x8d, 0x3d] => return target(),
            // mov main@GOTPCREL(%rip), %rdi
            [0x48, 0x8b, 0x3d] => return slot(elf, target()?),
            _ => {}
        }
    }
    None
}

/// What a word of the global offset table will hold.
fn slot(elf: &Elf, address: u64) -> Option<u64> {
    let relocations = elf.relocations();
    let one = relocations.iter().find(|relocation| relocation.offset == address)?;
    (one.kind == R_RELATIVE).then_some(one.addend)
}
