//! What Paraver's numbers mean.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::text::Word;
use super::super::{Cast, Class, Place};
use super::{FUNCTIONS, slot};

/// Bytes that a rank puts into a collective operation.
pub(super) const SENT: u64 = 50_100_001;
/// Bytes that it gets.
pub(super) const RECEIVED: u64 = 50_100_002;
/// Whether it is the root.
pub(super) const ROOT: u64 = 50_100_003;
/// The communicator.
pub(super) const COMMUNICATOR: u64 = 50_100_004;
/// The algorithm of a collective operation; a type of our own.
pub(super) const ALGORITHM: u64 = 93_000_001;
/// What a node draws, told by its first rank; a type of our own.
pub(super) const POWER: u64 = 93_000_002;
/// What a core of a node does in a second, and the pstate of the node, told by its first rank; types
/// of our own.
pub(super) const SPEED: u64 = 93_000_004;
/// See above.
pub(super) const PSTATE: u64 = 93_000_005;
/// Sleep, which is no call; a type of our own.
pub(super) const SLEEP: u64 = 93_000_006;
/// A date that the program marks; a type of our own.
pub(super) const MARK: u64 = 93_000_003;
/// A part of the program; Extrae's type of functions.
pub(super) const REGION: u64 = FUNCTIONS;

/// The function and the line that a call stands in: Extrae's types of callers at level 1.
pub(super) const FUNCTION: u64 = 70_000_001;
/// See above.
pub(super) const LINE: u64 = 80_000_001;
/// What stands for a function that is not known, as Extrae says it.
pub(super) const UNRESOLVED: &str = "Unresolved";

/// Types of calls, and what Paraver calls them.
const POINT_TO_POINT: u64 = 50_000_001;
const COLLECTIVE: u64 = 50_000_002;
const OTHER: u64 = 50_000_003;
const ONE_SIDED: u64 = 50_000_004;
const FILES: u64 = 50_000_005;

const TYPES: [(u64, &str); 5] = [
    (POINT_TO_POINT, "MPI Point-to-point"),
    (COLLECTIVE, "MPI Collective Comm"),
    (OTHER, "MPI Other"),
    (ONE_SIDED, "MPI One-sided"),
    (FILES, "MPI I/O"),
];

