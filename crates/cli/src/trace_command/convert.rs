//! `foretell trace convert`: from one format of traces to another, as far as meaning allows.
//!
//! What ranks do can be written without dates, as text, compact or for Dimemas, from any trace that
//! can be replayed. What happened when can be written with dates from any that has them. Neither
//! becomes the other: dates come from a replay.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use foretell_trace::timed::{self, Format, Lost, Retell};
use foretell_trace::{Action, COMPACT, Form, TextWriter, Trace, Written, compact, write_dimemas};

use super::tell_left_out;
use crate::figures::counted;
use crate::replay_command::tell_needless_speed;
use crate::{interrupt, notes, output};

/// How names of traces for Dimemas end.
const DIMEMAS: &str = "dim";
/// Flops of a recorded second, unless told otherwise.
const USUAL_SPEED: f64 = 1e9;

/// Writes a trace in the form that the name of the new one asks for, and tells how large it is.
pub(crate) fn run(from: &Path, to: &Path, speed: Option<f64>) -> Result<()> {
    interrupt::leave_nothing_beside(to)?;
    if let Some(format) = Format::of(to) {
        return with_dates(from, to, format);
    }
    let ending = to.extension().and_then(OsStr::to_str).unwrap_or_default();
    refuse_unwritten(ending, to)?;
    let trace = Trace::open(from)?;
    if trace.form() == Form::Goal {
        bail!(
            "{} is a schedule: its operations have no order to be written in; `replay \
             --trace-ti` writes the order of a run",
            from.display()
        );
    }
    tell_left_out(trace.left_out());
    let size = match ending {
        COMPACT => compacted(&trace, to, scale(from, &trace, speed))?,
        DIMEMAS => for_dimemas(&trace, to, speed)?,
        _ => write_text(&trace, to, scale(from, &trace, speed))?,
    };
    let (ranks, to) = (trace.ranks(), to.display());
    output::print(&format!("{to}: {ranks} ranks, {size} bytes\n"))
}

/// Names that promise a format which is only read, or which is none of a folder, are refused.
fn refuse_unwritten(ending: &str, to: &Path) -> Result<()> {
    let to = to.display();
    match ending {
        "goal" | "meta" | "bin" => bail!("{to}: traces of the form `{ending}` are only read"),
        "gz" => bail!("{to}: traces are written as they are; gzip can compress them then"),
        "txt" => bail!("{to}: text is written as a folder with a file for each rank; name one"),
        _ => Ok(()),
    }
}

/// The flops that an amount of computation of a trace stands for.
fn scale(from: &Path, trace: &Trace, speed: Option<f64>) -> f64 {
    if !trace.is_in_seconds() {
        if speed.is_some() {
            tell_needless_speed(from);
        }
        return 1.0;
    }
    if speed.is_none() {
        notes::warning("a recorded second is taken for 1e9 flops; --recorded-speed says otherwise");
    }
    speed.unwrap_or(USUAL_SPEED)
}

/// Writes the compact form; gives how many bytes it has.
fn compacted(trace: &Trace, to: &Path, scale: f64) -> Result<u64> {
    if scale == 1.0 {
        return Ok(compact(trace, to)?);
    }
    let above = to.parent().filter(|above| !above.as_os_str().is_empty());
    let folder = tempfile::Builder::new()
        .prefix(&timed::prefix())
        .tempdir_in(above.unwrap_or(Path::new(".")))
        .with_context(|| format!("cannot write {}", to.display()))?;
    copy(trace, folder.path(), scale)?;
    Ok(compact(&Trace::open(folder.path())?, to)?)
}

/// Writes a trace for Dimemas, which has seconds; gives how many bytes it has.
fn for_dimemas(trace: &Trace, to: &Path, speed: Option<f64>) -> Result<u64> {
    let speed = match (trace.is_in_seconds(), speed) {
        (true, _) => 1.0,
        (false, Some(speed)) => speed,
        (false, None) => {
            notes::warning("1e9 flops are taken for a second; --recorded-speed says otherwise");
            USUAL_SPEED
        }
    };
    let Written { bytes, lost } = write_dimemas(trace, to, speed)?;
    if !lost.is_empty() {
        notes::warning(&format!("Dimemas has no records for: {}", lost.join(", ")));
    }
    Ok(bytes)
}

/// From one format with dates to another.
fn with_dates(from: &Path, to: &Path, format: Format) -> Result<()> {
    let name = from.display();
    let Some(known) = timed::readable(from)? else {
        bail!("{name} has no dates; replay it with --trace {} to get some", to.display())
    };
    // A table tells what ends, which is all that pages and tables ask for.
    let is_retold = known == Format::Csv && !matches!(format, Format::Csv | Format::Html);
    let mut lost = None;
    let made = timed::read(from, |cast| {
        let (writer, losses) = Lost::watch(timed::create(to, format, cast.clone())?, format);
        lost = Some(losses);
        Ok(if is_retold { Box::new(Retell::new(writer, cast)) } else { writer })
    });
    let mut left_out = made.context("cannot convert the trace")?;
    left_out.extend(lost.iter().flat_map(Lost::told));
    tell_left_out(&left_out);
    Ok(())
}

/// Writes a file for each rank; gives how many bytes they have.
fn write_text(trace: &Trace, folder: &Path, scale: f64) -> Result<u64> {
    if fs::exists(folder).unwrap_or(false) {
        let place = folder.display();
        bail!("{place} is there already; name a new folder, or a file that ends in .{COMPACT}");
    }
    tell_own_words(&copy(trace, folder, scale)?);
    let mut size = 0;
    for entry in
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?
    {
        size += entry?.metadata()?.len();
    }
    Ok(size)
}

/// Copies all actions; gives how often there are words that SimGrid does not know.
fn copy(trace: &Trace, folder: &Path, scale: f64) -> Result<BTreeMap<&'static str, u64>> {
    let mut writer = TextWriter::create(folder, trace.ranks())?;
    let mut own = BTreeMap::new();
    for rank in 0..trace.ranks() {
        let mut cursor = trace.cursor(rank);
        while let Some(action) = cursor.next()? {
            let action = match action {
                Action::Compute(seconds) => Action::Compute(seconds * scale),
                other => other,
            };
            if let Some(word) = action.own_word() {
                *own.entry(word).or_default() += 1;
            }
            writer.add(rank, &action)?;
        }
    }
    writer.finish()?;
    Ok(own)
}

fn tell_own_words(own: &BTreeMap<&'static str, u64>) {
    if !own.is_empty() {
        let words: Vec<String> = own.iter().map(|(word, count)| counted(*count, word)).collect();
        notes::warning(&format!("SimGrid does not know all words: {}", words.join(", ")));
    }
}
