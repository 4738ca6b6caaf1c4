//! Calls of two traces as numbers that can be compared: equal ones are equal as far as both traces
//! tell what calls are about.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use super::told::{About, Call, Part, Told};
use crate::timed::Class;

/// The calls of a rank as numbers: by their names, and by all that both traces tell.
#[derive(Clone)]
pub(super) struct Row {
    pub(super) names: Vec<u32>,
    pub(super) words: Vec<u32>,
    /// Which call each of them is; looks in vain that follow each other are one.
    pub(super) calls: Vec<u32>,
}

impl Row {
    /// The same with calls at one date that took no time sorted by what they are: formats that tell
    /// dates alone do not keep which of them was about what. None if there are no such.
    pub(super) fn without_order_of_instants(&self, calls: &[Call]) -> Option<Self> {
        let date = |place: usize| {
            let call = &calls[self.calls[place] as usize];
            (call.begin == call.end).then_some(call.begin)
        };
        let mut order: Vec<usize> = (0..self.calls.len()).collect();
        let is_one = |a: &usize, b: &usize| date(*a).is_some() && date(*a) == date(*b);
        for instant in order.chunk_by_mut(is_one) {
            instant.sort_by_key(|place| (self.names[*place], self.words[*place]));
        }
        let sorted = |row: &[u32]| order.iter().map(|place| row[*place]).collect();
        (!order.is_sorted()).then(|| Self {
            names: sorted(&self.names),
            words: sorted(&self.words),
            calls: sorted(&self.calls),
        })
    }
}

/// Numbers for the calls of two traces.
pub(super) struct Words<'a> {
    told: [&'a Told; 2],
    /// For each name of each trace its number among the names of both.
    names: [Vec<u32>; 2],
    /// What both traces tell of calls, by the number of the name.
    fields: Vec<Fields>,
    /// For each communicator of each trace its number among those of both.
    comms: [Vec<u32>; 2],
    has_tags: bool,
    /// Whether each trace tells messages at all.
    is_telling: [bool; 2],
    known: [FxHashMap<(u32, u32), u32>; 2],
    words: FxHashMap<(u32, About), u32>,
}

/// What is told of the calls of a name.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Fields {
    sent: bool,
    received: bool,
    comm: bool,
    root: bool,
    bytes: bool,
}

impl Fields {
    fn add(&mut self, about: &About) {
        self.sent |= about.sent.is_some();
        self.received |= about.received.is_some();
        self.comm |= about.comm.is_some();
        self.root |= about.root.is_some();
        self.bytes |= about.bytes > 0;
    }

    fn of_both(self, other: Self) -> Self {
        Self {
            sent: self.sent && other.sent,
            received: self.received && other.received,
            comm: self.comm && other.comm,
            root: self.root && other.root,
            bytes: self.bytes && other.bytes,
        }
    }
}

impl<'a> Words<'a> {
    pub(super) fn new(first: &'a Told, second: &'a Told) -> Self {
        let told = [first, second];
        let mut all = FxHashMap::default();
        let names = told
            .map(|told| told.names.iter().map(|name| number(&mut all, name)).collect::<Vec<u32>>());
        let mut members = FxHashMap::default();
        let ranks = first.cast.ranks().max(second.cast.ranks());
        number(&mut members, (0..ranks).collect::<Vec<u32>>());
        let comms = told.map(|told| {
            let own = told.comms.iter().enumerate();
            own.map(|(at, list)| if at == 0 { 0 } else { number(&mut members, list.clone()) })
                .collect::<Vec<u32>>()
        });
        let [one, other] = [0, 1].map(|side| fields(told[side], &names[side], all.len()));
        let fields: Vec<Fields> =
            one.iter().zip(&other).map(|(one, other)| one.of_both(*other)).collect();
        // Where one trace tells other communicators and the other does not, tags of both are not
        // to be told apart from made ones.
        let has_tags = is_of_others(first) == is_of_others(second);
        let (known, words) = (Default::default(), FxHashMap::default());
        let is_telling = told.map(Told::is_telling);
        Self { told, names, fields, comms, has_tags, is_telling, known, words }
    }

