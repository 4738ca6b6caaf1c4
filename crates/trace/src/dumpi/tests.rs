//! Files put together by hand become actions; damaged ones are refused.

use proptest::prelude::*;

use crate::{Problem, Trace};

/// A file of a rank, put together by hand.
struct Maker {
    bytes: Vec<u8>,
    time: u32,
}

impl Maker {
    fn new() -> Self {
        let mut bytes = super::stream::MAGIC.to_vec();
        bytes.extend([0; 8]);
        Self { bytes, time: 0 }
    }

    /// A call that takes a millisecond, one after the call before it.
    fn call(&mut self, function: u16, arguments: &[Argument<'_>]) -> &mut Self {
        self.bytes.extend(function.to_be_bytes());
        // Statuses and wall-clock times.
        self.bytes.push(0b1011);
        for _ in 0..2 {
            self.time += 1_000_000;
            self.bytes.extend(0_u16.to_be_bytes());
            self.bytes.extend(self.time.to_be_bytes());
        }
        for argument in arguments {
            match argument {
                Argument::Int(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::Short(number) => self.bytes.extend(number.to_be_bytes()),
                Argument::List(numbers) => {
                    self.bytes.extend((numbers.len() as u32).to_be_bytes());
                    numbers.iter().for_each(|number| self.bytes.extend(number.to_be_bytes()));
                }
                Argument::Status(count) => {
                    self.bytes.extend(count.to_be_bytes());
                    (0..*count).for_each(|_| self.bytes.extend([0; 14]));
                }
            }
        }
        self
    }

    fn finish(&mut self) -> Vec<u8> {
        self.bytes.extend(293_u16.to_be_bytes());
        let header = self.bytes.len() as u64;
        self.bytes.extend([0, 6, 9, 0, 0, 0, 0, 0]);
        self.bytes.extend(super::stream::MAGIC);
        for place in [0, 0, 0, header, 8, 0, 0] {
            self.bytes.extend(place.to_be_bytes());
        }
        self.bytes.clone()
    }
}

enum Argument<'a> {
    Int(i32),
    Short(i16),
    List(&'a [i32]),
    Status(u32),
}

use Argument::{Int, List, Short, Status};

const DOUBLE: i16 = 14;
const WORLD: i16 = 2;

/// Two ranks that talk, split the world, and meet in the parts.
fn sample() -> [Vec<u8>; 2] {
    let file = |rank: i32| {
        let other = 1 - rank;
        let mut maker = Maker::new();
        maker.call(124, &[Int(0)]);
        maker.call(8, &[Int(10), Short(DOUBLE), Int(other), Int(7), Short(WORLD), Int(5)]);
        maker.call(12, &[Int(10), Short(DOUBLE), Int(other), Int(7), Short(WORLD), Int(6)]);
        maker.call(18, &[Int(2), List(&[5, 6]), Status(2)]);
        maker.call(35, &[Int(3), Short(DOUBLE), Short(28)]);
        maker.call(65, &[Int(2), Short(28), Short(3), Short(WORLD)]);
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

#[test]
fn calls_become_actions() {
    let trace = opened(&sample()).unwrap();
    let mut cursor = trace.cursor(1);
    let mut lines = Vec::new();
    while let Some(action) = cursor.next().unwrap() {
        lines.push(action.to_string());
    }
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

#[test]
fn mistakes_are_told_with_their_bytes() {
    let check = |files: &[Vec<u8>], words: &str| {
        let problem = opened(files).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    };
    let [first, second] = sample();
    check(&[first.clone(), b"nothing".to_vec()], "run-0001.bin: byte 0: this is not");
    let unknown = Maker::new().call(230, &[]).finish();
    check(&[unknown], "byte 16: the arguments of function 230 are not known");
    let beyond = Maker::new().call(0, &[Int(1), Short(2), Int(9), Int(0), Short(WORLD)]).finish();
    check(&[beyond], "byte 16: there is no rank 9 among 1");
    let to_any = Maker::new().call(0, &[Int(1), Short(2), Int(-1), Int(0), Short(WORLD)]).finish();
    check(&[to_any], "byte 16: a send names the rank it goes to");
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
