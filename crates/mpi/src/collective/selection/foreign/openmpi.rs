//! Open MPI's dynamic rules as JSON: `coll_tuned_dynamic_rules_filename` of releases from 6 on.
//!
//! `collectives` has a list for each collective. The first entry whose sizes and distribution of
//! ranks fit a communicator decides, by the first of its `rules` that fits the message; if none
//! does, Open MPI chooses.

use std::rc::Rc;

use super::classic::by_size;
use super::json::{Json, Member, Value};
use super::names::{Given, Names};
use super::{Lists, Mistake, from_to, leave_the_rest, left, mistake};
use crate::collective::Operation;
use crate::collective::selection::conditions::Conditions;
use crate::collective::selection::range::Numbers;
use crate::collective::selection::rule::{Pick, Rule};
use crate::collective::selection::{Library, Rules};

/// Collectives that Open MPI has rules for and no choice of algorithms, or we have none.
const WITHOUT_CHOICE: [&str; 8] = [
    "alltoallw",
    "gatherv",
    "scatterv",
    "neighbor_allgather",
    "neighbor_allgatherv",
    "neighbor_alltoall",
    "neighbor_alltoallv",
    "neighbor_alltoallw",
];

/// Reads a file; tells all that is wrong with it.
pub(super) fn lists(root: &Json) -> Result<Lists, Vec<Mistake>> {
    let lists = vec![Vec::new(); Operation::ALL.len()];
    let fixed = Library::OpenMpi4.rules();
    let mut file = File { names: Names::openmpi(), fixed, lists, mistakes: vec![] };
    for member in file.members(root, "the file") {
        match member.key.as_str() {
            "collectives" => file.collectives(&member.value),
            "rule_file_version" | "module" | "$schema" => {}
            key => file.unknown(member, key, "rule_file_version, module and collectives"),
        }
    }
    if !file.mistakes.is_empty() {
        return Err(file.mistakes);
    }
    leave_the_rest(&mut file.lists, Library::OpenMpi4);
    Ok(file.lists)
}

/// What has been read so far.
struct File {
    names: Names,
    /// What Open MPI chooses by itself.
    fixed: Rc<Rules>,
    lists: Lists,
    mistakes: Vec<Mistake>,
}

impl File {
    fn wrong(&mut self, line: usize, text: impl Into<String>) {
        self.mistakes.push(mistake(line, text));
    }

    fn unknown(&mut self, member: &Member, key: &str, known: &str) {
        self.wrong(member.line, format!("there is no `{key}` here; there are {known}"));
    }

