//! How long the source files are: half under 260 lines, nine in ten under 700, none over 800.

use super::Finding;

/// No file may be longer than this.
const LIMIT: usize = 800;
/// Half the files must be shorter.
const MEDIAN: usize = 260;
/// Nine files in ten must be shorter.
const NINTH_DECILE: usize = 700;

/// Files that may be longer, each with its reason: tables and generated code only.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// The lengths met so far.
#[derive(Debug, Default)]
pub(super) struct Lengths {
    lines: Vec<usize>,
}

impl Lengths {
    /// Notes one file; a finding if it is too long by itself.
    pub(super) fn add(&mut self, file: &str, lines: usize) -> Option<Finding> {
        self.lines.push(lines);
        let excepted = EXCEPTIONS.iter().any(|(name, _)| *name == file);
        (lines > LIMIT && !excepted).then(|| {
            Finding::new(file, LIMIT + 1, format!("{lines} lines; split it, {LIMIT} is the limit"))
        })
    }

    /// One line for the reader.
    pub(super) fn summary(&self) -> String {
        let (median, ninth) = (self.quantile(0.5), self.quantile(0.9));
        let longest = self.lines.iter().max().copied().unwrap_or(0);
        let count = self.lines.len();
        format!("source files: {count}, median {median} lines, p90 {ninth}, longest {longest}")
    }

    /// Findings about the distribution as a whole.
    pub(super) fn verdict(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (share, name, bound) in [(0.5, "median", MEDIAN), (0.9, "p90", NINTH_DECILE)] {
            let value = self.quantile(share);
            if value >= bound {
                let message =
                    format!("{name} is {value} lines; split files until it is under {bound}");
                findings.push(Finding::new("source files", 0, message));
            }
        }
        findings
    }

    fn quantile(&self, share: f64) -> usize {
        let mut sorted = self.lines.clone();
        sorted.sort_unstable();
        let index = (share * sorted.len().saturating_sub(1) as f64).round() as usize;
        sorted.get(index).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_over_the_limit_is_found() {
        let mut lengths = Lengths::default();
        assert_eq!(lengths.add("a.rs", LIMIT), None);
        assert!(lengths.add("b.rs", LIMIT + 1).is_some());
    }

    #[test]
    fn a_tree_of_long_files_is_found() {
        let lengths = Lengths { lines: vec![100, 300, 750] };
        assert_eq!(lengths.summary(), "source files: 3, median 300 lines, p90 750, longest 750");
        assert_eq!(lengths.verdict().len(), 2);
        assert_eq!(Lengths { lines: vec![10, 20, 400] }.verdict(), []);
    }
}
