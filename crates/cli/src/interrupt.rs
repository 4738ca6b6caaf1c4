//! Ctrl-C ends a run at its next date; a second one ends the command at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::SIGINT;
use signal_hook::flag;

use crate::exit::INTERRUPTED;

/// Whether the user has had enough.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on, hears Ctrl-C. Where that is impossible it ends the command, as usual.
    pub(crate) fn listen() -> Self {
        let heard = Self::default();
        // The order counts: the first signal finds the flag down, the second finds it up.
        let at_once =
            flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), heard.0.clone());
        if at_once.is_ok() {
            flag::register(SIGINT, heard.0.clone()).ok();
        }
        heard
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn was_heard(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[cfg(test)]
    pub(crate) fn press(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
