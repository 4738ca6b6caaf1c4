//! Archives put together record by record become actions.

use std::path::PathBuf;

use super::sample;
use crate::Trace;
use crate::timed::otf2::record::{Body, Records};

/// Stands for a number that is not defined.
const NONE: u64 = u64::MAX;

/// An archive of three ranks, whose locations are theirs.
struct Maker {
    definitions: Records,
    regions: u64,
    strings: u64,
    events: Vec<Records>,
    time: u64,
}

impl Maker {
    fn new() -> Self {
        let mut maker = Self {
            definitions: Records::default(),
            regions: 0,
            strings: 0,
            events: (0..3).map(|_| Records::default()).collect(),
            time: 0,
        };
        maker.definitions.add(5, |body| _ = body.numbers(&[1000, 0, 1 << 20, NONE]));
        maker.group(0, 4, &[0, 1, 2]);
        maker.group(1, 5, &[0, 1, 2]);
        maker.define(22, &[0, 0, 1, NONE, 0]);
        maker
    }

    fn define(&mut self, kind: u8, numbers: &[u64]) {
        self.definitions.add(kind, |body| _ = body.numbers(numbers));
    }

    fn group(&mut self, id: u64, kind: u8, members: &[u64]) {
        self.paradigm_group(id, kind, 4, members);
    }

    fn paradigm_group(&mut self, id: u64, kind: u8, paradigm: u8, members: &[u64]) {
        self.definitions.add(18, |body| {
            body.numbers(&[id, 0]).byte(0).number(members.len() as u64);
            body.numbers(members).byte(kind).byte(paradigm).number(0);
        });
    }

    /// Ranks are in a call, in which these records are.
    fn call(&mut self, ranks: &[usize], name: &str, records: &[(u8, &[Field])]) {
        let (string, region) = (self.strings, self.regions);
        (self.strings, self.regions) = (string + 1, region + 1);
        self.definitions.add(10, |body| _ = body.number(string).text(name));
        self.definitions.add(15, |body| {
            body.numbers(&[region, string, NONE]).byte(0).numbers(&[NONE, 0, 0]);
            body.number(string).byte(0).byte(4).number(0);
        });
        for rank in ranks {
            self.event(*rank, 12, &[Field::Number(region)]);
            records.iter().for_each(|(kind, fields)| self.event(*rank, *kind, fields));
            self.event(*rank, 13, &[Field::Number(region)]);
        }
    }

    fn event(&mut self, rank: usize, kind: u8, fields: &[Field]) {
        self.time += 1;
        let events = &mut self.events[rank];
        events.bytes.push(5);
        events.bytes.extend(self.time.to_le_bytes());
        let mut alone = Records::default();
        alone.add(kind, |body| {
            for field in fields {
                match field {
                    Field::Number(number) => _ = body.number(*number),
                    Field::Byte(byte) => _ = body.byte(*byte),
                }
            }
        });
        // These have no length.
        let is_short = matches!(kind, 12 | 13 | 16 | 17);
        let (kind, body) = alone.bytes.split_at(1);
        events.bytes.extend([kind, &body[usize::from(is_short)..]].concat());
    }

    fn write(&self, folder: &std::path::Path) -> PathBuf {
        // The anchor is that of another archive, with longer chunks.
        let path = sample::write(folder, &sample::FILES[..1]);
        let mut anchor = std::fs::read(&path).unwrap();
        anchor[12..20].copy_from_slice(&(1_u64 << 20).to_le_bytes());
        anchor[20..28].copy_from_slice(&(1_u64 << 20).to_le_bytes());
        std::fs::write(&path, anchor).unwrap();
        let chunk = |bytes: &[u8]| {
            let head = [&[3, 0x42][..], &1_u64.to_le_bytes(), &u64::MAX.to_le_bytes()].concat();
            [&head, bytes, &[2, 1]].concat()
        };
        std::fs::create_dir_all(folder.join("arch")).unwrap();
        std::fs::write(folder.join("arch.def"), chunk(&self.definitions.bytes)).unwrap();
        for (rank, events) in self.events.iter().enumerate() {
            let name = folder.join(format!("arch/{rank}.evt"));
            std::fs::write(name, chunk(&events.bytes)).unwrap();
        }
        path
    }

