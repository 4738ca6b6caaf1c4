//! What a check of a program found, for people and as data.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A mistake of a program, or several alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The kind, in a word: `type-mismatch`, `leak` and so on.
    pub kind: String,
    /// What is wrong, in a few words.
    pub title: String,
    /// The calls that it was found in.
    pub calls: Vec<FoundCall>,
    /// Where exactly, if there is more to say.
    pub note: Option<String>,
    /// What the standard says, in our words.
    pub rule: String,
    /// Where it says so.
    pub section: String,
    /// How often it was found, at the same places of the source.
    pub times: u64,
}

/// A call that a finding is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundCall {
    /// The rank in the world.
    pub rank: u32,
    /// The MPI function.
    pub call: String,
    /// What it was called with, as the rest of a phrase.
    pub what: String,
    /// The communicator, if it has one.
    pub comm: Option<String>,
    /// `file:line`, where debug information tells it.
    pub place: Option<String>,
}

impl fmt::Display for FoundCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "rank {}: {}{}", self.rank, self.call, self.what)?;
        self.comm.as_ref().map_or(Ok(()), |comm| write!(f, ", on {comm}"))?;
        self.place.as_ref().map_or(Ok(()), |place| write!(f, ", at {place}"))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.title)?;
        if self.times > 1 {
            write!(f, " ({} times)", self.times)?;
        }
        self.calls.iter().try_for_each(|call| write!(f, "\n  {call}"))?;
        self.note.as_ref().map_or(Ok(()), |note| write!(f, "\n  {note}"))?;
        write!(f, "\n  the standard: {} ({})", self.rule, self.section)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_reads_from_the_mistake_to_the_rule() {
        let call = FoundCall {
            rank: 3,
            call: "MPI_Comm_dup".into(),
            what: String::new(),
            comm: None,
            place: Some("app.c:7".into()),
        };
        let finding = Finding {
            kind: "leak".into(),
            title: "a communicator is never freed".into(),
            calls: vec![call],
            note: None,
            rule: "who makes it frees it".into(),
            section: "MPI 4.1, section 11.2.2".into(),
            times: 2,
        };
        assert_eq!(
            finding.to_string(),
            "a communicator is never freed (2 times)\n  rank 3: MPI_Comm_dup, at app.c:7\n  the \
             standard: who makes it frees it (MPI 4.1, section 11.2.2)"
        );
    }
}
