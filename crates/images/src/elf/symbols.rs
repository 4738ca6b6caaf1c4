//! The dynamic symbols of a module, with their versions, and how a name is found among them.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString};

use super::Elf;
use super::bytes::{string_at, u16_at, u32_at, u64_at};
use super::constants::*;

/// A dynamic symbol.
#[derive(Debug, Clone)]
pub(crate) struct Symbol {
    /// Its name, without a version.
    pub(crate) name: Box<CStr>,
    info: u8,
    other: u8,
    section: u16,
    /// Link-time address, or an offset into the thread-locals.
    pub(crate) value: u64,
    /// Size in bytes.
    pub(crate) size: u64,
    /// The version it defines or needs.
    pub(crate) version: Option<Box<[u8]>>,
    /// Whether only references that name its version find it.
    hidden_version: bool,
}

impl Symbol {
    /// Whether the module itself defines it.
    pub(crate) fn is_defined(&self) -> bool {
        self.section != SHN_UNDEF
    }

    /// Whether its value is a number rather than an address.
    pub(crate) fn is_absolute(&self) -> bool {
        self.section == SHN_ABS
    }

    /// Whether it may stay undefined.
    pub(crate) fn is_weak(&self) -> bool {
        self.info >> 4 == STB_WEAK
    }

    /// Kind of thing named, one of the `STT_` numbers.
    pub(crate) fn kind(&self) -> u8 {
        self.info & 15
    }

    /// Whether references from its own module are always to itself: local, or not of default
    /// visibility.
    pub(crate) fn binds_locally(&self) -> bool {
        self.info >> 4 == STB_LOCAL || (self.other & 3 != 0 && self.is_defined())
    }

    /// The name with its version, for messages.
    pub(crate) fn full_name(&self) -> String {
        let name = self.name.to_string_lossy();
        match &self.version {
            Some(version) => format!("{name}@{}", String::from_utf8_lossy(version)),
            None => name.into_owned(),
        }
    }
}

/// What a reference is for: calls through the PLT never bind to an address that the executable
/// merely lends to a function of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// A call through the procedure linkage table.
    Call,
    /// The address itself.
    Address,
}

/// The symbols of a module.
#[derive(Debug, Default)]
pub(crate) struct Symbols {
    /// All of them, by number.
    pub(crate) all: Vec<Symbol>,
    /// Those that others may refer to.
    exported: BTreeMap<Box<[u8]>, Vec<u32>>,
}

impl Symbols {
    pub(super) fn read(elf: &Elf) -> Result<Symbols, String> {
        let Some(table) = elf.dynamic(DT_SYMTAB) else { return Ok(Symbols::default()) };
        let count = count(elf).ok_or("its symbol hash table is damaged")?;
        let versions = versions(elf);
        let mut symbols = Symbols::default();
        for number in 0..count {
            let symbol = symbol(elf, table, number, &versions)
                .ok_or_else(|| format!("its symbol {number} is damaged"))?;
            let is_exported = symbol.is_defined() || symbol.value != 0;
            if is_exported && symbol.info >> 4 != STB_LOCAL {
                symbols
                    .exported
                    .entry(symbol.name.to_bytes().into())
                    .or_default()
                    .push(number as u32);
            }
            symbols.all.push(symbol);
        }
        Ok(symbols)
    }

    /// The definition that a reference by `name` and `version` finds here, by the dynamic
    /// loader's rules: a version must match unless the definition has none.
    pub(crate) fn find(
        &self,
        name: &CStr,
        version: Option<&[u8]>,
        purpose: Use,
    ) -> Option<&Symbol> {
        let candidates =
            self.exported.get(name.to_bytes())?.iter().map(|number| &self.all[*number as usize]);
        candidates.into_iter().find(|symbol| {
            let usable = symbol.is_defined() || purpose == Use::Address;
            // An undefined symbol's version is the one it needs, not one it offers.
            let offered = symbol.version.as_deref().filter(|_| symbol.is_defined());
            usable
                && match (version, offered) {
                    (Some(wanted), Some(offered)) => wanted == offered,
                    (Some(_), None) => true,
                    (None, _) => !symbol.hidden_version,
                }
        })
    }
}