    /// What each rank does besides computing, and what is left out.
    fn done(&self) -> ([String; 3], Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let trace = Trace::open(&self.write(folder.path())).unwrap();
        let told = [0, 1, 2].map(|rank| {
            let mut cursor = trace.cursor(rank);
            let mut lines = Vec::new();
            while let Some(action) = cursor.next().unwrap() {
                lines.push(action.to_string());
            }
            lines.retain(|line| !line.starts_with("compute"));
            lines.join("|")
        });
        (told, trace.left_out().to_vec())
    }
}

enum Field {
    Number(u64),
    Byte(u8),
}

use Field::{Byte, Number};

fn numbers<const N: usize>(all: [u64; N]) -> [Field; N] {
    all.map(Number)
}

#[test]
fn messages_between_groups_go_to_the_other_side() {
    let mut maker = Maker::new();
    maker.group(2, 5, &[2, 0]);
    maker.group(3, 5, &[1]);
    maker.define(43, &[1, 0, 2, 3, 0, 0]);
    maker.call(&[0], "MPI_Send", &[(14, &numbers([0, 1, 7, 100]))]);
    maker.call(&[1], "MPI_Recv", &[(18, &numbers([1, 1, 7, 100]))]);
    maker.call(&[1], "MPI_Send", &[(14, &numbers([0, 1, 8, 50]))]);
    maker.call(&[2], "MPI_Recv", &[(18, &numbers([0, 1, 8, 50]))]);
    let barrier = [Byte(0), Number(1), Number(NONE), Number(0), Number(0)];
    maker.call(&[0, 1, 2], "MPI_Barrier", &[(22, &[]), (23, &barrier)]);
    let free = [Byte(18), Number(1), Number(NONE), Number(0), Number(0)];
    maker.call(&[0, 1, 2], "MPI_Comm_free", &[(22, &[]), (23, &free)]);
    let (told, left_out) = maker.done();
    let [there, back] = [7, 8].map(|tag| crate::untimed::tag_of(1, tag));
    let ends = "inter_def 1 2:1:1 0:1:1 | 1:1:1|within 1|barrier|finalize";
    assert_eq!(told[0], format!("init|send 1 {there} 100 6|{ends}"));
    assert_eq!(told[1], format!("init|recv 0 {there} 100 6|send 2 {back} 50 6|{ends}"));
    assert_eq!(told[2], format!("init|recv 1 {back} 50 6|{ends}"));
    assert_eq!(left_out, Vec::<String>::new());
}

/// What Score-P tells of collectives of two groups: the root itself, and others of its group.
const SELF: u64 = 0xffff_fffe;
const THIS_GROUP: u64 = 0xffff_fffd;

