//! Global definitions: what the numbers in events mean.

use std::collections::BTreeMap;

use super::super::{self as timed, Assembly, Cast, Class};
use super::archive::chunk_header;
use super::record::Records;
use super::{MARK, NOTHING, PLACE_NAME, PROGRAM};

/// The type of a metric's value: a number of 64 bits with a binary point.
pub(super) const DOUBLE: u8 = 10;
/// The type of an attribute's value: the number of a text.
pub(super) const STRING: u8 = 11;
/// The attribute that says where a call stands in the program.
pub(super) const PLACE: u64 = 0;
/// One of 64 bits without.
pub(super) const WHOLE: u8 = 4;
/// A metric of none of the kinds that OTF2 knows, whose value holds from its event on to the next,
/// in units that are powers of ten.
const OTHER: u8 = 0;
const ABSOLUTE_NEXT: u8 = 0x31;
const DECIMAL: u8 = 1;
/// Ticks of the clock in a second.
const TICKS: u64 = 1_000_000_000_000;

/// What a region is for.
mod role {
    pub(super) const FUNCTION: u8 = 1;
    pub(super) const BARRIER: u8 = 15;
    pub(super) const ONE_TO_ALL: u8 = 23;
    pub(super) const ALL_TO_ONE: u8 = 24;
    pub(super) const ALL_TO_ALL: u8 = 25;
    pub(super) const POINT_TO_POINT: u8 = 28;
    pub(super) const ONE_SIDED: u8 = 29;
    pub(super) const ARTIFICIAL: u8 = 31;
}

/// Who defines a region.
mod paradigm {
    pub(super) const USER: u8 = 1;
    pub(super) const MPI: u8 = 4;
}

/// All that is to be defined.
#[derive(Debug)]
pub(super) struct Definitions {
    pub(super) cast: Cast,
    /// Communicators but for that of all ranks, which is number 0.
    comms: Vec<Members>,
    regions: Vec<Region>,
    /// Parts of the program, and marks, which may have the same names.
    user: [BTreeMap<String, u32>; 2],
    /// Places in the program, which are the texts from number 1 on.
    places: Vec<String>,
    /// What nodes tell, in the order in which it was told first.
    metrics: Vec<Meter>,
    /// Nodes that tell anything, in the order of their locations, and where each is there.
    meters: Vec<u32>,
    metered: Vec<Option<usize>>,
}

/// What a node tells at once: one class of metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meter {
    /// What it draws.
    Power,
    /// What its cores do in a second, and its pstate.
    Speed,
}

impl Meter {
    /// Its members: name, description, type of value, unit.
    pub(super) fn members(self) -> &'static [(&'static str, &'static str, u8, &'static str)] {
        match self {
            Meter::Power => &[("power", "what the node draws", DOUBLE, "W")],
            Meter::Speed => &[
                ("speed", "what a core of the node does", DOUBLE, "flop/s"),
                ("pstate", "the pstate of the node", WHOLE, "#"),
            ],
        }
    }
}

/// The ranks of a communicator in their order, and each with its place in the order of the world.
#[derive(Debug)]
struct Members {
    list: Vec<u32>,
    places: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Region {
    name: String,
    role: u8,
    paradigm: u8,
}

/// Definitions being written, and the strings they refer to.
#[derive(Default)]
struct Book {
    records: Records,
    strings: Vec<(String, u64)>,
    numbers: BTreeMap<String, u64>,
}

impl Book {
    /// The number of a string.
    fn string(&mut self, text: &str) -> u64 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.strings.len() as u64;
        self.strings.push((text.to_owned(), number));
        self.numbers.insert(text.to_owned(), number);
        number
    }
}

impl Definitions {
    pub(super) fn new(cast: Cast) -> Self {
        let program =
            Region { name: cast.program.clone(), role: role::FUNCTION, paradigm: paradigm::USER };
        let metered = vec![None; cast.nodes.len()];
        let (comms, user, meters) = (Vec::new(), Default::default(), Vec::new());
        debug_assert_eq!(PROGRAM, 0, "the program is the first region");
        let (regions, metrics) = (vec![program], Vec::new());
        let places = Vec::new();
        Self { cast, comms, regions, user, places, metrics, meters, metered }
    }

    /// A new region for a state.
    pub(super) fn region(&mut self, name: &str, class: Class) -> u32 {
        let role = match class {
            Class::Send | Class::Isend | Class::Receive | Class::Ireceive => role::POINT_TO_POINT,
            Class::Sendreceive => role::POINT_TO_POINT,
            Class::Barrier => role::BARRIER,
            Class::OneSided => role::ONE_SIDED,
            Class::Collective => role_of_collective(name),
            _ => role::FUNCTION,
        };
        let paradigm = if name.starts_with("MPI_") { paradigm::MPI } else { paradigm::USER };
        self.regions.push(Region { name: name.to_owned(), role, paradigm });
        self.regions.len() as u32 - 1
    }

