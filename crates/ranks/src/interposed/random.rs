//! Random numbers: each rank draws what a process of its own would draw.
//!
//! The C library's reentrant functions do the work, on a state that the rank owns. It is made when
//! the rank first draws.

use std::ffi::{c_char, c_int, c_long, c_uint, c_ushort, c_void};

use super::{Entry, table};
use crate::context;

pub(super) fn table() -> Vec<Entry> {
    table![
        rand, srand, random, srandom, initstate, setstate, drand48, erand48, lrand48, nrand48,
        mrand48, jrand48, srand48, seed48, lcong48,
    ]
}

/// `struct random_data` of the GNU C library.
#[repr(C)]
#[derive(Debug)]
struct RandomData {
    front: *mut i32,
    rear: *mut i32,
    state: *mut i32,
    kind: c_int,
    degree: c_int,
    separation: c_int,
    end: *mut i32,
}

/// `struct drand48_data` of the GNU C library.
#[repr(C)]
#[derive(Debug)]
struct Rand48Data {
    x: [c_ushort; 3],
    old_x: [c_ushort; 3],
    addend: c_ushort,
    is_set: c_ushort,
    factor: u64,
}

/// The generators of one rank.
#[derive(Debug)]
pub(crate) struct RandomState {
    data: RandomData,
    /// The state that `random` starts with.
    first: [i32; 32],
    data48: Rand48Data,
}

impl RandomState {
    /// What a new process has, in a box, since the state points into itself.
    fn new() -> Box<Self> {
        let null = std::ptr::null_mut();
        let data = RandomData {
            front: null,
            rear: null,
            state: null,
            kind: 0,
            degree: 0,
            separation: 0,
            end: null,
        };
        let data48 = Rand48Data { x: [0; 3], old_x: [0; 3], addend: 0, is_set: 0, factor: 0 };
        let mut new = Box::new(Self { data, first: [0; 32], data48 });
        let place = new.first.as_mut_ptr().cast();
        // SAFETY: 128 bytes, aligned, in a box that does not move; a null state is a new one.
        unsafe { initstate_r(1, place, 128, &mut new.data) };
        new
    }
}

thread_local! {
    /// For threads of the program, which share nothing here but have a generator each.
    static THREAD: std::cell::RefCell<Option<Box<RandomState>>> =
        const { std::cell::RefCell::new(None) };
}

/// Runs `f` on the generators of the rank, or of the thread where no rank runs.
fn with_state<R>(f: impl FnOnce(&mut RandomState) -> R) -> R {
    let body = context::with(|context| context.current.get());
    if body.is_null() {
        return THREAD.with_borrow_mut(|state| f(state.get_or_insert_with(RandomState::new)));
    }
    // SAFETY: the rank that runs.
    let mut state = unsafe { &*body }.life.random.borrow_mut();
    f(state.get_or_insert_with(RandomState::new))
}

extern "C" fn random() -> c_long {
    let mut drawn = 0;
    // SAFETY: the state is initialised, and ours alone meanwhile.
    with_state(|state| unsafe { random_r(&mut state.data, &mut drawn) });
    c_long::from(drawn)
}

extern "C" fn rand() -> c_int {
    random() as c_int
}

extern "C" fn srandom(seed: c_uint) {
    // SAFETY: as in `random`.
    with_state(|state| unsafe { srandom_r(seed, &mut state.data) });
}

extern "C" fn srand(seed: c_uint) {
    srandom(seed);
}

unsafe extern "C" fn initstate(seed: c_uint, place: *mut c_char, size: usize) -> *mut c_char {
    exchange(|data| {
        // SAFETY: the program lends `size` bytes, for as long as it draws from them.
        unsafe { initstate_r(seed, place, size, data) }
    })
}

unsafe extern "C" fn setstate(place: *mut c_char) -> *mut c_char {
    exchange(|data| {
        // SAFETY: the program gives back what `initstate` or `setstate` returned.
        unsafe { setstate_r(place, data) }
    })
}

/// Changes the state and returns the one before, or null if the change was refused.
fn exchange(change: impl FnOnce(&mut RandomData) -> c_int) -> *mut c_char {
    with_state(|state| {
        // The word before the numbers tells the kind; callers hold a pointer to that word.
        let before = state.data.state.wrapping_sub(1).cast();
        if change(&mut state.data) == 0 { before } else { std::ptr::null_mut() }
    })
}

