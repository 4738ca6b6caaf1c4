//! Interfaces of the modules `mpi` and `mpi_f08`.

use std::fmt::Write;

use super::by_hand;
use super::kind::{Intent, Kind, Number};
use super::prototype::{Function, Parameter};

/// How long a line of Fortran gets before it is continued.
const WIDTH: usize = 100;

/// The dialect of an interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dialect {
    /// Of the module `mpi`: handles are integers.
    Mpi,
    /// Of the module `mpi_f08`.
    F08,
}

/// Interfaces of a chapter for the module `mpi`, which has no large counts.
pub(super) fn mpi(chapter: &str, functions: &[Function]) -> String {
    let mut text = heading(chapter);
    text.push_str("  interface\n");
    for function in functions.iter().filter(|function| !function.is_large()) {
        if !by_hand::WITH_POINTER.contains(&function.name.as_str()) {
            text.push_str(&body(function, &function.name, "", Dialect::Mpi));
        }
    }
    text.push_str("  end interface\n");
    for function in functions {
        if by_hand::WITH_POINTER.contains(&function.name.as_str()) {
            let plain = body(function, &function.name, "", Dialect::Mpi);
            let pointer = body(function, &format!("{}_cptr", function.name), "", Dialect::Mpi)
                .replace("integer(MPI_ADDRESS_KIND) :: baseptr", "type(c_ptr) :: baseptr");
            let _ =
                write!(text, "  interface {0}\n{plain}{pointer}  end interface\n", function.name);
        }
    }
    text
}

/// Interfaces of a chapter for the module `mpi_f08`: both widths of counts under one name, and the
/// names for tools.
pub(super) fn f08(chapter: &str, functions: &[Function]) -> String {
    let mut text = heading(chapter);
    for function in functions.iter().filter(|function| function.is_in_f08()) {
        let is_apart = by_hand::APART.contains(&function.name.as_str());
        if function.is_large() && !is_apart {
            continue;
        }
        let large = format!("{}_c", function.name);
        let large = functions.iter().find(|other| {
            other.name == large
                && !by_hand::APART.contains(&other.name.as_str())
                && !look_alike(function, other)
        });
        for prefix in ["", "P"] {
            let _ = writeln!(text, "  interface {prefix}{}", function.name);
            for form in std::iter::once(function).chain(large) {
                text.push_str(&specific(form, prefix));
            }
            text.push_str("  end interface\n");
        }
    }
    text
}

/// Whether the compiler cannot tell two procedures apart: then the first serves both purposes,
/// since addresses are as wide as large counts.
fn look_alike(one: &Function, other: &Function) -> bool {
    let text = |function: &Function| {
        let declarations =
            function.parameters.iter().map(|p| declaration(function, p, Dialect::F08));
        declarations.collect::<String>().replace("MPI_ADDRESS_KIND", "MPI_COUNT_KIND")
    };
    text(one) == text(other)
}

fn heading(chapter: &str) -> String {
    let chapter = chapter.replace('_', " ");
    format!("  ! Interfaces: {chapter}. Written by `cargo xtask fortran`.\n")
}

/// One of the procedures behind a generic name.
fn specific(function: &Function, prefix: &str) -> String {
    let is_described = function.has_choice() && !function.has_text();
    let end = if is_described { "f08ts" } else { "f08" };
    let name = format!("{prefix}{}_{end}", function.name);
    let binding = match is_described {
        true => format!(" &\n      bind(C, name=\"{}_\")", name.to_lowercase()),
        false => String::new(),
    };
    body(function, &name, &binding, Dialect::F08)
}

/// The interface of one procedure.
fn body(function: &Function, name: &str, binding: &str, dialect: Dialect) -> String {
    let names = function.parameters.iter().map(|one| one.name.clone());
    let names: Vec<String> = names.chain(["ierror".to_owned()]).collect();
    let mut text = wrapped(&format!("    subroutine {name}("), &names);
    let _ = writeln!(text, "){binding}\n      import");
    for parameter in &function.parameters {
        text.push_str(&declaration(function, parameter, dialect));
    }
    let optional = if dialect == Dialect::F08 { ", optional" } else { "" };
    let _ = writeln!(text, "      integer{optional}, intent(out) :: ierror");
    text.push_str("    end subroutine\n");
    text
}

/// Names after a head, over as many lines as they need.
fn wrapped(head: &str, names: &[String]) -> String {
    let mut text = head.to_owned();
    let mut column = head.len();
    for (at, name) in names.iter().enumerate() {
        let word = if at + 1 < names.len() { format!("{name}, ") } else { name.clone() };
        if column + word.len() + 4 > WIDTH {
            text = format!("{} &\n        ", text.trim_end());
            column = 8;
        }
        text.push_str(&word);
        column += word.len();
    }
    text
}

