//! MPICH's tuning files: `MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE` of releases 4.
//!
//! Objects are nested; each key is a condition, and the first of an object that holds leads on,
//! until a key names an algorithm. Every way to an algorithm becomes a rule, in the same order.
//! What is for inter-communicators, for non-blocking or neighbourhood collectives, and for calls in
//! place is left out: those calls have no choice of algorithms here, or the same as the others.

use super::json::{Json, Member, Value};
use super::names::{Given, Names};
use super::{Lists, Mistake, leave_the_rest, mistake};
use crate::collective::Operation;
use crate::collective::selection::Library;
use crate::collective::selection::conditions::Conditions;
use crate::collective::selection::range::Numbers;
use crate::collective::selection::rule::{Pick, Rule};

/// The conditions that there are.
const KNOWN: &str = "collective=, comm_type=, comm_size, comm_avg_ppn, comm_hierarchy=, \
                     avg_msg_size, total_msg_size, count, is_commutative=, is_op_built_in=, \
                     is_block_regular=, is_sendbuf_inplace=, is_multi_threaded= and algorithm=";

/// What conditions on the communicator begin with: MPICH looks at those that come first once, when
/// the communicator is made.
const OF_COMMUNICATOR: [&str; 6] = [
    "collective=",
    "comm_type=",
    "comm_size",
    "comm_hierarchy=",
    "comm_avg_ppn",
    "is_node_consecutive=",
];

/// Reads a file; tells all that is wrong with it.
pub(super) fn lists(root: &Json) -> Result<Lists, Vec<Mistake>> {
    let lists = vec![Vec::new(); Operation::ALL.len()];
    let mut file = File { names: Names::mpich(), lists, mistakes: vec![] };
    file.follow(root, &Way::default());
    if !file.mistakes.is_empty() {
        return Err(file.mistakes);
    }
    leave_the_rest(&mut file.lists, Library::Mpich4);
    Ok(file.lists)
}

/// The keys on the way to an algorithm.
#[derive(Debug, Clone, Default)]
struct Way {
    operation: Option<Operation>,
    conditions: Conditions,
    /// Whether something about the call, not the communicator, has been asked before.
    is_of_call: bool,
}

/// What has been read so far.
struct File {
    names: Names,
    lists: Lists,
    mistakes: Vec<Mistake>,
}

impl File {
    fn follow(&mut self, json: &Json, way: &Way) {
        let Value::Object(members) = &json.value else {
            let text = "expected an object in braces, with conditions or an algorithm as its keys";
            self.mistakes.push(mistake(json.line, text));
            return;
        };
        let mut way = way.clone();
        for member in members {
            let key: String = member.key.chars().filter(|c| !c.is_whitespace()).collect();
            way.is_of_call |= !OF_COMMUNICATOR.iter().any(|start| key.starts_with(start));
            if let Some(name) = key.strip_prefix("algorithm=") {
                // MPICH reads no further in this object.
                return self.algorithm(name, member, &way);
            }
            if key.starts_with("composition=") {
                let text = "compositions of MPICH's device cannot be simulated; this is for \
                            MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE, whose leaves are algorithms";
                self.mistakes.push(mistake(member.line, text));
                return;
            }
            match step(&key, &way) {
                Ok(Some(way)) => self.follow(&member.value, &way),
                Ok(None) => {}
                Err(text) => self.mistakes.push(mistake(member.line, text)),
            }
        }
    }

    fn algorithm(&mut self, name: &str, member: &Member, way: &Way) {
        let Some(operation) = way.operation else {
            let text = format!("{name} is below no `collective=`");
            self.mistakes.push(mistake(member.line, text));
            return;
        };
        // What runs non-blocking collectives chooses for them.
        if name.ends_with("_allcomm_nb") {
            return;
        }
        let given = given(&member.value);
        match self.names.named(operation, name, given) {
            Ok(choice) => {
                let rule = Rule::made(way.conditions.clone(), Pick::Algorithm(choice));
                self.lists[operation as usize].push(rule);
            }
            Err(text) => self.mistakes.push(mistake(member.line, text)),
        }
    }
}

/// The parameters of an algorithm: keys such as `k=4`.
fn given(json: &Json) -> Given {
    let mut given = Given::default();
    let Value::Object(members) = &json.value else { return given };
    for member in members {
        let key: String = member.key.chars().filter(|c| !c.is_whitespace()).collect();
        match key.split_once('=') {
            Some(("k", value)) => given.k = value.parse().ok(),
            Some(("chunk_size", value)) => given.chunk = value.parse().ok(),
            Some(("tree_type", value)) => given.is_kary = value == "kary" || value == "0",
            _ => {}
        }
    }
    given
}

