//! Collectives from or to a root: one group sends, the other receives.

use crate::collective::{Channel, Counts, Root};
use crate::collective::{
    bcast as bcasts, gather as gathers, reduce as reduces, scatter as scatters,
};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;
use crate::request::Request;

/// Who speaks for a group.
pub(super) const FIRST: Root = Root::Rank(0);

/// From the root to rank 0 of the remote group, then within it.
pub(crate) async fn bcast(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    match root {
        Root::ProcNull => Ok(data),
        Root::Root => {
            channel.send(data.clone(), 0).await?;
            Ok(data)
        }
        Root::Rank(_) => {
            let root = channel.root(root)?;
            let inside = channel.inside();
            let data = match channel.rank() {
                0 => due(channel, channel.recv(root).await?, data.len(), root)?,
                _ => data,
            };
            bcasts::bcast(&channel.within(&inside), data, FIRST).await
        }
    }
}

/// Within the group, in rank order, then from its rank 0 to the root.
pub(crate) async fn reduce(
    channel: &Channel<'_>,
    data: Payload,
    op: &Op,
    root: Root,
) -> Result<Option<Payload>> {
    match root {
        Root::ProcNull => Ok(None),
        Root::Root => due(channel, channel.recv(0).await?, data.len(), 0).map(Some),
        Root::Rank(_) => {
            let root = channel.root(root)?;
            let inside = channel.inside();
            let within = channel.within(&inside);
            if let Some(reduced) = reduces::binomial::reduce(&within, data, op, 0).await? {
                channel.send(reduced, root).await?;
            }
            Ok(None)
        }
    }
}

/// Within the group, then from its rank 0 to the root.
pub(crate) async fn gather(
    channel: &Channel<'_>,
    data: Payload,
    root: Root,
) -> Result<Option<Payload>> {
    match root {
        Root::ProcNull => Ok(None),
        Root::Root => channel.recv(0).await.map(Some),
        Root::Rank(_) => {
            let root = channel.root(root)?;
            let inside = channel.inside();
            if let Some(gathered) = gathers::gather(&channel.within(&inside), data, FIRST).await? {
                channel.send(gathered, root).await?;
            }
            Ok(None)
        }
    }
}

/// Straight to the root, which alone knows the sizes.
pub(crate) async fn gatherv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Option<Payload>> {
    match root {
        Root::ProcNull => Ok(None),
        Root::Root => {
            channel.check_counts(&counts)?;
            let requests: Result<Vec<Request>> =
                (0..channel.peers()).map(|from| channel.irecv(from)).collect();
            let received = channel.wait_all(&mut requests?).await?;
            let mut whole = Payload::Size(counts.total());
            for (from, part) in (0..).zip(&received) {
                channel.store(&mut whole, &counts, from, part)?;
            }
            Ok(Some(whole))
        }
        Root::Rank(_) => channel.send(data, channel.root(root)?).await.map(|()| None),
    }
}

/// From the root to rank 0 of the remote group, then within it.
pub(crate) async fn scatter(channel: &Channel<'_>, data: Payload, root: Root) -> Result<Payload> {
    match root {
        Root::ProcNull => Ok(Payload::Size(0)),
        Root::Root => {
            channel.equal_blocks(&data)?;
            channel.send(data, 0).await?;
            Ok(Payload::Size(0))
        }
        Root::Rank(_) => {
            let root = channel.root(root)?;
            let inside = channel.inside();
            let whole = match channel.rank() {
                0 => channel.recv(root).await?,
                _ => Payload::Size(0),
            };
            scatters::unannounced(&channel.within(&inside), whole).await
        }
    }
}

/// Straight from the root, which alone knows the sizes.
pub(crate) async fn scatterv(
    channel: &Channel<'_>,
    data: Payload,
    counts: Counts,
    root: Root,
) -> Result<Payload> {
    match root {
        Root::ProcNull => Ok(Payload::Size(0)),
        Root::Root => {
            channel.check_cut(&data, &counts)?;
            let mut sends = Vec::new();
            for to in 0..channel.peers() {
                sends.push(channel.isend(counts.part(&data, to), to).await?);
            }
            channel.wait_all(&mut sends).await?;
            Ok(Payload::Size(0))
        }
        Root::Rank(_) => channel.recv(channel.root(root)?).await,
    }
}

/// What came, if it is as long as it must be.
pub(super) fn due(
    channel: &Channel<'_>,
    received: Payload,
    expected: u64,
    from: u32,
) -> Result<Payload> {
    channel.check_size(&received, expected, from)?;
    Ok(received)
}
