//! Labelled output, in a process of its own since it replaces the standard streams.

use std::process::Command;

use foretell_ranks::Settings;

use crate::program::{Program, begin_with, finish};

const IN_CHILD: &str = "FORETELL_TEST_LABEL";

#[test]
fn lines_carry_their_rank_and_do_not_mix() {
    if std::env::var_os(IN_CHILD).is_some() {
        return print();
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "label::lines_carry_their_rank_and_do_not_mix", "--nocapture"])
        .env(IN_CHILD, "1")
        .output()
        .unwrap();
    let labelled = |text: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(text).into_owned();
        let is_labelled = |line: &&str| line.starts_with('[');
        text.lines().filter(is_labelled).map(str::to_owned).collect()
    };
    let expected = ["[0] hello from here", "[0] second", "[1] hello from here", "[1] second"];
    let mut lines = labelled(&output.stdout);
    assert_eq!(lines.pop().as_deref(), Some("[1] unended"));
    lines.retain(|line| line != "[0] unended");
    assert_eq!(lines, expected);
    assert_eq!(labelled(&output.stderr), ["[0] error", "[1] error"]);
    let all = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(all.contains("test result: ok"), "the streams are put back: {all}");
}

fn print() {
    let source = r#"
        #include <stdio.h>
        int main(int c, char **v) {
            printf("hello ");
            suspend_rank();
            printf("from here\nsecond\nunen");
            fputs("error\n", stderr);
            suspend_rank();
            printf("ded");
            return 0;
        }"#;
    let settings = Settings { label: true, ..Settings::default() };
    let (ranks, mut all) = begin_with(settings, Program::c(source), 2, &["program"]);
    finish(&mut all);
    drop(all);
    drop(ranks);
}
