//! Alltoall after Bruck to the base of `k`: `log_k(p)` steps of `k - 1` messages each.
//!
//! MPICH 4's `k_brucks`; Bruck et al. 1997, section 3. Less bytes than with a base of 2, in more
//! messages.

use super::Blocks;
use crate::collective::Channel;
use crate::collective::Counts;
use crate::error::Result;
use crate::payload::Payload;
use crate::request::Request;

/// Blocks are turned so that number `i` has to go `i` ranks further; in a step they go by one digit
/// of that.
pub(super) async fn alltoall(
    channel: &Channel<'_>,
    blocks: &Blocks,
    radix: u32,
) -> Result<Payload> {
    let (rank, size) = (channel.rank(), channel.size());
    let (data, counts) = (&blocks.data, &blocks.send);
    let turned = [counts.parts(data, rank, size), counts.parts(data, 0, rank)];
    let mut held = Payload::concat(&turned);
    let mut distance = 1;
    while distance < size {
        let digits = (1..radix).take_while(|digit| digit * distance < size);
        let receives: Result<Vec<Request>> = digits
            .clone()
            .map(|digit| channel.irecv((rank + size - digit * distance % size) % size))
            .collect();
        let mut requests = receives?;
        for digit in digits.clone() {
            let parts: Vec<Payload> = marked(counts, distance, radix, digit)
                .map(|number| counts.part(&held, number))
                .collect();
            let to = (rank + digit * distance) % size;
            requests.push(channel.isend(Payload::concat(&parts), to).await?);
        }
        let received = channel.wait_all(&mut requests).await?;
        let block = counts.of(0);
        for (digit, part) in digits.zip(&received) {
            for (place, number) in (0..).zip(marked(counts, distance, radix, digit)) {
                let start = place * block;
                held.write(counts.start(number), &part.slice(start, start + block));
            }
        }
        distance *= radix;
    }
    let mut result = data.blank(data.len());
    for turn in 0..size {
        let from = (rank + size - turn) % size;
        channel.store(&mut result, counts, from, &counts.part(&held, turn))?;
    }
    Ok(result)
}

/// The blocks whose number has this digit at a place.
fn marked(counts: &Counts, place: u32, radix: u32, digit: u32) -> impl Iterator<Item = u32> {
    (0..counts.ranks()).filter(move |number| number / place % radix == digit)
}
