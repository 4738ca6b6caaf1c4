//! The time of a call, spent by the simulation that the program runs under, if there is one.

use std::ffi::{CStr, c_char, c_double, c_int};
use std::sync::OnceLock;

use crate::choice::{Act, Choice, Routine};

type Kernel = unsafe extern "C" fn(*const c_char, c_int, *const c_double);
type Discard = unsafe extern "C" fn();

/// What `libmpi_abi` offers; looked up rather than linked, so that programs without it run too.
struct Simulation {
    kernel: Kernel,
    discard: Discard,
}

impl Simulation {
    fn find() -> Option<&'static Self> {
        static FOUND: OnceLock<Option<Simulation>> = OnceLock::new();
        FOUND.get_or_init(Self::look).as_ref()
    }

    fn look() -> Option<Self> {
        let symbol = |name: &CStr| {
            // SAFETY: looks a name up in what is loaded.
            let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        let (kernel, discard) =
            (symbol(c"foretell_kernel_call")?, symbol(c"foretell_discard_time")?);
        let simulates = symbol(c"foretell_is_simulated")?;
        // SAFETY: `foretell.h` declares the three functions so.
        unsafe {
            let simulates: unsafe extern "C" fn() -> c_int = std::mem::transmute(simulates);
            (simulates() != 0).then(|| Self {
                kernel: std::mem::transmute::<*mut libc::c_void, Kernel>(kernel),
                discard: std::mem::transmute::<*mut libc::c_void, Discard>(discard),
            })
        }
    }
}

/// A call of a routine: takes the model's time for its dimensions, or runs `compute`, or both.
/// Nothing is returned if nothing was computed.
pub(crate) fn call<T>(
    routine: Routine,
    dimensions: &[c_int],
    compute: impl FnOnce() -> T,
) -> Option<T> {
    let Some(simulation) = Simulation::find() else { return Some(compute()) };
    let act = Choice::of_environment().act(routine);
    if act != Act::Compute {
        let sizes: Vec<c_double> =
            dimensions.iter().map(|size| f64::from((*size).max(0))).collect();
        let count = sizes.len() as c_int;
        // SAFETY: a string that ends in zero, and as many sizes as told.
        unsafe { (simulation.kernel)(routine.name().as_ptr(), count, sizes.as_ptr()) };
    }
    match act {
        Act::Skip => None,
        Act::Compute => Some(compute()),
        Act::Both => {
            let outcome = compute();
            // SAFETY: takes no arguments.
            unsafe { (simulation.discard)() };
            Some(outcome)
        }
    }
}