    /// The text of a place in the program.
    pub(super) fn place(&mut self, place: &str) -> u64 {
        let known = self.places.iter().position(|known| known == place);
        known.unwrap_or_else(|| {
            self.places.push(place.to_owned());
            self.places.len() - 1
        }) as u64
            + 1
    }

    /// The region of a part of the program, or of a mark.
    pub(super) fn user_region(&mut self, name: &str, mark: timed::Mark) -> u32 {
        let is_mark = mark == timed::Mark::Here;
        let known = &mut self.user[usize::from(is_mark)];
        if let Some(number) = known.get(name) {
            return *number;
        }
        let role = if is_mark { role::ARTIFICIAL } else { role::FUNCTION };
        let region = Region { name: name.to_owned(), role, paradigm: paradigm::USER };
        let number = self.regions.len() as u32;
        known.insert(name.to_owned(), number);
        self.regions.push(region);
        number
    }

    /// The number of a class of metrics.
    pub(super) fn metric(&mut self, meter: Meter) -> u64 {
        let known = self.metrics.iter().position(|known| *known == meter);
        known.unwrap_or_else(|| {
            self.metrics.push(meter);
            self.metrics.len() - 1
        }) as u64
    }

    /// Which of the locations of nodes a node has.
    pub(super) fn metered(&mut self, node: u32) -> usize {
        *self.metered[node as usize].get_or_insert_with(|| {
            self.meters.push(node);
            self.meters.len() - 1
        })
    }

    /// A rank of the world as a rank of a communicator.
    #[inline]
    pub(super) fn rank_in(&self, comm: u32, rank: u32) -> u32 {
        match comm.checked_sub(1) {
            None => rank,
            Some(at) => {
                let places = &self.comms[at as usize].places;
                let found = places.binary_search_by_key(&rank, |(member, _)| *member);
                found.map_or(rank, |at| places[at].1)
            }
        }
    }

    /// How many ranks a communicator has.
    pub(super) fn size_of(&self, comm: u32) -> u32 {
        match comm.checked_sub(1) {
            None => self.cast.ranks(),
            Some(at) => self.comms[at as usize].list.len() as u32,
        }
    }

    /// Adds a communicator.
    pub(super) fn form(&mut self, members: &[u32]) {
        let list = members.to_vec();
        let mut places: Vec<_> = list.iter().copied().zip(0..).collect();
        places.sort_unstable();
        self.comms.push(Members { list, places });
    }

    /// The file of all definitions, and how many there are. `events` has how many each location has.
    pub(super) fn written(&self, length: u64, events: &[u64]) -> (Vec<u8>, u64) {
        let mut book = Book::default();
        // The undefined string is not allowed as a name, so the empty one comes first.
        book.string("");
        self.places.iter().for_each(|place| _ = book.string(place));
        self.write_tree(&mut book);
        self.write_locations(&mut book, events);
        self.write_regions(&mut book);
        self.write_comms(&mut book);
        self.write_metrics(&mut book);
        if !self.places.is_empty() {
            let (name, about) = (book.string(PLACE_NAME), book.string("where the call stands"));
            book.records
                .add(11, |body| _ = body.numbers(&[PLACE, name]).byte(STRING).number(about));
        }
        let mut all = Records::default();
        all.add(5, |body| _ = body.numbers(&[TICKS, 0, length + 1, NOTHING]));
        for (text, number) in &book.strings {
            all.add(10, |body| _ = body.number(*number).text(text));
        }
        let mut bytes = chunk_header(1).to_vec();
        bytes.extend_from_slice(&all.bytes);
        bytes.extend_from_slice(&book.records.bytes);
        bytes.extend_from_slice(&[2, 1]);
        (bytes, all.count + book.records.count)
    }

    /// The machine, its nodes, and a group of locations for each rank and each meter.
    fn write_tree(&self, book: &mut Book) {
        let (machine, class) = (book.string(&self.cast.machine), book.string("machine"));
        book.records.add(12, |body| _ = body.numbers(&[0, machine, class, NOTHING]));
        let class = book.string("node");
        for (number, node) in self.cast.nodes.iter().enumerate() {
            let name = book.string(node);
            book.records.add(12, |body| _ = body.numbers(&[number as u64 + 1, name, class, 0]));
        }
        for (rank, node) in self.cast.places.iter().enumerate() {
            let name = book.string(&format!("rank {rank}"));
            book.records.add(13, |body| {
                body.number(rank as u64).number(name).byte(1);
                body.number(u64::from(*node) + 1).number(NOTHING);
            });
        }
        let first = u64::from(self.cast.ranks());
        for (nth, node) in self.meters.iter().enumerate() {
            let name = book.string(&format!("meter of {}", self.cast.nodes[*node as usize]));
            book.records.add(13, |body| {
                body.number(first + nth as u64).number(name).byte(1);
                body.number(u64::from(*node) + 1).number(NOTHING);
            });
        }
    }

