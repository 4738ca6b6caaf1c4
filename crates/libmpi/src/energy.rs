//! Meters for the energy of a run, and who chooses the pstates of its nodes.

use foretell_launch::Launch;
use foretell_mpi::{Pstates, Simulation};
use foretell_platform::{HostId, Platform};

use crate::meter;

/// Sets up meters if the launch asks for them. The parent has read the same figures before.
pub(crate) fn metered(
    simulation: Simulation,
    launch: &Launch,
    platform: &Platform,
    hosts: &[HostId],
) -> Result<Simulation, String> {
    let Some(asked) = &launch.energy else { return Ok(simulation) };
    let model = asked.model(platform, hosts).map_err(|error| error.to_string())?;
    meter::name_calls();
    Ok(simulation.power(model))
}

/// Sets governors and caps, if the launch or the machine asks for some.
pub(crate) fn governed(
    simulation: Simulation,
    launch: &Launch,
    platform: &Platform,
    hosts: &[HostId],
) -> Result<Simulation, String> {
    let control = launch.pstates.control().map_err(|error| error.to_string())?;
    let pstates = Pstates::new(platform, hosts, &control).map_err(|error| error.to_string())?;
    Ok(simulation.pstates(pstates))
}
