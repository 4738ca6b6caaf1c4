//! Collecting findings: those at the same places of the source are one, told with a count.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use foretell_launch::{Finding, FoundCall};

use super::rule::Rule;
use super::site::{Site, Spots};

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

/// A finding as it is met.
pub(super) struct Draft {
    pub(super) kind: Kind,
    pub(super) title: &'static str,
    pub(super) note: Option<String>,
    pub(super) rule: Rule,
    /// The calls, with what each was called with.
    pub(super) calls: Vec<(Site, String)>,
}

/// What makes two findings one: kind, for each call its place and name, title.
type Key = (Kind, Vec<(Option<Rc<str>>, &'static str)>, &'static str);

/// All findings of a run.
#[derive(Default)]
pub(super) struct Findings {
    all: BTreeMap<Key, Finding>,
}

impl Findings {
    /// Keeps a finding, or counts it if it is known. The one of the lowest ranks is told.
    pub(super) fn add(&mut self, draft: Draft, spots: &mut Spots) {
        let sites = draft.calls.iter().map(|(site, _)| (spots.place(site.spot), site.call));
        let sites: Vec<_> = sites.collect();
        let count = self.all.len();
        match self.all.entry((draft.kind, sites, draft.title)) {
            Entry::Vacant(free) if count < MOST => {
                let finding = draft.finding(&free.key().1, 1);
                free.insert(finding);
            }
            Entry::Vacant(_) => {}
            Entry::Occupied(mut known) => {
                let times = known.get().times + 1;
                let told = known.get().calls.iter().map(|call| call.rank);
                match draft.calls.iter().map(|(site, _)| site.rank).lt(told) {
                    true => _ = known.insert(draft.finding(&known.key().1, times)),
                    false => known.get_mut().times = times,
                }
            }
        }
    }

    /// All of them, in order of kind and place.
    pub(super) fn take(&mut self) -> Vec<Finding> {
        std::mem::take(&mut self.all).into_values().collect()
    }
}

impl Draft {
    fn finding(self, sites: &[(Option<Rc<str>>, &'static str)], times: u64) -> Finding {
        let Draft { kind, title, note, rule, calls } = self;
        let calls = calls.into_iter().zip(sites);
        Finding {
            kind: kind.word().into(),
            title: title.into(),
            calls: calls
                .map(|((site, what), (place, _))| told(&site, what, place.as_ref()))
                .collect(),
            note,
            rule: rule.text.into(),
            section: format!("MPI 4.1, section {}", rule.section),
            times,
        }
    }
}

fn told(site: &Site, what: String, place: Option<&Rc<str>>) -> FoundCall {
    FoundCall {
        rank: site.rank,
        call: site.call.into(),
        what,
        comm: site.comm.as_ref().map(|comm| comm.to_string()),
        place: place.map(|place| place.to_string()),
    }
}
