//! Redirecting a program that the loader has relocated to interposed functions.

use std::ops::Range;
use std::ptr;

use rustix::mm::{MprotectFlags, mprotect};

use crate::elf::PAGE;
use crate::elf::constants::*;
use crate::elf::relocations::Relocation;
use crate::elf::symbols::Use;
use crate::image::Image;
use crate::module::Module;
use crate::program::Inner;
use crate::{ImageError, Interposed};

/// The loader's image of a program, redirected.
pub(crate) fn image(
    program: &'static Inner,
    interposed: &dyn Interposed,
) -> Result<Image, ImageError> {
    for module in &program.modules {
        if let Some(host) = &module.host {
            redirect(program, module, host.bias, interposed)?;
        }
    }
    Ok(Image::of_host(program))
}

/// Makes every reference of a module to an interposed name mean the interposed function; `bias`
/// is what its copy in memory adds to addresses.
pub(crate) fn redirect(
    program: &Inner,
    module: &Module,
    bias: usize,
    interposed: &dyn Interposed,
) -> Result<(), ImageError> {
    let writes: Vec<(u64, u64)> = module
        .elf
        .relocations()
        .iter()
        .filter_map(|one| Some((one.offset, replacement(program, module, one, interposed)?)))
        .collect();
    // SAFETY: the places are relocated words of a loaded module.
    unsafe { write(module, bias, &writes) }
}

/// Writes words of a loaded module at link-time addresses, also where the loader protected them.
///
/// # Safety
///
/// The places lie in writable segments of the module loaded with this `bias`, and nothing else
/// uses them now.
pub(crate) unsafe fn write(
    module: &Module,
    bias: usize,
    writes: &[(u64, u64)],
) -> Result<(), ImageError> {
    let relro = module.elf.segment(PT_GNU_RELRO).map(|segment| segment.range());
    let relro = relro.filter(|relro| writes.iter().any(|(offset, _)| relro.contains(offset)));
    if let Some(relro) = &relro {
        protect(relro, bias, MprotectFlags::READ | MprotectFlags::WRITE)?;
    }
    for (offset, value) in writes {
        let place = ptr::with_exposed_provenance_mut::<u64>(bias.wrapping_add(*offset as usize));
        // SAFETY: by the caller; protected places were just made writable.
        unsafe { place.write_unaligned(*value) };
    }
    if let Some(relro) = &relro {
        protect(relro, bias, MprotectFlags::READ)?;
    }
    Ok(())
}

/// What a reference becomes, if it is to an interposed name that the program does not define.
fn replacement(
    program: &Inner,
    module: &Module,
    one: &Relocation,
    interposed: &dyn Interposed,
) -> Option<u64> {
    let addend = match one.kind {
        R_64 => one.addend,
        R_GLOB_DAT | R_JUMP_SLOT => 0,
        _ => return None,
    };
    let symbol = module.elf.symbols.all.get(one.symbol).filter(|_| one.symbol != 0)?;
    let own = |module: &Module| module.elf.symbols.find(&symbol.name, None, Use::Call).is_some();
    if symbol.binds_locally() || program.modules.iter().any(own) {
        return None;
    }
    interposed.address(&symbol.name).map(|address| (address as u64).wrapping_add(addend))
}

/// Changes the rights of the pages that the loader protects after relocation.
fn protect(relro: &Range<u64>, bias: usize, rights: MprotectFlags) -> Result<(), ImageError> {
    let start = bias.wrapping_add(relro.start as usize) / PAGE * PAGE;
    let end = bias.wrapping_add(relro.end as usize) / PAGE * PAGE;
    // SAFETY: the pages belong to a loaded module, and nothing but relocated words is written
    // while they are writable.
    unsafe { mprotect(ptr::with_exposed_provenance_mut(start), end - start, rights) }
        .map_err(|error| ImageError::Memory { bytes: end - start, source: error.into() })
}
