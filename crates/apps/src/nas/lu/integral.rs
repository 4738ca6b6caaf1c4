//! The surface integral at the end of LU: a box inside the cube, three pairs of its sides.
//!
//! Values at the borders of pencils go from south to north and from east to west, as far as the
//! box reaches. Receives come first: the ranks at the far end of the box begin.

use foretell_mpi::{Comm, Op, Payload, Result};

use super::grid::{EAST, NORTH, SOUTH, Share, WEST};

/// Where a direction of the box meets the pencil of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reach {
    /// The box goes on into the pencil before.
    from_before: bool,
    /// The box goes on into the pencil behind.
    into_next: bool,
    has_first: bool,
    has_last: bool,
}

impl Reach {
    /// Of a box from `first` to `last`, both from one and included, the part within the `count`
    /// points after the first `before`.
    fn new(first: u64, last: u64, before: u64, count: u64) -> Self {
        let within = |point: u64| (before + 1..=before + count).contains(&point);
        let (has_first, has_last) = (within(first), within(last));
        // Where the box begins at the first point of a pencil there is nothing before it, yet the
        // program sends from there as well.
        let begins_at = if has_first { first - before } else { 1 };
        let touches = before + count >= first && before < last;
        Self {
            from_before: touches && begins_at == 1,
            into_next: touches && !has_last,
            has_first,
            has_last,
        }
    }
}

/// All exchanges and sums of the integral.
pub(super) async fn surface(share: &Share, world: &Comm) -> Result<()> {
    let side = share.nz;
    let x = Reach::new(2, side - 1, share.before_x, share.nx);
    let y = Reach::new(2, side - 2, share.before_y, share.ny);
    let westwards = Border { to: WEST, from: EAST, reach: y };
    let northwards = Border { to: NORTH, from: SOUTH, reach: x };
    westwards.pass(share, world, 2 * share.nx).await?;
    northwards.pass(share, world, 2 * (share.ny + 2)).await?;
    sum(world).await?;
    for has_side in [y.has_first, y.has_last] {
        if has_side {
            northwards.pass(share, world, share.nz).await?;
        }
    }
    sum(world).await?;
    for has_side in [x.has_first, x.has_last] {
        if has_side {
            westwards.pass(share, world, share.nz).await?;
        }
    }
    sum(world).await
}

/// A way that values take across the borders of pencils.
struct Border {
    to: usize,
    from: usize,
    reach: Reach,
}

impl Border {
    async fn pass(&self, share: &Share, world: &Comm, doubles: u64) -> Result<()> {
        let tag = self.from as i32;
        if let Some(peer) = share.neighbours[self.from].filter(|_| self.reach.into_next) {
            let arriving = world.irecv(peer, tag)?;
            world.wait(arriving).await?;
        }
        if let Some(peer) = share.neighbours[self.to].filter(|_| self.reach.from_before) {
            world.send(Payload::Size(8 * doubles), peer, tag).await?;
        }
        Ok(())
    }
}

async fn sum(world: &Comm) -> Result<()> {
    world.allreduce(Payload::Size(8), &Op::sized()).await.map(drop)
}
