//! How a compiled program runs: from SimGrid's options first, then from our own, which win.

use std::path::PathBuf;

use foretell_launch::{Clock, Computation, Libraries, Memory, Privacy, Scale};
use foretell_units::{Bytes, FlopPerSecond, Seconds};

use super::options::{ComputationChoice, ProgramOptions, libraries};
use crate::options::{Heard, yes_or_no};

/// Options that mean nothing here and are missed by nobody.
const SILENT: &[&str] = &[
    "contexts/",
    "smpi/keep-temps",
    "smpi/tmpdir",
    "smpi/shared-malloc-hugepage",
    "smpi/buffering",
];
const NO_COUNTERS: &str = "time is measured, not events of the processor";
const NO_REPORT: &str = "the summary at the end of a run tells it";
const OWN_HANDLERS: &str = "the program's error handlers decide, as MPI says";
const NO_LEAKS: &str = "--check tells what a program forgets to free";
const KIB: f64 = 1024.0;

/// How a compiled program runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    scale: Scale,
    /// No stretch of computation is long enough to count.
    never_counts: bool,
    pub(super) clock: Clock,
    pub(super) threshold: Option<f64>,
    pub(super) region_factors: Option<PathBuf>,
    pub(super) stack_size: Option<u64>,
    pub(super) guard: Option<bool>,
    pub(super) privacy: Privacy,
    pub(super) libraries: Libraries,
    pub(super) memory: Memory,
}

impl Settings {
    /// Hears of an option by SimGrid's name.
    pub(super) fn hear(&mut self, key: &str, value: &str) -> Result<Heard, String> {
        match key {
            "smpi/host-speed" if value == "auto" => self.scale = Scale::default(),
            "smpi/host-speed" => self.scale = Scale::HostSpeed(speed(value)?),
            "smpi/cpu-threshold" => self.set_threshold(value)?,
            "smpi/comp-adjustment-file" => self.region_factors = Some(absolute(value)?),
            "contexts/stack-size" => self.stack_size = Some(kibibytes(value)?),
            "contexts/guard-size" => self.guard = Some(value.trim() != "0"),
            "smpi/privatization" => self.privacy = privacy(value)?,
            "smpi/privatize-libs" if value.is_empty() => self.libraries = Libraries::default(),
            "smpi/privatize-libs" => self.libraries = libraries(value)?,
            "smpi/shared-malloc" => {
                self.memory.shared = match value {
                    "global" | "local" => true,
                    other => yes_or_no(other)
                        .map_err(|_| format!("`{other}` is not one of global, local, no"))?,
                };
            }
            "smpi/shared-malloc-blocksize" => self.memory.block_size = Some(bytes(value)?),
            "smpi/auto-shared-malloc-thresh" => {
                // SimGrid's default, 0, switches it off.
                self.memory.automatic = Some(bytes(value)?).filter(|least| *least > 0);
            }
            "smpi/papi-events" => return Ok(Heard::Idle(NO_COUNTERS)),
            "smpi/analyze" => return Ok(Heard::Idle(NO_REPORT)),
            "smpi/errors-are-fatal" => return Ok(Heard::Idle(OWN_HANDLERS)),
            "smpi/list-leaks" => return Ok(Heard::Idle(NO_LEAKS)),
            _ if SILENT.iter().any(|start| key.starts_with(start)) => return Ok(Heard::Silent),
            _ => return Ok(Heard::Unknown),
        }
        Ok(Heard::Applied)
    }

    /// Takes over what our own options say.
    pub(super) fn take(&mut self, options: &ProgramOptions) {
        if let Some(speed) = options.host_speed {
            self.scale = Scale::HostSpeed(speed.get());
        }
        if let Some(ratio) = options.speed_ratio {
            self.scale = Scale::Ratio(ratio);
        }
        if let Some(clock) = options.clock {
            self.clock = clock.into();
        }
        if let Some(size) = options.stack_size {
            self.stack_size = Some(size.get() as u64);
        }
        if let Some(privacy) = options.privatise {
            self.privacy = privacy.into();
        }
        if let Some(libraries) = &options.private_libs {
            self.libraries = libraries.clone();
        }
    }

    /// What computation costs, if `simulated` (an option of SimGrid's) does not say otherwise.
    pub(super) fn computation(
        &self,
        choice: Option<ComputationChoice>,
        simulated: foretell_mpi::Computation,
    ) -> Computation {
        let off = match choice {
            Some(choice) => choice == ComputationChoice::Off,
            None => simulated == foretell_mpi::Computation::Free || self.never_counts,
        };
        if off { Computation::Off } else { Computation::Measured(self.scale) }
    }

    /// A negative threshold is above every stretch, as SimGrid has it.
    fn set_threshold(&mut self, value: &str) -> Result<(), String> {
        self.never_counts = value.starts_with('-');
        if !self.never_counts {
            let seconds: Seconds = value.parse().map_err(said)?;
            self.threshold = Some(seconds.get());
        }
        Ok(())
    }
}

