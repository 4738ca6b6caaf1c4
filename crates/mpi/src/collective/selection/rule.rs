//! Rules as data: the first that fits a situation names the algorithm.
//!
//! A rule file is TOML. Each operation has a list of rules, `[[allreduce]]`; a rule has
//! conditions, all of which must hold, and an `algorithm` with its parameters.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use serde::Deserialize;

use super::range::Numbers;
use super::{Choice, Library, Situation, asked};
use crate::collective::Operation;
use crate::collective::channel::previous_power_of_two;

/// The rules of a library, or of a file of the user.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    name: String,
    about: String,
    /// For each operation.
    lists: Vec<Vec<Rule>>,
    asks_for_nodes: bool,
}

/// What is wrong with a rule file: all of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadRules(pub Vec<String>);

impl fmt::Display for BadRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("\n"))
    }
}

/// One rule.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    ranks: Numbers,
    bytes: Numbers,
    total: Numbers,
    elements: Numbers,
    nodes: Numbers,
    per_node: Numbers,
    commutative: Option<bool>,
    power_of_two: Option<bool>,
    even_ranks: Option<bool>,
    even_blocks: Option<bool>,
    /// Whether there is an element for each rank of the largest power of two.
    divisible: Option<bool>,
    line: Option<Line>,
    /// Whether the ranks are some of those of another collective.
    part: Option<bool>,
    pick: Pick,
}

/// What a rule leads to.
#[derive(Debug, Clone, PartialEq)]
enum Pick {
    Algorithm(Choice),
    /// What these rules say. The second tells whether nodes are found out first.
    As(Rc<Rules>, bool),
}

/// A bound on the ranks that grows with the bytes, as Open MPI has fitted to measurements.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Ranks for each byte.
    slope: f64,
    base: f64,
    /// Whether the ranks must be below; otherwise above.
    below: bool,
}

/// A rule as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    ranks: Option<toml::Value>,
    bytes: Option<toml::Value>,
    total: Option<toml::Value>,
    elements: Option<toml::Value>,
    nodes: Option<toml::Value>,
    per_node: Option<toml::Value>,
    commutative: Option<bool>,
    power_of_two: Option<bool>,
    even_ranks: Option<bool>,
    even_blocks: Option<bool>,
    divisible: Option<bool>,
    line: Option<Line>,
    part: Option<bool>,
    algorithm: Option<String>,
    #[serde(rename = "as")]
    library: Option<String>,
    #[serde(default)]
    meet: bool,
    segment: Option<u64>,
    radix: Option<u32>,
    inner: Option<String>,
    outer: Option<String>,
}

/// A rule file as it is written.
#[derive(Debug, Deserialize)]
struct WrittenRules {
    #[serde(default)]
    about: String,
    #[serde(flatten)]
    lists: BTreeMap<String, Vec<Written>>,
}

impl Rules {
    /// Reads a rule file; tells all that is wrong with it.
    pub fn read(name: &str, text: &str) -> Result<Rules, BadRules> {
        let written: WrittenRules =
            toml::from_str(text).map_err(|error| BadRules(vec![error.to_string()]))?;
        let mut mistakes = Vec::new();
        let mut libraries = Vec::new();
        let mut lists = vec![Vec::new(); Operation::ALL.len()];
        for (operation, rules) in written.lists {
            let Some(known) = Operation::named(&operation) else {
                mistakes.push(format!("`{operation}` is no operation that has algorithms"));
                continue;
            };
            for (number, rule) in (1..).zip(rules) {
                match Rule::new(known, rule, &mut libraries) {
                    Ok(rule) => lists[known as usize].push(rule),
                    Err(why) => mistakes.push(format!("rule {number} of {operation}: {why}")),
                }
            }
        }
        if !mistakes.is_empty() {
            return Err(BadRules(mistakes));
        }
        let asks_for_nodes = lists.iter().flatten().any(Rule::asks_for_nodes);
        Ok(Rules { name: name.to_owned(), about: written.about, lists, asks_for_nodes })
    }

    /// What they are called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What they are, in a sentence.
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Whether there are rules for an operation.
    pub fn has(&self, operation: Operation) -> bool {
        !self.lists[operation as usize].is_empty()
    }

