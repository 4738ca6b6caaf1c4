//! Images other than private ones, and what is known of a program.

use crate::support::{Workshop, check};

const COUNTING: &str = r#"#include <stdio.h>
    #include <unistd.h>
    int n; int main(void) { fprintf(stdout, "%d %d\n", ++n, getppid()); return 0; }"#;

#[test]
fn shared_images_share_everything_but_call_interposed_functions() {
    check("gcc", COUNTING, "MODE=shared ROUNDS=2", "1 4242\n2 4242\n3 4242\n4 4242\n");
}

#[test]
fn shared_images_of_programs_bound_at_once_are_redirected_too() {
    check("gcc -Wl,-z,now", COUNTING, "MODE=shared", "1 4242\n2 4242\n");
}

#[test]
fn copies_made_by_the_loader_are_private() {
    check("gcc", COUNTING, "MODE=copied ROUNDS=2", "1 4242\n1 4242\n2 4242\n2 4242\n");
}

#[test]
fn copies_made_by_the_loader_run_their_constructors_once() {
    check(
        "g++",
        r#"#include <cstdio>
           struct S { int n; S() : n(5) { puts("+"); } ~S() { puts("-"); } } s;
           int main() { try { throw 1; } catch (int) { printf("%d\n", s.n++); } return 0; }"#,
        "MODE=copied",
        "+\n5\n+\n5\n-\n-\n",
    );
}

#[track_caller]
fn check_globals(line: &str, source: &str, expected: bool) {
    let workshop = Workshop::new();
    workshop.source("main.cpp", source);
    workshop.program(&format!("{line} main.cpp"));
    let (code, output) = workshop.run("INFO=1 IMAGES=1");
    assert_eq!(code, 0, "{output}");
    let line = output.lines().find(|line| line.starts_with("globals=")).unwrap();
    assert_eq!(line.starts_with("globals=true"), expected, "{line}");
    assert!(line.ends_with("mappings=2"), "{line}");
}

#[test]
fn programs_without_globals_are_recognised() {
    let plain = "#include <stdio.h>\nint main() { fprintf(stdout, \"%d\", 1); return 0; }";
    check_globals("g++ -x c", plain, false);
    check_globals("g++", plain, false);
    check_globals("g++ -Wl,-z,now -O2", plain, false);
    check_globals("g++", "#include <iostream>\nint main() { std::cout << 1; return 0; }", false);
}

#[test]
fn a_single_byte_counts_as_a_global() {
    check_globals("g++", "static char c; int main() { return c++; }", true);
    check_globals("g++", "int n = 4; int main() { return n++ - 4; }", true);
    check_globals("g++ -s", "int main() { return 0; }", true);
}

#[test]
fn debuggers_learn_where_an_image_is() {
    let workshop = Workshop::new();
    workshop.source("main.c", "int main(void) { return 0; }");
    workshop.program("gcc main.c");
    let (_, output) = workshop.run("INFO=1 IMAGES=2");
    assert!(output.contains("label=Some(1)"), "{output}");
    let command = format!("add-symbol-file {} -o 0x", workshop.path("program").display());
    assert_eq!(output.matches(&command).count(), 2, "{output}");
}
