//! Alltoall of uneven blocks after Bruck to the base of `k`: `log_k(p)` steps, in each of which the
//! sizes of the blocks that travel are told ahead of them.
//!
//! The two-phase Bruck algorithm of Fan et al. 2022, for short blocks.

use super::Blocks;
use crate::collective::Channel;
use crate::collective::spans::{heard, told};
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
    let mut held: Vec<Payload> = (0..size).map(|turn| blocks.part((rank + turn) % size)).collect();
    let mut distance = 1;
    while distance < size {
        let digits = (1..radix).take_while(|digit| digit * distance < size);
        let from = |digit: u32| (rank + size - digit * distance) % size;
        let mut receives: Vec<Request> = Vec::new();
        for digit in digits.clone() {
            receives.extend([channel.irecv(from(digit))?, channel.irecv(from(digit))?]);
        }
        let mut sends = Vec::new();
        for digit in digits.clone() {
            let to = (rank + digit * distance) % size;
            let going = || marked(size, distance, radix, digit).map(|number| &held[number]);
            let sizes: Vec<u64> = going().map(Payload::len).collect();
            sends.push(channel.isend(told(&sizes), to).await?);
            sends.push(channel.isend(Payload::concat(going()), to).await?);
        }
        let came = channel.wait_all(&mut receives).await?;
        channel.finish(sends).await?;
        for (digit, pair) in digits.zip(came.chunks_exact(2)) {
            let sizes = heard(&pair[0]);
            channel.check_size(&pair[1], sizes.iter().sum(), from(digit))?;
            let mut start = 0;
            for (number, size) in marked(size, distance, radix, digit).zip(sizes) {
                held[number] = pair[1].slice(start, start + size);
                start += size;
            }
        }
        distance *= radix;
    }
    let mut result = blocks.begin(channel)?;
    for (turn, part) in (1..size).zip(&held[1..]) {
        channel.store(&mut result, &blocks.receive, (rank + size - turn) % size, part)?;
    }
    Ok(result)
}

/// The numbers that have this digit at a place.
fn marked(size: u32, place: u32, radix: u32, digit: u32) -> impl Iterator<Item = usize> {
    (0..size).filter(move |number| number / place % radix == digit).map(|number| number as usize)
}
