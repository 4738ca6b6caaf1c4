//! What algorithms of MPI libraries are called here.
//!
//! The tables are files, `collective/names/*.toml`; `cargo xtask choices` reads them as well.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::collective::{Choice, Operation};

/// The algorithms of a library.
#[derive(Debug)]
pub(super) struct Names {
    library: &'static str,
    lists: BTreeMap<String, Vec<Named>>,
}

/// One algorithm.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    /// Its name in files of the library.
    pub(super) name: String,
    /// Its number there.
    #[serde(default)]
    number: Option<u64>,
    /// The function that carries it out, if it has another name.
    #[serde(default)]
    #[allow(dead_code, reason = "for the observation of real libraries")]
    function: Option<String>,
    /// Its name here; none if it does not exist here.
    #[serde(default)]
    ours: Option<String>,
    /// The parameters of a file that it heeds.
    #[serde(default)]
    takes: Vec<Parameter>,
    /// What it is given in any case.
    #[serde(default)]
    radix: Option<u32>,
    #[serde(default)]
    segment: Option<u64>,
}

/// A parameter of an algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Parameter {
    /// Open MPI's segment size.
    Segment,
    /// Open MPI's fan in and out.
    Fan,
    /// Open MPI's limit of requests.
    Requests,
    /// MPICH's `k`.
    K,
    /// MPICH's `tree_type`.
    TreeType,
    /// MPICH's `chunk_size`.
    ChunkSize,
}

/// What a file tells an algorithm.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Given {
    pub(super) segment: Option<u64>,
    pub(super) fan: Option<u64>,
    pub(super) requests: Option<u64>,
    pub(super) k: Option<u64>,
    /// Whether a tree has as many children everywhere.
    pub(super) is_kary: bool,
    pub(super) chunk: Option<u64>,
}

impl Names {
    /// Those of Open MPI.
    pub(super) fn openmpi() -> Names {
        Names::read("Open MPI", include_str!("../../names/openmpi.toml"))
    }

    /// Those of MPICH.
    pub(super) fn mpich() -> Names {
        Names::read("MPICH", include_str!("../../names/mpich.toml"))
    }

    fn read(library: &'static str, text: &str) -> Names {
        match toml::from_str(text) {
            Ok(lists) => Names { library, lists },
            Err(error) => panic!("the names of {library}: {error}"),
        }
    }

    fn of(&self, operation: Operation) -> &[Named] {
        self.lists.get(operation.name()).map_or(&[], Vec::as_slice)
    }

    /// The algorithm of this number, told what a file gives it; on failure says what there is.
    pub(super) fn numbered(
        &self,
        operation: Operation,
        number: u64,
        given: Given,
    ) -> Result<Choice, String> {
        let found = self.of(operation).iter().find(|named| named.number == Some(number));
        let shown = || format!("number {number}");
        self.choice(operation, found, given, shown)
    }

    /// The algorithm of this name, told what a file gives it; on failure says what there is.
    pub(super) fn named(
        &self,
        operation: Operation,
        name: &str,
        given: Given,
    ) -> Result<Choice, String> {
        let found = self.of(operation).iter().find(|named| named.name == name);
        self.choice(operation, found, given, || format!("`{name}`"))
    }

    fn choice(
        &self,
        operation: Operation,
        found: Option<&Named>,
        given: Given,
        shown: impl Fn() -> String,
    ) -> Result<Choice, String> {
        let (library, shown, name) = (self.library, shown(), operation.name());
        let Some(named) = found else {
            return Err(format!(
                "{library} has no algorithm {shown} of {name} that is known here; take one of: {}",
                self.there_are(operation)
            ));
        };
        named.choice(operation, given).ok_or_else(|| {
            format!(
                "{name} by {library}'s {shown} ({}) cannot be simulated yet; take one of: {}",
                named.name,
                self.there_are(operation)
            )
        })
    }

    /// The algorithms that exist here.
    fn there_are(&self, operation: Operation) -> String {
        let known = self.of(operation).iter().filter(|named| named.ours.is_some());
        let shown = known.map(|named| match named.number {
            Some(number) => format!("{number} ({})", named.name),
            None => named.name.clone(),
        });
        let shown: Vec<_> = shown.collect();
        if shown.is_empty() { "none".into() } else { shown.join(", ") }
    }
}

impl Named {
    /// What runs here; none if there is no such algorithm.
    fn choice(&self, operation: Operation, given: Given) -> Option<Choice> {
        let takes = |parameter| self.takes.contains(&parameter);
        let ours = match takes(Parameter::TreeType) && given.is_kary {
            true => "kary_tree",
            false => self.ours.as_deref()?,
        };
        let algorithm = operation.algorithms().iter().find(|name| **name == ours)?;
        let number =
            |value: Option<u64>| value.map(|value| u32::try_from(value).unwrap_or(u32::MAX));
        let of = |parameter, value: Option<u64>| value.filter(|_| takes(parameter));
        // Open MPI takes a fan-out of 0 for one chain.
        let fan = of(Parameter::Fan, given.fan).map(|fan| fan.max(1));
        let told = fan.or(of(Parameter::Requests, given.requests)).or(of(Parameter::K, given.k));
        let segment = of(Parameter::Segment, given.segment);
        Some(Choice {
            radix: number(told).or(self.radix),
            segment: segment.or(of(Parameter::ChunkSize, given.chunk)).or(self.segment),
            ..Choice::named(algorithm)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_the_tables_name_exists_here() {
        for names in [Names::openmpi(), Names::mpich()] {
            for (operation, list) in &names.lists {
                let operation = Operation::named(operation).unwrap();
                for named in list.iter().filter(|named| named.ours.is_some()) {
                    assert!(named.choice(operation, Given::default()).is_some(), "{named:?}");
                }
            }
        }
    }

    #[test]
    fn parameters_reach_algorithms_that_heed_them() {
        let given = Given { segment: Some(4096), fan: Some(0), ..Given::default() };
        let names = Names::openmpi();
        let chain = names.numbered(Operation::Bcast, 2, given).unwrap();
        assert_eq!(
            (chain.algorithm, chain.segment, chain.radix),
            ("ompi_chain", Some(4096), Some(1))
        );
        let linear = names.numbered(Operation::Bcast, 1, given).unwrap();
        assert_eq!((linear.segment, linear.radix), (None, None));
    }
}
