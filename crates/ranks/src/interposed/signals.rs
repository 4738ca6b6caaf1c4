//! Handlers of crash signals that a program installs belong to the rank that installs them.
//!
//! For these signals the process keeps our handler, which calls the rank's own if it has one and
//! reports the crash otherwise. All other signals go to the C library.

use std::cell::RefCell;
use std::ffi::c_int;

use libc::{sigaction, sighandler_t};

use super::{Entry, table};
use crate::context;
use crate::crash;

pub(super) fn table() -> Vec<Entry> {
    table![
        sigaction => our_sigaction,
        signal => our_signal,
        bsd_signal => our_signal,
        ssignal => our_signal,
        __sysv_signal => our_signal,
    ]
}

/// What a rank wants done on crash signals; those not listed have the default.
#[derive(Default)]
pub(crate) struct Dispositions(RefCell<Vec<(c_int, sigaction)>>);

impl Dispositions {
    /// What the rank wants done on `signal`, if it has said so.
    pub(crate) fn of(&self, signal: c_int) -> Option<sigaction> {
        // A signal may come while the list is being changed.
        let list = self.0.try_borrow().ok()?;
        list.iter().find(|(known, _)| *known == signal).map(|(_, action)| *action)
    }

    /// Returns to the default, after a handler that was to be called once.
    pub(crate) fn forget(&self, signal: c_int) {
        if let Ok(mut list) = self.0.try_borrow_mut() {
            list.retain(|(known, _)| *known != signal);
        }
    }

    fn set(&self, signal: c_int, action: sigaction) {
        let mut list = self.0.borrow_mut();
        list.retain(|(known, _)| *known != signal);
        list.push((signal, action));
    }
}

fn default_action() -> sigaction {
    // SAFETY: a structure of integers and pointers for which zero means the default action.
    unsafe { std::mem::zeroed() }
}

unsafe extern "C" fn our_sigaction(
    signal: c_int,
    new: *const sigaction,
    old: *mut sigaction,
) -> c_int {
    let kept = crash::SIGNALS.contains(&signal).then(|| {
        context::with_body(|body| {
            let before = body.life.signals.of(signal).unwrap_or_else(default_action);
            // SAFETY: the program gives an action to install, or null.
            if let Some(new) = unsafe { new.as_ref() } {
                body.life.signals.set(signal, *new);
            }
            if !old.is_null() {
                // SAFETY: the program gives a place for the action before, or null.
                unsafe { old.write(before) };
            }
            0
        })
    });
    // SAFETY: passed on as it came.
    kept.flatten().unwrap_or_else(|| unsafe { libc::sigaction(signal, new, old) })
}

unsafe extern "C" fn our_signal(signal: c_int, handler: sighandler_t) -> sighandler_t {
    let mut new = default_action();
    let mut old = default_action();
    new.sa_sigaction = handler;
    new.sa_flags = libc::SA_RESTART;
    // SAFETY: both actions are locals.
    if unsafe { our_sigaction(signal, &new, &mut old) } == 0 {
        old.sa_sigaction
    } else {
        libc::SIG_ERR
    }
}
