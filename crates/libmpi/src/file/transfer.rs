//! Moving data between memory and a file.

use super::error::failure;
use super::opened::Opened;
use super::sieve;
use super::view::FileView;
use crate::buffer::Buffer;
use crate::failure::Failure;

/// What was moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moved {
    /// Bytes of the file.
    pub(super) file: u64,
    /// Bytes of memory, which statuses tell.
    pub(super) memory: u64,
}

/// Writes a buffer, which is `bytes` long in the file, from a position of the view on.
pub(super) fn write(
    opened: &Opened,
    view: &FileView,
    position: u64,
    buffer: &Buffer,
    bytes: u64,
) -> Result<Moved, Failure> {
    if bytes == 0 || view.bytes.is_empty() {
        return Ok(Moved { file: 0, memory: 0 });
    }
    let write =
        |data: &[u8]| sieve::write(&opened.file, opened.is_readable, &view.bytes, position, data);
    let written = match memory(view, buffer) {
        Some(memory) => write(memory),
        None => write(&view.representation.written(buffer, bytes)?),
    };
    let tried = || format!("cannot write to {}", opened.path.display());
    written.map_err(|error| failure(&error, tried()))?;
    Ok(Moved { file: bytes, memory: buffer.bytes() })
}

/// Reads into a buffer, which is `bytes` long in the file, from a position of the view on; less if
/// the file ends before.
pub(super) fn read(
    opened: &Opened,
    view: &FileView,
    position: u64,
    buffer: &Buffer,
    bytes: u64,
) -> Result<Moved, Failure> {
    let bytes_there = available(opened, view, position, bytes)?;
    if bytes_there == 0 {
        return Ok(Moved { file: 0, memory: 0 });
    }
    let tried = || format!("cannot read from {}", opened.path.display());
    if let Some(memory) = memory(view, buffer) {
        let part = &mut memory[..bytes_there as usize];
        let read = sieve::read(&opened.file, &view.bytes, position, part);
        read.map_err(|error| failure(&error, tried()))?;
        return Ok(Moved { file: bytes_there, memory: bytes_there });
    }
    let mut data = vec![0; bytes_there as usize];
    let read = sieve::read(&opened.file, &view.bytes, position, &mut data);
    read.map_err(|error| failure(&error, tried()))?;
    let memory = view.representation.read(buffer, &mut data, bytes)?;
    Ok(Moved { file: bytes_there, memory })
}

/// How many of so many bytes from a position on are in the file.
pub(super) fn available(
    opened: &Opened,
    view: &FileView,
    position: u64,
    bytes: u64,
) -> Result<u64, Failure> {
    if bytes == 0 {
        return Ok(0);
    }
    let end = view.bytes.position(opened.size()? as i64);
    Ok(bytes.min(end.saturating_sub(position)))
}

/// The memory of a buffer, if it lies there as it does in the file: in one piece.
fn memory<'a>(view: &FileView, buffer: &Buffer) -> Option<&'a mut [u8]> {
    let is_one_piece = view.representation.is_native() && buffer.datatype.dense.is_some();
    is_one_piece.then(|| {
        // SAFETY: the program says that so many elements are there, which lie side by side, and
        // leaves them alone during the call.
        unsafe {
            std::slice::from_raw_parts_mut(buffer.address as *mut u8, buffer.bytes() as usize)
        }
    })
}