/// Calls that Extrae has numbers for.
const CALLS: [(&str, u64); 130] = [
    ("Send", 1),
    ("Recv", 2),
    ("Isend", 3),
    ("Irecv", 4),
    ("Wait", 5),
    ("Waitall", 6),
    ("Bcast", 7),
    ("Barrier", 8),
    ("Reduce", 9),
    ("Allreduce", 10),
    ("Alltoall", 11),
    ("Alltoallv", 12),
    ("Gather", 13),
    ("Gatherv", 14),
    ("Scatter", 15),
    ("Scatterv", 16),
    ("Allgather", 17),
    ("Allgatherv", 18),
    ("Comm_rank", 19),
    ("Comm_size", 20),
    ("Comm_create", 21),
    ("Comm_dup", 22),
    ("Comm_split", 23),
    ("Comm_free", 25),
    ("Scan", 30),
    ("Init", 31),
    ("Finalize", 32),
    ("Bsend", 33),
    ("Ssend", 34),
    ("Rsend", 35),
    ("Ibsend", 36),
    ("Issend", 37),
    ("Irsend", 38),
    ("Test", 39),
    ("Cancel", 40),
    ("Sendrecv", 41),
    ("Sendrecv_replace", 42),
    ("Cart_create", 43),
    ("Cart_sub", 49),
    ("Graph_create", 54),
    ("Waitany", 59),
    ("Waitsome", 60),
    ("Probe", 61),
    ("Iprobe", 62),
    ("Win_create", 63),
    ("Win_free", 64),
    ("Put", 65),
    ("Get", 66),
    ("Accumulate", 67),
    ("Win_fence", 68),
    ("Win_start", 69),
    ("Win_complete", 70),
    ("Win_post", 71),
    ("Win_wait", 72),
    ("Win_test", 73),
    ("Win_lock", 74),
    ("Win_unlock", 75),
    ("Reduce_scatter", 80),
    ("Intercomm_create", 96),
    ("Intercomm_merge", 97),
    ("Bsend_init", 112),
    ("Request_free", 115),
    ("Recv_init", 116),
    ("Send_init", 117),
    ("Rsend_init", 121),
    ("Ssend_init", 122),
    ("Start", 123),
    ("Startall", 124),
    ("Testall", 125),
    ("Testany", 126),
    ("Testsome", 128),
    ("File_open", 141),
    ("File_close", 142),
    ("File_read", 143),
    ("File_read_all", 144),
    ("File_write", 145),
    ("File_write_all", 146),
    ("File_read_at", 147),
    ("File_read_at_all", 148),
    ("File_write_at", 149),
    ("File_write_at_all", 150),
    ("Comm_spawn", 151),
    ("Comm_spawn_multiple", 152),
    ("Request_get_status", 153),
    ("Ireduce", 154),
    ("Iallreduce", 155),
    ("Ibarrier", 156),
    ("Ibcast", 157),
    ("Ialltoall", 158),
    ("Ialltoallv", 159),
    ("Iallgather", 160),
    ("Iallgatherv", 161),
    ("Igather", 162),
    ("Igatherv", 163),
    ("Iscatter", 164),
    ("Iscatterv", 165),
    ("Ireduce_scatter", 166),
    ("Iscan", 167),
    ("Reduce_scatter_block", 168),
    ("Ireduce_scatter_block", 169),
    ("Alltoallw", 170),
    ("Ialltoallw", 171),
    ("Get_accumulate", 172),
    ("Dist_graph_create", 173),
    ("Neighbor_allgather", 174),
    ("Ineighbor_allgather", 175),
    ("Neighbor_allgatherv", 176),
    ("Ineighbor_allgatherv", 177),
    ("Neighbor_alltoall", 178),
    ("Ineighbor_alltoall", 179),
    ("Neighbor_alltoallv", 180),
    ("Ineighbor_alltoallv", 181),
    ("Neighbor_alltoallw", 182),
    ("Ineighbor_alltoallw", 183),
    ("Fetch_and_op", 184),
    ("Compare_and_swap", 185),
    ("Win_flush", 186),
    ("Win_flush_all", 187),
    ("Win_flush_local", 188),
    ("Win_flush_local_all", 189),
    ("Mprobe", 190),
    ("Improbe", 191),
    ("Mrecv", 192),
    ("Imrecv", 193),
    ("Comm_split_type", 194),
    ("Comm_dup_with_info", 211),
    ("Dist_graph_create_adjacent", 212),
    ("Comm_create_group", 213),
    ("Exscan", 214),
    ("Iexscan", 215),
];

/// Whether events of this type begin and end calls.
pub(super) fn is_call_type(kind: u64) -> bool {
    TYPES.iter().any(|(known, _)| *known == kind)
}

/// The name of a call by Extrae's number for it.
pub(super) fn call_named(value: u64) -> Option<String> {
    let found = CALLS.iter().find(|(_, number)| *number == value);
    found.map(|(name, _)| format!("MPI_{name}"))
}

/// States, their names and colours.
const STATES: [(u64, &str, &str); 15] = [
    (0, "Idle", "117,195,255"),
    (1, "Running", "0,0,255"),
    (3, "Waiting a message", "255,0,0"),
    (4, "Blocking Send", "255,0,174"),
    (5, "Synchronization", "179,0,0"),
    (6, "Test/Probe", "0,255,0"),
    (8, "Wait/WaitAll", "235,0,0"),
    (9, "Blocked", "0,162,0"),
    (10, "Immediate Send", "255,0,255"),
    (11, "Immediate Receive", "100,100,177"),
    (12, "I/O", "172,174,41"),
    (13, "Group Communication", "255,144,26"),
    (15, "Others", "192,224,0"),
    (16, "Send Receive", "66,66,66"),
    (20, "Remote memory access", "204,230,230"),
];

/// A state that ranks can be in, as it is written.
#[derive(Debug)]
pub(super) struct Call {
    name: String,
    pub(super) kind: u64,
    /// The number of the call; 0 for what is none.
    pub(super) value: u64,
    /// Whether its bytes are told of all ranks together, where each has a block for each.
    pub(super) is_summed: bool,
    /// What stands for its beginning; one more for its end, two more for both at once.
    pub(super) word: Option<u16>,
    /// The end of a record of the state.
    pub(super) state: Word,
    /// Type and number, type and zero, and one behind the other.
    pub(super) enter: Word,
    pub(super) leave: Word,
    pub(super) visit: Word,
    /// Types and values of where it stands in the program, if that is known.
    pub(super) caller: Option<[(u64, u64); 2]>,
}

