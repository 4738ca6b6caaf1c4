//! Sends and receives of the program, as they begin.

use std::ffi::c_int;

use foretell_mpi::SendMode;

use super::checksum;
use super::operation::{Operation, What};
use super::overlap::Claim;
use super::rule;
use super::safety::Need;
use super::watch::{Noted, is_ordered, with};
use crate::abi::*;
use crate::buffer::Buffer;
use crate::comm::CommObject;
use crate::rank::RankContext;

/// Whether a call waits until its operation is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Now,
    Later,
    /// Begun by a call that waits for more than this one.
    Part,
}

/// A send begins; the next message that the rank posts is its.
pub(crate) fn send(
    here: &RankContext,
    comm: &CommObject,
    buffer: &Buffer,
    (to, tag, mode): (c_int, c_int, SendMode),
    form: Form,
) -> Noted {
    if to == MPI_PROC_NULL {
        return Noted::new();
    }
    let to = comm.comm.world_rank_of(to as u32);
    let context = comm.comm.context_number();
    let what = What::Send { to, tag, context };
    let claim = Claim::reads(buffer);
    let noted = begin(here, comm, what, claim, form, |operation| {
        operation.is_free.set(mode == SendMode::Buffered);
        if form == Form::Later {
            operation.checksum = checksum::of(buffer);
        }
    });
    here.comm.number_send(noted[0].number);
    noted
}

/// A receive begins; the next receive that the rank posts is it.
pub(crate) fn receive(
    here: &RankContext,
    comm: &CommObject,
    buffer: &Buffer,
    (from, tag): (c_int, c_int),
    form: Form,
) -> Noted {
    if from == MPI_PROC_NULL {
        return Noted::new();
    }
    let from = u32::try_from(from).ok().map(|from| comm.comm.world_rank_of(from));
    let context = comm.comm.context_number();
    let what = What::Receive { from, tag, context };
    let noted = begin(here, comm, what, Claim::writes(buffer), form, |_| ());
    here.comm.number_receive(noted[0].number);
    noted
}

fn begin(
    here: &RankContext,
    comm: &CommObject,
    what: What,
    claim: Claim,
    form: Form,
    prepare: impl FnOnce(&mut Operation),
) -> Noted {
    with(here, |watch| {
        let site = watch.site(here, Some(comm));
        let mut operation = Operation::new(watch.next(), site.clone(), what, vec![claim]);
        prepare(&mut operation);
        let operation = watch.begin(operation, form);
        if form == Form::Now && is_ordered(here) {
            watch.safety.wait(site, vec![operation.clone()], Need::All);
        }
        vec![operation]
    })
}

/// A call that sends and receives begins; it waits for both. Without a buffer to send from, what
/// is sent was copied from the one to receive into.
pub(crate) fn exchange(
    here: &RankContext,
    comm: &CommObject,
    (sent, to, tag): (Option<&Buffer>, c_int, c_int),
    (room, from, wanted): (&Buffer, c_int, c_int),
    form: Form,
) -> Noted {
    let part = if form == Form::Now { Form::Part } else { form };
    let sending = if sent.is_some() { part } else { Form::Part };
    let target = (to, tag, SendMode::Standard);
    let mut noted = send(here, comm, sent.unwrap_or(room), target, sending);
    noted.extend(receive(here, comm, room, (from, wanted), part));
    if form == Form::Now && !noted.is_empty() {
        with(here, |watch| {
            let site = watch.site(here, Some(comm));
            let apart =
                sent.is_none_or(|sent| Claim::reads(sent).conflict(&Claim::writes(room)).is_none());
            if !apart && noted.len() == 2 {
                watch.own_overlap(site.clone(), rule::EXCHANGE);
            }
            if is_ordered(here) {
                watch.safety.wait(site, noted.clone(), Need::All);
            }
        });
    }
    noted
}
