//! The comparison as text, and as the generated part of a page.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::Rows;
use super::case::Case;
use super::plot;
use super::prediction::Prediction;
use super::score::{Score, error};

const BEGIN: &str = "<!-- what follows is written by `cargo xtask validate --write` -->";
const END: &str = "<!-- end of what is written by `cargo xtask validate --write` -->";

/// A set of cases for a terminal.
pub(crate) fn text(name: &str, rows: &Rows<'_>) -> String {
    let mut text = format!(
        "{name}\n{:>9} {:>9} {:>8} {:>8}  case\n",
        "measured", "predicted", "error", "SimGrid"
    );
    for (case, Prediction { gflops, .. }) in rows {
        let (measured, told) = (case.measured.mean, percent(error(case.measured.mean, *gflops)));
        let _ =
            writeln!(text, "{measured:>9.0} {gflops:>9.0} {told:>8} {:>8}  {case}", simgrid(case));
    }
    for (model, ours, theirs) in scores(rows) {
        let _ = writeln!(text, "{model}: {}", words(&ours));
        let _ = theirs.map(|theirs| writeln!(text, "  SimGrid: {}", words(&theirs)));
    }
    text
}

/// Replaces the generated part of a page, and draws its plots.
pub(crate) fn write(page: &Path, sets: &[(&str, Rows<'_>)], known: usize) -> Result<()> {
    let plots = page.with_extension("");
    fs::create_dir_all(&plots).with_context(|| format!("cannot create {}", plots.display()))?;
    let folder = plots.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut part = String::new();
    let predicted: usize = sets.iter().map(|(_, rows)| rows.len()).sum();
    let _ = writeln!(part, "\n{predicted} of the {known} cases in the table were predicted.");
    for (name, rows) in sets {
        let file = format!("{}.svg", name.replace(' ', "-"));
        fs::write(plots.join(&file), plot::svg(name, rows))?;
        let _ = write!(part, "\n### {name}\n\n![{name}]({folder}/{file})\n\n{}", tables(rows));
    }
    let text =
        fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    fs::write(page, with_part(&text, &part)?)?;
    Ok(())
}

fn with_part(page: &str, part: &str) -> Result<String> {
    let (before, rest) = page.split_once(BEGIN).context("the page has no place for predictions")?;
    let (_, after) = rest.split_once(END).context("the page's place for predictions has no end")?;
    Ok(format!("{before}{BEGIN}\n{part}\n{END}{after}"))
}

fn tables(rows: &Rows<'_>) -> String {
    let mut text = String::from(
        "| model | cases | mean error | largest | below 5 % | tau | SimGrid: mean | largest | \
         below 5 % | tau |\n| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n",
    );
    let cells = |score: &Score| {
        let Score { count, mean, largest, below_five, tau } = score;
        let (mean, largest) = (100.0 * mean, 100.0 * largest);
        let tau = tau.map_or_else(String::new, |tau| format!("{tau:.2}"));
        format!("{mean:.1} % | {largest:.1} % | {below_five} of {count} | {tau}")
    };
    for (model, ours, theirs) in scores(rows) {
        let theirs = theirs.as_ref().map_or_else(|| "| | |".to_owned(), cells);
        let _ = writeln!(text, "| {model} | {} | {} | {theirs} |", ours.count, cells(&ours));
    }
    text.push_str(
        "\n| N | NB | grid | broadcast | depth | swap | model | measured, Gflop/s | runs | predicted \
         | error | SimGrid | CPU s |\n| --: | --: | --- | --- | --: | --- | --- | --: | --: | --: \
         | --: | --: | --: |\n",
    );
    for (case, Prediction { gflops, cpu_s }) in rows {
        let Case { n, nb, p, q, bcast, depth, swap, model, measured, .. } = case;
        let _ = writeln!(
            text,
            "| {n} | {nb} | {p} x {q} | {bcast} | {depth} | {swap} | {model} | {:.0} | {} | \
             {gflops:.0} | {} | {} | {cpu_s:.0} |",
            measured.mean,
            measured.runs,
            percent(error(measured.mean, *gflops)),
            simgrid(case),
        );
    }
    text
}

/// For each model in order of appearance, its score and that of SimGrid on the same cases.
fn scores<'a>(rows: &Rows<'a>) -> Vec<(&'a str, Score, Option<Score>)> {
    let mut models: Vec<&str> = Vec::new();
    for (case, _) in rows {
        if !models.contains(&case.model.as_str()) {
            models.push(&case.model);
        }
    }
    let score = |model: &&'a str| {
        let of_model = || rows.iter().filter(|(case, _)| case.model == **model);
        let ours = of_model().map(|(case, told)| (case.measured.mean, told.gflops));
        let theirs = of_model().filter_map(|(case, _)| Some((case.measured.mean, case.simgrid?)));
        let theirs = Score::new(&theirs.collect::<Vec<_>>());
        Some((*model, Score::new(&ours.collect::<Vec<_>>())?, theirs))
    };
    models.iter().filter_map(score).collect()
}

fn words(score: &Score) -> String {
    let Score { count, mean, largest, below_five, tau } = score;
    let (mean, largest) = (100.0 * mean, 100.0 * largest);
    let tau = tau.map_or_else(String::new, |tau| format!(", tau {tau:.2}"));
    format!(
        "mean error {mean:.1} %, largest {largest:.1} %, {below_five} of {count} below 5 %{tau}"
    )
}

fn percent(error: f64) -> String {
    format!("{:+.1} %", 100.0 * error)
}

fn simgrid(case: &Case) -> String {
    case.simgrid.map_or_else(String::new, |told| percent(error(case.measured.mean, told)))
}

#[cfg(test)]
mod tests {
    use super::super::case::tests::measured;
    use super::*;

    #[test]
    fn predictions_stand_beside_measured_figures_and_those_of_simgrid() {
        let (first, second) = (measured(100.0, Some(110.0)), measured(200.0, None));
        let told = |gflops| Prediction { gflops, cpu_s: 1.0 };
        let rows = vec![(&first, told(98.0)), (&second, told(230.0))];
        let text = text("sizes", &rows);
        assert!(text.contains("      100        98   -2.0 %  +10.0 %"), "{text}");
        assert!(
            text.contains("one law: mean error 8.5 %, largest 15.0 %, 1 of 2 below 5 %, tau 1.00")
        );
        assert!(text.contains("SimGrid: mean error 10.0 %, largest 10.0 %, 0 of 1"));
        let tables = tables(&rows);
        assert!(tables.contains("| one law | 2 | 8.5 % | 15.0 % | 1 of 2 | 1.00 | 10.0 % |"));
    }

    #[test]
    fn only_the_marked_part_of_a_page_is_replaced() {
        let page = format!("before\n{BEGIN}\nold\n{END}\nafter\n");
        let new = with_part(&page, "new").unwrap();
        assert_eq!(new, format!("before\n{BEGIN}\nnew\n{END}\nafter\n"));
        assert!(with_part("no marks", "new").is_err());
    }
}
