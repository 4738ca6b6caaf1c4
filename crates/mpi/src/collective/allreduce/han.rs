//! Allreduce of two levels in segments: four stages, each a segment behind the one before, of which
//! those between nodes run beside those on nodes.
//!
//! Open MPI's HAN (Luo et al. 2020). Which algorithms the levels use is a parameter: of reduces and
//! bcasts on nodes and between them, those that Open MPI chooses; or an allreduce between nodes.

use std::ops::Range;

use super::nested_by;
use crate::collective::channel::put;
use crate::collective::segments::{segments, whole_elements};
use crate::collective::{Call, Channel, Choice, Library, Operation, Pending, bcast, reduce};
use crate::error::Result;
use crate::op::Op;
use crate::payload::Payload;

/// Nodes need as many ranks each, otherwise as Open MPI does without HAN. Operands change places.
pub(crate) async fn allreduce(
    channel: &Channel<'_>,
    choice: Choice,
    data: Payload,
    op: &Op,
) -> Result<Payload> {
    let layout = channel.meet().await?;
    if layout.per_node().is_none() {
        let call = Call::with(Operation::Allreduce, data.len(), op);
        let choice = channel.choose_as(Library::OpenMpi4, call);
        return nested_by(channel, choice, data, op).await;
    }
    let segment = whole_elements(choice.segment(64 << 10), op.element()).min(data.len());
    let ranges: Vec<Range<u64>> = segments(data.len(), segment).collect();
    let local = channel.on_node(&layout);
    let leaders = channel.leaders(&layout);
    let mut stages = Stages { op, choice, segment, data };
    for phase in 0..ranges.len() + 3 {
        let of = |behind: usize| phase.checked_sub(behind).and_then(|at| ranges.get(at));
        let mut above = Vec::new();
        if let Some(leaders) = &leaders {
            above.extend(of(1).map(|range| (range, stages.reduce_above(leaders, range))));
            // Two operations of the same ranks at once.
            let apart = leaders.apart();
            above.extend(of(2).map(|range| (range, stages.bcast_above(&apart, range))));
        }
        if let Some(range) = of(0) {
            stages.reduce_on(&local, range).await?;
        }
        if let Some(range) = of(3) {
            stages.bcast_on(&local, range).await?;
        }
        for (range, pending) in above {
            if let Some(part) = channel.complete(pending).await? {
                put(&mut stages.data, range.start, &part);
            }
        }
    }
    Ok(stages.data)
}

/// What the stages work on, and by which algorithms.
struct Stages<'a> {
    op: &'a Op,
    choice: Choice,
    segment: u64,
    data: Payload,
}

impl Stages<'_> {
    fn part(&self, range: &Range<u64>) -> Payload {
        self.data.slice(range.start, range.end)
    }

    fn tuned(&self, channel: &Channel<'_>, operation: Operation) -> Choice {
        channel.choose_as(Library::OpenMpi4, Call::with(operation, self.segment, self.op))
    }

    async fn reduce_on(&mut self, local: &Channel<'_>, range: &Range<u64>) -> Result<()> {
        let choice = self.tuned(local, Operation::Reduce);
        let part = self.part(range);
        if let Some(reduced) = reduce::nested_by(local, choice, part, self.op, 0).await? {
            self.data.write(range.start, &reduced);
        }
        Ok(())
    }

    async fn bcast_on(&mut self, local: &Channel<'_>, range: &Range<u64>) -> Result<()> {
        let choice = self.tuned(local, Operation::Bcast);
        let part = bcast::nested_by(local, choice, self.part(range), 0).await?;
        put(&mut self.data, range.start, &part);
        Ok(())
    }

    /// To the first leader; or to all at once, if there is an allreduce for them.
    fn reduce_above(&self, leaders: &Channel<'_>, range: &Range<u64>) -> Pending<Option<Payload>> {
        let (part, op) = (self.part(range), self.op.clone());
        let choice = self.choice.outer(|| self.tuned(leaders, Operation::Reduce));
        let is_all = self.choice.outer.is_some();
        leaders.beside(async move |channel: &Channel<'_>| match is_all {
            true => nested_by(channel, choice, part, &op).await.map(Some),
            false => reduce::nested_by(channel, choice, part, &op, 0).await,
        })
    }

    fn bcast_above(&self, leaders: &Channel<'_>, range: &Range<u64>) -> Pending<Option<Payload>> {
        let part = self.part(range);
        let choice = self.tuned(leaders, Operation::Bcast);
        let is_due = self.choice.outer.is_none();
        leaders.beside(async move |channel: &Channel<'_>| match is_due {
            true => bcast::nested_by(channel, choice, part, 0).await.map(Some),
            false => Ok(None),
        })
    }
}
