//! SimGrid's plugin `host_dvfs`, as its options ask for it.

use foretell_platform::Governor;

use crate::options::{Heard, InEffect};

/// Loads a plugin.
const PLUGIN: &str = "plugin";
/// The plugin for pstates.
const HOST_DVFS: &str = "host_dvfs";
/// The plugins whose work `--energy` does.
const METERS: [&str; 3] = ["host_energy", "link_energy", "host_load"];
/// Options of the plugin, with what a governor of ours calls them.
const OPTIONS: [(&str, Option<&str>); 4] = [
    ("plugin/dvfs/governor", None),
    ("plugin/dvfs/sampling-rate", Some("period")),
    ("plugin/dvfs/min-pstate", Some("fastest")),
    ("plugin/dvfs/max-pstate", Some("slowest")),
];

/// What becomes of an option, if it is about plugins.
pub(crate) fn hear(key: &str, value: &str) -> Result<Heard, String> {
    match key {
        PLUGIN if value == HOST_DVFS => Ok(Heard::Applied),
        PLUGIN if METERS.contains(&value) => {
            Ok(Heard::Idle("--energy does what the energy plugins do"))
        }
        "plugin/dvfs/governor" => value.parse::<Governor>().map(|_| Heard::Applied).map_err(text),
        key if OPTIONS.iter().any(|(known, _)| *known == key) => Ok(Heard::Applied),
        _ => Ok(Heard::Unknown),
    }
}

/// What the options say of the plugin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Plugin {
    pub(crate) is_on: bool,
    /// The governor of hosts that name none; none unless the plugin is on.
    pub(crate) governor: Option<Governor>,
}

impl Plugin {
    /// Reads options that were heard before.
    pub(crate) fn of(options: &[InEffect]) -> Self {
        let last = |key: &str| options.iter().rev().find(|option| option.key == key);
        let is_on = options.iter().any(|option| option.key == PLUGIN && option.value == HOST_DVFS);
        let governor = last("plugin/dvfs/governor").filter(|_| is_on).and_then(|named| {
            let figures = OPTIONS
                .iter()
                .filter_map(|(key, ours)| Some(format!("{}={}", (*ours)?, last(key)?.value)));
            let figures: Vec<String> = figures.collect();
            // A governor that does not sample has no period.
            let with = format!("{}:{}", named.value, figures.join(","));
            with.parse().or_else(|_| named.value.parse()).ok()
        });
        Self { is_on, governor }
    }
}

fn text(error: impl ToString) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use foretell_platform::Rule;

    use super::*;
    use crate::options::Origin;

    fn option((key, value): (&str, &str)) -> InEffect {
        InEffect { key: key.to_owned(), value: value.to_owned(), from: Origin::CommandLine }
    }

    #[test]
    fn the_plugin_has_to_be_on() {
        let figures = [
            ("plugin/dvfs/governor", "conservative"),
            ("plugin/dvfs/sampling-rate", "0.3"),
            ("plugin/dvfs/max-pstate", "2"),
        ];
        let mut options: Vec<_> = figures.map(option).to_vec();
        assert_eq!(Plugin::of(&options), Plugin::default());
        options.push(option(("plugin", "host_dvfs")));
        let governor = Plugin::of(&options).governor.unwrap();
        assert_eq!((governor.period, governor.slowest), (0.3, Some(2)));
        options.push(option(("plugin/dvfs/governor", "powersave")));
        assert_eq!(Plugin::of(&options).governor.unwrap().rule, Rule::Powersave);
    }

    #[test]
    fn other_plugins_are_not_ours() {
        assert_eq!(hear("plugin", "host_dvfs"), Ok(Heard::Applied));
        assert!(matches!(hear("plugin", "host_energy"), Ok(Heard::Idle(_))));
        assert_eq!(hear("plugin", "file_system"), Ok(Heard::Unknown));
        assert!(hear("plugin/dvfs/governor", "adagio").unwrap_err().contains("performance"));
    }
}
