//! Which file an address of the process belongs to, for backtraces.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

use crate::{arena, unwind};

/// What an address is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// The program or library; empty when the loader does not name it.
    pub file: &'static Path,
    /// The address as in the file, which tools such as addr2line take.
    pub address: usize,
    /// What the image adds to addresses of the file.
    pub bias: usize,
    /// Address of the image's first byte, when it is in one of ours.
    pub image: Option<usize>,
    /// The label of the image, when it has one.
    pub label: Option<u32>,
}

/// Finds what an address is part of: an image, or whatever the dynamic loader loaded.
///
/// Takes no locks and does not allocate once a program was opened, so that signal handlers may
/// call it. Addresses in images take one division.
pub fn locate(pc: usize) -> Option<Location> {
    if let Some(found) = arena::find(pc) {
        let module = found.program.module_at(pc - found.base)?;
        let bias = found.base.wrapping_add(module.shift() as usize);
        return Some(Location {
            file: &module.path,
            address: pc.wrapping_sub(bias),
            bias,
            image: Some(found.base),
            label: found.label,
        });
    }
    let map = unwind::link_map_of(pc)?;
    let address = pc.wrapping_sub(map.bias);
    Some(Location { file: file_of(map), address, bias: map.bias, image: None, label: None })
}

/// The file of a loaded object; the executable has no name there.
fn file_of(map: &'static crate::host::LinkMap) -> &'static Path {
    static EXECUTABLE: OnceLock<std::path::PathBuf> = OnceLock::new();
    // SAFETY: the loader's names are C strings that live as long as their object.
    let name = unsafe { std::ffi::CStr::from_ptr(map.name) }.to_bytes();
    if name.is_empty() {
        return EXECUTABLE.get_or_init(|| std::fs::read_link("/proc/self/exe").unwrap_or_default());
    }
    Path::new(OsStr::from_bytes(name))
}

/// Does now what the first call of [`locate`] would have to allocate for.
pub(crate) fn prepare() {
    locate(prepare as *const () as usize);
}
