//! What the suite's automake files say of a folder: sources of programs, and what they link.

use std::collections::BTreeMap;
use std::path::Path;

/// Variables of a `Makefile.am`; of conditions, every branch is taken.
#[derive(Debug, Default)]
pub(super) struct Makefile {
    variables: BTreeMap<String, String>,
    /// The support library: `single`, `threads`, `f77`, `f90` or `f08`.
    pub(super) kind: String,
}

impl Makefile {
    /// Reads that of a folder; one that is not there says nothing.
    pub(super) fn read(root: &Path, directory: &str) -> Makefile {
        let read = |path: &Path| {
            String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).into_owned()
        };
        let mut text = read(&root.join(directory).join("Makefile.am"));
        for file in included(&text) {
            text.push_str(&read(&root.join(file)));
        }
        Makefile::parse(&text)
    }

    fn parse(text: &str) -> Makefile {
        let mut makefile = Makefile { kind: "single".into(), ..Makefile::default() };
        for line in text.replace("\\\n", " ").lines() {
            if let Some(kind) = line.split("Makefile_").nth(1).filter(|_| line.contains("include"))
            {
                makefile.kind = kind.trim_end().trim_end_matches(".mtest").to_owned();
            }
            makefile.take(line.split('#').next().unwrap_or(""));
        }
        makefile
    }

    fn take(&mut self, line: &str) {
        let Some((name, value)) = line.split_once('=') else { return };
        let (name, adds) = match name.strip_suffix('+') {
            Some(name) => (name, true),
            None => (name, false),
        };
        let name = name.trim_end();
        if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            return;
        }
        let place = self.variables.entry(name.to_owned()).or_default();
        if !adds {
            place.clear();
        }
        place.push(' ');
        place.push_str(value);
    }

    /// A variable, empty if it is not set.
    pub(super) fn variable(&self, name: &str) -> &str {
        self.variables.get(name).map_or("", String::as_str)
    }

    /// A variable of a program: automake writes other characters of its name as underscores.
    pub(super) fn of_program(&self, program: &str, suffix: &str) -> Option<&str> {
        let plain = |c: char| if c.is_alphanumeric() { c } else { '_' };
        let name: String = program.chars().map(plain).collect();
        self.variables.get(&format!("{name}_{suffix}")).map(String::as_str)
    }
}

/// Files that a makefile takes in, other than those that describe the support libraries.
fn included(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("include"));
    let paths = lines.filter_map(|line| line.trim().strip_prefix("$(top_srcdir)/"));
    paths.filter(|path| !path.contains("Makefile")).map(String::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_set_and_added_to() {
        let text = "include $(top_srcdir)/Makefile_f08.mtest\na_b_SOURCES = x.c \\\n  y.c\n\
                    AM_CPPFLAGS += -DX\nAM_CPPFLAGS += -DY # why\n";
        let makefile = Makefile::parse(text);
        assert_eq!(makefile.kind, "f08");
        let sources = makefile.of_program("a-b", "SOURCES").unwrap();
        assert_eq!(sources.split_whitespace().collect::<Vec<_>>(), ["x.c", "y.c"]);
        assert_eq!(makefile.variable("AM_CPPFLAGS").split_whitespace().count(), 2);
    }
}
