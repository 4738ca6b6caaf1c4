//! Files put together by hand become actions; damaged ones are refused.

use proptest::prelude::*;

use crate::{Problem, Trace};

/// A file of a rank, put together by hand.
struct Maker {
    bytes: Vec<u8>,
    time: u32,
    counters: u8,
    sizes: Vec<i32>,
}

impl Maker {
    fn new() -> Self {
        let mut bytes = super::stream::MAGIC.to_vec();
        bytes.extend([0; 8]);
        Self { bytes, time: 0, counters: 0, sizes: Vec::new() }
    }

    /// A call that takes a millisecond, one after the call before it.
    fn call(&mut self, function: u16, arguments: &[Argument<'_>]) -> &mut Self {
        self.bytes.extend(function.to_be_bytes());
        // Statuses and wall-clock times, and counters if there are some.
        self.bytes.push(if self.counters > 0 { 0b1000_1011 } else { 0b1011 });
        for _ in 0..2 {
            self.time += 1_000_000;
            self.bytes.extend(0_u16.to_be_bytes());
            self.bytes.extend(self.time.to_be_bytes());
        }
        if self.counters > 0 {
            self.bytes.push(self.counters);
            (0..self.counters).for_each(|counter| self.bytes.extend([counter; 16]));
        }
        for argument in arguments {
            match argument {
                Argument::Int(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::Short(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::Byte(number) => self.bytes.push(*number),
                Argument::Long(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::Text(text) => {
                    self.bytes.extend((text.len() as u32).to_be_bytes());
                    self.bytes.extend(text.as_bytes());
                }
                Argument::List(numbers) => {
                    self.bytes.extend((numbers.len() as u32).to_be_bytes());
                    numbers.iter().for_each(|number| self.bytes.extend(number.to_be_bytes()));
                }
                Argument::Status(statuses) => {
                    self.bytes.extend((statuses.len() as u32).to_be_bytes());
                    for [bytes, sender, tag] in *statuses {
                        self.bytes.extend(bytes.to_be_bytes());
                        self.bytes.extend(sender.to_be_bytes());
                        self.bytes.extend([0, 0]);
                        self.bytes.extend(tag.to_be_bytes());
                    }
                }
            }
        }
        self
    }

    fn finish(&mut self) -> Vec<u8> {
        self.bytes.extend(293_u16.to_be_bytes());
        let header = self.bytes.len() as u64;
        self.bytes.extend([0, 6, 9, 0, 0, 0, 0, 0]);
        let sizes = self.bytes.len() as u64;
        self.bytes.extend((self.sizes.len() as u32).to_be_bytes());
        self.sizes.iter().for_each(|size| self.bytes.extend(size.to_be_bytes()));
        self.bytes.extend(super::stream::MAGIC);
        for place in [sizes, 0, 0, header, 8, 0, 0] {
            self.bytes.extend(place.to_be_bytes());
        }
        self.bytes.clone()
    }
}

#[derive(Clone, Copy)]
enum Argument<'a> {
    Int(i32),
    Short(i16),
    Byte(u8),
    Long(i64),
    Text(&'a str),
    List(&'a [i32]),
    /// Bytes, sender and tag of each.
    Status(&'a [[i32; 3]]),
}

use Argument::{Byte, Int, List, Long, Short, Status, Text};

const BYTE: i16 = 5;
const DOUBLE: i16 = 14;
const WORLD: i16 = 2;
const ALONE: i16 = 3;

/// Two ranks that talk, split the world, and meet in the parts.
fn sample() -> [Vec<u8>; 2] {
    let file = |rank: i32| {
        let other = 1 - rank;
        let mut maker = Maker::new();
        maker.call(124, &[Int(0)]);
        maker.call(8, &[Int(10), Short(DOUBLE), Int(other), Int(7), Short(WORLD), Int(5)]);
        maker.call(12, &[Int(10), Short(DOUBLE), Int(other), Int(7), Short(WORLD), Int(6)]);
        maker.call(18, &[Int(2), List(&[5, 6]), Status(&[[80, 1, 7]; 2])]);
        maker.call(35, &[Int(3), Short(DOUBLE), Short(28)]);
        maker.call(65, &[Int(2), Short(28), Byte(3), Short(WORLD)]);
        maker.call(86, &[Short(WORLD), Int(0), Int(-rank), Short(4)]);
        maker.call(53, &[Int(8), Short(2), Int(0), Short(4)]);
        let mut gather = vec![Int(other), Int(rank + 1), Short(2), Int(0), Short(4)];
        if rank == 1 {
            gather.extend([Int(2), Short(2)]);
        }
        maker.call(54, &gather);
        maker.call(125, &[]);
        maker.finish()
    };
    [file(0), file(1)]
}

fn opened(files: &[Vec<u8>]) -> Result<Trace, Problem> {
    let folder = tempfile::tempdir().unwrap();
    let meta = format!("hostname=a\nnumprocs={}\nfileprefix=/elsewhere/run\n", files.len());
    std::fs::write(folder.path().join("run.meta"), meta).unwrap();
    for (rank, bytes) in files.iter().enumerate() {
        std::fs::write(folder.path().join(format!("run-{rank:04}.bin")), bytes).unwrap();
    }
    Trace::open(&folder.path().join("run.meta"))
}

fn lines(trace: &Trace, rank: u32) -> Vec<String> {
    let mut cursor = trace.cursor(rank);
    let mut lines = Vec::new();
    while let Some(action) = cursor.next().unwrap() {
        lines.push(action.to_string());
    }
    lines
}

/// What a rank does besides computing.
fn done(trace: &Trace, rank: u32) -> String {
    let mut lines = lines(trace, rank);
    lines.retain(|line| !line.starts_with("compute"));
    lines.join("|")
}

#[test]
fn calls_become_actions() {
    let trace = opened(&sample()).unwrap();
    let mut lines = lines(&trace, 1);
    let computed = lines.iter().filter(|line| line.starts_with("compute 0.00")).count();
    assert_eq!(computed, 9, "{lines:?}");
    lines.retain(|line| !line.starts_with("compute"));
    assert_eq!(
        lines,
        [
            "init",
            "isend 0 7 80 6",
            "irecv 0 7 80 6",
            "wait 1 0 7",
            "wait 0 1 7",
            "allreduce 6 0 0",
            "comm_def 1 1:1:1 0:1:1",
            "within 1",
            "bcast 8 0 6",
            "within 1",
            "gather 2 2 0 6 6",
            "finalize"
        ]
    );
    assert!(trace.left_out().is_empty());
}

/// A message of bytes on the world.
fn message(count: i32, peer: i32, tag: i32) -> [Argument<'static>; 5] {
    [Int(count), Short(BYTE), Int(peer), Int(tag), Short(WORLD)]
}

/// The same, with a request.
fn request(count: i32, peer: i32, tag: i32, request: i32) -> [Argument<'static>; 6] {
    let [count, datatype, peer, tag, comm] = message(count, peer, tag);
    [count, datatype, peer, tag, comm, Int(request)]
}

#[test]
fn the_arguments_of_all_functions_are_known() {
    // There is no record of MPI_Pcontrol, and 290 is no function.
    let unknown = |function: &u16| super::calls::arguments(*function).is_none();
    assert_eq!((0..super::calls::END_OF_STREAM).filter(unknown).collect::<Vec<_>>(), [128, 290]);
}

#[test]
fn what_goes_to_minus_one_goes_to_nobody() {
    // With MPICH, nobody and any sender have one number. Statuses tell them apart, though those of
    // messages from nobody are left as they were; where there are none, the send does.
    let mut maker = Maker::new();
    maker.call(0, &message(4, -1, 3));
    let [count, datatype, peer, tag, comm] = message(4, -1, 3);
    maker.call(1, &[count, datatype, peer, tag, comm, Status(&[])]);
    let [count, datatype, peer, tag, comm] = message(4, -1, 3);
    maker.call(1, &[count, datatype, peer, tag, comm, Status(&[[0, 0, 0]])]);
    maker.call(8, &request(4, 0, 9, 2));
    maker.call(12, &request(4, -1, 3, 3));
    maker.call(12, &request(4, -1, 9, 5));
    maker.call(18, &[Int(3), List(&[2, 3, 5]), Status(&[[0, 0, 0], [0, 0, 0], [4, 0, 9]])]);
    let trace = opened(&[maker.finish()]).unwrap();
    let expected = "init|isend 0 9 4 6|irecv 0 9 4 6|wait 0 0 9|wait 0 0 9|finalize";
    assert_eq!(done(&trace, 0), expected);
    assert!(trace.left_out().is_empty());
}

#[test]
fn sends_may_share_a_request() {
    let mut maker = Maker::new();
    maker.call(12, &request(1, 0, 1, 3)).call(12, &request(2, 0, 2, 2));
    maker.call(8, &request(1, 0, 1, 4)).call(8, &request(2, 0, 2, 4));
    maker.call(18, &[Int(4), List(&[4, 4, 2, 3]), Status(&[])]);
    maker.call(13, &[Int(77), Status(&[])]);
    let trace = opened(&[maker.finish()]).unwrap();
    // The receives from the rank itself are older and have the same names.
    let expected = "younger 1|wait 0 0 1|younger 1|wait 0 0 2|wait 0 0 2|wait 0 0 1|finalize";
    assert!(done(&trace, 0).ends_with(expected), "{}", done(&trace, 0));
    assert_eq!(trace.left_out(), ["1 waits for requests of calls that are not told"]);
}

#[test]
fn counters_are_passed_over_and_files_are_told() {
    let mut maker = Maker::new();
    maker.counters = 3;
    maker.call(171, &[Int(1), Text("program"), Byte(2), Byte(2)]);
    maker.call(230, &[Short(WORLD), Text("name"), Byte(2), Short(0), Short(1)]);
    maker.call(240, &[Short(1), Long(0), Short(BYTE), Short(BYTE), Text("native"), Short(0)]);
    maker.call(246, &[Short(1), Long(1 << 40), Int(8), Short(BYTE), Int(9)]);
    maker.call(251, &[Short(1), Int(800), Short(BYTE), Status(&[[800, 0, 0]])]);
    maker.call(13, &[Int(9), Status(&[[8, 0, 0]])]);
    maker.call(248, &[Short(1), Int(800), Short(DOUBLE), Status(&[[24, 0, 0]])]);
    maker.call(271, &[Short(1), Int(10), Short(DOUBLE)]);
    maker.call(272, &[Short(1), Status(&[[80, 0, 0]])]);
    maker.call(231, &[Short(1)]);
    // One that is opened by the rank alone, and one that nobody has opened.
    maker.call(230, &[Short(ALONE), Text("own"), Byte(2), Short(0), Short(2)]);
    maker.call(249, &[Short(2), Int(8), Short(BYTE), Status(&[])]);
    maker.call(252, &[Short(3), Int(8), Short(BYTE), Int(9)]);
    maker.call(13, &[Int(9), Status(&[])]);
    let trace = opened(&[maker.finish()]).unwrap();
    let told = done(&trace, 0);
    let rounded = told.split('|').map(|word| match word.strip_prefix("sleep ") {
        Some(seconds) => format!("sleep {:.3}", seconds.parse::<f64>().unwrap()),
        None => word.to_owned(),
    });
    let expected = "init|file_open|file_meet|later 0|file_read 8|file_write_all 800|await 0|\
                    file_read 24|later 0|file_write_all 80|await 0|file_close|file_read 0|\
                    file_read 8|sleep 0.001|sleep 0.001|finalize";
    assert_eq!(rounded.collect::<Vec<_>>().join("|"), expected);
    assert!(trace.left_out().is_empty());
}

#[test]
fn what_is_done_with_windows_is_told() {
    let file = |rank: i32| {
        let (other, window) = (1 - rank, Short(7));
        let operation = |target: i32, count: i32| {
            [Int(count), Short(DOUBLE), Int(target), Int(0), Int(count), Short(DOUBLE)]
        };
        let mut maker = Maker::new();
        // The communicator may be gone when the window is used.
        maker.call(86, &[Short(WORLD), Int(0), Int(-rank), Short(4)]);
        maker.call(145, &[Int(64), Int(1), Short(0), Short(4), Short(7)]);
        maker.call(87, &[Short(4)]);
        maker.call(146, &[Byte(8), Short(7)]);
        maker.call(143, &[&operation(0, 2)[..], &[Short(7)]].concat());
        maker.call(146, &[Byte(0), Short(7)]);
        maker.call(149, &[Byte(2), Int(1), Byte(1), Short(7)]);
        maker.call(142, &[&operation(1, 3)[..], &[Short(7)]].concat());
        maker.call(153, &[Int(1), Short(7)]);
        maker.call(72, &[Short(WORLD), Short(3)]);
        maker.call(76, &[Short(3), Int(1), List(&[other]), Short(4)]);
        maker.call(150, &[Short(4), Byte(0), Short(7)]);
        maker.call(151, &[Short(4), Byte(0), Short(7)]);
        maker.call(141, &[&operation(-1, 1)[..], &[Byte(3), Short(7)]].concat());
        maker.call(141, &[&operation(rank, 4)[..], &[Byte(3), Short(7)]].concat());
        maker.call(144, &[Short(7)]);
        maker.call(152, &[Short(7), Int(0)]);
        maker.call(154, &[window]);
        maker.call(146, &[Byte(16), Short(7)]);
        maker.call(147, &[Short(7)]);
        maker.call(153, &[Int(0), Short(7)]);
        maker.finish()
    };
    let trace = opened(&[file(0), file(1)]).unwrap();
    let expected = "init|comm_def 1 1:1:1 0:1:1|within 1|win_create 7|win_fence 7|put 7 1 16|\
                    win_fence 7 last|win_lock 7 0 exclusive unchecked|get 7 0 24|win_unlock 7 0|\
                    win_post 7 1:1:1|win_start 7 1:1:1|accumulate 7 1 32|win_complete 7|\
                    win_wait 7|win_fence 7 last|win_free 7|finalize";
    assert_eq!(done(&trace, 0), expected);
    assert_eq!(trace.left_out(), ["2 calls on windows that are not known"]);
}

#[test]
fn messages_between_groups_go_to_the_other_side() {
    // Ranks 0 and 1 here, 2 there; leaders are 1 and 2. Both are then one, the latter first.
    let file = |rank: i32| {
        let (is_first, between) = (rank < 2, Short(5));
        let mut maker = Maker::new();
        maker.call(86, &[Short(WORLD), Int(rank / 2), Int(0), Short(4)]);
        let (leader, remote) = if is_first { (1, 2) } else { (0, 1) };
        maker.call(91, &[Short(4), Int(leader), Short(WORLD), Int(remote), Int(9), Short(5)]);
        let whom = |peer: i32| [Int(8), Short(BYTE), Int(peer), Int(3), Short(5)];
        match rank {
            0 => _ = maker.call(0, &whom(0)),
            2 => {
                let asked = [&whom(-1)[..], &[Status(&[[8, 0, 3]])]].concat();
                maker.call(1, &asked);
            }
            _ => {}
        }
        // The root is rank 1, which is none of its side's number.
        let root = [-1, -3, 1][rank as usize];
        maker.call(53, &[Int(8), Short(BYTE), Int(root), Short(5)]);
        let scattered = [Int(rank % 2), Int(9), Short(BYTE), Int(root), Short(5)];
        maker.call(56, &scattered);
        maker.call(52, &[between]);
        let lists = [List(&[3]), List(&[0]), Short(BYTE), List(&[5]), List(&[0])];
        let counts = [&[Int(1)][..], &lists, &[Short(BYTE), Short(5)]].concat();
        maker.call(61, &counts);
        maker.call(92, &[Short(5), Int(i32::from(is_first)), Short(6)]);
        maker.call(53, &[Int(8), Short(BYTE), Int(0), Short(6)]);
        maker.finish()
    };
    let trace = opened(&[file(0), file(1), file(2)]).unwrap();
    let told = |rank| done(&trace, rank);
    let ends = "comm_def 4 2:1:1 0:2:1|within 4|bcast 8 0 6|finalize";
    let sides = "inter_def 3 0:2:1 | 2:1:1|within 3";
    let tag = crate::untimed::tag_of(3, 3);
    let across = |root: &str, all: &str| {
        format!(
            "{sides}|bcast 8 {root} 6|within 3|scatter 9 9 {root} 6 6|within 3|barrier|within 3|\
             alltoallv {all} 6 6|{ends}"
        )
    };
    let [lower, upper] = ["3 3 0 0 3 3 0 0", "6 3 3 0 6 3 3 0"];
    assert_eq!(told(0), format!("init|send 2 {tag} 8 6|{}", across("nobody", lower)));
    assert_eq!(told(1), format!("init|{}", across("self", lower)));
    assert_eq!(told(2), format!("init|recv 0 {tag} 8 6|{}", across("1", upper)));
    assert_eq!(trace.left_out(), Vec::<String>::new());
}

#[test]
fn sizes_are_those_of_the_file_where_no_call_tells_them() {
    let mut maker = Maker::new();
    // Fortran's numbers of eight bytes, and a handle that is used for two datatypes.
    maker.sizes = [vec![0; 28], vec![8, 48]].concat();
    maker.call(0, &[Int(5), Short(28), Int(0), Int(1), Short(WORLD)]);
    maker.call(36, &[Int(2), Int(3), Int(9), Short(28), Short(29)]);
    maker.call(0, &[Int(1), Short(29), Int(0), Int(1), Short(WORLD)]);
    maker.call(47, &[Short(29)]);
    maker.call(
        223,
        &[Int(2), List(&[9, 9]), List(&[2, 5]), List(&[0, 0]), Byte(1), Short(28), Short(29)],
    );
    maker.call(0, &[Int(1), Short(29), Int(0), Int(1), Short(WORLD)]);
    let trace = opened(&[maker.finish()]).unwrap();
    assert_eq!(done(&trace, 0), "init|send 0 1 40 6|send 0 1 48 6|send 0 1 80 6|finalize");
}

#[test]
fn groups_say_who_is_in_a_communicator_and_where() {
    // All make communicators of two groups in one call: ranks 2 and 0, and ranks 1 and 3. Then the
    // handle is given up, and used for one that no call of the trace makes.
    let file = |rank: i32| {
        let mut maker = Maker::new();
        maker.call(72, &[Short(WORLD), Short(3)]);
        maker.call(78, &[Short(3), Int(1), Int(1), List(&[2, 0, -2]), Short(4)]);
        maker.call(75, &[Short(3), Short(4), Short(5)]);
        maker.call(85, &[Short(WORLD), Short(if rank % 2 == 0 { 4 } else { 5 }), Short(4)]);
        maker.call(53, &[Int(8), Short(BYTE), Int(0), Short(4)]);
        let counts: &[i32] = if rank < 2 { &[1, 2] } else { &[3, 4] };
        let back: &[i32] = if rank < 2 { &[2, 4] } else { &[1, 3] };
        let zeros: &[i32] = &[0, 0];
        maker.call(
            61,
            &[
                Int(2),
                List(counts),
                List(zeros),
                Short(BYTE),
                List(back),
                List(zeros),
                Short(BYTE),
                Short(4),
            ],
        );
        maker.call(87, &[Short(4)]);
        maker.call(52, &[Short(4)]);
        maker.finish()
    };
    let trace = opened(&[file(0), file(1), file(2), file(3)]).unwrap();
    let part = |rank| done(&trace, rank);
    let even = "init|comm_def 2 2:1:1 0:1:1|within 2|bcast 8 0 6|within 2|alltoallv";
    assert_eq!(part(0), format!("{even} 3 1 2 0 0 6 2 4 0 0 6 6|finalize"));
    assert_eq!(part(2), format!("{even} 7 3 4 0 0 4 1 3 0 0 6 6|finalize"));
    assert!(part(1).starts_with("init|comm_def 1 1:2:2|within 1|"), "{}", part(1));
    assert_eq!(trace.left_out(), ["4 collectives of communicators that are not known"]);
}

#[test]
fn mistakes_are_told_with_their_bytes() {
    let check = |files: &[Vec<u8>], words: &str| {
        let problem = opened(files).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    };
    let [first, second] = sample();
    check(&[first.clone(), b"nothing".to_vec()], "run-0001.bin: byte 0: this is not");
    let unknown = Maker::new().call(290, &[]).finish();
    check(&[unknown], "byte 16: there is no function 290 among those of MPI");
    let beyond = Maker::new().call(0, &[Int(1), Short(2), Int(9), Int(0), Short(WORLD)]).finish();
    check(&[beyond], "byte 16: there is no rank 9 among 1");
    let tagless = Maker::new().call(0, &[Int(1), Short(2), Int(0), Int(-7), Short(WORLD)]).finish();
    check(&[tagless], "byte 16: the tag of a send is 0 or more, not -7");
    let long = Maker::new().call(32, &[Int(1), Int(i32::MAX)]).finish();
    check(&[long], "there is no room for 2147483647");
    assert!(opened(&[second[..100].to_vec(), first]).is_err());
}

proptest! {
    #[test]
    fn no_damage_makes_it_panic(at in any::<usize>(), byte in any::<u8>()) {
        let mut files = sample();
        let at = at % files[0].len();
        files[0][at] = byte;
        let _ = opened(&files);
    }
}
