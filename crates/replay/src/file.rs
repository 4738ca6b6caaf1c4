//! Actions on files: the time of the storage, and the meetings of those who share a file.

use foretell_mpi::{Access, FileCall as Call, Request, Result};
use foretell_trace::FileCall;

use crate::others::UnderWay;
use crate::rank::Rank;

/// What ranks say to each other where they meet matters to programs alone.
const WORD: [i64; 2] = [0, 0];

/// Carries out an action on a file; an access that is put off is begun under this number.
pub(crate) async fn act(rank: &Rank, call: FileCall, later: Option<u32>) -> Result<()> {
    let comm = rank.comm();
    if comm.is_inter() {
        return Err(rank.wrong("a file has a communicator with one side".into()));
    }
    if let (Some(number), Some(others)) = (later, &rank.others) {
        let request = begin(rank, call)?;
        others.begin(number, UnderWay::Request(request));
        return Ok(());
    }
    match call {
        FileCall::Open => {
            comm.file_call(Call::Open, WORD).await?;
            // To look a file up takes as long as the storage needs to answer.
            comm.access(Access::Read, 0).await;
        }
        FileCall::Close => _ = comm.file_call(Call::Close, WORD).await?,
        FileCall::Meet => _ = comm.file_call(Call::Sync, WORD).await?,
        FileCall::Read(bytes) => comm.access(Access::Read, bytes).await,
        FileCall::Write(bytes) => comm.access(Access::Write, bytes).await,
        FileCall::ReadAll(bytes) => {
            comm.file_call(Call::ReadAll, WORD).await?;
            comm.access(Access::Read, bytes).await;
        }
        FileCall::WriteAll(bytes) => {
            comm.file_call(Call::WriteAll, WORD).await?;
            comm.access(Access::Write, bytes).await;
        }
    }
    Ok(())
}

/// Begins an access beside the rank.
fn begin(rank: &Rank, call: FileCall) -> Result<Request> {
    let (access, bytes, together) = match call {
        FileCall::Read(bytes) => (Access::Read, bytes, None),
        FileCall::Write(bytes) => (Access::Write, bytes, None),
        FileCall::ReadAll(bytes) => (Access::Read, bytes, Some(Call::ReadAll)),
        FileCall::WriteAll(bytes) => (Access::Write, bytes, Some(Call::WriteAll)),
        FileCall::Open | FileCall::Close | FileCall::Meet => {
            let what = "only what reads or writes a file is begun for later";
            return Err(rank.wrong(what.into()));
        }
    };
    let comm = rank.comm();
    Ok(match together {
        None => comm.start_access(access, bytes),
        Some(call) => {
            let share = move |_| ((), access, bytes);
            comm.file_call_later(call, WORD, (access, bytes), share).take_request()
        }
    })
}
