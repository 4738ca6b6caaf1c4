//! Whole programs, linked to a library that takes their process over.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use tempfile::TempDir;

/// The directory of `libtakeover.so`, which is built for the first test that asks.
fn library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let profile = test.parent().and_then(Path::parent).unwrap();
        // `cargo test` builds the examples, but not when it is asked for one test only.
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "foretell-ranks", "--example", "takeover"]);
        build.arg("--target-dir").arg(profile.parent().unwrap());
        if profile.ends_with("release") {
            build.arg("--release");
        }
        assert!(build.current_dir(env!("CARGO_MANIFEST_DIR")).status().unwrap().success());
        profile.join("examples")
    })
}

/// Compiles a C++ program, runs it on three ranks; returns its exit code, output and errors.
fn run(source: &str) -> (Option<i32>, String, String) {
    let directory = TempDir::new().unwrap();
    let (file, program) = (directory.path().join("program.cpp"), directory.path().join("program"));
    let head = "extern \"C\" { void suspend_rank(); int rank_number(); }\n#line 1\n";
    std::fs::write(&file, format!("{head}{source}")).unwrap();
    let output = Command::new("g++")
        .args(["-g", "-O0", "-pie", "-fPIE", "-pthread", "-o"])
        .args([&program, &file])
        .arg("-L")
        .arg(library())
        .args(["-ltakeover", "-Wl,-rpath"])
        .arg(library())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output = Command::new(&program).env("RANKS", "3").output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn globals_thread_locals_and_exceptions_are_the_ranks_own() {
    let (code, output, errors) = run(r#"
        #include <cstdio>
        #include <pthread.h>
        #include <stdexcept>
        #include <string>
        static int global = 10;
        static thread_local int local = 20;
        static thread_local int *pointer = &global;
        static std::string text = "first";
        static void *thread(void *) { return (void *)(long)(local + (pointer == &global)); }
        static int fail(int n) {
            suspend_rank();
            if (n == 0) throw std::runtime_error("rank " + std::to_string(rank_number()));
            return fail(n - 1);
        }
        int main() {
            global += rank_number();
            local += rank_number();
            text += std::to_string(rank_number());
            pthread_t made;
            void *seen;
            pthread_create(&made, nullptr, thread, nullptr);
            pthread_join(made, &seen);
            try {
                fail(3);
            } catch (std::exception &error) {
                suspend_rank();
                printf("%s %d %d %s %d\n", error.what(), *pointer, local, text.c_str(),
                       (int)(long)seen);
            }
            return rank_number();
        }"#);
    let expected = "rank 0 10 20 first0 21\nrank 1 11 21 first1 21\nrank 2 12 22 first2 21\n";
    assert_eq!((output.as_str(), errors.as_str()), (expected, ""));
    assert_eq!(code, Some(2));
}

#[test]
fn a_crash_in_an_image_names_function_and_line() {
    let (code, _, errors) =
        run("static int *nothing;\nnamespace app { void store(int n) { *nothing = n; } }\n\
         int main() {\n suspend_rank();\n if (rank_number() == 1) app::store(3);\n return 0;\n}\n");
    assert_eq!(code, Some(139), "{errors}");
    for part in ["rank 1 crashed: segmentation fault", "app::store(int) at", "cpp:2", "main at"] {
        assert!(errors.contains(part), "no `{part}` in {errors}");
    }
}
