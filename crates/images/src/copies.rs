//! Variables of libraries that the linker copied into the executable (`stdout`, `optind`,
//! `std::cout`): the library itself uses the copy in the loader's executable.

use std::ffi::CStr;
use std::ops::Range;

use crate::elf::constants::R_COPY;
use crate::elf::symbols::Use;
use crate::host;
use crate::module::Module;

/// A variable of a library that an executable has its own copy of.
#[derive(Debug)]
pub(crate) struct Copied {
    pub(crate) name: Box<CStr>,
    /// Offset of the copy in an image.
    pub(crate) place: usize,
    pub(crate) size: usize,
    pub(crate) source: Source,
}

/// Where the first value of a copied variable comes from.
#[derive(Debug)]
pub(crate) enum Source {
    /// The variable that the library uses, in this process.
    Process(usize),
    /// Another place of the image: the library is private.
    Image(usize),
}

/// Variables that a call changes for one rank only, so that their first value must not be read
/// again while ranks run.
const GETOPT: [&CStr; 4] = [c"optarg", c"optind", c"opterr", c"optopt"];

impl Copied {
    /// Address of the variable that the library uses.
    pub(crate) fn process_address(&self) -> Option<usize> {
        match self.source {
            Source::Process(address) => Some(address),
            Source::Image(_) => None,
        }
    }

    /// Whether every new image takes the value of the moment.
    pub(crate) fn follows_process(&self) -> bool {
        self.process_address().is_some() && !GETOPT.contains(&self.name.as_ref())
    }

    /// The bytes of the variable that the library uses, now.
    pub(crate) fn value(&self) -> Option<Vec<u8>> {
        let address = self.process_address()?;
        // SAFETY: the address came from the loader, for a symbol of at least this size.
        let bytes = unsafe { std::slice::from_raw_parts(address as *const u8, self.size) };
        Some(bytes.to_vec())
    }

    /// Offsets it takes in an image.
    pub(crate) fn range(&self) -> Range<usize> {
        self.place..self.place + self.size
    }
}

/// Words of a copied variable that point into copied variables: a stream points to itself and to
/// the stream it is tied to. Gives the word's offset in an image and where it must point.
pub(crate) fn inner_pointers(all: &[Copied], one: &Copied, value: &[u8]) -> Vec<(usize, usize)> {
    let mut pointers = Vec::new();
    for (number, word) in value.chunks_exact(8).enumerate() {
        let word = word.iter().rev().fold(0, |word, byte| word << 8 | *byte as usize);
        let target = all.iter().find_map(|copied| {
            let offset = word.wrapping_sub(copied.process_address()?);
            (offset < copied.size).then(|| copied.place + offset)
        });
        pointers.extend(target.map(|target| (one.place + 8 * number, target)));
    }
    pointers
}

/// Finds the copied variables of a program; the first module is the executable.
pub(crate) fn find(modules: &[Module]) -> Vec<Copied> {
    let mut all: Vec<Copied> = Vec::new();
    let Some(executable) = modules.first() else { return all };
    for relocation in executable.elf.relocations() {
        let symbol = executable.elf.symbols.all.get(relocation.symbol);
        let Some(symbol) = symbol.filter(|_| relocation.kind == R_COPY) else { continue };
        let version = symbol.version.as_deref();
        let private = modules[1..].iter().find_map(|module| {
            let found = module.elf.symbols.find(&symbol.name, version, Use::Address)?;
            Some(Source::Image(module.place(found.value) as usize))
        });
        let process = || host::global_symbol(&symbol.name, version).map(Source::Process);
        let Some(source) = private.or_else(process) else { continue };
        all.push(Copied {
            name: symbol.name.clone(),
            place: executable.place(relocation.offset) as usize,
            size: symbol.size as usize,
            source,
        });
    }
    construct_streams(&all);
    all
}

/// Makes the C++ library set its standard streams up, if the program has copies of them: it does
/// so in the first constructor that asks, which is too late for the copies.
fn construct_streams(all: &[Copied]) {
    const CONSTRUCTOR: &CStr = c"_ZNSt8ios_base4InitC1Ev";
    static INIT: std::sync::atomic::AtomicU8 = std::sync::atomic::AtomicU8::new(0);
    let has_stream = |name: &[u8]| {
        [&b"_ZSt3cin"[..], b"_ZSt4c", b"_ZSt5wc", b"_ZSt4wc"].iter().any(|s| name.starts_with(s))
    };
    if !all.iter().any(|copied| has_stream(copied.name.to_bytes())) {
        return;
    }
    if let Some(constructor) = host::global_symbol(CONSTRUCTOR, None) {
        // SAFETY: `std::ios_base::Init::Init()` takes the address of an object of one byte, which
        // it does not read; the library counts calls, so one more is harmless.
        unsafe {
            let construct: unsafe extern "C" fn(*const std::sync::atomic::AtomicU8) =
                std::mem::transmute(constructor);
            construct(&INIT);
        }
    }
}
