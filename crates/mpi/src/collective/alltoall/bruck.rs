//! Alltoall after Bruck: `log2(p)` steps, about half of the payload in each.
//!
//! Few and long messages, so good for short blocks. Bruck et al. 1997; Thakur et al. 2005,
//! section 4.2.

use super::Blocks;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Blocks are turned so that number `i` has to go `i` ranks further; those with bit `k` set do so
/// in step `k`, along with what others have passed on.
pub(super) async fn alltoall(channel: &Channel<'_>, blocks: &Blocks) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (data, counts) = (&blocks.data, &blocks.send);
    let turned = [counts.parts(data, rank, size), counts.parts(data, 0, rank)];
    let mut held = Payload::concat(&turned);
    let mut distance = 1;
    while distance < size {
        let (to, from) = ((rank + distance) % size, (rank + size - distance) % size);
        let outgoing = pack(&held, counts, distance);
        let expected = outgoing.len();
        let received = channel.exchange(outgoing, to, from).await?;
        channel.check_size(&received, expected, from)?;
        unpack(&mut held, counts, distance, &received);
        distance *= 2;
    }
    let mut result = data.blank(data.len());
    if data.has_bytes() {
        for turn in 0..size {
            let from = (rank + size - turn) % size;
            channel.store(&mut result, counts, from, &counts.part(&held, turn))?;
        }
    }
    Ok(result)
}

/// The blocks whose number has this bit, one behind the other.
fn pack(held: &Payload, counts: &Counts, bit: u32) -> Payload {
    if held.has_bytes() {
        let parts: Vec<Payload> =
            marked(counts, bit).map(|number| counts.part(held, number)).collect();
        return Payload::concat(&parts);
    }
    // Whole periods of the bit, then what is left of the last.
    let size = counts.ranks();
    let count = size / (2 * bit) * bit + (size % (2 * bit)).saturating_sub(bit);
    Payload::Size(u64::from(count) * counts.of(0))
}

fn unpack(held: &mut Payload, counts: &Counts, bit: u32, packed: &Payload) {
    if !held.has_bytes() {
        return;
    }
    let block = counts.of(0);
    for (place, number) in marked(counts, bit).enumerate() {
        let start = place as u64 * block;
        held.write(counts.start(number), &packed.slice(start, start + block));
    }
}

fn marked(counts: &Counts, bit: u32) -> impl Iterator<Item = u32> {
    (0..counts.ranks()).filter(move |number| number & bit != 0)
}
