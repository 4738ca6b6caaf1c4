//! `foretell trace formats`: which formats there are, and what can be done with each.

use std::process::ExitCode;

use anyhow::Result;

use crate::output;

/// A format, as a user asks for it.
struct Row {
    /// As `--format` and `--trace-format` have it.
    name: &'static str,
    files: &'static str,
    /// Whether ranks can be driven by it.
    is_replayed: bool,
    /// Whether `summary`, `view`, `critical-path`, `diff` and `convert` to formats with dates take
    /// it.
    is_looked_at: bool,
    written_by: &'static str,
    what: &'static str,
}

const RUNS: &str = "--trace, convert";
const UNTIMED: &str = "--trace-ti, convert";

const fn row(
    (name, files): (&'static str, &'static str),
    (is_replayed, is_looked_at): (bool, bool),
    written_by: &'static str,
    what: &'static str,
) -> Row {
    Row { name, files, is_replayed, is_looked_at, written_by, what }
}

const ROWS: [Row; 11] = [
    row(("ti", "a folder, a text"), (true, false), UNTIMED, "time-independent, as SimGrid's"),
    row(("compact", ".fti"), (true, false), UNTIMED, "the same, loops stored once"),
    row(("otf2", ".otf2"), (true, true), RUNS, "archives of Score-P and others"),
    row(("paraver", ".prv"), (true, true), RUNS, "Paraver, Extrae"),
    row(("dimemas", ".dim"), (true, false), "convert", "Dimemas"),
    row(("goal", ".goal, .bin"), (true, false), "", "schedules of LogGOPSim"),
    row(("dumpi", ".meta"), (true, false), "", "SST's DUMPI"),
    row(("table", ".csv"), (true, true), RUNS, "ours; --trace-format csv"),
    row(("paje", ".paje, .trace"), (false, false), RUNS, "Pajé's text, for ViTE"),
    row(("perfetto", ".perfetto, .pftrace"), (false, false), RUNS, "for ui.perfetto.dev"),
    row(("html", ".html"), (false, false), RUNS, "a page, as `view` writes"),
];

/// Prints a line for each.
pub(super) fn run() -> Result<ExitCode> {
    output::print(&text())?;
    Ok(ExitCode::SUCCESS)
}

fn text() -> String {
    let mut text = line("format", "files", "replay", "summary", "written by", "what");
    for Row { name, files, is_replayed, is_looked_at, written_by, what } in &ROWS {
        let [replayed, looked_at] =
            [*is_replayed, *is_looked_at].map(|is| ["-", "yes"][usize::from(is)]);
        let written_by = if written_by.is_empty() { "-" } else { written_by };
        text += &line(name, files, replayed, looked_at, written_by, what);
    }
    text + "\n`summary` stands for view, critical-path and diff, too. One file of text may be \
            compressed by gzip.\n"
}

fn line(name: &str, files: &str, replay: &str, summary: &str, by: &str, what: &str) -> String {
    format!("{name:<9} {files:<20} {replay:<7} {summary:<8} {by:<20} {what}\n")
}

#[cfg(test)]
mod tests {
    use foretell_trace::Form;
    use foretell_trace::timed::Format;

    use super::*;

    #[test]
    fn every_format_has_its_row() {
        let named = |name: &str| ROWS.iter().find(|row| row.name == name);
        assert!(ROWS.iter().all(|row| row.is_replayed == Form::named(row.name).is_some()));
        assert!(Form::ALL.iter().all(|form| named(form.name()).is_some()));
        for format in Format::ALL {
            let name = if format == Format::Csv { "table" } else { format.name() };
            let row = named(name).unwrap();
            assert!(row.written_by.starts_with("--trace, "), "{name}");
            assert!(row.files.contains(format.endings()[0]), "{name}");
        }
        assert!(text().lines().all(|line| line.chars().count() <= 100), "{}", text());
    }
}
