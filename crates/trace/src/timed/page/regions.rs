//! Parts of the program that ranks say they are in, as the script has them.

use super::super::Mark;
use super::tables::json;

/// Most of them that are kept.
const MOST: usize = 200_000;

/// Regions of all ranks.
#[derive(Debug)]
pub(super) struct Regions {
    names: Vec<String>,
    /// Of each rank those it is in: the name, and since when.
    open: Vec<Vec<(usize, u64)>>,
    /// Of each rank those it was in: the name, from when until when, and how deep.
    past: Vec<Vec<(usize, u64, u64, usize)>>,
    count: usize,
}

impl Regions {
    pub(super) fn new(ranks: u32) -> Self {
        let ranks = ranks as usize;
        let (open, past) = (vec![Vec::new(); ranks], vec![Vec::new(); ranks]);
        Self { names: Vec::new(), open, past, count: 0 }
    }

    pub(super) fn mark(&mut self, date: u64, rank: u32, mark: Mark, name: &str) {
        let known = self.names.iter().position(|known| known == name);
        match mark {
            Mark::Here => {}
            Mark::Begin => {
                let number = known.unwrap_or_else(|| {
                    self.names.push(name.to_owned());
                    self.names.len() - 1
                });
                self.open[rank as usize].push((number, date));
            }
            Mark::End => {
                let open = &self.open[rank as usize];
                if let Some(depth) = open.iter().rposition(|(one, _)| Some(*one) == known) {
                    self.end(date, rank as usize, depth);
                }
            }
        }
    }

    /// The run is over, and so is what was not ended.
    pub(super) fn close(&mut self, date: u64) {
        for rank in 0..self.open.len() {
            while let Some(depth) = self.open[rank].len().checked_sub(1) {
                self.end(date, rank, depth);
            }
        }
    }

    fn end(&mut self, date: u64, rank: usize, depth: usize) {
        let (name, since) = self.open[rank].remove(depth);
        if date > since && self.count < MOST {
            self.count += 1;
            self.past[rank].push((name, since, date, depth));
        }
    }

    /// Names, and of each rank `[name, begin, end, depth]`, those that began first before others.
    pub(super) fn told(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| json(name)).collect();
        let ranks = self.past.iter().map(|past| {
            let mut past = past.clone();
            past.sort_by_key(|(_, begin, _, depth)| (*begin, *depth));
            let one = |(name, begin, end, depth): &(usize, u64, u64, usize)| {
                format!("[{name},{begin},{end},{depth}]")
            };
            format!("[{}]", past.iter().map(one).collect::<Vec<_>>().join(","))
        });
        let ranks: Vec<String> = if self.count > 0 { ranks.collect() } else { Vec::new() };
        format!("{{\"names\":[{}],\"ranks\":[{}]}}", names.join(","), ranks.join(","))
    }
}
