//! Options by SimGrid's names: of the platform file first, then of the command line, which wins.

use anyhow::Result;
use foretell_diagnostics::nearest;
use foretell_mpi::{Computation, NOTED, Operation, RULES, SELECTOR, Selection};
use foretell_platform::{OptionOutcome, Platform};
use serde::Serialize;

use crate::dvfs;
use crate::exit::Drawn;
use crate::idle_options;

/// Options that are neither algorithms nor idle, for guessing at mistyped ones.
const KNOWN: [&str; 21] = [
    "network/model",
    "network/TCP-gamma",
    "network/weight-S",
    "network/crosstraffic",
    "network/latency-factor",
    "network/bandwidth-factor",
    "network/loopback-bw",
    "network/loopback-lat",
    "smpi/bw-factor",
    "smpi/lat-factor",
    "smpi/os",
    "smpi/ois",
    "smpi/or",
    "smpi/async-small-thresh",
    "smpi/send-is-detached-thresh",
    "smpi/iprobe",
    "smpi/test",
    "smpi/wtime",
    "smpi/init",
    "smpi/grow-injected-times",
    "precision/timing",
];
const SIMULATE_COMPUTATION: &str = "smpi/simulate-computation";

/// What the options of a run come to, beside what they set in the platform.
#[derive(Debug, Clone, Default)]
pub(crate) struct Settings {
    pub(crate) selection: Selection,
    pub(crate) computation: Computation,
    /// Those that have an effect, in the order they were applied.
    pub(crate) in_effect: Vec<InEffect>,
    /// What is worth a word of warning.
    pub(crate) warnings: Vec<String>,
}

/// An option that has an effect, and who asked for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct InEffect {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) from: Origin,
}

/// Who asked for an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Origin {
    Platform,
    CommandLine,
}

/// What becomes of an option that neither the network nor MPI knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// It has an effect.
    Applied,
    /// It has none, and nobody misses it.
    Silent,
    /// It has none, for this reason.
    Idle(&'static str),
    /// It is not known.
    Unknown,
}

/// Who hears of such options: key and value; the error is that the value makes no sense.
pub(crate) type Further<'a> = &'a mut dyn FnMut(&str, &str) -> Result<Heard, String>;

/// Applies all options to a platform and to the settings of a run. All that is wrong is told at
/// once.
pub(crate) fn apply(
    platform: &mut Platform,
    words: &[String],
    further: Further<'_>,
) -> Result<Settings> {
    let mut settings = Settings::default();
    let mut mistakes = Vec::new();
    for (key, value) in platform.options().to_vec() {
        // Those of the network are in force: the reader of the file has applied them.
        let of_network = platform.network().clone().apply_option(&key, &value);
        let heard = settings.heard(&key, &value, of_network, further);
        settings.note(&key, &value, Origin::Platform, heard, &mut mistakes);
    }
    for word in words.iter().filter(|word| pair(word).is_none()) {
        mistakes.push(format!("`--cfg {word}` has no value; write --cfg key:value"));
    }
    for (key, value) in pairs(words) {
        let of_network = platform.network_mut().apply_option(key, value);
        let heard = settings.heard(key, value, of_network, further);
        settings.note(key, value, Origin::CommandLine, heard, &mut mistakes);
    }
    if mistakes.is_empty() {
        return Ok(settings);
    }
    let lines: Vec<String> = mistakes.iter().map(|mistake| format!("error: {mistake}")).collect();
    Err(Drawn(lines.join("\n")).into())
}

/// The options of the command line, in the order they are applied.
pub(crate) fn pairs(words: &[String]) -> Vec<(&str, &str)> {
    let mut pairs: Vec<_> = words.iter().filter_map(|word| pair(word)).collect();
    // The model and the rules set what the other options change.
    pairs.sort_by_key(|(key, _)| !["network/model", SELECTOR, RULES].contains(key));
    pairs
}

fn pair(word: &str) -> Option<(&str, &str)> {
    let (key, value) = word.split_once(':')?;
    Some((key.trim(), value.trim())).filter(|(key, _)| !key.is_empty())
}

impl Settings {
    /// What becomes of an option, after the network has heard of it.
    fn heard(
        &mut self,
        key: &str,
        value: &str,
        of_network: OptionOutcome,
        further: Further<'_>,
    ) -> Result<Heard, String> {
        match of_network {
            OptionOutcome::Applied => Ok(Heard::Applied),
            OptionOutcome::Bad(why) => Err(why),
            OptionOutcome::Unknown if self.of_mpi(key, value)? => Ok(Heard::Applied),
            OptionOutcome::Unknown => match dvfs::hear(key, value)? {
                Heard::Unknown => further(key, value),
                heard => Ok(heard),
            },
        }
    }

