//! What a compiled file is: a program, a library, an object; what it needs and what it asks for.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use object::elf;
use object::read::archive::ArchiveFile;
use object::read::elf::{Dyn, ElfFile64, FileHeader, ProgramHeader};
use object::{Endianness, Object, ObjectSymbol, ReadCache, ReadRef};

/// Bytes of a file's header that tell what it is for.
const HEADER: u64 = 20;

/// A compiled file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Binary {
    pub(crate) kind: Kind,
    /// The libraries it names, in order.
    pub(crate) needed: Vec<String>,
    /// Where it looks for them first.
    pub(crate) search: Vec<PathBuf>,
    /// Functions and data that it takes from elsewhere.
    pub(crate) imports: BTreeSet<String>,
    /// Functions and data that it offers.
    pub(crate) exports: BTreeSet<String>,
}

/// Kinds of compiled files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A program that runs wherever it is mapped.
    PositionIndependent,
    /// A program that runs at one place only.
    FixedPosition,
    /// A program without shared libraries.
    Static,
    Library,
    #[default]
    Object,
    Archive,
}

impl Kind {
    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Kind::PositionIndependent => "a position-independent executable",
            Kind::FixedPosition => "an executable at a fixed position (not a PIE)",
            Kind::Static => "a static executable",
            Kind::Library => "a shared library",
            Kind::Object => "an object file",
            Kind::Archive => "a static library",
        }
    }

    /// Whether it can be started.
    pub(crate) fn is_program(self) -> bool {
        matches!(self, Kind::PositionIndependent | Kind::FixedPosition | Kind::Static)
    }
}

impl Binary {
    /// Reads a file.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        // Programs with debug information may be far larger than what is worth reading of them.
        Self::read(&ReadCache::new(file), path)
            .with_context(|| format!("{} is no compiled program", path.display()))
    }

    /// Understands the bytes of a file that is at `path`.
    fn read<'data>(bytes: impl ReadRef<'data>, path: &Path) -> Result<Self> {
        let magic = object::archive::MAGIC;
        if bytes.read_bytes_at(0, magic.len() as u64).is_ok_and(|start| start == magic) {
            return archive(bytes);
        }
        check_machine(bytes)?;
        let file = ElfFile64::<Endianness, _>::parse(bytes).context("its structure is damaged")?;
        let mut binary = Self { kind: Kind::Object, ..Self::default() };
        let has_dynamic = binary.dynamic(&file, path)?;
        binary.kind = kind(&file, has_dynamic, binary.kind == Kind::PositionIndependent);
        let symbols: Vec<_> = match has_dynamic {
            true => file.dynamic_symbols().collect(),
            false => file.symbols().collect(),
        };
        for symbol in symbols.iter().filter(|symbol| symbol.is_global()) {
            let Ok(name) = symbol.name() else { continue };
            match symbol.is_undefined() {
                true => binary.imports.insert(name.to_owned()),
                false => binary.exports.insert(name.to_owned()),
            };
        }
        Ok(binary)
    }

    /// Reads what the loader is told; false if there is nothing for it. The kind becomes that of a
    /// position-independent program if the file says so.
    fn dynamic<'data>(
        &mut self,
        file: &ElfFile64<'data, Endianness, impl ReadRef<'data>>,
        path: &Path,
    ) -> Result<bool> {
        let table = file.elf_dynamic_table().context("its dynamic section is damaged")?;
        let endian = file.endian();
        let mut any = false;
        for entry in table.dynamics() {
            let (tag, value) = (entry.d_tag(endian), entry.d_val(endian));
            any |= tag != elf::DT_NULL;
            let text = || table.strings().get(value as u32).map(String::from_utf8_lossy);
            match tag {
                elf::DT_NULL => break,
                elf::DT_NEEDED => self.needed.extend(text().ok().map(|name| name.into_owned())),
                elf::DT_RPATH | elf::DT_RUNPATH => {
                    if let Ok(list) = text() {
                        self.search = search(&list, path);
                    }
                }
                elf::DT_FLAGS_1 if value & u64::from(elf::DF_1_PIE) != 0 => {
                    self.kind = Kind::PositionIndependent;
                }
                _ => {}
            }
        }
        Ok(any)
    }

    /// The MPI library it names, if any, ours or another's.
    pub(crate) fn mpi_library(&self) -> Option<&str> {
        self.needed.iter().map(String::as_str).find(|name| {
            name.starts_with("libmpi")
                || name.starts_with("libmpich")
                || name.contains("smpi")
                || name.starts_with("libsimgrid")
        })
    }

    /// Whether it names the library with the standard ABI.
    pub(crate) fn uses_standard_abi(&self) -> bool {
        self.needed.iter().any(|name| name.starts_with("libmpi_abi.so"))
    }
}

