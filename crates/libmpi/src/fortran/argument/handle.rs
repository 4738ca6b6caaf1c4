//! Handles, which are integers in Fortran.

use std::ffi::c_int;
use std::marker::PhantomData;

use smallvec::SmallVec;

use super::Argument;
use crate::abi::*;
use crate::language;
use crate::rank::RankContext;

/// A kind of handle.
pub(crate) trait Sort {
    /// The handle of an integer.
    fn handle(integer: c_int) -> Handle;
}

macro_rules! sorts {
    ($($sort:ident $f2c:ident;)*) => {$(
        #[doc = concat!("Handles of the type `MPI_", stringify!($sort), "`.")]
        pub(crate) struct $sort;

        impl Sort for $sort {
            fn handle(integer: c_int) -> Handle {
                language::$f2c(integer)
            }
        }
    )*};
}

sorts! {
    Comm MPI_Comm_f2c;
    Group MPI_Group_f2c;
    Request MPI_Request_f2c;
    Message MPI_Message_f2c;
    Errhandler MPI_Errhandler_f2c;
    Info MPI_Info_f2c;
    Session MPI_Session_f2c;
    Win MPI_Win_f2c;
    File MPI_File_f2c;
    Op MPI_Op_f2c;
    Datatype MPI_Type_f2c;
}

/// The integer of a handle.
pub(crate) fn integer(handle: Handle) -> c_int {
    handle as u32 as c_int
}

/// A handle that C takes by value.
pub(crate) struct Given<S>(Handle, PhantomData<S>);

impl<S: Sort> Argument for Given<S> {
    type Raw = *const c_int;
    type C = Handle;

    fn take(raw: *const c_int, _with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self(S::handle(unsafe { raw.read() }), PhantomData)
    }

    fn c(&mut self) -> Handle {
        self.0
    }
}

/// A place for a new handle.
pub(crate) struct Made<S> {
    place: *mut c_int,
    handle: Handle,
    sort: PhantomData<S>,
}

impl<S: Sort> Argument for Made<S> {
    type Raw = *mut c_int;
    type C = *mut Handle;

    fn take(place: *mut c_int, _with: usize) -> Self {
        Self { place, handle: 0, sort: PhantomData }
    }

    fn c(&mut self) -> *mut Handle {
        &mut self.handle
    }

    fn give_back(self, _code: c_int) {
        // No handle is 0: the function has left the place as it was.
        if self.handle != 0 {
            // SAFETY: the caller's promise, see `argument.rs`.
            unsafe { self.place.write(integer(self.handle)) };
        }
    }
}

/// A handle that the function may change.
pub(crate) struct Changed<S> {
    place: *mut c_int,
    handle: Handle,
    sort: PhantomData<S>,
}

impl<S: Sort> Argument for Changed<S> {
    type Raw = *mut c_int;
    type C = *mut Handle;

    fn take(place: *mut c_int, _with: usize) -> Self {
        // SAFETY: the caller's promise, see `argument.rs`.
        Self { place, handle: S::handle(unsafe { place.read() }), sort: PhantomData }
    }

    fn c(&mut self) -> *mut Handle {
        &mut self.handle
    }

    fn give_back(self, _code: c_int) {
        // SAFETY: as above.
        unsafe { self.place.write(integer(self.handle)) };
    }
}

/// So many handles are kept on the stack.
type Handles = SmallVec<[Handle; 8]>;

/// An array of handles; `with` is its length.
pub(crate) struct GivenAll<S>(Handles, PhantomData<S>);

impl<S: Sort> Argument for GivenAll<S> {
    type Raw = *const c_int;
    type C = *const Handle;

    fn take(raw: *const c_int, with: usize) -> Self {
        Self(handles::<S>(raw, with), PhantomData)
    }

    fn c(&mut self) -> *const Handle {
        self.0.as_ptr()
    }
}

/// The handles of an array of integers.
fn handles<S: Sort>(raw: *const c_int, count: usize) -> Handles {
    // SAFETY: the caller's promise, see `argument.rs`.
    (0..count).map(|at| S::handle(unsafe { *raw.add(at) })).collect()
}

/// Writes handles back, but for those that are 0, which are none.
fn write(first: *mut c_int, handles: &Handles) {
    for (at, handle) in handles.iter().enumerate().filter(|(_, handle)| **handle != 0) {
        // SAFETY: the caller's promise, see `argument.rs`.
        unsafe { first.add(at).write(integer(*handle)) };
    }
}

/// An array of handles that the function may change; `with` is its length.
pub(crate) struct ChangedAll<S> {
    first: *mut c_int,
    handles: Handles,
    sort: PhantomData<S>,
}

