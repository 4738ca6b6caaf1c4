//! Ranks of an ordinary executable, each with its own image.

use std::ffi::CStr;
use std::path::Path;
use std::process::Command;
use std::rc::Rc;

use foretell_images::{Libraries, Program as Executable};
use foretell_ranks::{How, Loaded, Privacy, Settings, Step, Template};
use tempfile::TempDir;

use crate::program::{self, GETOPT, begin_with, finish, notes};

/// An executable that may call what test programs may call.
struct WithNotes(Executable);

impl Template for WithNotes {
    fn load(
        &self,
        number: u32,
        privacy: Privacy,
        interposed: &dyn Fn(&CStr) -> Option<usize>,
    ) -> Result<Rc<dyn Loaded>, String> {
        self.0.load(number, privacy, &|name| program::of_tests(name).or_else(|| interposed(name)))
    }

    fn mappings_per_rank(&self, privacy: Privacy) -> usize {
        self.0.mappings_per_rank(privacy)
    }
}

fn run(command: &str, flags: &[&str], files: &[&Path]) {
    let output = Command::new(command).args(flags).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn executable(compiler: &str, name: &str, source: &str) -> (TempDir, Box<dyn Template>) {
    let directory = TempDir::new().unwrap();
    let (file, program) = (directory.path().join(name), directory.path().join("program"));
    std::fs::write(&file, format!("{}{source}", program::DECLARATIONS)).unwrap();
    // The linker wants to see what the interposer will provide.
    let stubs = directory.path().join("libstubs.so");
    let stub_file = directory.path().join("stubs.c");
    std::fs::write(&stub_file, "void note(int n) {}\nvoid suspend_rank(void) {}\n").unwrap();
    run("gcc", &["-shared", "-fPIC", "-o"], &[&stubs, &stub_file]);
    let flags = ["-g", "-pie", "-fPIE", "-Wno-main", "-Wl,-rpath,$ORIGIN", "-o"];
    run(compiler, &flags, &[&program, &file, &stubs]);
    let opened = Executable::open(&program, &Libraries::None).unwrap();
    (directory, Box::new(WithNotes(opened)))
}

#[test]
fn each_rank_has_its_own_globals_options_and_exit() {
    let _alone = GETOPT.lock().unwrap();
    let source = r#"
        #include <stdlib.h>
        #include <unistd.h>
        int count = 100;
        static int *pointer = &count;
        static void last(void) { note(count); }
        __attribute__((constructor)) static void first(void) { count += 5; }
        __attribute__((destructor)) static void after(void) { note(-1); }
        int main(int argc, char **argv) {
            int option;
            atexit(last);
            while ((option = getopt(argc, argv, "n:")) != -1) {
                *pointer += atoi(optarg);
                suspend_rank();
            }
            note(optind);
            exit(count - 100);
        }"#;
    let (_directory, program) = executable("gcc", "program.c", source);
    let arguments = ["program", "-n", "1", "-n2", "rest"];
    let (_ranks, mut all) = begin_with(Settings::default(), program, 3, &arguments);
    assert_eq!(finish(&mut all), [Step::Ended(8, How::Exited); 3]);
    let expected: Vec<_> = (0..3).flat_map(|rank| [(rank, 4), (rank, 108), (rank, -1)]).collect();
    assert_eq!(notes(), expected);
}

#[test]
fn globals_may_be_shared_if_asked_for() {
    let source = "int count;\nint main(int c, char **v) { count++; suspend_rank(); return count; }";
    let (_directory, program) = executable("gcc", "program.c", source);
    let settings = Settings { privacy: Privacy::Shared, ..Settings::default() };
    let (_ranks, mut all) = begin_with(settings, program, 3, &["program"]);
    assert_eq!(finish(&mut all), [Step::Ended(3, How::Returned); 3]);
}