    fn write_locations(&self, book: &mut Book, events: &[u64]) {
        let (thread, meter) = (book.string("main thread"), book.string("meter"));
        let ranks = self.cast.ranks() as usize;
        for (location, events) in events.iter().enumerate() {
            let (name, kind) = if location < ranks { (thread, 1) } else { (meter, 3) };
            book.records.add(14, |body| {
                body.number(location as u64).number(name).byte(kind);
                body.number(*events).number(location as u64);
            });
        }
    }

    fn write_regions(&self, book: &mut Book) {
        for (number, region) in self.regions.iter().enumerate() {
            let name = book.string(&region.name);
            let about = book.string(if region.role == role::ARTIFICIAL { MARK } else { "" });
            book.records.add(15, |body| {
                body.numbers(&[number as u64, name, about]).byte(0);
                body.numbers(&[NOTHING, 0, 0, name]).byte(region.role).byte(region.paradigm);
                body.number(0);
            });
        }
    }

    /// All ranks, then the groups of communicators, then the communicators.
    fn write_comms(&self, book: &mut Book) {
        let ranks: Vec<u64> = (0..u64::from(self.cast.ranks())).collect();
        let mut group = |number: u64, members: &[u64], (legacy, kind): (u8, u8)| {
            book.records.add(18, |body| {
                body.numbers(&[number, 0]).byte(legacy).number(members.len() as u64);
                body.numbers(members).byte(kind).byte(paradigm::MPI).number(0);
            });
        };
        group(0, &ranks, (6, 4));
        group(1, &ranks, (4, 5));
        for (at, members) in self.comms.iter().enumerate() {
            let members: Vec<u64> = members.list.iter().map(|member| u64::from(*member)).collect();
            group(at as u64 + 2, &members, (4, 5));
        }
        for comm in 0..=self.comms.len() as u64 {
            let name = match comm {
                0 => book.string("MPI_COMM_WORLD"),
                comm => book.string(&format!("communicator {comm}")),
            };
            let parent = if comm == 0 { NOTHING } else { 0 };
            book.records.add(22, |body| _ = body.numbers(&[comm, name, comm + 1, parent, 0]));
        }
    }

    /// All that nodes tell: members of classes first, counted through.
    fn write_metrics(&self, book: &mut Book) {
        let mut first = 0;
        for (class, meter) in self.metrics.iter().enumerate() {
            let members = meter.members();
            for ((name, about, kind, unit), number) in members.iter().zip(first..) {
                let (name, about, unit) =
                    (book.string(name), book.string(about), book.string(unit));
                book.records.add(19, |body| {
                    body.numbers(&[number, name, about])
                        .byte(OTHER)
                        .byte(ABSOLUTE_NEXT)
                        .byte(*kind);
                    body.byte(DECIMAL);
                    body.number(0).number(unit);
                });
            }
            let count = members.len() as u64;
            book.records.add(20, |body| {
                body.number(class as u64).byte(count as u8);
                (first..first + count).for_each(|number| _ = body.number(number));
                body.byte(2).byte(0);
            });
            first += count;
        }
    }
}

fn role_of_collective(name: &str) -> u8 {
    let is_one_of = |stems: &[&str]| stems.iter().any(|stem| name.contains(stem));
    match name {
        _ if is_one_of(&["bcast", "Bcast", "MPI_Scatter", "MPI_Iscatter"]) => role::ONE_TO_ALL,
        _ if is_one_of(&["MPI_Gather", "MPI_Igather"]) => role::ALL_TO_ONE,
        "MPI_Reduce" | "MPI_Ireduce" => role::ALL_TO_ONE,
        _ => role::ALL_TO_ALL,
    }
}

/// The making of communicators, as OTF2 calls it.
pub(super) const CREATE: u8 = 17;

/// What OTF2 calls the operation of a call in which ranks meet beside what the call is for.
pub(super) fn meeting(name: &str) -> Option<u8> {
    Assembly::of(name).map(|assembly| match assembly {
        Assembly::Wait => 0,
        Assembly::Claims => CREATE,
    })
}

/// What OTF2 calls a collective operation that a rank stays in.
pub(super) fn operation(name: &str) -> Option<u8> {
    let call = name.strip_prefix("MPI_")?;
    Some(match call.strip_suffix("_c").unwrap_or(call) {
        "Barrier" => 0,
        "Bcast" => 1,
        "Gather" => 2,
        "Gatherv" => 3,
        "Scatter" => 4,
        "Scatterv" => 5,
        "Allgather" => 6,
        "Allgatherv" => 7,
        "Alltoall" => 8,
        "Alltoallv" => 9,
        "Alltoallw" => 10,
        "Allreduce" => 11,
        "Reduce" => 12,
        "Reduce_scatter" => 13,
        "Scan" => 14,
        "Exscan" => 15,
        "Reduce_scatter_block" => 16,
        _ => return None,
    })
}
