//! Shared libraries of the program.

use crate::support::Workshop;

fn counting_library(workshop: &Workshop) {
    workshop.source(
        "counting.c",
        r#"#include <stdio.h>
           int total = 100; int *where = &total; extern int from_program;
           __attribute__((constructor)) static void start(void) { total++; }
           int count(void) { from_program++; return ++total; }
           int through_pointer(void) { return *where; }"#,
    );
    workshop.source(
        "main.c",
        r#"#include <stdio.h>
           extern int total; int count(void); int through_pointer(void); int from_program;
           int main(void) { int c = count();
             printf("%d %d %d %d\n", c, total, through_pointer(), from_program); return 0; }"#,
    );
    workshop.tool("gcc -shared -fPIC counting.c -o libcounting.so");
}

#[test]
fn the_program_s_own_libraries_are_private() {
    let workshop = Workshop::new();
    counting_library(&workshop);
    workshop.program("gcc main.c -L. -lcounting");
    let expected = "102 102 102 1\n102 102 102 1\n103 103 103 2\n103 103 103 2\n";
    assert_eq!(workshop.run("IMAGES=2 ROUNDS=2"), (0, expected.into()));
}

#[test]
fn programs_compiled_for_libraries_do_the_same_without_copied_variables() {
    let workshop = Workshop::new();
    counting_library(&workshop);
    workshop.program("gcc -fPIC main.c -L. -lcounting");
    let expected = "102 102 102 1\n102 102 102 1\n";
    assert_eq!(workshop.run("IMAGES=2"), (0, expected.into()));
}

#[test]
fn libraries_are_constructed_after_those_they_need() {
    let workshop = Workshop::new();
    let library = |name: &str| {
        let text = format!(
            "#include <stdio.h>\nint {name}_n;\n\
             __attribute__((constructor)) static void up(void) {{ printf(\"+{name}%d\\n\", ++{name}_n); }}\n\
             __attribute__((destructor)) static void down(void) {{ printf(\"-{name}%d\\n\", {name}_n); }}\n"
        );
        workshop.source(&format!("{name}.c"), &text);
    };
    library("low");
    library("high");
    workshop.tool("gcc -shared -fPIC low.c -o liblow.so -Wl,-soname,liblow.so");
    workshop.tool("gcc -shared -fPIC high.c -o libhigh.so -Wl,-soname,libhigh.so -Wl,-rpath,$ORIGIN -Wl,--no-as-needed -L. -llow");
    workshop.source("main.c", "#include <stdio.h>\nint main(void) { return !puts(\"main\"); }");
    workshop.program("gcc main.c -L. -Wl,--no-as-needed -lhigh -Wl,-rpath-link,.");
    let one = "+low1\n+high1\nmain\n-high1\n-low1\n";
    // The loader constructs its own copies first.
    let expected = format!("+low1\n+high1\n{one}");
    assert_eq!(workshop.run("IMAGES=1"), (0, expected));
}

#[test]
fn libraries_stay_shared_on_request() {
    let workshop = Workshop::new();
    workshop.source("n.c", "static int n; int next(void) { return ++n; }");
    workshop.source(
        "main.c",
        "#include <stdio.h>\nint next(void); int main(void) { return !printf(\"%d\\n\", next()); }",
    );
    workshop.tool("gcc -shared -fPIC n.c -o libn.so");
    workshop.program("gcc main.c -L. -ln");
    assert_eq!(workshop.run("LIBRARIES=none"), (0, "1\n2\n".into()));
    assert_eq!(workshop.run(""), (0, "1\n1\n".into()));
}

#[test]
fn exceptions_cross_from_a_private_library_to_the_program() {
    let workshop = Workshop::new();
    workshop.source("t.cpp", "#include <stdexcept>\nint n; void raise_it() { throw std::logic_error(++n == 1 ? \"first\" : \"later\"); }");
    workshop.source("main.cpp", "#include <cstdio>\n#include <stdexcept>\nvoid raise_it(); int main() { try { raise_it(); } catch (std::logic_error &e) { puts(e.what()); } return 0; }");
    workshop.tool("g++ -shared -fPIC t.cpp -o libt.so");
    workshop.program("g++ main.cpp -L. -lt");
    assert_eq!(workshop.run("ROUNDS=2"), (0, "first\nfirst\nlater\nlater\n".into()));
}
