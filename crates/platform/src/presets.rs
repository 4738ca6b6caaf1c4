//! Machines by name, ready to use.
//!
//! Each is a platform file of our own format, kept with the sources; its comments name the source
//! of every figure.

use crate::machine::Platform;
use crate::toml_format;

/// A machine that comes with foretell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Preset {
    /// The name to ask for it by.
    pub name: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its platform file.
    pub text: &'static str,
}

macro_rules! preset {
    ($name:literal, $summary:literal) => {
        Preset {
            name: $name,
            summary: $summary,
            text: include_str!(concat!("../presets/", $name, ".toml")),
        }
    };
}

/// All machines that come with foretell: measured ones first, then made-up ones.
pub const PRESETS: [Preset; 12] = [
    preset!("graphene", "144 quad-core nodes in four cabinets, Gigabit Ethernet (Grid'5000)"),
    preset!("dahu", "32 nodes of 32 cores on one Omni-Path switch (Grid'5000)"),
    preset!("taurus", "16 nodes of 12 cores on one 10 Gb/s Ethernet switch (Grid'5000)"),
    preset!("graphene-1024", "1024 nodes in four cabinets: a graphene that was never built"),
    preset!("star-64", "64 nodes on one 10 Gb/s switch"),
    preset!("star-4096", "4096 nodes on one ideal switch, 40 Gb/s"),
    preset!("fat-tree-1024", "1024 nodes under a two-level fat tree, 100 Gb/s"),
    preset!("torus-512", "512 nodes in an 8 x 8 x 8 torus, 40 Gb/s"),
    preset!("torus-4096", "4096 nodes in a 16 x 16 x 16 torus, 40 Gb/s"),
    preset!("dragonfly-1024", "1024 nodes in a dragonfly of eight groups, 200 Gb/s"),
    preset!("ethernet-10g", "256 nodes in eight racks, 10 Gb/s Ethernet"),
    preset!("infiniband-hdr", "800 nodes on InfiniBand HDR, 200 Gb/s fat tree"),
];

impl Platform {
    /// A machine that comes with foretell, by its name in [`PRESETS`].
    pub fn named(preset: &str) -> Option<Platform> {
        let preset = PRESETS.iter().find(|known| known.name == preset)?;
        Some(toml_format::read(preset.text).expect("the files of presets are read in tests"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{HostId, Route};

    #[test]
    fn every_preset_is_read_and_bears_its_name() {
        for preset in PRESETS {
            let platform = toml_format::read(preset.text)
                .unwrap_or_else(|mistakes| panic!("{}: {mistakes:#?}", preset.name));
            assert_eq!(platform.spec().root.name.value, preset.name);
        }
    }

    #[test]
    fn presets_have_the_sizes_they_claim() {
        for (name, nodes) in
            [("graphene", 144), ("graphene-1024", 1024), ("dahu", 32), ("taurus", 16)]
        {
            assert_eq!(Platform::named(name).unwrap().host_count(), nodes);
        }
        assert!(Platform::named("graphite").is_none());
    }

    #[test]
    fn graphene_limits_what_leaves_a_cabinet() {
        let platform = Platform::named("graphene").unwrap();
        let mut route = Route::default();
        platform.route(HostId(0), HostId(143), &mut route).unwrap();
        let slowest = |policy: &str| {
            let links =
                route.links.iter().filter(|link| platform.link_name(**link).contains(policy));
            links.map(|link| platform.link(*link).bandwidth).fold(f64::INFINITY, f64::min)
        };
        assert_eq!(slowest("graphene-limiter"), 13e9 / 8.0);
        assert_eq!(slowest("_limiter"), 1.5 * 1e9 / 8.0);
    }
}
