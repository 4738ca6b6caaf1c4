//! C prototypes, as the headers state them.

use anyhow::{Context, Result};

use super::by_hand;
use super::kind::{self, Kind};

/// A function of MPI.
#[derive(Debug)]
pub(super) struct Function {
    /// Its name in C.
    pub(super) name: String,
    /// The header it stands in.
    pub(super) chapter: String,
    /// Its parameters; the error code that Fortran adds is not among them.
    pub(super) parameters: Vec<Parameter>,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub(super) struct Parameter {
    /// Its name, the same in all languages.
    pub(super) name: String,
    /// What it is in Fortran.
    pub(super) kind: Kind,
}

/// A parameter as C declares it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) base: String,
    pub(super) is_const: bool,
    /// Levels of indirection; arrays count.
    pub(super) pointers: usize,
    /// Whether it is written as an array.
    pub(super) is_array: bool,
}

impl Function {
    /// Its name in Fortran's binary interface, without the underscore.
    pub(super) fn symbol(&self) -> String {
        self.name.to_lowercase()
    }

    /// Whether `mpi_f08` has it: what was removed before is not there.
    pub(super) fn is_in_f08(&self) -> bool {
        self.chapter != "removed" || by_hand::DEPRECATED_IN_F08.contains(&self.name.as_str())
    }

    /// Whether it is the form of another for large counts.
    pub(super) fn is_large(&self) -> bool {
        self.name.ends_with("_c")
    }

    /// Whether it has a buffer of any type.
    pub(super) fn has_choice(&self) -> bool {
        self.parameters.iter().any(|parameter| matches!(parameter.kind, Kind::Choice { .. }))
    }

    /// Whether it has a text.
    pub(super) fn has_text(&self) -> bool {
        self.parameters.iter().any(|p| matches!(p.kind, Kind::TextIn | Kind::TextOut))
    }

    /// Whether data moves after it has returned.
    pub(super) fn is_pending(&self) -> bool {
        let name = self.name.trim_start_matches("MPI_");
        let name = name.strip_suffix("_c").unwrap_or(name);
        let begins = ["I", "Rput", "Rget", "Raccumulate", "File_i", "Psend", "Precv"];
        let ends = ["_init", "_begin", "_end"];
        let one_sided = self.chapter == "one_sided";
        one_sided
            || begins.iter().any(|begin| name.starts_with(begin))
            || ends.iter().any(|end| name.ends_with(end))
    }
}

/// Whether the rules give Fortran a function: not to tools, and not to conversions between
/// languages.
fn is_fortran(name: &str, result: &str) -> bool {
    let conversions =
        ["_c2f", "_f2c", "_toint", "_fromint", "_f082c", "_c2f08", "_fortran_booleans"];
    !conversions.iter().any(|end| name.ends_with(end))
        && !by_hand::FUNCTIONS.contains(&name)
        && result == "int"
}

/// The functions of a header that Fortran has by the rules.
pub(super) fn functions(text: &str, chapter: &str) -> Result<Vec<Function>> {
    let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut functions = Vec::new();
    for piece in joined.split("FORETELL_MPI(").skip(1) {
        let (head, rest) = piece.split_once(", (").context("a prototype has parameters")?;
        let (result, name) = head.split_once(", ").context("a prototype has a result")?;
        let end = rest.find("))").context("a prototype ends with two parentheses")?;
        let (name, result) = (format!("MPI_{}", name.trim()), result.trim());
        if !is_fortran(&name, result) {
            continue;
        }
        let declared = parameters(&rest[..end])?;
        let kinds = kind::of_all(&name, chapter, &declared);
        let with_kind =
            |(declared, kind): (Declared, Kind)| Parameter { name: declared.name, kind };
        let parameters = declared.into_iter().zip(kinds).map(with_kind).collect();
        functions.push(Function { name, chapter: chapter.to_owned(), parameters });
    }
    Ok(functions)
}

fn parameters(text: &str) -> Result<Vec<Declared>> {
    let words = text.split(',').map(str::trim);
    words.filter(|word| !matches!(*word, "void" | "" | "...")).map(declared).collect()
}

fn declared(text: &str) -> Result<Declared> {
    let at = text.rfind([' ', '*']).with_context(|| format!("`{text}` has no name"))?;
    let (front, back) = text.split_at(at + 1);
    let (name, array) = back.split_at(back.find('[').unwrap_or(back.len()));
    let is_const = front.contains("const");
    let pointers = front.matches('*').count() + usize::from(!array.is_empty());
    let base = front.replace("const ", "").replace('*', "");
    let base = base.trim().to_owned();
    Ok(Declared { name: name.to_owned(), base, is_const, pointers, is_array: !array.is_empty() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_taken_apart() {
        let check = |text: &str, name: &str, base: &str, is_const, pointers, is_array| {
            let (name, base) = (name.to_owned(), base.to_owned());
            let expected = Declared { name, base, is_const, pointers, is_array };
            assert_eq!(declared(text).unwrap(), expected, "{text}");
        };
        check("int count", "count", "int", false, 0, false);
        check("const void *buf", "buf", "void", true, 1, false);
        check("const int ranks[]", "ranks", "int", true, 1, true);
        check("int ranges[][3]", "ranges", "int", false, 1, true);
        check("char ***argv", "argv", "char", false, 3, false);
    }

    #[test]
    fn prototypes_over_several_lines_are_read() {
        let text = "FORETELL_MPI(int, Comm_split, (MPI_Comm comm, int color,\n    int key,\n    \
                    MPI_Comm *newcomm))\n";
        let functions = functions(text, "communicators").unwrap();
        assert_eq!(functions[0].name, "MPI_Comm_split");
        assert_eq!(functions[0].parameters.len(), 4);
        assert_eq!(functions[0].parameters[3].name, "newcomm");
    }
}
