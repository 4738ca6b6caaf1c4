//! What names mean: the image itself first, then interposed functions, then the process.

use std::arch::naked_asm;

use super::{Linked, Patch, Use, Value, Work};
use crate::elf::constants::*;
use crate::elf::symbols::Symbol;
use crate::module::Module;
use crate::program::Inner;
use crate::{ImageError, Interposed, host};

/// What a symbol means when `module` refers to it; nothing when it is undefined and must not be.
pub(super) fn symbol(
    program: &'static Inner,
    interposed: &dyn Interposed,
    module: &'static Module,
    symbol: &'static Symbol,
    purpose: Use,
) -> Option<Value> {
    if symbol.binds_locally() {
        return Some(defined(module, symbol));
    }
    let version = symbol.version.as_deref();
    if let Some((module, found)) = in_images(program, module, symbol, purpose) {
        return Some(defined(module, found));
    }
    let address =
        interposed.address(&symbol.name).or_else(|| host::global_symbol(&symbol.name, version));
    match address {
        Some(address) if is_function(symbol, purpose, address) => {
            let address = interposed.way_out(&symbol.name, address, module.caller());
            Some(Value::Fixed(address as u64))
        }
        Some(address) => Some(Value::Fixed(address as u64)),
        None => symbol.is_weak().then_some(Value::Fixed(0)),
    }
}

/// Whether a symbol that is defined elsewhere names a function. Linkers usually note it; where
/// they do not, what lies in code is one.
fn is_function(symbol: &Symbol, purpose: Use, address: usize) -> bool {
    match symbol.kind() {
        STT_FUNC | STT_IFUNC => true,
        STT_NOTYPE => purpose == Use::Call || host::is_code(address),
        _ => false,
    }
}

/// The definition within the image: the executable's first, then those of the libraries in load
/// order, whether weak or not, as the loader does.
fn in_images(
    program: &'static Inner,
    module: &'static Module,
    symbol: &Symbol,
    purpose: Use,
) -> Option<(&'static Module, &'static Symbol)> {
    let version = symbol.version.as_deref();
    let find = |module: &'static Module| {
        let found = module.elf.symbols.find(&symbol.name, version, purpose)?;
        Some((module, found))
    };
    let own = module.elf.is_symbolic().then(|| find(module)).flatten();
    own.or_else(|| program.modules.iter().find_map(find))
}

fn defined(module: &Module, symbol: &Symbol) -> Value {
    match symbol.kind() {
        STT_IFUNC => Value::Resolver(module.place(symbol.value)),
        _ if symbol.is_absolute() => Value::Fixed(symbol.value),
        _ => Value::Image(module.place(symbol.value)),
    }
}

/// The two words of a thread-local descriptor: a function and the offset it returns.
pub(super) fn descriptor(
    program: &'static Inner,
    module: &'static Module,
    symbol: Option<&'static Symbol>,
    addend: u64,
) -> Option<Vec<u64>> {
    let (module, value) = match symbol {
        None => (module, 0),
        Some(symbol) if symbol.binds_locally() => (module, symbol.value),
        Some(symbol) => {
            let (module, found) = in_images(program, module, symbol, Use::Address)?;
            (module, found.value)
        }
    };
    let block = crate::thread_locals::block(module)?;
    let offset = block.wrapping_sub(host::thread_pointer()) as u64;
    let offset = offset.wrapping_add(value).wrapping_add(addend);
    Some(vec![return_offset as *const () as u64, offset])
}

/// What a thread-local descriptor calls: its address comes in `rax`, the offset from the thread
/// pointer goes back in `rax`, and every other register stays.
#[unsafe(naked)]
unsafe extern "C" fn return_offset() {
    naked_asm!("mov rax, [rax + 8]", "ret")
}

/// Asks the functions that choose an implementation (IFUNC), in an image made for the purpose.
///
/// They depend on the processor only, so that one answer serves all images.
pub(super) fn resolve(mut linked: Linked, work: &Work) -> Result<Linked, ImageError> {
    let scratch = work.program.take_slot()?;
    if let Err(error) = work.program.map(&linked, &scratch) {
        work.program.release(&scratch);
        return Err(error);
    }
    for (place, function, addend) in &work.resolvers {
        let function = scratch.base + *function as usize;
        // SAFETY: the image is mapped and relocated, and a resolver takes no arguments.
        let answer = unsafe {
            let resolver: unsafe extern "C" fn() -> usize = std::mem::transmute(function);
            resolver()
        };
        if scratch.range().contains(&answer) {
            let target = ((answer - scratch.base) as u64).wrapping_add(*addend);
            linked.patches.push(Patch { place: *place, target });
        } else {
            linked.template.write_word(*place, (answer as u64).wrapping_add(*addend))?;
        }
    }
    work.program.release(&scratch);
    linked.patches.sort_unstable();
    Ok(linked)
}