/// What a key adds to the way; none if it leads to something that never happens here.
fn step(key: &str, way: &Way) -> Result<Option<Way>, String> {
    let mut way = way.clone();
    if let Some(name) = key.strip_prefix("collective=") {
        return collective(name, way);
    }
    let unknown = || format!("`{key}` is no condition that is known here; there are {KNOWN}");
    let (what, holds) = condition(key).ok_or_else(unknown)?;
    let conditions = &mut way.conditions;
    let yes_or_no = match holds {
        Holds::Word("yes") => Some(true),
        Holds::Word("no") => Some(false),
        _ => None,
    };
    match (what, holds) {
        ("comm_type", Holds::Word("intra")) => {}
        ("comm_type", Holds::Word("inter")) => return Ok(None),
        (_, Holds::Word("any")) => {}
        ("comm_size", Holds::Word("pow2")) => conditions.power_of_two = Some(true),
        ("comm_size", Holds::Word("node_comm_size")) => narrow(&mut conditions.nodes, 1),
        // Behind conditions on the call, MPICH 4.0 to 4.3 take `<` for `<=`.
        ("comm_size", Holds::UpTo(most)) if way.is_of_call && !key.contains("<=") => {
            narrow(&mut conditions.ranks, most.saturating_add(1));
        }
        ("comm_size", Holds::UpTo(most)) => narrow(&mut conditions.ranks, most),
        ("comm_avg_ppn", Holds::UpTo(most)) => narrow(&mut conditions.mean_per_node, most),
        ("comm_hierarchy", Holds::Word(kind)) => {
            return hierarchy(kind, way).map(Some).ok_or_else(unknown);
        }
        ("avg_msg_size", Holds::UpTo(most)) => narrow(&mut conditions.bytes, most),
        ("total_msg_size", Holds::UpTo(most)) => match way.operation {
            // Their vectors are already what all ranks get together.
            Some(Operation::ReduceScatter | Operation::ReduceScatterBlock) => {
                narrow(&mut conditions.bytes, most);
            }
            _ => narrow(&mut conditions.total, most),
        },
        ("count", Holds::UpTo(most)) => narrow(&mut conditions.elements, most),
        ("count", Holds::BelowPowerOfTwo) => conditions.divisible = Some(false),
        ("is_commutative", _) if yes_or_no.is_some() => conditions.commutative = yes_or_no,
        ("is_op_built_in", _) if yes_or_no.is_some() => conditions.predefined = yes_or_no,
        ("is_block_regular", _) if yes_or_no.is_some() => conditions.even_blocks = yes_or_no,
        // Only scans ask, for an algorithm of two levels that does not exist here.
        ("is_sendbuf_inplace" | "is_multi_threaded" | "is_node_consecutive", _) => {
            return match yes_or_no {
                Some(true) => Ok(None),
                Some(false) => Ok(Some(way)),
                None => Err(unknown()),
            };
        }
        _ => return Err(unknown()),
    }
    Ok(Some(way))
}

fn collective(name: &str, way: Way) -> Result<Option<Way>, String> {
    match Operation::named(name) {
        Some(operation) if operation != Operation::CommSplit => {
            Ok(Some(Way { operation: Some(operation), ..way }))
        }
        _ if name.starts_with('i') || name.starts_with("neighbor_") => Ok(None),
        _ => Err(format!("there is no collective `{name}`")),
    }
}

/// `parent` is a communicator some of whose ranks share a node; `node` and `node_roots` are its
/// ranks on a node and one of each node.
fn hierarchy(kind: &str, mut way: Way) -> Option<Way> {
    let conditions = &mut way.conditions;
    match kind {
        "parent" => {
            conditions.mean_per_node = Numbers { first: 2, end: None };
            conditions.part = Some(false);
        }
        "flat" => {
            narrow(&mut conditions.mean_per_node, 1);
            conditions.part = Some(false);
        }
        "node" => {
            narrow(&mut conditions.nodes, 1);
            conditions.part = Some(true);
        }
        "node_roots" => {
            narrow(&mut conditions.mean_per_node, 1);
            conditions.part = Some(true);
        }
        _ => return None,
    }
    Some(way)
}

/// What a condition asks for.
#[derive(Clone, Copy)]
enum Holds<'a> {
    Word(&'a str),
    /// This number or less.
    UpTo(u64),
    BelowPowerOfTwo,
}

/// A condition: what it is about, and what it asks for.
fn condition(key: &str) -> Option<(&str, Holds<'_>)> {
    if let Some((what, bound)) = key.split_once("<=") {
        return Some((what, Holds::UpTo(bound.parse().ok()?)));
    }
    if let Some((what, bound)) = key.split_once('<') {
        if bound == "pow2" {
            return Some((what, Holds::BelowPowerOfTwo));
        }
        // Nothing is below 0.
        return Some((what, Holds::UpTo(bound.parse::<u64>().ok()?.checked_sub(1)?)));
    }
    key.split_once('=').map(|(what, word)| (what, Holds::Word(word)))
}

/// Keeps only numbers up to one.
fn narrow(range: &mut Numbers, most: u64) {
    if let Some(end) = most.checked_add(1) {
        range.end = Some(range.end.map_or(end, |known| known.min(end)));
    }
}
