//! Lines of source for addresses of the program, from its debug information.

use std::path::{Path, PathBuf};

use addr2line::Loader;
use foretell_images::locate;

/// Files with debug information, each opened once.
#[derive(Default)]
pub struct Sources {
    open: Vec<(PathBuf, Option<Loader>)>,
}

/// A call in the source, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The function that it stands in.
    pub function: Option<String>,
    /// Its file, as the compiler was given it, and the number of the line.
    pub place: Option<(String, u32)>,
}

impl Sources {
    /// What stands at an address of a file, the innermost first: more than one where the compiler
    /// has merged functions.
    pub fn at(&mut self, file: &Path, address: usize) -> Vec<Line> {
        let Some(loader) = self.loader(file) else { return Vec::new() };
        let probe = address as u64;
        let mut lines = Vec::new();
        if let Ok(mut frames) = loader.find_frames(probe) {
            while let Ok(Some(frame)) = frames.next() {
                let name = frame.function.as_ref().and_then(|name| name.demangle().ok());
                let place = frame.location.and_then(|place| Some((place.file?, place.line)));
                let line = Line {
                    function: name.map(|name| name.into_owned()),
                    place: place.map(|(file, line)| (file.to_owned(), line.unwrap_or(0))),
                };
                if line.function.is_some() || line.place.is_some() {
                    lines.push(line);
                }
            }
        }
        if lines.is_empty() {
            let symbol = loader.find_symbol(probe).map(str::to_owned);
            lines.extend(symbol.map(|name| Line { function: Some(name), place: None }));
        }
        lines
    }

    /// `file:line` of the call that returns to an address; none without debug information.
    pub fn call_before(&mut self, return_address: usize) -> Option<String> {
        let found = locate(return_address)?;
        // The call itself is before the address it returns to.
        let lines = self.at(found.file, found.address.checked_sub(1)?);
        let (file, line) = lines.into_iter().next()?.place?;
        Some(format!("{file}:{line}"))
    }

    fn loader(&mut self, path: &Path) -> Option<&Loader> {
        let known = self.open.iter().position(|(known, _)| known == path);
        let index = known.unwrap_or_else(|| {
            self.open.push((path.to_owned(), Loader::new(path).ok()));
            self.open.len() - 1
        });
        self.open[index].1.as_ref()
    }
}