    fn members<'a>(&mut self, json: &'a Json, what: &str) -> &'a [Member] {
        match &json.value {
            Value::Object(members) => members,
            _ => {
                self.wrong(json.line, format!("{what} is an object in braces"));
                &[]
            }
        }
    }

    fn items<'a>(&mut self, json: &'a Json, what: &str) -> &'a [Json] {
        match &json.value {
            Value::Array(items) => items,
            _ => {
                self.wrong(json.line, format!("{what} is a list in brackets"));
                &[]
            }
        }
    }

    fn collectives(&mut self, json: &Json) {
        for member in self.members(json, "`collectives`") {
            let name = match member.key.as_str() {
                "reducescatter" => "reduce_scatter",
                "reducescatterblock" => "reduce_scatter_block",
                name => name,
            };
            let entries = self.items(&member.value, &format!("`{name}`"));
            match Operation::named(name) {
                _ if WITHOUT_CHOICE.contains(&name) => {}
                Some(operation) if operation != Operation::CommSplit => {
                    entries.iter().for_each(|entry| self.communicators(operation, entry));
                }
                _ => self.wrong(member.line, format!("there is no collective `{name}`")),
            }
        }
    }

    /// The rules for some communicators.
    fn communicators(&mut self, operation: Operation, entry: &Json) {
        let mut conditions = Some(Conditions::default());
        let (mut smallest, mut largest) = (0, u64::MAX);
        let mut messages: &[Json] = &[];
        for member in self.members(entry, "an entry of a collective") {
            match member.key.as_str() {
                "comm_size_min" => smallest = self.number(member),
                "comm_size_max" => largest = self.number(member),
                "comm_rank_distribution" => self.distribution(member, &mut conditions),
                "rules" => messages = self.items(&member.value, "`rules`"),
                key => {
                    let known = "comm_size_min, comm_size_max, comm_rank_distribution and rules";
                    self.unknown(member, key, known);
                }
            }
        }
        let ranks = from_to(smallest, largest);
        let conditions = conditions.zip(ranks).map(|(rest, ranks)| Conditions { ranks, ..rest });
        for message in messages {
            self.message(operation, conditions.as_ref(), message);
        }
        let rest = conditions.map(|conditions| left(conditions, &self.fixed));
        self.lists[operation as usize].extend(rest);
    }

    fn distribution(&mut self, member: &Member, conditions: &mut Option<Conditions>) {
        let one = Numbers { first: 1, end: Some(2) };
        match (&member.value.value, conditions) {
            (Value::Text(how), _) if how == "any" => {}
            (Value::Text(how), Some(conditions)) if how == "one-per-node" => {
                conditions.mean_per_node = one;
            }
            (Value::Text(how), Some(conditions)) if how == "single-node" => conditions.nodes = one,
            _ => self.wrong(
                member.value.line,
                "comm_rank_distribution is \"any\", \"one-per-node\" or \"single-node\"",
            ),
        }
    }

    /// One rule, for some messages.
    fn message(&mut self, operation: Operation, on: Option<&Conditions>, json: &Json) {
        let (mut smallest, mut largest) = (0, u64::MAX);
        let mut given =
            Given { segment: Some(0), fan: Some(0), requests: Some(0), ..Given::default() };
        let mut algorithm = None;
        for member in self.members(json, "a rule") {
            match member.key.as_str() {
                "msg_size_min" => smallest = self.number(member),
                "msg_size_max" => largest = self.number(member),
                "faninout" => given.fan = Some(self.number(member)),
                "seg_size" => given.segment = Some(self.number(member)),
                "reqs" => given.requests = Some(self.number(member)),
                "alg" => algorithm = Some(&member.value),
                key => {
                    let known = "alg, msg_size_min, msg_size_max, faninout, seg_size and reqs";
                    self.unknown(member, key, known);
                }
            }
        }
        let Some(algorithm) = algorithm else {
            return self.wrong(json.line, "a rule has `alg`, the number or name of an algorithm");
        };
        let Some(pick) = self.pick(operation, algorithm, given) else { return };
        if let (Some(on), Some(bytes)) = (on, from_to(smallest, largest)) {
            let sizes = by_size(operation, bytes);
            let Conditions { ranks, nodes, mean_per_node, .. } = on.clone();
            let conditions = Conditions { ranks, nodes, mean_per_node, ..sizes };
            self.lists[operation as usize].push(Rule::made(conditions, pick));
        }
    }

    fn pick(&mut self, operation: Operation, algorithm: &Json, given: Given) -> Option<Pick> {
        let fixed = || Pick::As(self.fixed.clone(), false);
        let found = match &algorithm.value {
            Value::Number(0) => return Some(fixed()),
            Value::Text(name) if name == "ignore" => return Some(fixed()),
            Value::Number(number) => self.names.numbered(operation, *number, given),
            Value::Text(name) => self.names.named(operation, name, given),
            _ => Err("`alg` is the number or the name of an algorithm".into()),
        };
        match found {
            Ok(choice) => Some(Pick::Algorithm(choice)),
            Err(text) => {
                self.wrong(algorithm.line, text);
                None
            }
        }
    }

    /// A number, or `inf`.
    fn number(&mut self, member: &Member) -> u64 {
        match &member.value.value {
            Value::Number(number) => *number,
            Value::Text(text) if text.eq_ignore_ascii_case("inf") => u64::MAX,
            _ => {
                let text = format!("`{}` is a whole number or \"inf\"", member.key);
                self.wrong(member.value.line, text);
                0
            }
        }
    }
}
