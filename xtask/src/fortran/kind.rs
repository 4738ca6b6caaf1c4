//! What the arguments of MPI's functions are in Fortran: the rules.

use super::prototype::Declared;

/// What an argument is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// A buffer of any type.
    Choice { is_const: bool, way: Way },
    /// A number, by value in C.
    Value(Number),
    /// The number of elements of the buffer before it, with that buffer's name.
    CountOf(Number, String),
    /// A truth value, by value in C.
    Logical,
    /// A place for a number, or for a truth value.
    Place(Number, Intent),
    /// A place for a truth value.
    LogicalPlace,
    /// An array of numbers.
    Array(Number, Intent),
    /// An array of truth values.
    LogicalArray(Intent),
    /// An array of triplets.
    Ranges,
    /// Weights of edges, which a program may do without.
    Weights(Intent),
    /// An index into an array, counted from 1 in Fortran.
    Index,
    /// Indices into an array; the name of the argument that tells how many.
    Indices(String),
    /// A handle.
    Handle(Sort, Intent),
    /// The datatype of a buffer: names of the buffer and of the count before it.
    TypeOf(String, String),
    /// An array of handles with what tells its length in the table.
    Handles(Sort, Intent, String),
    /// A status, which a program may not want.
    Status,
    /// A status that is needed.
    StatusGiven(Intent),
    /// Statuses, which a program may not want.
    Statuses,
    /// A text.
    TextIn,
    /// A place for a text.
    TextOut,
    /// A function of the program: the name of its interface.
    Function(String),
    /// A place for an address.
    Pointer,
}

/// How the library gets at a buffer whose elements do not lie one after the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Only its address matters.
    Address,
    /// It is copied for the time of the call.
    Copy,
    /// A datatype describes it, since the call returns before the data moves.
    Datatype,
    /// Not at all: data moves later, and no single datatype describes it.
    Refuse,
}

/// Numbers by their width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    Int,
    Aint,
    Count,
    Offset,
    /// `INTEGER` in Fortran where C has an address: functions of MPI-1.
    Narrow,
}

/// Kinds of handles.
pub(super) type Sort = &'static str;

/// What a function does with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    In,
    Out,
    InOut,
}

const SORTS: [&str; 11] = [
    "Comm",
    "Group",
    "Request",
    "Message",
    "Errhandler",
    "Info",
    "Session",
    "Win",
    "File",
    "Op",
    "Datatype",
];
const LOGICALS: [&str; 7] =
    ["flag", "commute", "reorder", "periods", "remain_dims", "high", "weighted"];
const WEIGHTS: [&str; 3] = ["weights", "sourceweights", "destweights"];
/// Buffers that are places only.
const PLACES: [&str; 3] = ["location", "base", "buffer"];

/// The kinds of all parameters of a function.
pub(super) fn of_all(function: &str, chapter: &str, declared: &[Declared]) -> Vec<Kind> {
    let mut kinds: Vec<Kind> =
        declared.iter().map(|one| of(function, chapter, one, declared)).collect();
    if is_pending(function, chapter) {
        tie(function, declared, &mut kinds);
    }
    kinds
}

/// Lets datatypes describe buffers of calls that return early, where one does.
fn tie(function: &str, declared: &[Declared], kinds: &mut [Kind]) {
    for at in 0..kinds.len().saturating_sub(2) {
        let whole = is_whole(function, &declared[at].name);
        let [Kind::Choice { way, .. }, count, datatype] = &mut kinds[at..at + 3] else { continue };
        let Kind::Value(number @ (Number::Int | Number::Count)) = *count else { continue };
        if *datatype == Kind::Handle("Datatype", Intent::In) && whole {
            *way = Way::Datatype;
            *count = Kind::CountOf(number, declared[at].name.clone());
            let names = (declared[at].name.clone(), declared[at + 1].name.clone());
            *datatype = Kind::TypeOf(names.0, names.1);
        }
    }
}

/// Whether count and datatype say all of what moves to or from a buffer: not where they say what
/// moves for each of several ranks, and not for reductions, which need the numbers themselves.
fn is_whole(function: &str, buffer: &str) -> bool {
    let has = |part: &str| function.to_lowercase().contains(part);
    match buffer {
        "sendbuf" => !has("scatter") && !has("alltoall"),
        "recvbuf" => has("iscatter") || has("mpi_scatter") || has("sendrecv"),
        _ => true,
    }
}

fn is_pending(function: &str, chapter: &str) -> bool {
    let (name, chapter) = (function.to_owned(), chapter.to_owned());
    super::Function { name, chapter, parameters: Vec::new() }.is_pending()
}

fn of(function: &str, chapter: &str, one: &Declared, all: &[Declared]) -> Kind {
    let intent = intent(function, one);
    if let Some(sort) = SORTS.iter().copied().find(|sort| one.base == format!("MPI_{sort}")) {
        return match (one.pointers, one.is_array) {
            (0, _) => Kind::Handle(sort, Intent::In),
            (_, false) => Kind::Handle(sort, intent),
            (_, true) => {
                Kind::Handles(sort, array_intent(function, one), length(function, one, all))
            }
        };
    }
    match (one.base.as_str(), one.pointers) {
        ("void", 1) if matches!(one.name.as_str(), "baseptr") => Kind::Pointer,
        ("void", 1) => {
            let is_place = PLACES.contains(&one.name.as_str()) && !function.contains("cast");
            let way = match is_place {
                true => Way::Address,
                false if is_pending(function, chapter) => Way::Refuse,
                false => Way::Copy,
            };
            Kind::Choice { is_const: one.is_const, way }
        }
        ("char", _) if one.is_const => Kind::TextIn,
        ("char", _) => Kind::TextOut,
        ("MPI_Status" | "MPI_F08_status" | "MPI_Fint", 1) => status(function, one),
        (base, 0) if number(base, chapter).is_some() => value(one, chapter),
        (base, 1) if number(base, chapter).is_some() => place(function, chapter, one, intent),
        (base, _) if base.ends_with("function") || base.ends_with("function_c") => {
            Kind::Function(base.to_owned())
        }
        _ => panic!("no rule says what `{} {}` of {function} is in Fortran", one.base, one.name),
    }
}