fn declaration(function: &Function, parameter: &Parameter, dialect: Dialect) -> String {
    let is_new = dialect == Dialect::F08;
    let name = &parameter.name;
    let handle = |sort: &str| match is_new {
        true => format!("type(MPI_{sort})"),
        false => "integer".into(),
    };
    let (kind, intent, shape) = match &parameter.kind {
        Kind::Choice { is_const, .. } => return choice(function, name, *is_const, dialect),
        Kind::Function(_) if !is_new => return format!("      external :: {name}\n"),
        Kind::Function(interface) => {
            return format!("      procedure({interface}) :: {name}\n");
        }
        Kind::Value(number) | Kind::CountOf(number, _) => {
            (number.fortran().into(), Some(Intent::In), "")
        }
        Kind::Place(number, intent) => (number.fortran().into(), Some(*intent), ""),
        Kind::Array(number, intent) => (number.fortran().into(), Some(*intent), "(*)"),
        Kind::Logical => ("logical".to_owned(), Some(Intent::In), ""),
        Kind::LogicalPlace => ("logical".into(), Some(Intent::Out), ""),
        Kind::LogicalArray(intent) => ("logical".into(), Some(*intent), "(*)"),
        Kind::Ranges => ("integer".into(), Some(Intent::In), "(3, *)"),
        Kind::Weights(Intent::In) => ("integer".into(), Some(Intent::In), "(*)"),
        Kind::Weights(_) => ("integer".into(), None, "(*)"),
        Kind::Index => ("integer".into(), Some(Intent::Out), ""),
        Kind::Indices(_) => ("integer".into(), Some(Intent::Out), "(*)"),
        Kind::Handle(sort, intent) => (handle(sort), Some(*intent), ""),
        Kind::TypeOf(..) => (handle("Datatype"), Some(Intent::In), ""),
        Kind::Handles(sort, intent, _) => (handle(sort), Some(*intent), "(*)"),
        Kind::Status if is_new => ("type(MPI_Status)".into(), None, ""),
        Kind::Statuses if is_new => ("type(MPI_Status)".into(), None, "(*)"),
        Kind::Status => ("integer".into(), None, "(MPI_STATUS_SIZE)"),
        Kind::Statuses => ("integer".into(), None, "(MPI_STATUS_SIZE, *)"),
        Kind::StatusGiven(intent) if is_new && name != "f_status" => {
            ("type(MPI_Status)".into(), Some(*intent), "")
        }
        Kind::StatusGiven(intent) if name == "f08_status" => {
            ("type(MPI_Status)".into(), Some(*intent), "")
        }
        Kind::StatusGiven(intent) => ("integer".into(), Some(*intent), "(MPI_STATUS_SIZE)"),
        Kind::TextIn => ("character(len=*)".into(), Some(Intent::In), ""),
        Kind::TextOut => ("character(len=*)".into(), Some(Intent::Out), ""),
        Kind::Pointer if is_new => ("type(c_ptr)".into(), Some(Intent::Out), ""),
        Kind::Pointer => ("integer(MPI_ADDRESS_KIND)".into(), None, ""),
    };
    let intent = intent.map_or("", Intent::fortran);
    let lenient = match !is_new && is_unchecked(function, name) {
        true => format!("      !GCC$ attributes no_arg_check :: {name}\n"),
        false => String::new(),
    };
    format!("{lenient}      {kind}{intent} :: {name}{shape}\n")
}

/// Whether the shape of an argument is left to the program, as it was before there were
/// interfaces: some ranks need not give numbers for all others, and then programs give one.
fn is_unchecked(function: &Function, name: &str) -> bool {
    let symbol = function.symbol();
    let is_vector = ["gatherv", "scatterv", "alltoallv", "alltoallw"];
    let names = ["sendcounts", "recvcounts", "displs", "sdispls", "rdispls"];
    let types = ["sendtypes", "recvtypes"];
    let of_alltoallv = symbol.contains("alltoallv") && ["sendtype", "recvtype"].contains(&name);
    is_vector.iter().any(|part| symbol.contains(part))
        && (names.contains(&name) || types.contains(&name) || of_alltoallv)
}

/// A buffer: a descriptor of it for `mpi_f08`, its address for the module `mpi` and where texts
/// keep descriptors of C away.
fn choice(function: &Function, name: &str, is_const: bool, dialect: Dialect) -> String {
    let later = if function.is_pending() { ", asynchronous" } else { "" };
    let intent = if is_const { Intent::In.fortran() } else { "" };
    match dialect {
        Dialect::F08 if !function.has_text() => {
            format!("      type(*), dimension(..){intent}{later} :: {name}\n")
        }
        _ => format!(
            "      !GCC$ attributes no_arg_check :: {name}\n      type(*), dimension(*){intent} :: {name}\n"
        ),
    }
}

impl Number {
    fn fortran(self) -> &'static str {
        match self {
            Number::Int | Number::Narrow => "integer",
            Number::Aint => "integer(MPI_ADDRESS_KIND)",
            Number::Count => "integer(MPI_COUNT_KIND)",
            Number::Offset => "integer(MPI_OFFSET_KIND)",
        }
    }
}

impl Intent {
    fn fortran(self) -> &'static str {
        match self {
            Intent::In => ", intent(in)",
            Intent::Out => ", intent(out)",
            Intent::InOut => ", intent(inout)",
        }
    }
}
