//! The machine of a launch, with all options applied. The parent has checked all of it.

use foretell_launch::{Launch, Machine};
use foretell_mpi::Selection;
use foretell_platform::{OptionOutcome, Platform, ReadError};

/// Reads the machine and applies the options of its file and of the command line.
pub(crate) fn read(launch: &Launch) -> Result<(Platform, Selection), String> {
    let mut platform = open(&launch.machine)?;
    let mut selection = Selection::default();
    for (key, value) in platform.options().to_vec() {
        selection.apply_option(&key, &value)?;
    }
    for (key, value) in &launch.options {
        match platform.network_mut().apply_option(key, value) {
            OptionOutcome::Unknown => drop(selection.apply_option(key, value)?),
            OptionOutcome::Applied => {}
            OptionOutcome::Bad(why) => return Err(format!("option {key}: {why}")),
        }
    }
    Ok((platform, selection))
}

fn open(machine: &Machine) -> Result<Platform, String> {
    let unreadable = |error: ReadError| format!("the platform cannot be read: {error}");
    match machine {
        Machine::Preset(name) => {
            Platform::named(name).ok_or_else(|| format!("there is no preset `{name}`"))
        }
        Machine::File(path) => Platform::read(path).map_err(unreadable),
        Machine::Text(text) => foretell_platform::toml_format::read(text)
            .map_err(|_| "the platform made up by the command cannot be read".into()),
    }
}
