//! What a tracer tells of small programs whose dates are known.

mod back;

use std::sync::{Arc, Mutex};

use foretell_mpi::{Comm, Mapping, Op, Payload, Result, Simulation};
use foretell_trace::timed::{Event, Lane, Message, Taken, Writer};

use super::*;

/// Keeps what it is told.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<(Vec<String>, Vec<Message>)>>);

impl Writer for Kept {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        let line = match event {
            Event::Names { state, name, place: None } => format!("{state} is {name}"),
            Event::Names { state, name, place: Some(place) } => {
                format!("{state} is {name} at {place}")
            }
            Event::Forms { comm, members, .. } => format!("comm {comm} has {members:?}"),
            Event::Enters { rank, state } => format!("{rank} enters {state}"),
            Event::Leaves { rank, state, since, collective, .. } => {
                let about = collective.map(|args| format!(" {}:{}", args.comm, args.bytes));
                assert!(*since <= date);
                format!("{rank} leaves {state}{}", about.unwrap_or_default())
            }
            Event::Sends(letter) => format!("{} sends to {}", letter.from, letter.to),
            Event::Posts { rank, .. } => format!("{rank} asks"),
            Event::Takes { rank, taken: Taken::Send, .. } => format!("{rank} has sent"),
            Event::Takes { rank, .. } => format!("{rank} has received"),
            Event::Delivers(message) => {
                self.0.lock().unwrap().1.push(**message);
                return;
            }
            Event::Draws { .. } | Event::Runs { .. } => return,
            Event::Marks { rank, name, .. } => format!("{rank} marks {name}"),
            Event::Ends { rank } => format!("{rank} ends"),
            Event::Begins { .. }
            | Event::Completes { .. }
            | Event::File { .. }
            | Event::Window { .. } => return,
        };
        self.0.lock().unwrap().0.push(line);
    }

    fn finish(self: Box<Self>, _: f64) -> std::result::Result<(), Problem> {
        self.0.lock().unwrap().0.push("finished".into());
        Ok(())
    }
}

/// What a scribe tells of a program of two ranks on two nodes, who hears of it through somebody.
fn told_through(
    hire: impl FnOnce(Scribe<Kept>) -> Box<dyn Hearer>,
    main: impl AsyncFn(Comm) -> Result<()> + 'static,
) -> (Vec<String>, Vec<Message>) {
    let kept = Kept::default();
    let tracer = Tracer::told_to(hire(Scribe::new(kept.clone(), 2, vec![Some(0); 144])));
    // Small messages move at once there.
    let platform = Platform::named("graphene").unwrap();
    let simulation = Simulation::new(platform).ranks(2).mapping(Mapping::Block(1));
    simulation.observer(tracer.clone()).run(main).unwrap();
    tracer.finish().unwrap();
    std::mem::take(&mut kept.0.lock().unwrap())
}

/// What is told of a program of two ranks on two nodes.
fn told(main: impl AsyncFn(Comm) -> Result<()> + 'static) -> (Vec<String>, Vec<Message>) {
    told_through(|scribe| Box::new(scribe), main)
}

#[test]
fn a_rank_is_in_one_state_until_it_enters_the_next() {
    let (lines, messages) = told(async |comm| match comm.rank() {
        0 => {
            comm.compute(1e6).await;
            comm.send(Payload::Size(8), 1, 0).await
        }
        _ => comm.recv(0, 0).await.map(drop),
    });
    assert_eq!(
        lines,
        [
            "0 is computing",
            "0 enters 0",
            "1 is MPI_Recv",
            "1 enters 1",
            "0 leaves 0",
            "2 is MPI_Send",
            "0 enters 2",
            "0 sends to 1",
            "0 leaves 2",
            "0 ends",
            "1 has received",
            "1 leaves 1",
            "1 ends",
            "finished",
        ]
    );
    let [message] = messages[..] else { panic!("one message") };
    assert_eq!(message.posted, 0.0, "the receiver asked at once");
    assert!(message.called > 0.0 && message.called <= message.sent);
    assert!(message.sent == message.departed && message.departed < message.arrived);
}

#[test]
fn a_large_message_departs_when_its_receiver_has_asked() {
    let (lines, messages) = told(async |comm| match comm.rank() {
        0 => {
            let request = comm.isend(Payload::Size(10_000_000), 1, 3).await?;
            comm.wait(request).await.map(drop)
        }
        _ => {
            comm.sleep(0.5).await;
            let request = comm.irecv(0, 3)?;
            comm.wait(request).await.map(drop)
        }
    });
    assert!(lines.contains(&"0 has sent".into()) && lines.contains(&"1 asks".into()), "{lines:?}");
    let [message] = messages[..] else { panic!("one message") };
    assert_eq!((message.departed, message.posted), (0.5, 0.5));
    assert!(message.sent < 0.1 && message.arrived > 0.5);
    assert_eq!((message.letter.tag, message.letter.bytes), (3, 10_000_000));
}

