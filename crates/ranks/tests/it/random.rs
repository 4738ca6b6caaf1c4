//! Random numbers and `strtok`, per rank.

use crate::program::run_c;

#[test]
fn each_rank_draws_what_a_process_of_its_own_would() {
    let noted = run_c(
        r"
        #include <stdlib.h>
        int main(int c, char **v) {
            note(rand());
            suspend_rank();
            note(rand());
            srand48(1);
            suspend_rank();
            note(lrand48());
            return 0;
        }",
        2,
    );
    let draws = [1_804_289_383, 846_930_886, 89_400_484];
    let expected: Vec<_> = draws.iter().flat_map(|draw| [(0, *draw), (1, *draw)]).collect();
    assert_eq!(noted, expected);
}

#[test]
fn strtok_goes_on_where_the_rank_left_off() {
    let noted = run_c(
        r#"
        #include <string.h>
        int main(int c, char **v) {
            char text[] = "a b c";
            for (char *word = strtok(text, " "); word; word = strtok(0, " ")) {
                note(word[0]);
                suspend_rank();
            }
            return 0;
        }"#,
        2,
    );
    let expected: Vec<_> =
        b"abc".iter().flat_map(|l| [(0, (*l).into()), (1, (*l).into())]).collect();
    assert_eq!(noted, expected);
}
