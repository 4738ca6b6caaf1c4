//! The curves of one panel, drawn as SVG with logarithmic scales.

use std::fmt::Write;
use std::ops::Range;

use foretell_mpi::{Choice, Library};

use super::super::numbers::short;
use super::super::study::{Entry, Point, Table};
use super::escaped;
use crate::figures::time;

/// The picture and where the curves are in it.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 58.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 34.0;

/// One place on the horizontal axis: the number, its label, and the point of the study.
type Place<'a> = (f64, String, &'a Point);

/// Time against bytes, with so many ranks.
pub(super) fn by_bytes(table: &Table, ranks: u32, choices: &[Choice]) -> String {
    let points = table.with_ranks(ranks);
    let places: Vec<Place<'_>> =
        points.map(|point| (point.bytes as f64, short(point.bytes), point)).collect();
    draw(&places, choices, "bytes")
}

/// Time against ranks, with so many bytes.
pub(super) fn by_ranks(table: &Table, bytes: u64, choices: &[Choice]) -> String {
    let points = table.points.iter().filter(|point| point.bytes == bytes);
    let places: Vec<Place<'_>> =
        points.map(|point| (f64::from(point.ranks), point.ranks.to_string(), point)).collect();
    draw(&places, choices, "ranks")
}

/// Colour and dashes of a curve. Hues go round by the golden angle, so that neighbours differ;
/// after each nine the dashes change.
pub(super) fn style(number: usize) -> String {
    let hue = (number as f64 * 137.508 + 210.0) % 360.0;
    let dashes = ["none", "6 3", "2 3", "8 3 2 3"][number / 9 % 4];
    format!("style=\"--hue:{hue:.0};--dashes:{dashes}\"")
}

/// A logarithmic scale from numbers to places in the picture.
struct Scale {
    from: (f64, f64),
    to: Range<f64>,
}

impl Scale {
    /// Over these numbers, with a little room at both ends.
    fn over(numbers: impl Iterator<Item = f64>, to: Range<f64>) -> Self {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for number in numbers.filter(|number| *number > 0.0) {
            (low, high) = (low.min(number.ln()), high.max(number.ln()));
        }
        if low > high {
            (low, high) = (0.0, 0.0);
        }
        let room = ((high - low) * 0.04).max(0.1);
        Self { from: (low - room, high + room), to }
    }

    fn at(&self, number: f64) -> f64 {
        let (low, high) = self.from;
        let share = (number.max(f64::MIN_POSITIVE).ln() - low) / (high - low);
        self.to.start + share.clamp(0.0, 1.0) * (self.to.end - self.to.start)
    }

    /// Powers of ten inside, and in between where these are few.
    fn ticks(&self) -> Vec<f64> {
        let (low, high) = (self.from.0.exp(), self.from.1.exp());
        let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
        let of = |steps: &[f64]| -> Vec<f64> {
            let all = decades.clone().flat_map(|ten| {
                steps.iter().map(move |step| step * 10_f64.powi(ten)).collect::<Vec<f64>>()
            });
            all.filter(|tick| (low..=high).contains(tick)).collect()
        };
        let tens = of(&[1.0]);
        match tens.len() {
            0 | 1 => of(&[1.0, 2.0, 3.0, 5.0]),
            2 => of(&[1.0, 3.0]),
            _ => tens,
        }
    }
}

fn draw(places: &[Place<'_>], choices: &[Choice], unit: &str) -> String {
    let across = Scale::over(places.iter().map(|place| place.0), LEFT..WIDTH - RIGHT);
    let times = places.iter().flat_map(|place| place.2.entries.iter().filter_map(Entry::seconds));
    let up = Scale::over(times, HEIGHT - BOTTOM..TOP);
    let mut text = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"time against {unit}\">\n"
    );
    axes(&mut text, places, &across, &up, unit);
    for (number, choice) in choices.iter().enumerate() {
        curve(&mut text, places, (number, choice), &across, &up);
    }
    for place in places {
        marks(&mut text, place, &across, &up);
    }
    text.push_str("</svg>\n");
    text
}