/// Draws by one of the functions of the 48-bit family.
fn draw<T: Default>(by: impl FnOnce(&mut Rand48Data, &mut T) -> c_int) -> T {
    let mut drawn = T::default();
    with_state(|state| by(&mut state.data48, &mut drawn));
    drawn
}

extern "C" fn drand48() -> f64 {
    // SAFETY: the state is ours alone meanwhile; a zeroed one initialises itself.
    draw(|data, drawn| unsafe { drand48_r(data, drawn) })
}

unsafe extern "C" fn erand48(x: *mut c_ushort) -> f64 {
    // SAFETY: as above, and the program gives three numbers.
    draw(|data, drawn| unsafe { erand48_r(x, data, drawn) })
}

extern "C" fn lrand48() -> c_long {
    // SAFETY: as in `drand48`.
    draw(|data, drawn| unsafe { lrand48_r(data, drawn) })
}

unsafe extern "C" fn nrand48(x: *mut c_ushort) -> c_long {
    // SAFETY: as in `erand48`.
    draw(|data, drawn| unsafe { nrand48_r(x, data, drawn) })
}

extern "C" fn mrand48() -> c_long {
    // SAFETY: as in `drand48`.
    draw(|data, drawn| unsafe { mrand48_r(data, drawn) })
}

unsafe extern "C" fn jrand48(x: *mut c_ushort) -> c_long {
    // SAFETY: as in `erand48`.
    draw(|data, drawn| unsafe { jrand48_r(x, data, drawn) })
}

extern "C" fn srand48(seed: c_long) {
    // SAFETY: as in `drand48`.
    with_state(|state| unsafe { srand48_r(seed, &mut state.data48) });
}

unsafe extern "C" fn seed48(x: *mut c_ushort) -> *mut c_ushort {
    with_state(|state| {
        // SAFETY: as in `erand48`.
        unsafe { seed48_r(x, &mut state.data48) };
        state.data48.old_x.as_mut_ptr()
    })
}

unsafe extern "C" fn lcong48(parameters: *mut c_ushort) {
    // SAFETY: as in `drand48`, and the program gives seven numbers.
    with_state(|state| unsafe { lcong48_r(parameters.cast(), &mut state.data48) });
}

unsafe extern "C" {
    fn initstate_r(seed: c_uint, place: *mut c_char, size: usize, data: *mut RandomData) -> c_int;
    fn setstate_r(place: *mut c_char, data: *mut RandomData) -> c_int;
    fn random_r(data: *mut RandomData, drawn: *mut i32) -> c_int;
    fn srandom_r(seed: c_uint, data: *mut RandomData) -> c_int;
    fn drand48_r(data: *mut Rand48Data, drawn: *mut f64) -> c_int;
    fn erand48_r(x: *mut c_ushort, data: *mut Rand48Data, drawn: *mut f64) -> c_int;
    fn lrand48_r(data: *mut Rand48Data, drawn: *mut c_long) -> c_int;
    fn nrand48_r(x: *mut c_ushort, data: *mut Rand48Data, drawn: *mut c_long) -> c_int;
    fn mrand48_r(data: *mut Rand48Data, drawn: *mut c_long) -> c_int;
    fn jrand48_r(x: *mut c_ushort, data: *mut Rand48Data, drawn: *mut c_long) -> c_int;
    fn srand48_r(seed: c_long, data: *mut Rand48Data) -> c_int;
    fn seed48_r(x: *mut c_ushort, data: *mut Rand48Data) -> c_int;
    fn lcong48_r(parameters: *mut c_void, data: *mut Rand48Data) -> c_int;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_c_library() {
        // The first draws of any process that never sets a seed.
        assert_eq!([rand(), rand(), rand()], [1_804_289_383, 846_930_886, 1_681_692_777]);
        srand(42);
        assert_eq!([rand(), rand()], [71_876_166, 708_592_740]);
        assert_eq!(lrand48(), 0);
        srand48(1);
        assert_eq!((drand48() * 1e6).round(), 41_630.0);
    }

    #[test]
    fn a_state_of_the_program_can_be_put_aside() {
        let mut place = [0_i64; 8];
        srandom(7);
        let expected = (random(), random());
        srandom(7);
        let first = random();
        // SAFETY: the place outlives the draws from it, and is put aside before it is gone.
        unsafe {
            let before = initstate(3, place.as_mut_ptr().cast(), 64);
            random();
            setstate(before);
        }
        assert_eq!((first, random()), expected);
    }
}
