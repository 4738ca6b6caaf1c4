//! A place where foretell is installed, with a library and a program that stand in for ours.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::Said;

/// What `foretell demo` compiles and runs there.
const DEMONSTRATED: &str = "#include <mpi.h>\n#include <stdio.h>\n\
    int main(int c, char **v) { MPI_Init(&c, &v); printf(\"plate of %s\\n\", v[1]); return 0; }\n";

/// The commands, a header and a library below one folder.
pub(crate) struct Prefix {
    folder: tempfile::TempDir,
}

/// The one that all tests share.
pub(crate) fn prefix() -> &'static Prefix {
    static PREFIX: OnceLock<Prefix> = OnceLock::new();
    PREFIX.get_or_init(Prefix::new)
}

impl Prefix {
    fn new() -> Self {
        // On the file system of the commands, which are linked into it.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let prefix = Self { folder };
        for name in ["bin", "lib", "include", "share/foretell/fortran"] {
            std::fs::create_dir_all(prefix.path(name)).unwrap();
        }
        let commands = [
            assert_cmd::cargo::cargo_bin!("foretell"),
            assert_cmd::cargo::cargo_bin!("foretell-mpicc"),
            assert_cmd::cargo::cargo_bin!("foretell-mpicxx"),
            assert_cmd::cargo::cargo_bin!("foretell-mpifort"),
            assert_cmd::cargo::cargo_bin!("foretell-mpirun"),
        ];
        for command in commands {
            let name = command.file_name().unwrap();
            std::fs::hard_link(command, prefix.path("bin").join(name)).unwrap();
        }
        std::fs::copy(fake("mpi.h"), prefix.path("include/mpi.h")).unwrap();
        for module in ["mpi", "mpi_f08"] {
            let text =
                format!("module {module}\n  integer, parameter :: MPI_WORD = 5\nend module\n");
            let place = format!("share/foretell/fortran/{module}.f90");
            std::fs::write(prefix.path(&place), text).unwrap();
        }
        let library = prefix.path("lib/libmpi_abi.so.1");
        let mut gcc = Command::new("gcc");
        gcc.args(["-shared", "-fPIC", "-w", "-Wl,-soname,libmpi_abi.so.1", "-o"]);
        assert!(gcc.arg(&library).arg(fake("libmpi_abi.c")).status().unwrap().success());
        let examples = prefix.path("share/foretell/examples");
        std::fs::create_dir_all(&examples).unwrap();
        std::fs::write(examples.join("heat.c"), DEMONSTRATED).unwrap();
        std::os::unix::fs::symlink(&library, prefix.path("lib/libmpi_abi.so")).unwrap();
        prefix
    }

    /// A file below the prefix.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs one of the commands.
    pub(crate) fn run(&self, line: &str) -> Said {
        self.run_words(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs one of the commands with these words.
    pub(crate) fn run_words(&self, words: &[&str]) -> Said {
        said(self.command(words[0]).args(&words[1..]))
    }

    /// One of the commands, not yet started.
    pub(crate) fn command(&self, name: &str) -> Command {
        let mut command = Command::new(self.path("bin").join(name));
        command.current_dir(self.folder.path());
        let unwanted =
            ["FORETELL_CC", "FORETELL_CXX", "FORETELL_FC", "LD_PRELOAD", "LD_LIBRARY_PATH"];
        for variable in unwanted {
            command.env_remove(variable);
        }
        command.env("XDG_CACHE_HOME", self.path("cache"));
        command
    }

    /// Builds a program from C with our wrapper; the same name must mean the same text.
    pub(crate) fn program(&self, name: &str, text: &str) -> PathBuf {
        let source = self.path(&format!("{name}.c"));
        std::fs::write(&source, text).unwrap();
        let program = self.path(name);
        let built =
            self.run(&format!("foretell-mpicc -w {} -o {}", source.display(), program.display()));
        assert_eq!(built.code, 0, "{}", built.err);
        program
    }
}

/// What a command says, and its exit code.
pub(crate) fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let code = output.status.code().expect("the command is not ended by a signal");
    Said { out: text(output.stdout), err: text(output.stderr), code }
}

fn fake(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fake").join(name)
}
