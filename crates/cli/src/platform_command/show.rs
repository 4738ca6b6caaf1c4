//! A machine described.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use foretell_platform::{Platform, Summary, describe, svg};

use crate::{output, platform_file};

/// Prints the description for people.
pub(crate) fn text(asked: &str, picture: Option<PathBuf>) -> Result<ExitCode> {
    shown(asked, picture, describe)
}

/// Prints the figures as JSON.
pub(crate) fn json(asked: &str, picture: Option<PathBuf>) -> Result<ExitCode> {
    shown(asked, picture, |platform| {
        let figures = serde_json::to_string_pretty(&Summary::of(platform));
        figures.expect("plain data becomes JSON") + "\n"
    })
}

fn shown(
    asked: &str,
    picture: Option<PathBuf>,
    description: impl FnOnce(&Platform) -> String,
) -> Result<ExitCode> {
    let platform = platform_file::open(asked)?.platform;
    if let Some(path) = picture {
        output::write(&path, &svg(&platform))?;
    }
    output::print(&description(&platform))?;
    Ok(ExitCode::SUCCESS)
}
