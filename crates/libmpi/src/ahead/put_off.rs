//! Calls of a rank that is ahead, put off until its turn.
//!
//! A short plain send is over for its caller when the data is copied: it brings nothing, and it
//! fails only for arguments that can be looked at beforehand. The same holds for `MPI_Reduce` on a
//! rank that is not the root, and for `MPI_Barrier`. So a rank that is ahead need not wait for its
//! turn there. What it gave is kept, and the calls are made in its turn, in their order.

use std::cell::RefCell;
use std::ffi::c_int;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use foretell_ranks::Registers;

use super::LIMIT;
use crate::abi::*;
use crate::call::CALLER;
use crate::fortran::{is_replaced, is_special_address};
use crate::rank::RankContext;
use crate::{datatype, op};

/// How many calls, and how many bytes of them, are put off at a time.
const MOST: usize = 64;
const MOST_BYTES: usize = 1 << 20;

/// The functions that may be put off: in C, then in Fortran, each with its twin.
pub(super) const NAMES: &[&str] = &[
    "MPI_Send",
    "PMPI_Send",
    "mpi_send_",
    "pmpi_send_",
    "MPI_Reduce",
    "PMPI_Reduce",
    "mpi_reduce_",
    "pmpi_reduce_",
    "MPI_Barrier",
    "PMPI_Barrier",
    "mpi_barrier_",
    "pmpi_barrier_",
];

/// What workers must know of predefined datatypes and operations, by their numbers.
struct Known {
    /// Bytes of an element of each datatype without holes; zero for others.
    sizes: Box<[u32]>,
    /// Whether an operation takes a datatype: one row for each operation.
    fits: Box<[bool]>,
}

static KNOWN: OnceLock<Known> = OnceLock::new();

/// Handles from here on are not predefined.
const TYPES: MPI_Datatype = 0x300;
const OPERATIONS: MPI_Op = 0x40;

/// Notes what workers must know.
pub(super) fn set_up() {
    KNOWN.get_or_init(|| {
        let dense = |handle| datatype::committed(handle).ok().filter(|it| it.dense.is_some());
        let size = |handle| dense(handle).map_or(0, |found| found.datatype.size() as u32);
        let fits = |at: usize| {
            let found = dense(at % TYPES);
            found.is_some_and(|found| op::on(at / TYPES, &found.datatype).is_ok())
        };
        Known {
            sizes: (0..TYPES).map(size).collect(),
            fits: (0..OPERATIONS * TYPES).map(fits).collect(),
        }
    });
}

/// Calls that were put off.
#[derive(Default)]
pub(crate) struct Calls(RefCell<List>);

#[derive(Default)]
struct List {
    calls: Vec<Call>,
    /// The data of all, one behind the other.
    data: Vec<u8>,
}

/// One call. Its data lies where that of the one before ends.
#[derive(Clone, Copy)]
struct Call {
    caller: usize,
    bytes: usize,
    what: What,
}

/// On `MPI_COMM_WORLD`.
#[derive(Clone, Copy)]
enum What {
    Send { count: c_int, datatype: MPI_Datatype, to: c_int, tag: c_int },
    Reduce { count: c_int, datatype: MPI_Datatype, op: MPI_Op, root: c_int },
    Barrier,
}

/// The arguments of a call, as either language passes them.
struct Arguments<'a> {
    registers: &'a Registers,
    is_fortran: bool,
}

impl Arguments<'_> {
    fn number(&self, at: usize) -> c_int {
        let word = match at {
            6 => self.registers.seventh,
            _ => self.registers.arguments()[at],
        };
        match self.is_fortran {
            // SAFETY: Fortran passes the addresses of numbers.
            true => unsafe { *(word as *const c_int) },
            false => word as c_int,
        }
    }

    fn handle(&self, at: usize) -> Handle {
        match (self.is_fortran, at) {
            (true, _) => self.number(at) as u32 as Handle,
            (false, 6) => self.registers.seventh,
            (false, _) => self.registers.arguments()[at],
        }
    }

    fn is_world(&self, at: usize) -> bool {
        self.handle(at) == MPI_COMM_WORLD
    }

    /// Tells the caller of success, in Fortran by its last argument.
    fn succeed(&self, at: usize) {
        let word = match at {
            6 => self.registers.seventh,
            7 => self.registers.eighth,
            _ => self.registers.arguments()[at],
        };
        if self.is_fortran && word != 0 {
            // SAFETY: the place for the error code.
            unsafe { *(word as *mut c_int) = MPI_SUCCESS };
        }
    }
}

