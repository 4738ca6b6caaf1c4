//! Small commands that become the `foretell` beside them, so that there is one program to build
//! and to load.

use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

/// Bad usage or bad input, as everywhere in foretell.
const BAD_INPUT: u8 = 2;

/// Replaces this process by `foretell WORD` with the same arguments; comes back only if that
/// failed.
pub(crate) fn become_foretell(word: &str) -> ExitCode {
    // The real place: the command may have been called by a link from another folder.
    let own = std::env::current_exe().and_then(|path| path.canonicalize());
    let beside = own.unwrap_or_default().with_file_name("foretell");
    let error = Command::new(&beside).arg(word).args(std::env::args_os().skip(1)).exec();
    eprintln!(
        "error: cannot start {}: {error}; install the commands of foretell together",
        beside.display()
    );
    ExitCode::from(BAD_INPUT)
}