impl<S: Sort> Argument for ChangedAll<S> {
    type Raw = *mut c_int;
    type C = *mut Handle;

    fn take(first: *mut c_int, with: usize) -> Self {
        Self { first, handles: handles::<S>(first, with), sort: PhantomData }
    }

    fn c(&mut self) -> *mut Handle {
        self.handles.as_mut_ptr()
    }

    fn give_back(self, _code: c_int) {
        write(self.first, &self.handles);
    }
}

/// Places for at most `with` new handles.
pub(crate) struct MadeAll<S> {
    first: *mut c_int,
    handles: Handles,
    sort: PhantomData<S>,
}

impl<S: Sort> Argument for MadeAll<S> {
    type Raw = *mut c_int;
    type C = *mut Handle;

    fn take(first: *mut c_int, with: usize) -> Self {
        Self { first, handles: SmallVec::from_elem(0, with), sort: PhantomData }
    }

    fn c(&mut self) -> *mut Handle {
        self.handles.as_mut_ptr()
    }

    fn give_back(self, _code: c_int) {
        write(self.first, &self.handles);
    }
}

unsafe extern "C" {
    fn foretell_MPI_Comm_size(comm: MPI_Comm, size: *mut c_int) -> c_int;
    fn foretell_MPI_Comm_test_inter(comm: MPI_Comm, flag: *mut c_int) -> c_int;
    fn foretell_MPI_Comm_remote_size(comm: MPI_Comm, size: *mut c_int) -> c_int;
    fn foretell_MPI_Topo_test(comm: MPI_Comm, status: *mut c_int) -> c_int;
    fn foretell_MPI_Cartdim_get(comm: MPI_Comm, ndims: *mut c_int) -> c_int;
    fn foretell_MPI_Graph_neighbors_count(comm: MPI_Comm, rank: c_int, n: *mut c_int) -> c_int;
    fn foretell_MPI_Comm_rank(comm: MPI_Comm, rank: *mut c_int) -> c_int;
    fn foretell_MPI_Dist_graph_neighbors_count(
        comm: MPI_Comm,
        indegree: *mut c_int,
        outdegree: *mut c_int,
        weighted: *mut c_int,
    ) -> c_int;
}

/// A communicator that questions may be asked about; none if it is not one, of which the function
/// itself will complain.
fn known(comm: *const c_int) -> Option<MPI_Comm> {
    // SAFETY: the caller's promise, see `argument.rs`.
    let comm = Comm::handle(unsafe { comm.read() });
    RankContext::current()?.comm(comm).ok()?;
    Some(comm)
}

/// How many ranks a collective operation has something for.
pub(crate) fn peers(comm: *const c_int) -> usize {
    let Some(comm) = known(comm) else { return 0 };
    let (mut is_inter, mut size) = (0, 0);
    // SAFETY: functions of our own, with places for what they tell.
    unsafe {
        foretell_MPI_Comm_test_inter(comm, &mut is_inter);
        match is_inter {
            0 => foretell_MPI_Comm_size(comm, &mut size),
            _ => foretell_MPI_Comm_remote_size(comm, &mut size),
        };
    }
    size.max(0) as usize
}

/// As `peers`, but none where the buffer says that the argument does not matter.
pub(crate) fn peers_unless_in_place<T>(comm: *const c_int, buffer: T) -> usize
where
    T: super::buffer::Address,
{
    if buffer.address() == MPI_IN_PLACE { 0 } else { peers(comm) }
}

/// How many neighbours a rank sends to.
pub(crate) fn out_degree(comm: *const c_int) -> usize {
    degrees(comm).1
}

/// How many neighbours a rank receives from.
pub(crate) fn in_degree(comm: *const c_int) -> usize {
    degrees(comm).0
}

fn degrees(comm: *const c_int) -> (usize, usize) {
    let Some(comm) = known(comm) else { return (0, 0) };
    let (mut topology, mut rank, mut first, mut second, mut weighted) = (0, 0, 0, 0, 0);
    // SAFETY: as in `peers`.
    unsafe {
        foretell_MPI_Topo_test(comm, &mut topology);
        match topology {
            MPI_CART => {
                foretell_MPI_Cartdim_get(comm, &mut first);
                (first, second) = (2 * first, 2 * first);
            }
            MPI_GRAPH => {
                foretell_MPI_Comm_rank(comm, &mut rank);
                foretell_MPI_Graph_neighbors_count(comm, rank, &mut first);
                second = first;
            }
            MPI_DIST_GRAPH => {
                foretell_MPI_Dist_graph_neighbors_count(
                    comm,
                    &mut first,
                    &mut second,
                    &mut weighted,
                );
            }
            _ => {}
        }
    }
    (first.max(0) as usize, second.max(0) as usize)
}
