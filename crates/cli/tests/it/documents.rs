//! Help, manual pages, completions.

use crate::{file, foretell, printed};

#[test]
fn every_shell_gets_its_completions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(printed(&format!("completions {shell}")).contains("stencil3d"), "{shell}");
    }
}

#[test]
fn manual_pages_are_printed_or_written() {
    assert!(printed("man").contains(".TH foretell 1"));
    let (folder, _) = file("x", "");
    printed(&format!("man --dir {}", folder.path().join("man1").display()));
    for page in [
        "foretell.1",
        "foretell-app-ring.1",
        "foretell-platform-show.1",
        "foretell-run.1",
        "foretell-check.1",
        "foretell-mpicc.1",
        "foretell-mpicxx.1",
    ] {
        let text = std::fs::read_to_string(folder.path().join("man1").join(page)).unwrap();
        assert!(text.contains(".SH"), "{page}");
    }
}

#[test]
fn help_explains_skeletons_options_and_exit_codes() {
    let out = printed("--help");
    assert!(out.contains("Exit codes") && out.contains("Examples"), "{out}");
    let out = printed("app --help");
    assert!(out.contains("Halo exchange on a periodic 3-D grid"), "{out}");
    let out = printed("app stencil3d --help");
    for word in ["Halo exchange", "[ITERATIONS]", "26 with edges and corners", "--cfg", "--map"] {
        assert!(out.contains(word), "{word}: {out}");
    }
}

#[test]
fn help_explains_how_programs_run() {
    let out = printed("run --help");
    for word in ["--stack-size", "--privatise", "-np N", "smpirun", "Exit codes", "star"] {
        assert!(out.contains(word), "{word}: {out}");
    }
    assert!(!out.contains("pingpong"), "{out}");
}

#[test]
fn the_version_is_told() {
    assert_eq!(printed("--version"), format!("foretell {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn nothing_asked_for_is_answered_with_help() {
    let said = foretell("");
    assert_eq!(said.code, 2);
    assert!(said.err.contains("Usage: foretell <COMMAND>"), "{}", said.err);
}