    pub(crate) fn asks_for_nodes(&self) -> bool {
        self.asks_for_nodes
    }

    /// The first rule that fits, with its number, counted from 1.
    pub fn rule(&self, situation: &Situation) -> Option<(usize, &Rule)> {
        let list = &self.lists[situation.call.operation as usize];
        (1..).zip(list).find(|(_, rule)| rule.fits(situation))
    }

    /// What runs: as the rule says, or the default if none fits.
    pub fn choice(&self, situation: &Situation) -> Choice {
        let usual = || Choice::named(situation.call.operation.algorithms()[0]);
        self.rule(situation).map_or_else(usual, |(_, rule)| rule.choice(situation))
    }
}

impl Rule {
    fn new(
        operation: Operation,
        written: Written,
        libraries: &mut Vec<Rc<Rules>>,
    ) -> Result<Rule, String> {
        let known = |name: &str| {
            let names = operation.algorithms();
            operation.algorithm(name).ok_or_else(|| {
                format!("there is no algorithm '{name}'; there are: {}", names.join(", "))
            })
        };
        let numbers = |value: &Option<toml::Value>| match value {
            None => Ok(Numbers::ALL),
            Some(toml::Value::String(text)) => Numbers::read(text),
            Some(toml::Value::Integer(number)) => Numbers::read(&number.to_string()),
            Some(other) => Err(format!("`{other}` is no range; write \"4..16\"")),
        };
        let level = |name: &Option<String>| name.as_deref().map(known).transpose();
        let pick = match (&written.algorithm, &written.library) {
            (Some(algorithm), None) => Pick::Algorithm(Choice {
                algorithm: known(algorithm)?,
                segment: written.segment,
                radix: written.radix.map(|number| asked::radix(&number.to_string())).transpose()?,
                inner: level(&written.inner)?,
                outer: level(&written.outer)?,
                meet: written.meet,
            }),
            (None, Some(name)) => Pick::As(other(name, libraries)?, written.meet),
            _ => return Err("a rule has either `algorithm` or `as`".into()),
        };
        Ok(Rule {
            ranks: numbers(&written.ranks)?,
            bytes: numbers(&written.bytes)?,
            total: numbers(&written.total)?,
            elements: numbers(&written.elements)?,
            nodes: numbers(&written.nodes)?,
            per_node: numbers(&written.per_node)?,
            commutative: written.commutative,
            power_of_two: written.power_of_two,
            even_ranks: written.even_ranks,
            even_blocks: written.even_blocks,
            divisible: written.divisible,
            line: written.line,
            part: written.part,
            pick,
        })
    }

    /// What it chooses.
    pub fn choice(&self, situation: &Situation) -> Choice {
        match &self.pick {
            Pick::Algorithm(choice) => *choice,
            Pick::As(rules, meet) => {
                let choice = rules.choice(situation);
                Choice { meet: choice.meet || *meet, ..choice }
            }
        }
    }

    /// The rules that decide in its place, if it leaves that to a library.
    pub fn elsewhere(&self) -> Option<&Rules> {
        match &self.pick {
            Pick::Algorithm(_) => None,
            Pick::As(rules, _) => Some(rules),
        }
    }

    fn asks_for_nodes(&self) -> bool {
        let elsewhere = matches!(&self.pick, Pick::As(rules, _) if rules.asks_for_nodes);
        elsewhere || self.nodes != Numbers::ALL || self.per_node != Numbers::ALL
    }

    fn fits(&self, situation: &Situation) -> bool {
        let Situation { call, ranks, nodes, per_node, is_part } = *situation;
        let core = u64::from(previous_power_of_two(ranks.max(1)));
        let is = |wanted: Option<bool>, found: bool| wanted.is_none_or(|wanted| wanted == found);
        self.ranks.has(ranks.into())
            && self.bytes.has(call.bytes)
            && self.total.has(situation.total())
            && self.elements.has(situation.elements())
            && self.nodes.has(nodes.into())
            && self.per_node.has(per_node.into())
            && is(self.commutative, call.is_commutative)
            && is(self.power_of_two, ranks.is_power_of_two())
            && is(self.even_ranks, ranks.is_multiple_of(2))
            && is(self.even_blocks, call.is_even)
            && is(self.divisible, situation.elements() >= core)
            && is(self.part, is_part)
            && self.line.is_none_or(|line| line.has(ranks, call.bytes))
    }
}

