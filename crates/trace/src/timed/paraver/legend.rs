//! What numbers mean: the `.pcf` and `.row` beside a `.prv` or a `.dim`, as far as they are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::packed::unpacked_name;
use crate::timed::Place;
use crate::timed::paraver::labels::{FUNCTION, LINE, UNRESOLVED};

/// Extrae's type of events for user functions, whose values are the functions.
pub(crate) const FUNCTIONS: u64 = 60_000_019;

/// Names of values, of nodes, of the machine and of what runs.
#[derive(Debug, Default)]
pub(crate) struct Legend {
    values: BTreeMap<(u64, u64), String>,
    pub(crate) nodes: Vec<String>,
    pub(crate) machine: Option<String>,
    pub(crate) program: Option<String>,
}

impl Legend {
    /// Reads both files; what is missing or makes no sense is passed over, since it is only names.
    pub(crate) fn read(path: &Path) -> Self {
        let path = unpacked_name(path);
        let text = |ending: &str| {
            let bytes = fs::read(path.with_extension(ending)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let row = text("row");
        let only = |level| named(&row, level).into_iter().next();
        let (machine, program) = (only("SYSTEM"), only("APPL"));
        Self { values: values(&text("pcf")), nodes: named(&row, "NODE"), machine, program }
    }

    /// The name of a value of a type.
    pub(crate) fn name(&self, kind: u64, value: u64) -> Option<&str> {
        self.values.get(&(kind, value)).map(String::as_str)
    }

    /// Whether it tells of any line of the source.
    pub(crate) fn has_lines(&self) -> bool {
        self.values.range((LINE, 0)..=(LINE, u64::MAX)).next().is_some()
    }

    /// A place in the source, by the numbers of its function and its line. Extrae tells a line as
    /// `12 (main.c, program)`, and without what it is linked to if there is nothing else.
    pub(crate) fn place(&self, (function, line): (u64, u64)) -> Option<Place<'_>> {
        let (line, rest) = self.name(LINE, line)?.split_once(" (")?;
        let inner = rest.strip_suffix(')')?;
        let file = inner.split_once(", ").map_or(inner, |(file, _)| file);
        let function = self.name(FUNCTION, function).filter(|name| *name != UNRESOLVED);
        let line = line.parse().ok().filter(|line| *line > 0)?;
        let function = function.map_or("", |name| name.split(" [").next().unwrap_or(name));
        Some(Place { file, line, function })
    }
}

/// The values of event types.
fn values(pcf: &str) -> BTreeMap<(u64, u64), String> {
    enum Section {
        Other,
        Types,
        Values,
    }
    let (mut section, mut types, mut all) = (Section::Other, Vec::new(), BTreeMap::new());
    for line in pcf.lines().map(str::trim) {
        match (line, &section) {
            ("", _) => section = Section::Other,
            ("EVENT_TYPE", _) => {
                types.clear();
                section = Section::Types;
            }
            ("VALUES", Section::Types) => section = Section::Values,
            (line, Section::Types) => {
                let mut words = line.split_whitespace();
                if let (Some(_), Some(Ok(kind))) = (words.next(), words.next().map(str::parse)) {
                    types.push(kind);
                }
            }
            (line, Section::Values) => {
                let (value, name) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
                if let Ok(value) = value.parse::<u64>() {
                    for kind in &types {
                        all.insert((*kind, value), name.trim().to_owned());
                    }
                }
            }
            (_, Section::Other) => {}
        }
    }
    all
}

/// The names of what is on a level.
fn named(row: &str, level: &str) -> Vec<String> {
    let is_heading =
        |line: &&str| line.strip_prefix("LEVEL ").is_some_and(|rest| rest.starts_with(level));
    let mut lines = row.lines().skip_while(|line| !is_heading(line));
    let count = lines.next().and_then(|line| line.rsplit(' ').next()?.parse().ok()).unwrap_or(0);
    lines.take(count).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_their_types() {
        let pcf = "STATES\n0 Idle\n\nEVENT_TYPE\n9   50000001   MPI Point-to-point\n\
                   0 7 other\nVALUES\n4   MPI_Irecv\n0   Outside MPI\n\nEVENT_TYPE\n0 8 x\n";
        let legend = Legend { values: values(pcf), ..Legend::default() };
        assert_eq!(legend.name(50_000_001, 4), Some("MPI_Irecv"));
        assert_eq!(legend.name(7, 0), Some("Outside MPI"));
        assert_eq!((legend.name(8, 4), legend.name(0, 0)), (None, None));
        let row = "LEVEL CPU SIZE 1\n1.a\n\nLEVEL NODE SIZE 2\na\nb\n\nLEVEL THREAD SIZE 1\nx\n";
        assert_eq!(named(row, "NODE"), ["a", "b"]);
    }

    #[test]
    fn lines_are_those_of_extrae_and_ours() {
        let pcf = "EVENT_TYPE\n0 70000001 x\nVALUES\n1 Unresolved\n2 main [a.out]\n\n\
                   EVENT_TYPE\n0 80000001 x\nVALUES\n0 End\n1 Unresolved\n3 12 (a b.c)\n\
                   4 7 (main.c, a.out)\n";
        let legend = Legend { values: values(pcf), ..Legend::default() };
        let place = |function, line| {
            legend.place((function, line)).map(|place| (place.file, place.line, place.function))
        };
        assert_eq!(place(2, 4), Some(("main.c", 7, "main")));
        assert_eq!(place(1, 3), Some(("a b.c", 12, "")));
        assert_eq!([place(2, 0), place(2, 1), place(2, 9)], [None; 3]);
    }
}
