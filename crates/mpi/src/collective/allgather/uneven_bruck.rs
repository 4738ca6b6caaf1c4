//! Allgather after Bruck of blocks of any size, with steps to the base of `k`.
//!
//! Bruck et al. 1997; Open MPI's `bruck` with `k = 2`, MPICH 4's with others: `log_k(p)` steps of
//! `k - 1` messages each.

use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Each rank holds the blocks from its own on, counted around. In a step, it gets as many from
/// those so far ahead, twice as far, and so on.
pub(crate) async fn allgather(
    channel: &Channel<'_>,
    data: Payload,
    blocks: &Counts,
    radix: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let mut whole = channel.with_own_block(blocks, &data)?;
    let mut held = 1;
    while held < size {
        let turns = (1..radix).map(|turn| turn * held).take_while(|ahead| *ahead < size);
        let count = |ahead: u32| held.min(size - ahead);
        if radix == 2 {
            let (to, from) = ((rank + size - held) % size, (rank + held) % size);
            let outgoing = around(&whole, blocks, rank, count(held));
            let received = channel.exchange(outgoing, to, from).await?;
            keep(channel, &mut whole, blocks, (from, count(held)), &received)?;
        } else {
            let from = |ahead: u32| (rank + ahead) % size;
            let receives: Result<Vec<Request>> =
                turns.clone().map(|ahead| channel.irecv(from(ahead))).collect();
            let mut requests = receives?;
            for ahead in turns.clone() {
                let outgoing = around(&whole, blocks, rank, count(ahead));
                requests.push(channel.isend(outgoing, (rank + size - ahead) % size).await?);
            }
            let parts = channel.wait_all(&mut requests).await?;
            for (ahead, part) in turns.zip(&parts) {
                keep(channel, &mut whole, blocks, (from(ahead), count(ahead)), part)?;
            }
        }
        held *= radix;
    }
    Ok(whole)
}

/// So many blocks from `first` on, past the last rank the first ones.
fn around(whole: &Payload, blocks: &Counts, first: u32, count: u32) -> Payload {
    let size = blocks.ranks();
    let end = first + count;
    if end <= size {
        return blocks.parts(whole, first, end);
    }
    let parts = [blocks.parts(whole, first, size), blocks.parts(whole, 0, end - size)];
    Payload::concat(&parts)
}

fn keep(
    channel: &Channel<'_>,
    whole: &mut Payload,
    blocks: &Counts,
    (first, count): (u32, u32),
    part: &Payload,
) -> Result<()> {
    let size = blocks.ranks();
    let end = (first + count).min(size);
    let straight = blocks.start(end) - blocks.start(first);
    let rest = blocks.start(first + count - end);
    channel.check_size(part, straight + rest, first)?;
    crate::collective::channel::put(whole, blocks.start(first), &part.slice(0, straight));
    if rest > 0 {
        crate::collective::channel::put(whole, 0, &part.slice(straight, straight + rest));
    }
    Ok(())
}