impl Call {
    /// The `nth` state of all.
    pub(super) fn new(name: &str, class: Class, nth: usize) -> Self {
        let kind = kind(class);
        let known = name.strip_prefix("MPI_").and_then(|call| {
            CALLS.iter().find(|(known, _)| *known == call).map(|(_, number)| *number)
        });
        let value = match class {
            Class::Computing => 0,
            Class::Sleeping => 1,
            _ => known.unwrap_or(10_001 + nth as u64),
        };
        Self {
            name: name.to_owned(),
            kind,
            value,
            is_summed: is_summed(name),
            word: slot::word(nth),
            state: Word::new(&format!(":{}\n", state(class))),
            enter: Word::new(&format!(":{kind}:{value}")),
            leave: Word::new(&format!(":{kind}:0")),
            visit: Word::new(&format!(":{kind}:{value}:{kind}:0")),
            caller: None,
        }
    }

    /// The same at another place in the program, as the `nth` state of all.
    pub(super) fn elsewhere(&self, nth: usize) -> Self {
        Self { name: self.name.clone(), word: slot::word(nth), caller: None, ..*self }
    }

    pub(super) fn is_named(&self, name: &str) -> bool {
        self.name == name
    }
}

/// Whether tools tell of a call what goes to all ranks together.
pub(super) fn is_summed(name: &str) -> bool {
    ["MPI_Alltoallv", "MPI_Alltoallw"].contains(&name.strip_suffix("_c").unwrap_or(name))
}

fn kind(class: Class) -> u64 {
    match class {
        Class::Send | Class::Isend | Class::Receive | Class::Ireceive => POINT_TO_POINT,
        Class::Sendreceive | Class::Wait | Class::Test => POINT_TO_POINT,
        Class::Barrier | Class::Collective => COLLECTIVE,
        Class::OneSided => ONE_SIDED,
        Class::File => FILES,
        Class::Sleeping => SLEEP,
        Class::Computing | Class::Other => OTHER,
    }
}

fn state(class: Class) -> u64 {
    match class {
        Class::Computing => 1,
        Class::Sleeping => 0,
        Class::Send => 4,
        Class::Isend => 10,
        Class::Receive => 3,
        Class::Ireceive => 11,
        Class::Sendreceive => 16,
        Class::Wait => 8,
        Class::Test => 6,
        Class::Barrier => 5,
        Class::Collective => 13,
        Class::OneSided => 20,
        Class::File => 12,
        Class::Other => 15,
    }
}

/// Where calls stand in the program, by numbers.
#[derive(Debug, Default)]
pub(super) struct Callers {
    functions: BTreeMap<String, u64>,
    lines: BTreeMap<String, u64>,
}

impl Callers {
    /// Types and values of a place.
    pub(super) fn at(&mut self, place: &Place<'_>) -> [(u64, u64); 2] {
        let number = |known: &mut BTreeMap<String, u64>, text: String| {
            let next = known.len() as u64 + 1;
            *known.entry(text).or_insert(next)
        };
        let function = match place.function {
            "" => UNRESOLVED,
            function => function,
        };
        // As Extrae says it.
        let line = format!("{} ({})", place.line, place.file);
        [
            (FUNCTION, number(&mut self.functions, function.to_owned())),
            (LINE, number(&mut self.lines, line)),
        ]
    }

    fn write(&self, text: &mut String) {
        if !self.lines.is_empty() {
            section(text, &[(FUNCTION, "Caller at level 1")], numbered(&self.functions));
            section(text, &[(LINE, "Caller line at level 1")], numbered(&self.lines));
        }
    }
}

