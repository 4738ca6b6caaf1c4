//! Random programs of messages and collectives: a trace of each format tells what they do.

use std::fmt::Write;
use std::path::Path;

use foretell_platform::HostId;
use foretell_trace::timed::Format;
use foretell_trace::{Form, Trace};
use proptest::prelude::*;

use super::*;
use crate::Replay;

const RANKS: u32 = 4;

/// What some of the ranks do together. Receivers are counted from the senders.
#[derive(Debug, Clone, Copy)]
enum Step {
    Send { from: u32, ahead: u32, bytes: u64 },
    Begin { from: u32, ahead: u32, bytes: u64 },
    WaitAll { is_reversed: bool },
    Collective { name: &'static str, bytes: u64, root: u32 },
    Compute { rank: u32, flops: u32 },
}

fn step() -> impl Strategy<Value = Step> {
    let sizes = prop::sample::select(vec![0_u64, 8, 1000, 70_000, 300_000]);
    let message = (0..RANKS, 1..RANKS, sizes.clone());
    let names = vec!["barrier", "bcast", "reduce", "allreduce", "gather", "allgather", "alltoall"];
    prop_oneof![
        message.clone().prop_map(|(from, ahead, bytes)| Step::Send { from, ahead, bytes }),
        message.prop_map(|(from, ahead, bytes)| Step::Begin { from, ahead, bytes }),
        any::<bool>().prop_map(|is_reversed| Step::WaitAll { is_reversed }),
        (prop::sample::select(names), 1..500_u64, 0..RANKS)
            .prop_map(|(name, words, root)| Step::Collective { name, bytes: 8 * words, root }),
        (0..RANKS, 1..1_000_000_u32).prop_map(|(rank, flops)| Step::Compute { rank, flops }),
    ]
}

/// The lines of all ranks: each step is behind those before it, so nobody waits in vain.
fn program(steps: &[Step]) -> String {
    let mut text = (0..RANKS).map(|rank| format!("{rank} init\n")).collect::<String>();
    let mut begun = vec![Vec::new(); RANKS as usize];
    for (nth, step) in steps.iter().enumerate() {
        let _ = match *step {
            Step::Send { from, ahead, bytes } => {
                let (to, tag) = ((from + ahead) % RANKS, 100 + nth);
                write!(text, "{from} send {to} {tag} {bytes} 6\n{to} recv {from} {tag} {bytes} 6\n")
            }
            Step::Begin { from, ahead, bytes } => {
                let to = (from + ahead) % RANKS;
                [from, to].iter().for_each(|rank| begun[*rank as usize].push((from, to)));
                write!(text, "{from} isend {to} 7 {bytes} 6\n{to} irecv {from} 7 {bytes} 6\n")
            }
            Step::WaitAll { is_reversed } => {
                wait_all(&mut text, &mut begun, is_reversed);
                Ok(())
            }
            Step::Collective { name, bytes, root } => (0..RANKS).try_for_each(|rank| {
                let about = match name {
                    "barrier" => String::new(),
                    "bcast" => format!("{bytes} {root} 6"),
                    "reduce" => format!("{} 0 {root} 0", bytes / 8),
                    "allreduce" => format!("{} 0 0", bytes / 8),
                    "gather" => format!("{bytes} {bytes} {root} 6 6"),
                    _ => format!("{bytes} {bytes} 6 6"),
                };
                writeln!(text, "{rank} {name} {about}")
            }),
            Step::Compute { rank, flops } => writeln!(text, "{rank} compute {flops}"),
        };
    }
    wait_all(&mut text, &mut begun, false);
    text
}

/// All ranks wait for what they have begun, one after the other.
fn wait_all(text: &mut String, begun: &mut [Vec<(u32, u32)>], is_reversed: bool) {
    for (rank, begun) in begun.iter_mut().enumerate() {
        while let Some(at) =
            begun.len().checked_sub(1).map(|last| if is_reversed { last } else { 0 })
        {
            let (from, to) = begun.remove(at);
            let older = begun[..at].iter().filter(|other| **other == (from, to)).count();
            if older > 0 {
                let _ = writeln!(text, "#@ {rank} younger {older}");
            }
            let _ = writeln!(text, "{rank} wait {from} {to} 7");
        }
    }
}

/// Replays a trace and writes another of it.
fn traced(program: &Path, path: &Path, format: Format) {
    let platform = || Platform::named("star-64").unwrap();
    let hosts: Vec<HostId> = (0..RANKS).map(HostId).collect();
    let (machine, here) = ("star-64", platform());
    let scene = Scene { program: "any", machine, platform: &here, hosts: &hosts };
    let tracer = Tracer::create(path, format, &scene).unwrap();
    let trace = Trace::open_as(program, Form::TimeIndependent).unwrap();
    let replay = Rc::new(Replay::new(trace));
    let simulation = Simulation::new(platform()).ranks(RANKS).mapping(Mapping::Block(1));
    let report = simulation.observer(tracer.clone()).run(async move |comm| replay.main(comm).await);
    report.unwrap();
    tracer.finish().unwrap();
}

/// What a trace tells of a rank: messages and collectives, and waits for what it receives, each
/// with how many older receives of the same message there are.
fn told(trace: &Trace, rank: u32) -> (Vec<String>, Vec<String>) {
    let mut cursor = trace.cursor(rank);
    let (mut done, mut waits, mut older) = (Vec::new(), Vec::new(), String::new());
    while let Some(action) = cursor.next().unwrap() {
        let line = action.to_string();
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[0] {
            "init" | "finalize" | "compute" => {}
            "younger" => older = line,
            "wait" => {
                let older = std::mem::take(&mut older);
                if words[2] == rank.to_string() {
                    waits.push(format!("{older} {line}"));
                }
            }
            _ => done.push(line),
        }
    }
    (done, waits)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn traces_of_any_program_tell_what_it_does(steps in prop::collection::vec(step(), 1..30)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.txt");
        std::fs::write(&path, program(&steps)).unwrap();
        let original = Trace::open_as(&path, Form::TimeIndependent).unwrap();
        for format in [Format::Otf2, Format::Paraver, Format::Csv] {
            let dated = folder.path().join(format!("a.{}", format.endings()[0]));
            traced(&path, &dated, format);
            let again = Trace::open(&dated).unwrap();
            prop_assert_eq!(again.left_out(), &[] as &[String]);
            for rank in 0..RANKS {
                let ((mut before, waits), (mut after, waited)) =
                    (told(&original, rank), told(&again, rank));
                prop_assert_eq!(waits.len(), waited.len());
                match format {
                    // Only archives tell requests; others tell which messages there are, and not
                    // which of two calls of the same date is for which.
                    Format::Otf2 => prop_assert_eq!(waits, waited),
                    _ => [&mut before, &mut after].into_iter().for_each(|lines| {
                        lines.iter_mut().for_each(|line| *line = line.replace("irecv", "recv").replace("isend", "send"));
                        lines.sort();
                    }),
                }
                prop_assert_eq!(before, after, "{:?}, rank {}", format, rank);
            }
        }
    }
}
