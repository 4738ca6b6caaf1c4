//! SST's DUMPI: a text file about the run, and a binary file for each rank with all of its calls.
//!
//! Calls have their arguments and their begins and ends; what lies between them is computation.
//! Calls have no length, so the arguments of all are known here, whether or not they can be
//! replayed. Communicators are told by the calls that make them, of all ranks together, so files
//! are read twice. What tests find undone is passed over. Time in files stays.

mod calls;
mod comms;
mod groups;
mod rank;
mod requests;
mod stream;
mod types;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::mistake::Problem;
use crate::packed;
use crate::spool::Spool;
use crate::untimed::collective::Collectives;
use comms::{Comms, Step};
use rank::{Teller, Whole};
use stream::Stream;
use types::Types;

/// Ranks that a trace may have: beyond any machine.
const MOST_RANKS: u32 = 1 << 24;
/// No text file about a run is longer.
const LONGEST: u64 = 1 << 20;

/// The actions of a trace, and what is left out of them.
pub(crate) fn read(path: &Path) -> Result<(Spool, Vec<String>), Problem> {
    packed::refuse(path)?;
    let files = listed(path)?;
    let mut steps = Vec::with_capacity(files.len());
    let mut has_sends_to_nobody = false;
    for file in &files {
        steps.push(taken_by(file, &mut has_sends_to_nobody)?);
    }
    let whole = Whole { comms: Comms::resolve(&steps), has_sends_to_nobody };
    drop(steps);
    let cannot = |error| Problem::Temporary { error };
    let mut spool = Spool::new(files.len() as u32).map_err(cannot)?;
    let (mut collectives, mut left_out) = (Collectives::default(), BTreeMap::new());
    for (rank, file) in files.iter().enumerate() {
        let mut stream = Stream::open(file)?;
        let types = Types::new(std::mem::take(&mut stream.sizes));
        let mut teller = Teller::new(rank as u32, types, &mut spool, &whole, &mut collectives);
        while let Some(call) = stream.next()? {
            teller.tell(&call).map_err(|reason| stream.problem(call.place, reason))?;
        }
        teller.finish(&mut left_out);
    }
    for (name, count) in collectives.unfinished() {
        *left_out.entry(format!("{name} that not all took part in")).or_default() += count;
    }
    Ok((spool, left_out.iter().map(|(what, count)| format!("{count} {what}")).collect()))
}

/// What a rank does to communicators and groups, in order; and whether it sends to -1.
fn taken_by(file: &Path, has_sends_to_nobody: &mut bool) -> Result<Vec<Step>, Problem> {
    let mut stream = Stream::open(file)?;
    let mut all = Vec::new();
    while let Some(call) = stream.next()? {
        *has_sends_to_nobody |= call.is_send_to_minus_one();
        all.extend(Step::of(&call));
    }
    Ok(all)
}

/// The files of ranks that the text file tells of.
fn listed(path: &Path) -> Result<Vec<PathBuf>, Problem> {
    let cannot = |error| Problem::File { path: path.to_owned(), error };
    let whole = |reason: &str| Problem::Whole { path: path.to_owned(), reason: reason.into() };
    if fs::metadata(path).map_err(cannot)?.len() > LONGEST {
        return Err(whole("this is too long for the text file of a DUMPI trace"));
    }
    let bytes = fs::read(path).map_err(cannot)?;
    if bytes.starts_with(&stream::MAGIC) {
        return Err(whole("this is the file of one rank; name the .meta file of all"));
    }
    let text = String::from_utf8_lossy(&bytes);
    let value = |key: &str| {
        let mut pairs = text.lines().filter_map(|line| line.split_once('='));
        pairs.find(|(known, _)| known.trim() == key).map(|(_, value)| value.trim().to_owned())
    };
    let ranks = value("numprocs").and_then(|number| number.parse().ok());
    let Some(ranks) = ranks.filter(|ranks| (1..=MOST_RANKS).contains(ranks)) else {
        return Err(whole("no line numprocs=… says how many ranks there are"));
    };
    let Some(prefix) = value("fileprefix").filter(|prefix| !prefix.is_empty()) else {
        return Err(whole("no line fileprefix=… says how files are named"));
    };
    let folder = path.parent().unwrap_or(Path::new(""));
    // The trace may have been moved since: files are beside the text file.
    let name = prefix.rsplit('/').next().unwrap_or(&prefix);
    Ok((0..ranks).map(|rank| folder.join(format!("{name}-{rank:04}.bin"))).collect())
}

#[cfg(test)]
mod tests;
