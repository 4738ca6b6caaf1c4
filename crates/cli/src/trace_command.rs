//! `foretell trace`: traces with dates summed up and shown, others made small.

mod convert;
mod summary;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use foretell_trace::Problem;
use foretell_trace::timed::{self, Cast, Event, Format, Tally, Writer};

use crate::{notes, output};

/// What to do with a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Tell where the time of a run went: by call, by rank, who waited for whom
    Summary {
        /// A trace with dates: a table that `--trace FILE.csv` has written, an OTF2 archive, or a
        /// Paraver .prv
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        /// Print the figures as JSON, those of all ranks and pairs of ranks among them
        #[arg(long)]
        json: bool,
    },
    /// Write a trace as a page for the browser: timeline, messages, power, sums
    ///
    /// `--trace FILE.html` writes the same page at the end of a run.
    View {
        /// A trace with dates: a table that `--trace FILE.csv` has written, an OTF2 archive, or a
        /// Paraver .prv
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        /// The page [default: the name of the trace, ending in .html]
        #[arg(short, long, value_name = "FILE.html")]
        output: Option<PathBuf>,
    },
    /// Write a time-independent trace in another form: compact, or as text
    ///
    /// In the compact form, what repeats is stored once, and so is what several ranks do alike.
    /// It is replayed as it is.
    Convert {
        /// The trace: a folder, a list of files, a merged or a compact file
        from: PathBuf,
        /// What to write: a compact file if its name ends in .fti, else a folder
        #[arg(value_name = "FILE.fti|FOLDER")]
        to: PathBuf,
    },
}

/// Does it.
pub(crate) fn run(command: TraceCommand) -> Result<ExitCode> {
    match command {
        TraceCommand::Summary { trace, json } => {
            let tally = tally(&trace)?;
            let text = if json { summary::json(&tally) } else { summary::text(&tally) };
            output::print(&text)?;
        }
        TraceCommand::View { trace, output } => {
            let page = output.unwrap_or_else(|| trace.with_extension("html"));
            read(&trace, |cast| Ok(timed::create(&page, Format::Html, cast.clone())?))?;
        }
        TraceCommand::Convert { from, to } => convert::run(&from, &to)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a trace, after a look at its name.
fn read(path: &Path, make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>) -> Result<()> {
    if let Some(format @ (Format::Paje | Format::Perfetto)) = Format::of(path) {
        bail!(
            "{} is a trace of the form `{}`, which is only written; write one with --trace \
             FILE.csv to look at it here",
            path.display(),
            format.name()
        );
    }
    let left_out = timed::read(path, make).context("cannot read the trace")?;
    if !left_out.is_empty() {
        notes::warning(&format!("what is not told: {}", left_out.join(", ")));
    }
    Ok(())
}

/// The sums of a trace.
fn tally(path: &Path) -> Result<Tally> {
    let shared: Rc<RefCell<Tally>> = Rc::default();
    let kept = shared.clone();
    read(path, |cast| {
        *kept.borrow_mut() = Tally::new(cast);
        Ok(Box::new(Sums(kept)))
    })?;
    Ok(shared.take())
}

/// Adds up what a trace tells.
struct Sums(Rc<RefCell<Tally>>);

impl Writer for Sums {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        self.0.borrow_mut().add(date, event);
    }

    fn finish(self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.0.borrow_mut().end = date;
        Ok(())
    }
}
