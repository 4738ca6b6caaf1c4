//! Groups: ordered sets of ranks. MPI 4.1 section 7.3.

use std::ffi::c_int;

use foretell_mpi::{Comparison, Group};

use crate::abi::*;
use crate::call::mpi;
use crate::check::{self, Sort};
use crate::failure::{Failure, Outcome, bad};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};

/// The group of nobody.
const EMPTY: Group = Group::Range { first: 0, stride: 1, count: 0 };

/// The group of a handle. Groups are cheap to copy.
pub(crate) fn lookup(handle: MPI_Group) -> Result<Group, Failure> {
    if handle == MPI_GROUP_EMPTY {
        return Ok(EMPTY);
    }
    let table = objects().groups.borrow();
    table.get(handle).cloned().ok_or_else(|| no_such(MPI_ERR_GROUP, "group", handle))
}

/// Keeps a group; that of nobody is always `MPI_GROUP_EMPTY`.
pub(crate) fn keep(group: Group) -> MPI_Group {
    match group.size() {
        0 => MPI_GROUP_EMPTY,
        _ => {
            let handle = objects().groups.borrow_mut().insert(group);
            check::note(Sort::Group, handle)
        }
    }
}

/// How a comparison is told to C.
pub(crate) fn told(comparison: Comparison) -> c_int {
    match comparison {
        Comparison::Identical => MPI_IDENT,
        Comparison::Congruent => MPI_CONGRUENT,
        Comparison::Similar => MPI_SIMILAR,
        Comparison::Unequal => MPI_UNEQUAL,
    }
}

/// A length of an array of the program.
fn length(n: c_int) -> Result<usize, Failure> {
    match usize::try_from(n) {
        Ok(n) => Ok(n),
        Err(_) => bad(MPI_ERR_ARG, format!("a count of {n} is negative")),
    }
}

/// Ranks of a group that the program lists.
fn ranks(group: &Group, n: c_int, list: In<c_int>) -> Result<Vec<u32>, Failure> {
    let n = length(n)?;
    list.given(n, "ranks")?.slice(n).iter().map(|rank| member(group, *rank)).collect()
}

/// A rank of a group.
fn member(group: &Group, rank: c_int) -> Result<u32, Failure> {
    let size = group.size();
    match u32::try_from(rank) {
        Ok(rank) if rank < size => Ok(rank),
        _ => bad(MPI_ERR_RANK, format!("rank {rank} is not in a group of {size} ranks")),
    }
}

/// Ranges of ranks that the program lists.
fn ranges(group: &Group, n: c_int, list: In<[c_int; 3]>) -> Result<Vec<(u32, u32, i32)>, Failure> {
    let n = length(n)?;
    let range = |[first, last, stride]: [c_int; 3]| {
        let (first, last_member) = (member(group, first)?, last_of(group, first, last, stride)?);
        Ok((first, last_member, stride))
    };
    list.given(n, "ranges")?.slice(n).iter().map(|triplet| range(*triplet)).collect()
}

/// The last rank that a range reaches, which need not be the one it is written with.
fn last_of(group: &Group, first: c_int, last: c_int, stride: c_int) -> Result<u32, Failure> {
    if stride == 0 {
        return bad(MPI_ERR_ARG, "a range with a stride of 0");
    }
    if (stride > 0) != (last >= first) && first != last {
        return bad(
            MPI_ERR_ARG,
            format!("a range from {first} to {last} with a stride of {stride} is empty"),
        );
    }
    let (first, last, stride) = (i64::from(first), i64::from(last), i64::from(stride));
    let reached = first + (last - first) / stride * stride;
    member(group, reached as c_int)
}

/// What two groups make.
fn combine(
    (first, second): (MPI_Group, MPI_Group),
    newgroup: Out<MPI_Group>,
    f: impl FnOnce(&Group, &Group) -> Group,
) -> Outcome {
    let (first, second) = (lookup(first)?, lookup(second)?);
    newgroup.given("newgroup")?.set(keep(f(&first, &second)));
    Ok(())
}

