//! The child's end: takes the launch over.

use std::ffi::OsString;
use std::os::fd::{AsFd, FromRawFd, OwnedFd, RawFd};
use std::path::Path;

use rustix::io::{FdFlags, fcntl_setfd};
use serde::Deserialize;

use crate::channel::{self, Channels, Envelope, VARIABLE};
use crate::description::Launch;
use crate::error::LaunchError;
use crate::page::Page;

/// The least that any version of a launch tells.
#[derive(Debug, Deserialize)]
struct Version {
    version: String,
}

impl Launch {
    /// Takes over what a parent has written for this process; none if it was started otherwise.
    ///
    /// The variable is removed from the environment and the files are closed in programs that
    /// this one starts, so those run on their own. The page tells the parent who took over.
    ///
    /// # Errors
    ///
    /// Fails if the files are not there or not understood, or if another process that still runs
    /// took them over.
    ///
    /// # Safety
    ///
    /// No other thread may read or change the environment meanwhile, and the files that
    /// [`VARIABLE`] leads to must not be in use: call this once, before the program starts.
    #[allow(unsafe_code, reason = "changes the environment and takes over file numbers")]
    pub unsafe fn receive() -> Option<Result<(Launch, Channels), LaunchError>> {
        let number = std::env::var_os(VARIABLE)?;
        // SAFETY: the caller says that no other thread looks at the environment.
        unsafe { std::env::remove_var(VARIABLE) };
        // SAFETY: the caller says that nothing else uses the files.
        Some(unsafe { take_over(&number) })
    }
}

/// Reads the launch in the file of this number and takes its channels over.
///
/// # Safety
///
/// The file, if it is a launch, and those it names are not in use.
#[allow(unsafe_code, reason = "takes over file numbers")]
unsafe fn take_over(number: &OsString) -> Result<(Launch, Channels), LaunchError> {
    let text = || LaunchError::NoFile(number.to_string_lossy().into_owned());
    let number: RawFd = number.to_str().and_then(|text| text.parse().ok()).ok_or_else(text)?;
    if !is_open(number) {
        return Err(text());
    }
    // SAFETY: it is open, and the caller says that nothing else uses it.
    let launch = unsafe { OwnedFd::from_raw_fd(number) };
    let malformed = || {
        let error = serde::de::Error::custom("it is empty");
        LaunchError::Malformed { what: "launch", error }
    };
    let envelope: Envelope<Version> = channel::read(&launch, "launch")?.ok_or_else(malformed)?;
    if !is_open(envelope.outcome) || !is_open(envelope.page) {
        return Err(text());
    }
    // SAFETY: as above; the parent made these files for us alone.
    let files =
        unsafe { [OwnedFd::from_raw_fd(envelope.outcome), OwnedFd::from_raw_fd(envelope.page)] };
    files.iter().try_for_each(close_on_exec)?;
    let [outcome, page] = files;
    let channels = Channels { outcome, page: Page::inherited(page) };
    // First of all, so that the parent knows who complains from here on.
    channels.claim()?;
    let (parent, child) = (envelope.launch.version, env!("CARGO_PKG_VERSION").to_owned());
    if parent != child {
        return Err(LaunchError::Versions { parent, child });
    }
    let envelope: Envelope<Launch> = channel::read(&launch, "launch")?.ok_or_else(malformed)?;
    Ok((envelope.launch, channels))
}

impl Channels {
    /// Tells the parent that this process takes the launch over.
    fn claim(&self) -> Result<(), LaunchError> {
        let before = self.page.progress()?.process;
        let process = std::process::id();
        // A debugger or a script may start one program after another.
        let still_runs = || Path::new("/proc").join(before.to_string()).exists();
        if before != 0 && before != process && still_runs() {
            return Err(LaunchError::Taken(before));
        }
        self.page.begin(process)
    }
}

fn is_open(number: RawFd) -> bool {
    number >= 0 && Path::new("/proc/self/fd").join(number.to_string()).exists()
}

fn close_on_exec(file: &OwnedFd) -> Result<(), LaunchError> {
    fcntl_setfd(file.as_fd(), FdFlags::CLOEXEC).map_err(|error| LaunchError::System {
        what: "keep a memory file from other programs",
        error: error.into(),
    })
}

#[cfg(test)]
mod tests;
