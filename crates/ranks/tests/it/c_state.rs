//! What the C and C++ libraries keep for a thread stays with its rank.

use crate::program::{Program, begin, finish, notes, run_c};

#[test]
fn a_rounding_mode_does_not_leak() {
    let noted = run_c(
        r"
        #include <fenv.h>
        static volatile double one = 1, seven = 7;
        static volatile long double lone = 1, lseven = 7;
        int main(int c, char **v) {
            double nearest = one / seven;
            long double lnearest = lone / lseven;
            suspend_rank();
            note(fegetround() == FE_TONEAREST && one / seven == nearest);
            fesetround(FE_UPWARD);
            suspend_rank();
            note(fegetround() == FE_UPWARD && one / seven > nearest && lone / lseven > lnearest);
            suspend_rank();
            fesetround(FE_TONEAREST);
            return 0;
        }",
        3,
    );
    assert_eq!(noted.len(), 6);
    assert!(noted.iter().all(|(_, is_right)| *is_right == 1), "{noted:?}");
}

#[test]
fn the_scheduler_keeps_its_rounding_mode() {
    let source = "#include <fenv.h>\n\
        int main(int c, char **v) { fesetround(FE_UPWARD); suspend_rank(); return 0; }";
    let (_ranks, mut all) = begin(Program::c(source), 1);
    all[0].resume();
    let (one, three) = (std::hint::black_box(1.0_f64), std::hint::black_box(3.0));
    assert_eq!(one / three, 0.333_333_333_333_333_3);
    finish(&mut all);
}

#[test]
fn errno_does_not_leak() {
    let noted = run_c(
        r"
        #include <errno.h>
        int main(int c, char **v) {
            note(errno);
            errno = 5;
            suspend_rank();
            note(errno);
            errno = 6;
            suspend_rank();
            note(errno);
            return 0;
        }",
        2,
    );
    assert_eq!(noted, [(0, 0), (1, 0), (0, 5), (1, 5), (0, 6), (1, 6)]);
}

#[test]
fn ranks_may_be_suspended_while_they_handle_exceptions() {
    let program = Program::cxx(
        r"
        #include <exception>
        #include <stdexcept>
        struct Raises { int number; };
        static int calls;
        static void work(int depth) {
            try {
                throw Raises{depth};
            } catch (Raises &caught) {
                suspend_rank();
                if (depth < 3) work(depth + 1);
                suspend_rank();
                note(caught.number);
                try { throw; } catch (Raises &again) { note(again.number + 100); }
            }
        }
        int main(int, char **) {
            work(1);
            note(std::uncaught_exceptions());
            return std::current_exception() ? 1 : 0;
        }",
    );
    let (_ranks, mut all) = begin(program, 3);
    finish(&mut all);
    let noted = notes();
    for rank in 0..3 {
        let of_rank: Vec<_> = noted.iter().filter(|n| n.0 == rank).map(|n| n.1).collect();
        assert_eq!(of_rank, [3, 103, 2, 102, 1, 101, 0]);
    }
}
