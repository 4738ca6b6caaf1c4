//! Ctrl-C, or a request to terminate, ends a run at its next date; a second one ends the command at
//! once. So what was begun beside a file that is to be written is taken away again.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result};
use foretell_trace::timed;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::exit::INTERRUPTED;

/// From now on, both end the command at once, and take away what it has begun to write beside this
/// file. For work that has no dates between which it could look up.
pub(crate) fn leave_nothing_beside(file: &Path) -> Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot listen to signals")?;
    let file = file.to_owned();
    thread::spawn(move || {
        if signals.forever().next().is_some() {
            timed::sweep(&file, std::process::id());
            std::process::exit(INTERRUPTED.into());
        }
    });
    Ok(())
}

/// Whether the user has had enough.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, hears both. Where that is impossible they end the command, as usual.
    pub(crate) fn listen() -> Self {
        let heard = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // The order counts: the first signal finds the flag down, the second finds it up.
            let at_once =
                flag::register_conditional_shutdown(signal, INTERRUPTED.into(), heard.0.clone());
            if at_once.is_ok() {
                flag::register(signal, heard.0.clone()).ok();
            }
        }
        heard
    }

    /// Whether one of them has come.
    pub(crate) fn was_heard(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
