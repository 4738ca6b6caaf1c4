//! Moving data between memory and a file.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::error::failure;
use super::opened::Opened;
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
    let written = match memory(view, buffer) {
        Some(memory) => write_runs(&opened.file, view, position, memory),
        None => {
            let data = view.representation.written(buffer, bytes)?;
            write_runs(&opened.file, view, position, &data)
        }
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
        let read = read_runs(&opened.file, view, position, part);
        read.map_err(|error| failure(&error, tried()))?;
        return Ok(Moved { file: bytes_there, memory: bytes_there });
    }
    let mut data = vec![0; bytes_there as usize];
    let read = read_runs(&opened.file, view, position, &mut data);
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

/// Writes data to where the view shows it.
fn write_runs(file: &File, view: &FileView, position: u64, data: &[u8]) -> io::Result<()> {
    let mut rest = data;
    let mut outcome = Ok(());
    let end = position + data.len() as u64;
    view.bytes.for_each_run(position..end, |offset, bytes| {
        let (piece, others) = rest.split_at(bytes as usize);
        rest = others;
        if outcome.is_ok() {
            outcome = file.write_all_at(piece, offset as u64);
        }
    });
    outcome
}

/// Reads data from where the view shows it, all of which is in the file.
fn read_runs(file: &File, view: &FileView, position: u64, data: &mut [u8]) -> io::Result<()> {
    let mut at = 0;
    let mut outcome = Ok(());
    let end = position + data.len() as u64;
    view.bytes.for_each_run(position..end, |offset, bytes| {
        let piece = &mut data[at..at + bytes as usize];
        at += piece.len();
        if outcome.is_ok() {
            outcome = file.read_exact_at(piece, offset as u64);
        }
    });
    outcome
}