#[test]
fn collectives_between_groups_are_those_of_both_sides() {
    let mut maker = Maker::new();
    maker.group(2, 5, &[2, 0]);
    maker.group(3, 5, &[1]);
    maker.define(43, &[1, 0, 2, 3, 0, 0]);
    let none = 0xffff_ffff;
    // By operation: what ranks 2 and 0 tell, and what rank 1 tells, as Score-P counts it.
    let mut all = |name: &str, operation, told: [(u64, u64, u64); 3]| {
        for (rank, (root, sent, received)) in [2, 0, 1].into_iter().zip(told) {
            let fields = [Byte(operation), Number(1), Number(root), Number(sent), Number(received)];
            maker.call(&[rank], name, &[(22, &[]), (23, &fields)]);
        }
    };
    all("MPI_Bcast", 1, [(THIS_GROUP, 0, 0), (SELF, 8, 0), (1, 0, 8)]);
    all("MPI_Gather", 2, [(0, 24, 0), (0, 24, 0), (SELF, 0, 48)]);
    all("MPI_Gatherv", 3, [(0, 10, 0), (0, 20, 0), (SELF, 0, 30)]);
    all("MPI_Scatterv", 5, [(0, 0, 10), (0, 0, 20), (SELF, 30, 0)]);
    all("MPI_Reduce", 12, [(SELF, 0, 16), (THIS_GROUP, 0, 0), (0, 16, 0)]);
    all("MPI_Allreduce", 11, [(none, 16, 16), (none, 16, 16), (none, 32, 32)]);
    all("MPI_Allgatherv", 7, [(none, 5, 7), (none, 6, 7), (none, 14, 11)]);
    all("MPI_Alltoall", 8, [(none, 5, 7), (none, 5, 7), (none, 14, 10)]);
    all("MPI_Reduce_scatter", 13, [(none, 24, 8), (none, 24, 16), (none, 24, 48)]);
    // Here they do not fit together.
    all("MPI_Reduce_scatter", 13, [(none, 24, 8), (none, 24, 16), (none, 24, 12)]);
    all("MPI_Bcast", 1, [(9, 0, 0), (9, 8, 0), (9, 0, 8)]);
    let (told, left_out) = maker.done();
    let line = |calls: &[&str]| {
        let calls: String = calls.iter().map(|call| format!("|within 1|{call}")).collect();
        format!("init|inter_def 1 2:1:1 0:1:1 | 1:1:1{calls}|finalize")
    };
    let second = line(&[
        "bcast 8 self 6",
        "gather 24 24 0 6 6",
        "gatherv 20 0 0 0 0 6 6",
        "scatterv 0 0 0 20 0 6 6",
        "reduce 2 0 nobody 0",
        "allreduce 2 0 0",
        "allgatherv 6 7 0 0 6 6",
        "alltoall 5 7 6 6",
        "reducescatter 8 16 0 0 6",
    ]);
    assert_eq!(told[0], second);
    let third = line(&[
        "bcast 8 1 6",
        "gather 24 24 self 6 6",
        "gatherv 0 10 20 0 self 6 6",
        "scatterv 10 20 0 0 self 6 6",
        "reduce 2 0 0 0",
        "allreduce 2 0 0",
        "allgatherv 7 5 6 0 6 6",
        "alltoall 7 5 6 6",
        "reducescatter 24 0 0 0 6",
    ]);
    assert_eq!(told[1], third);
    let why = |name: &str| format!("3 {name} that not all ranks took part in");
    assert_eq!(left_out, [why("MPI_Bcast"), why("MPI_Reduce_scatter")]);
}

#[test]
fn a_younger_request_of_the_same_message_is_waited_for_as_such() {
    let mut maker = Maker::new();
    let posted = |request| [Number(request)];
    let taken = |bytes, request| numbers([1, 0, 7, bytes, request]);
    for request in 1..=3 {
        maker.call(&[0], "MPI_Irecv", &[(17, &posted(request))]);
    }
    maker.call(&[0], "MPI_Wait", &[(19, &taken(300, 3))]);
    maker.call(&[0], "MPI_Wait", &[(19, &taken(200, 2))]);
    let other = numbers([2, 0, 7, 100, 1]);
    maker.call(&[0], "MPI_Wait", &[(19, &other)]);
    let (told, _) = maker.done();
    // The oldest turns out to be another message, which is known last.
    let expected = "init|irecv 2 7 100 6|irecv 1 7 200 6|irecv 1 7 300 6|\
                    younger 1|wait 1 0 7|wait 1 0 7|wait 2 0 7|finalize";
    assert_eq!(told[0], expected);
}

#[test]
fn ranks_meet_where_mpi_ends_and_where_communicators_are_made() {
    let mut maker = Maker::new();
    let all = [0, 1, 2];
    let met = |operation| [Byte(operation), Number(0), Number(NONE), Number(0), Number(0)];
    maker.call(&all, "MPI_Comm_split", &[(22, &[]), (23, &met(17))]);
    // Ranks that copy a communicator need not wait for each other.
    maker.call(&all, "MPI_Comm_dup", &[(22, &[]), (23, &met(17))]);
    maker.call(&all, "MPI_Finalize", &[(22, &[]), (23, &met(0))]);
    let (told, left_out) = maker.done();
    assert_eq!(told, ["init|passes 8 24 other|allgather 8 8 6 6|barrier|finalize"; 3]);
    assert!(left_out.is_empty(), "{left_out:?}");
}

#[test]
fn messages_on_a_copy_of_the_world_do_not_meet_those_of_the_world() {
    let mut maker = Maker::new();
    // The tool has a group of its own, which says nothing of the world of MPI.
    maker.paradigm_group(2, 5, 1, &[0, 1, 2]);
    for (comm, group) in [(0, 2), (1, 1), (2, 1)] {
        maker.define(22, &[comm, 0, group, NONE, 0]);
    }
    for comm in [1, 2, 0] {
        maker.call(&[0], "MPI_Send", &[(14, &numbers([1, comm, 7, 100]))]);
        maker.call(&[1], "MPI_Recv", &[(18, &numbers([0, comm, 7, 100]))]);
    }
    let (told, left_out) = maker.done();
    let tag = crate::untimed::tag_of(1, 7);
    assert_eq!(told[0], format!("init|send 1 7 100 6|send 1 {tag} 100 6|finalize"));
    assert_eq!(left_out.len(), 2, "{left_out:?}");
}

