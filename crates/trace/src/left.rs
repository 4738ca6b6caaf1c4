//! Where ranks were in their traces when a run ended before them.

use std::io::{BufRead, BufReader};
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::fields::{Fields, integer};
use crate::hint::hint;
use crate::layout::is_passed_over;
use crate::packed::Contents;

/// What a reader knows of the action that it has read last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// Which line of its file that was; of files with several ranks, which action of the rank.
    Line(u64),
    /// A step of a program.
    Step { program: u32, at: u32 },
}

/// The last action of each rank whose reader was put away before its end.
pub(crate) type LeftBehind = FxHashMap<u32, Left>;

/// Finds the lines of a file of several ranks that hold these actions: of each a rank, and which of
/// its actions it is.
pub(crate) fn lines_of(path: &Path, wanted: &[(u32, u64)]) -> Vec<Option<u64>> {
    let mut found = vec![None; wanted.len()];
    let Ok(file) = Contents::open(path) else { return found };
    let mut counts: FxHashMap<i64, u64> =
        wanted.iter().map(|(rank, _)| (i64::from(*rank), 0)).collect();
    let (mut reader, mut text) = (BufReader::new(file), Vec::new());
    for line in 1.. {
        text.clear();
        if !reader.read_until(b'\n', &mut text).is_ok_and(|length| length > 0) {
            break;
        }
        let Some(count) = owner(&text).and_then(|rank| Some((rank, counts.get_mut(&rank)?))) else {
            continue;
        };
        let (rank, count) = count;
        *count += 1;
        for (place, (of, nth)) in found.iter_mut().zip(wanted) {
            if (i64::from(*of), *nth) == (rank, *count) {
                *place = Some(line);
            }
        }
        if found.iter().all(Option::is_some) {
            break;
        }
    }
    found
}

/// Whose action a line is.
fn owner(line: &[u8]) -> Option<i64> {
    match is_passed_over(line) {
        true => hint(line).map(|(rank, _)| rank.into()),
        false => integer(Fields::new(line).next().unwrap_or_default()).ok(),
    }
}
