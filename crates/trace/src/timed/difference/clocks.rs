//! What dates of two traces count from: clocks of ranks need not agree.

use super::told::Call;
use super::{Comparison, Paired};
use crate::timed::Class;

/// What the dates that are compared count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clocks {
    /// The beginning of each trace.
    #[default]
    Begin,
    /// On each rank the end of the first collective call that all ranks wait in for each other.
    Collective,
}

impl Comparison<'_> {
    /// For each rank the dates that its calls count from, in both traces. Where messages came
    /// before they were sent, clocks of ranks differ, and it is the first collective call, if
    /// nothing else was asked for and there is one.
    pub(super) fn origins(&mut self, paired: &[Paired]) -> Vec<[f64; 2]> {
        let is_off = self.found.too_early.iter().any(|count| *count > 0);
        let usual = if is_off { Clocks::Collective } else { Clocks::Begin };
        let begin = || vec![[0.0; 2]; paired.len()];
        if self.wishes.clocks.unwrap_or(usual) == Clocks::Begin {
            return begin();
        }
        let meeting = |(rank, paired)| self.meeting(rank, paired);
        match paired.iter().enumerate().map(meeting).collect::<Option<Vec<[f64; 2]>>>() {
            Some(origins) => {
                self.found.clocks = Clocks::Collective;
                origins
            }
            None => begin(),
        }
    }

    /// When the first call ended, in both, in which all ranks wait for each other.
    fn meeting(&self, rank: usize, paired: &Paired) -> Option<[f64; 2]> {
        let all = |side: usize, call: &Call| {
            let told = self.told[side];
            let comm = told.about(call).comm.map_or(0, |comm| comm as usize);
            let members = told.comms.get(comm).map_or(0, Vec::len);
            comm == 0 || members == told.calls.len()
        };
        paired.pairs.iter().find_map(|(a, b, _)| {
            let calls = [self.call(0, rank, *a, paired), self.call(1, rank, *b, paired)];
            let name = &self.told[0].names[calls[0].name as usize];
            let is_meeting = is_meeting(name) && all(0, calls[0]) && all(1, calls[1]);
            is_meeting.then(|| calls.map(|call| call.end))
        })
    }
}

/// Whether nobody leaves such a call before all have entered it.
fn is_meeting(name: &str) -> bool {
    const STEMS: [&str; 5] =
        ["MPI_Barrier", "MPI_Allreduce", "MPI_Allgather", "MPI_Alltoall", "MPI_Reduce_scatter"];
    matches!(Class::of(name), Class::Barrier | Class::Collective)
        && STEMS.iter().any(|stem| name.starts_with(stem))
}
