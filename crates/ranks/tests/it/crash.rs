//! Reports of crashes, each in a process of its own.

use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::rc::Rc;

use foretell_ranks::{GuardChoice, Settings, Surroundings, surround};

use crate::program::{Program, begin_with, finish};

const SOURCE: &str = "FORETELL_TEST_CRASH";
const GUARD: &str = "FORETELL_TEST_GUARD";

/// A world that stands still.
struct Still;

impl Surroundings for Still {
    fn date(&self) -> f64 {
        1.25
    }

    fn sleep(&self, _seconds: f64) {}

    fn last_call(&self, rank: u32) -> String {
        format!("MPI_Recv from {rank}")
    }
}

/// Runs a program on two ranks in another process; returns its exit code and what it reported.
fn crash(source: &str, guard: &str) -> (i32, String) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::child", "--ignored", "--nocapture"])
        .env(SOURCE, source)
        .env(GUARD, guard)
        .output()
        .unwrap();
    let status = output.status;
    let report = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(status.signal(), None, "{report}");
    (status.code().unwrap(), report)
}

// Ends its process: the tests below start it in one of its own.
#[test]
#[ignore = "crashes: run by the other tests in a process of its own"]
fn child() {
    let source = std::env::var(SOURCE).unwrap();
    let guard = match std::env::var(GUARD).unwrap().as_str() {
        "pages" => GuardChoice::Pages,
        "canary" => GuardChoice::Canary,
        _ => GuardChoice::Sure,
    };
    surround(Rc::new(Still));
    let settings = Settings { stack_size: 128 * 1024, guard, ..Settings::default() };
    let (_ranks, mut all) = begin_with(settings, Program::c(&source), 2, &["program"]);
    finish(&mut all);
}

#[track_caller]
fn check(source: &str, code: i32, expected: &[&str]) {
    let (exit, report) = crash(source, "sure");
    for part in expected {
        assert!(report.contains(part), "no `{part}` in:\n{report}");
    }
    assert_eq!(exit, code, "{report}");
}

const SECOND_RANK: &str = "static int turn(void) { suspend_rank(); return 1; }\n";

#[test]
fn a_bad_pointer_is_reported_with_rank_and_line() {
    let source = "static void bad(int *p) {\n *p = 1;\n}\n\
        int main(int c, char **v) {\n suspend_rank();\n bad((int *)16);\n return 0;\n}\n";
    check(
        source,
        139,
        &[
            "error: rank 0 crashed: segmentation fault (SIGSEGV): null pointer, address 0x10",
            "simulated time: 1.250000000 s",
            "last MPI call: MPI_Recv from 0",
            "bad at ",
            "program.c:2",
            "main at ",
            "program.c:6",
        ],
    );
}

#[test]
fn a_call_through_a_null_pointer_names_the_caller() {
    let source = "int main(int c, char **v) {\n void (*f)(void) = 0;\n f();\n return 0;\n}\n";
    check(source, 139, &["null pointer, address 0x0", "program.c:3"]);
}

#[test]
fn an_overflow_names_the_stack_and_the_option() {
    let source = "static int deep(int n) {\n volatile char room[1000]; room[0] = n;\n\
        return n == 0 ? 0 : deep(n - 1) + room[0];\n}\n\
        int main(int c, char **v) { return deep(1000000); }\n";
    for guard in ["sure", "pages"] {
        let (code, report) = crash(source, guard);
        assert!(report.contains("rank 0 overflowed its stack of 128 KiB"), "{guard}: {report}");
        assert!(report.contains("--stack-size"), "{report}");
        assert!(report.contains("deep at "), "{report}");
        assert_eq!(code, 139);
    }
}

#[test]
fn an_overflow_without_guard_is_noticed_at_the_switch() {
    let source = "static void deep(int n) {\n volatile char room[1000];\n\
        for (int i = 0; i < 1000; i++) room[i] = n;\n if (n) deep(n - 1);\n}\n\
        int main(int c, char **v) { suspend_rank(); deep(130); suspend_rank(); return 0; }\n";
    let (code, report) = crash(source, "canary");
    assert!(report.contains("overflowed its stack of 128 KiB, which has no guard"), "{report}");
    assert_eq!(code, 139);
}

#[test]
fn a_division_by_zero_is_told_in_words() {
    let source = "int main(int c, char **v) { volatile int z = c - 1; return c / z; }\n";
    check(source, 136, &["arithmetic error (SIGFPE): integer division by zero", "main at "]);
}

#[test]
fn a_failed_assertion_is_a_crash_of_the_rank() {
    let source = format!(
        "{SECOND_RANK}#include <assert.h>\nint main(int c, char **v) {{\n turn();\n \
         assert(c == 7);\n return 0;\n}}\n"
    );
    check(&source, 134, &["c == 7", "rank 0 crashed: SIGABRT: it called abort", "program.c:5"]);
}

#[test]
fn a_rank_may_handle_its_faults_itself() {
    let source = r#"
        #include <setjmp.h>
        #include <signal.h>
        #include <stdio.h>
        static sigjmp_buf back;
        static void handler(int signal) { siglongjmp(back, signal); }
        int main(int c, char **v) {
            struct sigaction before;
            sigaction(SIGSEGV, 0, &before);
            if (before.sa_handler != SIG_DFL) return 3;
            signal(SIGSEGV, handler);
            suspend_rank();
            int caught = sigsetjmp(back, 1);
            if (caught == 0) *(volatile int *)8 = 1;
            fprintf(stderr, "caught %d\n", caught);
            return 0;
        }"#;
    let (code, report) = crash(source, "sure");
    assert_eq!(report.matches("caught 11").count(), 2, "{report}");
    assert_eq!(code, 0, "{report}");
}