#[test]
fn a_message_that_comes_early_has_two_dates_at_its_end() {
    let (_, messages) = told(async |comm| match comm.rank() {
        0 => comm.send(Payload::Size(8), 1, 0).await,
        _ => {
            comm.sleep(0.5).await;
            comm.recv(0, 0).await.map(drop)
        }
    });
    let [message] = messages[..] else { panic!("one message") };
    assert!(message.arrived < 0.1 && message.posted == 0.5);
}

#[test]
fn collectives_tell_their_communicator_and_size() {
    let (lines, messages) = told(async |comm| {
        let pair = comm.dup().await?;
        pair.allreduce(Payload::Size(800), &Op::sum_f64()).await?;
        pair.send(Payload::Size(1), 1 - comm.rank() as i32, 0).await?;
        pair.recv(1 - comm.rank() as i32, 0).await.map(drop)
    });
    assert!(lines.contains(&"comm 1 has [0, 1]".into()), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.ends_with(" 1:800")).count(), 2, "{lines:?}");
    assert!(
        messages
            .iter()
            .all(|message| message.letter.lane != Lane::PointToPoint || message.letter.comm == 1)
    );
}

#[test]
fn what_the_program_marks_lies_outside_of_calls() {
    let (lines, _) = told(async |comm| {
        comm.mark(Mark::Begin, "solve");
        comm.barrier().await?;
        comm.mark(Mark::End, "solve");
        comm.mark(Mark::End, "one too many");
        Ok(())
    });
    let of_zero: Vec<&String> = lines.iter().filter(|line| line.starts_with("0 ")).collect();
    assert_eq!(of_zero[0], "0 marks solve");
    assert_eq!(of_zero[of_zero.len() - 2], "0 marks solve");
    assert!(of_zero[of_zero.len() - 3].starts_with("0 leaves"), "{lines:?}");
}

#[test]
fn calls_from_several_places_are_several_states() {
    let (lines, _) = told(async |comm| {
        let at = |line| comm.number_place(&Place { file: "a.c", line, function: "main" });
        let (first, second) = (at(3), at(9));
        for place in [first, second, first, 0] {
            comm.call_from(place);
            comm.barrier().await?;
            comm.compute(1.0).await;
        }
        Ok(())
    });
    let is = |what: &str| lines.iter().filter(|line| line.contains(what)).count();
    assert_eq!((is(" is MPI_Barrier"), is(" is computing")), (3, 1), "{lines:?}");
    assert!(lines.contains(&"0 is MPI_Barrier at a.c:3".into()), "{lines:?}");
    assert_eq!(is(" enters 0"), 4, "two ranks come to the first place twice: {lines:?}");
}

#[test]
fn a_thread_of_its_own_tells_the_same() {
    let main = async |comm: Comm| {
        let other = 1 - comm.rank() as i32;
        for round in 0..3000 {
            let place =
                comm.number_place(&Place { file: "a.c", line: 1 + round % 3, function: "" });
            comm.call_from(place);
            comm.compute(1e3).await;
            comm.send(Payload::Size(8), other, 0).await?;
            comm.recv(other, 0).await?;
            if round % 1000 == 7 {
                comm.mark(Mark::Begin, "part");
                comm.dup().await?.barrier().await?;
                comm.mark(Mark::End, "part");
            }
        }
        Ok(())
    };
    let aside = |scribe| -> Box<dyn Hearer> { Box::new(Aside::begin(Box::new(scribe)).unwrap()) };
    let (found, expected) = (told_through(aside, main), told(main));
    assert_eq!(found.1.len(), 6000 + 3 * 2);
    assert!(found == expected);
}

#[test]
fn a_trace_that_is_not_finished_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let platform = Platform::named("star-64").unwrap();
    let scene = Scene { program: "p", machine: "m", platform: &platform, hosts: &[HostId(0)] };
    for format in ["a.prv", "a.otf2", "a.csv", "a.html"] {
        let path = folder.path().join(format);
        let mut tracer = Tracer::create(&path, Format::of(&path).unwrap(), &scene).unwrap();
        (0..5000).for_each(|nth| tracer.observe_mark(f64::from(nth), 0, Mark::Here, "here"));
        drop(tracer);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
