//! The file in memory that all images of a program are mapped from.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use crate::ImageError;
use crate::program::Inner;

/// Content of an image but for what depends on its address.
#[derive(Debug)]
pub(crate) struct Template {
    /// As large as an image; parts without content are holes and take no memory.
    pub(crate) file: File,
}

impl Template {
    /// Writes the content of all modules, then the words and variables that are the same in
    /// every image.
    pub(super) fn write(
        program: &Inner,
        fixed: &[(usize, u64)],
        copied: &[Option<Vec<u8>>],
    ) -> Result<Template, ImageError> {
        let template = Template { file: memory_file(program.size).map_err(memory(program.size))? };
        for module in &program.modules {
            for range in module.filled() {
                let bytes =
                    &module.elf.memory[range.start - module.start..range.end - module.start];
                template.write_bytes(range.start, bytes)?;
            }
        }
        for (place, value) in fixed {
            template.write_word(*place, *value)?;
        }
        for (variable, value) in program.copied.iter().zip(copied) {
            match value {
                Some(value) => template.write_bytes(variable.place, value)?,
                None => template.copy_within(variable)?,
            }
        }
        Ok(template)
    }

    /// Writes one word.
    pub(super) fn write_word(&self, place: usize, value: u64) -> Result<(), ImageError> {
        self.write_bytes(place, &value.to_le_bytes())
    }

    fn write_bytes(&self, place: usize, bytes: &[u8]) -> Result<(), ImageError> {
        self.file.write_all_at(bytes, place as u64).map_err(memory(bytes.len()))
    }

    /// Copies a variable of a private library to the executable.
    fn copy_within(&self, variable: &crate::copies::Copied) -> Result<(), ImageError> {
        let crate::copies::Source::Image(from) = variable.source else { return Ok(()) };
        let mut bytes = vec![0; variable.size];
        self.file.read_exact_at(&mut bytes, from as u64).map_err(memory(bytes.len()))?;
        self.write_bytes(variable.place, &bytes)
    }
}

/// A file in memory of `size` bytes, all holes.
pub(crate) fn memory_file(size: usize) -> io::Result<File> {
    let name = c"foretell-image";
    // Kernels before 6.3 do not know EXEC, and need it not.
    let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::EXEC)
        .or_else(|_| memfd_create(name, MemfdFlags::CLOEXEC))?;
    ftruncate(&file, size as u64)?;
    Ok(file.into())
}

fn memory(bytes: usize) -> impl FnOnce(io::Error) -> ImageError {
    move |source| ImageError::Memory { bytes, source }
}
