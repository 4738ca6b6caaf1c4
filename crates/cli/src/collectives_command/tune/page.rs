//! A study as one page: the curves of every operation, the winners, the libraries.
//!
//! The page needs nothing from elsewhere, and is well-formed XML too, so that a test can read it.

mod chart;

use std::fmt::Write;

use foretell_mpi::Choice;
use foretell_trace::timed::PAPER;

use super::Study;
use super::numbers::short;
use super::study::{Table, distances};
use super::summary::{place, reasons, share};
use crate::figures::time;

/// What this page has beside paper and ink.
const STYLE: &str = include_str!("page/style.css");
/// Says what a point is when it is touched; picks out the curve of a name.
const SCRIPT: &str = include_str!("page/script.js");

/// The page.
pub(crate) fn text(study: &Study) -> String {
    let names: Vec<&str> = study.tables.iter().map(|table| table.operation().name()).collect();
    let title = format!("{} on {}", names.join(", "), study.machine);
    let sections: String = study.tables.iter().map(section).collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <title>{title}</title>\n<style>\n{PAPER}{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>{title}</h1>\n<p>Simulated by foretell {version} on {setting}. All \
         ranks call at the same date; a time is that until the last has its result.</p>\n\
         {sections}<p class=\"command\"><code>{command}</code></p>\n</main>\n\
         <div id=\"tip\" role=\"status\"></div>\n<script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        title = escaped(&title),
        version = env!("CARGO_PKG_VERSION"),
        setting = escaped(&study.setting()),
        command = escaped(&study.command),
    )
}

fn section(table: &Table) -> String {
    let choices = shown(table);
    let (ranks, sizes) = (table.ranks(), table.sizes());
    // Curves go by what was varied; a barrier has no sizes.
    let mut panels = String::new();
    if sizes != [0] {
        panels.extend(ranks.iter().map(|ranks| panel(table, *ranks, &choices)));
    }
    if ranks.len() > 1 || sizes == [0] {
        panels.extend(sizes.iter().map(|bytes| panel_of_size(table, *bytes, &choices)));
    }
    format!(
        "<section>\n<h2>{name}</h2>\n{legend}<div class=\"panels\">\n{panels}</div>\n\
         <h3>Winners</h3>\n{winners}<h3>Libraries</h3>\n<p>How much longer their choices take \
         than the best, over all points.</p>\n{libraries}{absent}</section>\n",
        name = escaped(table.operation().name()),
        legend = legend(&choices),
        winners = winners(table),
        libraries = libraries(table),
        absent = absent(table),
    )
}

/// The choices that have a time somewhere: each has a curve and a place in the legend.
fn shown(table: &Table) -> Vec<Choice> {
    let is_timed = |choice: &Choice| {
        let entries = table.points.iter().flat_map(|point| &point.entries);
        entries.filter(|entry| entry.choice == *choice).any(|entry| entry.seconds().is_some())
    };
    table.choices().into_iter().filter(is_timed).collect()
}

fn panel(table: &Table, ranks: u32, choices: &[Choice]) -> String {
    let title = format!("{ranks} rank{}", if ranks == 1 { "" } else { "s" });
    figure(&title, &chart::by_bytes(table, ranks, choices))
}

fn panel_of_size(table: &Table, bytes: u64, choices: &[Choice]) -> String {
    let title = match bytes {
        0 => "by ranks".to_owned(),
        bytes => format!("{} by ranks", short(bytes)),
    };
    figure(&title, &chart::by_ranks(table, bytes, choices))
}

fn figure(title: &str, picture: &str) -> String {
    format!("<figure>\n<figcaption>{title}</figcaption>\n{picture}</figure>\n")
}

fn legend(choices: &[Choice]) -> String {
    let mut text = String::from("<ul class=\"legend\">\n");
    for (number, choice) in choices.iter().enumerate() {
        let _ = writeln!(
            text,
            "<li><button type=\"button\" data-curve=\"{number}\"><svg viewBox=\"0 0 28 10\" \
             aria-hidden=\"true\"><path class=\"curve\" {style} d=\"M1 5H27\"/></svg>{name}\
             </button></li>",
            style = chart::style(number),
            name = escaped(&choice.to_string()),
        );
    }
    text.push_str(
        "<li class=\"note\"><svg viewBox=\"0 0 14 14\" aria-hidden=\"true\"><circle \
         class=\"chosen\" cx=\"7\" cy=\"7\" r=\"5.5\"/></svg>what libraries choose</li>\n</ul>\n",
    );
    text
}