fn speed(value: &str) -> Result<f64, String> {
    let speed: FlopPerSecond = value.parse().map_err(said)?;
    match speed.get() > 0.0 {
        true => Ok(speed.get()),
        false => Err(format!("`{value}` is no speed of a computer; write 10Gf")),
    }
}

fn bytes(value: &str) -> Result<u64, String> {
    let bytes: Bytes = value.parse().map_err(said)?;
    Ok(bytes.get() as u64)
}

/// A size whose bare number counts in KiB.
fn kibibytes(value: &str) -> Result<u64, String> {
    match value.parse::<f64>() {
        Ok(number) if number > 0.0 => Ok((KIB * number) as u64),
        Ok(_) => Err(format!("`{value}` is no size of a stack")),
        Err(_) => bytes(value),
    }
}

fn privacy(value: &str) -> Result<Privacy, String> {
    match value.to_ascii_lowercase().as_str() {
        // Each of SimGrid's ways gives ranks globals of their own; ours is the cheapest.
        "dlopen" | "mmap" => Ok(Privacy::Images),
        other => yes_or_no(other)
            .map(|yes| if yes { Privacy::Images } else { Privacy::Shared })
            .map_err(|_| format!("`{value}` is not one of dlopen, mmap, yes, no")),
    }
}

fn absolute(value: &str) -> Result<PathBuf, String> {
    std::fs::canonicalize(value).map_err(|error| format!("cannot read {value}: {error}"))
}

fn said(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(options: &[(&str, &str)]) -> Result<Settings, String> {
        let mut settings = Settings::default();
        for (key, value) in options {
            settings.hear(key, value)?;
        }
        Ok(settings)
    }

    #[test]
    fn simgrids_options_reach_the_launch() {
        let settings = heard(&[
            ("contexts/stack-size", "64"),
            ("contexts/guard-size", "0"),
            ("smpi/privatization", "no"),
            ("smpi/host-speed", "9.8Gf"),
            ("smpi/cpu-threshold", "1e-7"),
            ("smpi/shared-malloc", "no"),
            ("smpi/shared-malloc-blocksize", "1048576"),
            ("smpi/privatize-libs", "libfoo;libbar"),
        ])
        .unwrap();
        assert_eq!(settings.stack_size, Some(65536));
        assert_eq!(settings.guard, Some(false));
        assert_eq!(settings.privacy, Privacy::Shared);
        assert_eq!(settings.scale, Scale::HostSpeed(9.8e9));
        assert_eq!(settings.threshold, Some(1e-7));
        assert!(!settings.memory.shared);
        assert_eq!(settings.memory.block_size, Some(1 << 20));
        assert_eq!(settings.libraries, Libraries::Only(vec!["libfoo".into(), "libbar".into()]));
    }

    #[test]
    fn every_way_to_privatise_is_known() {
        for (value, privacy) in
            [("dlopen", Privacy::Images), ("mmap", Privacy::Images), ("yes", Privacy::Images)]
        {
            assert_eq!(heard(&[("smpi/privatization", value)]).unwrap().privacy, privacy);
        }
        assert!(heard(&[("smpi/privatization", "perhaps")]).is_err());
    }

    #[test]
    fn what_means_nothing_here_is_passed_over_and_what_is_unknown_is_not() {
        let mut settings = Settings::default();
        assert_eq!(settings.hear("contexts/factory", "raw"), Ok(Heard::Silent));
        assert_eq!(settings.hear("smpi/keep-temps", "yes"), Ok(Heard::Silent));
        assert_eq!(settings.hear("smpi/papi-events", "x"), Ok(Heard::Idle(NO_COUNTERS)));
        assert_eq!(settings.hear("smpi/coll-selector", "mpich"), Ok(Heard::Unknown));
    }

    #[test]
    fn computation_is_measured_unless_anyone_switches_it_off() {
        use foretell_mpi::Computation::{Free, Simulated};
        let settings = Settings::default();
        let measured = Computation::Measured(Scale::Ratio(1.0));
        assert_eq!(settings.computation(None, Simulated), measured);
        assert_eq!(settings.computation(None, Free), Computation::Off);
        assert_eq!(settings.computation(Some(ComputationChoice::Measured), Free), measured);
        assert_eq!(settings.computation(Some(ComputationChoice::Off), Simulated), Computation::Off);
        let never = heard(&[("smpi/cpu-threshold", "-1")]).unwrap();
        assert_eq!(never.computation(None, Simulated), Computation::Off);
    }

    #[test]
    fn values_that_make_no_sense_are_told() {
        for (key, value) in [
            ("smpi/host-speed", "fast"),
            ("smpi/host-speed", "0"),
            ("contexts/stack-size", "-1"),
            ("smpi/shared-malloc", "x"),
            ("smpi/comp-adjustment-file", "no/such/file"),
        ] {
            assert!(heard(&[(key, value)]).is_err(), "{key}:{value}");
        }
    }
}
