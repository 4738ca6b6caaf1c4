//! Inter-communicators. MPI 4.1 section 7.6.

use std::ffi::{c_char, c_int};

use foretell_ranks::block_on;

use super::create::{meet, string_tag};
use super::{CommObject, label, new_place, not_inter};
use crate::abi::*;
use crate::call::mpi;
use crate::errhandler::functions::{Sort, check};
use crate::failure::{Failure, bad};
use crate::group;
use crate::info;
use crate::pointer::{In, Out};
use crate::send::check_tag;

/// A leader, which is a rank of a group or communicator of so many.
fn leader(rank: c_int, size: u32, which: &str) -> Result<u32, Failure> {
    match u32::try_from(rank) {
        Ok(rank) if rank < size => Ok(rank),
        _ => bad(MPI_ERR_RANK, format!("the {which} leader {rank} is not among {size} ranks")),
    }
}

mpi! {
    /// `MPI_Intercomm_create`.
    timed fn MPI_Intercomm_create(
        local_comm: MPI_Comm, local_leader: c_int, peer_comm: MPI_Comm, remote_leader: c_int,
        tag: c_int, newintercomm: Out<MPI_Comm>,
    ) -> c_int on Comm(local_comm), |here| {
        let local = here.comm(local_comm)?;
        let newintercomm = new_place(newintercomm, "newintercomm")?;
        if local.comm.is_inter() {
            return bad(MPI_ERR_COMM, "the local communicator is an inter-communicator");
        }
        check_tag(tag)?;
        let own = leader(local_leader, local.comm.size(), "local")?;
        // The peer communicator means something at the leader only.
        let peer = match local.comm.rank() == own {
            true => Some(here.comm(peer_comm)?),
            false => None,
        };
        if let Some(peer) = &peer {
            leader(remote_leader, peer.comm.target_count(), "remote")?;
        }
        let peer = peer.as_ref().map(|peer| &peer.comm);
        let made = block_on(local.comm.intercomm_create(own, peer, remote_leader, tag))?;
        newintercomm.set(local.child(made));
        Ok(())
    }

    /// `MPI_Intercomm_create_from_groups`.
    timed fn MPI_Intercomm_create_from_groups(
        local_group: MPI_Group, local_leader: c_int, remote_group: MPI_Group, remote_leader: c_int,
        stringtag: In<c_char>, info: MPI_Info, errhandler: MPI_Errhandler,
        newintercomm: Out<MPI_Comm>,
    ) -> c_int, |here| {
        let (local, remote) = (group::lookup(local_group)?, group::lookup(remote_group)?);
        check(errhandler, Sort::Comm)?;
        let hints = label::known(info::optional(here, info)?);
        let newintercomm = new_place(newintercomm, "newintercomm")?;
        let own = leader(local_leader, local.size(), "local")?;
        let other = remote.world_rank(leader(remote_leader, remote.size(), "remote")?);
        let text = stringtag.given(1, "stringtag")?.text();
        let comm = meet(here, &local, &text)?;
        let tag = string_tag(&text) & c_int::MAX;
        let made = comm.intercomm_create(own, Some(&here.comm), other as i32, tag);
        let object = CommObject::new(block_on(made)?);
        object.errhandler.set(errhandler);
        object.info.replace(hints);
        newintercomm.set(object.keep());
        Ok(())
    }

    /// `MPI_Intercomm_merge`.
    timed fn MPI_Intercomm_merge(intercomm: MPI_Comm, high: c_int, newintracomm: Out<MPI_Comm>)
        -> c_int on Comm(intercomm), |here| {
        let parent = here.comm(intercomm)?;
        let newintracomm = new_place(newintracomm, "newintracomm")?;
        if !parent.comm.is_inter() {
            return not_inter();
        }
        newintracomm.set(parent.child(block_on(parent.comm.intercomm_merge(high != 0))?));
        Ok(())
    }
}