/// Puts a call off if it can be; on the thread of a worker, for the rank that runs there.
pub(super) fn put_off(which: usize, registers: &Registers) -> bool {
    let Some(here) = foretell_ranks::current().and_then(super::context) else { return false };
    if !here.owed_ahead.may_put_off.get() {
        return false;
    }
    let call = Arguments { registers, is_fortran: which % 4 >= 2 };
    let ranks = super::rank_count();
    let (what, buffer, bytes, last) = match which / 4 {
        0 => {
            let (count, datatype) = (call.number(1), call.handle(2));
            let (to, tag) = (call.number(3), call.number(4));
            let Some(bytes) = size(count, datatype) else { return false };
            if !call.is_world(5) || !(0..ranks).contains(&to) || tag < 0 {
                return false;
            }
            if bytes as u64 >= LIMIT.load(Ordering::Relaxed) {
                return false;
            }
            (What::Send { count, datatype, to, tag }, registers.arguments()[0], bytes, 6)
        }
        1 => {
            let (count, datatype) = (call.number(2), call.handle(3));
            let (op, root) = (call.handle(4), call.number(5));
            let Some(bytes) = size(count, datatype) else { return false };
            let is_other = (0..ranks).contains(&root) && root != here.number() as c_int;
            if !call.is_world(6) || !is_other || !fits(op, datatype) {
                return false;
            }
            (What::Reduce { count, datatype, op, root }, registers.arguments()[0], bytes, 7)
        }
        _ if !call.is_world(0) => return false,
        _ => (What::Barrier, usize::MAX, 0, 1),
    };
    // Addresses that mean something else are no data.
    if buffer < 4096 || call.is_fortran && is_special_address(here, buffer) {
        return false;
    }
    let is_kept = here.owed_ahead.calls.keep(registers.caller, what, (buffer, bytes));
    if is_kept {
        call.succeed(last);
    }
    is_kept
}

/// Bytes of so many elements of a predefined datatype without holes.
fn size(count: c_int, datatype: MPI_Datatype) -> Option<usize> {
    let size = KNOWN.get()?.sizes.get(datatype).filter(|size| **size > 0)?;
    let bytes = usize::try_from(count).ok()?.checked_mul(*size as usize)?;
    (bytes <= MOST_BYTES).then_some(bytes)
}

/// Whether a predefined operation takes a datatype.
fn fits(op: MPI_Op, datatype: MPI_Datatype) -> bool {
    let known = op < OPERATIONS && datatype < TYPES;
    known && KNOWN.get().is_some_and(|known| known.fits[op * TYPES + datatype])
}

// The functions themselves, past the notes that are taken of their caller.
unsafe extern "C" {
    fn foretell_MPI_Send(
        buffer: *const u8,
        count: c_int,
        datatype: MPI_Datatype,
        to: c_int,
        tag: c_int,
        comm: MPI_Comm,
    ) -> c_int;
    fn foretell_MPI_Reduce(
        from: *const u8,
        to: *mut u8,
        count: c_int,
        datatype: MPI_Datatype,
        op: MPI_Op,
        root: c_int,
        comm: MPI_Comm,
    ) -> c_int;
    fn foretell_MPI_Barrier(comm: MPI_Comm) -> c_int;
}

impl Calls {
    /// Keeps a call and its data; false if there are too many.
    fn keep(&self, caller: usize, what: What, (buffer, bytes): (usize, usize)) -> bool {
        let list = &mut *self.0.borrow_mut();
        if list.calls.len() == MOST || list.data.len() + bytes > MOST_BYTES {
            return false;
        }
        if bytes > 0 {
            // SAFETY: the program says that so much lies there.
            let data = unsafe { std::slice::from_raw_parts(buffer as *const u8, bytes) };
            list.data.extend_from_slice(data);
        }
        list.calls.push(Call { caller, bytes, what });
        true
    }

    /// Makes the calls that were put off, in the rank's turn.
    pub(super) fn carry_out(&self) {
        if self.0.borrow().calls.is_empty() {
            return;
        }
        let mut list = self.0.take();
        let (mut rest, world) = (list.data.as_slice(), MPI_COMM_WORLD);
        for one in list.calls.drain(..) {
            let (data, later) = rest.split_at(one.bytes);
            rest = later;
            CALLER.store(one.caller, Ordering::Relaxed);
            // SAFETY: arguments that were looked at when the program gave them, and its data.
            unsafe {
                match one.what {
                    What::Send { count, datatype, to, tag } => {
                        foretell_MPI_Send(data.as_ptr(), count, datatype, to, tag, world)
                    }
                    What::Reduce { count, datatype, op, root } => {
                        let nowhere = std::ptr::null_mut();
                        foretell_MPI_Reduce(
                            data.as_ptr(),
                            nowhere,
                            count,
                            datatype,
                            op,
                            root,
                            world,
                        )
                    }
                    What::Barrier => foretell_MPI_Barrier(world),
                }
            };
        }
        list.data.clear();
        // Its room serves the next ones.
        self.0.replace(list);
    }
}

/// Whether calls of the rank that runs may be put off: not if a tool of the program looks at them.
pub(super) fn may_put_off(_: &RankContext) -> bool {
    ![c"MPI_Send", c"MPI_Reduce", c"MPI_Barrier"].into_iter().any(is_replaced)
}
