//! `foretell tracer`: what a real run did is told by its trace, and replayed.

mod lines;
mod odd;

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{foretell, json, printed, refused};
use lines::{
    BETWEEN_RANK_1, FILES_RANK_1, FORTRAN_08_RANK_1, FORTRAN_RANK_1, GROUPS_RANK_1, LATER_RANK_1,
    NEIGHBOURS_RANK_1, RANK_1, WINDOWS_RANK_1,
};

const PROGRAM: &str = include_str!("tracers/talk.c");
const LATER: &str = include_str!("tracers/later.c");
const AGAIN: &str = include_str!("tracers/again.c");
const GROUPS: &str = include_str!("tracers/groups.c");
const BETWEEN: &str = include_str!("../../../../tests/traces/between.c");
const FILES: &str = include_str!("../../../../tests/traces/files.c");
const NEIGHBOURS: &str = include_str!("../../../../tests/traces/neighbours.c");
const WINDOWS: &str = include_str!("../../../../tests/traces/windows.c");
const FORTRAN: &str = include_str!("tracers/talk.f90");
const FORTRAN_08: &str = include_str!("tracers/talk08.f90");

/// Computation would be another one each time.
const QUIET: [(&str, &str); 2] = [("FORETELL_SPEED", "1e-9"), ("FORETELL_COMPUTATION", "time")];

/// A real library, by what its commands end with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Library {
    Mpich,
    OpenMpi,
}

impl Library {
    fn tool(self, name: &str) -> String {
        match self {
            Library::Mpich => format!("{name}.mpich"),
            Library::OpenMpi => format!("{name}.openmpi"),
        }
    }

    /// Whether it is there, with the compiler of this language.
    fn is_there(self, compiler: &str) -> bool {
        let is_there = |tool: &str| Command::new(self.tool(tool)).arg("--version").output().is_ok();
        // A wrapper may be there without its header.
        let source = match compiler {
            "mpicc" => ("c", "#include <mpi.h>\n"),
            _ => ("f90", "use mpi\nend\n"),
        };
        let can_compile = || {
            let folder = tempfile::tempdir().unwrap();
            let name = format!("probe.{}", source.0);
            fs::write(folder.path().join(&name), source.1).unwrap();
            let mut probe = Command::new(self.tool(compiler));
            let output = probe.args(["-c", &name]).current_dir(folder.path()).output();
            output.is_ok_and(|output| output.status.success())
        };
        let has_all = is_there(compiler) && is_there("mpirun") && can_compile();
        if !has_all {
            eprintln!("skipped: {self:?} is not installed, or has no {compiler}");
        }
        has_all
    }
}

/// Whether MPICH is there.
fn has_mpich() -> bool {
    Library::Mpich.is_there("mpicc")
}

fn done(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{command:?}: {err}");
    err
}

/// Builds a program in C for MPICH, and the library that traces it.
fn build(folder: &Path, program: &str) {
    build_for(Library::Mpich, folder, "talk.c", program);
}

/// Builds a program and the library that traces it.
fn build_for(library: Library, folder: &Path, name: &str, program: &str) {
    let marks = "#define foretell_compute_flops(flops) ((void)(flops))\n\
        #define foretell_region_begin(name) ((void)(name))\n\
        #define foretell_region_end(name) ((void)(name))\n";
    fs::write(folder.join("foretell.h"), marks).unwrap();
    fs::write(folder.join(name), program).unwrap();
    let cc = library.tool("mpicc");
    printed(&format!("tracer --cc {cc} -o {}/tracer.so", folder.display()));
    let compiler = if name.ends_with(".c") { "mpicc" } else { "mpifort" };
    let mut compile = Command::new(library.tool(compiler));
    compile.args(["-w", "-I.", "-o", "talk", name]).current_dir(folder);
    if library == Library::OpenMpi {
        // Debian's wrapper for Fortran takes the libmpi.so that is there, which may be MPICH's.
        let folders = Command::new(&cc).arg("--showme:libdirs").output().unwrap().stdout;
        let folders = String::from_utf8(folders).unwrap();
        compile.args(folders.split_whitespace().map(|folder| format!("-L{folder}")));
    }
    done(&mut compile);
}

/// Runs the program on so many ranks of a real machine, traced into a folder.
fn trace(folder: &Path, ranks: &str, name: &str, variables: &[(&str, &str)]) {
    trace_with(Library::Mpich, folder, ranks, name, variables);
}

