//! Thread-locals of the executable and of its libraries.

use crate::support::{Workshop, check};

#[test]
fn thread_locals_start_afresh_in_every_image_and_are_kept() {
    check(
        "gcc",
        r#"#include <stdio.h>
           static int target = 7; static __thread int n = 3; static __thread int zero;
           static __thread int *pointer = &target;
           int main(void) { n++; zero += 2; ++*pointer;
             printf("%d %d %d %d\n", n, zero, target, pointer == &target); return 0; }"#,
        "IMAGES=2 ROUNDS=2",
        "4 2 8 1\n4 2 8 1\n5 4 9 1\n5 4 9 1\n",
    );
}

fn check_library(flags: &str) {
    let workshop = Workshop::new();
    workshop.source("n.c", "__thread int padding[4]; __thread int n = 40; int next(void) { padding[1] = 1; return ++n; }");
    workshop.source(
        "main.c",
        "#include <stdio.h>\nint next(void); extern __thread int n;\n\
         int main(void) { int k = next(); return !printf(\"%d %d\\n\", k, n); }",
    );
    workshop.tool(&format!("gcc -shared -fPIC {flags} n.c -o libn.so"));
    workshop.program("gcc main.c -L. -ln");
    let expected = "41 41\n41 41\n42 42\n42 42\n";
    assert_eq!(workshop.run("IMAGES=2 ROUNDS=2"), (0, expected.into()), "{flags}");
}

#[test]
fn libraries_reach_their_thread_locals_in_every_way_there_is() {
    check_library("");
    check_library("-ftls-model=initial-exec");
    check_library("-mtls-dialect=gnu2");
}
