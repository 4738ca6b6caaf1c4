//! `foretell demo`.

use crate::prefix::{prefix, said};
use crate::{json, printed};

/// The command of each scene, its simulated time and its messages.
const SCENES: [(&str, &str); 5] = [
    (
        "foretell app stencil3d -n 4096 -p torus-4096 --map block:1 4 32 26",
        "takes 241.4925 us there with 671,744 messages;",
    ),
    (
        "foretell app stencil3d -n 4096 -p star-4096 --map block:1 4 32 26",
        "takes 175.4127 us there with 671,744 messages;",
    ),
    (
        "foretell app collective -n 1024 -p fat-tree-1024 --map block:1 alltoall 4096 1",
        "takes 4.276471 ms there with 1,057,792 messages;",
    ),
    (
        "foretell app collective -n 144 -p graphene --map block:1 --cfg precision/timing:1e-12 alltoall 16384 2",
        "takes 372.6009 ms there with 42,112 messages;",
    ),
    (
        "foretell app lu-wave -n 1024 -p dragonfly-1024 --map block:1 32 32 16 60 2",
        "takes 1.016835 ms there with 165,632 messages;",
    ),
];

#[test]
fn the_demonstration_shows_commands_and_their_results() {
    let out = printed("demo");
    let mut lines = out.lines().map(str::trim);
    for (command, result) in SCENES {
        let shown = format!("$ {command}");
        assert!(lines.any(|line| line == shown), "{shown} is not shown: {out}");
        let told = lines.next().unwrap();
        assert!(told.starts_with(result), "{command} {told}");
        assert!(told.ends_with("messages/s"), "{told}");
    }
    assert!(out.contains("Next: "), "{out}");
}

#[test]
fn a_command_shown_does_what_was_shown() {
    let (command, result) = SCENES[4];
    let run = json(command.strip_prefix("foretell ").unwrap());
    assert!(result.contains("165,632") && run["messages"] == 165_632);
    assert!((run["simulated_s"].as_f64().unwrap() - 1.016835e-3).abs() < 1e-9);
}

#[test]
fn a_program_in_c_is_compiled_and_simulated() {
    let said = prefix().run("foretell demo");
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let source = prefix().path("share/foretell/examples/heat.c");
    for part in [
        format!("$ foretell-mpicc -O2 {} -o heat -lm\n", source.display()),
        "$ foretell run -n 64 -p graphene --clock cpu ./heat 1024 20\n  plate of 1024\n".into(),
        "  takes 250 ms there with 12 messages; ".into(),
    ] {
        assert!(said.out.contains(&part), "{part}: {}", said.out);
    }
}

#[test]
fn without_a_compiler_there_are_skeletons_and_a_word_about_it() {
    let said = said(prefix().command("foretell").arg("demo").env("FORETELL_CC", "/no/such/gcc"));
    assert_eq!(said.code, 0, "{}", said.err);
    for part in ["only skeletons", "cannot start the compiler `/no/such/gcc`", "with gcc"] {
        assert!(said.err.contains(part), "{part}: {}", said.err);
    }
    assert!(said.out.contains("takes 241.4925 us there"), "{}", said.out);
    assert!(!said.out.contains("$ foretell run"), "{}", said.out);
}
