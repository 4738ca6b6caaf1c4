//! Files as far as agreement and time go. MPI 4.1 chapter 14.
//!
//! What is in a file and who may see it belongs to the binding, which has the data. Here is what
//! collective calls on files have in common: all ranks say something, all learn what the others
//! said, and then each reads or writes, which takes the time of the storage it uses
//! ([`foretell_models::Disks`]).
//!
//! Missing: the exchange of data between ranks by which libraries turn many small pieces of a
//! collective access into few large ones.

use crate::collective::{Channel, Fixed, Pending, Signature, allgather};
use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::Event;
use crate::payload::Payload;
use crate::request::Request;
use crate::wait::done;
use crate::world::Call;
use foretell_models::Access;

/// Calls that all ranks of a file make together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the names of the calls")]
pub enum FileCall {
    Open,
    Close,
    SetSize,
    Preallocate,
    SetInfo,
    SetView,
    SetAtomicity,
    Sync,
    SeekShared,
    ReadAll,
    WriteAll,
    ReadAtAll,
    WriteAtAll,
    ReadOrdered,
    WriteOrdered,
}

impl From<FileCall> for Signature {
    fn from(call: FileCall) -> Signature {
        let fixed = match call {
            FileCall::Open => Fixed::FileOpen,
            FileCall::Close => Fixed::FileClose,
            FileCall::SetSize => Fixed::FileSetSize,
            FileCall::Preallocate => Fixed::FilePreallocate,
            FileCall::SetInfo => Fixed::FileSetInfo,
            FileCall::SetView => Fixed::FileSetView,
            FileCall::SetAtomicity => Fixed::FileSetAtomicity,
            FileCall::Sync => Fixed::FileSync,
            FileCall::SeekShared => Fixed::FileSeekShared,
            FileCall::ReadAll => Fixed::FileReadAll,
            FileCall::WriteAll => Fixed::FileWriteAll,
            FileCall::ReadAtAll => Fixed::FileReadAtAll,
            FileCall::WriteAtAll => Fixed::FileWriteAtAll,
            FileCall::ReadOrdered => Fixed::FileReadOrdered,
            FileCall::WriteOrdered => Fixed::FileWriteOrdered,
        };
        fixed.into()
    }
}

/// What a rank says to the others in a collective call on a file.
pub type FileWord = [i64; 2];

/// What one rank reads or writes after a collective call has brought it the words of all.
pub type FileShare<T> = (T, Access, u64);

/// What a rank does with a file, for who listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileDeed {
    /// All ranks of the communicator open it, and look it up.
    Open,
    /// All close it.
    Close,
    /// All come together, and nothing is read or written.
    Meet,
    /// The rank reads or writes so many bytes.
    Alone(Access, u64),
    /// So does each rank, after all have come together.
    Together(Access, u64),
}

impl Comm {
    /// Begins what is told as one thing at its end by [`Comm::end_deed`].
    pub fn begin_deed(&self) {
        self.tell(Event::Begin);
    }

    /// Ends what has begun, and tells what it was.
    pub fn end_deed(&self, deed: FileDeed) {
        self.tell(Event::End);
        self.tell_deed(deed, None);
    }

    /// Tells what a rank does with a file of this communicator, or begins to do.
    fn tell_deed(&self, deed: FileDeed, request: Option<u32>) {
        if !self.is_heard() {
            return;
        }
        let state = &mut *self.world.state.borrow_mut();
        if self.shared.context != 0 && !matches!(deed, FileDeed::Alone(..)) {
            self.tell_within(state);
        }
        state.tell(self.me, Event::File { deed, request });
    }

    /// Reads or writes so many bytes of a file.
    pub async fn access(&self, access: Access, bytes: u64) {
        self.tell_deed(FileDeed::Alone(access, bytes), None);
        let request = self.begin_access(access, bytes);
        if !request.is_null() {
            self.enter(Call::Storage);
            done(&self.world, request.0).await;
            self.world.state.borrow_mut().forget(request.0);
        }
    }

    /// Starts to read or write and goes on; the request completes at the end. It is null if there
    /// is no storage that takes time; who listens then hears of an access that is complete.
    pub fn start_access(&self, access: Access, bytes: u64) -> Request {
        let request = self.begin_access(access, bytes);
        self.tell_deed(FileDeed::Alone(access, bytes), request.number());
        request
    }

    fn begin_access(&self, access: Access, bytes: u64) -> Request {
        let request = self.world.state.borrow_mut().access(self.me, access, bytes);
        request.map_or(Request::NULL, Request)
    }