/// The same with another library; what was said.
fn trace_with(
    library: Library,
    folder: &Path,
    ranks: &str,
    name: &str,
    variables: &[(&str, &str)],
) -> String {
    let mut run = Command::new(library.tool("mpirun"));
    run.args(["-np", ranks]).current_dir(folder);
    let tracer = folder.join("tracer.so");
    match library {
        Library::Mpich => run.env("LD_PRELOAD", tracer),
        // Its launcher uses threads of its own, and looks for other machines unless it is told.
        Library::OpenMpi => {
            run.args(["--oversubscribe", "-x"]).arg(format!("LD_PRELOAD={}", tracer.display()));
            run.args([
                "-x",
                "FORETELL_TRACE",
                "-x",
                "FORETELL_SPEED",
                "-x",
                "FORETELL_COMPUTATION",
            ]);
            run.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
            // Windows of version 4.1 end in a crash where a rank swaps with itself in its own
            // memory, unless they go by messages.
            run.env("OMPI_MCA_plm", "isolated").env("OMPI_MCA_osc", "pt2pt")
        }
    };
    run.arg("./talk").env("FORETELL_TRACE", name);
    done(run.envs(variables.iter().copied()).env_remove("LD_LIBRARY_PATH"))
}

/// The lines of a rank, but for the first one, which tells how computation was measured.
fn lines_of(folder: &Path, name: &str, rank: u32) -> String {
    let text = fs::read_to_string(folder.join(format!("{name}/rank-{rank}.txt"))).unwrap();
    text.lines().skip(1).map(|line| format!("{line}\n")).collect()
}

/// Lines without what depends on time: how often a rank looks, and which one it looks for.
fn without_looks(lines: &str) -> String {
    let is_look = |line: &str| line.contains(" look ") || line.contains(" test ");
    let lines: Vec<&str> = lines.lines().collect();
    let is_of_look = |at: usize| {
        let next = lines.get(at + 1).is_some_and(|next| is_look(next));
        is_look(lines[at]) || lines[at].contains(" younger ") && next
    };
    (0..lines.len()).filter(|at| !is_of_look(*at)).map(|at| format!("{}\n", lines[at])).collect()
}

/// Tags of other communicators than the world are made up of their numbers.
fn made_up(comm: u64, tag: i32) -> u64 {
    (comm << 32 | u64::from(tag as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34 | 1 << 30
}

/// Traces a program in C with MPICH, then with Open MPI, which must tell the same where the program
/// does the same. The trace replays, in text as in the compact form.
fn both_tell_the_same(program: &str, compared: &str, check: impl Fn(&Path)) {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, place) = (folder.path(), folder.path().display());
    build(here, program);
    trace(here, "4", "four.ti", &QUIET);
    check(here);
    let line = format!("replay {place}/four.ti -p star-64 --map block:1");
    let summary = json(&line);
    assert!(summary["simulated_s"].as_f64().unwrap() > 1e-5, "{summary}");
    printed(&format!("trace convert {place}/four.ti {place}/small.fti"));
    let small = json(&line.replace("four.ti", "small.fti"));
    assert_eq!(small["simulated_s"], summary["simulated_s"]);
    if !Library::OpenMpi.is_there("mpicc") {
        return;
    }
    build(here, compared);
    trace(here, "4", "mpich.ti", &QUIET);
    build_for(Library::OpenMpi, here, "talk.c", compared);
    trace_with(Library::OpenMpi, here, "4", "openmpi.ti", &QUIET);
    for rank in 0..4 {
        let told =
            ["mpich.ti", "openmpi.ti"].map(|name| without_looks(&lines_of(here, name, rank)));
        assert_eq!(told[0], told[1], "rank {rank}");
    }
}

/// What is new in MPI 4 is not there in Open MPI 4.
fn of_version_3(program: &str) -> String {
    assert!(program.contains("#if MPI_VERSION >= 4"));
    program.replace("#if MPI_VERSION >= 4", "#if 0")
}

#[test]
fn a_real_run_is_traced_replayed_and_drawn() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, place) = (folder.path(), folder.path().display());
    build(here, PROGRAM);
    trace(here, "4", "four.ti", &QUIET);
    let expected = [4, 11, 12].iter().fold(RANK_1.to_owned(), |text, tag| {
        let made_up = made_up(5, *tag);
        text.replace(&format!("TAG-{tag} "), &format!("{made_up} "))
            .replace(&format!("TAG-{tag}\n"), &format!("{made_up}\n"))
    });
    assert_eq!(lines_of(here, "four.ti", 1), expected);

    trace(here, "2", "two.ti", &[("FORETELL_SPEED", "1e9"), ("FORETELL_COMPUTATION", "time")]);
    for (name, ranks) in [("four.ti", 4), ("two.ti", 2)] {
        let line = format!("replay {place}/{name} -p star-64 --map block:1");
        let summary = json(&line);
        assert_eq!(summary["ranks"], ranks);
        assert!(summary["simulated_s"].as_f64().unwrap() > 1e-4, "{summary}");
        printed(&format!("{line} --trace {place}/{name}.html"));
        let page = fs::read_to_string(here.join(format!("{name}.html"))).unwrap();
        assert!(page.contains("MPI_Allreduce") || page.contains("allreduce"), "{name}");
        // The compact form knows communicators, too.
        printed(&format!("trace convert {place}/{name} {place}/small.fti"));
        let small = json(&line.replace(name, "small.fti"));
        assert_eq!(small["simulated_s"], summary["simulated_s"]);
    }
    let text = fs::read_to_string(here.join("two.ti/rank-0.txt")).unwrap();
    assert!(text.starts_with("# computation: seconds of CPU time times 1e+09\n0 init\n"), "{text}");
    assert!(text.contains("\n0 compute "), "{text}");
}

