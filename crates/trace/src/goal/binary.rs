//! The binary form, as LogGOPSim's `txt2bin` writes it: numbers have their lowest byte first.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;

use super::{COOKIE, MOST_RANKS, Operation, Schedule, Task, Wrong};
use crate::action::{Amount, Message, Peer};

/// Bytes of an operation.
const OPERATION: usize = 39;
/// Bytes before the table of places.
const HEADER: u64 = 14;
/// Stands for any sender, and for any tag.
const ANY: u32 = u32::MAX;

/// Kinds of operations.
mod kind {
    pub(super) const SEND: u8 = 1;
    pub(super) const RECEIVE: u8 = 2;
    pub(super) const COMPUTE: u8 = 3;
}

/// Where the schedules of ranks are.
pub(super) fn places(file: &File) -> Result<Vec<Range<u64>>, Wrong> {
    let length = file.metadata().map_err(Wrong::File)?.len();
    let mut header = [0; HEADER as usize];
    if length < HEADER {
        return Err(Wrong::Byte(length, "the header of a schedule ends too early".into()));
    }
    file.read_exact_at(&mut header, 0).map_err(Wrong::File)?;
    let ranks = u32_at(&header, 8);
    // Each rank takes sixteen bytes of the table: a wrong number asks for no room.
    if ranks == 0 || ranks > MOST_RANKS || HEADER + 16 * u64::from(ranks) > length {
        return Err(Wrong::Byte(8, format!("there cannot be {ranks} ranks in so short a file")));
    }
    let mut table = vec![0; 16 * ranks as usize];
    file.read_exact_at(&mut table, HEADER).map_err(Wrong::File)?;
    let mut places = Vec::with_capacity(ranks as usize);
    for (rank, entry) in table.chunks_exact(16).enumerate() {
        // Places are counted from behind the cookie.
        let start = u64_at(entry, 0).saturating_add(8);
        let end = u64_at(entry, 8).saturating_add(8);
        if start > end || end > length || end - start < 8 {
            let at = HEADER + 16 * rank as u64;
            let words = format!("rank {rank} cannot be at {start} to {end} of {length} bytes");
            return Err(Wrong::Byte(at, words));
        }
        places.push(start..end);
    }
    Ok(places)
}

/// The schedule that these bytes are, which begin at a place of the file.
pub(super) fn decode(bytes: &[u8], start: u64, ranks: u32) -> Result<Schedule, Wrong> {
    let (count, roots) = (u32_at(bytes, 0) as usize, u32_at(bytes, 4) as usize);
    let first = 8 + 4 * roots;
    let behind = count.checked_mul(OPERATION).and_then(|length| length.checked_add(first));
    let Some(behind) = behind.filter(|behind| *behind <= bytes.len()) else {
        let words = format!("there is no room for {count} operations, {roots} of them free");
        return Err(Wrong::Byte(start, words));
    };
    let released: Vec<u32> =
        bytes[behind..].chunks_exact(4).map(|number| u32_at(number, 0)).collect();
    if let Some(at) = released.iter().position(|number| *number as usize >= count) {
        let words = format!("there is no operation {} among {count}", released[at]);
        return Err(Wrong::Byte(start + (behind + 4 * at) as u64, words));
    }
    let mut operations = Vec::with_capacity(count);
    for (nth, record) in bytes[first..behind].chunks_exact(OPERATION).enumerate() {
        let at = start + (first + nth * OPERATION) as u64;
        operations.push(operation(record, at, ranks, released.len())?);
    }
    let schedule = Schedule { operations, released };
    match schedule.has_circle() {
        true => Err(Wrong::Byte(start, "operations wait for each other for ever".into())),
        false => Ok(schedule),
    }
}

