//! The table of entry points of the library: one row for each function, in Rust.

use std::fmt::Write;

use super::kind::{Intent, Kind, Number, Way};
use super::prototype::{Function, Parameter};

/// How long a line of the table may be.
const WIDTH: usize = 100;

/// The list of the chapters that have rows.
pub(super) fn list(mut chapters: Vec<&str>) -> String {
    chapters.sort_unstable();
    let mut text = String::from(
        "//! Entry points that follow from the prototypes, by chapter. Written by `cargo xtask \
         fortran`.\n\n",
    );
    for chapter in chapters {
        let _ = writeln!(text, "mod {chapter};");
    }
    text
}

/// The rows of a chapter; none if the library provides none of its functions.
pub(super) fn rows(
    chapter: &str,
    functions: &[Function],
    provided: &impl Fn(&str) -> bool,
) -> Option<String> {
    let functions: Vec<&Function> = functions.iter().filter(|f| provided(&f.name)).collect();
    if functions.is_empty() {
        return None;
    }
    let title = chapter.replace('_', " ");
    let mut text = format!(
        "//! Fortran entry points: {title}. Written by `cargo xtask fortran`.\n\n\
         #[allow(unused_imports)]\nuse crate::abi::*;\n\
         #[allow(unused_imports)]\nuse crate::fortran::argument::*;\n\
         use crate::fortran::call::fortran;\n\
         #[allow(unused_imports)]\nuse std::ffi::c_int;\n"
    );
    for (names, chosen) in [
        ("both", select(&functions, |f| !f.has_choice() && f.is_in_f08() && !f.is_large())),
        ("old", select(&functions, |f| !f.is_large() && (f.has_choice() || !f.is_in_f08()))),
        ("new", select(&functions, |f| f.is_large() && (!f.has_choice() || f.has_text()))),
        ("new", select(&functions, |f| !f.is_large() && f.has_choice() && f.has_text())),
        ("described", select(&functions, |f| f.is_in_f08() && f.has_choice() && !f.has_text())),
    ] {
        if chosen.is_empty() {
            continue;
        }
        let _ = write!(text, "\nfortran! {{ {names}\n");
        for function in chosen {
            text.push_str(&row(function, names == "described"));
        }
        text.push_str("}\n");
    }
    let pointers = select(&functions, |f| super::by_hand::WITH_POINTER.contains(&f.name.as_str()));
    if !pointers.is_empty() {
        text.push_str("\nfortran! { old\n");
        for function in pointers {
            let row = row(function, false);
            let symbol = function.symbol();
            text.push_str(&row.replacen(&format!("{symbol}("), &format!("{symbol}_cptr("), 1));
        }
        text.push_str("}\n");
    }
    Some(text)
}

fn select<'a>(functions: &[&'a Function], by: impl Fn(&Function) -> bool) -> Vec<&'a Function> {
    functions.iter().copied().filter(|function| by(function)).collect()
}

/// A row: the names, the arguments, and the hidden lengths of texts.
fn row(function: &Function, described: bool) -> String {
    let arguments: Vec<String> =
        function.parameters.iter().map(|one| argument(one, described)).collect();
    let texts = function.parameters.iter().filter(|p| is_text(&p.kind));
    let hidden: Vec<String> =
        texts.map(|parameter| format!("{}_len", rust(&parameter.name))).collect();
    let mut words = arguments;
    for word in words.iter_mut().rev().skip(1) {
        word.push(',');
    }
    if !hidden.is_empty() {
        if let Some(last) = words.last_mut() {
            last.push(';');
        }
        words.push(hidden.join(", "));
    }
    wrapped(&format!("    {} {}(", function.name, function.symbol()), &words)
}

fn is_text(kind: &Kind) -> bool {
    matches!(kind, Kind::TextIn | Kind::TextOut)
}