#[test]
fn threads_beside_ranks_are_told_and_first_ones_are_ranks_where_there_is_no_mpi() {
    let make = |is_of_mpi: bool| {
        let mut maker = Maker { definitions: Records::default(), ..Maker::new() };
        maker.definitions.add(5, |body| _ = body.numbers(&[1000, 0, 1 << 20, NONE]));
        maker.paradigm_group(0, 4, if is_of_mpi { 4 } else { 1 }, &[0, 1, 2]);
        for (location, process) in [(0, 7), (1, 8), (2, 9), (3, 8)] {
            let add = |body: &mut Body<'_>| {
                _ = body.numbers(&[location, 0]).byte(1).numbers(&[5, process]);
            };
            maker.definitions.add(14, add);
        }
        maker.call(&[0, 1, 2], "MPI_Barrier", &[]);
        maker.done()
    };
    for is_of_mpi in [true, false] {
        let (told, left_out) = make(is_of_mpi);
        assert_eq!(told, ["init|finalize"; 3]);
        assert_eq!(left_out, ["1 threads beside those that are ranks", "3 MPI_Barrier"]);
    }
}

#[test]
fn sizes_that_no_message_has_are_those_of_the_other_end() {
    let mut maker = Maker::new();
    maker.call(&[0], "MPI_Send", &[(14, &numbers([1, 0, 7, 100]))]);
    maker.call(&[1], "MPI_Recv", &[(18, &numbers([0, 0, 7, 1 << 62]))]);
    let (told, left_out) = maker.done();
    assert_eq!(told[1], "init|recv 0 7 100 6|finalize");
    assert_eq!(left_out, ["1 sizes of messages that no message has"]);
}

#[test]
fn what_is_done_with_windows_is_told() {
    let mut maker = Maker::new();
    maker.group(2, 5, &[2, 0]);
    maker.group(3, 5, &[0]);
    maker.group(4, 5, &[2]);
    maker.define(22, &[1, 0, 2, NONE, 0]);
    maker.define(24, &[9, 0, 1, 0]);
    let both = |operation| [Byte(operation), Number(0), Number(9), Number(NONE), Number(0)];
    let operate = |target, bytes, number| numbers([9, target, bytes, number]);
    let ranks = [0, 2];
    maker.call(&ranks, "MPI_Win_create", &[(37, &[]), (35, &numbers([9])), (38, &both(17))]);
    maker.call(&ranks, "MPI_Win_fence", &[(37, &[]), (38, &both(0))]);
    maker.call(&[2], "MPI_Put", &[(46, &operate(1, 80, 1))]);
    maker.call(&ranks, "MPI_Win_fence", &[(37, &[]), (50, &numbers([9, 1])), (38, &both(0))]);
    maker.call(&[2], "MPI_Win_post", &[(39, &numbers([1, 9, 3]))]);
    maker.call(&[0], "MPI_Win_start", &[(39, &numbers([1, 9, 4]))]);
    maker.call(&[0], "MPI_Win_complete", &[(39, &numbers([3, 9, 4]))]);
    maker.call(&[2], "MPI_Win_wait", &[(39, &numbers([3, 9, 3]))]);
    let lock = [Number(9), Number(1), Number(0), Byte(0)];
    maker.call(&[2], "MPI_Win_lock", &[(40, &lock)]);
    maker.call(&[2], "MPI_Get", &[(47, &operate(1, 16, 2))]);
    let [near, far] = [numbers([9, 2]), numbers([9, 2])];
    maker.call(&[2], "MPI_Win_flush", &[(50, &near), (52, &far)]);
    maker.call(&[2], "MPI_Win_flush", &[]);
    maker.call(&[2], "MPI_Rput", &[(46, &operate(1, 24, 3))]);
    maker.call(&[2], "MPI_Wait", &[(50, &numbers([9, 3]))]);
    maker.call(&[2], "MPI_Win_unlock", &[(43, &numbers([9, 1, 0]))]);
    let all = [Number(9), Number(NONE), Number(0), Byte(1)];
    maker.call(&[2], "MPI_Win_lock_all", &[(40, &all)]);
    let atomic = |kind, sent, back, number| {
        [Number(9), Number(0), Byte(kind), Number(sent), Number(back), Number(number)]
    };
    maker.call(&[2], "MPI_Accumulate", &[(48, &atomic(0, 32, 0, 4))]);
    maker.call(&[2], "MPI_Compare_and_swap", &[(48, &atomic(3, 8, 8, 5))]);
    let done = [numbers([9, 4]), numbers([9, 5])];
    maker.call(&[2], "MPI_Win_flush_all", &[(52, &done[0]), (52, &done[1])]);
    maker.call(&[2], "MPI_Win_unlock_all", &[(43, &numbers([9, NONE, 0]))]);
    maker.call(&ranks, "MPI_Win_free", &[(37, &[]), (36, &numbers([9])), (38, &both(18))]);
    maker.call(&[1], "MPI_Put", &[(46, &numbers([8, 1, 80, 1]))]);
    let (told, left_out) = maker.done();
    let begins = "init|comm_def 1 2:1:1 0:1:1|within 1|win_create 0|win_fence 0";
    let first = "|win_fence 0 last|win_start 0 2:1:1|win_complete 0|win_free 0|finalize";
    assert_eq!(told[0], format!("{begins}{first}"));
    let third = "|put 0 0 80|win_fence 0 last|win_post 0 0:1:1|win_wait 0|win_lock 0 0 exclusive|\
                 get 0 0 16|win_flush 0 0|later 0|put 0 0 24|await 0|win_unlock 0 0|\
                 win_lock_all 0|accumulate 0 2 32|accumulate 0 2 32 8|win_flush 0|\
                 win_unlock_all 0|win_free 0|finalize";
    assert_eq!(told[2], format!("{begins}{third}"));
    let what = "1 one-sided operations and epochs of windows that are not defined";
    assert_eq!(left_out, [what, "1 MPI_Put"]);
}

