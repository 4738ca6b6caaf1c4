//! A machine written in the other format.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Result, bail};
use foretell_platform::{Platform, write_toml, write_xml};

use crate::{notes, output, platform_file};

/// The two formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Toml,
    Xml,
}

/// Writes the machine to a file, or prints it.
pub(crate) fn run(from: &str, to: Option<&Path>) -> Result<ExitCode> {
    let format = match to {
        Some(to) => match format_of(to) {
            Some(format) => format,
            None => bail!("{} ends in neither .toml nor .xml; name it so", to.display()),
        },
        None => match format_of(Path::new(from)) {
            Some(Format::Toml) => Format::Xml,
            _ => Format::Toml,
        },
    };
    let platform = platform_file::open(from)?.platform;
    let text = written(&platform, format);
    match to {
        Some(to) => output::write(to, &text)?,
        None => output::print(&text)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn written(platform: &Platform, format: Format) -> String {
    match format {
        Format::Toml => write_toml(platform),
        Format::Xml => {
            let xml = write_xml(platform);
            xml.lost.iter().for_each(|sentence| notes::warning(sentence));
            xml.text
        }
    }
}

fn format_of(path: &Path) -> Option<Format> {
    let end = path.extension()?.to_str()?.to_ascii_lowercase();
    match end.as_str() {
        "toml" => Some(Format::Toml),
        "xml" => Some(Format::Xml),
        _ => None,
    }
}