    /// The calls of a rank.
    pub(super) fn row(&mut self, side: usize, rank: usize) -> Row {
        let (mut row, told) =
            (Row { names: Vec::new(), words: Vec::new(), calls: Vec::new() }, self.told[side]);
        for (at, call) in told.calls[rank].iter().enumerate() {
            let name = self.names[side][call.name as usize];
            let word = self.word(side, call);
            let is_look = Class::of(&told.names[call.name as usize]) == Class::Test;
            if is_look && row.words.last() == Some(&word) {
                // The last of them is the one that found something.
                row.calls.pop();
                row.calls.push(at as u32);
                continue;
            }
            row.names.push(name);
            row.words.push(word);
            row.calls.push(at as u32);
        }
        row
    }

    /// What is in two calls not the same, in words.
    pub(super) fn unlike(&self, calls: [&Call; 2]) -> Vec<&'static str> {
        let [one, other] = [0, 1].map(|side| self.common(side, calls[side]).1);
        let parts = |get: fn(&Part) -> u64| {
            let of = |about: &About| [about.sent, about.received].map(|part| part.map(|p| get(&p)));
            of(&one) != of(&other)
        };
        let checks = [
            ("peer", parts(|part| part.peer.into())),
            ("tag", parts(|part| part.tag.map_or(u64::MAX, |tag| tag as u64))),
            ("size", parts(|part| part.bytes) || one.bytes != other.bytes),
            ("number of messages", parts(|part| part.count.into())),
            ("communicator", one.comm != other.comm),
            ("root", one.root != other.root),
        ];
        // Nobody at the other end has no tag and no size either.
        let is_other = |(_, is_other): &(&str, bool)| *is_other;
        checks.into_iter().filter(is_other).map(|(what, _)| what).collect()
    }

    /// Whether both traces tell the messages of such calls, and this one has none.
    pub(super) fn is_idle(&self, side: usize, call: &Call) -> bool {
        let told = self.told[side];
        let class = Class::of(&told.names[call.name as usize]);
        let about = told.about(call);
        let moves = matches!(
            class,
            Class::Send | Class::Isend | Class::Receive | Class::Ireceive | Class::Sendreceive
        );
        moves && self.is_telling[side] && about.sent.is_none() && about.received.is_none()
    }

    fn word(&mut self, side: usize, call: &Call) -> u32 {
        let key = (call.name, call.about);
        if let Some(word) = self.known[side].get(&key) {
            return *word;
        }
        let common = self.common(side, call);
        let word = number(&mut self.words, common);
        self.known[side].insert(key, word);
        word
    }

    /// What both traces tell of a call.
    fn common(&self, side: usize, call: &Call) -> (u32, About) {
        let (name, about) = (self.names[side][call.name as usize], *self.told[side].about(call));
        let fields = self.fields[name as usize];
        let part = |part: Option<Part>, is_told: bool| {
            let part = part.filter(|_| is_told);
            part.map(|part| Part { tag: part.tag.filter(|_| self.has_tags), ..part })
        };
        let comm =
            about.comm.map(|comm| self.comms[side].get(comm as usize).copied().unwrap_or(u32::MAX));
        let common = About {
            sent: part(about.sent, fields.sent),
            received: part(about.received, fields.received),
            comm: comm.filter(|_| fields.comm),
            root: about.root.filter(|_| fields.root),
            bytes: if fields.bytes { about.bytes } else { 0 },
        };
        (name, common)
    }
}

/// The number of a thing; a new one if it is new.
fn number<K: Hash + Eq>(all: &mut FxHashMap<K, u32>, key: K) -> u32 {
    let next = all.len() as u32;
    *all.entry(key).or_insert(next)
}

/// What a trace tells of calls, by the number of the name.
fn fields(told: &Told, names: &[u32], count: usize) -> Vec<Fields> {
    let mut fields = vec![Fields::default(); count];
    for call in told.calls.iter().flatten() {
        fields[names[call.name as usize] as usize].add(told.about(call));
    }
    fields
}

/// Whether messages on other communicators than that of all ranks are told as such.
fn is_of_others(told: &Told) -> bool {
    let parts = |about: &About| [about.sent, about.received];
    told.abouts.iter().flat_map(parts).flatten().any(|part| part.tag.is_none())
}
