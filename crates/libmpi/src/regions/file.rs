//! Reading region factors.

/// A line of source, by the name of its file without folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) file: String,
    pub(super) line: u32,
}

/// A region and its factor.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) from: Place,
    pub(super) to: Place,
    pub(super) factor: f64,
}

impl Place {
    /// A place by the path that debug information gives.
    pub(super) fn new(path: &str, line: u32) -> Self {
        let file = path.rsplit('/').next().unwrap_or(path).to_owned();
        Self { file, line }
    }
}

/// Reads a file of factors; an error tells its line and what was expected.
pub(super) fn read(text: &str) -> Result<Vec<Entry>, String> {
    let mut entries = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match entry(line) {
            Some(entry) => entries.push(entry),
            None => {
                return Err(format!(
                    "{number}: `{line}` is not a region and its factor; write \
                     \"file.c:10:file.c:20\",1.25"
                ));
            }
        }
    }
    Ok(entries)
}

fn entry(line: &str) -> Option<Entry> {
    let (region, factor) = line.rsplit_once(',')?;
    let factor: f64 = factor.trim().parse().ok()?;
    let region = region.trim().trim_matches('"');
    let mut parts = region.split(':');
    let mut place = || Some(Place::new(parts.next()?, parts.next()?.parse().ok()?));
    let (from, to) = (place()?, place()?);
    let is_sound = factor.is_finite() && factor > 0.0 && parts.next().is_none();
    is_sound.then_some(Entry { from, to, factor })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: u32) -> Place {
        Place { file: file.into(), line }
    }

    #[test]
    fn reads_what_simgrid_reads() {
        let text = "# a comment\n\n\"exchange.f:30:src/exchange.f:130\",1.18\na.c:1:b.c:2, 0.5\n";
        let first =
            Entry { from: place("exchange.f", 30), to: place("exchange.f", 130), factor: 1.18 };
        let second = Entry { from: place("a.c", 1), to: place("b.c", 2), factor: 0.5 };
        assert_eq!(read(text), Ok(vec![first, second]));
    }

    #[test]
    fn a_mistake_is_told_with_its_line() {
        for wrong in ["a.c:1:b.c", "a.c:1:b.c:2,0", "a.c:1:b.c:2,x", "a.c:1:b.c:2:3,1"] {
            let message = read(&format!("# fine\n{wrong}\n")).unwrap_err();
            assert!(message.starts_with("2: "), "{message}");
        }
    }
}
