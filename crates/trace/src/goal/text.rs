//! The text form: `rank 0 { a: send 8b to 1 tag 5  b: calc 100  b requires a }`.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::path::Path;

use super::binary::{self, Told};
use super::{MOST_RANKS, Task};
use crate::action::{Amount, Message, Peer};
use crate::colons::Lines;
use crate::fields::shown;
use crate::mistake::{Mistake, Problem};

/// Turns text into the binary form, in a temporary file.
pub(super) fn encode(path: &Path) -> Result<File, Problem> {
    let mut words = Words::open(path)?;
    words.expect("num_ranks")?;
    let ranks = words.number("the number of ranks")?;
    let ranks = u32::try_from(ranks).ok().filter(|ranks| (1..=MOST_RANKS).contains(ranks));
    let Some(ranks) = ranks else { return Err(words.wrong("there cannot be so many ranks")) };
    let cannot = |error| Problem::Temporary { error };
    let mut file = tempfile::tempfile().map_err(cannot)?;
    let mut places = vec![0..0; ranks as usize];
    // The table is written at the end, when it is known.
    let mut end = binary::header(&[]).len() as u64 + 16 * u64::from(ranks);
    file.seek(SeekFrom::Start(end)).map_err(cannot)?;
    let mut writer = BufWriter::new(&mut file);
    let empty = binary::encode(&[]);
    while words.next()? {
        words.is("rank")?;
        let rank = words.number("the number of a rank")?;
        let place = usize::try_from(rank).ok().and_then(|rank| places.get_mut(rank));
        let Some(place) = place.filter(|place| place.start == place.end) else {
            return Err(words.wrong(&format!("rank {rank} is there twice, or is none of {ranks}")));
        };
        let bytes = binary::encode(&block(&mut words, ranks)?);
        writer.write_all(&bytes).map_err(cannot)?;
        *place = end..end + bytes.len() as u64;
        end = place.end;
    }
    // Ranks that are not told of do nothing.
    writer.write_all(&empty).map_err(cannot)?;
    drop(writer);
    for place in places.iter_mut().filter(|place| place.start == place.end) {
        *place = end..end + empty.len() as u64;
    }
    file.seek(SeekFrom::Start(0)).map_err(cannot)?;
    file.write_all(&binary::header(&places)).map_err(cannot)?;
    Ok(file)
}

/// One `requires` of a block: who waits for whom.
struct Edge {
    later: Vec<u8>,
    earlier: Vec<u8>,
    is_about_start: bool,
    problem: Problem,
}

/// The operations between the braces of a rank.
fn block(words: &mut Words, ranks: u32) -> Result<Vec<Told>, Problem> {
    words.expect("{")?;
    let mut operations: Vec<Told> = Vec::new();
    let (mut labels, mut edges) = (BTreeMap::new(), Vec::new());
    words.must("an operation, or } behind the last")?;
    loop {
        match words.word() {
            b"}" => break,
            b"send" | b"recv" | b"calc" => operations.push(operation(words, ranks)?),
            _ => {
                let label = words.word().to_vec();
                words.must("what this is the name of")?;
                if words.word() == b":" {
                    if labels.insert(label, operations.len() as u32).is_some() {
                        return Err(words.wrong("this name is there twice"));
                    }
                    words.must("an operation")?;
                } else {
                    edges.push(edge(words, label)?);
                    words.must("an operation, or } behind the last")?;
                }
            }
        }
    }
    for Edge { later, earlier, is_about_start, problem } in edges {
        let (Some(later), Some(earlier)) = (labels.get(&later), labels.get(&earlier)) else {
            return Err(problem);
        };
        // A name behind the last operation stands for none.
        if *later as usize >= operations.len() || *earlier as usize >= operations.len() {
            return Err(problem);
        }
        operations[*later as usize].needs += 1;
        let earlier = &mut operations[*earlier as usize];
        let list = if is_about_start { &mut earlier.beside } else { &mut earlier.after };
        list.push(*later);
    }
    Ok(operations)
}

fn edge(words: &mut Words, later: Vec<u8>) -> Result<Edge, Problem> {
    let is_about_start = match words.word() {
        b"requires" => false,
        b"irequires" => true,
        other => {
            let (name, other) = (shown(&later), shown(other));
            return Err(words.wrong(&format!(
                "expected send, recv or calc instead of {name}, or requires behind it, not {other}"
            )));
        }
    };
    words.must("the name of an operation")?;
    let earlier = words.word().to_vec();
    let problem = words.wrong(&format!(
        "no operation of this rank is {} or {}",
        shown(&later),
        shown(&earlier)
    ));
    Ok(Edge { later, earlier, is_about_start, problem })
}