mpi! {
    /// `MPI_Group_size`.
    local fn MPI_Group_size(group: MPI_Group, size: Out<c_int>) -> c_int, |here| {
        let _ = here;
        size.given("size")?.set(lookup(group)?.size() as c_int);
        Ok(())
    }

    /// `MPI_Group_rank`.
    local fn MPI_Group_rank(group: MPI_Group, rank: Out<c_int>) -> c_int, |here| {
        let own = lookup(group)?.rank_of(here.number());
        rank.given("rank")?.set(own.map_or(MPI_UNDEFINED, |rank| rank as c_int));
        Ok(())
    }

    /// `MPI_Group_translate_ranks`.
    local fn MPI_Group_translate_ranks(
        group1: MPI_Group, n: c_int, ranks1: In<c_int>, group2: MPI_Group, ranks2: Out<c_int>,
    ) -> c_int, |here| {
        let _ = here;
        let (first, second, n) = (lookup(group1)?, lookup(group2)?, length(n)?);
        let given = ranks1.given(n, "ranks1")?.slice(n);
        if n > 0 {
            ranks2.given("ranks2")?;
        }
        for (at, rank) in given.iter().enumerate() {
            let there = match *rank {
                MPI_PROC_NULL => Some(MPI_PROC_NULL),
                rank => {
                    let world = first.world_rank(member(&first, rank)?);
                    second.rank_of(world).map(|rank| rank as c_int)
                }
            };
            ranks2.set_at(at, there.unwrap_or(MPI_UNDEFINED));
        }
        Ok(())
    }

    /// `MPI_Group_compare`.
    local fn MPI_Group_compare(group1: MPI_Group, group2: MPI_Group, result: Out<c_int>) -> c_int,
        |here| {
        let _ = here;
        let comparison = lookup(group1)?.compare(&lookup(group2)?);
        result.given("result")?.set(told(comparison));
        Ok(())
    }

    /// `MPI_Group_union`.
    local fn MPI_Group_union(group1: MPI_Group, group2: MPI_Group, newgroup: Out<MPI_Group>)
        -> c_int, |here| {
        let _ = here;
        combine((group1, group2), newgroup, Group::union)
    }

    /// `MPI_Group_intersection`.
    local fn MPI_Group_intersection(group1: MPI_Group, group2: MPI_Group, newgroup: Out<MPI_Group>)
        -> c_int, |here| {
        let _ = here;
        combine((group1, group2), newgroup, Group::intersection)
    }

    /// `MPI_Group_difference`.
    local fn MPI_Group_difference(group1: MPI_Group, group2: MPI_Group, newgroup: Out<MPI_Group>)
        -> c_int, |here| {
        let _ = here;
        combine((group1, group2), newgroup, Group::difference)
    }

    /// `MPI_Group_incl`.
    local fn MPI_Group_incl(group: MPI_Group, n: c_int, list: In<c_int>, newgroup: Out<MPI_Group>)
        -> c_int, |here| {
        let _ = here;
        let (group, newgroup) = (lookup(group)?, newgroup.given("newgroup")?);
        let chosen = as_rank_error(group.incl(&ranks(&group, n, list)?))?;
        newgroup.set(keep(chosen));
        Ok(())
    }

    /// `MPI_Group_excl`.
    local fn MPI_Group_excl(group: MPI_Group, n: c_int, list: In<c_int>, newgroup: Out<MPI_Group>)
        -> c_int, |here| {
        let _ = here;
        let (group, newgroup) = (lookup(group)?, newgroup.given("newgroup")?);
        let left = as_rank_error(group.excl(&ranks(&group, n, list)?))?;
        newgroup.set(keep(left));
        Ok(())
    }

    /// `MPI_Group_range_incl`.
    local fn MPI_Group_range_incl(
        group: MPI_Group, n: c_int, list: In<[c_int; 3]>, newgroup: Out<MPI_Group>,
    ) -> c_int, |here| {
        let _ = here;
        let (group, newgroup) = (lookup(group)?, newgroup.given("newgroup")?);
        let chosen = as_rank_error(group.range_incl(&ranges(&group, n, list)?))?;
        newgroup.set(keep(chosen));
        Ok(())
    }

    /// `MPI_Group_range_excl`.
    local fn MPI_Group_range_excl(
        group: MPI_Group, n: c_int, list: In<[c_int; 3]>, newgroup: Out<MPI_Group>,
    ) -> c_int, |here| {
        let _ = here;
        let (group, newgroup) = (lookup(group)?, newgroup.given("newgroup")?);
        let left = as_rank_error(group.range_excl(&ranges(&group, n, list)?))?;
        newgroup.set(keep(left));
        Ok(())
    }

    /// `MPI_Group_free`.
    local fn MPI_Group_free(group: Out<MPI_Group>) -> c_int, |here| {
        let _ = here;
        let handle = group.given("group")?.get();
        if handle != MPI_GROUP_EMPTY {
            let removed = objects().groups.borrow_mut().remove(handle);
            removed.ok_or_else(|| no_such(MPI_ERR_GROUP, "group", handle))?;
        }
        group.set(MPI_GROUP_NULL);
        Ok(())
    }
}

/// A rank that is listed twice is an error of ranks.
fn as_rank_error(made: foretell_mpi::Result<Group>) -> Result<Group, Failure> {
    made.map_err(|error| Failure::new(MPI_ERR_RANK, error.to_string()))
}
