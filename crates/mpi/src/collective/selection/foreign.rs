//! Rules in the formats of MPI libraries: Open MPI's dynamic rules and MPICH's tuning files.
//!
//! Which format a text has is seen from what is in it. Each becomes rules like ours; what such a
//! file says nothing about is as in the library that it is made for.

mod classic;
mod json;
mod mpich;
mod names;
mod openmpi;

use std::rc::Rc;

use super::conditions::Conditions;
use super::range::Numbers;
use super::rule::{Pick, Rule};
use super::{BadRules, Library, Rules};
use crate::collective::Operation;

/// What such rules are.
pub(super) const ABOUT: &str = "read from a file of an MPI library";

/// Rules for each operation.
pub(super) type Lists = Vec<Vec<Rule>>;

/// A mistake, and the line that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Mistake {
    line: usize,
    text: String,
}

/// A mistake on a line.
fn mistake(line: usize, text: impl Into<String>) -> Mistake {
    Mistake { line, text: text.into() }
}

/// The rules of a text; none if it has none of these formats.
pub(super) fn lists(text: &str) -> Option<Result<Lists, BadRules>> {
    let start = first_word(text)?;
    let read = if start.starts_with('{') {
        json::parse(text).map_err(|mistake| vec![mistake]).and_then(|root| match &root.value {
            json::Value::Object(members) if has(members, "collectives") => openmpi::lists(&root),
            _ => mpich::lists(&root),
        })
    } else if start.starts_with(|c: char| c.is_ascii_digit()) || start.starts_with(classic::HEADER)
    {
        classic::lists(text).map_err(|mistake| vec![mistake])
    } else {
        return None;
    };
    let told = |mistake: Mistake| format!("line {}: {}", mistake.line, mistake.text);
    Some(read.map_err(|mistakes| BadRules(mistakes.into_iter().map(told).collect())))
}

fn has(members: &[json::Member], key: &str) -> bool {
    members.iter().any(|member| member.key == key)
}

/// What comes first behind comments and white space.
fn first_word(text: &str) -> Option<&str> {
    let lines = text.lines().map(str::trim_start);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).find_map(|line| {
        // A key of TOML may begin with a digit, but then `=` follows.
        let is_key = line.split(['#', '"']).next().is_some_and(|start| start.contains('='));
        (!is_key).then_some(line).or(Some(""))
    })
}

/// Adds rules that leave all that is not decided to a library.
fn leave_the_rest(lists: &mut Lists, library: Library) {
    let rules = library.rules();
    for operation in Operation::ALL.into_iter().filter(|operation| rules.has(*operation)) {
        lists[operation as usize].push(left(Conditions::default(), &rules));
    }
}

/// A rule that leaves the choice to others.
fn left(conditions: Conditions, rules: &Rc<Rules>) -> Rule {
    Rule::made(conditions, Pick::As(rules.clone(), false))
}

/// The numbers from `first` to `last`; none if there are none.
fn from_to(first: u64, last: u64) -> Option<Numbers> {
    (first <= last).then(|| Numbers { first, end: last.checked_add(1) })
}

#[cfg(test)]
mod tests;