/// The `.pcf`.
pub(super) fn pcf(
    calls: &[Call],
    algorithms: &BTreeMap<String, u64>,
    names: &BTreeMap<String, u64>,
    callers: &Callers,
    has_speeds: bool,
) -> String {
    let mut text = "DEFAULT_OPTIONS\n\nLEVEL               THREAD\nUNITS               NANOSEC\n\
                    LOOK_BACK           100\nSPEED               1\nFLAG_ICONS          ENABLED\n\
                    NUM_OF_STATE_COLORS 1000\nYMAX_SCALE          37\n\n\n\
                    DEFAULT_SEMANTIC\n\nTHREAD_FUNC          State As Is\n\n\nSTATES\n"
        .to_owned();
    STATES.iter().for_each(|(number, name, _)| _ = writeln!(text, "{number}    {name}"));
    text.push_str("\n\nSTATES_COLOR\n");
    STATES.iter().for_each(|(number, _, colour)| _ = writeln!(text, "{number}    {{{colour}}}"));
    for (kind, label) in TYPES {
        let of_kind = calls.iter().filter(|call| call.kind == kind && call.value > 0);
        let mut values: BTreeMap<u64, &str> =
            of_kind.map(|call| (call.value, call.name.as_str())).collect();
        if !values.is_empty() {
            values.insert(0, "Outside MPI");
            section(&mut text, &[(kind, label)], values);
        }
    }
    if calls.iter().any(|call| call.kind == SLEEP) {
        section(&mut text, &[(SLEEP, "Sleep")], BTreeMap::from([(0, "End"), (1, "Sleeping")]));
    }
    let arguments = [
        (SENT, "Send Size in MPI Global OP"),
        (RECEIVED, "Recv Size in MPI Global OP"),
        (ROOT, "Root in MPI Global OP"),
        (COMMUNICATOR, "Communicator in MPI Global OP"),
    ];
    section(&mut text, &arguments, BTreeMap::new());
    section(&mut text, &[(ALGORITHM, "Algorithm of MPI Global OP")], numbered(algorithms));
    section(&mut text, &[(POWER, "Power of the node in mW")], BTreeMap::new());
    callers.write(&mut text);
    if has_speeds {
        section(&mut text, &[(SPEED, "Speed of a core of the node in flop/s")], BTreeMap::new());
        section(&mut text, &[(PSTATE, "Pstate of the node")], BTreeMap::new());
    }
    let mut regions = numbered(names);
    section(&mut text, &[(MARK, "Mark")], regions.clone());
    regions.insert(0, "End");
    section(&mut text, &[(REGION, "User function")], regions);
    text
}

fn numbered(names: &BTreeMap<String, u64>) -> BTreeMap<u64, &str> {
    names.iter().map(|(name, number)| (*number, name.as_str())).collect()
}

fn section(text: &mut String, types: &[(u64, &str)], values: BTreeMap<u64, &str>) {
    text.push_str("\n\nEVENT_TYPE\n");
    types.iter().for_each(|(kind, label)| _ = writeln!(text, "0    {kind}    {label}"));
    if !values.is_empty() {
        text.push_str("VALUES\n");
        values.iter().for_each(|(value, name)| _ = writeln!(text, "{value}      {name}"));
    }
}

/// The `.row`.
pub(super) fn row(cast: &Cast) -> String {
    let mut text = String::new();
    let mut order: Vec<usize> = (0..cast.places.len()).collect();
    order.sort_by_key(|rank| cast.places[*rank]);
    let _ = writeln!(text, "LEVEL CPU SIZE {}", order.len());
    let mut on_node = vec![0; cast.nodes.len()];
    for rank in &order {
        let node = cast.places[*rank] as usize;
        on_node[node] += 1;
        let _ = writeln!(text, "{}.{}", on_node[node], cast.nodes[node]);
    }
    let _ = writeln!(text, "\nLEVEL NODE SIZE {}", cast.nodes.len());
    cast.nodes.iter().for_each(|node| _ = writeln!(text, "{node}"));
    for (level, name) in [("SYSTEM", &cast.machine), ("APPL", &cast.program)] {
        let _ = writeln!(text, "\nLEVEL {level} SIZE 1\n{name}");
    }
    let _ = writeln!(text, "\nLEVEL TASK SIZE {}", order.len());
    (0..order.len()).for_each(|rank| _ = writeln!(text, "rank {rank}"));
    let _ = writeln!(text, "\nLEVEL THREAD SIZE {}", order.len());
    (0..order.len()).for_each(|rank| _ = writeln!(text, "rank {rank}"));
    text
}
