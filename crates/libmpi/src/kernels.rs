//! Compute kernels that a program calls by name instead of computing. `foretell.h` declares them,
//! and `libforetell_blas` calls them for each of its routines.

use std::ffi::{c_char, c_double, c_int};

use foretell_launch::{KernelModels, Launch};
use foretell_models::MOST_DIMENSIONS;
use foretell_mpi::{Comm, ComputeKernels, RankKernels, Simulation};
use foretell_platform::{HostId, Platform};
use foretell_ranks::block_on;

use crate::alone;
use crate::annotation::spend;
use crate::pointer::In;
use crate::rank::RankContext;
use crate::report;
use crate::run;

/// Takes the time of a call of a kernel with these dimensions, as the models of the run say.
#[unsafe(no_mangle)]
extern "C" fn foretell_kernel_call(name: In<c_char>, count: c_int, sizes: In<c_double>) {
    if alone::is_on_its_own() {
        // Nothing takes time then, and there are no models to look at.
        return;
    }
    spend("foretell_kernel", |here| {
        let sizes = sizes.slice(count.max(0) as usize);
        match duration(&here.comm, &name.text(), sizes) {
            Ok(seconds) => block_on(here.comm.spend(seconds)),
            Err(why) => report::fatal(&format!("{} in foretell_kernel: {why}", report::who())),
        }
    });
}

/// Whether the program is simulated: `foretell run` runs it.
#[unsafe(no_mangle)]
extern "C" fn foretell_is_simulated() -> c_int {
    c_int::from(run::is_under_way())
}

/// What the rank has computed since its last call counts for nothing.
#[unsafe(no_mangle)]
extern "C" fn foretell_discard_time() {
    if let Some(here) = RankContext::current() {
        here.leave();
    }
}

/// Draws how long a call takes.
fn duration(comm: &Comm, name: &str, sizes: &[f64]) -> Result<f64, String> {
    let Some(kernel) = comm.kernel_named(name) else {
        let known = comm.kernel_names().join(", ");
        return Err(format!(
            "there is no kernel `{name}`; describe it in a file and give that to --kernels. There \
             are: {known}"
        ));
    };
    let expected = comm.kernel_dimensions(kernel);
    if sizes.len() != expected {
        let found = sizes.len();
        return Err(format!("`{name}` has {expected} dimensions, and the call gives {found}"));
    }
    if let Some(bad) = sizes.iter().find(|size| !size.is_finite() || **size < 0.0) {
        return Err(format!("{bad} is no dimension of `{name}`"));
    }
    let mut dimensions = [1.0; MOST_DIMENSIONS];
    dimensions[..expected].copy_from_slice(sizes);
    Ok(comm.kernel_time(kernel, dimensions))
}

/// Gives the simulation the models that the launch has. The parent has read the same before.
pub(crate) fn modelled(
    simulation: Simulation,
    launch: &Launch,
    platform: &Platform,
    hosts: &[HostId],
) -> Result<Simulation, String> {
    let Some(KernelModels { text, is_table, day, has_noise }) = &launch.kernels else {
        return Ok(simulation);
    };
    let read = match is_table {
        true => ComputeKernels::from_csv(text),
        false => ComputeKernels::from_toml(text),
    };
    let kernels = read.map_err(|_| "the models of kernels cannot be read".to_owned())?;
    let kernels = if *has_noise { kernels } else { kernels.without_noise() };
    let seed = launch.seed.unwrap_or(0);
    let kernels = RankKernels::new(&kernels, platform, hosts, day.as_deref(), seed);
    Ok(simulation.kernels(kernels.map_err(|error| error.to_string())?))
}
