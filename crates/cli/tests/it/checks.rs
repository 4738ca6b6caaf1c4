//! `foretell check`: what a compiled file uses, and what is missing.

use crate::Said;
use crate::prefix::prefix;

const PROGRAM: &str = "#include <mpi.h>\n\
    int main(int c, char **v) { MPI_Init(&c, &v); return c > 9 ? MPI_Not_there() : 0; }\n";

/// A shared object that asks for a function nobody has, and the programs made of it.
fn built(line: &str) {
    let said = prefix().run(line);
    assert_eq!(said.code, 0, "{line}: {}", said.err);
}

fn check(file: &str) -> Said {
    prefix().run(&format!("foretell check {file}"))
}

#[test]
fn missing_functions_are_listed() {
    std::fs::write(prefix().path("missing.c"), PROGRAM).unwrap();
    built("foretell-mpicc -w -c missing.c -o missing.o");
    built("foretell-mpicc -shared missing.o -o libmissing.so -fPIC");
    let ar = std::process::Command::new("ar")
        .current_dir(prefix().path(""))
        .args(["rcs", "libmissing.a", "missing.o"])
        .status();
    assert!(ar.unwrap().success());
    for (file, kind) in [
        ("missing.o", "an object file"),
        ("libmissing.a", "a static library"),
        ("libmissing.so", "a shared library"),
    ] {
        let said = check(file);
        assert_eq!(said.code, 1, "{}", said.err);
        for part in [kind, "uses 2 MPI functions, 1 of them missing", "MPI_Not_there"] {
            assert!(said.out.contains(part), "{file} lacks {part}: {}", said.out);
        }
    }
}

#[test]
fn a_complete_program_passes() {
    let text = "#include <mpi.h>\nint main(int c, char **v) { return MPI_Init(&c, &v); }\n";
    let program = prefix().program("complete", text).display().to_string();
    let said = check(&program);
    assert_eq!(said.code, 0, "{}", said.err);
    for part in ["a position-independent executable", "linked to libmpi_abi.so.1", "all there"] {
        assert!(said.out.contains(part), "{part}: {}", said.out);
    }
    let said = prefix().run(&format!("foretell check --json {program}"));
    let json: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(json[0]["position_independent"], true);
    assert_eq!(json[0]["mpi_library"], "libmpi_abi.so.1");
    assert_eq!(json[0]["used"][0], "MPI_Init");
    assert_eq!(json[0]["missing"].as_array().unwrap().len(), 0);
}

#[test]
fn what_is_no_compiled_file_is_told() {
    std::fs::write(prefix().path("text"), "hello").unwrap();
    let said = check("text");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("text is no compiled program"), "{}", said.err);
    assert!(check("no-such").err.contains("cannot read no-such"));
}