#[test]
fn files_are_told_with_the_bytes_that_were_there() {
    let mut maker = Maker::new();
    maker.definitions.add(10, |body| _ = body.number(900).text("MPI-IO"));
    maker.definitions.add(10, |body| _ = body.number(901).text("POSIX I/O"));
    for (id, name) in [(1, 900), (2, 901)] {
        maker.definitions.add(8, |body| _ = body.byte(id).number(name));
    }
    maker.group(2, 5, &[2, 0]);
    maker.define(22, &[1, 0, 2, NONE, 0]);
    for (id, paradigm, comm) in [(5, 1, 0), (6, 1, 1), (7, 2, NONE)] {
        maker.definitions.add(40, |body| {
            _ = body.numbers(&[id, 0, 0]).byte(paradigm).numbers(&[0, comm, NONE]);
        });
    }
    let open = |file| [Number(file), Byte(2), Number(1), Number(0)];
    let begin = |file, mode, flags, bytes, number| {
        [Number(file), Byte(mode), Number(flags), Number(bytes), Number(number)]
    };
    let complete = |file, bytes, number| numbers([file, bytes, number]);
    let (reads, writes, beside, together) = (0, 1, 1, 2);
    maker.call(&[0, 1, 2], "MPI_File_open", &[(69, &open(5))]);
    maker.call(&[0, 2], "MPI_File_open", &[(69, &open(6))]);
    let [first, second] = [begin(5, reads, 0, 100, 1), begin(6, writes, together, 50, 1)];
    maker.call(&[0], "MPI_File_read", &[(75, &first), (78, &complete(5, 60, 1))]);
    let done = complete(6, NONE, 1);
    maker.call(&[0, 2], "MPI_File_write_all", &[(75, &second), (78, &done)]);
    // What the system does by itself is none of MPI's.
    maker.call(&[0], "MPI_File_get_size", &[(69, &open(7)), (70, &numbers([7]))]);
    maker.call(&[0], "MPI_File_iwrite", &[(75, &begin(5, writes, beside, 8, 2))]);
    maker.call(&[0], "MPI_Wait", &[(78, &complete(5, 8, 2))]);
    let all = begin(6, reads, beside | together, 9, 3);
    maker.call(&[0, 2], "MPI_File_read_all_begin", &[(75, &all), (77, &numbers([6, 3]))]);
    maker.call(&[0, 2], "MPI_File_read_all_end", &[(78, &complete(6, 9, 3))]);
    let flush = begin(5, 2, together, 0, 4);
    let done = complete(5, 0, 4);
    maker.call(&[0, 1, 2], "MPI_File_sync", &[(75, &flush), (78, &done)]);
    maker.call(&[1], "MPI_File_read", &[(78, &complete(5, 0, 9))]);
    maker.call(&[0, 1, 2], "MPI_File_close", &[(70, &numbers([5]))]);
    let (told, left_out) = maker.done();
    let without_sleep = |told: &str| {
        let kept = told.split('|').filter(|line| !line.starts_with("sleep"));
        kept.collect::<Vec<_>>().join("|")
    };
    let first = "init|file_open|comm_def 1 2:1:1 0:1:1|within 1|file_open|file_read 60|within 1|\
                 file_write_all 50|later 0|file_write 8|await 0|later 1|within 1|\
                 file_read_all 9|await 1|file_meet|file_close|finalize";
    assert_eq!(without_sleep(&told[0]), first);
    assert_eq!(told[0].matches("sleep").count(), 1, "{}", told[0]);
    assert_eq!(without_sleep(&told[1]), "init|file_open|file_meet|file_close|finalize");
    assert_eq!(left_out, ["1 operations on files that have not begun"]);
}

