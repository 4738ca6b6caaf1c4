//! Rules of a library or of a file.

use std::path::Path;
use std::rc::Rc;

use anyhow::{Context, Result, anyhow};
use foretell_diagnostics::nearest;
use foretell_mpi::{Library, Operation, RULES, Rules, SELECTOR};

/// The library of this name.
pub(crate) fn library(name: &str) -> Result<Library> {
    Library::named(name).ok_or_else(|| {
        let names = Library::ALL.map(Library::name).join(", ");
        anyhow!("there are no rules of `{name}`; there are: {names}, or a file that ends in .toml")
    })
}

/// The operation of this name.
pub(crate) fn operation(name: &str) -> Result<Operation> {
    Operation::named(name).ok_or_else(|| {
        let names = Operation::ALL.map(Operation::name);
        match nearest(name, names) {
            Some(meant) => anyhow!("there is no collective `{name}`; did you mean `{meant}`?"),
            None => anyhow!("there is no collective `{name}`; there are: {}", names.join(", ")),
        }
    })
}

/// The rules of a library, or those in a file.
pub(crate) fn read(asked: &str) -> Result<Rc<Rules>> {
    if !is_file(asked) {
        return Ok(library(asked)?.rules());
    }
    let rules = Rules::read(asked, &text(asked)?);
    rules.map(Rc::new).map_err(|mistakes| anyhow!("{asked}: {mistakes}"))
}

/// The option that stands for `--collectives`. What is in the file is checked here, for the
/// messages have its name.
pub(crate) fn word(asked: &str) -> Result<String> {
    read(asked)?;
    match is_file(asked) {
        true => Ok(format!("{RULES}:{asked}\n{}", text(asked)?)),
        false => Ok(format!("{SELECTOR}:{asked}")),
    }
}

fn is_file(asked: &str) -> bool {
    asked.ends_with(".toml") || Path::new(asked).is_file()
}

fn text(file: &str) -> Result<String> {
    std::fs::read_to_string(file).with_context(|| format!("cannot read the rules {file}"))
}