fn number(base: &str, chapter: &str) -> Option<Number> {
    Some(match base {
        "int" => Number::Int,
        "MPI_Aint" if chapter == "removed" => Number::Narrow,
        "MPI_Aint" => Number::Aint,
        "MPI_Count" => Number::Count,
        "MPI_Offset" => Number::Offset,
        _ => return None,
    })
}

fn value(one: &Declared, chapter: &str) -> Kind {
    if LOGICALS.contains(&one.name.as_str()) {
        return Kind::Logical;
    }
    Kind::Value(number(&one.base, chapter).unwrap_or(Number::Int))
}

fn place(function: &str, chapter: &str, one: &Declared, intent: Intent) -> Kind {
    let number = number(&one.base, chapter).unwrap_or(Number::Int);
    let name = one.name.as_str();
    match (name, one.is_array) {
        ("indx", false) => Kind::Index,
        ("array_of_indices", true) => Kind::Indices("outcount".into()),
        ("ranges", true) => Kind::Ranges,
        (_, true) if WEIGHTS.contains(&name) => Kind::Weights(array_intent(function, one)),
        (_, true) if LOGICALS.contains(&name) => Kind::LogicalArray(array_intent(function, one)),
        (_, true) => Kind::Array(number, array_intent(function, one)),
        (_, false) if LOGICALS.contains(&name) => Kind::LogicalPlace,
        _ => Kind::Place(number, intent),
    }
}

fn status(function: &str, one: &Declared) -> Kind {
    if function.starts_with("MPI_Status_set") {
        return Kind::StatusGiven(Intent::InOut);
    }
    if one.name == "f_status" || one.name == "f08_status" {
        return Kind::StatusGiven(if one.is_const { Intent::In } else { Intent::Out });
    }
    match one.name.as_str() {
        _ if one.is_const => Kind::StatusGiven(Intent::In),
        "array_of_statuses" => Kind::Statuses,
        _ => Kind::Status,
    }
}

/// What becomes of a place: most are written only.
fn intent(function: &str, one: &Declared) -> Intent {
    let changes = ["_free", "_commit", "_disconnect", "_close", "_finalize", "_keyval"];
    let changed = match one.name.as_str() {
        "request" => ["Wait", "Test", "Start", "Cancel", "Request_free"]
            .iter()
            .any(|name| function == format!("MPI_{name}")),
        "message" => function.contains("recv"),
        "position" => true,
        _ => changes.iter().any(|end| function.ends_with(end)) && !function.contains("create"),
    };
    match (changed, one.is_const) {
        (_, true) => Intent::In,
        (true, false) => Intent::InOut,
        (false, false) => Intent::Out,
    }
}

fn array_intent(function: &str, one: &Declared) -> Intent {
    match one.name.as_str() {
        _ if one.is_const => Intent::In,
        "array_of_requests" | "dims" if function != "MPI_Cart_get" => Intent::InOut,
        _ => Intent::Out,
    }
}

/// How many handles an array has, as the table says it.
fn length(function: &str, one: &Declared, all: &[Declared]) -> String {
    let has = |name: &str| all.iter().any(|other| other.name == name);
    match one.name.as_str() {
        "sendtypes" if function.contains("eighbor") => "out_degree(comm)".into(),
        "recvtypes" if function.contains("eighbor") => "in_degree(comm)".into(),
        "sendtypes" => "peers_unless_in_place(comm, sendbuf)".into(),
        "recvtypes" => "peers(comm)".into(),
        "array_of_datatypes" => "at(max_datatypes)".into(),
        _ if has("incount") => "at(incount)".into(),
        _ => "at(count)".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::prototype::functions;

    /// The kinds of a function, as Rust prints them.
    fn kinds(text: &str) -> String {
        let functions = functions(&format!("FORETELL_MPI(int, {text})"), "point_to_point").unwrap();
        let kinds = functions[0].parameters.iter().map(|one| format!("{:?}", one.kind));
        kinds.collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn handles_are_made_given_or_changed() {
        assert_eq!(
            kinds("Wait, (MPI_Request *request, MPI_Status *status)"),
            "Handle(\"Request\", InOut); Status"
        );
        assert_eq!(
            kinds("Comm_dup, (MPI_Comm comm, MPI_Comm *newcomm)"),
            "Handle(\"Comm\", In); Handle(\"Comm\", Out)"
        );
        assert_eq!(kinds("Comm_free, (MPI_Comm *comm)"), "Handle(\"Comm\", InOut)");
    }

    #[test]
    fn buffers_of_calls_that_return_early_are_described_by_datatypes() {
        let arguments = "(const void *buf, int count, MPI_Datatype datatype)";
        assert_eq!(
            kinds(&format!("Isend, {arguments}")),
            "Choice { is_const: true, way: Datatype }; CountOf(Int, \"buf\"); \
             TypeOf(\"buf\", \"count\")"
        );
        assert_eq!(
            kinds(&format!("Send, {arguments}")),
            "Choice { is_const: true, way: Copy }; Value(Int); Handle(\"Datatype\", In)"
        );
    }
}
