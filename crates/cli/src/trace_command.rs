//! `foretell trace`: traces with dates summed up and shown, others made small.

mod convert;
mod differ;
mod formats;
mod path;
mod summary;

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use foretell_trace::Problem;
use foretell_trace::timed::{
    self, Cast, Clocks, CriticalPath, Difference, Event, Format, Tally, Told, Whole, Wishes, Writer,
};
use foretell_units::{FlopPerSecond, Seconds};

use crate::{interrupt, notes, output};

/// What to do with a trace.
#[derive(Debug, Subcommand)]
pub(crate) enum TraceCommand {
    /// Tell where the time of a run went: by call, by rank, who waited for whom
    Summary {
        /// A trace with dates: a table that `--trace FILE.csv` has written, an OTF2 archive, or a
        /// Paraver .prv
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        /// A trace of the same run on a network that costs nothing, such as that of a replay with
        /// --link-latency 1e-9 --link-bandwidth 1e9: how long it is tells what transfers cost, and
        /// what ranks waited for each other
        #[arg(long, value_name = "TRACE")]
        ideal: Option<PathBuf>,
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
    /// Tell what the end of a run waited for, step by step: the critical path
    CriticalPath {
        /// A trace with dates: a table that `--trace FILE.csv` has written, an OTF2 archive, or a
        /// Paraver .prv. A table tells the messages of collectives, too
        #[arg(value_name = "TRACE")]
        trace: PathBuf,
        /// Print every step as JSON
        #[arg(long)]
        json: bool,
    },
    /// Compare two traces with dates, call by call, and tell where they part
    Diff {
        /// The first trace, such as one of a real run
        first: PathBuf,
        /// The second, such as one of its replay
        second: PathBuf,
        /// How many calls to name at which the second falls behind or gets ahead
        #[arg(long, value_name = "N", default_value_t = 10)]
        most: usize,
        /// Name the first call that ends further from where it ends in the other trace than this
        /// [default: a hundredth of the first trace]
        #[arg(long, value_name = "TIME")]
        lag: Option<Seconds>,
        /// What dates of each rank count from. Without this it is the first collective call of all
        /// ranks where messages came before they were sent, since clocks differ then
        #[arg(long, value_enum, value_name = "WHAT")]
        align: Option<Align>,
        /// Print the figures as JSON
        #[arg(long)]
        json: bool,
    },
    /// List the formats of traces: which can be replayed, looked at and written
    Formats,
    /// Write a trace in another format, as the new name asks for, and tell what is lost
    ///
    /// Without dates: a compact file (.fti), in which what repeats is stored once, a trace for
    /// Dimemas (.dim), or a folder with text as SimGrid's, of any trace that can be replayed. With
    /// dates (.prv, .otf2, .paje, .perfetto, .csv, .html): of an OTF2 archive, a Paraver trace or a
    /// table.
    Convert {
        /// The trace
        from: PathBuf,
        /// What to write
        #[arg(value_name = "FILE|FOLDER")]
        to: PathBuf,
        /// The speed of the processor that a trace with dates was recorded on, such as 10Gf: a
        /// recorded second becomes so many flops, and for Dimemas so many flops a second
        /// [default: 1Gf]
        #[arg(long, value_name = "SPEED")]
        recorded_speed: Option<FlopPerSecond>,
    },
}

/// What dates that are compared count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Align {
    /// The beginning of the traces
    Begin,
    /// On each rank the end of the first collective call that all ranks wait in for each other
    Collective,
}

/// Does it.
pub(crate) fn run(command: TraceCommand) -> Result<ExitCode> {
    match command {
        TraceCommand::Summary { trace, ideal, json } => {
            let tally = tally(&trace)?;
            let ideal = ideal.map(|ideal| ideal_length(&tally, &ideal)).transpose()?;
            let text = match json {
                true => summary::json(&tally, ideal),
                false => summary::text(&tally, ideal),
            };
            output::print(&text)?;
        }
        TraceCommand::View { trace, output } => {
            let page = output.unwrap_or_else(|| trace.with_extension("html"));
            interrupt::leave_nothing_beside(&page)?;
            read(&trace, |cast| Ok(timed::create(&page, Format::Html, cast.clone())?))?;
        }
        TraceCommand::CriticalPath { trace, json } => {
            let whole = whole(&trace)?;
            let path = CriticalPath::of(&whole);
            let text = if json { path::json(&whole, &path) } else { path::text(&whole, &path) };
            output::print(&text)?;
        }
        TraceCommand::Diff { first, second, most, lag, align, json } => {
            let clocks = align.map(|align| match align {
                Align::Begin => Clocks::Begin,
                Align::Collective => Clocks::Collective,
            });
            let wishes = Wishes { most, lag: lag.map(Seconds::get), clocks };
            let found = Difference::of(&told(&first)?, &told(&second)?, wishes);
            output::print(&if json { differ::json(&found) } else { differ::text(&found) })?;
        }
        TraceCommand::Formats => return formats::run(),
        TraceCommand::Convert { from, to, recorded_speed } => {
            convert::run(&from, &to, recorded_speed.map(FlopPerSecond::get))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Refuses formats that are not read, and traces without dates.
fn refuse_unsuited(path: &Path) -> Result<()> {
    if let Some(format @ (Format::Paje | Format::Perfetto)) = Format::of(path) {
        bail!(
            "{} is a trace of the form `{}`, which is only written; write one with --trace \
             FILE.csv to look at it here",
            path.display(),
            format.name()
        );
    }
    // A table is told by its ending, so that its reader can say what is wrong with it.
    let may_have_dates = !path.is_dir()
        && (Format::of(path) == Some(Format::Csv) || timed::readable(path)?.is_some());
    if !may_have_dates {
        bail!(
            "{} is no trace with dates; of one that can be replayed, `foretell replay {} -p MACHINE \
             --trace FILE.csv` makes one",
            path.display(),
            path.display()
        );
    }
    Ok(())
}

/// Reads a trace, after a look at its name.
fn read(path: &Path, make: impl FnOnce(&Cast) -> Result<Box<dyn Writer>, Problem>) -> Result<()> {
    refuse_unsuited(path)?;
    let left_out = timed::read(path, make).context("cannot read the trace")?;
    tell_left_out(&left_out);
    Ok(())
}

/// All of a trace.
fn whole(path: &Path) -> Result<Whole> {
    refuse_unsuited(path)?;
    let whole = Whole::read(path).context("cannot read the trace")?;
    tell_left_out(&whole.left_out);
    Ok(whole)
}

/// The calls of a trace.
fn told(path: &Path) -> Result<Told> {
    refuse_unsuited(path)?;
    let told = Told::read(path).context("cannot read the trace")?;
    tell_left_out(&told.left_out);
    Ok(told)
}

fn tell_left_out(left_out: &[String]) {
    if !left_out.is_empty() {
        notes::warning(&format!("what is not told: {}", left_out.join(", ")));
    }
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

/// How long a run took on a network that costs nothing.
fn ideal_length(run: &Tally, path: &Path) -> Result<f64> {
    let ideal = tally(path)?;
    let (ranks, others) = (run.cast.ranks(), ideal.cast.ranks());
    if ranks != others || ideal.end <= 0.0 || ideal.end > run.end {
        bail!(
            "{} is not the run on a network that costs nothing: it has {others} ranks and takes {} s, \
             where the run has {ranks} and takes {} s",
            path.display(),
            ideal.end,
            run.end
        );
    }
    Ok(ideal.end)
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
