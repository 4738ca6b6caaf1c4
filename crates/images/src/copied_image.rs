//! Copies of the executable made by `dlopen`: slower to make than images and fewer, but entirely
//! the dynamic loader's work.

use std::ffi::CString;
use std::fs::File;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::slice;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::elf::bytes::u64_at;
use crate::elf::constants::*;
use crate::elf::{Elf, malformed};
use crate::image::Image;
use crate::program::Inner;
use crate::{ImageError, Interposed, copies, host, link, shared};

/// A tag that the loader does not know and leaves alone.
const NO_TAG: u64 = 0x6000_0001;

/// Loads one more copy of the executable.
pub(crate) fn image(
    program: &'static Inner,
    interposed: &dyn Interposed,
) -> Result<Image, ImageError> {
    let executable = &program.modules[0];
    if executable.elf.segment(PT_TLS).is_some_and(|segment| segment.size > 0) {
        return Err(ImageError::CopyWithThreadLocals { path: executable.path.clone() });
    }
    if let Some(library) = program.modules.get(1) {
        return Err(ImageError::CopyWithLibrary { path: library.path.clone() });
    }
    let file = loadable_copy(&executable.elf, &executable.path)?;
    let refused = |reason| ImageError::Copy { path: executable.path.clone(), reason };
    let name = CString::new(unique_name(&file)).map_err(|error| refused(error.to_string()))?;
    // The copy's own definitions come before the loader's executable's.
    let flags = libc::RTLD_NOW | libc::RTLD_LOCAL | libc::RTLD_DEEPBIND;
    // SAFETY: a C string; the copy's constructors were taken out.
    let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
    if handle.is_null() {
        return Err(refused(host::last_error()));
    }
    let map = host::link_map(handle).ok_or_else(|| refused(host::last_error()))?;
    shared::redirect(program, executable, map.bias, interposed)?;
    copy_variables(program, map.bias)?;
    Ok(Image::of_copy(program, map.bias, handle))
}

/// Gives the copy its copied variables: the loader finds the copy's own, still empty, for them.
fn copy_variables(program: &Inner, bias: usize) -> Result<(), ImageError> {
    let executable = &program.modules[0];
    let mut writes = Vec::new();
    for copied in &program.copied {
        let Some(mut value) = copied.value() else { continue };
        // Whole words are written: the last may be completed by what lies behind the variable.
        let address = (copied.place as u64).wrapping_sub(executable.shift());
        let whole = value.len().next_multiple_of(8);
        let behind = bias.wrapping_add(address as usize + value.len());
        // SAFETY: the rest of the word is data of the copy, or of the page it ends in.
        let rest = unsafe { slice::from_raw_parts(behind as *const u8, whole - value.len()) };
        value.extend_from_slice(rest);
        let words = value.chunks_exact(8).zip((address..).step_by(8));
        writes.extend(words.filter_map(|(word, at)| Some((at, u64_at(word, 0)?))));
        for (place, target) in copies::inner_pointers(&program.copied, copied, &value) {
            let at = (place as u64).wrapping_sub(executable.shift());
            let target = (target as u64).wrapping_sub(executable.shift());
            writes.push((at, (bias as u64).wrapping_add(target)));
        }
    }
    // SAFETY: copied variables lie in writable segments, and no code of the copy ran yet.
    unsafe { shared::write(executable, bias, &writes) }
}

/// A copy of the file that the loader takes for a library, and whose constructors and destructors
/// it does not call: they belong on the rank's stack.
fn loadable_copy(elf: &Elf, path: &std::path::Path) -> Result<File, ImageError> {
    let unreadable = |source| ImageError::Unreadable { path: path.to_owned(), source };
    let mut bytes = std::fs::read(path).map_err(unreadable)?;
    let dynamic = elf.segment(PT_DYNAMIC).ok_or_else(|| malformed(path, "it is static"))?;
    let start = dynamic.file_offset as usize;
    let section = bytes
        .get_mut(start..start.saturating_add(dynamic.file_size as usize))
        .ok_or_else(|| malformed(path, "its dynamic section is cut off"))?;
    for entry in section.chunks_exact_mut(16) {
        let (tag, value) = (u64_at(entry, 0).unwrap_or(0), u64_at(entry, 8).unwrap_or(0));
        match tag {
            DT_NULL => break,
            DT_FLAGS_1 => entry[8..].copy_from_slice(&(value & !DF_1_PIE).to_le_bytes()),
            DT_INIT | DT_FINI | DT_DEBUG | DT_PREINIT_ARRAY | DT_PREINIT_ARRAYSZ => {
                entry[..8].copy_from_slice(&NO_TAG.to_le_bytes());
            }
            DT_INIT_ARRAYSZ | DT_FINI_ARRAYSZ => entry[8..].fill(0),
            _ => {}
        }
    }
    let memory = |source| ImageError::Memory { bytes: bytes.len(), source };
    let file = link::memory_file(bytes.len()).map_err(memory)?;
    file.write_all_at(&bytes, 0).map_err(memory)?;
    Ok(file)
}

/// A path to the file that was never used before: the loader takes files of one name for one
/// library, and numbers of files come back. The count is written in slashes and dots.
fn unique_name(file: &File) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(1);
    let mut count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Not `self`: a debugger opens the path too, and must not read a file of its own.
    let mut name = format!("/proc/{}/fd/", std::process::id());
    while count > 0 {
        name.push_str(if count & 1 == 1 { "./" } else { "/" });
        count >>= 1;
    }
    name + &file.as_raw_fd().to_string()
}
