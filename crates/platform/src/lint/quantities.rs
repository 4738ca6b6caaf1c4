//! Quantities whose size or unit is unusual.

use std::ops::Range;

use foretell_units::{BytesPerSecond, FlopPerSecond, Seconds, has_unit};

use super::Findings;

/// Rates at which networks are sold, in gigabits per second.
const USUAL_GIGABITS: [&str; 13] =
    ["1", "2.5", "5", "10", "20", "25", "40", "50", "56", "100", "200", "400", "800"];

/// What a quantity is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Latency,
    /// Of a cable or a link of the network.
    Bandwidth,
    /// Of messages that stay inside a node.
    LocalBandwidth,
    Speed,
}

/// A quantity as it is written.
pub(super) struct Written<'a> {
    pub(super) kind: Kind,
    /// The name of its key or attribute.
    pub(super) key: &'a str,
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

/// Looks at one quantity.
pub(super) fn look(written: &Written<'_>, findings: &mut Findings) {
    bare_number(written, findings);
    match written.kind {
        Kind::Latency => {
            if let Ok(latency) = written.text.parse::<Seconds>() {
                look_at_latency(written, latency, findings);
            }
        }
        Kind::Bandwidth | Kind::LocalBandwidth => {
            if let Ok(bandwidth) = written.text.parse::<BytesPerSecond>() {
                look_at_bandwidth(written, bandwidth, findings);
            }
            bits_or_bytes(written, findings);
        }
        Kind::Speed => {
            for part in written.text.split(',') {
                if let Ok(speed) = part.parse::<FlopPerSecond>() {
                    look_at_speed(written, speed, findings);
                }
            }
        }
    }
}

/// Looks at the latency and the bandwidth of the same link.
pub(super) fn look_at_pair(latency: &Written<'_>, bandwidth: &str, findings: &mut Findings) {
    let (Ok(seconds), Ok(rate)) =
        (latency.text.parse::<Seconds>(), bandwidth.parse::<BytesPerSecond>())
    else {
        return;
    };
    // Fast links are short ones; slower ones may cross a continent.
    if seconds.get() > 1e-3 && seconds.get() <= 1.0 && rate.get() >= 1.25e9 {
        findings.add(
            latency.span.clone(),
            format!("a latency of {seconds} is long for a link of {rate}"),
            "inside a cluster a few microseconds are usual: is the unit right?",
        );
    }
}

/// Looks at a limiter and the link it limits.
pub(super) fn look_at_limiter(limiter: &Written<'_>, bandwidth: &str, findings: &mut Findings) {
    let Ok(rate) = bandwidth.parse::<BytesPerSecond>() else { return };
    let limit = match limiter.text.trim().strip_suffix('x') {
        Some(times) => times.trim().parse::<f64>().ok().map(|times| rate * times),
        None => limiter.text.parse::<BytesPerSecond>().ok(),
    };
    if let Some(limit) = limit.filter(|limit| *limit < rate) {
        findings.add(
            limiter.span.clone(),
            format!("the limiter of {limit} is below its link of {rate}"),
            "a limiter bounds both directions together: 1 to 2 times the link is usual",
        );
    }
}

fn bare_number(written: &Written<'_>, findings: &mut Findings) {
    let Written { kind, key, text, span } = written;
    // Zero is zero in any unit.
    if has_unit(text) || text.trim().parse::<f64>().is_ok_and(|number| number == 0.0) {
        return;
    }
    let read = match kind {
        Kind::Latency => text.parse::<Seconds>().map(|quantity| quantity.to_string()),
        Kind::Bandwidth | Kind::LocalBandwidth => {
            text.parse::<BytesPerSecond>().map(|quantity| quantity.to_string())
        }
        Kind::Speed => text.parse::<FlopPerSecond>().map(|quantity| quantity.to_string()),
    };
    if let Ok(read) = read {
        findings.add(
            span.clone(),
            format!("`{key}` has no unit: {text} is taken as {read}"),
            format!("write \"{}\"", file_notation(&read)),
        );
    }
}

/// A printed quantity as files have it: `1.25GBps`, `10Gf`.
fn file_notation(printed: &str) -> String {
    printed.replace(' ', "").replace("B/s", "Bps").replace("flop/s", "f")
}

fn look_at_latency(written: &Written<'_>, latency: Seconds, findings: &mut Findings) {
    let span = || written.span.clone();
    if latency.get() > 1.0 {
        let message = format!("a latency of {latency} is longer than any network's");
        findings.add(span(), message, "is the unit right? us is a microsecond, ms a millisecond");
    }
    let precision = Seconds::new(findings.timing_precision);
    if latency.get() > 0.0 && latency < precision {
        findings.add(
            span(),
            format!("a latency of {latency} is below the timing precision of {precision}"),
            "it may count for nothing: lower the precision, or write 0",
        );
    }
}

fn look_at_bandwidth(written: &Written<'_>, bandwidth: BytesPerSecond, findings: &mut Findings) {
    let help = "is the unit right? B is a byte, b a bit; M is 1000 times k, G 1000 times M";
    if bandwidth.get() < 1e6 {
        let message = format!("a bandwidth of {bandwidth} is below that of any cluster");
        findings.add(written.span.clone(), message, help);
    } else if bandwidth.get() > 1e13 {
        let message = format!("a bandwidth of {bandwidth} is above that of any link");
        findings.add(written.span.clone(), message, help);
    }
}

/// Networks are sold by the bit, memory by the byte.
fn bits_or_bytes(written: &Written<'_>, findings: &mut Findings) {
    let text = written.text.trim();
    let number = |ending: &str| text.strip_suffix(ending).map(str::trim);
    if written.kind == Kind::LocalBandwidth {
        if let Some(digits) = number("Gbps").or_else(|| number("Gb/s")) {
            findings.add(
                written.span.clone(),
                format!("`{}` is given in bits; memory is usually counted in bytes", written.key),
                format!("is \"{digits}GBps\" meant?"),
            );
        }
    } else if let Some(digits) = number("GBps").or_else(|| number("GB/s"))
        && USUAL_GIGABITS.contains(&digits)
    {
        findings.add(
            written.span.clone(),
            format!("{digits} GB/s is {} Gb/s", digits.parse::<f64>().unwrap_or(0.0) * 8.0),
            format!("networks are usually counted in bits: is \"{digits}Gbps\" meant?"),
        );
    }
}

fn look_at_speed(written: &Written<'_>, speed: FlopPerSecond, findings: &mut Findings) {
    let help = "speeds are those of one core: a few Gf are usual";
    if speed.get() < 1e6 {
        let message = format!("a speed of {speed} is below that of any core");
        findings.add(written.span.clone(), message, help);
    } else if speed.get() > 1e15 {
        let message = format!("a speed of {speed} is above that of any core");
        findings.add(written.span.clone(), message, help);
    }
}