/// Words after a head, over as many lines as they need.
fn wrapped(head: &str, words: &[String]) -> String {
    let mut text = head.to_owned();
    let mut column = head.len();
    for (at, word) in words.iter().enumerate() {
        if column + 1 + word.len() + 2 > WIDTH {
            text.push_str("\n        ");
            column = 8;
        } else if at > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text + ");\n"
}

/// A name as Rust can have it.
fn rust(name: &str) -> String {
    match name {
        "type" => "kind".into(),
        _ => name.to_owned(),
    }
}

fn argument(parameter: &Parameter, described: bool) -> String {
    let name = rust(&parameter.name);
    let kind = match &parameter.kind {
        Kind::Choice { is_const, way } if described => match (way, is_const) {
            (Way::Address, _) => "Placed".into(),
            (Way::Copy, true) => "Gathered".into(),
            (Way::Copy, false) => "Copied".into(),
            (Way::Datatype, _) => "Described".into(),
            (Way::Refuse, _) => "Dense".into(),
        },
        Kind::Choice { .. } => "Choice".into(),
        Kind::CountOf(number, of) if described => {
            format!("CountOf<{}>[is_sparse({})]", c(*number), rust(of))
        }
        Kind::TypeOf(buffer, count) if described => {
            format!("TypeOf[section({}, at({}), {name})]", rust(buffer), rust(count))
        }
        Kind::TypeOf(..) => "Given<Datatype>".into(),
        Kind::Value(Number::Narrow) => "Narrow".into(),
        Kind::Place(Number::Narrow, _) => "NarrowPlace".into(),
        Kind::Array(Number::Narrow, _) => "NarrowArray[at(count)]".into(),
        Kind::Value(number) | Kind::CountOf(number, _) => format!("Value<{}>", c(*number)),
        Kind::Logical => "Value<c_int>".into(),
        Kind::Place(number, _) | Kind::Array(number, _) => format!("Place<{}>", c(*number)),
        Kind::LogicalPlace | Kind::LogicalArray(_) | Kind::Ranges => "Place<c_int>".into(),
        Kind::Weights(_) => "Weights".into(),
        Kind::Index => "Index".into(),
        Kind::Indices(count) => format!("Indices[{count} as usize]"),
        Kind::Handle(sort, intent) => format!("{}<{sort}>", handle(*intent)),
        Kind::Handles(sort, intent, length) => format!("{}All<{sort}>[{length}]", handle(*intent)),
        Kind::Status => "Status".into(),
        Kind::Statuses => "Statuses".into(),
        Kind::StatusGiven(_) => "Place<MPI_Status>".into(),
        Kind::TextIn if matches!(&*name, "key" | "value") => format!("KeyIn[{name}_len]"),
        Kind::TextIn => format!("TextIn[{name}_len]"),
        Kind::TextOut => format!("TextOut[{name}_len]"),
        Kind::Function(_) => "Function".into(),
        Kind::Pointer => "Place<usize>".into(),
    };
    format!("{name}: {kind}")
}

fn c(number: Number) -> &'static str {
    match number {
        Number::Int => "c_int",
        Number::Aint | Number::Narrow => "MPI_Aint",
        Number::Count => "MPI_Count",
        Number::Offset => "MPI_Offset",
    }
}

fn handle(intent: Intent) -> &'static str {
    match intent {
        Intent::In => "Given",
        Intent::Out => "Made",
        Intent::InOut => "Changed",
    }
}

#[cfg(test)]
mod tests {
    use super::super::prototype::functions;
    use super::*;

    #[test]
    fn rows_follow_from_prototypes() {
        let header = "FORETELL_MPI(int, File_iread_at, (MPI_File fh, MPI_Offset offset, void *buf,\n\
             int count, MPI_Datatype datatype, MPI_Request *request))\n\
             FORETELL_MPI(int, File_get_view, (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype,\n\
             MPI_Datatype *filetype, char *datarep))\n";
        let functions = functions(header, "files").unwrap();
        let rows = rows("files", &functions, &|_| true).unwrap();
        let rows = rows.split_whitespace().collect::<Vec<_>>().join(" ");
        for row in [
            "MPI_File_get_view mpi_file_get_view(fh: Given<File>, disp: Place<MPI_Offset>, \
             etype: Made<Datatype>, filetype: Made<Datatype>, datarep: TextOut[datarep_len]; \
             datarep_len);",
            "MPI_File_iread_at mpi_file_iread_at(fh: Given<File>, offset: Value<MPI_Offset>, \
             buf: Choice, count: Value<c_int>, datatype: Given<Datatype>, request: Made<Request>);",
            "MPI_File_iread_at mpi_file_iread_at(fh: Given<File>, offset: Value<MPI_Offset>, \
             buf: Described, count: CountOf<c_int>[is_sparse(buf)], \
             datatype: TypeOf[section(buf, at(count), datatype)], request: Made<Request>);",
        ] {
            assert!(rows.contains(row), "{row} is not in {rows}");
        }
    }
}