    fn note(
        &mut self,
        key: &str,
        value: &str,
        from: Origin,
        heard: Result<Heard, String>,
        mistakes: &mut Vec<String>,
    ) {
        match heard {
            // It changes what is told, not what is found.
            Ok(Heard::Applied) if key == NOTED => {}
            Ok(Heard::Applied) => {
                // Of rules, the name is enough.
                let value = value.lines().next().unwrap_or_default();
                let (key, value) = (key.to_owned(), value.to_owned());
                self.in_effect.push(InEffect { key, value, from });
            }
            Ok(Heard::Silent) => {}
            Ok(Heard::Idle(reason)) => self.warn_of(key, Some(reason)),
            Ok(Heard::Unknown) => self.warn_of(key, idle_options::reason(key)),
            Err(why) => mistakes.push(format!("option {key}: {why}")),
        }
    }

    /// Applies an option of MPI; false if it is none.
    fn of_mpi(&mut self, key: &str, value: &str) -> Result<bool, String> {
        if key == SIMULATE_COMPUTATION {
            self.computation = match yes_or_no(value)? {
                true => Computation::Simulated,
                false => Computation::Free,
            };
            return Ok(true);
        }
        self.selection.apply_option(key, value)
    }

    fn warn_of(&mut self, key: &str, reason: Option<&str>) {
        let warning = match reason {
            Some(reason) => format!("option {key} has no effect: {reason}"),
            None => match guess(key) {
                Some(name) => format!("there is no option {key}; did you mean {name}?"),
                None => format!("there is no option {key}; it has no effect"),
            },
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

/// A yes or no, in any of SimGrid's words.
pub(crate) fn yes_or_no(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" | "1" => Ok(true),
        "no" | "off" | "false" | "0" => Ok(false),
        _ => Err(format!("`{value}` is neither yes nor no")),
    }
}

fn guess(key: &str) -> Option<String> {
    let operations = Operation::ALL.map(|operation| format!("smpi/{}", operation.name()));
    let known = KNOWN.into_iter().chain([SIMULATE_COMPUTATION, SELECTOR]);
    nearest(key, known.chain(operations.iter().map(String::as_str))).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(words: &[&str]) -> Result<(Platform, Settings)> {
        let mut platform = Platform::named("star-64").unwrap();
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let settings = apply(&mut platform, &words, &mut |_, _| Ok(Heard::Unknown))?;
        Ok((platform, settings))
    }

    #[test]
    fn known_options_are_known() {
        let mut network = foretell_platform::NetworkSettings::default();
        for key in KNOWN {
            assert_ne!(network.apply_option(key, "?"), OptionOutcome::Unknown, "{key}");
        }
    }

    #[test]
    fn options_reach_network_collectives_and_computation() {
        let words = ["network/TCP-gamma:0", "smpi/alltoall:ring", "smpi/simulate-computation:no"];
        let (platform, settings) = applied(&words).unwrap();
        assert_eq!(platform.network().tcp_gamma, 0.0);
        assert_eq!(settings.selection.algorithm(Operation::Alltoall), "ring");
        assert_eq!(settings.computation, Computation::Free);
        assert_eq!(settings.in_effect.len(), 3);
        assert!(settings.warnings.is_empty());
    }

    #[test]
    fn the_model_does_not_undo_what_stands_before_it() {
        let (platform, _) = applied(&["network/weight-S:7", "network/model:CM02"]).unwrap();
        assert_eq!(platform.network().weight_s, 7.0);
    }

    #[test]
    fn an_algorithm_wins_over_the_rules_of_a_library() {
        let words = ["smpi/alltoall:ring", "smpi/coll-selector:ompi"];
        let selection = applied(&words).unwrap().1.selection;
        assert_eq!(selection.algorithm(Operation::Alltoall), "ring");
        assert_eq!(selection.algorithm(Operation::Bcast), "ompi");
        let message = applied(&["smpi/coll-selector:lam"]).unwrap_err().to_string();
        assert!(message.contains("there are no rules of 'lam'"), "{message}");
    }

    #[test]
    fn every_mistake_is_told_at_once() {
        let message =
            applied(&["smpi/os", "smpi/alltoall:bruk", "smpi/init:-1"]).unwrap_err().to_string();
        assert_eq!(message.lines().count(), 3, "{message}");
        assert!(message.contains("there are: pair, ring"), "{message}");
    }

    #[test]
    fn what_has_no_effect_is_told_once() {
        let words = ["contexts/factory:raw", "contexts/factory:raw", "smpi/alltoal:pair", "x:y"];
        let (_, settings) = applied(&words).unwrap();
        assert!(settings.in_effect.is_empty());
        assert_eq!(
            settings.warnings,
            [
                "option contexts/factory has no effect: ranks are futures and have no stacks of \
                 their own",
                "there is no option smpi/alltoal; did you mean smpi/alltoall?",
                "there is no option x; it has no effect",
            ]
        );
    }
}
