//! The page itself.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Function;

/// So many programs are named for a function.
const MOST_NAMED: usize = 2;

/// The text of the page.
pub(super) fn written(chapters: &[(&str, Vec<Function>)]) -> String {
    let all: Vec<&Function> = chapters.iter().flat_map(|(_, functions)| functions).collect();
    let mut text = String::from(
        "# MPI functions\n\nEvery function that `mpi.h` declares, which are those of MPI 5.0 and \
         those that were removed before it: whether the library exports it, and which programs of \
         `tests/mpi` call it. This page is written by `cargo xtask docs` from the headers, the \
         library and the programs, and `cargo xtask test` fails when it is out of date; change \
         those, not the page.\n\n",
    );
    summary(&all, &mut text);
    for (title, functions) in chapters {
        let _ = write!(text, "\n## {title}\n\n");
        table(functions, &mut text);
    }
    text
}

fn summary(all: &[&Function], text: &mut String) {
    let count = |holds: fn(&Function) -> bool| all.iter().filter(|one| holds(one)).count();
    let _ = writeln!(
        text,
        "Of {} functions the library has {} in C, {} of them with their twin `PMPI_…`; {} for \
         `mpif.h` and the module `mpi`, {} for `mpi_f08`. Programs of ours call {} in C and {} in \
         Fortran.\n",
        all.len(),
        count(|one| one.has.c),
        count(|one| one.has.twin),
        count(|one| one.has.old_fortran),
        count(|one| one.has.new_fortran),
        count(|one| !one.tests.c.is_empty()),
        count(is_called_in_fortran),
    );
    named("Not there", all, |one| !one.has.c, text);
    named("There, and called by no program", all, |one| one.has.c && is_untested(one), text);
    text.push_str(
        "`MPI_Comm_spawn`, `MPI_Comm_spawn_multiple` and `MPI_Comm_join` are there and refuse: all \
         ranks of a run are laid out before the first one starts, and sockets reach out of the \
         simulation. [Run a compiled program](../guides/run-a-program.md) tells what to do \
         instead.\n\nIn the tables, *mpi* is the face of `mpif.h` and of the module `mpi`, *f08* \
         that of `mpi_f08`, where the forms for large counts (`_c`) have the name of the others: \
         which of the two a program calls is not told here.\n",
    );
}

fn named(title: &str, all: &[&Function], holds: fn(&Function) -> bool, text: &mut String) {
    let names: Vec<_> = all.iter().filter(|one| holds(one)).map(|one| code(&one.name)).collect();
    let list = if names.is_empty() { "none".into() } else { names.join(", ") };
    let _ = writeln!(text, "{title}: {list}.\n");
}

fn is_called_in_fortran(one: &Function) -> bool {
    !one.tests.old_fortran.is_empty() || !one.tests.new_fortran.is_empty()
}

fn is_untested(one: &Function) -> bool {
    one.tests.c.is_empty() && !is_called_in_fortran(one)
}

fn table(functions: &[Function], text: &mut String) {
    text.push_str("| function | C | mpi | f08 | called in C by | in Fortran by |\n");
    text.push_str("| --- | --- | --- | --- | --- | --- |\n");
    for one in functions {
        let mark = |has: bool| if has { "yes" } else { "" };
        let fortran = one.tests.old_fortran.union(&one.tests.new_fortran).cloned().collect();
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} |",
            code(&one.name),
            mark(one.has.c),
            mark(one.has.old_fortran),
            mark(one.has.new_fortran),
            programs(&one.tests.c),
            programs(&fortran),
        );
    }
}

fn code(name: &str) -> String {
    format!("`{name}`")
}

/// A few programs by name, and how many more there are.
fn programs(all: &BTreeSet<String>) -> String {
    // What shows most of a function comes first: not the mistakes that are made with it.
    let mut ordered: Vec<_> = all.iter().collect();
    ordered.sort_by_key(|name| (name.starts_with("mistakes"), name.ends_with(".h")));
    let mut named: Vec<_> = ordered.iter().take(MOST_NAMED).map(|name| (*name).clone()).collect();
    if all.len() > MOST_NAMED {
        named.push(format!("{} more", all.len() - MOST_NAMED));
    }
    named.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_of_many_programs_are_named() {
        let all = ["mistakes/a.c", "b.c", "c.c", "d.c"].map(String::from).into();
        assert_eq!(programs(&all), "b.c, c.c, 2 more");
        assert_eq!(programs(&BTreeSet::new()), "");
    }
}
