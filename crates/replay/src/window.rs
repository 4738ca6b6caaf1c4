//! Actions on windows: the operations themselves, with sizes and no content.

use foretell_mpi::{
    Back, Error, Group, LockKind, Memories, Request, Result, Window, WindowOperation,
};
use foretell_trace::{Access, Members, WindowCall};

use crate::others::UnderWay;
use crate::rank::Rank;

/// Carries out an action on a window; an operation that is put off is begun under this number.
pub(crate) async fn act(
    rank: &Rank,
    number: u32,
    call: WindowCall<'_>,
    later: Option<u32>,
) -> Result<()> {
    let outcome = match call {
        WindowCall::Create => create(rank, number).await,
        call => match rank.others.as_ref().and_then(|others| others.window(number)) {
            Some(window) => use_window(rank, number, &window, call, later).await,
            None => {
                let text = format!("there is no window {number}; a win_create makes one");
                Err(Error::RmaSync(text))
            }
        },
    };
    // What a trace has no right to do is a mistake in it, which has a place.
    outcome.map_err(|error| match &error {
        Error::RmaSync(what) => rank.wrong(what.clone()),
        _ => error,
    })
}

async fn create(rank: &Rank, number: u32) -> Result<()> {
    let window = rank.comm().window(Memories::Dynamic(Vec::new())).await?;
    rank.others.iter().for_each(|others| others.keep_window(number, window.clone()));
    Ok(())
}

async fn use_window(
    rank: &Rank,
    number: u32,
    window: &Window,
    call: WindowCall<'_>,
    later: Option<u32>,
) -> Result<()> {
    match call {
        WindowCall::Create => Ok(()),
        WindowCall::Free => {
            rank.others.iter().for_each(|others| others.forget_window(number));
            window.free().await
        }
        WindowCall::Fence { is_last } => window.fence(is_last).await,
        WindowCall::Post(members) => window.post(&group(rank, window, members)?),
        WindowCall::Start(members) => window.start(&group(rank, window, members)?),
        WindowCall::Complete => window.complete().await,
        WindowCall::Wait => window.wait().await,
        WindowCall::Lock { target, is_exclusive, is_unchecked } => {
            let kind = if is_exclusive { LockKind::Exclusive } else { LockKind::Shared };
            window.lock(place(rank, window, target)?, kind, is_unchecked).await
        }
        WindowCall::Unlock(target) => window.unlock(place(rank, window, target)?).await,
        WindowCall::LockAll { is_unchecked } => window.lock_all(is_unchecked).await,
        WindowCall::UnlockAll => window.unlock_all().await,
        WindowCall::Flush(None) => window.flush(None).await,
        WindowCall::Flush(Some(target)) => window.flush(Some(place(rank, window, target)?)).await,
        WindowCall::Operate(access) => {
            let request = operate(rank, window, access, later.is_some()).await?;
            if let (Some(later), Some(others)) = (later, &rank.others) {
                others.begin(later, UnderWay::Request(request));
            }
            Ok(())
        }
    }
}

async fn operate(
    rank: &Rank,
    window: &Window,
    access: Access,
    has_request: bool,
) -> Result<Request> {
    let Access { target, sent, returned, is_ordered } = access;
    let operation = WindowOperation {
        target: place(rank, window, target)?,
        bytes: sent,
        is_ordered,
        apply: Box::new(Box::default),
        back: returned.map(|bytes| Back { bytes, land: Box::new(drop) }),
    };
    match has_request {
        true => window.operate_with_request(operation).await,
        false => window.operate(operation).await.map(|()| Request::NULL),
    }
}

/// A rank of the world, as the window counts it.
fn place(rank: &Rank, window: &Window, target: u32) -> Result<u32> {
    let found = window.comm().group().rank_of(rank.in_simulation(target));
    found.ok_or_else(|| Error::RmaSync(format!("rank {target} is none of the window's")))
}

fn group(rank: &Rank, window: &Window, members: Members<'_>) -> Result<Group> {
    for member in members.iter() {
        place(rank, window, member)?;
    }
    Ok(Group::new(members.iter().map(|member| rank.in_simulation(member)).collect()))
}
