//! The machine of a run: the one asked for, or a star if none was.

use anyhow::{Result, anyhow};
use foretell_launch::Machine as Described;
use foretell_platform::{PRESETS, toml_format};

use crate::platform_file::{self, Machine};

/// What a run without `-p` is told about its machine.
pub(super) const ASSUMED: &str =
    "none given: a star, one node of 10 Gf for each rank, 10 Gb/s, 2.5 us a link; -p names another";
const NAME: &str = "default-star";

/// Opens the machine that was asked for, and writes down how the child finds the same.
pub(super) fn open(asked: Option<&str>, ranks: u32) -> Result<(Machine, Described)> {
    let Some(asked) = asked else {
        let text = star(ranks);
        let platform = toml_format::read(&text).expect("the star is a sound platform");
        let machine = Machine { platform, asked_as: NAME.to_owned() };
        return Ok((machine, Described::Text(text)));
    };
    let machine = platform_file::open(asked)?;
    // As the reader of platforms decides: a file first, then a preset.
    let is_preset =
        !std::path::Path::new(asked).is_file() && PRESETS.iter().any(|preset| preset.name == asked);
    let described = match is_preset {
        true => Described::Preset(asked.to_owned()),
        false => Described::File(
            std::path::absolute(asked).map_err(|error| anyhow!("cannot find {asked}: {error}"))?,
        ),
    };
    Ok((machine, described))
}

/// A node for each rank on one switch. All figures are round estimates.
fn star(ranks: u32) -> String {
    format!(
        "name = \"{NAME}\"\n\n[nodes]\ncount = {ranks}\ncores = 1\nspeed = \"10Gf\"\n\n[network]\n\
         topology = \"star\"\nbandwidth = \"10Gbps\"\nlatency = \"2.5us\"\n\
         loopback = {{ bandwidth = \"6GBps\", latency = \"200ns\" }}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_machine_there_is_a_star_with_a_node_for_each_rank() {
        for ranks in [1, 4, 1_000_000] {
            let (machine, described) = open(None, ranks).unwrap();
            assert_eq!(machine.platform.host_count(), ranks as usize);
            assert!(matches!(described, Described::Text(text) if text.contains(NAME)));
        }
    }

    #[test]
    fn the_child_finds_the_same_machine() {
        let described = |asked: &str| open(Some(asked), 4).map(|(_, described)| described);
        assert_eq!(described("star-64").unwrap(), Described::Preset("star-64".into()));
        let example = "../../examples/platforms/star-10g-64.xml";
        let Described::File(path) = described(example).unwrap() else { panic!("not a file") };
        assert!(path.is_absolute());
        assert!(described("no/such").is_err());
    }
}
