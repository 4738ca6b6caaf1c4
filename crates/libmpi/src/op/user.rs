//! Operations of the program: its function is called on memory as its datatype lays it out.

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use super::with_handle;
use crate::abi::*;
use crate::buffer::Buffer;
use crate::datatype::TypeObject;
use crate::rank::RankContext;

/// The function of an operation.
#[derive(Debug, Clone, Copy)]
pub(super) enum Function {
    /// Of `MPI_Op_create`.
    Int(unsafe extern "C" fn(*mut c_void, *mut c_void, *mut c_int, *mut MPI_Datatype)),
    /// Of `MPI_Op_create_c`.
    Large(unsafe extern "C" fn(*mut c_void, *mut c_void, *mut MPI_Count, *mut MPI_Datatype)),
}

/// The operation on packed elements.
pub(super) fn on_packed(
    here: &'static RankContext,
    function: Function,
    handle: MPI_Datatype,
    datatype: Rc<TypeObject>,
) -> impl Fn(&[u8], &mut [u8]) + 'static {
    move |left, right| {
        let size = datatype.datatype.size();
        if size == 0 || right.is_empty() {
            return;
        }
        let count = (right.len() as u64 / size) as i64;
        let typed = (handle, &datatype);
        let alignment = datatype.datatype.alignment() as usize;
        let is_aligned = |address: usize| address.is_multiple_of(alignment);
        let places = (left.as_ptr() as usize, right.as_mut_ptr() as usize);
        if datatype.dense.is_some() && is_aligned(places.0) && is_aligned(places.1) {
            return call(here, function, places, count, typed);
        }
        let (first, second) =
            (Stage::new(left, count, &datatype), Stage::new(right, count, &datatype));
        call(here, function, (first.buffer.address, second.buffer.address), count, typed);
        right.copy_from_slice(&second.buffer.pack());
    }
}

/// Elements laid out as the program knows them.
struct Stage {
    buffer: Buffer,
    /// Where they lie.
    _memory: Vec<u128>,
}

impl Stage {
    fn new(packed: &[u8], count: i64, datatype: &Rc<TypeObject>) -> Stage {
        let span = datatype.datatype.span(count).unwrap_or(0..0);
        // The address that the datatype's offsets count from is as aligned as memory ever is.
        let shift = span.start.rem_euclid(16);
        let words = (shift + span.end - span.start) as usize / 16 + 1;
        let mut memory = vec![0_u128; words];
        let address = memory.as_mut_ptr() as usize;
        let address = address.wrapping_add_signed((shift - span.start) as isize);
        let buffer = Buffer { address, count, datatype: datatype.clone() };
        buffer.unpack(packed);
        Stage { buffer, _memory: memory }
    }
}

/// Calls the function as the rank whose program it belongs to, with nothing borrowed.
pub(super) fn call(
    here: &'static RankContext,
    function: Function,
    (left, right): (usize, usize),
    count: i64,
    (handle, datatype): (MPI_Datatype, &Rc<TypeObject>),
) {
    if count == 0 {
        return;
    }
    let extent = datatype.datatype.extent();
    with_handle(handle, datatype, |mut handle| {
        here.run(|| match function {
            Function::Large(function) => {
                let mut count = count;
                // SAFETY: a function of the program, called as MPI says: both places hold `count`
                // elements of the datatype.
                unsafe { function(left as _, right as _, &mut count, &mut handle) }
            }
            Function::Int(function) => {
                let mut done = 0;
                while done < count {
                    let mut now = (count - done).min(i64::from(c_int::MAX)) as c_int;
                    let next = done + i64::from(now);
                    let shift = done.wrapping_mul(extent) as isize;
                    let at = |place: usize| place.wrapping_add_signed(shift) as *mut c_void;
                    // SAFETY: as above, for as many elements as an `int` can count.
                    unsafe { function(at(left), at(right), &mut now, &mut handle) }
                    done = next;
                }
            }
        });
    });
}
