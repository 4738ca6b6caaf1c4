//! Names of MPI functions in the source of a program: outside comments and texts.

use std::collections::BTreeSet;
use std::path::Path;

/// How a source file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// C or C++.
    C,
    /// Fortran in free form.
    Free,
    /// Fortran in fixed form, where a letter in the first column begins a comment.
    Fixed,
}

impl Dialect {
    /// That of a file, by its ending.
    pub(super) fn of(path: &Path) -> Option<Dialect> {
        match path.extension()?.to_str()? {
            "c" | "h" | "cpp" => Some(Dialect::C),
            "f90" | "F90" | "f08" => Some(Dialect::Free),
            "f" | "F" => Some(Dialect::Fixed),
            _ => None,
        }
    }
}

/// Whether a program in Fortran uses the module `mpi_f08`.
pub(super) fn uses_f08(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().to_lowercase().starts_with("use mpi_f08"))
}

/// Names that begin with `MPI_`, in lower case: a function's among them is a use of it.
pub(super) fn names(text: &str, dialect: Dialect) -> BTreeSet<String> {
    let code = match dialect {
        Dialect::C => without_c_comments(text),
        _ => without_fortran_comments(text, dialect),
    };
    let words = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.map(str::to_lowercase).filter(|word| word.starts_with("mpi_")).collect()
}

/// C without comments and texts.
fn without_c_comments(text: &str) -> String {
    let mut code = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"', '\'']) {
        code.push_str(&rest[..at]);
        code.push(' ');
        let found = &rest[at..];
        rest = match found.as_bytes() {
            [b'/', b'*', ..] => after(found, 2, "*/"),
            [b'/', b'/', ..] => after(found, 2, "\n"),
            [b'/', ..] => &found[1..],
            [quote, ..] => after_text(found, char::from(*quote)),
            [] => "",
        };
    }
    code + rest
}

/// What comes behind the end of a comment.
fn after<'a>(text: &'a str, begin: usize, end: &str) -> &'a str {
    text[begin..].find(end).map_or("", |at| &text[begin + at + end.len()..])
}

/// What comes behind a text that a quote begins.
fn after_text(text: &str, quote: char) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return &text[at + 1..],
            _ => {}
        }
    }
    ""
}

/// Fortran without comments and texts.
fn without_fortran_comments(text: &str, dialect: Dialect) -> String {
    let is_comment =
        |line: &&str| dialect == Dialect::Fixed && line.starts_with(['c', 'C', '*', '!']);
    text.lines().filter(|line| !is_comment(line)).map(|line| code_of_line(line) + "\n").collect()
}

fn code_of_line(line: &str) -> String {
    let mut code = String::new();
    let mut quote = None;
    for c in line.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            Some(_) => {}
            None if c == '!' => break,
            None if c == '"' || c == '\'' => quote = Some(c),
            None => code.push(c),
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, dialect: Dialect) -> String {
        names(text, dialect).into_iter().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_texts_call_nothing() {
        let text = "/* MPI_A */ MPI_B(\"MPI_C \\\" MPI_D\"); // MPI_E\n x = 'M' / MPI_F;";
        assert_eq!(found(text, Dialect::C), "mpi_b mpi_f");
        let text = "call MPI_Send(x) ! MPI_Recv\nprint *, 'MPI_Wait'\n";
        assert_eq!(found(text, Dialect::Free), "mpi_send");
        assert_eq!(found("C MPI_Recv\n      call MPI_SEND(x)\n", Dialect::Fixed), "mpi_send");
    }

    #[test]
    fn the_module_is_seen() {
        assert!(uses_f08("program p\n  use mpi_f08\n"));
        assert!(!uses_f08("program p\n  use mpi\n"));
    }
}
