//! Bcast of long payloads: scatter down a binomial tree, then allgather around the ring.
//!
//! Moves each byte about twice over every rank's link, whatever their number; van de Geijn's
//! algorithm with the ring of Thakur et al. 2005, section 4.4.

use crate::collective::channel::put;
use crate::collective::{Channel, Counts};
use crate::error::Result;
use crate::payload::Payload;

/// Ranks are counted from the root. Pieces are of equal size but for the last ones, which may be
/// short or empty.
pub(crate) async fn bcast(channel: &Channel<'_>, data: Payload, root: u32) -> Result<Payload> {
    let (size, place) = (channel.size(), channel.place(root));
    let pieces = pieces(data.len(), size);
    let held = scatter(channel, data, &pieces, root).await?;

    let mut whole = held.blank(pieces.total());
    whole.write(pieces.start(place), &held);
    let (left, right) = (channel.rank_at(place + size - 1, root), channel.rank_at(place + 1, root));
    for step in 1..size {
        let outgoing = (place + size + 1 - step) % size;
        let incoming = (place + size - step) % size;
        let piece = pieces.part(&whole, outgoing);
        let received = channel.exchange(piece, right, left).await?;
        channel.check_size(&received, pieces.of(incoming), left)?;
        // A rank whose own piece is empty learns only now that there are bytes.
        put(&mut whole, pieces.start(incoming), &received);
    }
    Ok(whole)
}

/// Gives each rank at least its piece; those that pass on keep what they passed. Empty parts are
/// not sent.
pub(super) async fn scatter(
    channel: &Channel<'_>,
    data: Payload,
    pieces: &Counts,
    root: u32,
) -> Result<Payload> {
    let (size, place) = (channel.size(), channel.place(root));
    let mut distance = channel.subtree(place);
    let end = (place + distance).min(size);
    let held = if place == 0 {
        data
    } else if pieces.start(end) > pieces.start(place) {
        channel.recv(channel.rank_at(place - distance, root)).await?
    } else {
        data.blank(0)
    };
    distance /= 2;
    while distance > 0 {
        let (first, end) = (place + distance, (place + 2 * distance).min(size));
        if first < size && pieces.start(end) > pieces.start(first) {
            let start = pieces.start(place);
            let part = held.slice(pieces.start(first) - start, pieces.start(end) - start);
            channel.send(part, channel.rank_at(first, root)).await?;
        }
        distance /= 2;
    }
    Ok(held)
}

pub(super) fn pieces(bytes: u64, size: u32) -> Counts {
    let piece = bytes.div_ceil(u64::from(size));
    if piece * u64::from(size) == bytes {
        return Counts::even(size, piece);
    }
    Counts::each((0..u64::from(size)).map(|place| bytes.saturating_sub(place * piece).min(piece)))
}
