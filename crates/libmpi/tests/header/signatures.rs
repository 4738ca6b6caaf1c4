//! Signatures as the calling convention sees them, read from C prototypes and from Rust functions.

use std::collections::BTreeMap;

/// How a value travels in a call on x86-64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Nothing (a result only).
    Nothing,
    /// A 32-bit integer.
    Int,
    /// A 64-bit integer, a pointer or a handle.
    Word,
    /// A floating-point number.
    Double,
}

/// The classes of the result and of the parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Signature {
    /// The result.
    pub(crate) result: Class,
    /// The parameters that have a name; `...` is left out, because Rust cannot define it.
    pub(crate) parameters: Vec<Class>,
}

/// All `MPI_*` and `PMPI_*` prototypes of a preprocessed C text.
pub(crate) fn prototypes(preprocessed: &str) -> BTreeMap<String, Signature> {
    let lines = preprocessed.lines().filter(|line| !line.starts_with('#'));
    let text = lines.collect::<Vec<_>>().join(" ");
    text.split(';').filter(|text| !text.contains("typedef")).filter_map(prototype).collect()
}

/// One C prototype, if the text is one.
fn prototype(text: &str) -> Option<(String, Signature)> {
    let text = text.replace("extern \"C\" {", "");
    let (head, parameters) = text.split_once('(')?;
    let (result, name) = head.trim().rsplit_once(' ')?;
    let (parameters, _) = parameters.rsplit_once(')')?;
    if !is_mpi_function(name) {
        return None;
    }
    let parameters = parameters.split(',').map(str::trim);
    let parameters = parameters.filter(|text| !matches!(*text, "void" | "" | "...")).map(c_class);
    Some((name.into(), Signature { result: c_class(result), parameters: parameters.collect() }))
}

/// The class of a C declaration.
fn c_class(declaration: &str) -> Class {
    if declaration.contains(['*', '[']) {
        return Class::Word;
    }
    let mut words = declaration.split_whitespace().filter(|&word| word != "const");
    match words.next() {
        Some("void") | None => Class::Nothing,
        Some("int" | "MPI_Fint" | "MPI_T_cb_safety" | "MPI_T_source_order") => Class::Int,
        Some("double") => Class::Double,
        Some(_) => Class::Word,
    }
}

/// All functions named `MPI_*` and `PMPI_*` that a Rust text defines, also inside macro calls.
pub(crate) fn rust_functions(text: &str) -> Vec<(String, Signature)> {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join(" ");
    text.split("fn ").skip(1).filter_map(rust_function).collect()
}

/// The Rust function whose definition begins after `fn `, if it is one of MPI.
fn rust_function(text: &str) -> Option<(String, Signature)> {
    let (name, rest) = text.split_once('(')?;
    if !is_mpi_function(name.trim()) {
        return None;
    }
    let end = closing_parenthesis(rest)?;
    let result = rest[end + 1..].split(['{', ';', ',']).next()?;
    // In macro calls a result is followed by whose errors they are: `-> c_int on Comm(comm)`.
    let result = result.split(" on ").next()?;
    let result = result.split_once("->").map_or(Class::Nothing, |(_, result)| rust_class(result));
    let parameters = pieces(&rest[..end]).into_iter().filter_map(|text| text.split_once(':'));
    let parameters = parameters.map(|(_, kind)| rust_class(kind)).collect();
    Some((name.trim().into(), Signature { result, parameters }))
}

/// The class of a Rust type.
fn rust_class(kind: &str) -> Class {
    match kind.trim().rsplit("::").next().unwrap_or_default() {
        "()" => Class::Nothing,
        "c_int" | "i32" | "u32" => Class::Int,
        // Counts and displacements of functions in two forms, as in the form without `_c`.
        "C" | "D" => Class::Int,
        "MPI_Fint" | "MPI_T_cb_safety" | "MPI_T_source_order" => Class::Int,
        "f64" | "c_double" => Class::Double,
        _ => Class::Word,
    }
}

/// Whether a name belongs to the API.
fn is_mpi_function(name: &str) -> bool {
    let name = name.strip_prefix('P').unwrap_or(name);
    name.strip_prefix("MPI_").is_some_and(|rest| {
        rest.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    })
}

/// Where the parenthesis closes that was opened before the text.
fn closing_parenthesis(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (position, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(position),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The parts between commas that are not inside brackets.
fn pieces(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut result) = (0, 0, Vec::new());
    let mut previous = ' ';
    for (position, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            ',' if depth == 0 => {
                result.push(&text[start..position]);
                start = position + 1;
            }
            _ => {}
        }
        previous = letter;
    }
    result.push(&text[start..]);
    result
}
