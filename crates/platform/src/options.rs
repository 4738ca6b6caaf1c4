//! Options by SimGrid's names: the part of them that this crate models.

use foretell_units::{BytesPerSecond, Seconds};

use crate::settings::{ModelKind, NetworkSettings};
use crate::tables::{Overheads, Steps};

/// What became of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionOutcome {
    /// It is in force.
    Applied,
    /// It is not about the network; someone else may know it.
    Unknown,
    /// Its value makes no sense; why.
    Bad(String),
}

impl NetworkSettings {
    /// Sets an option by its SimGrid name, such as `network/TCP-gamma` or `smpi/or`.
    ///
    /// `network/model` also sets the factors that make up the model: apply it before the others.
    pub fn apply_option(&mut self, key: &str, value: &str) -> OptionOutcome {
        match self.try_option(key, value.trim()) {
            Ok(true) => OptionOutcome::Applied,
            Ok(false) => OptionOutcome::Unknown,
            Err(why) => OptionOutcome::Bad(why),
        }
    }

    fn try_option(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "network/model" => self.choose_model(value)?,
            "network/TCP-gamma" | "network/TCP_gamma" | "network/tcp-gamma" => {
                self.tcp_gamma = amount(value)?;
            }
            "network/weight-S" | "network/weight_S" => self.weight_s = amount(value)?,
            "network/crosstraffic" => self.cross_traffic = cross_traffic(value)?,
            "network/latency-factor" | "network/latency_factor" | "smpi/lat-factor" => {
                self.tables.latency_factor = factors(value)?;
            }
            "network/bandwidth-factor" | "network/bandwidth_factor" | "smpi/bw-factor" => {
                self.tables.bandwidth_factor = factors(value)?;
            }
            "network/loopback-bw" => {
                let bandwidth: BytesPerSecond = parsed(value)?;
                self.loopback.bandwidth = positive(bandwidth.get(), value)?;
            }
            "network/loopback-lat" => self.loopback.latency = duration(value)?,
            "smpi/os" => self.tables.send = overheads(value)?,
            "smpi/ois" => self.tables.isend = overheads(value)?,
            "smpi/or" => self.tables.receive = overheads(value)?,
            "smpi/async-small-thresh" | "smpi/async_small_thresh" => {
                self.tables.eager_limit = bytes(value)?;
            }
            "smpi/send-is-detached-thresh" | "smpi/send_is_detached_thresh" => {
                self.tables.rendezvous_limit = bytes(value)?;
            }
            "smpi/iprobe" => self.iprobe = duration(value)?,
            "smpi/test" => self.test = duration(value)?,
            "smpi/wtime" => self.wtime = duration(value)?,
            "smpi/init" => self.init = duration(value)?,
            "smpi/grow-injected-times" => self.grow_polls = flag(value)?,
            "surf/precision" | "precision/timing" => {
                self.timing_precision = positive(duration(value)?, value)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets the model and the figures that make it up.
    fn choose_model(&mut self, name: &str) -> Result<(), String> {
        let (latency, bandwidth, weight) = match name {
            "SMPI" => {
                let preset = NetworkSettings::default();
                self.model = ModelKind::Hybrid;
                self.tables.latency_factor = preset.tables.latency_factor;
                self.tables.bandwidth_factor = preset.tables.bandwidth_factor;
                self.weight_s = preset.weight_s;
                return Ok(());
            }
            "Constant" => {
                self.model = ModelKind::Constant;
                return Ok(());
            }
            "CM02" => (1.0, 1.0, 0.0),
            "LV08" => (13.01, 0.97, 20537.0),
            other => {
                return Err(format!(
                    "`{other}` is no network model; expected SMPI, LV08, CM02 or Constant"
                ));
            }
        };
        self.model = ModelKind::Hybrid;
        self.tables.latency_factor = constant(latency);
        self.tables.bandwidth_factor = constant(bandwidth);
        self.weight_s = weight;
        Ok(())
    }
}

/// One value for all sizes.
fn constant(value: f64) -> Steps {
    Steps(vec![(0, value)])
}

/// A single factor, or `threshold:factor` pairs separated by `;`.
fn factors(text: &str) -> Result<Steps, String> {
    if let Ok(value) = text.parse::<f64>() {
        return Ok(constant(positive(value, text)?));
    }
    let mut steps = Vec::new();
    for (threshold, values) in entries(text)? {
        match values[..] {
            [value] => steps.push((threshold, positive(value, text)?)),
            _ => return Err(format!("expected `threshold:factor;…`, not `{text}`")),
        }
    }
    steps.sort_by_key(|(threshold, _)| *threshold);
    Ok(Steps(steps))
}

/// `threshold:seconds[:seconds per byte]` entries separated by `;`.
pub(crate) fn overheads(text: &str) -> Result<Overheads, String> {
    let mut table = Vec::new();
    for (threshold, values) in entries(text)? {
        if values.iter().any(|value| *value < 0.0) {
            return Err(format!("an overhead cannot be negative: `{text}`"));
        }
        match values[..] {
            [base] => table.push((threshold, base, 0.0)),
            [base, per_byte] => table.push((threshold, base, per_byte)),
            _ => {
                return Err(format!(
                    "expected `threshold:seconds:seconds per byte;…`, not `{text}`"
                ));
            }
        }
    }
    table.sort_by_key(|(threshold, ..)| *threshold);
    Ok(Overheads(table))
}

/// Splits `a:b:c;d:e` into a threshold and the numbers after it.
fn entries(text: &str) -> Result<Vec<(u64, Vec<f64>)>, String> {
    let entry = |entry: &str| {
        let mut fields = entry.split(':').map(str::trim);
        let threshold = fields.next().unwrap_or_default();
        let threshold =
            threshold.parse().map_err(|_| format!("`{threshold}` is no size in bytes"))?;
        let values: Result<Vec<f64>, String> = fields.map(seconds).collect();
        Ok((threshold, values?))
    };
    text.split(';').map(str::trim).filter(|part| !part.is_empty()).map(entry).collect()
}

fn parsed<T>(text: &str) -> Result<T, String>
where
    T: std::str::FromStr,
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    parsed::<Seconds>(text).map(Seconds::get)
}

fn duration(text: &str) -> Result<f64, String> {
    match seconds(text)? {
        value if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is negative; a duration is zero or more")),
    }
}

fn amount(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        _ => Err(format!("`{text}` is no number of zero or more")),
    }
}