fn operation(record: &[u8], at: u64, ranks: u32, released: usize) -> Result<Operation, Wrong> {
    let needs = u32_at(record, 0);
    let (kind, peer) = (record[4], u32_at(record, 5));
    let (size, tag) = (u64_at(record, 9), u32_at(record, 17));
    let list = |place: usize| {
        let (count, first) = (u32_at(record, place), u32_at(record, place + 4));
        let end = first.checked_add(count).filter(|end| *end as usize <= released);
        match (count, end) {
            (0, _) => Ok(0..0),
            (_, Some(end)) => Ok(first..end),
            _ => Err(Wrong::Byte(at + place as u64, "this list goes beyond the file".into())),
        }
    };
    let message = |peer| Message {
        peer,
        tag: (tag != ANY).then_some(tag & i32::MAX as u32),
        size: Amount::of_bytes(size.min(1 << 40)),
    };
    let task = match (kind, peer) {
        (kind::COMPUTE, _) => Task::Compute(size),
        (kind::RECEIVE, ANY) => Task::Receive(message(Peer::Any)),
        (kind::SEND | kind::RECEIVE, peer) if peer >= ranks => {
            let words = format!("there is no rank {peer} among {ranks}");
            return Err(Wrong::Byte(at + 5, words));
        }
        (kind::SEND, _) if tag == ANY => {
            return Err(Wrong::Byte(at + 17, "a send has a tag".into()));
        }
        (kind::SEND, peer) => Task::Send(message(Peer::Rank(peer))),
        (kind::RECEIVE, peer) => Task::Receive(message(Peer::Rank(peer))),
        _ => return Err(Wrong::Byte(at + 4, format!("there is no operation of kind {kind}"))),
    };
    Ok(Operation { task, needs, after: list(23)?, beside: list(31)? })
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..at + 4].iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..at + 8].iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// An operation as text tells it.
#[derive(Debug, Clone)]
pub(super) struct Told {
    pub(super) task: Task,
    pub(super) cpu: u8,
    pub(super) nic: u8,
    /// Operations that wait for it to end, and to begin.
    pub(super) after: Vec<u32>,
    pub(super) beside: Vec<u32>,
    pub(super) needs: u32,
}

/// The bytes before the schedules: what all have in common, and room for the table.
pub(super) fn header(places: &[Range<u64>]) -> Vec<u8> {
    let mut bytes = COOKIE.to_le_bytes().to_vec();
    bytes.extend((places.len() as u32).to_le_bytes());
    bytes.extend([0, 0]);
    for place in places {
        bytes.extend((place.start - 8).to_le_bytes());
        bytes.extend((place.end - 8).to_le_bytes());
    }
    bytes
}

/// The bytes of one rank's schedule.
pub(super) fn encode(operations: &[Told]) -> Vec<u8> {
    let is_free = |(_, told): &(usize, &Told)| told.needs == 0;
    let roots: Vec<usize> =
        operations.iter().enumerate().filter(is_free).map(|(at, _)| at).collect();
    let mut bytes = (operations.len() as u32).to_le_bytes().to_vec();
    bytes.extend((roots.len() as u32).to_le_bytes());
    roots.iter().for_each(|root| bytes.extend((*root as u32).to_le_bytes()));
    let mut released = 0_u32;
    for told in operations {
        let (kind, peer, size, tag) = match told.task {
            Task::Send(message) => message_fields(kind::SEND, message),
            Task::Receive(message) => message_fields(kind::RECEIVE, message),
            Task::Compute(time) => (kind::COMPUTE, 0, time, 0),
        };
        bytes.extend(told.needs.to_le_bytes());
        bytes.push(kind);
        bytes.extend(peer.to_le_bytes());
        bytes.extend(size.to_le_bytes());
        bytes.extend(tag.to_le_bytes());
        bytes.extend([told.cpu, told.nic]);
        for list in [&told.after, &told.beside] {
            bytes.extend((list.len() as u32).to_le_bytes());
            bytes.extend(released.to_le_bytes());
            released += list.len() as u32;
        }
    }
    for told in operations {
        told.after.iter().chain(&told.beside).for_each(|next| bytes.extend(next.to_le_bytes()));
    }
    bytes
}

fn message_fields(kind: u8, message: Message) -> (u8, u32, u64, u32) {
    let peer = if let Peer::Rank(rank) = message.peer { rank } else { ANY };
    (kind, peer, message.size.count.unwrap_or(0), message.tag.unwrap_or(ANY))
}
