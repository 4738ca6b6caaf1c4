//! A plot of a set of cases: measured and predicted Gflop/s.

use std::fmt::Write as _;

use super::Rows;
use super::case::Case;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// Room left of, above, right of and below the plot.
const MARGINS: [f64; 4] = [70.0, 40.0, 20.0, 90.0];
const COLOURS: [&str; 4] = ["#c0392b", "#d68910", "#2471a3", "#7d3c98"];
const GREY: &str = "#777";

/// Draws what was measured (bars from the slowest to the fastest run, points at the mean), what was
/// predicted (lines) and what SimGrid predicted (hollow points).
pub(crate) fn svg(title: &str, rows: &Rows<'_>) -> String {
    let frame = Frame::new(rows);
    let mut picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <text x=\"{}\" y=\"22\" font-size=\"15\">{title}: Gflop/s of HPL</text>\n",
        MARGINS[0]
    );
    frame.axes(&mut picture);
    let mut models: Vec<&str> = Vec::new();
    for (case, _) in rows {
        if !models.contains(&case.model.as_str()) {
            models.push(&case.model);
        }
    }
    for (nth, model) in models.iter().enumerate() {
        let colour = COLOURS[nth % COLOURS.len()];
        let mut points = String::new();
        for (case, told) in rows.iter().filter(|(case, _)| case.model == *model) {
            let x = frame.x(case);
            let _ = write!(points, "{x:.1},{:.1} ", frame.y(told.gflops));
            if let Some(simgrid) = case.simgrid {
                circle(&mut picture, x, frame.y(simgrid), colour, "none");
            }
        }
        let points = points.trim_end();
        let _ = writeln!(
            picture,
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        legend(&mut picture, nth, colour, &format!("predicted: {model} (circles: SimGrid)"));
    }
    for (case, _) in rows {
        let (x, [low, mean, high]) = (frame.x(case), {
            let measured = &case.measured;
            [measured.lowest, measured.mean, measured.highest].map(|gflops| frame.y(gflops))
        });
        line(&mut picture, [x, low, x, high], "black");
        circle(&mut picture, x, mean, "black", "black");
    }
    legend(&mut picture, models.len(), "black", "measured: mean, slowest and fastest run");
    picture.push_str("</svg>\n");
    picture
}

/// What the axes span.
struct Frame<'a> {
    /// Where a case stands: at the order of its matrix, or else at its turn.
    places: Vec<(&'a Case, f64)>,
    by_order: bool,
    across: [f64; 2],
    most: f64,
}

impl<'a> Frame<'a> {
    fn new(rows: &Rows<'a>) -> Self {
        let by_order = rows.iter().any(|(case, _)| case.n != rows[0].0.n);
        let place = |(nth, (case, _)): (usize, &(&'a Case, _))| {
            (*case, if by_order { case.n as f64 } else { nth as f64 })
        };
        let places: Vec<_> = rows.iter().enumerate().map(place).collect();
        let all = || places.iter().map(|(_, place)| *place);
        let across = [all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max)];
        let figures = rows.iter().flat_map(|(case, told)| {
            [case.measured.highest, told.gflops, case.simgrid.unwrap_or_default()]
        });
        let most = figures.fold(0.0, f64::max) * 1.05;
        Self { places, by_order, across, most }
    }

    fn x(&self, case: &Case) -> f64 {
        let found = self.places.iter().find(|(other, _)| std::ptr::eq(*other, case));
        self.across_at(found.map_or(0.0, |(_, place)| *place))
    }

    fn across_at(&self, place: f64) -> f64 {
        let [left, _, right, _] = MARGINS;
        let span = (self.across[1] - self.across[0]).max(1.0);
        left + 15.0 + (place - self.across[0]) / span * (WIDTH - left - right - 30.0)
    }

    fn y(&self, gflops: f64) -> f64 {
        let [_, top, _, bottom] = MARGINS;
        top + (1.0 - gflops / self.most) * (HEIGHT - top - bottom)
    }

    fn axes(&self, picture: &mut String) {
        let [left, top, right, bottom] = MARGINS;
        let floor = HEIGHT - bottom;
        line(picture, [left, top, left, floor], GREY);
        line(picture, [left, floor, WIDTH - right, floor], GREY);
        for nth in 0..=5 {
            let gflops = self.most / 5.0 * f64::from(nth);
            let _ = writeln!(
                picture,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{gflops:.0}</text>",
                left - 6.0,
                self.y(gflops) + 4.0
            );
        }
        if !self.by_order {
            return;
        }
        for nth in 0..=5 {
            let order = self.across[0] + (self.across[1] - self.across[0]) / 5.0 * f64::from(nth);
            let _ = writeln!(
                picture,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">N = {order:.0}</text>",
                self.across_at(order),
                floor + 16.0
            );
        }
    }
}

fn line(picture: &mut String, [x1, y1, x2, y2]: [f64; 4], colour: &str) {
    let _ = writeln!(
        picture,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{colour}\"/>"
    );
}

fn circle(picture: &mut String, x: f64, y: f64, stroke: &str, fill: &str) {
    let _ = writeln!(
        picture,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" stroke=\"{stroke}\" fill=\"{fill}\"/>"
    );
}

fn legend(picture: &mut String, nth: usize, colour: &str, text: &str) {
    let y = HEIGHT - 8.0 - 15.0 * nth as f64;
    let x = MARGINS[0];
    line(picture, [x, y - 4.0, x + 24.0, y - 4.0], colour);
    let _ = writeln!(picture, "<text x=\"{:.1}\" y=\"{y:.1}\">{text}</text>", x + 30.0);
}

#[cfg(test)]
mod tests {
    use super::super::case::tests::measured;
    use super::super::prediction::Prediction;
    use super::*;

    #[test]
    fn every_case_has_its_points() {
        let mut cases = [measured(100.0, Some(90.0)), measured(200.0, None)];
        cases[1].n = 9000;
        let rows: Rows<'_> =
            cases.iter().map(|case| (case, Prediction { gflops: 120.0, cpu_s: 1.0 })).collect();
        let picture = svg("sizes", &rows);
        // Two means, and one prediction of SimGrid.
        assert_eq!(picture.matches("<circle").count(), 3);
        let points = picture.split("points=\"").nth(1).unwrap().split('"').next().unwrap();
        let places: Vec<&str> = points.split(' ').collect();
        assert_eq!(places.len(), 2);
        assert!(places[0].starts_with("85.0,") && places[1].starts_with("725.0,"), "{points}");
        assert!(picture.contains("N = 5000") && picture.contains("N = 9000"));
    }
}
