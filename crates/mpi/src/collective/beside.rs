//! Parts of a collective that run beside each other.

use super::{Begun, Channel, Pending, Tag};
use crate::error::Result;

impl Channel<'_> {
    /// Runs a part of the collective as an actor of its own, among the ranks of this channel. What
    /// goes on meanwhile must not send between the same ranks, unless it is [`Channel::apart`].
    pub(crate) fn beside<T: 'static>(
        &self,
        run: impl AsyncFnOnce(&Channel<'_>) -> Result<T> + 'static,
    ) -> Pending<T> {
        let team = self.team.clone();
        let begun = Begun { tag: Tag(self.tag), met: None };
        let pending = Pending::spawn(self.comm, begun, async move |channel: &Channel<'_>| {
            run(&Channel { team, ..Channel::new(channel.comm, Tag(channel.tag)) }).await
        });
        pending.take_errors();
        pending
    }

    /// Waits for such a part.
    pub(crate) async fn complete<T>(&self, mut pending: Pending<T>) -> Result<T> {
        self.comm.wait_inside(pending.take_request()).await?;
        self.comm.complete(pending).await
    }
}
