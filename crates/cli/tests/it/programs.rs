//! `foretell run`: compiled programs, with a library that stands in for ours.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::Said;
use crate::prefix::{prefix, said};

const PROGRAM: &str = "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n\
    #include <string.h>\n#include <signal.h>\n#include <unistd.h>\n\
    int main(int c, char **v)\n{\n    MPI_Init(&c, &v);\n\
    for (int i = 0; i < c; i++) {\n\
        if (!strcmp(v[i], \"exit\")) return atoi(v[i + 1]);\n\
        if (!strcmp(v[i], \"die\")) { signal(SIGSEGV, SIG_DFL); raise(atoi(v[i + 1])); }\n\
        if (!strcmp(v[i], \"sleep\")) { puts(\"sleeps\"); fflush(stdout); sleep(60); }\n\
        if (!strcmp(v[i], \"env\")) puts(getenv(v[i + 1]));\n\
        if (!strcmp(v[i], \"cwd\")) puts(getcwd(0, 0));\n    }\n\
    for (int i = 0; i < c; i++) printf(\"%s|\", v[i]);\n    puts(\"\");\n    return 0;\n}\n";

/// Runs `foretell run` with these words; `APP` stands for a program built by our wrapper.
fn run(line: &str) -> Said {
    said(&mut command(line))
}

fn command(line: &str) -> Command {
    let mut command = prefix().command("foretell");
    command.arg("run").args(words(line));
    command
}

fn words(line: &str) -> Vec<String> {
    static APP: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let app = APP.get_or_init(|| prefix().program("app", PROGRAM).display().to_string());
    line.split_whitespace().map(|word| word.replace("APP", app)).collect()
}

/// The launch that a line leads to.
fn launch(line: &str) -> Value {
    let dump = tempfile::NamedTempFile::new().unwrap();
    let ran = said(command(line).env("FAKE_DUMP", dump.path()));
    assert_eq!(ran.code, 0, "{line}: {}", ran.err);
    let text = std::fs::read_to_string(dump.path()).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["launch"].take()
}

#[test]
fn the_program_has_standard_output_and_the_summary_standard_error() {
    let ran = run("-n 4 -p star-64 APP -n 7 --json x");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("app|-n|7|--json|x|\n"), "{}", ran.out);
    for part in [
        "app: 4 ranks on 1 of 64 hosts of star-64",
        "simulated time   250 ms",
        "12 in all, 3.4 kB, over 6 links",
        "every host is as fast as this computer",
        "waiting",
        "of wall time",
    ] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
}

#[test]
fn quiet_runs_say_nothing_of_ours() {
    assert_eq!(run("-q -n 4 --cfg=no/such:1 APP").err, "");
}

#[test]
fn without_a_machine_there_is_one_and_it_is_told() {
    let ran = run("-n 4 APP");
    assert!(ran.err.contains("4 ranks on 4 hosts of default-star"), "{}", ran.err);
    assert!(ran.err.contains("none given: a star"), "{}", ran.err);
}

#[test]
fn json_has_it_all() {
    let ran = run("-n 4 -p star-64 --cfg smpi/alltoall:ring --json - -q APP");
    let text = &ran.out[ran.out.find('{').unwrap()..];
    let json: Value = serde_json::from_str(text).unwrap();
    assert_eq!(json["simulated_s"], 0.25);
    assert_eq!((&json["ranks"], &json["ended"]), (&4.into(), &"completed".into()));
    assert_eq!(json["provenance"]["programs"][0]["ranks"], 4);
    assert_eq!(json["provenance"]["collectives"]["alltoall"], "ring");
}

#[test]
fn the_exit_code_is_the_programs() {
    assert_eq!(run("-n 2 APP exit 7").code, 7);
    let ran = run("-n 2 APP die 11");
    assert_eq!(ran.code, 139);
    assert!(ran.err.contains("ended by SIGSEGV at 125 ms of simulated time"), "{}", ran.err);
    let ran = run("-n 2 APP die 9");
    assert_eq!(ran.code, 137);
    assert!(ran.err.contains("out of memory"), "{}", ran.err);
}

