//! Neighbourhood collectives with one message for each neighbour, however many edges lead there.
//!
//! On a grid, both neighbours along a periodic dimension of two are the same rank, and along one of
//! one it is the rank itself, which sends itself nothing. In a graph, edges can be there several
//! times. Where all destinations get the same, it is sent to each of them once. After the message
//! combining of Traff and Hunold 2019, for neighbours that are one step away.

use super::{Exchange, FromEach};
use crate::collective::Channel;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;
use crate::topology::is_somebody;

pub(super) async fn exchange(channel: &Channel<'_>, exchange: &Exchange) -> Result<FromEach> {
    let (hood, own) = (&exchange.hood, channel.rank() as i32);
    let sources = others(&hood.sources, own);
    let receives: Result<Vec<Request>> =
        sources.iter().map(|from| channel.irecv(*from as u32)).collect();
    let mut requests = receives?;
    for to in others(&hood.destinations, own) {
        requests.push(channel.isend(outgoing(exchange, to), to as u32).await?);
    }
    let parts = channel.wait_all(&mut requests).await?;
    let mut all: FromEach = vec![None; hood.sources.len()];
    for (from, part) in sources.iter().zip(parts) {
        deal(channel, exchange, *from, &part, &mut all)?;
    }
    deal(channel, exchange, own, &outgoing(exchange, own), &mut all)?;
    Ok(all)
}

/// What is received and sent, with the rank at the other end and the bytes.
pub(super) fn messages(exchange: &Exchange, own: i32) -> [Vec<(i32, u64)>; 2] {
    let hood = &exchange.hood;
    let incoming = |from: i32| {
        let places = (0..hood.sources.len()).filter(|place| hood.sources[*place] == from);
        let bytes = places.map(|place| exchange.expected(place));
        // What is the same for all comes once.
        if exchange.send.is_none() { bytes.max().unwrap_or(0) } else { bytes.sum() }
    };
    let sources = others(&hood.sources, own);
    let destinations = others(&hood.destinations, own);
    [
        sources.into_iter().map(|from| (from, incoming(from))).collect(),
        destinations.into_iter().map(|to| (to, outgoing(exchange, to).len())).collect(),
    ]
}

/// Ranks at the other end of some edges, each once, without this one.
fn others(ends: &[i32], own: i32) -> Vec<i32> {
    let mut ranks = Vec::with_capacity(ends.len());
    for end in ends.iter().filter(|end| is_somebody(**end) && **end != own) {
        if !ranks.contains(end) {
            ranks.push(*end);
        }
    }
    ranks
}

/// All that goes to a rank.
fn outgoing(Exchange { data, send, hood, .. }: &Exchange, to: i32) -> Payload {
    let Some(send) = send else { return data.clone() };
    let places = (0..).zip(&hood.destinations).filter(|(_, end)| **end == to);
    send.pick(data, places.map(|(place, _)| place))
}

/// Puts what came from a rank to the edges that it came along.
fn deal(
    channel: &Channel<'_>,
    Exchange { send, receive, hood, .. }: &Exchange,
    from: i32,
    message: &Payload,
    all: &mut FromEach,
) -> Result<()> {
    let places: Vec<usize> =
        hood.order_of_sources().filter(|place| hood.sources[*place] == from).collect();
    let is_same_for_all = send.is_none();
    let share = message.len() / places.len().max(1) as u64;
    let mut start = 0;
    for place in &places {
        let known = receive.as_ref().map(|receive| receive.of(*place as u32));
        if is_same_for_all {
            known.map_or(Ok(()), |known| channel.check_size(message, known, from as u32))?;
            all[*place] = Some(message.clone());
            continue;
        }
        let end = start + known.unwrap_or(share);
        let rest = message.slice(start, message.len());
        if end > message.len() {
            channel.check_size(&rest, end - start, from as u32)?;
        }
        all[*place] = Some(message.slice(start, end));
        start = end;
    }
    match places.is_empty() || is_same_for_all {
        true => Ok(()),
        // More than was due.
        false => channel.check_size(message, start, from as u32),
    }
}
