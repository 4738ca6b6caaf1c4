//! Bad input is answered with what to do.

use crate::{file, refused};

fn check(line: &str, code: i32, parts: &[&str]) {
    let err = refused(line, code);
    for part in parts {
        assert!(err.contains(part), "`{line}` does not say `{part}`: {err}");
    }
}

#[test]
fn what_is_missing_is_asked_for() {
    check("app ring -n 4", 2, &["which machine?", "-p", "platform list"]);
    check("app ring -p star-64", 2, &["how many ranks?", "-n", "1,024 cores"]);
}

#[test]
fn a_mistyped_preset_is_guessed() {
    check("app ring -n 2 -p graphen", 2, &["did you mean `graphene`?"]);
    check("platform show torus512", 2, &["did you mean `torus-512`?"]);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    check("app ring -n 2 -p no/such.xml", 2, &["no/such.xml"]);
    check("app ring -n 2 -p star-64 --hostfile no/such", 2, &["no/such"]);
    check("app ring -n 2 -p star-64 --json no/such/folder", 2, &["cannot write no/such/folder"]);
}

#[test]
fn numbers_and_words_that_make_no_sense_are_refused() {
    check("app ring -n 0 -p star-64", 2, &["0 is not in 1..="]);
    check("app ring -n 2 -p star-64 many", 2, &["many", "ROUNDS"]);
    check("app ring -n 2 -p star-64 --map everywhere", 2, &["expected cores, block"]);
    check("app rang -n 2", 2, &["rang", "ring"]);
    check("app collective -n 2 -p star-64 alltoal", 2, &["alltoall"]);
}

#[test]
fn mistakes_of_a_platform_file_are_drawn() {
    let (_folder, path) = file("a.toml", "[nodes]\ncount = 2\nspeed = 'fast'\n");
    check(&format!("app ring -n 2 -p {}", path.display()), 2, &["a.toml:3:", "fast", "^^^^"]);
}

#[test]
fn a_program_that_fails_names_rank_date_and_call() {
    check("app pingpong -n 1 -p star-64", 1, &["rank 0 at 0.0", "pingpong needs 2 ranks"]);
    check("app lu-wave -n 5 -p star-64 2 3", 1, &["2 x 3 needs 6 ranks, not 5"]);
}
