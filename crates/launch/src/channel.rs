//! Memory files that a child inherits.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::FileExt;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::description::Launch;
use crate::error::LaunchError;
use crate::page::Page;

/// The variable of the environment that tells a child where its launch is.
pub const VARIABLE: &str = "FORETELL_LAUNCH";

/// The way back from child to parent.
#[derive(Debug)]
pub struct Channels {
    /// Where the child leaves its [`crate::Outcome`].
    pub outcome: OwnedFd,
    /// How far it has come.
    pub page: Page,
}

/// What stands in the launch file: the description, and the numbers of the other files.
#[derive(Debug, Serialize, serde::Deserialize)]
pub(crate) struct Envelope<L> {
    pub(crate) outcome: i32,
    pub(crate) page: i32,
    pub(crate) launch: L,
}

impl Launch {
    /// Writes the description down for a child that is started next.
    ///
    /// The files stay open in every program started until they are dropped, which is how the
    /// child gets them; the first one's number belongs into [`VARIABLE`].
    ///
    /// # Errors
    ///
    /// Fails if the system has no memory or no file numbers left.
    pub fn send(&self) -> Result<(OwnedFd, Channels), LaunchError> {
        let channels = Channels { outcome: memory("foretell-outcome")?, page: Page::create()? };
        let envelope = Envelope {
            outcome: channels.outcome.as_raw_fd(),
            page: channels.page.number(),
            launch: self,
        };
        let launch = memory("foretell-launch")?;
        write(&launch, "launch", &envelope)?;
        Ok((launch, channels))
    }
}

/// A new file in memory that programs started from here inherit.
pub(crate) fn memory(name: &str) -> Result<OwnedFd, LaunchError> {
    memfd_create(name, MemfdFlags::empty())
        .map_err(|error| LaunchError::System { what: "create a memory file", error: error.into() })
}

/// Replaces what is in a file.
pub(crate) fn write(
    fd: impl AsFd,
    what: &'static str,
    value: &impl Serialize,
) -> Result<(), LaunchError> {
    let text = serde_json::to_vec(value).map_err(|error| LaunchError::Malformed { what, error })?;
    let written = || {
        ftruncate(&fd, 0)?;
        File::from(fd.as_fd().try_clone_to_owned()?).write_all_at(&text, 0)
    };
    written().map_err(LaunchError::system("write to a memory file"))
}

/// Reads all of a file; none if nothing was ever written to it.
pub(crate) fn read<T: DeserializeOwned>(
    fd: impl AsFd,
    what: &'static str,
) -> Result<Option<T>, LaunchError> {
    let text = bytes(fd).map_err(LaunchError::system("read a memory file"))?;
    if text.is_empty() {
        return Ok(None);
    }
    serde_json::from_slice(&text).map(Some).map_err(|error| LaunchError::Malformed { what, error })
}

/// All of a file, whatever has been read from it before.
fn bytes(fd: impl AsFd) -> std::io::Result<Vec<u8>> {
    let file = File::from(fd.as_fd().try_clone_to_owned()?);
    let mut bytes = vec![0; file.metadata()?.len() as usize];
    file.read_exact_at(&mut bytes, 0)?;
    Ok(bytes)
}
