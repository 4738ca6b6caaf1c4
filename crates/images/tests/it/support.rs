//! Compiling small programs and running them in images.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// A directory with the sources and products of one test.
pub(crate) struct Workshop {
    directory: TempDir,
}

impl Workshop {
    pub(crate) fn new() -> Workshop {
        Workshop { directory: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a source file.
    pub(crate) fn source(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// Runs a tool in the directory; a tool that is missing or fails ends the test.
    pub(crate) fn tool(&self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let output = Command::new(words[0])
            .args(&words[1..])
            .current_dir(self.directory.path())
            .output()
            .unwrap_or_else(|error| panic!("the tests need {}: {error}", words[0]));
        assert!(output.status.success(), "{line}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Compiles and links `./program` with the library that runs it in images; `line` is the
    /// compiler, sources and options.
    pub(crate) fn program(&self, line: &str) {
        let library = start_library().display();
        self.tool(&format!("{line} -o program -L. -Wl,-rpath,$ORIGIN -L{library} -Wl,--no-as-needed -lstart -Wl,-rpath,{library}"));
    }

    /// Runs `./program` with settings such as `IMAGES=3`; gives what it printed, errors too.
    pub(crate) fn run(&self, settings: &str) -> (i32, String) {
        let output = Command::new(self.path("program"))
            .envs(settings.split_whitespace().filter_map(|setting| setting.split_once('=')))
            .current_dir(self.directory.path())
            .output()
            .unwrap();
        let text = [output.stdout, output.stderr].concat();
        let code = output.status.code().unwrap_or(-1);
        (code, String::from_utf8_lossy(&text).into_owned())
    }
}

/// Compiles a program, runs it in images, and compares what it prints.
#[track_caller]
pub(crate) fn check(line: &str, source: &str, settings: &str, expected: &str) {
    let workshop = Workshop::new();
    let language = if line.starts_with("g++") { "cpp" } else { "c" };
    workshop.source(&format!("main.{language}"), source);
    workshop.program(&format!("{line} main.{language}"));
    let (code, output) = workshop.run(settings);
    assert_eq!((code, output.as_str()), (0, expected));
}

/// The directory of the example library `start`, which cargo builds with the tests; built here
/// when only some tests were asked for.
fn start_library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let executable = std::env::current_exe().unwrap();
        let profile = executable.parent().and_then(Path::parent).unwrap();
        let directory = profile.join("examples");
        if !directory.join("libstart.so").exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.args(["build", "-p", "foretell-images", "--example", "start", "--target-dir"]);
            cargo.arg(profile.parent().unwrap());
            if !cfg!(debug_assertions) {
                cargo.arg("--release");
            }
            assert!(cargo.status().unwrap().success(), "the library `start` does not build");
        }
        directory
    })
}