fn axes(text: &mut String, places: &[Place<'_>], across: &Scale, up: &Scale, unit: &str) {
    // Writing to a string cannot fail.
    for tick in up.ticks() {
        let y = up.at(tick);
        let _ = writeln!(
            text,
            "<path class=\"grid\" d=\"M{LEFT} {y:.1}H{:.1}\"/><text class=\"label\" x=\"{:.1}\" \
             y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 5.0,
            y + 3.5,
            time(tick)
        );
    }
    let bottom = HEIGHT - BOTTOM;
    let _ = writeln!(text, "<path class=\"axis\" d=\"M{LEFT} {TOP}V{bottom}H{}\"/>", WIDTH - RIGHT);
    // Labels that would run into each other are left out.
    let each = places.len().div_ceil(9).max(1);
    for (number, label, _) in places.iter().step_by(each) {
        let x = across.at(*number);
        let _ = writeln!(
            text,
            "<path class=\"axis\" d=\"M{x:.1} {bottom}v4\"/><text class=\"label\" x=\"{x:.1}\" \
             y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16.0
        );
    }
    let _ = writeln!(
        text,
        "<text class=\"label\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{unit}</text>",
        WIDTH - RIGHT,
        HEIGHT - 4.0
    );
}

/// The curve of a choice: lines between neighbouring points where it has a time, and a dot at each.
fn curve(
    text: &mut String,
    places: &[Place<'_>],
    (number, choice): (usize, &Choice),
    across: &Scale,
    up: &Scale,
) {
    let (mut line, mut dots, mut pen_is_down) = (String::new(), String::new(), false);
    for (at, label, point) in places {
        let entry = point.entries.iter().find(|entry| entry.choice == *choice);
        let Some(seconds) = entry.and_then(Entry::seconds) else {
            pen_is_down = false;
            continue;
        };
        let (x, y) = (across.at(*at), up.at(seconds));
        let _ = write!(line, "{}{x:.1} {y:.1}", if pen_is_down { 'L' } else { 'M' });
        pen_is_down = true;
        let told = format!("{choice} · {label} · {}", told(point, entry, seconds));
        let told = escaped(&told);
        let _ = writeln!(
            dots,
            "<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\" data-tip=\"{told}\">\
             <title>{told}</title></circle>"
        );
    }
    if !line.is_empty() {
        let style = style(number);
        let _ = writeln!(
            text,
            "<g class=\"series\" data-curve=\"{number}\" {style}>\n<path class=\"curve\" \
             d=\"{line}\"/>\n{dots}</g>"
        );
    }
}

/// The time, how far it is from the best, and what else there is to know.
fn told(point: &Point, entry: Option<&Entry>, seconds: f64) -> String {
    let over = point.over_best(seconds);
    let mut told = time(seconds);
    let _ = match over.abs() < 1e-9 {
        true => write!(told, ", the best"),
        false => write!(told, ", {:+.1} % of the best", 100.0 * over),
    };
    if let Some(reason) = entry.and_then(|entry| entry.gives_way) {
        let _ = write!(told, " (another runs in its place: {reason})");
    }
    told
}

/// Rings around what libraries choose.
fn marks(text: &mut String, (at, label, point): &Place<'_>, across: &Scale, up: &Scale) {
    let mut entries = point.chosen.clone();
    entries.sort_unstable();
    entries.dedup();
    for entry in entries {
        let Some(seconds) = point.entries[entry].seconds() else { continue };
        let names = point.chosen.iter().zip(Library::ALL).filter(|(of, _)| **of == entry);
        let names: Vec<&str> = names.map(|(_, library)| library.name()).collect();
        let choice = &point.entries[entry].choice;
        let told = escaped(&format!(
            "{choice} · {label} · {} · chosen by {}",
            told(point, Some(&point.entries[entry]), seconds),
            names.join(", ")
        ));
        let (x, y) = (across.at(*at), up.at(seconds));
        let _ = writeln!(
            text,
            "<circle class=\"chosen\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" data-tip=\"{told}\">\
             <title>{told}</title></circle>"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equally_far_apart() {
        let scale = Scale::over([1.0, 10.0, 100.0].into_iter(), 0.0..1.0);
        let (one, two) = (scale.at(10.0) - scale.at(1.0), scale.at(100.0) - scale.at(10.0));
        assert!((one - two).abs() < 1e-12 && one > 0.3);
        assert_eq!(scale.ticks(), [1.0, 10.0, 100.0]);
    }

    #[test]
    fn nothing_or_one_number_still_makes_a_scale() {
        assert!(Scale::over(std::iter::empty(), 0.0..1.0).at(3.0).is_finite());
        let scale = Scale::over([5.0].into_iter(), 0.0..1.0);
        assert!((scale.at(5.0) - 0.5).abs() < 1e-9);
        assert!(!Scale::over([1.0, 2.0].into_iter(), 0.0..1.0).ticks().is_empty());
    }
}
