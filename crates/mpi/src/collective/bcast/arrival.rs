//! Bcast along a line of ranks in the order in which they arrive.
//!
//! Patarasuk and Yuan 2008: rank 0 looks who has come, and sends the payload along a line of
//! those, with a header that names them. Again and again, until it has served all.

use super::nested;
use super::non_topology::to_first;
use crate::collective::Channel;
use crate::collective::channel::put;
use crate::collective::segments::segments;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// The names of those who are served together, as numbers of 32 bits.
pub(crate) struct Header;

impl Header {
    /// A header of at least so many numbers; -1 ends the list.
    pub(crate) fn naming(ranks: &[u32], room: usize) -> Payload {
        let names = ranks.iter().map(|rank| *rank as i32).chain([-1]);
        let mut bytes: Vec<u8> = names.flat_map(i32::to_ne_bytes).collect();
        bytes.resize(bytes.len().max(4 * room), 0);
        bytes.into()
    }

    pub(crate) fn ranks(header: &Payload) -> Vec<u32> {
        let (words, _) = header.bytes().as_chunks::<4>();
        let names = words.iter().map(|word| i32::from_ne_bytes(*word));
        names.take_while(|name| *name >= 0).map(|name| name as u32).collect()
    }

    /// The neighbours of a rank in the list: who is before and behind it.
    pub(crate) fn neighbours(header: &Payload, rank: u32) -> (Option<u32>, Option<u32>) {
        let ranks = Self::ranks(header);
        let place = ranks.iter().position(|other| *other == rank);
        let before = place.and_then(|place| place.checked_sub(1)).map(|place| ranks[place]);
        (before, place.and_then(|place| ranks.get(place + 1).copied()))
    }
}

/// Rank 0 waits for nobody: if none has come, it serves the next all the same.
pub(crate) async fn bcast(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let data = to_first(channel, data, root).await?;
    let whole = whole(data.len(), segment);
    let mut data = match channel.rank() {
        0 => {
            let mut unheard = Vec::new();
            let mut missing: Vec<u32> = (1..channel.size()).collect();
            while !missing.is_empty() {
                let mut come = Vec::new();
                for rank in 1..channel.size() {
                    if channel.has_come(rank).await? && missing.contains(&rank) {
                        come.push(rank);
                    }
                }
                for rank in &come {
                    channel.recv(*rank).await?;
                }
                if come.is_empty() {
                    unheard.push(missing[0]);
                    come.push(missing[0]);
                }
                missing.retain(|rank| !come.contains(rank));
                channel.send(Header::naming(&come, 1024), come[0]).await?;
                for range in segments(whole, segment) {
                    channel.send(data.slice(range.start, range.end), come[0]).await?;
                }
            }
            for rank in unheard {
                channel.recv(rank).await?;
            }
            data
        }
        _ => follow(channel, data, whole, segment).await?,
    };
    rest(channel, &mut data, whole, root).await?;
    Ok(data)
}

/// Rank 0 looks three times before it goes on without those who are late.
pub(crate) async fn patient(
    channel: &Channel<'_>,
    data: Payload,
    root: u32,
    segment: u64,
) -> Result<Payload> {
    let data = to_first(channel, data, root).await?;
    let whole = whole(data.len(), segment);
    let mut data = match channel.rank() {
        0 => {
            let mut missing: Vec<u32> = (1..channel.size()).collect();
            while !missing.is_empty() {
                let come = look_thrice(channel, &mut missing).await?;
                let Some(first) = come.first() else { continue };
                channel.send(Header::naming(&come, 1024), *first).await?;
                let mut sends = Vec::new();
                for range in segments(whole, segment) {
                    sends.push(channel.isend(data.slice(range.start, range.end), *first).await?);
                }
                channel.finish(sends).await?;
            }
            data
        }
        _ => follow(channel, data, whole, segment).await?,
    };
    rest(channel, &mut data, whole, root).await?;
    Ok(data)
}

/// Who has come; each one found makes it look at all the others again. They are in rank order.
pub(crate) async fn look_thrice(channel: &Channel<'_>, missing: &mut Vec<u32>) -> Result<Vec<u32>> {
    let mut come = Vec::new();
    for _ in 0..3 {
        let mut place = 0;
        while place < missing.len() {
            let rank = missing[place];
            if channel.has_come(rank).await? {
                channel.recv(rank).await?;
                missing.remove(place);
                come.push(rank);
                place = 0;
            } else {
                place += 1;
            }
        }
    }
    come.sort_unstable();
    Ok(come)
}

/// What the others do: report, hear who is next, pass on.
async fn follow(
    channel: &Channel<'_>,
    mut data: Payload,
    whole: u64,
    segment: u64,
) -> Result<Payload> {
    channel.send(Payload::Size(1), 0).await?;
    let header = channel.recv_any().await?;
    let (before, next) = Header::neighbours(&header, channel.rank());
    let from = before.unwrap_or(0);
    let ranges = segments(whole, segment);
    // One segment alone is passed on after it has come, with the header ahead of it.
    if ranges.len() == 1 {
        let part = channel.recv(from).await?;
        channel.store_range(&mut data, 0..whole, from, &part)?;
        if let Some(next) = next {
            channel.send(header, next).await?;
            channel.send(part, next).await?;
        }
        return Ok(data);
    }
    if let Some(next) = next {
        channel.send(header, next).await?;
    }
    let receives: Result<Vec<Request>> = (0..ranges.len()).map(|_| channel.irecv(from)).collect();
    let mut sends = Vec::new();
    for (range, receive) in ranges.zip(receives?) {
        let part = channel.wait(receive).await?;
        channel.store_range(&mut data, range, from, &part)?;
        if let Some(next) = next {
            sends.push(channel.isend(part, next).await?);
        }
    }
    channel.finish(sends).await?;
    Ok(data)
}

fn whole(bytes: u64, segment: u64) -> u64 {
    if bytes <= segment { bytes } else { bytes / segment * segment }
}

/// What is no whole segment is left to an ordinary bcast.
async fn rest(channel: &Channel<'_>, data: &mut Payload, whole: u64, root: u32) -> Result<()> {
    if whole < data.len() {
        // Others may still wait for a header from anybody.
        let rest = nested(&channel.apart(), data.slice(whole, data.len()), root).await?;
        put(data, whole, &rest);
    }
    Ok(())
}
