//! New communicators of some ranks of others. MPI 4.1 section 7.4.2.

use std::ffi::{c_char, c_int};
use std::rc::Rc;

use foretell_mpi::{Comm, Group, SplitType};
use foretell_ranks::block_on;

use super::{CommObject, Reserved, label, new_place};
use crate::abi::*;
use crate::ahead;
use crate::call::mpi;
use crate::errhandler::functions::{Sort, check};
use crate::failure::{Failure, Outcome, bad};
use crate::group;
use crate::info;
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::send::check_tag;

/// The key of info objects that names a part of the machine.
const RESOURCE: &str = "mpi_hw_resource_type";
/// Names of the host, the only part of the machine that is known here.
const HOST_NAMES: [&str; 4] = ["mpi_shared_memory", "machine", "host", "node"];

/// How the ranks of a communicator are told apart by the machine.
enum Parts {
    By(Option<SplitType>),
    /// A set of processes: all that are in it.
    Everybody,
    /// Each process by itself.
    Each,
}

impl Parts {
    /// What `MPI_Comm_split_type` asks for.
    fn new(here: &RankContext, kind: c_int, info: MPI_Info) -> Result<Self, Failure> {
        let hints = info::optional(here, info)?;
        let resource = info::find(&hints, RESOURCE);
        let set = info::find(&hints, "mpi_pset_name");
        let host = resource.filter(|name| HOST_NAMES.contains(name)).map(|_| SplitType::Hardware);
        Ok(match (kind, set) {
            (MPI_UNDEFINED, _) => Parts::By(None),
            (MPI_COMM_TYPE_SHARED, _) => Parts::By(Some(SplitType::Shared)),
            (MPI_COMM_TYPE_HW_UNGUIDED, _) => Parts::By(Some(SplitType::Finer)),
            (MPI_COMM_TYPE_RESOURCE_GUIDED, Some("mpi://WORLD")) => Parts::Everybody,
            (MPI_COMM_TYPE_RESOURCE_GUIDED, Some("mpi://SELF")) => Parts::Each,
            (MPI_COMM_TYPE_HW_GUIDED | MPI_COMM_TYPE_RESOURCE_GUIDED, _) => Parts::By(host),
            _ => return bad(MPI_ERR_ARG, format!("{kind} is not a type to split by")),
        })
    }
}

/// Splits a communicator for a rank that gets a part of it in any case. Its handle is chosen when
/// the call begins, so that a rank that goes ahead has it: it can only give it to calls, which wait.
fn split(
    here: &RankContext,
    parent: Rc<CommObject>,
    (color, key): (c_int, c_int),
    newcomm: Out<MPI_Comm>,
) -> Outcome {
    let place = Reserved::new(&parent);
    let handle = place.handle();
    let rest = async move {
        match parent.comm.split(Some(color), key).await {
            Ok(Some(comm)) => {
                place.fill(parent.descendant(comm));
                Ok(())
            }
            Ok(None) => {
                place.give_back();
                bad(MPI_ERR_INTERN, "a color has no communicator")
            }
            Err(error) => {
                place.give_back();
                Err(error.into())
            }
        }
    };
    let outcome = match ahead::is_worth(here) {
        true => ahead::to_the_end(here, Box::pin(rest)),
        false => block_on(rest),
    };
    if outcome.is_ok() {
        newcomm.set(handle);
    }
    outcome
}

/// The ranks of a set of processes, told to all by a string instead of a communicator.
pub(super) fn meet(here: &RankContext, group: &Group, tag: &str) -> Result<Comm, Failure> {
    let made = block_on(here.comm.create_group(group, string_tag(tag)))?;
    match made {
        Some(comm) => Ok(comm),
        None => bad(MPI_ERR_GROUP, "the calling rank is not in the group"),
    }
}

/// A tag for a string; negative, so that it never meets a tag of `MPI_Comm_create_group`.
pub(super) fn string_tag(text: &str) -> c_int {
    // FNV-1a, 32 bits.
    let hash = text
        .bytes()
        .fold(0x811C_9DC5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash | 1 << 31) as c_int
}

