//! The critical path of made-up programs, held against replays in which work was taken away.
//!
//! On a network without contention, what is not on the path does not matter if it is done faster,
//! and what is on it does, unless another path is as long.

use std::rc::Rc;

use foretell_mpi::{Mapping, Simulation};
use foretell_platform::{ModelKind, Platform};
use foretell_trace::Form;
use foretell_trace::timed::{CriticalPath, Format, Stay, Step, What, Whole};
use proptest::prelude::*;

use crate::synthetic::replay_of;
use crate::{Scene, Tracer};

const RANKS: u32 = 4;

/// What ranks do between two rounds of work.
#[derive(Debug, Clone, Copy)]
enum Pattern {
    /// Each sends to the next, and receives meanwhile.
    Ring {
        bytes: u64,
    },
    /// Messages go from rank to rank, one behind the other.
    Chain {
        bytes: u64,
    },
    Allreduce,
    Barrier,
    Bcast {
        root: u32,
    },
}

/// One round: flops of each rank, and what follows.
type Round = ([u32; RANKS as usize], Pattern);

fn round() -> impl Strategy<Value = Round> {
    // One size moves at once, the other when its receiver has asked for it.
    let bytes = || prop_oneof![Just(800), Just(400_000)];
    let pattern = prop_oneof![
        bytes().prop_map(|bytes| Pattern::Ring { bytes }),
        bytes().prop_map(|bytes| Pattern::Chain { bytes }),
        Just(Pattern::Allreduce),
        Just(Pattern::Barrier),
        (0..RANKS).prop_map(|root| Pattern::Bcast { root }),
    ];
    // A microsecond to ten milliseconds, of which no two sums are the same.
    (prop::array::uniform4(10_000..100_000_000_u32), pattern)
}

/// The trace of a program, of whose computations this share is left: by rank and number.
fn text(rounds: &[Round], share: impl Fn(u32, usize) -> f64) -> String {
    let mut text = String::new();
    for rank in 0..RANKS {
        let (next, last) = ((rank + 1) % RANKS, (rank + RANKS - 1) % RANKS);
        let mut line = |words: String| text += &format!("{rank} {words}\n");
        line("init".into());
        for (nth, (flops, pattern)) in rounds.iter().enumerate() {
            line(format!("compute {}", f64::from(flops[rank as usize]) * share(rank, nth)));
            match *pattern {
                Pattern::Ring { bytes } => {
                    line(format!("irecv {last} 1 {bytes} 6"));
                    line(format!("send {next} 1 {bytes} 6"));
                    line(format!("wait {last} {rank} 1"));
                }
                Pattern::Chain { bytes } => {
                    if rank > 0 {
                        line(format!("recv {last} 2 {bytes} 6"));
                    }
                    if next > 0 {
                        line(format!("send {next} 2 {bytes} 6"));
                    }
                }
                Pattern::Allreduce => line("allreduce 8 0 6".into()),
                Pattern::Barrier => line("barrier".into()),
                Pattern::Bcast { root } => line(format!("bcast 800 {root} 6")),
            }
        }
    }
    text
}

fn traced(text: &str) -> Whole {
    let mut platform = Platform::named("star-64").unwrap();
    platform.network_mut().model = ModelKind::Constant;
    let hosts = Mapping::Block(1).hosts(RANKS, &platform);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    let scene = Scene { program: "", machine: "", platform: &platform, hosts: &hosts };
    let tracer = Tracer::create(&path, Format::Csv, &scene).unwrap();
    let replay = Rc::new(replay_of(text, Form::TimeIndependent));
    let simulation = Simulation::new(platform).ranks(RANKS).mapping(Mapping::Block(1));
    simulation.observer(tracer.clone()).run(move |world| replay.main(world)).unwrap();
    tracer.finish().unwrap();
    Whole::read(&path).unwrap()
}

/// Which computations are on the path: rank and number.
fn computations(whole: &Whole, path: &CriticalPath) -> Vec<(u32, usize)> {
    let computing = whole.states.iter().position(|name| name == "computing").unwrap() as u32;
    let steps = path.steps.iter().filter(|step| step.what == What::Stay(computing));
    // Two computations with a call between them that took no time are one step.
    let numbers = |step: &Step| {
        let own = whole.stays[step.rank as usize].iter().filter(|stay| stay.state == computing);
        let is_within = |stay: &Stay| stay.begin >= step.begin && stay.end <= step.end;
        let own = own.enumerate().filter(|(_, stay)| is_within(stay));
        own.map(|(nth, _)| (step.rank, nth)).collect::<Vec<_>>()
    };
    steps.flat_map(numbers).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_path_is_without_gaps_as_long_as_the_run_and_what_the_run_waited_for(
        rounds in prop::collection::vec(round(), 1..12),
    ) {
        let whole = traced(&text(&rounds, |_, _| 1.0));
        let path = CriticalPath::of(&whole);
        prop_assert_eq!((path.steps[0].begin, path.seconds), (0.0, whole.end));
        prop_assert!(path.steps.windows(2).all(|two| two[0].end == two[1].begin));
        let ranks = |step: &Step| match step.what {
            What::Stay(_) => (step.rank, step.rank),
            What::Message { leads, .. } => leads,
        };
        prop_assert!(path.steps.windows(2).all(|two| ranks(&two[0]).1 == ranks(&two[1]).0));
        prop_assert_eq!(path.steps.last().unwrap().end, whole.end);
        let on = computations(&whole, &path);
        let is_on = |rank, nth| on.contains(&(rank, nth));
        // Dates of the table are rounded to a picosecond.
        let grain = 1e-11 * rounds.len() as f64;
        let others_gone = traced(&text(&rounds, |rank, nth| f64::from(u8::from(is_on(rank, nth)))));
        prop_assert!((others_gone.end - whole.end).abs() < grain, "{} {}", others_gone.end, whole.end);
        let on_path: f64 = on.iter().map(|(rank, nth)| f64::from(rounds[*nth].0[*rank as usize])).sum();
        let shorter = traced(&text(&rounds, |rank, nth| if is_on(rank, nth) { 0.999 } else { 1.0 }));
        prop_assert!(shorter.end < whole.end, "{on_path} flops are on the path");
    }
}