/// The rules of another library, each read once.
fn other(name: &str, libraries: &mut Vec<Rc<Rules>>) -> Result<Rc<Rules>, String> {
    if let Some(rules) = libraries.iter().find(|rules| rules.name == name) {
        return Ok(rules.clone());
    }
    let library = Library::named(name).ok_or_else(|| format!("there is no library `{name}`"))?;
    let rules = library.rules();
    libraries.push(rules.clone());
    Ok(rules)
}

impl Line {
    fn has(self, ranks: u32, bytes: u64) -> bool {
        let bound = self.slope * bytes as f64 + self.base;
        if self.below { f64::from(ranks) < bound } else { f64::from(ranks) > bound }
    }
}

/// The conditions, in words.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let mut range = |name: &str, numbers: Numbers| {
            if numbers != Numbers::ALL {
                parts.push(format!("{name} {numbers}"));
            }
        };
        range("ranks", self.ranks);
        range("bytes", self.bytes);
        range("total bytes", self.total);
        range("elements", self.elements);
        range("nodes", self.nodes);
        range("ranks per node", self.per_node);
        let mut is = |name: &str, wanted: Option<bool>| {
            parts.extend(
                wanted.map(|wanted| if wanted { name.into() } else { format!("not {name}") }),
            );
        };
        is("commutative", self.commutative);
        is("a power of two of ranks", self.power_of_two);
        is("an even number of ranks", self.even_ranks);
        is("blocks of one size", self.even_blocks);
        is("an element for each rank", self.divisible);
        is("part of another collective", self.part);
        if let Some(Line { slope, base, below }) = self.line {
            let side = if below { "below" } else { "above" };
            parts.push(format!("ranks {side} {slope} x bytes + {base}"));
        }
        match parts.is_empty() {
            true => f.write_str("always"),
            false => f.write_str(&parts.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::Call;

    const FILE: &str = r#"
        about = "for this test"
        [[allreduce]]
        bytes = "..=2048"
        algorithm = "rdb"
        [[allreduce]]
        ranks = "16.."
        commutative = true
        line = { slope = 0.001, base = 10.0, below = true }
        algorithm = "ompi_ring_segmented"
        segment = 1024
        [[allreduce]]
        algorithm = "redbcast"
    "#;

    fn situation(ranks: u32, bytes: u64) -> Situation {
        Situation::spread(Call::new(Operation::Allreduce, bytes), ranks)
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let rules = Rules::read("test", FILE).unwrap();
        let check = |ranks, bytes, number| {
            assert_eq!(rules.rule(&situation(ranks, bytes)).unwrap().0, number);
        };
        check(4, 2048, 1);
        check(4, 2049, 3);
        check(16, 10_000, 2);
        check(16, 5000, 3);
        assert_eq!(rules.choice(&situation(16, 10_000)).segment, Some(1024));
        assert_eq!(rules.choice(&situation(1, 1)).algorithm, "rdb");
    }

    #[test]
    fn conditions_can_be_read() {
        let rules = Rules::read("test", FILE).unwrap();
        let text = rules.rule(&situation(16, 10_000)).unwrap().1.to_string();
        assert_eq!(text, "ranks 16.., commutative, ranks below 0.001 x bytes + 10");
        assert_eq!(rules.rule(&situation(2, 10_000)).unwrap().1.to_string(), "always");
    }

    #[test]
    fn all_mistakes_are_told_at_once() {
        let text = "[[bcast]]\nalgorithm = \"x\"\n[[bcast]]\nranks = \"5..2\"\n\
                    algorithm = \"flattree\"\n[[fence]]\nalgorithm = \"y\"\n";
        let mistakes = Rules::read("test", text).unwrap_err().0;
        assert_eq!(mistakes.len(), 3, "{mistakes:?}");
        assert!(mistakes[0].starts_with("rule 1 of bcast: there is no algorithm 'x'"));
        assert!(Rules::read("test", "[[bcast]]\nalgoritm = \"x\"").is_err());
    }
}