/// A file for another processor cannot be read further.
fn check_machine<'data>(bytes: impl ReadRef<'data>) -> Result<()> {
    let bytes = bytes.read_bytes_at(0, HEADER).unwrap_or_default();
    if !bytes.starts_with(b"\x7fELF") {
        bail!("it is not in the ELF format");
    }
    let of_64_bits = bytes.get(4) == Some(&elf::ELFCLASS64);
    let machine = bytes.get(18..20).map_or(0, |field| u16::from_le_bytes([field[0], field[1]]));
    if !of_64_bits || machine != elf::EM_X86_64 {
        bail!("it was built for another processor; foretell runs programs for x86-64, 64 bits");
    }
    Ok(())
}

fn kind<'data>(
    file: &ElfFile64<'data, Endianness, impl ReadRef<'data>>,
    has_dynamic: bool,
    says_pie: bool,
) -> Kind {
    let endian = file.endian();
    let has_loader =
        (file.elf_program_headers().iter()).any(|segment| segment.p_type(endian) == elf::PT_INTERP);
    match file.elf_header().e_type(endian) {
        elf::ET_EXEC if has_loader => Kind::FixedPosition,
        elf::ET_EXEC => Kind::Static,
        elf::ET_DYN if has_loader => Kind::PositionIndependent,
        elf::ET_DYN if says_pie || !has_dynamic => Kind::Static,
        elf::ET_DYN => Kind::Library,
        _ => Kind::Object,
    }
}

/// The folders of a search path; `$ORIGIN` is where the file itself is.
fn search(list: &str, path: &Path) -> Vec<PathBuf> {
    let origin = path.parent().unwrap_or(Path::new("")).display().to_string();
    let folders = list.split(':').filter(|folder| !folder.is_empty());
    folders
        .map(|folder| folder.replace("$ORIGIN", &origin).replace("${ORIGIN}", &origin).into())
        .collect()
}

/// All objects of an archive together: what one of them offers is not asked for elsewhere.
fn archive<'data>(bytes: impl ReadRef<'data>) -> Result<Binary> {
    let archive = ArchiveFile::parse(bytes).context("its structure is damaged")?;
    let mut all = Binary { kind: Kind::Archive, ..Binary::default() };
    for member in archive.members() {
        let member = member.context("its structure is damaged")?;
        let bytes = member.data(bytes).context("its structure is damaged")?;
        if bytes.starts_with(b"\x7fELF") {
            let object = Binary::read(bytes, Path::new(""))?;
            all.imports.extend(object.imports);
            all.exports.extend(object.exports);
        }
    }
    let exports = &all.exports;
    all.imports.retain(|name| !exports.contains(name));
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_test_is_a_position_independent_program() {
        let path = std::env::current_exe().unwrap();
        let binary = Binary::open(&path).unwrap();
        assert_eq!(binary.kind, Kind::PositionIndependent);
        assert!(binary.needed.iter().any(|name| name.starts_with("libc.so")), "{binary:?}");
        assert!(binary.imports.iter().any(|name| name == "write"));
        assert_eq!(binary.mpi_library(), None);
    }

    #[test]
    fn what_is_not_for_this_processor_is_told() {
        let message = |bytes: &[u8]| Binary::read(bytes, Path::new("x")).unwrap_err().to_string();
        assert!(message(b"hello").contains("ELF"));
        let mut arm = b"\x7fELF\x02\x01\x01".to_vec();
        arm.resize(64, 0);
        arm[18] = 183;
        assert!(message(&arm).contains("another processor"));
    }

    #[test]
    fn search_paths_know_where_the_file_is() {
        let found = search("$ORIGIN/../lib::/opt/x", Path::new("/a/bin/app"));
        assert_eq!(found, [Path::new("/a/bin/../lib"), Path::new("/opt/x")]);
    }

    #[test]
    fn mpi_libraries_are_known_by_their_names() {
        let of = |name: &str| Binary { needed: vec![name.into()], ..Binary::default() };
        for name in ["libmpi_abi.so.1", "libmpich.so.12", "libmpi.so.40", "libsimgrid.so.3.32"] {
            assert_eq!(of(name).mpi_library(), Some(name));
        }
        assert_eq!(of("libm.so.6").mpi_library(), None);
        assert!(of("libmpi_abi.so.1").uses_standard_abi());
        assert!(!of("libmpi.so.40").uses_standard_abi());
    }
}
