//! Making and freeing windows. MPI 4.1 section 12.2.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::{Memories, Region, Window};
use foretell_ranks::block_on;

use super::{Block, Values, WinObject, lookup};
use crate::abi::*;
use crate::address;
use crate::ahead;
use crate::attribute;
use crate::call::{mpi, mpi_large};
use crate::comm::CommObject;
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::group;
use crate::info;
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// The arguments that all ways to make a window have.
struct Making {
    comm: Rc<CommObject>,
    size: MPI_Aint,
    unit: MPI_Aint,
    info: info::Info,
}

impl Making {
    fn new(
        here: &RankContext,
        comm: MPI_Comm,
        (size, unit): (MPI_Aint, MPI_Aint),
        info: MPI_Info,
    ) -> Result<Self, Failure> {
        // Others reach the memory of a rank from now on, whatever it does meanwhile.
        ahead::forbid();
        let comm = here.comm(comm)?;
        ensure(!comm.comm.is_inter(), MPI_ERR_COMM, || {
            "a window needs an intra-communicator".into()
        })?;
        ensure(size >= 0, MPI_ERR_SIZE, || format!("a size of {size} is negative"))?;
        ensure(unit > 0, MPI_ERR_DISP, || {
            format!("a displacement unit of {unit} is not positive")
        })?;
        Ok(Self { comm, size, unit, info: info::optional(here, info)? })
    }

    /// Makes the window, all ranks together.
    fn window(&self, memories: Memories) -> Result<Window, Failure> {
        Ok(block_on(self.comm.comm.window(memories))?)
    }

    fn region(&self, address: usize) -> Memories {
        Memories::One(Region { address, bytes: self.size as u64, unit: self.unit as u64 })
    }

    fn values(&self, base: usize, flavor: c_int) -> Values {
        Values { base, size: self.size, unit: self.unit as c_int, flavor, model: MPI_WIN_UNIFIED }
    }

    /// Keeps a window that is made.
    fn keep(self, window: Window, values: Values, block: Option<Rc<Block>>) -> MPI_Win {
        WinObject::new(window, values, self.info, block).keep()
    }

    /// `MPI_Win_create`.
    fn create(self, base: usize) -> Result<MPI_Win, Failure> {
        ensure(base != 0 || self.size == 0, MPI_ERR_BASE, || {
            format!("a null pointer for a window of {} bytes", self.size)
        })?;
        let window = self.window(self.region(base))?;
        let values = self.values(base, MPI_WIN_FLAVOR_CREATE);
        Ok(self.keep(window, values, None))
    }

    /// `MPI_Win_allocate`: the window and its memory.
    fn allocate(self) -> Result<(MPI_Win, usize), Failure> {
        let base = allocated(self.size as usize, &self.info)?;
        let block = Block { address: base };
        let window = self.window(self.region(base))?;
        let values = self.values(base, MPI_WIN_FLAVOR_ALLOCATE);
        Ok((self.keep(window, values, Some(Rc::new(block))), base))
    }

    /// `MPI_Win_allocate_shared`: one block for all ranks, who are on one host.
    fn allocate_shared(self) -> Result<(MPI_Win, usize), Failure> {
        let comm = &self.comm.comm;
        ensure((0..comm.size()).all(|rank| comm.shares_host(rank)), MPI_ERR_RMA_SHARED, || {
            "the ranks are on several hosts, which cannot share memory; MPI_Comm_split_type with \
             MPI_COMM_TYPE_SHARED gives the ranks of one host"
                .into()
        })?;
        let window = self.window(self.region(0))?;
        let block = window.shared(|| {
            let total: u64 = (0..comm.size()).map(|rank| region_of(&window, rank).bytes).sum();
            let address = allocated(total as usize, &self.info)?;
            window.lay_out(address);
            Ok::<Block, Failure>(Block { address })
        })?;
        let base = region_of(&window, comm.rank()).address;
        let values = self.values(base, MPI_WIN_FLAVOR_SHARED);
        Ok((self.keep(window, values, Some(block)), base))
    }
}

/// Memory of a window, aligned as the program asks.
fn allocated(size: usize, hints: &info::Info) -> Result<usize, Failure> {
    address::allocate(size, address::alignment(info::find(hints, address::ALIGNMENT)))
}

/// The one region of a rank; an empty one if it has several.
fn region_of(window: &Window, rank: u32) -> Region {
    match window.memories(rank) {
        Memories::One(region) => region,
        Memories::Dynamic(_) => Region::default(),
    }
}

/// What `MPI_Win_shared_query` tells: a rank's memory, if this rank can reach it by pointers.
fn query(win: &WinObject, rank: c_int) -> Result<Region, Failure> {
    let window = &win.window;
    ensure(win.values.flavor != MPI_WIN_FLAVOR_DYNAMIC, MPI_ERR_RMA_FLAVOR, || {
        "a dynamic window has no memory to be asked for".into()
    })?;
    let rank = match rank {
        MPI_PROC_NULL => {
            let is_first = |rank: &u32| region_of(window, *rank).bytes > 0;
            (0..window.comm().size()).find(is_first).unwrap_or(0)
        }
        rank => window.target(rank)?,
    };
    let region = region_of(window, rank);
    match window.comm().shares_host(rank) {
        true => Ok(region),
        false => Ok(Region { address: 0, bytes: 0, ..region }),
    }
}

/// Changes the attached memory of a dynamic window.
fn change(win: MPI_Win, change: impl FnOnce(&mut Vec<Region>) -> Outcome) -> Outcome {
    lookup(win)?.window.change_memories(|memories| match memories {
        Memories::Dynamic(regions) => change(regions),
        Memories::One(_) => {
            bad(MPI_ERR_RMA_FLAVOR, "the window was not made by MPI_Win_create_dynamic")
        }
    })
}

