//! What numbers mean: the `.pcf` and `.row` beside a `.prv` or a `.dim`, as far as they are there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::packed::unpacked_name;

/// Extrae's type of events for user functions, whose values are the functions.
pub(crate) const FUNCTIONS: u64 = 60_000_019;

/// Names of values and of nodes.
#[derive(Debug, Default)]
pub(crate) struct Legend {
    values: BTreeMap<(u64, u64), String>,
    pub(crate) nodes: Vec<String>,
}

impl Legend {
    /// Reads both files; what is missing or makes no sense is passed over, since it is only names.
    pub(crate) fn read(path: &Path) -> Self {
        let path = unpacked_name(path);
        let text = |ending: &str| {
            let bytes = fs::read(path.with_extension(ending)).unwrap_or_default();
            String::from_utf8_lossy(&bytes).into_owned()
        };
        Self { values: values(&text("pcf")), nodes: nodes(&text("row")) }
    }

    /// The name of a value of a type.
    pub(crate) fn name(&self, kind: u64, value: u64) -> Option<&str> {
        self.values.get(&(kind, value)).map(String::as_str)
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

fn nodes(row: &str) -> Vec<String> {
    let mut lines = row.lines().skip_while(|line| !line.starts_with("LEVEL NODE"));
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
        assert_eq!(nodes(row), ["a", "b"]);
    }
}