/// A table with a heading; cells are escaped here.
fn table_of(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let cells = |row: Vec<String>, tag: &str| -> String {
        row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect()
    };
    let head = cells(head.iter().map(|cell| (*cell).to_owned()).collect(), "th");
    let rows: String = rows.map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
    format!(
        "<div class=\"wide\"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n\
         </table></div>\n"
    )
}

fn winners(table: &Table) -> String {
    let rows = table.points.iter().map(|point| {
        let told = point.best().map(|(best, seconds)| (best.choice.to_string(), time(seconds)));
        let (best, took) = told.unwrap_or_else(|| ("none".into(), String::new()));
        let told = point
            .second()
            .map(|(second, seconds)| (second.choice.to_string(), share(point.over_best(seconds))));
        let (second, over) = told.unwrap_or_default();
        vec![point.ranks.to_string(), short(point.bytes), best, took, second, over]
    });
    table_of(&["ranks", "bytes", "best", "time", "second best", "longer by"], rows)
}

fn libraries(table: &Table) -> String {
    let rows = distances(table).into_iter().map(|distance| {
        let name = distance.library.name().to_owned();
        vec![name, share(distance.mean), share(distance.worst), place(&distance)]
    });
    table_of(&["library", "mean", "worst", "where"], rows)
}

fn absent(table: &Table) -> String {
    let all = table.points.len();
    let rows: Vec<Vec<String>> = reasons(table)
        .into_iter()
        .map(|(choice, reason, count)| {
            vec![choice.to_string(), format!("{count} of {all}"), reason]
        })
        .collect();
    match rows.is_empty() {
        true => String::new(),
        false => {
            let table = table_of(&["algorithm", "points", "because"], rows.into_iter());
            format!("<h3>Not run</h3>\n{table}")
        }
    }
}

/// A text as HTML and XML write it.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            // XML knows no other control characters.
            letter if letter.is_control() && letter != '\n' => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use foretell_apps::Which;

    use super::super::study::tests::table;
    use super::*;
    use crate::meters::Usage;

    /// Curves of two orders of magnitude; one algorithm is missing somewhere.
    fn study(which: Which) -> Study {
        let times = |name: &str, ranks: u32, bytes: u64| match name {
            "rdb" if bytes > 4096 => None,
            _ => Some(1e-6 * (name.len() as f64) * f64::from(ranks) * (bytes + 1) as f64),
        };
        Study {
            machine: "<machine> & \"more\"".into(),
            placement: "cores".into(),
            rounding: 0.0,
            command: "foretell collectives tune <&>".into(),
            tables: vec![table(which, &[4, 6], &[1024, 8192, 1 << 20], times)],
            simulations: 1,
            usage: Usage::default(),
        }
    }

    #[test]
    fn pages_are_well_formed_and_need_nothing_from_elsewhere() {
        for which in [Which::Alltoall, Which::Barrier, Which::Bcast, Which::Allreduce] {
            let page = text(&study(which));
            let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
            let tree = roxmltree::Document::parse_with_options(&page, options).unwrap();
            for attribute in tree.descendants().flat_map(|node| node.attributes()) {
                let is_outside = ["src", "href", "xlink:href"].contains(&attribute.name());
                assert!(!is_outside, "{attribute:?}");
            }
            assert!(!page.contains("http") && !page.contains("url(") && !page.contains("@import"));
            let count = |name: &str| tree.descendants().filter(|n| n.has_tag_name(name)).count();
            // Two numbers of ranks and three sizes.
            assert_eq!(count("figure"), if which == Which::Barrier { 1 } else { 5 });
            assert!(count("table") >= 2 && count("script") == 1);
        }
    }

    #[test]
    fn every_timed_point_can_be_touched() {
        let study = study(Which::Alltoall);
        let page = text(&study);
        let entries = study.tables[0].points.iter().flat_map(|point| &point.entries);
        let timed = entries.filter(|entry| entry.seconds().is_some()).count();
        // Once among those with as many ranks, once among those with as many bytes.
        assert_eq!(page.matches("class=\"dot\"").count(), 2 * timed);
        assert!(page.contains("mpich-4"));
    }
}
