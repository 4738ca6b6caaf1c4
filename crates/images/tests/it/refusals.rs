//! Programs that cannot have images, and what the user is told.

use std::path::Path;

use foretell_images::{Interposed, Libraries, Program};

use crate::support::Workshop;

struct Nothing;

impl Interposed for Nothing {
    fn address(&self, _: &std::ffi::CStr) -> Option<usize> {
        None
    }
}

#[track_caller]
fn check(line: &str, source: &str, expected: &str) {
    let workshop = Workshop::new();
    workshop.source("main.c", source);
    workshop.tool(&format!("{line} main.c -o other"));
    let image = Program::open(&workshop.path("other"), &Libraries::ExceptSystem)
        .and_then(|program| program.image(&Nothing));
    let message = image.unwrap_err().to_string();
    assert!(message.contains(expected), "{message}");
}

const EMPTY: &str = "int main(void) { return 0; }";

#[test]
fn programs_at_a_fixed_address_are_refused() {
    check("gcc -no-pie", EMPTY, "link it without -no-pie");
}

#[test]
fn static_programs_are_refused() {
    check("gcc -static-pie", EMPTY, "linked statically");
}

#[test]
fn undefined_symbols_are_named() {
    let workshop = Workshop::new();
    workshop.source("full.c", "int nowhere(void) { return 1; }");
    workshop.source("empty.c", "int other(void) { return 1; }");
    workshop.source("main.c", "int nowhere(void); int main(void) { return nowhere(); }");
    workshop.tool("gcc -shared -fPIC full.c -o libgone.so");
    workshop.tool("gcc main.c -o other -L. -lgone -Wl,-rpath,$ORIGIN");
    workshop.tool("gcc -shared -fPIC empty.c -o libgone.so");
    let program = Program::open(&workshop.path("other"), &Libraries::ExceptSystem).unwrap();
    let message = program.image(&Nothing).unwrap_err().to_string();
    assert!(message.starts_with("undefined symbol `nowhere`"), "{message}");
    assert!(message.contains("/other needs"), "{message}");
}

#[test]
fn thread_locals_that_do_not_fit_beside_the_first_program_are_refused() {
    let source = "__thread char large[100000]; int main(void) { return large[3]; }";
    check("gcc", source, "bytes of thread-locals");
}

#[test]
fn code_that_would_have_to_be_changed_is_refused() {
    let source = "__asm__(\".text\\n.quad stdout\\n\"); int main(void) { return 0; }";
    check("gcc -Wl,-z,notext", source, "compile with -fPIE");
}

#[test]
fn files_that_are_no_programs_are_refused() {
    let workshop = Workshop::new();
    workshop.source("text", &"not a program ".repeat(10));
    let open = |path: &Path| Program::open(path, &Libraries::None).unwrap_err().to_string();
    assert!(open(&workshop.path("text")).contains("not an ELF file"));
    assert!(open(&workshop.path("missing")).contains("cannot read"));
    let mut bytes = std::fs::read("/proc/self/exe").unwrap();
    bytes[18] = 183; // AArch64
    std::fs::write(workshop.path("arm"), bytes).unwrap();
    assert!(open(&workshop.path("arm")).contains("another machine"));
}

#[test]
fn copies_by_the_loader_refuse_thread_locals() {
    let workshop = Workshop::new();
    workshop.source("main.c", "__thread int n; int main(void) { return n; }");
    workshop.program("gcc main.c");
    let (code, output) = workshop.run("MODE=copied");
    assert_eq!(code, 99);
    assert!(output.contains("has thread-locals, which copies made by dlopen cannot have"));
}
