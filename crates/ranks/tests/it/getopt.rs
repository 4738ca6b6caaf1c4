//! `getopt`, per rank.

use foretell_ranks::Settings;

use crate::program::{GETOPT, Program, begin_with, finish, notes};

#[test]
fn ranks_read_their_options_in_turns() {
    let _alone = GETOPT.lock().unwrap();
    let source = r#"
        #include <stdlib.h>
        #include <unistd.h>
        int main(int argc, char **argv) {
            int option;
            while ((option = getopt(argc, argv, "ab:c")) != -1) {
                note(option == 'b' ? atoi(optarg) : option);
                suspend_rank();
            }
            note(optind);
            return 0;
        }"#;
    let arguments = ["program", "-a", "-b", "12", "-c", "rest"];
    let (_ranks, mut all) = begin_with(Settings::default(), Program::c(source), 2, &arguments);
    finish(&mut all);
    let expected: Vec<_> =
        [97, 12, 99, 5].iter().flat_map(|number| [(0, *number), (1, *number)]).collect();
    assert_eq!(notes(), expected);
}
