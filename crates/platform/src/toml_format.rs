//! foretell's own platform files, in TOML.
//!
//! ```toml
//! name = "my cluster"
//! [nodes]
//! count = 64
//! cores = 16
//! speed = "10Gf"
//! [network]
//! topology = "star"
//! bandwidth = "10Gbps"
//! latency = "2.5us"
//! ```
//!
//! The reference page "Platform files" of the book lists every key. A reader asks each table for
//! the keys it knows; what nobody asked for is unknown and reported with the nearest known key.

mod cabinets;
mod cluster;
mod dated;
mod members;
mod nodes;
mod overrides;
mod power;
mod section;
mod settings;
mod shape;
mod tables;
mod value;
mod wires;
mod words;
mod zone;

use foretell_diagnostics::Diagnostic;
use toml::de::DeTable;

use self::section::{Mistakes, Section};
use crate::machine::Platform;
use crate::spec::PlatformSpec;

/// Reads a TOML platform file and builds the machine it describes.
///
/// ```
/// let platform = foretell_platform::toml_format::read(
///     r#"
///         [nodes]
///         count = 64
///         speed = "10Gf"
///         [network]
///         bandwidth = "10Gbps"
///         latency = "2.5us"
///     "#,
/// );
/// assert_eq!(platform.unwrap().host_count(), 64);
/// ```
pub fn read(text: &str) -> Result<Platform, Vec<Diagnostic>> {
    let built = Platform::build(parse(text)?);
    built.map_err(|mistakes| mistakes.into_iter().map(words::in_our_words).collect())
}

/// Reads a TOML platform file as data, or all that is wrong with it in file order.
///
/// What concerns the machine as a whole, such as names used twice or routes over unknown links,
/// is checked by [`Platform::build`](crate::Platform::build).
pub fn parse(text: &str) -> Result<PlatformSpec, Vec<Diagnostic>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let mistakes = Mistakes::default();
        errors.iter().map(syntax_error).for_each(|mistake| mistakes.push(mistake));
        return Err(mistakes.into_sorted());
    }
    let mistakes = Mistakes::default();
    let file = Section::new("the file".to_owned(), document.get_ref(), 0..0, &mistakes);
    let spec = platform(&file);
    file.finish();
    match spec {
        Some(spec) if mistakes.is_empty() => Ok(spec),
        _ => Err(mistakes.into_sorted()),
    }
}

fn platform(file: &Section<'_>) -> Option<PlatformSpec> {
    let network = settings::settings(file);
    let profiles = dated::profiles(file);
    let storage = file.section("storage").and_then(nodes::disk);
    let root = zone::zone(file, Some("platform"));
    let Some(root) = root else {
        // What follows needs the nodes; its keys are known all the same.
        file.value("override");
        file.value("options");
        return None;
    };
    let mut spec = PlatformSpec { network, profiles, storage, ..PlatformSpec::new(root) };
    settings::options(file, &mut spec);
    overrides::overrides(file, &mut spec);
    Some(spec)
}

fn syntax_error(error: &toml::de::Error) -> Diagnostic {
    Diagnostic::error(error.span().unwrap_or(0..0), error.message())
}

#[cfg(test)]
mod tests;
