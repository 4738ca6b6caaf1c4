//! Linking a program once for all its images.
//!
//! Whatever is the same in every image (addresses of the C library, of MPI, of interposed
//! functions, first values of copied variables) is written into a template file in memory. What
//! depends on where an image lies is kept as a list of patches: an image is the template mapped,
//! and the patches applied.

mod resolve;
mod template;

use std::collections::BTreeSet;

use crate::elf::constants::*;
use crate::elf::relocations::{Relocation, kind_name};
use crate::elf::symbols::{Symbol, Use};
use crate::module::{self, Mapping, MappingKind, Module};
use crate::program::Inner;
use crate::{ImageError, Interposed, copies};

pub(crate) use template::{Template, memory_file};

/// A word that holds an address within the image.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Patch {
    /// Offset of the word.
    pub(crate) place: usize,
    /// Offset of what it points to.
    pub(crate) target: u64,
}

/// What a reference means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    /// An offset in the image.
    Image(u64),
    /// The same in every image.
    Fixed(u64),
    /// What the function at this offset in the image says.
    Resolver(u64),
}

/// A program that is ready to be mapped.
#[derive(Debug)]
pub(crate) struct Linked {
    pub(crate) template: Template,
    pub(crate) mappings: Vec<Mapping>,
    pub(crate) patches: Vec<Patch>,
    /// Functions to call before `main` and after it, in order.
    pub(crate) constructors: Vec<Value>,
    pub(crate) destructors: Vec<Value>,
    /// First values of copied variables in the template, in the program's order.
    pub(crate) copied: Vec<Option<Vec<u8>>>,
}

/// Links a program; `interposed` is asked once for each name the program needs.
pub(crate) fn link(
    program: &'static Inner,
    interposed: &dyn Interposed,
) -> Result<Linked, ImageError> {
    let mut work = Work { program, interposed, fixed: vec![], patches: vec![], resolvers: vec![] };
    for module in &program.modules {
        for relocation in module.elf.relocations() {
            work.relocate(module, &relocation)?;
        }
    }
    let copied = work.copy_variables();
    work.patches.sort_unstable();
    let linked = work.finish(copied)?;
    if work.resolvers.is_empty() { Ok(linked) } else { resolve::resolve(linked, &work) }
}

/// A program while it is being linked.
struct Work<'a> {
    program: &'static Inner,
    interposed: &'a dyn Interposed,
    /// Words that are the same in every image: offset and value.
    fixed: Vec<(usize, u64)>,
    patches: Vec<Patch>,
    /// Words that a function of the image decides: offset, the function's offset, addend.
    resolvers: Vec<(usize, u64, u64)>,
}

