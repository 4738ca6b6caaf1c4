//! Rules as data: the first that fits a situation names the algorithm.
//!
//! A rule file is TOML. Each operation has a list of rules, `[[allreduce]]`; a rule has
//! conditions, all of which must hold, and an `algorithm` with its parameters.

use std::collections::BTreeMap;
use std::fmt;
use std::rc::Rc;

use serde::Deserialize;

use super::conditions::{Conditions, Line};
use super::range::Numbers;
use super::{Choice, Library, Situation, asked, foreign};
use crate::collective::Operation;

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
    conditions: Conditions,
    pick: Pick,
}

/// What a rule leads to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pick {
    Algorithm(Choice),
    /// What these rules say. The second tells whether nodes are found out first.
    As(Rc<Rules>, bool),
}

/// A rule as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    ranks: Option<toml::Value>,
    bytes: Option<toml::Value>,
    total: Option<toml::Value>,
    block: Option<toml::Value>,
    elements: Option<toml::Value>,
    nodes: Option<toml::Value>,
    per_node: Option<toml::Value>,
    mean_per_node: Option<toml::Value>,
    element_total: Option<toml::Value>,
    commutative: Option<bool>,
    predefined: Option<bool>,
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
    ///
    /// What is in the file says whether it is one of ours, a rules file of Open MPI or a tuning
    /// file of MPICH.
    pub fn read(name: &str, text: &str) -> Result<Rules, BadRules> {
        match foreign::lists(text) {
            Some(lists) => lists.map(|lists| Rules::of(name, foreign::ABOUT, lists)),
            None => Rules::read_own(name, text),
        }
    }

    fn read_own(name: &str, text: &str) -> Result<Rules, BadRules> {
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
        Ok(Rules::of(name, &written.about, lists))
    }

    /// From a list for each operation.
    fn of(name: &str, about: &str, lists: Vec<Vec<Rule>>) -> Rules {
        let asks_for_nodes = lists.iter().flatten().any(Rule::asks_for_nodes);
        Rules { name: name.to_owned(), about: about.to_owned(), lists, asks_for_nodes }
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
        (1..).zip(list).find(|(_, rule)| rule.conditions.hold(situation))
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
        let conditions = Conditions {
            ranks: numbers(&written.ranks)?,
            bytes: numbers(&written.bytes)?,
            total: numbers(&written.total)?,
            block: numbers(&written.block)?,
            elements: numbers(&written.elements)?,
            element_total: numbers(&written.element_total)?,
            nodes: numbers(&written.nodes)?,
            per_node: numbers(&written.per_node)?,
            mean_per_node: numbers(&written.mean_per_node)?,
            commutative: written.commutative,
            predefined: written.predefined,
            power_of_two: written.power_of_two,
            even_ranks: written.even_ranks,
            even_blocks: written.even_blocks,
            divisible: written.divisible,
            line: written.line,
            part: written.part,
        };
        Ok(Rule { conditions, pick })
    }

    /// A rule that was written in another format.
    pub(super) fn made(conditions: Conditions, pick: Pick) -> Rule {
        Rule { conditions, pick }
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
        elsewhere || self.conditions.ask_for_nodes()
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

/// The conditions, in words.
impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.conditions.fmt(f)
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
