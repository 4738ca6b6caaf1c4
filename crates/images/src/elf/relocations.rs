//! The relocations of a module: what must be written where once addresses are known.

use super::Elf;
use super::bytes::u64_at;
use super::constants::*;

/// One relocation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Relocation {
    /// Link-time address of the place to write.
    pub(crate) offset: u64,
    /// Kind, one of the `R_` numbers.
    pub(crate) kind: u32,
    /// Number of the symbol; zero for none.
    pub(crate) symbol: usize,
    /// Constant to add.
    pub(crate) addend: u64,
}

impl Elf {
    /// All relocations: compact relative ones, then the general table, then those of the PLT.
    pub(crate) fn relocations(&self) -> Vec<Relocation> {
        let mut all = self.compact();
        for table in [self.table(DT_RELA, DT_RELASZ), self.table(DT_JMPREL, DT_PLTRELSZ)] {
            all.extend(table.chunks_exact(24).filter_map(relocation));
        }
        all
    }

    /// The compact relative relocations (DT_RELR): an address, then bitmaps of the words after it.
    fn compact(&self) -> Vec<Relocation> {
        let mut all = Vec::new();
        let mut next = 0;
        for entry in self.table(DT_RELR, DT_RELRSZ).chunks_exact(8) {
            let Some(entry) = u64_at(entry, 0) else { break };
            if entry & 1 == 0 {
                all.extend(self.relative(entry));
                next = entry.wrapping_add(8);
                continue;
            }
            let marked = (0..63).filter(|bit| entry >> (bit + 1) & 1 == 1);
            all.extend(marked.filter_map(|bit| self.relative(next + 8 * bit)));
            next = next.wrapping_add(63 * 8);
        }
        all
    }

    /// A relative relocation whose addend is the word it replaces.
    fn relative(&self, offset: u64) -> Option<Relocation> {
        let addend = self.word(offset)?;
        Some(Relocation { offset, kind: R_RELATIVE, symbol: 0, addend })
    }
}

fn relocation(entry: &[u8]) -> Option<Relocation> {
    let info = u64_at(entry, 8)?;
    Some(Relocation {
        offset: u64_at(entry, 0)?,
        kind: info as u32,
        symbol: (info >> 32) as usize,
        addend: u64_at(entry, 16)?,
    })
}

/// The name of a kind of relocation, for messages.
pub(crate) fn kind_name(kind: u32) -> String {
    match kind {
        R_PC32 => "R_X86_64_PC32".to_owned(),
        R_32 => "R_X86_64_32".to_owned(),
        R_32S => "R_X86_64_32S".to_owned(),
        R_DTPMOD64 => "R_X86_64_DTPMOD64".to_owned(),
        R_TLSDESC => "R_X86_64_TLSDESC".to_owned(),
        _ => format!("number {kind}"),
    }
}