#[test]
fn collectives_that_go_on_beside_a_real_rank_are_told() {
    if !has_mpich() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (here, place) = (folder.path(), folder.path().display());
    build(here, LATER);
    trace(here, "4", "four.ti", &QUIET);
    let told = without_looks(&lines_of(here, "four.ti", 1));
    assert!(told.starts_with(LATER_RANK_1), "{told}");
    for (line, times) in [("1 later 15", 2), ("1 await 15", 2), ("1 within 2", 18)] {
        assert_eq!(told.lines().filter(|found| *found == line).count(), times, "{line}: {told}");
    }
    assert!(told.contains("1 passes 64 16 other\n1 reducescatter 2 2 2 2 0 0\n"), "{told}");
    let line = format!("replay {place}/four.ti -p star-64 --map block:1");
    let summary = json(&line);
    assert!(summary["simulated_s"].as_f64().unwrap() > 1e-4, "{summary}");
    printed(&format!("trace convert {place}/four.ti {place}/small.fti"));
    let small = json(&line.replace("four.ti", "small.fti"));
    assert_eq!(small["simulated_s"], summary["simulated_s"]);
}

#[test]
fn collectives_that_start_again_and_those_of_many_types_are_told() {
    both_tell_the_same(AGAIN, &of_version_3(AGAIN), |here| {
        let told = lines_of(here, "four.ti", 1);
        let starts = "1 init\n1 comm_def 2 1:2:2\n1 barrier\n1 comm_def 6 1:2:2\n\
            1 passes 40 40 other\n1 alltoallv 40 16 4 16 4 40 16 4 16 4 6 6\n";
        assert!(told.starts_with(starts), "{told}");
        let within = "1 later 0\n1 within 6\n1 passes 20 20 other\n\
            1 alltoallv 20 4 16 0 0 20 4 16 0 0 6 6\n1 await 0\n";
        assert!(told.contains(within), "{told}");
        let again = "1 later 2\n1 reduce 10 0 0 0\n1 later 3\n1 allreduce 100 0 1\n";
        assert_eq!(told.matches(again).count(), 2, "{told}");
        let alone = "1 later 0\n1 allreduce 100 0 1\n1 await 0\n";
        assert_eq!(told.matches(alone).count(), 1, "{told}");
        assert!(told.contains("1 later 16\n1 passes 32 32 other\n1 alltoallv 32 "), "{told}");
        let large = "1 irecv 0 30 72 6\n1 isend 2 30 72 6\n1 wait 0 1 30\n1 wait 1 2 30\n\
            1 allreduce 9 0 0\n1 later 0\n1 alltoallv 48 12 12 12 12 48 12 12 12 12 6 6\n\
            1 await 0\n1 finalize\n";
        assert!(told.ends_with(large), "{told}");
        for (line, times) in [("1 await 16", 2), ("1 later 8", 4), ("1 within 6", 30)] {
            let found = told.lines().filter(|told| *told == line).count();
            assert_eq!(found, times, "{line}: {told}");
        }
    });
}

#[test]
fn neighbours_are_told_as_the_messages_that_they_send() {
    both_tell_the_same(NEIGHBOURS, &of_version_3(NEIGHBOURS), |here| {
        let told = lines_of(here, "four.ti", 1);
        let tag = made_up(1, -i32::MAX).to_string();
        assert!(told.starts_with(&NEIGHBOURS_RANK_1.replace("TAG-1", &tag)), "{told}");
        // On each of the two other graphs, the world has another number.
        assert_eq!(told.lines().filter(|line| line.contains("comm_def")).count(), 3, "{told}");
        let begun = |word: &str| told.lines().filter(|line| line.contains(word)).count();
        assert_eq!(begun(" irecv "), begun(" isend "), "{told}");
    });
}

