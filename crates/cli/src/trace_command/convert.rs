//! `foretell trace convert`: from one form of time-independent traces to another.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use foretell_trace::{COMPACT, TextWriter, Trace, compact};

use crate::output;

/// Writes a trace in the form that the name of the new one asks for, and tells how large it is.
pub(crate) fn run(from: &Path, to: &Path) -> Result<()> {
    let trace = Trace::open(from)?;
    let is_compact = to.extension().is_some_and(|extension| extension == COMPACT);
    let size = if is_compact { compact(&trace, to)? } else { write_text(&trace, to)? };
    let (ranks, to) = (trace.ranks(), to.display());
    output::print(&format!("{to}: {ranks} ranks, {size} bytes\n"))
}

/// Writes a file for each rank; gives how many bytes they have.
fn write_text(trace: &Trace, folder: &Path) -> Result<u64> {
    if fs::exists(folder).unwrap_or(false) {
        let place = folder.display();
        bail!("{place} is there already; name a new folder, or a file that ends in .{COMPACT}");
    }
    let outcome = copy(trace, folder);
    if outcome.is_err() {
        // What is half written helps nobody; that it cannot be removed is not the error to tell.
        let _ = fs::remove_dir_all(folder);
    }
    outcome?;
    let mut size = 0;
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        size += entry?.metadata()?.len();
    }
    Ok(size)
}

fn copy(trace: &Trace, folder: &Path) -> Result<()> {
    let mut writer = TextWriter::create(folder, trace.ranks())?;
    for rank in 0..trace.ranks() {
        let mut cursor = trace.cursor(rank);
        while let Some(action) = cursor.next()? {
            writer.add(rank, &action)?;
        }
    }
    Ok(writer.finish()?)
}