#[test]
fn runs_that_fail_say_why() {
    for (ended, code, word) in [
        (r#"{"deadlock":"deadlock at 0.1 s"}"#, 3, "deadlock at 0.1 s"),
        (r#"{"failed":"rank 1 at 0.1 s"}"#, 1, "rank 1 at 0.1 s"),
        (r#"{"aborted":"rank 2 called MPI_Abort"}"#, 1, "MPI_Abort"),
    ] {
        let ran = said(command("-n 2 APP").env("FAKE_ENDED", ended));
        assert_eq!(ran.code, code, "{}", ran.err);
        assert!(ran.err.contains(&format!("error: {word}")) || ran.err.contains(word));
        assert!(!ran.err.contains("simulated time   "), "{}", ran.err);
    }
    let ran = said(command("-n 2 APP exit 9").env("FAKE_ENDED", r#"{"aborted":"x"}"#));
    assert_eq!(ran.code, 9);
}

#[test]
fn what_the_user_asked_for_reaches_the_child() {
    let launch = launch(
        "-n 5 -p star-64 --map block:2 --stack-size 64KiB --computation off --clock cpu \
         --privatise copies --private-libs libfoo,libbar --label --seed 7 --large-pages never \
         --cfg smpi/init:0 --cfg network/model:CM02 APP a b",
    );
    assert_eq!(launch["large_pages"], "never");
    assert_eq!(launch["machine"]["preset"], "star-64");
    assert_eq!(launch["options"].to_string(), r#"[["network/model","CM02"],["smpi/init","0"]]"#);
    assert_eq!(launch["placement"].to_string(), "[[0,2,2],[2,1,1]]");
    assert_eq!((&launch["computation"], &launch["clock"]), (&"off".into(), &"thread-cpu".into()));
    assert_eq!((&launch["stack_size"], &launch["seed"]), (&65536.into(), &7.into()));
    assert_eq!(launch["privacy"], "copies");
    assert_eq!(launch["libraries"]["only"].to_string(), r#"["libfoo","libbar"]"#);
    assert_eq!((&launch["label"], &launch["quiet"]), (&true.into(), &false.into()));
    let program = &launch["programs"][0];
    assert!(program["path"].as_str().unwrap().starts_with('/'));
    assert_eq!(
        (&program["ranks"], program["arguments"].to_string()),
        (&5.into(), r#"["a","b"]"#.into())
    );
}

#[test]
fn several_programs_run_together() {
    let launch = launch("-n 2 APP x : -np 3 APP y z");
    assert_eq!(launch["programs"][1]["ranks"], 3);
    assert_eq!(launch["programs"][1]["arguments"].to_string(), r#"["y","z"]"#);
    assert_eq!(launch["placement"].to_string(), "[[0,5,1]]");
    let message = run("-n 2 APP : -n 0 APP").err;
    assert!(message.contains("after a colon"), "{message}");
}

#[test]
fn the_line_of_smpirun_works_whole() {
    let hosts = prefix().path("hosts");
    std::fs::write(&hosts, "node-3\nnode-1\nnode-2\n").unwrap();
    let launch = launch(&format!(
        "-np 4 -platform star-64 -hostfile {} --cfg=smpi/simulate-computation:no \
         --log=root.thres:error -no-privatize --cfg=contexts/stack-size:64 \
         --cfg=contexts/guard-size:0 --cfg=contexts/factory:raw --cfg=smpi/host-speed:5Gf APP 1 2",
        hosts.display()
    ));
    assert_eq!(launch["placement"].to_string(), "[[3,1,1],[1,3,1]]");
    assert_eq!((&launch["computation"], &launch["privacy"]), (&"off".into(), &"shared".into()));
    assert_eq!((&launch["stack_size"], &launch["guard"]), (&65536.into(), &false.into()));
    let ran = run("-n 2 --cfg=contexts/factory:raw -no-privatize --log=x APP");
    assert!(!ran.err.contains("warning"), "{}", ran.err);
}

#[test]
fn a_host_file_tells_how_many_ranks_there_are() {
    let hosts = prefix().path("three-hosts");
    std::fs::write(&hosts, "node-3:2\nnode-1\n").unwrap();
    let launch = launch(&format!("-p star-64 -hostfile {} APP", hosts.display()));
    assert_eq!(launch["programs"][0]["ranks"], 3);
    assert_eq!(launch_ranks("-p star-64 -host node-5,node-6 APP"), 2);
    assert_eq!(launch_ranks("APP"), 1);
}

fn launch_ranks(line: &str) -> u64 {
    launch(line)["programs"][0]["ranks"].as_u64().unwrap()
}

#[test]
fn one_word_is_enough_for_scripts() {
    let ran = said(prefix().command("foretell-mpirun").args(words("-np 2 APP x")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("app|x|\n"), "{}", ran.out);
}

#[test]
fn environment_and_folder_are_the_programs() {
    let ran = run("-n 1 -x GREETING=hello -genv NAME x -wdir /usr APP env GREETING cwd env NAME");
    assert!(ran.out.starts_with("hello\n/usr\nx\n"), "{}{}", ran.out, ran.err);
    assert!(run("-n 1 -wdir /no/such APP").err.contains("no such folder"));
}

#[test]
fn a_program_without_our_library_gets_it() {
    let source = prefix().path("indirect.c");
    let text = "#include <dlfcn.h>\nint main(int c, char **v) {\n\
        int (*init)(int *, char ***) = dlsym(RTLD_DEFAULT, \"MPI_Init\");\n\
        return init ? init(&c, &v) : 9; }\n";
    std::fs::write(&source, text).unwrap();
    let program = prefix().path("indirect");
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-D_GNU_SOURCE", "-o"]).arg(&program).arg(&source).arg("-ldl");
    assert!(gcc.status().unwrap().success());
    let ran = run(&format!("-n 2 {}", program.display()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("indirect: 2 ranks"), "{}", ran.err);
}

#[test]
fn a_program_that_never_became_ranks_is_explained() {
    let program = prefix().program("never", "int main(void) { return 0; }\n");
    let ran = run(&format!("-n 8 {}", program.display()));
    assert_eq!(ran.code, 2);
    for part in ["ran once, as an ordinary program", "libmpi_abi.so.1", "8 ranks were asked for"] {
        assert!(ran.err.contains(part), "{part}: {}", ran.err);
    }
    let script = prefix().path("script");
    crate::write_script(&script, "exit 0");
    let ran = run(&format!("-n 8 {}", script.display()));
    assert!(ran.err.contains("is a script that started no MPI program"), "{}", ran.err);
}

#[test]
fn a_script_may_start_the_program() {
    let script = prefix().path("wrapper");
    crate::write_script(&script, &format!("exec {} \"$@\"", words("APP")[0]));
    let ran = run(&format!("-n 2 {} y", script.display()));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("app|y|\n"), "{}", ran.out);
}

#[test]
fn what_cannot_be_ranks_is_refused() {
    let source = prefix().path("nothing.c");
    std::fs::write(&source, "int main(void) { return 0; }\n").unwrap();
    let build = |flag: &str, name: &str| {
        let program = prefix().path(name);
        let mut gcc = Command::new("gcc");
        gcc.arg(flag).arg("-o").arg(&program).arg(&source);
        assert!(gcc.status().unwrap().success());
        program.display().to_string()
    };
    let fixed = build("-no-pie", "fixed");
    for (program, word) in [
        (build("-static", "static"), "linked statically"),
        (fixed.clone(), "--privatise off"),
        ("./no-such".to_owned(), "there is no such file"),
        ("no-such-program".to_owned(), "no such program in the PATH"),
        (source.display().to_string(), "not executable"),
    ] {
        let ran = run(&format!("-n 2 {program}"));
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains(word), "{word}: {}", ran.err);
    }
    let ran = run("-n 2 --no-such-option ./no-such");
    assert!(ran.code == 2 && ran.err.contains("--no-such-option"), "{}", ran.err);
    assert!(!run(&format!("-n 2 -no-privatize {fixed}")).err.contains("--privatise off"));
}

#[test]
fn an_interrupted_program_tells_how_far_it_got() {
    let mut child = command("-n 2 APP sleep")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap()).lines();
    assert_eq!(out.next().unwrap().unwrap(), "sleeps");
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(err.contains("interrupted at 125 ms of simulated time"), "{err}");
}

#[test]
fn the_map_is_shown_when_asked_for() {
    let ran = run("-n 3 -p star-64 -map --map cyclic APP");
    assert!(ran.err.contains("rank 2 runs on node-2"), "{}", ran.err);
}

#[test]
fn a_debugger_may_start_the_program() {
    let ran = run("-n 1 --wrapper env APP x");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.ends_with("app|x|\n"), "{}", ran.out);
}