fn positive(value: f64, text: &str) -> Result<f64, String> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(format!("`{text}` must be positive"))
}

fn bytes(text: &str) -> Result<u64, String> {
    match parsed::<foretell_units::Bytes>(text)?.get() {
        value if value >= 0.0 && value <= u64::MAX as f64 => Ok(value as u64),
        _ => Err(format!("`{text}` is no size in bytes")),
    }
}

fn flag(text: &str) -> Result<bool, String> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" | "1" => Ok(true),
        "no" | "off" | "false" | "0" => Ok(false),
        _ => Err(format!("`{text}` is neither yes nor no")),
    }
}

/// SimGrid knows only on (5 %) and off; a share is accepted too.
fn cross_traffic(text: &str) -> Result<f64, String> {
    match flag(text) {
        Ok(true) => Ok(0.05),
        Ok(false) => Ok(0.0),
        Err(_) => match amount(text) {
            Ok(share) if share < 1.0 => Ok(share),
            _ => Err(format!("`{text}` is neither yes, no nor a share below 1")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(key: &str, value: &str) -> NetworkSettings {
        let mut settings = NetworkSettings::default();
        assert_eq!(settings.apply_option(key, value), OptionOutcome::Applied, "{key}:{value}");
        settings
    }

    fn refused(key: &str, value: &str) -> String {
        let mut settings = NetworkSettings::default();
        let outcome = settings.apply_option(key, value);
        assert_eq!(settings, NetworkSettings::default(), "a bad value changes nothing");
        match outcome {
            OptionOutcome::Bad(why) => why,
            other => panic!("{key}:{value} gave {other:?}"),
        }
    }

    #[test]
    fn models_bring_their_factors() {
        let lv08 = applied("network/model", "LV08");
        assert_eq!(lv08.weight_s, 20537.0);
        assert_eq!(lv08.tables.latency_factor.at(1, 1.0), 13.01);
        assert_eq!(lv08.tables.bandwidth_factor.at(1 << 20, 1.0), 0.97);
        let cm02 = applied("network/model", "CM02");
        assert_eq!((cm02.weight_s, cm02.tables.latency_factor.at(9, 1.0)), (0.0, 1.0));
        assert_eq!(applied("network/model", "Constant").model, ModelKind::Constant);
        assert_eq!(applied("network/model", "SMPI"), NetworkSettings::default());
    }

    #[test]
    fn tables_are_read_in_any_order() {
        let settings = applied("smpi/bw-factor", "100:0.5;0:0.25");
        assert_eq!(settings.tables.bandwidth_factor, Steps(vec![(0, 0.25), (100, 0.5)]));
        let settings = applied("smpi/or", "0:1us;128:2e-6:3e-9;");
        assert_eq!(settings.tables.receive, Overheads(vec![(0, 1e-6, 0.0), (128, 2e-6, 3e-9)]));
    }

    #[test]
    fn every_name_reaches_its_setting() {
        assert_eq!(applied("network/TCP-gamma", "0").tcp_gamma, 0.0);
        assert_eq!(applied("network/weight-S", "42").weight_s, 42.0);
        assert_eq!(applied("network/crosstraffic", "no").cross_traffic, 0.0);
        assert_eq!(applied("network/crosstraffic", "0.1").cross_traffic, 0.1);
        assert_eq!(applied("network/latency-factor", "2").tables.latency_factor.at(5, 0.0), 2.0);
        assert_eq!(applied("network/loopback-bw", "1GBps").loopback.bandwidth, 1e9);
        assert_eq!(applied("network/loopback-lat", "1us").loopback.latency, 1e-6);
        assert_eq!(applied("smpi/os", "0:1").tables.send.at(7), 1.0);
        assert_eq!(applied("smpi/ois", "0:1").tables.isend.at(7), 1.0);
        assert_eq!(applied("smpi/async-small-thresh", "65536").tables.eager_limit, 65536);
        assert_eq!(applied("smpi/send-is-detached-thresh", "1").tables.rendezvous_limit, 1);
        assert_eq!(applied("smpi/iprobe", "1ms").iprobe, 1e-3);
        assert_eq!(applied("smpi/test", "2e-4").test, 2e-4);
        assert_eq!(applied("smpi/wtime", "0").wtime, 0.0);
        assert_eq!(applied("smpi/init", "1").init, 1.0);
        assert!(!applied("smpi/grow-injected-times", "no").grow_polls);
        assert_eq!(applied("precision/timing", "1e-6").timing_precision, 1e-6);
        assert_eq!(applied("surf/precision", "1e-6").timing_precision, 1e-6);
    }

    #[test]
    fn other_names_are_left_to_others() {
        let mut settings = NetworkSettings::default();
        assert_eq!(settings.apply_option("smpi/alltoall", "ring"), OptionOutcome::Unknown);
    }

    #[test]
    fn nonsense_says_what_was_expected() {
        assert_eq!(
            refused("network/model", "TCP"),
            "`TCP` is no network model; expected SMPI, LV08, CM02 or Constant"
        );
        assert_eq!(refused("smpi/or", "x:1"), "`x` is no size in bytes");
        assert_eq!(refused("network/TCP-gamma", "-1"), "`-1` is no number of zero or more");
        assert_eq!(refused("smpi/grow-injected-times", "maybe"), "`maybe` is neither yes nor no");
        assert_eq!(refused("smpi/bw-factor", "0:0"), "`0:0` must be positive");
        assert!(refused("smpi/wtime", "soon").contains("soon"));
    }
}