/// An operation, from its first word on; the word behind it is at hand then.
fn operation(words: &mut Words, ranks: u32) -> Result<Told, Problem> {
    let kind = words.word().to_vec();
    words.must("a size")?;
    let size = match (&kind[..], words.word()) {
        (b"calc", digits) => natural(digits),
        (_, [digits @ .., b'b']) => natural(digits),
        (_, digits) => natural(digits),
    };
    let Some(size) = size else {
        return Err(words.wrong(&format!("expected a size, not {}", shown(words.word()))));
    };
    let mut peer = Peer::Nobody;
    if kind != b"calc" {
        words.must("the other rank")?;
        words.is(if kind == b"send" { "to" } else { "from" })?;
        words.must("the other rank")?;
        peer = match natural(words.word()) {
            Some(rank) if rank < u64::from(ranks) => Peer::Rank(rank as u32),
            None if words.word() == b"-1" && kind == b"recv" => Peer::Any,
            _ => {
                let word = shown(words.word());
                return Err(words.wrong(&format!("there is no rank {word} among {ranks}")));
            }
        };
    }
    let (mut tag, mut cpu, mut nic) = (Some(0), 0, 0);
    loop {
        words.must("an operation, or } behind the last")?;
        let place = match words.word() {
            b"cpu" => &mut cpu,
            b"nic" => &mut nic,
            b"tag" => {
                words.must("a tag")?;
                tag = match natural(words.word()) {
                    Some(number) => Some((number & u64::from(i32::MAX as u32)) as u32),
                    None if words.word() == b"-1" && kind == b"recv" => None,
                    None => return Err(words.wrong("expected a tag")),
                };
                continue;
            }
            _ => break,
        };
        words.must("a number")?;
        let number = natural(words.word()).and_then(|number| u8::try_from(number).ok());
        *place = number.ok_or_else(|| words.wrong("expected a number below 256"))?;
    }
    let message = Message { peer, tag, size: Amount::of_bytes(size.min(1 << 40)) };
    let task = match &kind[..] {
        b"send" => Task::Send(message),
        b"recv" => Task::Receive(message),
        _ => Task::Compute(size),
    };
    Ok(Told { task, cpu, nic, after: Vec::new(), beside: Vec::new(), needs: 0 })
}

fn natural(digits: &[u8]) -> Option<u64> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

/// The words of a file, without comments. Braces and colons are words of their own.
struct Words {
    lines: Lines,
    /// What is unread of the line, from here on.
    at: usize,
    word: Vec<u8>,
    is_in_comment: bool,
}

impl Words {
    fn open(path: &Path) -> Result<Self, Problem> {
        let mut lines = Lines::open(path)?;
        let has_lines = lines.advance()?;
        let at = if has_lines { 0 } else { usize::MAX };
        Ok(Self { lines, at, word: Vec::new(), is_in_comment: false })
    }

    fn word(&self) -> &[u8] {
        &self.word
    }

    fn wrong(&self, words: &str) -> Problem {
        self.lines.problem(Mistake(words.to_owned()))
    }

    /// Goes to the next word; false at the end.
    fn next(&mut self) -> Result<bool, Problem> {
        loop {
            let rest = self.lines.line().get(self.at..).unwrap_or_default();
            if self.is_in_comment {
                match rest.windows(2).position(|pair| pair == b"*/") {
                    Some(end) => {
                        self.at += end + 2;
                        self.is_in_comment = false;
                    }
                    None => {
                        if !self.advance()? {
                            return Err(self.wrong("this comment has no end"));
                        }
                    }
                }
                continue;
            }
            match rest {
                [] | [b'/', b'/', ..] => {
                    if !self.advance()? {
                        return Ok(false);
                    }
                }
                [b'/', b'*', ..] => {
                    self.at += 2;
                    self.is_in_comment = true;
                }
                [blank, ..] if blank.is_ascii_whitespace() => self.at += 1,
                [single @ (b'{' | b'}' | b':' | b';'), ..] => {
                    self.at += 1;
                    if *single == b';' {
                        continue;
                    }
                    self.word = vec![*single];
                    return Ok(true);
                }
                rest => {
                    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"{}:;/".contains(byte);
                    let end = rest.iter().position(ends).unwrap_or(rest.len()).max(1);
                    self.word = rest[..end].to_vec();
                    self.at += end;
                    return Ok(true);
                }
            }
        }
    }

    fn advance(&mut self) -> Result<bool, Problem> {
        self.at = 0;
        let more = self.lines.advance()?;
        if !more {
            self.at = usize::MAX;
        }
        Ok(more)
    }

    /// Goes to the next word, which must be there.
    fn must(&mut self, what: &str) -> Result<(), Problem> {
        match self.next()? {
            true => Ok(()),
            false => Err(self.wrong(&format!("expected {what}, but the file ends"))),
        }
    }

    /// Makes sure that the word at hand is this one.
    fn is(&self, word: &str) -> Result<(), Problem> {
        match self.word == word.as_bytes() {
            true => Ok(()),
            false => Err(self.wrong(&format!("expected {word}, not {}", shown(&self.word)))),
        }
    }

    fn expect(&mut self, word: &str) -> Result<(), Problem> {
        self.must(word)?;
        self.is(word)
    }

    fn number(&mut self, what: &str) -> Result<u64, Problem> {
        self.must(what)?;
        let number = natural(&self.word);
        number.ok_or_else(|| self.wrong(&format!("expected {what}, not {}", shown(&self.word))))
    }
}
