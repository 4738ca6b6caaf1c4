//! Thread-locals of a program: the loader made one block of them per module for the main thread,
//! at a place that the code knows; ranks take turns in it.

use std::path::Path;

use crate::ImageError;
use crate::elf::Elf;
use crate::elf::constants::PT_TLS;
use crate::host;
use crate::module::Module;

/// A block of thread-locals that ranks take turns in.
#[derive(Debug, Clone)]
pub struct ThreadLocals {
    /// Its address for the thread that read the program, which must be the one that runs ranks.
    pub address: usize,
    /// Size in bytes.
    pub size: usize,
    /// Offset in an image of the content it starts with.
    pub(crate) place: usize,
    /// How many bytes of it are not zero at first.
    pub(crate) initialised: usize,
}

/// The blocks of all modules that have thread-locals.
pub(crate) fn of(modules: &[Module]) -> Result<Vec<ThreadLocals>, ImageError> {
    let mut blocks = Vec::new();
    for module in modules {
        let Some(segment) = module.elf.segment(PT_TLS).filter(|segment| segment.size > 0) else {
            continue;
        };
        let available = host::objects().first().map_or(0, |host| host.tls_reach);
        let address = block(module).ok_or_else(|| too_large(module, available))?;
        blocks.push(ThreadLocals {
            address,
            size: segment.size as usize,
            place: module.place(segment.address) as usize,
            initialised: segment.file_size as usize,
        });
    }
    Ok(blocks)
}

/// Address of a module's block. A second executable has none of its own, but its code looks for
/// it right below the thread pointer, where the first one's is: it may use it if it fits.
pub(crate) fn block(module: &Module) -> Option<usize> {
    if let Some(host) = &module.host {
        return (host.tls_block != 0).then_some(host.tls_block);
    }
    let available = host::objects().first().map_or(0, |host| host.tls_reach);
    let needed = reach(&module.elf);
    (needed <= available).then(|| host::thread_pointer() - needed)
}

/// How far below the thread pointer the thread-locals of an executable reach.
pub(crate) fn reach(elf: &Elf) -> usize {
    elf.segment(PT_TLS).map_or(0, |segment| {
        (segment.size as usize).next_multiple_of((segment.align as usize).max(1))
    })
}

fn too_large(module: &Module, available: usize) -> ImageError {
    let path: &Path = &module.path;
    ImageError::ThreadLocals { path: path.to_owned(), needed: reach(&module.elf), available }
}
