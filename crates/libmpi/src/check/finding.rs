//! Collecting findings: those at the same places of the source are one, told with a count.

use std::collections::BTreeMap;
use std::rc::Rc;

use foretell_launch::{Finding, FoundCall};

use super::rule::Rule;
use crate::place;

/// Different findings are kept up to this many.
const MOST: usize = 1000;

/// Kinds of findings, in the order in which they are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Collective,
    Types,
    Overlap,
    Changed,
    Unsafe,
    Lost,
    Leak,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Collective => "collective-mismatch",
            Kind::Types => "type-mismatch",
            Kind::Overlap => "buffer-overlap",
            Kind::Changed => "changed-send-buffer",
            Kind::Unsafe => "unsafe-send",
            Kind::Lost => "lost-message",
            Kind::Leak => "leak",
        }
    }
}

/// A call of the program: who, what, where.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Site {
    /// In the world.
    pub(super) rank: u32,
    pub(super) call: &'static str,
    /// Its return address.
    pub(super) caller: usize,
    /// Its communicator, in words.
    pub(super) comm: Option<Rc<str>>,
}

/// A finding as it is met.
pub(super) struct Draft {
    pub(super) kind: Kind,
    pub(super) title: &'static str,
    pub(super) note: Option<String>,
    pub(super) rule: Rule,
    /// The calls, with what each was called with.
    pub(super) calls: Vec<(Site, String)>,
}

/// What makes two findings one: kind, title, and for each call its name and place.
type Key = (Kind, Vec<(Option<Rc<str>>, &'static str)>, &'static str);

/// All findings of a run.
#[derive(Default)]
pub(super) struct Findings {
    all: BTreeMap<Key, Finding>,
    /// Places by return address: each rank has addresses of its own.
    places: BTreeMap<usize, Option<Rc<str>>>,
}

impl Findings {
    /// Keeps a finding, or counts it if it is known.
    pub(super) fn add(&mut self, draft: Draft) {
        let Draft { kind, title, note, rule, calls } = draft;
        let sites: Vec<_> =
            calls.iter().map(|(site, _)| (self.place(site.caller), site.call)).collect();
        let count = self.all.len();
        match self.all.entry((kind, sites, title)) {
            std::collections::btree_map::Entry::Occupied(mut known) => known.get_mut().times += 1,
            std::collections::btree_map::Entry::Vacant(free) if count < MOST => {
                let places = free.key().1.iter().map(|(place, _)| place.clone());
                let calls = calls.into_iter().zip(places.collect::<Vec<_>>());
                let calls = calls.map(|((site, what), place)| told(&site, what, place)).collect();
                free.insert(Finding {
                    kind: kind.word().into(),
                    title: title.into(),
                    calls,
                    note,
                    rule: rule.text.into(),
                    section: format!("MPI 4.1, section {}", rule.section),
                    times: 1,
                });
            }
            std::collections::btree_map::Entry::Vacant(_) => {}
        }
    }

    /// `file:line` of a call.
    pub(super) fn place(&mut self, caller: usize) -> Option<Rc<str>> {
        let known = self.places.entry(caller);
        known.or_insert_with(|| place::of(caller).map(Rc::from)).clone()
    }

    /// All of them, in order of kind and place.
    pub(super) fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.all).into_values().collect()
    }
}

fn told(site: &Site, what: String, place: Option<Rc<str>>) -> FoundCall {
    FoundCall {
        rank: site.rank,
        call: site.call.into(),
        what,
        comm: site.comm.as_ref().map(|comm| comm.to_string()),
        place: place.map(|place| place.to_string()),
    }
}
