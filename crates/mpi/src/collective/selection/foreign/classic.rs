//! Open MPI's dynamic rules as numbers: `coll_tuned_dynamic_rules_filename` of releases 4.1 and 5.
//!
//! The numbers are: how many collectives there are; for each its number and how many sizes of
//! communicators; for each of these the size and how many sizes of messages; for each of these the
//! size, the algorithm, the fan in and out, the segment size and, in files of version 2, if it is
//! on the same line, the limit of requests. What is behind `#` is a comment.

use std::iter::Peekable;
use std::rc::Rc;
use std::vec::IntoIter;

use super::names::{Given, Names};
use super::{Lists, Mistake, leave_the_rest, left, mistake};
use crate::collective::Operation;
use crate::collective::selection::conditions::Conditions;
use crate::collective::selection::range::Numbers;
use crate::collective::selection::rule::{Pick, Rule};
use crate::collective::selection::{Library, Rules};

/// What files of a newer version begin with; the number follows.
pub(super) const HEADER: &str = "rule-file-version-";

/// More rules than this are a miscount.
const MOST: u64 = 1 << 20;

/// The collectives in Open MPI's order; none for those that its component `tuned` or we do not
/// choose algorithms for.
const COLLECTIVES: [Option<Operation>; 22] = [
    Some(Operation::Allgather),
    Some(Operation::Allgatherv),
    Some(Operation::Allreduce),
    Some(Operation::Alltoall),
    Some(Operation::Alltoallv),
    None, // alltoallw
    Some(Operation::Barrier),
    Some(Operation::Bcast),
    Some(Operation::Exscan),
    Some(Operation::Gather),
    None, // gatherv
    Some(Operation::Reduce),
    Some(Operation::ReduceScatter),
    Some(Operation::ReduceScatterBlock),
    Some(Operation::Scan),
    Some(Operation::Scatter),
    None, // scatterv
    None, // neighbourhood collectives
    None,
    None,
    None,
    None,
];

/// One size of communicators: the size, and the rules for sizes of messages.
struct Communicators {
    ranks: u64,
    messages: Vec<Message>,
}

/// One size of messages.
struct Message {
    line: usize,
    bytes: u64,
    algorithm: u64,
    given: Given,
}

/// Reads a file.
pub(super) fn lists(text: &str) -> Result<Lists, Mistake> {
    let mut reader = Reader::new(text)?;
    let (names, fixed) = (Names::openmpi(), Library::OpenMpi4.rules());
    let mut lists = vec![Vec::new(); Operation::ALL.len()];
    let count = reader.count("the number of collectives", COLLECTIVES.len() as u64)?;
    for _ in 0..count {
        let number = reader.count("the number of a collective", COLLECTIVES.len() as u64 - 1)?;
        let sizes = reader.communicators()?;
        if let Some(operation) = COLLECTIVES[number as usize] {
            // Open MPI keeps the last if a collective comes twice.
            lists[operation as usize] = rules(operation, &sizes, &names, &fixed)?;
        }
    }
    if let Some((line, word)) = reader.words.next() {
        let text = format!("expected the end of the file, found `{word}`; are the counts right?");
        return Err(mistake(line, text));
    }
    leave_the_rest(&mut lists, Library::OpenMpi4);
    Ok(lists)
}

/// The rules of one operation.
fn rules(
    operation: Operation,
    sizes: &[Communicators],
    names: &Names,
    fixed: &Rc<Rules>,
) -> Result<Vec<Rule>, Mistake> {
    let mut rules = Vec::new();
    let of_ranks: Vec<u64> = sizes.iter().map(|size| size.ranks).collect();
    for (place, size) in sizes.iter().enumerate() {
        let of_messages: Vec<u64> = size.messages.iter().map(|message| message.bytes).collect();
        let ranks = reach(&of_ranks, place);
        for (place, message) in size.messages.iter().enumerate() {
            let pick = match message.algorithm {
                0 => Pick::As(fixed.clone(), false),
                number => Pick::Algorithm(
                    names
                        .numbered(operation, number, message.given)
                        .map_err(|text| mistake(message.line, text))?,
                ),
            };
            if let (Some(ranks), Some(bytes)) = (ranks, reach(&of_messages, place)) {
                let conditions = by_size(operation, bytes);
                rules.push(Rule::made(Conditions { ranks, ..conditions }, pick));
            }
        }
        // Without messages nothing is chosen for communicators of this size.
        rules.extend(ranks.map(|ranks| left(Conditions { ranks, ..Conditions::default() }, fixed)));
    }
    Ok(rules)
}

/// A condition on what Open MPI takes for the size of a message.
pub(super) fn by_size(operation: Operation, bytes: Numbers) -> Conditions {
    let nothing = Conditions::default();
    match operation {
        Operation::Allgather | Operation::Alltoall | Operation::Gather | Operation::Scatter => {
            Conditions { total: bytes, ..nothing }
        }
        Operation::Scan | Operation::Exscan => Conditions { element_total: bytes, ..nothing },
        _ => Conditions { bytes, ..nothing },
    }
}

