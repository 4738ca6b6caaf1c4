//! A small reader of Perfetto's traces, by its published field numbers.

use std::collections::BTreeMap;

/// What a trace has.
#[derive(Debug, Default)]
pub(super) struct Read {
    /// Names by their numbers.
    names: BTreeMap<u64, String>,
    /// Slices by their names: when each began and ended.
    slices: BTreeMap<String, Vec<(u64, u64)>>,
    /// Slices that have not ended, by track.
    stacks: BTreeMap<u64, Vec<(String, u64)>>,
    /// Ends of arrows: tracks and dates.
    pub(super) flows: BTreeMap<u64, Vec<(u64, u64)>>,
    /// Values by track.
    pub(super) counters: BTreeMap<u64, Vec<(u64, f64)>>,
    tracks: Vec<u64>,
    /// Places in the source by their numbers, and where slices stand, by their names.
    places: BTreeMap<u64, String>,
    pub(super) stands: BTreeMap<String, Vec<String>>,
    /// What tracks are called.
    pub(super) names_of: BTreeMap<u64, String>,
}

impl Read {
    pub(super) fn slices(&self, name: &str) -> &[(u64, u64)] {
        self.slices.get(name).map_or(&[], |slices| slices)
    }

    /// How many slices have no end.
    pub(super) fn open(&self) -> usize {
        self.stacks.values().map(Vec::len).sum()
    }
}

/// A field of a message.
enum Field<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

impl Field<'_> {
    fn number(&self) -> u64 {
        let Field::Number(number) = self else { panic!("not a number") };
        *number
    }

    fn bytes(&self) -> &[u8] {
        let Field::Bytes(bytes) = self else { panic!("not bytes") };
        bytes
    }

    fn text(&self) -> String {
        String::from_utf8(self.bytes().to_vec()).unwrap()
    }
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let byte = bytes[0];
        *bytes = &bytes[1..];
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    number
}

/// All fields of a message, in order.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes);
        let length = match key & 7 {
            0 => {
                all.push((key >> 3, Field::Number(varint(&mut bytes))));
                continue;
            }
            1 => 8,
            2 => varint(&mut bytes) as usize,
            kind => panic!("no such kind of field: {kind}"),
        };
        let (own, rest) = bytes.split_at(length);
        bytes = rest;
        all.push((
            key >> 3,
            match key & 7 {
                1 => Field::Number(u64::from_le_bytes(own.try_into().unwrap())),
                _ => Field::Bytes(own),
            },
        ));
    }
    all
}

fn number(fields: &[(u64, Field<'_>)], wanted: u64) -> Option<u64> {
    fields.iter().find(|(field, _)| *field == wanted).map(|(_, value)| value.number())
}

/// Reads a trace.
pub(super) fn read(bytes: &[u8]) -> Read {
    let mut read = Read::default();
    for (field, packet) in fields(bytes) {
        assert_eq!(field, 1, "a trace has packets only");
        let packet = fields(packet.bytes());
        assert_eq!(number(&packet, 10), Some(1), "all packets are of one sequence");
        let date = number(&packet, 8).unwrap_or(0);
        for (field, value) in &packet {
            match field {
                11 => read.event(date, &fields(value.bytes())),
                12 => read.interned(&fields(value.bytes())),
                60 => read.track(&fields(value.bytes())),
                _ => {}
            }
        }
    }
    read
}

impl Read {
    fn track(&mut self, track: &[(u64, Field<'_>)]) {
        let own = number(track, 1).unwrap();
        self.tracks.push(own);
        let name = track.iter().find(|(field, _)| *field == 2);
        name.into_iter().for_each(|(_, name)| _ = self.names_of.insert(own, name.text()));
    }

    fn interned(&mut self, all: &[(u64, Field<'_>)]) {
        for (_, entry) in all.iter().filter(|(field, _)| *field == 4) {
            let entry = fields(entry.bytes());
            let file = entry.iter().find(|(field, _)| *field == 2).unwrap().1.text();
            let place = format!("{file}:{}", number(&entry, 4).unwrap());
            assert!(self.places.insert(number(&entry, 1).unwrap(), place).is_none());
        }
        for (_, entry) in all.iter().filter(|(field, _)| *field == 2) {
            let entry = fields(entry.bytes());
            let name = entry.iter().find(|(field, _)| *field == 2).unwrap().1.text();
            assert!(self.names.insert(number(&entry, 1).unwrap(), name).is_none());
        }
    }

    fn event(&mut self, date: u64, event: &[(u64, Field<'_>)]) {
        let track = number(event, 11).unwrap();
        assert!(self.tracks.contains(&track), "tracks are told before they are used");
        let name = number(event, 10).map(|name| self.names[&name].clone());
        if let Some(place) = number(event, 34) {
            let place = self.places[&place].clone();
            self.stands.entry(name.clone().unwrap()).or_default().push(place);
        }
        match number(event, 9) {
            Some(1) => self.stacks.entry(track).or_default().push((name.unwrap(), date)),
            Some(2) => {
                let (name, begin) = self.stacks.get_mut(&track).unwrap().pop().unwrap();
                assert!(begin <= date);
                self.slices.entry(name).or_default().push((begin, date));
            }
            Some(3) => {}
            Some(4) => {
                let watts = f64::from_bits(number(event, 44).unwrap());
                self.counters.entry(track).or_default().push((date, watts));
            }
            kind => panic!("no such kind of event: {kind:?}"),
        }
        if let Some(flow) = number(event, 47).or(number(event, 48)) {
            self.flows.entry(flow).or_default().push((track, date));
        }
    }
}