    /// A collective call on a file: gives what all ranks say, in their order. Whoever is through
    /// knows that all have come.
    pub async fn file_call(&self, call: FileCall, word: FileWord) -> Result<Vec<FileWord>> {
        let run = async |channel: &Channel<'_>| share_words(channel, word).await;
        self.begin_deed();
        let words = self.collective(call, run).await;
        self.end_deed(if call == FileCall::Close { FileDeed::Close } else { FileDeed::Meet });
        words
    }

    /// The same beside the rank, which goes on; then reads or writes what `share` makes of the
    /// words. Who listens is told what is asked for.
    pub fn file_call_later<T: 'static>(
        &self,
        call: FileCall,
        word: FileWord,
        (access, bytes): (Access, u64),
        share: impl FnOnce(Vec<FileWord>) -> FileShare<T> + 'static,
    ) -> Pending<T> {
        let comm = self.clone();
        let run = async move |channel: &Channel<'_>| {
            let (brought, access, bytes) = share(share_words(channel, word).await?);
            comm.access(access, bytes).await;
            Ok(brought)
        };
        let (mut pending, _) = self.begin_beside(call.into(), run);
        let deed = FileDeed::Together(access, bytes);
        self.tell_deed(deed, pending.request().number());
        pending
    }

    /// On how many hosts the ranks of the communicator are.
    pub fn host_count(&self) -> usize {
        let state = self.world.state.borrow();
        let ranks = (0..self.size()).map(|rank| self.group().world_rank(rank));
        let mut hosts: Vec<_> = ranks.map(|rank| state.hosts[rank as usize]).collect();
        hosts.sort_unstable();
        hosts.dedup();
        hosts.len()
    }

    /// A number that all ranks of this communicator know it by, and no other has.
    pub fn context_number(&self) -> u32 {
        self.shared.context
    }
}

/// What all ranks say, in their order.
async fn share_words(channel: &Channel<'_>, word: FileWord) -> Result<Vec<FileWord>> {
    let said: Box<[u8]> = word.map(i64::to_le_bytes).concat().into();
    let Payload::Bytes(all) = allgather(channel, Payload::Bytes(said)).await? else {
        return Err(Error::BadArgument("words of a file call got lost".into()));
    };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | i64::from(*byte));
    Ok(all.chunks_exact(16).map(|word| [number(&word[..8]), number(&word[8..])]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::Simulation;
    use foretell_platform::Platform;

    fn platform(storage: &str) -> Platform {
        let text = format!(
            "[nodes]\ncount = 8\nspeed = \"1Gf\"\n[network]\nbandwidth = \"1GBps\"\n\
             latency = \"1us\"\n{storage}"
        );
        foretell_platform::toml_format::read(&text).unwrap()
    }

    const STORAGE: &str = "[storage]\nread = \"100MBps\"\nwrite = \"50MBps\"\nlatency = \"2ms\"";

    #[test]
    fn ranks_that_write_together_share_the_storage() {
        for ranks in [1, 4, 8] {
            let simulation = Simulation::new(platform(STORAGE)).ranks(ranks);
            let main = async |world: Comm| {
                let start = world.now();
                world.access(Access::Write, 5_000_000).await;
                let took = world.now() - start;
                let expected = 0.002 + f64::from(world.size()) * 0.1;
                assert!((took - expected).abs() < 1e-9, "{took} is not {expected}");
                Ok(())
            };
            simulation.run(main).unwrap();
        }
    }

    #[test]
    fn all_hear_the_words_of_all() {
        let main = async |world: Comm| {
            let me = i64::from(world.rank());
            let words = world.file_call(FileCall::Open, [me, -me]).await?;
            assert_eq!(words, (0..5).map(|rank| [rank, -rank]).collect::<Vec<_>>());
            let share = move |words: Vec<FileWord>| (words[4][1], Access::Read, 1_000_000);
            let before = world.now();
            let pending = world.file_call_later(
                FileCall::ReadAll,
                [me, -me],
                (Access::Read, 1_000_000),
                share,
            );
            assert_eq!(world.now(), before);
            assert_eq!(world.complete(pending).await?, -4);
            // Five share what one would have read in ten milliseconds.
            assert!(world.now() - before > 0.052 && world.now() - before < 0.053);
            Ok(())
        };
        Simulation::new(platform(STORAGE)).ranks(5).run(main).unwrap();
    }

    #[test]
    fn without_storage_no_time_passes() {
        let main = async |world: Comm| {
            let before = world.now();
            world.access(Access::Write, 1 << 40).await;
            assert_eq!(world.now(), before);
            Ok(())
        };
        Simulation::new(platform("")).run(main).unwrap();
    }
}