#[test]
fn where_no_request_is_told_to_be_complete_messages_are_found_for_them() {
    let mut maker = Maker::new();
    maker.strings = 1;
    maker.definitions.add(10, |body| _ = body.number(0).text("EZTrace finalize"));
    // The list of ranks and the group of all have one number.
    maker.group(0, 5, &[0, 1, 2]);
    let barrier = [Byte(0), Number(0), Number(NONE), Number(0), Number(0)];
    let gather = [Byte(2), Number(0), Number(0), Number(24), Number(24)];
    let isend = |to, tag, request| numbers([to, 0, tag, 100, request]);
    let ask = |request| [Number(request)];
    // The clock of rank 1 is behind all of what rank 0 does.
    for rank in [0, 1] {
        let other = 1 - rank as u64;
        maker.call(&[rank], "MPI_Barrier", &[(22, &[]), (23, &barrier)]);
        maker.call(&[rank], "MPI_Irecv", &[(17, &ask(7))]);
        maker.call(&[rank], "MPI_Isend", &[(15, &isend(other, 3, 8))]);
        maker.call(&[rank], "MPI_Waitall", &[(23, &barrier)]);
        maker.call(&[rank], "MPI_Irecv", &[(17, &ask(7))]);
        maker.call(&[rank], "MPI_Send", &[(14, &numbers([other, 0, 4, 50]))]);
        maker.call(&[rank], "MPI_Send", &[(14, &numbers([other, 0, 5, 60]))]);
        maker.call(&[rank], "MPI_Send", &[(14, &numbers([0xffff_fffe, 0, 5, 60]))]);
        maker.call(&[rank], "MPI_Recv", &[(18, &numbers([other, 0, 4, 50]))]);
        maker.call(&[rank], "MPI_Irecv", &[(17, &ask(7))]);
        maker.call(&[rank], "MPI_Sendrecv", &[]);
        maker.call(&[rank], "MPI_Gather", &[(22, &[]), (23, &gather)]);
        maker.call(&[rank], "MPI_Isend", &[(15, &isend(other, 6, 8))]);
        maker.call(&[rank], "MPI_Wait", &[]);
    }
    maker.call(&[2], "MPI_Barrier", &[(22, &[]), (23, &barrier)]);
    maker.call(&[2], "MPI_Gather", &[(22, &[]), (23, &gather)]);
    let (told, left_out) = maker.done();
    let done = "init|barrier|irecv 1 3 100 6|isend 1 3 100 6|wait 1 0 3|wait 0 1 3|\
                irecv 1 5 60 6|send 1 4 50 6|send 1 5 60 6|recv 1 4 50 6|wait 1 0 5|\
                irecv 1 6 100 6|gather 24 24 0 6 6|isend 1 6 100 6|wait 1 0 6|wait 0 1 6|finalize";
    assert_eq!(told[0], done);
    assert_eq!(left_out, ["2 exchanges of which only the calls are told"]);
}
