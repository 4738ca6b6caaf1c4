//! `--trace`: a trace with dates, in one of several formats.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use foretell_launch::TimedTrace;
use foretell_trace::timed::{self, Cast, Format};

/// Where a trace with dates goes.
#[derive(Debug, Clone, Default, PartialEq, Args)]
pub(crate) struct TraceOptions {
    /// Write when each rank was in which call, and when messages went and came; the ending says in
    /// which format: .prv (Paraver), .otf2, .paje or .trace (Pajé), .perfetto or .pftrace, .csv,
    /// .html (a page for the browser)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// The format of --trace, whatever the name of the file
    #[arg(long, value_name = "FORMAT", requires = "trace", help_heading = "Output")]
    pub(crate) trace_format: Option<TraceFormat>,
}

/// A format of traces with dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraceFormat {
    /// Three files: .prv, .pcf and .row
    Paraver,
    /// An archive: .otf2, .def and a folder
    Otf2,
    /// Pajé's text
    Paje,
    /// Protobuf for ui.perfetto.dev
    Perfetto,
    /// A table that tells all; what `trace summary` reads
    Csv,
    /// A page for the browser
    Html,
}

impl From<TraceFormat> for Format {
    fn from(format: TraceFormat) -> Self {
        match format {
            TraceFormat::Paraver => Format::Paraver,
            TraceFormat::Otf2 => Format::Otf2,
            TraceFormat::Paje => Format::Paje,
            TraceFormat::Perfetto => Format::Perfetto,
            TraceFormat::Csv => Format::Csv,
            TraceFormat::Html => Format::Html,
        }
    }
}

impl TraceOptions {
    /// These options, and where they say nothing those of `before`.
    pub(crate) fn over(self, before: TraceOptions) -> TraceOptions {
        match self.trace.is_some() {
            true => self,
            false => before,
        }
    }

    /// Path and format of the trace, if one is asked for.
    pub(crate) fn asked(&self) -> Result<Option<(&Path, Format)>> {
        let Some(path) = self.trace.as_deref() else { return Ok(None) };
        let told = self.trace_format.map(Format::from);
        let Some(format) = told.or_else(|| Format::of(path)) else {
            let endings = Format::ALL.iter().flat_map(|format| format.endings());
            let endings = endings.map(|ending| format!(".{ending}")).collect::<Vec<_>>().join(", ");
            bail!(
                "`{}` does not tell its format; let it end in one of {endings}, or give \
                 --trace-format",
                path.display()
            );
        };
        Ok(Some((path, format)))
    }

    /// The same for a child that writes it, with lines of the source or without, after a look
    /// whether it can be written.
    pub(crate) fn request(&self, lines: bool) -> Result<Option<TimedTrace>> {
        let Some((path, format)) = self.asked()? else { return Ok(None) };
        let path = std::path::absolute(path)?;
        drop(timed::create(&path, format, Cast::default())?);
        Ok(Some(TimedTrace { path, format: format.name().to_owned(), lines }))
    }
}
