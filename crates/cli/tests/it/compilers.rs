//! The compiler wrappers, as build systems use them.

use crate::prefix::prefix;

const PROGRAM: &str = "#include <mpi.h>\n#include <stdio.h>\n\
    int main(int c, char **v) { MPI_Init(&c, &v); puts(\"alone\"); return MPI_Finalize(); }\n";

/// The answer to a line, with the prefix written as `P`.
fn answer(line: &str) -> String {
    let said = prefix().run(line);
    assert_eq!((said.code, said.err.as_str()), (0, ""), "{line}");
    let own = prefix().path("").canonicalize().unwrap().display().to_string();
    said.out.replace(&own, "P").trim_end().to_owned()
}

const LINK: &str =
    "-LP/lib -Wl,-rpath,P/lib -Wl,--push-state,--no-as-needed -lmpi_abi -Wl,--pop-state";

#[test]
fn wrappers_show_what_they_would_do() {
    assert_eq!(answer("foretell-mpicc -show"), format!("gcc -IP/include {LINK}"));
    assert_eq!(answer("foretell-mpicxx -show"), format!("g++ -IP/include {LINK}"));
    assert_eq!(answer("foretell-mpicc -show -c a.c"), "gcc -fPIE -c a.c -IP/include");
    assert_eq!(
        answer("foretell cc -show a.c -o a"),
        format!("gcc -fPIE -pie a.c -o a -IP/include {LINK}")
    );
    assert_eq!(answer("foretell-mpicc -cc=clang -compile_info"), "clang -IP/include");
    assert_eq!(answer("foretell-mpicc -link_info"), format!("gcc {LINK}"));
}

#[test]
fn wrappers_answer_as_open_mpi_does() {
    assert_eq!(answer("foretell-mpicc --showme:compile"), "-IP/include");
    assert_eq!(answer("foretell-mpicc -showme:link"), LINK);
    assert_eq!(answer("foretell-mpicc --showme:incdirs"), "P/include");
    assert_eq!(answer("foretell-mpicc --showme:libdirs"), "P/lib");
    assert_eq!(answer("foretell-mpicc --showme:libs"), "mpi_abi");
    assert_eq!(answer("foretell cxx --showme:command"), "g++");
}

#[test]
fn wrappers_explain_themselves_and_let_the_compiler_do_so() {
    // Configure scripts look for these words among the first lines to tell GNU compilers.
    let help = answer("foretell-mpicc --help");
    assert!(help.lines().take(20).any(|line| line.contains("-print-libgcc-file-name")));
    assert!(help.contains("FORETELL_CC"));
    assert!(answer("foretell-mpicc -help").starts_with("Usage: foretell-mpicc"));
    assert!(answer("foretell cc --help").contains("foretell-mpicc"));
    assert!(answer("foretell-mpicc --version").contains("gcc"));
    assert!(answer("foretell-mpicc -dumpmachine").contains("linux"));
}

#[test]
fn what_they_build_runs_on_its_own() {
    let program = prefix().program("alone", PROGRAM);
    let output = std::process::Command::new(program).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "alone\n");
}

#[test]
fn cxx_and_separate_steps_work_too() {
    let source = prefix().path("step.cpp");
    let text = "#include <iostream>\nextern \"C\" {\n#include <mpi.h>\n}\n\
        int main(int c, char **v) { MPI_Init(&c, &v); std::cout << \"c++\\n\"; }\n";
    std::fs::write(&source, text).unwrap();
    for line in [
        "foretell-mpicxx -O1 -c step.cpp -o step.o",
        "foretell-mpicxx step.o -Wl,--as-needed -o step",
        "foretell-mpicxx -shared -fPIC step.cpp -o libstep.so",
    ] {
        let said = prefix().run(line);
        assert_eq!(said.code, 0, "{line}: {}", said.err);
    }
    let output = std::process::Command::new(prefix().path("step")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "c++\n");
}

#[test]
fn a_program_without_mpi_calls_keeps_our_library() {
    let program = prefix().program("plain", "int main(void) { return 7; }\n");
    let said = prefix().run(&format!("foretell check {}", program.display()));
    assert!(said.out.contains("linked to libmpi_abi.so.1"), "{}", said.out);
}

#[test]
fn wrappers_work_through_links() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("mpicc");
    std::os::unix::fs::symlink(prefix().path("bin/foretell-mpicc"), &link).unwrap();
    let output = std::process::Command::new(&link).arg("--showme:incdirs").output().unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(shown.trim_end().ends_with("/include"), "{shown}");
}

#[test]
fn a_compiler_that_is_not_there_is_told() {
    let said = prefix().run("foretell-mpicc -cc=no-such-compiler x.c");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("no-such-compiler") && said.err.contains("FORETELL_CC"));
    let said = prefix().run("foretell-mpicc -static x.c");
    assert!(said.code != 0 && said.err.contains("-static"), "{}", said.err);
}

/// Whether there is gfortran to test with.
fn has_gfortran() -> bool {
    let is_here = std::process::Command::new("gfortran").arg("--version").output().is_ok();
    if !is_here {
        eprintln!("skipped: gfortran is not here");
    }
    is_here
}

#[test]
fn modules_are_made_for_the_compiler_when_it_is_first_used() {
    if !has_gfortran() {
        return;
    }
    let shown = answer("foretell-mpifort -show");
    assert!(shown.starts_with("gfortran -IP/include -IP/cache/foretell/"), "{shown}");
    assert!(shown.ends_with(LINK), "{shown}");
    let folder = shown.split_whitespace().nth(2).unwrap().replace("-IP", "");
    for module in ["mpi.mod", "mpi_f08.mod"] {
        let place = prefix().path(&format!("{}/{module}", folder.trim_start_matches('/')));
        assert!(place.is_file(), "{}", place.display());
    }
    let text = "program p\n  use mpi\n  use mpi_f08, only: word => MPI_WORD\n  \
                print '(i0)', MPI_WORD + word\nend program\n";
    std::fs::write(prefix().path("modules.f90"), text).unwrap();
    let said = prefix().run("foretell-mpifort -O1 modules.f90 -o modules");
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let output = std::process::Command::new(prefix().path("modules")).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "10\n");
}

#[test]
fn a_compiler_that_is_not_gfortran_is_refused_for_fortran() {
    let said = prefix().run("foretell-mpifort -fc=gcc -c a.f90");
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("`gcc` is not gfortran") && said.err.contains("FORETELL_FC"),
        "{}",
        said.err
    );
}

#[test]
fn the_fortran_wrapper_explains_itself() {
    assert!(answer("foretell-mpifort --help").contains("FORETELL_FC"));
    assert!(answer("foretell fc --help").contains("foretell-mpifort"));
}
