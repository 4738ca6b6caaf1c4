//! Finds the machine a user names: a file, or a preset.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use foretell_diagnostics::{Diagnostic, Source, nearest, render_with};
use foretell_platform::{PRESETS, Platform, ReadError};

use crate::exit::Drawn;
use crate::notes;

/// A machine, and what the user called it.
#[derive(Debug)]
pub(crate) struct Machine {
    pub(crate) platform: Platform,
    pub(crate) asked_as: String,
}

impl Machine {
    /// The name the machine gives itself.
    pub(crate) fn name(&self) -> &str {
        &self.platform.spec().root.name.value
    }
}

/// Opens a machine to use it: mistakes are errors, and what its reader warns of is said.
pub(crate) fn open(asked: &str) -> Result<Machine> {
    let (platform, source) = read(asked)?
        .map_err(|(source, mistakes)| Drawn(render_with(&source, &mistakes, notes::colour())))?;
    if platform.host_count() == 0 {
        bail!("{asked} has no host; add one");
    }
    let warnings = platform.warnings();
    if !warnings.is_empty() {
        notes::plain(render_with(&source, warnings, notes::colour()).trim_end());
    }
    Ok(Machine { platform, asked_as: asked.to_owned() })
}

/// A file's text with the machine it describes, or with all its mistakes.
pub(crate) type Reading = std::result::Result<(Platform, Source), (Source, Vec<Diagnostic>)>;

/// Reads a machine. The error is that there is nothing to read; mistakes are part of the answer.
pub(crate) fn read(asked: &str) -> Result<Reading> {
    let path = Path::new(asked);
    // A file that happens to have the name of a preset is what the user has made.
    if !path.is_file()
        && let Some(preset) = PRESETS.iter().find(|preset| preset.name == asked)
    {
        let platform = Platform::named(asked).expect("every preset can be had by its name");
        return Ok(Ok((platform, Source::new(format!("{asked}.toml"), preset.text))));
    }
    match Platform::read(path) {
        Ok(platform) => {
            let text = std::fs::read_to_string(path)?;
            Ok(Ok((platform, Source::new(asked, text))))
        }
        Err(ReadError::Mistakes { source_text, diagnostics }) => {
            Ok(Err((source_text, diagnostics)))
        }
        Err(ReadError::Io { error, .. }) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(anyhow!("there is no platform file or preset `{asked}`; {}", advice(asked)))
        }
        Err(ReadError::Io { error, .. }) => Err(anyhow!("cannot read {asked}: {error}")),
    }
}

fn advice(asked: &str) -> String {
    match nearest(asked, PRESETS.iter().map(|preset| preset.name)) {
        Some(name) => format!("did you mean `{name}`?"),
        None => "`foretell platform list` tells the presets".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preset_is_found_by_its_name() {
        assert_eq!(open("star-64").unwrap().name(), "star-64");
    }

    #[test]
    fn a_mistyped_preset_is_guessed() {
        let message = open("graphen").unwrap_err().to_string();
        assert!(message.ends_with("did you mean `graphene`?"), "{message}");
        let message = open("no/such/file.xml").unwrap_err().to_string();
        assert!(message.contains("platform list"), "{message}");
    }
}
