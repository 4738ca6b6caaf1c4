//! From the first constructor to the last exit handler.

use foretell_ranks::{How, Settings, Step};

use crate::program::{Program, begin, begin_with, finish, notes, run_c};

const HANDLERS: &str = r"
    #include <stdlib.h>
    #include <unistd.h>
    static void first(void) { note(1); }
    static void second(void) { note(2); }
    static void third(int code, void *argument) { note(code + (int)(long)argument); }
    static void quick(void) { note(9); }
    void construct(int argc, char **argv, char **envp) { note(argc * 10); }
    void destruct(void) { note(99); }
    static void setup(void) {
        atexit(first);
        atexit(second);
        on_exit(third, (void *)30);
        at_quick_exit(quick);
    }
";

fn check(body: &str, expected: &[i32], step: Step) {
    let source = format!("{HANDLERS}int main(int c, char **v) {{ setup(); {body} }}");
    let (_ranks, mut all) = begin(Program::c(&source), 2);
    assert_eq!(finish(&mut all), [step; 2]);
    let noted = notes();
    for rank in 0..2 {
        let of_rank: Vec<_> = noted.iter().filter(|n| n.0 == rank).map(|n| n.1).collect();
        assert_eq!(of_rank, expected, "rank {rank} of: {body}");
    }
}

#[test]
fn handlers_run_in_reverse_when_main_returns() {
    check("return 4;", &[10, 34, 2, 1, 99], Step::Ended(4, How::Returned));
}

#[test]
fn exit_ends_the_rank_and_not_the_process() {
    check("exit(5);", &[10, 35, 2, 1, 99], Step::Ended(5, How::Exited));
    check("suspend_rank(); exit(5);", &[10, 35, 2, 1, 99], Step::Ended(5, How::Exited));
}

#[test]
fn immediate_exits_run_no_handlers() {
    check("_exit(6);", &[10], Step::Ended(6, How::Exited));
    check("_Exit(7);", &[10], Step::Ended(7, How::Exited));
}

#[test]
fn quick_exit_runs_its_own_handlers() {
    check("quick_exit(8);", &[10, 9], Step::Ended(8, How::Exited));
}

#[test]
fn exit_codes_have_eight_bits() {
    check("exit(256 + 3);", &[10, 259 + 30, 2, 1, 99], Step::Ended(3, How::Exited));
}

#[test]
fn a_handler_may_exit_register_and_suspend() {
    let noted = run_c(
        r"
        #include <stdlib.h>
        static void late(void) { note(3); }
        static void again(void) { atexit(late); suspend_rank(); exit(2); }
        static void early(void) { note(1); }
        int main(int c, char **v) { atexit(early); atexit(again); return 0; }",
        2,
    );
    assert_eq!(noted, [(0, 3), (0, 1), (1, 3), (1, 1)]);
}

#[test]
fn destructors_of_cxx_globals_run_for_each_rank() {
    let program = Program::cxx(
        r"
        struct Loud { int n; explicit Loud(int n) : n(n) {} ~Loud() { note(n); } };
        static Loud &one() { static Loud loud(1); return loud; }
        static Loud &two() { thread_local Loud loud(2); return loud; }
        int main(int, char **) { one(); two(); suspend_rank(); return 0; }",
    );
    let (_ranks, mut all) = begin(program, 2);
    finish(&mut all);
    assert_eq!(notes(), [(0, 2), (0, 1), (1, 2), (1, 1)]);
}

#[test]
fn arguments_are_private_and_writable() {
    let source = r"
        int main(int argc, char **argv) {
            note(argc); note(argv[1][0]); note(argv[argc] == 0);
            argv[1][0]++;
            argv[2] = argv[1];
            suspend_rank();
            note(argv[1][0]);
            return 0;
        }";
    let arguments = ["program", "x", "y"];
    let (_ranks, mut all) = begin_with(Settings::default(), Program::c(source), 2, &arguments);
    finish(&mut all);
    let (x, y) = (i32::from(b'x'), i32::from(b'y'));
    assert_eq!(notes(), [(0, 3), (0, x), (0, 1), (1, 3), (1, x), (1, 1), (0, y), (1, y)]);
}
