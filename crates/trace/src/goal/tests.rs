//! Schedules as text and as bytes, and what is wrong with damaged ones.

use proptest::prelude::*;

use super::*;
use crate::{Amount, Form, Message, Peer, Trace};

fn opened(bytes: &[u8]) -> Result<Schedules, Problem> {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    Schedules::open(file.path())
}

const TEXT: &str = "// a comment\nnum_ranks 3\nrank 0 {\na: calc 1000 cpu 0\n\
                    b: send 4096b to 1 tag 5 cpu 0 nic 0\nb requires a\n/* more\n*/ }\n\
                    rank 1 {\na: recv 4096b from 0 tag 5\nl2 : calc 7\nl2 irequires a\n\
                    recv 1b from -1 tag -1 }\n";

fn message(peer: Peer, tag: Option<u32>, bytes: u64) -> Message {
    Message { peer, tag, size: Amount::of_bytes(bytes) }
}

#[test]
fn text_becomes_graphs() {
    let all = opened(TEXT.as_bytes()).unwrap();
    assert_eq!(all.ranks(), 3);
    let first = all.of(0).unwrap();
    let tasks: Vec<Task> = first.operations.iter().map(|one| one.task).collect();
    let send = Task::Send(message(Peer::Rank(1), Some(5), 4096));
    assert_eq!(tasks, [Task::Compute(1000), send]);
    assert_eq!((first.after(0), first.operations[1].needs), (&[1][..], 1));
    let second = all.of(1).unwrap();
    assert_eq!((second.after(0), second.beside(0)), (&[][..], &[1][..]));
    assert_eq!(second.operations[2].task, Task::Receive(message(Peer::Any, None, 1)));
    assert!(all.of(2).unwrap().operations.is_empty());
}

#[test]
fn the_binary_form_is_that_of_txt2bin() {
    // One rank with a computation that a send to itself waits for, put together by hand.
    let mut bytes = 4223_u64.to_le_bytes().to_vec();
    bytes.extend([1, 0, 0, 0, 1, 1]);
    bytes.extend(22_u64.to_le_bytes());
    bytes.extend((22_u64 + 8 + 4 + 2 * 39 + 4).to_le_bytes());
    bytes.extend([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]);
    let mut add = |needs: u32, kind: u8, size: u64, tag: u32, after: [u32; 2]| {
        bytes.extend(needs.to_le_bytes());
        bytes.push(kind);
        bytes.extend([0; 4]);
        bytes.extend(size.to_le_bytes());
        bytes.extend(tag.to_le_bytes());
        bytes.extend([0, 0]);
        after.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        // Lists that are empty may begin anywhere.
        bytes.extend(0_u32.to_le_bytes());
        bytes.extend(u32::MAX.to_le_bytes());
    };
    add(0, 3, 50, 0, [1, 0]);
    add(1, 1, 8, 9, [0, 999]);
    bytes.extend(1_u32.to_le_bytes());
    let all = opened(&bytes).unwrap();
    let only = all.of(0).unwrap();
    assert_eq!(only.operations[0].task, Task::Compute(50));
    assert_eq!(only.operations[1].task, Task::Send(message(Peer::Rank(0), Some(9), 8)));
    assert_eq!(only.after(0), [1]);
}

#[test]
fn mistakes_are_told_with_their_places() {
    let check = |text: &str, words: &str| {
        let problem = match opened(text.as_bytes()) {
            Ok(all) => all.of(0).unwrap_err(),
            Err(problem) => problem,
        };
        assert!(problem.to_string().contains(words), "{problem}");
    };
    check("num_ranks 0", ":1: there cannot be");
    check("num_ranks 2\nrank 5 {}", ":2: rank 5");
    check("num_ranks 2\nrank 0 { send 8b to 2 }", "no rank `2` among 2");
    check("num_ranks 2\nrank 0 {\na: calc 5\na requires b }", ":4: no operation");
    check("num_ranks 2\nrank 0 {\na: calc 5", "the file ends");
    check("num_ranks 2\nrank 0 {\n /* a: calc 5", "no end");
    check("num_ranks 1 rank 0 { a: calc 1 b: calc 1 a requires b b requires a }", "for ever");
    let mut bytes = 4223_u64.to_le_bytes().to_vec();
    bytes.extend([0xff; 60]);
    assert!(opened(&bytes).unwrap_err().to_string().contains("byte 8"));
}

#[test]
fn a_trace_may_be_a_schedule() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), TEXT).unwrap();
    let trace = Trace::open(file.path()).unwrap();
    assert_eq!((trace.form(), trace.ranks()), (Form::Goal, 3));
    assert_eq!(trace.schedule(0).unwrap().unwrap().operations.len(), 2);
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "(rank 0 \\{|num_ranks 2|send 1b to 1|recv|calc 3|a:|b|requires|\\}|[ \n/*]){0,20}") {
        if let Ok(all) = opened(format!("num_ranks 1 {text}").as_bytes()) {
            let _ = all.of(0);
        }
    }

    #[test]
    fn no_damage_makes_it_panic(at in any::<usize>(), byte in any::<u8>()) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), TEXT).unwrap();
        let mut encoded = text::encode(file.path()).unwrap();
        let mut bytes = Vec::new();
        std::io::Seek::rewind(&mut encoded).unwrap();
        encoded.read_to_end(&mut bytes).unwrap();
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(all) = opened(&bytes) {
            for rank in 0..all.ranks() {
                let _ = all.of(rank);
            }
        }
    }
}