fn attach(regions: &mut Vec<Region>, address: usize, size: MPI_Aint) -> Outcome {
    let end = address.saturating_add(size as usize);
    let overlaps =
        |region: &Region| region.address < end && address < region.address + region.bytes as usize;
    ensure(!regions.iter().any(overlaps), MPI_ERR_RMA_ATTACH, || {
        format!("{size} bytes at {address:#x} overlap memory that is attached already")
    })?;
    regions.push(Region { address, bytes: size as u64, unit: 1 });
    Ok(())
}

fn detach(regions: &mut Vec<Region>, address: usize) -> Outcome {
    match regions.iter().position(|region| region.address == address) {
        Some(place) => {
            regions.remove(place);
            Ok(())
        }
        None => bad(MPI_ERR_RMA_ATTACH, format!("nothing is attached at {address:#x}")),
    }
}

/// The window whose error handler hears of a failure; none if there is no place to look.
fn named(win: Out<MPI_Win>) -> MPI_Win {
    if win.is_null() { MPI_WIN_NULL } else { win.get() }
}

mpi_large! {
    /// `MPI_Win_create`.
    timed fn MPI_Win_create(
        base: Out<c_void>, size: MPI_Aint, disp_unit: D, info: MPI_Info, comm: MPI_Comm,
        win: Out<MPI_Win>,
    ) -> c_int on Comm(comm), |here| {
        let win = win.given("win")?;
        let making = Making::new(here, comm, (size, disp_unit as MPI_Aint), info)?;
        win.set(making.create(base.address())?);
        Ok(())
    }

    /// `MPI_Win_allocate`.
    timed fn MPI_Win_allocate(
        size: MPI_Aint, disp_unit: D, info: MPI_Info, comm: MPI_Comm, baseptr: Out<usize>,
        win: Out<MPI_Win>,
    ) -> c_int on Comm(comm), |here| {
        let (baseptr, win) = (baseptr.given("baseptr")?, win.given("win")?);
        let making = Making::new(here, comm, (size, disp_unit as MPI_Aint), info)?;
        let (made, base) = making.allocate()?;
        baseptr.set(base);
        win.set(made);
        Ok(())
    }

    /// `MPI_Win_allocate_shared`.
    timed fn MPI_Win_allocate_shared(
        size: MPI_Aint, disp_unit: D, info: MPI_Info, comm: MPI_Comm, baseptr: Out<usize>,
        win: Out<MPI_Win>,
    ) -> c_int on Comm(comm), |here| {
        let (baseptr, win) = (baseptr.given("baseptr")?, win.given("win")?);
        let making = Making::new(here, comm, (size, disp_unit as MPI_Aint), info)?;
        let (made, base) = making.allocate_shared()?;
        baseptr.set(base);
        win.set(made);
        Ok(())
    }

    /// `MPI_Win_shared_query`.
    local fn MPI_Win_shared_query(
        win: MPI_Win, rank: c_int, size: Out<MPI_Aint>, disp_unit: Out<D>, baseptr: Out<usize>,
    ) -> c_int on Win(win), |here| {
        let _ = here;
        let Region { address, bytes, unit } = query(&*lookup(win)?, rank)?;
        size.set(bytes as MPI_Aint);
        disp_unit.set(unit as D);
        baseptr.set(address);
        Ok(())
    }
}

mpi! {
    /// `MPI_Win_create_dynamic`.
    timed fn MPI_Win_create_dynamic(info: MPI_Info, comm: MPI_Comm, win: Out<MPI_Win>) -> c_int
        on Comm(comm), |here| {
        let win = win.given("win")?;
        let making = Making::new(here, comm, (0, 1), info)?;
        let window = making.window(Memories::Dynamic(Vec::new()))?;
        let values = making.values(MPI_BOTTOM, MPI_WIN_FLAVOR_DYNAMIC);
        win.set(making.keep(window, values, None));
        Ok(())
    }

    /// `MPI_Win_attach`.
    local fn MPI_Win_attach(win: MPI_Win, base: Out<c_void>, size: MPI_Aint) -> c_int
        on Win(win), |here| {
        let _ = here;
        ensure(size >= 0, MPI_ERR_SIZE, || format!("a size of {size} is negative"))?;
        change(win, |regions| attach(regions, base.address(), size))
    }

    /// `MPI_Win_detach`.
    local fn MPI_Win_detach(win: MPI_Win, base: In<c_void>) -> c_int on Win(win), |here| {
        let _ = here;
        change(win, |regions| detach(regions, base.address()))
    }

    /// `MPI_Win_free`.
    timed fn MPI_Win_free(win: Out<MPI_Win>) -> c_int on Win(named(win)), |here| {
        let _ = here;
        let handle = win.given("win")?.get();
        let object = lookup(handle)?;
        object.window.check_free()?;
        attribute::delete_each(&object.attributes, handle)?;
        block_on(object.window.free())?;
        let removed = objects().wins.borrow_mut().remove(handle);
        removed.ok_or_else(|| no_such(MPI_ERR_WIN, "window", handle))?;
        win.set(MPI_WIN_NULL);
        Ok(())
    }

    /// `MPI_Win_get_group`.
    local fn MPI_Win_get_group(win: MPI_Win, newgroup: Out<MPI_Group>) -> c_int
        on Win(win), |here| {
        let _ = here;
        let win = lookup(win)?;
        newgroup.given("group")?.set(group::keep(win.window.comm().group().clone()));
        Ok(())
    }
}
