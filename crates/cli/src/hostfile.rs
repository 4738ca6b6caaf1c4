//! Reads host files.

use std::path::Path;

use anyhow::{Context, Result};
use foretell_diagnostics::{Source, render_with};
use foretell_platform::{HostId, Platform, hostfile};

use crate::exit::Drawn;
use crate::notes;

/// Reads the hosts of a file, one for each rank it has room for.
pub(crate) fn read(path: &Path, platform: &Platform) -> Result<Vec<HostId>> {
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("cannot read the host file {name}"))?;
    hostfile::read(&text, platform).map_err(|mistakes| {
        Drawn(render_with(&Source::new(name, text), &mistakes, notes::colour())).into()
    })
}
