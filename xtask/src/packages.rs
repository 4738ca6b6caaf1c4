//! Debian packages that some checks can use. None is required.

use std::process::Command;

use clap::ValueEnum;

use crate::shell;

/// Whether a missing package may be installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Install with apt-get when run by root
    Auto,
    /// Use what is there
    Never,
}

/// A program and the Debian package that brings it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tool {
    program: &'static str,
    package: &'static str,
}

/// SimGrid's compiler wrapper and launcher, for the side-by-side runs.
pub(crate) const SIMGRID: Tool = Tool { program: "smpicc", package: "libsimgrid-dev" };
/// Compiles Fortran.
pub(crate) const GFORTRAN: Tool = Tool { program: "gfortran", package: "gfortran" };
/// What tests look at traces with, and a real MPI library whose runs they trace.
pub(crate) const FOR_TRACES: [Tool; 4] = [
    Tool { program: "otf2-print", package: "otf2-tools" },
    Tool { program: "pj_dump", package: "pajeng" },
    Tool { program: "chromium", package: "chromium" },
    Tool { program: "mpicc.mpich", package: "mpich" },
];
/// Counts instructions.
pub(crate) const VALGRIND: Tool = Tool { program: "valgrind", package: "valgrind" };

impl Tool {
    /// Whether the tool can be used, after trying to install it where `policy` allows that.
    pub(crate) fn ready(self, policy: Policy) -> bool {
        if shell::exists(self.program) {
            return true;
        }
        policy == Policy::Auto && may_install() && self.install() && shell::exists(self.program)
    }

    /// What to tell a person who lacks the tool.
    pub(crate) fn hint(self) -> String {
        format!("{} is not here (Debian package {})", self.program, self.package)
    }

    fn install(self) -> bool {
        let install = || apt(&["install", "-y", "-qq", "--no-install-recommends", self.package]);
        // A fresh image has no package lists: fetch them and try once more.
        install() || (apt(&["update", "-qq"]) && install())
    }
}

fn apt(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    match shell::run(&mut command) {
        Ok(()) => true,
        Err(error) => {
            println!("{error:#}");
            false
        }
    }
}

fn may_install() -> bool {
    nix::unistd::geteuid().is_root() && shell::exists("apt-get")
}