fn symbol(elf: &Elf, table: u64, number: usize, versions: &Versions) -> Option<Symbol> {
    let entry = elf.bytes(table.checked_add(24 * number as u64)?, 24)?;
    let name = string_at(elf.table(DT_STRTAB, DT_STRSZ), u32_at(entry, 0)? as usize)?;
    let version = match elf.dynamic(DT_VERSYM) {
        Some(table) => u16_at(elf.bytes(table + 2 * number as u64, 2)?, 0)?,
        None => 1,
    };
    Some(Symbol {
        name: CString::new(name).ok()?.into(),
        info: entry[4],
        other: entry[5],
        section: u16_at(entry, 6)?,
        value: u64_at(entry, 8)?,
        size: u64_at(entry, 16)?,
        version: versions.get(&(version & 0x7fff)).cloned(),
        hidden_version: version & 0x8000 != 0,
    })
}

/// How many dynamic symbols there are: only the hash tables know.
fn count(elf: &Elf) -> Option<usize> {
    if let Some(hash) = elf.dynamic(DT_HASH) {
        return Some(u32_at(elf.bytes(hash, 8)?, 4)? as usize);
    }
    let Some(table) = elf.dynamic(DT_GNU_HASH) else { return Some(0) };
    let word = |at: u64| u32_at(elf.bytes(at, 4)?, 0);
    let (buckets, first, bloom) = (word(table)?, word(table + 4)?, word(table + 8)?);
    let bucket_table = table + 16 + 8 * u64::from(bloom);
    let chains = bucket_table + 4 * u64::from(buckets);
    let mut last = 0;
    for bucket in 0..u64::from(buckets) {
        last = last.max(word(bucket_table + 4 * bucket)?);
    }
    if last < first {
        return Some(first as usize);
    }
    // The last chain ends with an odd hash value.
    while word(chains + 4 * u64::from(last - first))? & 1 == 0 {
        last += 1;
    }
    Some(last as usize + 1)
}

type Versions = BTreeMap<u16, Box<[u8]>>;

/// Names of the versions that symbols define or need, by number.
fn versions(elf: &Elf) -> Versions {
    let mut versions = Versions::new();
    if let Some(table) = elf.dynamic(DT_VERDEF) {
        defined_versions(elf, table, &mut versions);
    }
    if let Some(table) = elf.dynamic(DT_VERNEED) {
        needed_versions(elf, table, &mut versions);
    }
    versions
}

fn defined_versions(elf: &Elf, mut at: u64, versions: &mut Versions) -> Option<()> {
    loop {
        let entry = elf.bytes(at, 20)?;
        let number = u16_at(entry, 4)?;
        let name = elf.bytes(at + u64::from(u32_at(entry, 12)?), 8)?;
        // The base version (flag 1) is the library's own name, not one that references carry.
        if u16_at(entry, 2)? & 1 == 0 {
            let strings = elf.table(DT_STRTAB, DT_STRSZ);
            versions.insert(number, string_at(strings, u32_at(name, 0)? as usize)?.into());
        }
        match u32_at(entry, 16)? {
            0 => return None,
            next => at += u64::from(next),
        }
    }
}

fn needed_versions(elf: &Elf, mut at: u64, versions: &mut Versions) -> Option<()> {
    let strings = elf.table(DT_STRTAB, DT_STRSZ);
    loop {
        let entry = elf.bytes(at, 16)?;
        let mut need_at = at + u64::from(u32_at(entry, 8)?);
        for _ in 0..u16_at(entry, 2)? {
            let need = elf.bytes(need_at, 16)?;
            let name = string_at(strings, u32_at(need, 8)? as usize)?;
            versions.insert(u16_at(need, 6)?, name.into());
            need_at += u64::from(u32_at(need, 12)?);
        }
        match u32_at(entry, 12)? {
            0 => return None,
            next => at += u64::from(next),
        }
    }
}