/// The numbers for which the size at a place decides: Open MPI goes through the list until a size
/// is too large, and takes the one before it; the first if that is too large already.
fn reach(sizes: &[u64], place: usize) -> Option<Numbers> {
    let next = sizes.get(place + 1).copied();
    let before = sizes[..=place].iter().copied().max().unwrap_or(0);
    match place {
        0 => Some(Numbers { first: 0, end: next.map(|next| next.max(before)) })
            .filter(|range| range.end != Some(0)),
        _ if next.is_some_and(|next| next <= before) => None,
        _ => Some(Numbers { first: before, end: next }),
    }
}

/// The words of a file that are not read yet.
struct Reader<'a> {
    words: Peekable<IntoIter<Word<'a>>>,
    /// The line of the word read last.
    line: usize,
    /// Whether the limit of requests may follow the segment size.
    has_requests: bool,
}

/// A word, and the line it is on.
type Word<'a> = (usize, &'a str);

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Result<Reader<'a>, Mistake> {
        let without_comment = |line: &'a str| line.split('#').next().unwrap_or("");
        let words = (1..).zip(text.lines()).flat_map(|(number, line)| {
            without_comment(line).split_whitespace().map(move |word| (number, word))
        });
        let words: Vec<Word<'a>> = words.collect();
        let mut reader =
            Reader { words: words.into_iter().peekable(), line: 1, has_requests: false };
        let is_header = |(_, word): &Word<'_>| word.starts_with(HEADER);
        if let Some((line, word)) = reader.words.next_if(is_header) {
            let version = &word[HEADER.len()..];
            reader.has_requests = match version {
                "1" => false,
                "2" => true,
                _ => {
                    let text = format!("expected {HEADER}1 or {HEADER}2, found `{word}`");
                    return Err(mistake(line, text));
                }
            };
        }
        Ok(reader)
    }

    /// The next number, with its line.
    fn number(&mut self, what: &str) -> Result<(usize, u64), Mistake> {
        let Some((line, word)) = self.words.next() else {
            let text = format!("expected {what}, found the end of the file");
            return Err(mistake(self.line, text));
        };
        self.line = line;
        let number = match word.strip_prefix("0x").or(word.strip_prefix("0X")) {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.map(|number| (line, number)).map_err(|_| {
            mistake(line, format!("expected {what}, found `{word}`; a comment begins with #"))
        })
    }

    /// How many of something follow.
    fn count(&mut self, what: &str, most: u64) -> Result<u64, Mistake> {
        let (line, number) = self.number(what)?;
        match number <= most {
            true => Ok(number),
            false => Err(mistake(line, format!("expected {what}, at most {most}, found {number}"))),
        }
    }

    fn communicators(&mut self) -> Result<Vec<Communicators>, Mistake> {
        let count = self.count("the number of communicator sizes", MOST)?;
        (0..count).map(|_| self.communicator()).collect()
    }

    fn communicator(&mut self) -> Result<Communicators, Mistake> {
        let (_, ranks) = self.number("a communicator size")?;
        let count = self.count("the number of message sizes", MOST)?;
        let messages = (0..count).map(|_| self.message()).collect::<Result<Vec<_>, _>>()?;
        match messages.first() {
            Some(Message { line, bytes, .. }) if *bytes > 0 => {
                Err(mistake(*line, format!("the first message size is 0, found {bytes}")))
            }
            _ => Ok(Communicators { ranks, messages }),
        }
    }

    fn message(&mut self) -> Result<Message, Mistake> {
        let (_, bytes) = self.number("a message size")?;
        let (line, algorithm) = self.number("the number of an algorithm")?;
        let (_, fan) = self.number("the fan in and out")?;
        let (end, segment) = self.number("the segment size")?;
        let is_here = self.words.peek().is_some_and(|(line, _)| *line == end);
        let requests = match self.has_requests && is_here {
            true => Some(self.number("the limit of requests")?.1),
            // The default of coll_tuned_alltoall_max_requests.
            false => Some(0),
        };
        let given = Given { segment: Some(segment), fan: Some(fan), requests, ..Given::default() };
        Ok(Message { line, bytes, algorithm, given })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_size_that_is_not_too_large_decides() {
        let check = |sizes: &[u64], place, first, end| {
            assert_eq!(reach(sizes, place), Some(Numbers { first, end }), "{sizes:?} {place}");
        };
        check(&[4, 8, 16], 0, 0, Some(8));
        check(&[4, 8, 16], 1, 8, Some(16));
        check(&[4, 8, 16], 2, 16, None);
        // Sizes out of order: the search stops at the first that is too large.
        check(&[8, 4, 16], 0, 0, Some(8));
        check(&[8, 4, 16], 1, 8, Some(16));
        assert_eq!(reach(&[4, 16, 8], 1), None);
        check(&[4, 16, 8], 2, 16, None);
    }
}
