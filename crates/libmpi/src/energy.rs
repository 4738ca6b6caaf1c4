//! Meters for the energy of a run.

use foretell_launch::Launch;
use foretell_mpi::{PowerModel, Simulation};
use foretell_platform::Platform;

use crate::meter;

/// Sets up meters if the launch asks for them. The parent has read the same figures before.
pub(crate) fn metered(
    simulation: Simulation,
    launch: &Launch,
    platform: &Platform,
) -> Result<Simulation, String> {
    let Some(asked) = &launch.energy else { return Ok(simulation) };
    let model = PowerModel::new(platform, asked.workload.as_deref());
    let model = model.map_err(|error| error.to_string())?;
    meter::name_calls();
    Ok(simulation.power(if asked.series { model.keep_series() } else { model }))
}