impl Work<'_> {
    fn relocate(&mut self, module: &'static Module, one: &Relocation) -> Result<(), ImageError> {
        let place = self.writable_place(module, one)?;
        match one.kind {
            R_NONE | R_COPY => {}
            R_RELATIVE => self.write(place, Value::Image(module.place(one.addend)), 0),
            R_IRELATIVE => self.write(place, Value::Resolver(module.place(one.addend)), 0),
            R_64 => {
                let value = self.symbol(module, one, Use::Address)?;
                self.write(place, value, one.addend);
            }
            R_GLOB_DAT => {
                let value = self.symbol(module, one, Use::Address)?;
                self.write(place, value, 0);
            }
            R_JUMP_SLOT => {
                let value = self.symbol(module, one, Use::Call)?;
                self.write(place, value, 0);
            }
            R_DTPMOD64 | R_DTPOFF64 | R_TPOFF64 | R_TLSDESC => {
                for (number, word) in self.thread_local(module, one)?.into_iter().enumerate() {
                    self.fixed.push((place + 8 * number, word));
                }
            }
            _ => return Err(unsupported(module, one, "compile the program with -fPIE or -fPIC")),
        }
        Ok(())
    }

    /// Offset in the image of the place to relocate, which must be in writable memory.
    fn writable_place(&self, module: &Module, one: &Relocation) -> Result<usize, ImageError> {
        let mut writable = module.elf.loads().filter(|load| load.is_writable());
        let is_writable = writable.any(|load| load.range().contains(&one.offset));
        if one.kind != R_NONE && !is_writable {
            let help = "its code would have to be changed for each image; compile with -fPIE";
            return Err(unsupported(module, one, help));
        }
        Ok(module.place(one.offset) as usize)
    }

    fn write(&mut self, place: usize, value: Value, addend: u64) {
        match value {
            Value::Image(target) => {
                self.patches.push(Patch { place, target: target.wrapping_add(addend) });
            }
            Value::Fixed(value) => self.fixed.push((place, value.wrapping_add(addend))),
            Value::Resolver(function) => self.resolvers.push((place, function, addend)),
        }
    }

    fn symbol(
        &self,
        module: &'static Module,
        one: &Relocation,
        purpose: Use,
    ) -> Result<Value, ImageError> {
        if one.symbol == 0 {
            return Ok(Value::Fixed(0));
        }
        let symbol = symbol_of(module, one)?;
        resolve::symbol(self.program, self.interposed, module, symbol, purpose).ok_or_else(|| {
            ImageError::Undefined { symbol: symbol.full_name(), path: module.path.clone() }
        })
    }

    /// The words of a reference to a thread-local: of the loader's copy, whose block ranks swap.
    fn thread_local(
        &self,
        module: &'static Module,
        one: &Relocation,
    ) -> Result<Vec<u64>, ImageError> {
        let symbol = if one.symbol == 0 { None } else { Some(symbol_of(module, one)?) };
        if one.kind == R_TLSDESC {
            return resolve::descriptor(self.program, module, symbol, one.addend)
                .ok_or_else(|| unsupported(module, one, "the thread-local is in another library"));
        }
        if let Some(address) = module.host_address(one.offset) {
            // SAFETY: the loader relocated this word of its own copy when it loaded it.
            return Ok(vec![unsafe { (address as *const u64).read_unaligned() }]);
        }
        match symbol.filter(|symbol| symbol.is_defined()) {
            Some(symbol) if one.kind == R_TPOFF64 => {
                let reach = crate::thread_locals::reach(&module.elf) as u64;
                Ok(vec![symbol.value.wrapping_add(one.addend).wrapping_sub(reach)])
            }
            _ => Err(unsupported(module, one, "run this program first on the command line")),
        }
    }

    /// First values of the copied variables: as they are now in the process, or as the private
    /// library has them.
    fn copy_variables(&mut self) -> Vec<Option<Vec<u8>>> {
        let mut values = Vec::new();
        for copied in &self.program.copied {
            let value = copied.value();
            match (&copied.source, &value) {
                (_, Some(value)) => {
                    let inner = copies::inner_pointers(&self.program.copied, copied, value);
                    self.patches.extend(
                        inner
                            .iter()
                            .map(|(place, target)| Patch { place: *place, target: *target as u64 }),
                    );
                }
                (copies::Source::Image(from), None) => self.copy_within(*from, copied),
                (copies::Source::Process(_), None) => {}
            }
            values.push(value);
        }
        values
    }

    /// Repeats what was decided about a variable of a private library for its copy.
    fn copy_within(&mut self, from: usize, copied: &copies::Copied) {
        let moved = |place: usize| {
            let offset = place.wrapping_sub(from);
            (offset < copied.size).then(|| copied.place + offset)
        };
        let patches = self.patches.clone();
        self.patches.extend(
            patches.iter().filter_map(|p| Some(Patch { place: moved(p.place)?, target: p.target })),
        );
        let fixed = self.fixed.clone();
        self.fixed.extend(fixed.iter().filter_map(|(place, value)| Some((moved(*place)?, *value))));
    }

    /// Writes the template, and takes the arrays of constructors out of the patches: nobody but
    /// the caller of the constructors reads them, and their page stays untouched.
    fn finish(&mut self, copied: Vec<Option<Vec<u8>>>) -> Result<Linked, ImageError> {
        let (constructors, destructors) = self.functions();
        let arrays: BTreeSet<usize> = self.program.modules.iter().flat_map(array_places).collect();
        self.patches.retain(|patch| !arrays.contains(&patch.place));
        let template = Template::write(self.program, &self.fixed, &copied)?;
        let mappings = self.mappings();
        let patches = std::mem::take(&mut self.patches);
        Ok(Linked { template, mappings, patches, constructors, destructors, copied })
    }

    fn mappings(&self) -> Vec<Mapping> {
        let mut all = Vec::new();
        for module in &self.program.modules {
            let inside = |place: &usize| (module.start..module.end).contains(place);
            let copied = self.program.copied.iter().map(|copied| copied.range().end);
            let used = copied.filter(inside).max().unwrap_or(0);
            all.extend(module.mappings(used));
        }
        debug_assert!(all.iter().any(|mapping| mapping.kind == MappingKind::Constant));
        all
    }

    /// Constructors and destructors in the order of the loader.
    fn functions(&self) -> (Vec<Value>, Vec<Value>) {
        let lookup = |module: &Module, word: u64| {
            let place = module.place(word) as usize;
            let found = self.patches.binary_search_by_key(&place, |patch| patch.place);
            match found {
                Ok(at) => Value::Image(self.patches[at].target),
                Err(_) => {
                    let fixed = self.fixed.iter().find(|(at, _)| *at == place);
                    Value::Fixed(fixed.map_or(0, |(_, value)| *value))
                }
            }
        };
        self.program.functions(&self.program.order, lookup, |module, function| {
            Value::Image(module.place(function))
        })
    }
}

/// Offsets of the words of a module's arrays of constructors and destructors.
fn array_places(module: &Module) -> Vec<usize> {
    module::function_arrays(&module.elf).iter().map(|word| module.place(*word) as usize).collect()
}

fn symbol_of(module: &'static Module, one: &Relocation) -> Result<&'static Symbol, ImageError> {
    let symbol = module.elf.symbols.all.get(one.symbol);
    symbol.ok_or_else(|| unsupported(module, one, "it names a symbol that does not exist"))
}

fn unsupported(module: &Module, one: &Relocation, help: &'static str) -> ImageError {
    ImageError::Relocation {
        path: module.path.clone(),
        kind: kind_name(one.kind),
        offset: one.offset,
        help,
    }
}
