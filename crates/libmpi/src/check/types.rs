//! Comparing what is sent with what is expected, basic type by basic type.

use foretell_mpi::datatype::{Basic, Datatype};

use crate::buffer::Buffer;
use crate::datatype::TypeObject;

/// Runs of equal basic types are listed up to this many.
const MOST_RUNS: usize = 1 << 16;
/// A derived datatype is described by so many of its runs.
const SHOWN_RUNS: usize = 3;

/// Where two sequences of basic types part.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Difference {
    /// Which element, counted from 0.
    pub(super) at: u64,
    /// What the one sequence has there; none if it has ended.
    pub(super) left: Option<Basic>,
    pub(super) right: Option<Basic>,
}

/// Whether a message may be received so: the beginning of the buffer has its basic types.
pub(super) fn fits(sent: &Buffer, room: &Buffer) -> bool {
    let (from, to) = (&sent.datatype.datatype, &room.datatype.datatype);
    let (message, all) = (from.signature(sent.count), to.signature(room.count));
    if message.elements() == 0 || message.matches(all) {
        return true;
    }
    if message.elements() <= all.elements() {
        return message == to.signature_of_elements(message.elements());
    }
    // A message that is too long is another error, which the receive tells.
    sent.bytes() > room.bytes() && all == from.signature_of_elements(all.elements())
}

/// Where the basic types of two buffers part; none if they do not, or too late to be found.
pub(super) fn difference(
    (left, left_count): (&Datatype, i64),
    (right, right_count): (&Datatype, i64),
) -> Option<Difference> {
    let (left, right) = (runs(left, left_count), runs(right, right_count));
    let (mut left, mut right) = (left.into_iter(), right.into_iter());
    let (mut at, mut one, mut other) = (0, left.next(), right.next());
    loop {
        match (one, other) {
            (None, None) => return None,
            (Some((a, m)), Some((b, n))) if a == b => {
                let common = m.min(n);
                at += common;
                one = if m == common { left.next() } else { Some((a, m - common)) };
                other = if n == common { right.next() } else { Some((b, n - common)) };
            }
            _ => {
                let basic = |run: Option<(Basic, u64)>| run.map(|(basic, _)| basic);
                return Some(Difference { at, left: basic(one), right: basic(other) });
            }
        }
    }
}

/// The basic types of some elements, equal ones that follow each other counted.
fn runs(datatype: &Datatype, count: i64) -> Vec<(Basic, u64)> {
    let mut runs: Vec<(Basic, u64)> = Vec::new();
    let mut push = |basic: Basic, number: u64| {
        let has_room = runs.len() < MOST_RUNS;
        match runs.last_mut() {
            Some((last, total)) if *last == basic => *total += number,
            _ if has_room => runs.push((basic, number)),
            _ => {}
        }
    };
    datatype.for_each_array(count, |basic, _, number| {
        let mut parts = basic.parts().map(|(part, _)| part);
        match (parts.next(), parts.next()) {
            (Some(value), Some(index)) => {
                for _ in 0..number.min(MOST_RUNS as u64) {
                    push(value, 1);
                    push(index, 1);
                }
            }
            _ => push(basic, number),
        }
    });
    runs
}

/// So many elements of a datatype, in words.
pub(super) fn amount(count: i64, datatype: &TypeObject) -> String {
    let own = datatype.name.borrow();
    match (datatype.datatype.as_basic(), own.as_deref()) {
        (Some(basic), _) => format!("{count} {}", basic.name()),
        (None, Some(name)) if !name.is_empty() => format!("{count} {name}"),
        _ => format!("{count} of a datatype of {}", ingredients(&datatype.datatype)),
    }
}

fn ingredients(datatype: &Datatype) -> String {
    let runs = runs(datatype, 1);
    let shown = runs.iter().take(SHOWN_RUNS);
    let mut words: Vec<String> =
        shown.map(|(basic, number)| format!("{number} {}", basic.name())).collect();
    if runs.len() > SHOWN_RUNS {
        words.push("more".into());
    }
    match words.pop() {
        None => "nothing".into(),
        Some(last) if words.is_empty() => last,
        Some(last) => format!("{} and {last}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(left: (Basic, i64), right: (Basic, i64), expected: Option<(u64, &str, &str)>) {
        let found = difference((&left.0.into(), left.1), (&right.0.into(), right.1));
        let name = |basic: Option<Basic>| basic.map_or("nothing", Basic::name);
        assert_eq!(found.map(|d| (d.at, name(d.left), name(d.right))), expected);
    }

    #[test]
    fn the_first_element_that_differs_is_found() {
        check((Basic::Int, 3), (Basic::Int, 3), None);
        check((Basic::Int, 3), (Basic::Float, 3), Some((0, "MPI_INT", "MPI_FLOAT")));
        check((Basic::Int, 3), (Basic::Int, 5), Some((3, "nothing", "MPI_INT")));
        check((Basic::DoubleInt, 2), (Basic::Double, 2), Some((1, "MPI_INT", "MPI_DOUBLE")));
    }

    #[test]
    fn derived_types_are_told_by_what_they_hold() {
        let pair = Datatype::from(Basic::DoubleInt);
        assert_eq!(ingredients(&pair), "1 MPI_DOUBLE and 1 MPI_INT");
        let vector = Datatype::vector(3, 2, 4, &Basic::Int.into()).unwrap();
        assert_eq!(ingredients(&vector), "6 MPI_INT");
    }
}
