//! What a check of a program found, in words.

use foretell_launch::Finding;

use crate::figures::counted;
use crate::notes;

/// Tells all findings, and how many they are.
pub(super) fn tell(findings: &[Finding], program: &str) {
    findings.iter().for_each(|finding| notes::plain(&format!("check: {finding}")));
    let has_place = |finding: &Finding| finding.calls.iter().any(|call| call.place.is_some());
    if !findings.is_empty() && !findings.iter().any(has_place) {
        notes::plain("check: build the program with -g to see the lines of these calls");
    }
    notes::plain(&last_words(findings.len(), program));
}

fn last_words(count: usize, program: &str) -> String {
    match count {
        0 => format!("check: nothing found in {program}"),
        count => format!("check: {} in {program}", counted(count as u64, "finding")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_counts() {
        assert_eq!(last_words(0, "./app"), "check: nothing found in ./app");
        assert_eq!(last_words(1, "./app"), "check: 1 finding in ./app");
        assert_eq!(last_words(3, "./app"), "check: 3 findings in ./app");
    }
}
