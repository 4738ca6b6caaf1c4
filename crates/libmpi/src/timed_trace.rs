//! Traces with dates.

use std::cell::RefCell;

use foretell_launch::{Launch, Machine};
use foretell_platform::{HostId, Platform};
use foretell_replay::{Scene, Tracer};
use foretell_trace::timed::Format;

use crate::meter;
use crate::rank::RankContext;

thread_local! {
    /// The trace that is being written.
    static UNDER_WAY: RefCell<Option<Tracer>> = const { RefCell::new(None) };
}

/// How long a trace may take to be ended after a crash, in seconds.
const PATIENCE: u32 = 60;

/// Ends the trace after a crash, from the handler of the signal. Where the crash has left a lock
/// behind, the alarm ends the process, and the parent removes the drafts.
pub(crate) fn rescue() {
    let tracer = UNDER_WAY.try_with(|tracer| tracer.try_borrow().ok()?.clone());
    let Ok(Some(tracer)) = tracer else { return };
    // SAFETY: asks for a signal, whose handler ends the process.
    unsafe { libc::alarm(PATIENCE) };
    if let Some(here) = RankContext::peek() {
        here.comm.rescue_watch();
    }
    tracer.rescue();
}

/// Begins a trace if the launch asks for one.
pub(crate) fn begin(
    launch: &Launch,
    platform: &Platform,
    hosts: &[HostId],
) -> Result<Option<Tracer>, String> {
    let Some(asked) = &launch.trace else { return Ok(None) };
    let format = Format::named(&asked.format);
    let format = format.ok_or_else(|| format!("there is no trace format `{}`", asked.format))?;
    let machine = match &launch.machine {
        Machine::Preset(name) => name.clone(),
        Machine::File(path) => {
            path.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
        }
        Machine::Text(_) => "star".into(),
    };
    let names = launch.programs.iter().map(|program| program.name.as_str());
    let program = names.collect::<Vec<_>>().join(" : ");
    let scene = Scene { program: &program, machine: &machine, platform, hosts };
    let tracer = Tracer::create(&asked.path, format, &scene).map_err(|error| error.to_string())?;
    meter::name_calls();
    if asked.lines {
        meter::place_calls();
    }
    UNDER_WAY.set(Some(tracer.clone()));
    Ok(Some(tracer))
}