#[test]
fn windows_and_what_goes_through_them_are_told() {
    both_tell_the_same(WINDOWS, WINDOWS, |here| {
        let told = lines_of(here, "four.ti", 1);
        assert!(told.starts_with(WINDOWS_RANK_1), "{told}");
        let half = "1 win_free 0\n1 within 2\n1 win_create 0\n1 win_fence 0\n1 put 0 3 1024\n";
        assert!(told.contains(half), "{told}");
    });
}

#[test]
fn collectives_between_groups_are_told() {
    // Which one of several is complete first is a matter of time, and Open MPI has one request for
    // all that is complete from the start.
    let any = "        MPI_Waitany(KINDS, all, &index, MPI_STATUS_IGNORE);\n";
    let one = "        MPI_Wait(&all[2], MPI_STATUS_IGNORE);\n";
    assert!(BETWEEN.contains(any) && BETWEEN.contains(one));
    let compared = of_version_3(&BETWEEN.replace(any, "").replace(one, ""));
    both_tell_the_same(BETWEEN, &compared, |here| {
        let told = lines_of(here, "four.ti", 1);
        assert!(told.starts_with(BETWEEN_RANK_1), "{told}");
        assert!(told.contains("1 bcast 0 nobody 6\n"), "{told}");
        assert!(lines_of(here, "four.ti", 0).contains("0 bcast 1024 self 6\n"));
        assert!(told.contains("1 later 2\n1 within 6\n1 reduce 0 0 nobody 6\n"), "{told}");
        // Copies have numbers that both groups come to by themselves.
        let copies = |rank| {
            let told = lines_of(here, "four.ti", rank);
            let defined = told.lines().filter(|line| line.contains("inter_def"));
            defined.map(|line| line[1..].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(copies(0).len(), 4);
        assert_eq!(copies(0), copies(3));
    });
}

#[test]
fn files_are_told_with_their_bytes() {
    both_tell_the_same(FILES, FILES, |here| {
        let told = without_looks(&lines_of(here, "four.ti", 1));
        assert_eq!(told, FILES_RANK_1);
    });
}

#[test]
fn messages_between_groups_are_told_and_withdrawn_ones_are_not() {
    both_tell_the_same(GROUPS, GROUPS, |here| {
        let tags = [(5, 7), (5, 8), (9, 9)];
        let expected = (1..).zip(tags).fold(GROUPS_RANK_1.to_owned(), |text, (at, (comm, tag))| {
            text.replace(&format!("TAG-{at}"), &made_up(comm, tag).to_string())
        });
        assert_eq!(lines_of(here, "four.ti", 1), expected);
        let said = trace_with(Library::Mpich, here, "4", "again.ti", &QUIET);
        assert!(!said.contains("leaves out"), "{said}");
    });
}

/// A program in Fortran tells the same whatever library it runs with.
fn fortran_tells_the_same(program: &str, expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for library in [Library::Mpich, Library::OpenMpi] {
        if !library.is_there("mpifort") {
            continue;
        }
        build_for(library, here, "talk.f90", program);
        trace_with(library, here, "4", "four.ti", &QUIET);
        let told = without_looks(&lines_of(here, "four.ti", 1));
        let tags = [(5, 4), (5, 8), (5, 1), (5, 2), (9, -i32::MAX), (17, -i32::MAX)];
        let expected =
            ('A'..).zip(tags).fold(expected.to_owned(), |text, (letter, (comm, tag))| {
                text.replace(&format!("TAG-{letter}"), &made_up(comm, tag).to_string())
            });
        assert_eq!(told, expected, "{library:?}");
    }
}

#[test]
fn fortran_is_traced_with_all_libraries() {
    fortran_tells_the_same(FORTRAN, FORTRAN_RANK_1);
}

#[test]
fn the_module_of_fortran_2008_is_traced_with_all_libraries() {
    fortran_tells_the_same(FORTRAN_08, FORTRAN_08_RANK_1);
}

#[test]
fn a_compiler_that_is_not_there_or_has_no_mpi_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("tracer.so");
    let err = refused(&format!("tracer --cc no-such-mpicc -o {}", output.display()), 2);
    assert!(err.contains("there is no `no-such-mpicc`; name the compiler"), "{err}");
    let said = foretell(&format!("tracer --cc false -o {}", output.display()));
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`false` could not compile the tracer"), "{}", said.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
