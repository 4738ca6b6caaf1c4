//! Globals, tables and functions of C programs.

use crate::support::{Workshop, check};

#[test]
fn every_image_has_its_own_globals() {
    check(
        "gcc",
        r#"#include <stdio.h>
           int counter = 5; static int hidden; int *pointer = &counter;
           int main(void) { counter++; hidden += 2; ++*pointer;
             printf("%d %d\n", counter, hidden); return 0; }"#,
        "IMAGES=2 ROUNDS=2",
        "7 2\n7 2\n9 4\n9 4\n",
    );
}

#[test]
fn optimised_programs_bound_at_once_work_as_well() {
    check(
        "gcc -O2 -Wl,-z,now -Wl,-z,relro",
        r#"#include <stdio.h>
           static int counter; int (*function)(const char *) = puts;
           int main(void) { counter++; function(counter == 1 ? "one" : "more"); return 0; }"#,
        "IMAGES=2 ROUNDS=2",
        "one\none\nmore\nmore\n",
    );
}

#[test]
fn compact_relocations_are_applied() {
    check(
        "gcc -Wl,-z,pack-relative-relocs",
        r#"#include <stdio.h>
           static int a = 1, b = 2, c = 3; int *table[70] = { [0] = &a, [1] = &b, [69] = &c };
           int main(void) { ++*table[69]; printf("%d %d %d\n", *table[0], *table[1], c); return 0; }"#,
        "",
        "1 2 4\n1 2 4\n",
    );
}

#[test]
fn static_data_points_to_functions_of_its_own_image() {
    check(
        "gcc",
        r#"#include <stdio.h>
           static int hits; static void hit(void) { hits++; }
           static struct { const char *name; void (*call)(void); } table[] = {{"hit", hit}};
           int main(void) { table[0].call(); printf("%s %d\n", table[0].name, hits); return 0; }"#,
        "IMAGES=3",
        "hit 1\nhit 1\nhit 1\n",
    );
}

#[test]
fn copied_variables_of_the_c_library_have_their_values() {
    check(
        "gcc",
        r#"#include <stdio.h>
           #include <unistd.h>
           extern char **environ; extern int optind;
           int main(void) { fprintf(stdout, "%d %d\n", environ[0] != 0, optind++); return 0; }"#,
        "",
        "1 1\n1 1\n",
    );
}

#[test]
fn constructors_get_the_arguments_and_destructors_run_last() {
    check(
        "gcc",
        r#"#include <stdio.h>
           #include <stdlib.h>
           static int arguments;
           __attribute__((constructor)) static void before(int argc) { arguments = argc; }
           static void handler(void) { puts("handler"); }
           __attribute__((destructor)) static void after(void) { printf("after %d\n", arguments); }
           int main(void) { atexit(handler); printf("main %d\n", arguments); return 0; }"#,
        "IMAGES=2",
        "main 1\nmain 1\nhandler\nafter 1\nhandler\nafter 1\n",
    );
}

#[test]
fn functions_chosen_by_the_processor_are_chosen_once_for_all_images() {
    check(
        "gcc -rdynamic",
        r#"#include <stdio.h>
           static int calls; static int fast(void) { return ++calls; }
           static int (*choose(void))(void) { __builtin_cpu_init(); return fast; }
           int work(void) __attribute__((ifunc("choose")));
           int (*pointer)(void) = work;
           int main(void) { work(); printf("%d\n", pointer()); return 0; }"#,
        "",
        "2\n2\n",
    );
}

#[test]
fn weak_symbols_that_nobody_defines_are_null() {
    check(
        "gcc",
        r#"#include <stdio.h>
           __attribute__((weak)) void nowhere(void);
           int main(void) { printf("%d\n", nowhere == 0); return 0; }"#,
        "IMAGES=1",
        "1\n",
    );
}

#[test]
fn interposed_functions_are_called_instead_of_the_c_library_s() {
    check(
        "gcc",
        r#"#include <stdio.h>
           #include <unistd.h>
           int main(void) { printf("%d\n", getppid()); return 0; }"#,
        "IMAGES=1",
        "4242\n",
    );
}

#[test]
fn main_may_lie_in_a_static_archive() {
    let workshop = Workshop::new();
    workshop.source(
        "m.c",
        "#include <stdio.h>\nint n; int main(void) { return !printf(\"%d\\n\", ++n); }",
    );
    workshop.tool("gcc -c m.c");
    workshop.tool("ar rcs libm0.a m.o");
    workshop.program("gcc -Wl,--whole-archive libm0.a -Wl,--no-whole-archive");
    assert_eq!(workshop.run("ROUNDS=2"), (0, "1\n1\n2\n2\n".into()));
}

#[test]
fn stripped_programs_work_even_without_section_headers() {
    let workshop = Workshop::new();
    workshop.source(
        "m.c",
        "#include <stdio.h>\nint n; int main(void) { return !printf(\"%d\\n\", ++n); }",
    );
    workshop.program("gcc m.c");
    workshop.tool("strip program");
    let mut bytes = std::fs::read(workshop.path("program")).unwrap();
    bytes[40..48].fill(0); // e_shoff
    bytes[58..64].fill(0); // entry size, number and string section
    std::fs::write(workshop.path("program"), bytes).unwrap();
    assert_eq!(workshop.run("SECOND=./program IMAGES=4"), (0, "1\n1\n1\n1\n".into()));
}

#[test]
fn large_arrays_are_zero_and_private() {
    check(
        "gcc",
        r#"#include <stdio.h>
           static char large[16 << 20]; int first = 3;
           int main(void) { large[5 << 20] += 1; printf("%d %d\n", large[5 << 20], large[0]); return 0; }"#,
        "ROUNDS=2",
        "1 0\n1 0\n2 0\n2 0\n",
    );
}

#[test]
fn second_programs_run_beside_the_first() {
    let workshop = Workshop::new();
    workshop.source(
        "a.c",
        "#include <stdio.h>\nint n = 10; int main(void) { return !printf(\"a%d\\n\", ++n); }",
    );
    workshop.source("b.c", "#include <stdio.h>\nint n = 20; int main(void) { return !fprintf(stdout, \"b%d\\n\", ++n); }");
    workshop.tool("gcc b.c -o other");
    workshop.program("gcc a.c");
    let output = workshop.run("SECOND=./other IMAGES=4 ROUNDS=2");
    assert_eq!(output, (0, "a11\nb21\na11\nb21\na12\nb22\na12\nb22\n".into()));
}
