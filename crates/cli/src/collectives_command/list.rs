//! The algorithms and the libraries there are.

use std::process::ExitCode;

use anyhow::Result;
use foretell_mpi::{Library, Operation};

use super::rules;
use crate::output;

/// Prints the algorithms of one operation, one a line with what libraries call it, or those of all,
/// and the libraries.
pub(crate) fn run(operation: Option<&str>) -> Result<ExitCode> {
    let text = match operation {
        Some(name) => algorithms(rules::operation(name)?),
        None => format!("{}\n{}", operations(), libraries()),
    };
    output::print(&text)?;
    Ok(ExitCode::SUCCESS)
}

fn algorithms(operation: Operation) -> String {
    let line = |name: &&'static str| {
        let aliases = operation.aliases().iter().filter(|(_, known)| known == name);
        let aliases: Vec<&str> = aliases.map(|(alias, _)| *alias).collect();
        match aliases.is_empty() {
            true => format!("{name}\n"),
            false => format!("{name:<28}  also {}\n", aliases.join(", ")),
        }
    };
    operation.algorithms().iter().map(line).collect()
}

fn operations() -> String {
    let line = |operation: Operation| {
        format!("{:<20}  {}\n", operation.name(), operation.algorithms().join(" "))
    };
    Operation::ALL.into_iter().map(line).collect()
}

fn libraries() -> String {
    let line = |library: Library| format!("{:<15}  {}\n", library.name(), library.rules().about());
    let lines: String = Library::ALL.into_iter().map(line).collect();
    format!("Libraries:\n{lines}")
}