mpi! {
    /// `MPI_Comm_create`.
    timed fn MPI_Comm_create(comm: MPI_Comm, group: MPI_Group, newcomm: Out<MPI_Comm>) -> c_int
        on Comm(comm), |here| {
        let (parent, group) = (here.comm(comm)?, group::lookup(group)?);
        let newcomm = new_place(newcomm, "newcomm")?;
        if let Some(stranger) = group.iter().find(|rank| !parent.comm.group().contains(*rank)) {
            return bad(
                MPI_ERR_GROUP,
                format!("the group has world rank {stranger}, which is not in the communicator"),
            );
        }
        newcomm.set(parent.child_or_null(block_on(parent.comm.create(&group))?));
        Ok(())
    }

    /// `MPI_Comm_create_group`.
    timed fn MPI_Comm_create_group(
        comm: MPI_Comm, group: MPI_Group, tag: c_int, newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm), |here| {
        let (parent, group) = (here.comm(comm)?, group::lookup(group)?);
        let newcomm = new_place(newcomm, "newcomm")?;
        check_tag(tag)?;
        newcomm.set(parent.child_or_null(block_on(parent.comm.create_group(&group, tag))?));
        Ok(())
    }

    /// `MPI_Comm_create_from_group`.
    timed fn MPI_Comm_create_from_group(
        group: MPI_Group, stringtag: In<c_char>, info: MPI_Info, errhandler: MPI_Errhandler,
        newcomm: Out<MPI_Comm>,
    ) -> c_int, |here| {
        let group = group::lookup(group)?;
        check(errhandler, Sort::Comm)?;
        let hints = label::known(info::optional(here, info)?);
        let newcomm = new_place(newcomm, "newcomm")?;
        if group.size() == 0 {
            return Ok(());
        }
        let comm = meet(here, &group, &stringtag.given(1, "stringtag")?.text())?;
        let object = CommObject::new(comm);
        object.errhandler.set(errhandler);
        object.info.replace(hints);
        newcomm.set(object.keep());
        Ok(())
    }

    /// `MPI_Comm_split`.
    timed fn MPI_Comm_split(comm: MPI_Comm, color: c_int, key: c_int, newcomm: Out<MPI_Comm>)
        -> c_int on Comm(comm), |here| {
        let parent = here.comm(comm)?;
        let newcomm = new_place(newcomm, "newcomm")?;
        if color < 0 && color != MPI_UNDEFINED {
            return bad(MPI_ERR_ARG, format!("color {color} is negative"));
        }
        if color != MPI_UNDEFINED && !parent.comm.is_inter() {
            return split(here, parent, (color, key), newcomm);
        }
        let color = (color != MPI_UNDEFINED).then_some(color);
        newcomm.set(parent.child_or_null(block_on(parent.comm.split(color, key))?));
        Ok(())
    }

    /// `MPI_Comm_split_type`.
    timed fn MPI_Comm_split_type(
        comm: MPI_Comm, split_type: c_int, key: c_int, info: MPI_Info, newcomm: Out<MPI_Comm>,
    ) -> c_int on Comm(comm), |here| {
        let parent = here.comm(comm)?;
        let newcomm = new_place(newcomm, "newcomm")?;
        let made = match Parts::new(here, split_type, info)? {
            Parts::By(kind) => block_on(parent.comm.split_type(kind, key))?,
            Parts::Everybody => block_on(parent.comm.split(Some(0), key))?,
            Parts::Each => block_on(parent.comm.split(Some(parent.comm.rank() as i32), key))?,
        };
        if split_type == MPI_COMM_TYPE_HW_UNGUIDED && made.is_some() && info != MPI_INFO_NULL {
            info::change(info, |info| info::put(info, RESOURCE.into(), HOST_NAMES[2].into()))?;
        }
        newcomm.set(parent.child_or_null(made));
        Ok(())
    }
}
