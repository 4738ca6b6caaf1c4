//! Reading archives, our own and those of other tools such as Score-P.
//!
//! Locations are read side by side, each in a small window, and told in the order of their dates.
//! Only locations that are ranks of MPI count. Compressed archives and those in one file (SION)
//! are refused.

mod anchor;
mod bytes;
mod contexts;
mod definitions;
mod events;
mod local;
mod meters;
mod story;

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::files::Files;
use crate::mistake::Problem;
use crate::packed;
use crate::timed::{Cast, Writer};
use anchor::Anchor;
use bytes::Window;
use definitions::Definitions;
use events::{Events, Told};
use local::Local;
use story::Story;

/// Tells a writer what an archive has, in the order of dates; gives what is left out.
pub(crate) fn read(
    path: &Path,
    make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>,
) -> Result<Vec<String>, Problem> {
    packed::refuse(path)?;
    let anchor = Anchor::read(path)?;
    let mut global = Shelf::new(vec![path.with_extension("def")]).window(0)?;
    let mut definitions = Definitions::read(&mut global, anchor.definition_chunk)?;
    definitions.is_ours = anchor.is_ours;
    let cast = match anchor.is_ours {
        true => definitions.cast_of_ours(),
        false => {
            let stem = path.file_stem().map(|name| name.to_string_lossy().into_owned());
            definitions.cast(stem.unwrap_or_default(), anchor.machine.clone())
        }
    };
    let writer = make(&cast)?;
    let mut story = Story::new(&definitions, writer);
    if definitions.is_of_eztrace {
        let mut locations = Locations::open(path, &anchor, &definitions)?;
        while let Some((time, rank, told)) = locations.next()? {
            let date = time as f64 / definitions.ticks as f64;
            if rank as usize >= definitions.ranks.len() {
                continue;
            }
            told.iter().for_each(|told| story.foresee(date, rank, told));
        }
        story.put_in_order();
    }
    let mut locations = Locations::open(path, &anchor, &definitions)?;
    let further = definitions.further_threads();
    if further > 0 {
        story.left_out.insert("threads beside those that are ranks", further);
    }
    if definitions.streams > 0 {
        story.left_out.insert("streams of accelerators", definitions.streams);
    }
    let mut last = 0.0;
    while let Some((time, rank, told)) = locations.next()? {
        // A clock that is wrong may show times before the beginning.
        let date = time.saturating_sub(definitions.offset) as f64 / definitions.ticks as f64;
        last = f64::max(last, date);
        match (told, locations.meter(rank)) {
            (Some(Told::Measured(values)), Some(node)) => story.measure(date, node, values),
            (_, Some(_)) => {}
            (Some(told), None) => story.hear(date, rank, told),
            (None, None) => story.end(date, rank),
        }
    }
    (0..definitions.ranks.len() as u32).for_each(|rank| story.end(last, rank));
    let counted = |(what, count): (&&str, &u64)| format!("{count} {what}");
    let left_out = story.left_out.iter().map(counted).collect();
    story.writer.finish(last)?;
    Ok(left_out)
}

/// Files of the archive.
struct Shelf {
    files: Rc<RefCell<Files>>,
    paths: Vec<PathBuf>,
}

impl Shelf {
    fn new(paths: Vec<PathBuf>) -> Self {
        Self { files: Rc::new(RefCell::new(Files::new(paths.clone()))), paths }
    }

    fn window(&self, file: u32) -> Result<Window, Problem> {
        let path = &self.paths[file as usize];
        let metadata = fs::metadata(path);
        let metadata = metadata.map_err(|error| Problem::File { path: path.clone(), error })?;
        Ok(Window::new(self.files.clone(), file, metadata.len()))
    }
}

/// The ranks, and behind them what tells of nodes, each at its next event.
struct Locations {
    ranks: Vec<Events>,
    /// The nodes of those that tell of nodes.
    nodes: Vec<u32>,
    next: Vec<Option<Told>>,
    order: BinaryHeap<Reverse<(u64, u32)>>,
    /// Of whom the event behind the one at hand has not been read.
    behind: Option<u32>,
    times: Vec<u64>,
}

impl Locations {
    fn open(path: &Path, anchor: &Anchor, definitions: &Definitions) -> Result<Self, Problem> {
        let folder = path.with_extension("");
        let named = |ending: &'static str| {
            let folder = folder.clone();
            move |location: &u64| folder.join(format!("{location}.{ending}"))
        };
        let meters = definitions.meters_of_nodes();
        let nodes = meters.iter().map(|(_, node)| *node).collect();
        let meters = meters.iter().map(|(location, _)| *location);
        let ranks: Vec<u64> = definitions.ranks.iter().copied().chain(meters).collect();
        let events = Shelf::new(ranks.iter().map(named("evt")).collect());
        let locals = Shelf::new(ranks.iter().map(named("def")).collect());
        let mut all = Vec::with_capacity(ranks.len());
        for rank in 0..ranks.len() as u32 {
            let local = match locals.paths[rank as usize].exists() {
                true => Local::read(&mut locals.window(rank)?, anchor.definition_chunk)?,
                false => Local::default(),
            };
            let window = events.window(rank)?;
            all.push(Events::new(window, anchor.event_chunk, local, definitions.place));
        }
        let count = all.len();
        let (next, times) = (vec![None; count], vec![0; count]);
        let mut this = Self {
            ranks: all,
            nodes,
            next,
            order: BinaryHeap::with_capacity(count),
            behind: None,
            times,
        };
        (0..count as u32).try_for_each(|rank| this.read(rank))?;
        Ok(this)
    }

    /// The node that a location tells of, if it is none of a rank.
    fn meter(&self, number: u32) -> Option<u32> {
        let ranks = self.ranks.len() - self.nodes.len();
        self.nodes.get((number as usize).checked_sub(ranks)?).copied()
    }

    /// Reads the next event of a rank. At the end it is none, at the date of the last.
    fn read(&mut self, rank: u32) -> Result<(), Problem> {
        let at = rank as usize;
        let next = self.ranks[at].next()?;
        let (time, told) = next.map_or((self.times[at], None), |(time, told)| (time, Some(told)));
        // Corrected clocks may jump back a little.
        self.times[at] = self.times[at].max(time);
        self.next[at] = told;
        self.order.push(Reverse((self.times[at], rank)));
        Ok(())
    }

    /// The next event of all ranks, with its date and rank.
    fn next(&mut self) -> Result<Option<(u64, u32, Option<Told>)>, Problem> {
        if let Some(rank) = self.behind.take() {
            self.read(rank)?;
        }
        let Some(Reverse((time, rank))) = self.order.pop() else { return Ok(None) };
        let told = self.next[rank as usize].take();
        self.behind = told.is_some().then_some(rank);
        Ok(Some((time, rank, told)))
    }
}

#[cfg(test)]
mod made;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;
