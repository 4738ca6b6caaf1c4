//! Debian packages that some checks can use. None is required.

use std::path::Path;
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
    /// A file without which the program is there but of no use, and the package that has it.
    file: Option<(&'static str, &'static str)>,
}

const fn tool(program: &'static str, package: &'static str) -> Tool {
    Tool { program, package, file: None }
}

/// Debian's MPICH has its compiler wrapper in one package and the header in another.
const MPICH: Tool = Tool {
    program: "mpicc.mpich",
    package: "mpich",
    file: Some(("/usr/include/x86_64-linux-gnu/mpich/mpi.h", "libmpich-dev")),
};

/// So has Debian's Open MPI.
const OPEN_MPI: Tool = Tool {
    program: "mpicc.openmpi",
    package: "openmpi-bin",
    file: Some(("/usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h", "libopenmpi-dev")),
};

/// SimGrid's compiler wrapper and launcher, for the side-by-side runs.
pub(crate) const SIMGRID: Tool = tool("smpicc", "libsimgrid-dev");
/// Compiles Fortran.
pub(crate) const GFORTRAN: Tool = tool("gfortran", "gfortran");
/// What tests look at traces with, and real MPI libraries whose runs they trace.
pub(crate) const FOR_TRACES: [Tool; 6] = [
    tool("otf2-print", "otf2-tools"),
    tool("pj_dump", "pajeng"),
    tool("chromium", "chromium"),
    MPICH,
    OPEN_MPI,
    GFORTRAN,
];
/// Counts instructions.
pub(crate) const VALGRIND: Tool = tool("valgrind", "valgrind");

impl Tool {
    /// Whether the tool can be used, after trying to install it where `policy` allows that.
    pub(crate) fn ready(self, policy: Policy) -> bool {
        if self.is_there() {
            return true;
        }
        policy == Policy::Auto && may_install() && self.install() && self.is_there()
    }

    fn is_there(self) -> bool {
        shell::exists(self.program) && self.file.is_none_or(|(file, _)| Path::new(file).exists())
    }

    /// What to tell a person who lacks the tool.
    pub(crate) fn hint(self) -> String {
        format!("{} is not here (Debian package {})", self.program, self.package)
    }

    fn install(self) -> bool {
        let mut packages = vec![self.package];
        packages.extend(self.file.map(|(_, package)| package));
        install(&packages)
    }
}

/// Brings bindgen's libclang, which is no program: who needs it finds out that it is not there.
pub(crate) fn bring_libclang(policy: Policy) -> bool {
    policy == Policy::Auto && may_install() && install(&["libclang-dev"])
}

fn install(packages: &[&str]) -> bool {
    let install = || {
        let arguments = ["install", "-y", "-qq", "--no-install-recommends"];
        apt(&[&arguments, packages].concat())
    };
    // A fresh image has no package lists: fetch them and try once more.
    install() || (apt(&["update", "-qq"]) && install())
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
