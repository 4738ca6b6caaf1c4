//! `foretell collectives tune`.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use super::browser::opened;
use super::{foretell, json, printed, refused};

/// A machine where neither the ranks of a node nor the nodes are alone.
const MACHINE: &str = "-p dahu --map block:2";

/// Runs a study that writes everything into a folder, and gives what it printed.
fn study(folder: &Path, what: &str) -> String {
    let name = |file: &str| folder.join(file).display().to_string();
    let (rules, page, all) = (name("w.toml"), name("w.html"), name("w.json"));
    printed(&format!("collectives tune {what} --rules {rules} --html {page} --json {all}"))
}

fn read(folder: &Path, file: &str) -> String {
    fs::read_to_string(folder.join(file)).unwrap()
}

#[test]
fn a_study_tells_winners_and_how_far_libraries_are() {
    let folder = tempfile::tempdir().unwrap();
    let what = format!("{MACHINE} --op alltoall --ranks 4,6 --bytes 64,64k");
    let text = study(folder.path(), &what);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("alltoall on dahu, ranks mapped by block:2: "), "{first}");
    assert!(first.ends_with(" algorithms, 4 points"), "{first}");
    assert!(text.contains("the number of ranks is no power of two"), "{text}");
    assert!(text.contains("mvapich2-2.3") && text.contains("simgrid-default"), "{text}");
    let report: serde_json::Value = serde_json::from_str(&read(folder.path(), "w.json")).unwrap();
    let alltoall = &report["operations"][0];
    assert_eq!(alltoall["points"].as_array().unwrap().len(), 4);
    for point in alltoall["points"].as_array().unwrap() {
        let times = point["algorithms"].as_array().unwrap().iter();
        let own = times.filter(|entry| entry["gives_way"].is_null());
        let least = own.filter_map(|entry| entry["seconds"].as_f64()).fold(f64::INFINITY, f64::min);
        assert!((point["best"]["seconds"].as_f64().unwrap() / least - 1.0).abs() < 1e-8);
    }
    assert_eq!(alltoall["libraries"].as_array().unwrap().len(), 11);
}

#[test]
fn the_page_is_whole_and_well_formed() {
    let folder = tempfile::tempdir().unwrap();
    let what = "-p star-64 --map block:1 --op bcast --op barrier --ranks 4..8 --bytes 1k..4k";
    study(folder.path(), what);
    let page = read(folder.path(), "w.html");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let tree = roxmltree::Document::parse_with_options(&page, options).unwrap();
    let count = |name: &str| tree.descendants().filter(|node| node.has_tag_name(name)).count();
    // Two numbers of ranks and three sizes of the bcast, and one picture of the barrier.
    assert_eq!((count("section"), count("figure")), (2, 2 + 3 + 1));
    assert!(!page.contains("http"));
}

#[test]
fn a_browser_shows_the_page_and_picks_curves() {
    let folder = tempfile::tempdir().unwrap();
    let what = "-p star-64 --map block:1 --op alltoall --ranks 4..8 --bytes 1k..64k";
    study(folder.path(), what);
    let page = folder.path().join("w.html");
    let Some(seen) = opened(&page, "", "") else { return };
    assert_eq!(seen.complaints, [""; 0]);
    // A panel for each number of ranks, and one for each size.
    assert_eq!(seen.dom.matches("<figcaption>").count(), 2 + 7);
    assert!(seen.dom.contains("<td>basic_linear</td>"), "the tables are there");
    // Titles of points give way to the page's own, which follow the pointer.
    assert!(!seen.dom.contains("<title>4 ranks"));
    let pick = "
document.querySelector('.legend button[data-curve=\"2\"]').click();
const point = document.querySelector('[data-tip]'), rect = point.getBoundingClientRect();
point.dispatchEvent(new PointerEvent('pointermove', { clientX: rect.left, clientY: rect.top, bubbles: true }));
";
    let picked = opened(&page, "", pick).unwrap();
    assert_eq!(picked.complaints, [""; 0]);
    assert!(picked.dom.contains("aria-pressed=\"true\""));
    assert!(picked.dom.matches("series on").count() >= 9, "the curve stands out in all panels");
    let tip = picked.text("tip");
    assert!(tip.contains("1k"), "{tip}");
}

#[test]
fn what_takes_too_long_is_marked_wherever_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    // No machine carries so many messages in so little time.
    let what = "-p star-64 --map block:1 --op alltoall --ranks 64 --bytes 1k --limit 0.0001";
    let text = study(folder.path(), what);
    let is_marked =
        |line: &str| line.contains("pair_mpi_barrier") && line.contains("took too long");
    assert!(text.lines().any(is_marked), "{text}");
    assert!(read(folder.path(), "w.html").contains("its simulation took too long"));
    let report: serde_json::Value = serde_json::from_str(&read(folder.path(), "w.json")).unwrap();
    let entries = report["operations"][0]["points"][0]["algorithms"].as_array().unwrap();
    let of = |name: &str| entries.iter().find(|entry| entry["algorithm"] == name).unwrap();
    assert_eq!(of("pair_mpi_barrier")["too_long"], true);
    assert!(of("pair_mpi_barrier")["seconds"].is_null());
}

#[test]
fn a_study_that_is_told_to_end_leaves_nothing_behind() {
    for signal in ["-INT", "-TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("foretell"))
            .args("collectives tune -p graphene-1024 --map block:1 --op alltoall".split(' '))
            .args("--ranks 1024 --bytes 32k --progress always --html w.html".split(' '))
            .args("--rules w.toml --json w.json".split(' '))
            .current_dir(folder.path())
            .stderr(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap()).lines();
        let progress = err.next().unwrap().unwrap();
        assert!(progress.contains(" simulations in "), "{progress}");
        let pid = child.id().to_string();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let last = err.map(Result::unwrap).last().unwrap();
        assert!(last.starts_with("error: interrupted after "), "{last}");
        assert_eq!(child.wait().unwrap().code(), Some(130));
        assert_eq!(folder.path().read_dir().unwrap().count(), 0, "{signal}");
    }
}

#[test]
fn rounded_ends_move_times_by_no_more_than_they_are_rounded() {
    let line = "collectives tune -p graphene --map block:1 --op alltoall --ranks 24 --bytes 64k";
    let (exact, rounded) = (json(line), json(&format!("{line} --rounding 1e-3")));
    let times = |report: &serde_json::Value| -> Vec<f64> {
        let entries = report["operations"][0]["points"][0]["algorithms"].as_array().unwrap();
        entries.iter().filter_map(|entry| entry["seconds"].as_f64()).collect()
    };
    let (exact, rounded) = (times(&exact), times(&rounded));
    assert_eq!(exact.len(), rounded.len());
    assert_ne!(exact, rounded);
    for (exact, rounded) in exact.iter().zip(&rounded) {
        assert!((rounded / exact - 1.0).abs() < 2e-3, "{exact} became {rounded}");
    }
    let message = refused(&format!("{line} --rounding 0.5"), 2);
    assert!(message.contains("a share between 0 and 0.1"), "{message}");
}

#[test]
fn rules_with_the_winners_choose_them_at_every_point() {
    let folder = tempfile::tempdir().unwrap();
    let what = format!("{MACHINE} --op all --ranks 6,8 --bytes 64,8k,1M");
    study(folder.path(), &what);
    let report: serde_json::Value = serde_json::from_str(&read(folder.path(), "w.json")).unwrap();
    let rules = folder.path().join("w.toml").display().to_string();
    for operation in report["operations"].as_array().unwrap() {
        let name = operation["operation"].as_str().unwrap();
        // No rule of these can go by bytes.
        if name == "alltoallv" || name == "alltoallw" {
            continue;
        }
        for point in operation["points"].as_array().unwrap() {
            let (ranks, bytes) = (&point["ranks"], point["bytes"].as_u64().unwrap());
            let is_scattered = name.starts_with("reduce_scatter");
            let vector = if is_scattered { bytes * ranks.as_u64().unwrap() } else { bytes };
            let line = format!(
                "collectives explain {name} -n {ranks} --bytes {vector} --per-node 2 --as {rules}"
            );
            let best = point["best"]["algorithm"].as_str().unwrap();
            let chosen = printed(&line);
            let chosen = chosen.lines().next().unwrap().split(',').next().unwrap();
            assert_eq!(chosen, best, "{line}");
        }
    }
}

#[test]
fn a_run_by_the_rules_is_as_quick_as_by_the_winner() {
    let folder = tempfile::tempdir().unwrap();
    study(folder.path(), &format!("{MACHINE} --op allreduce --ranks 8 --bytes 1k,1M"));
    let report: serde_json::Value = serde_json::from_str(&read(folder.path(), "w.json")).unwrap();
    let rules = folder.path().join("w.toml").display().to_string();
    for point in report["operations"][0]["points"].as_array().unwrap() {
        let (best, bytes) = (point["best"]["algorithm"].as_str().unwrap(), &point["bytes"]);
        let run = |how: &str| {
            let line = format!("app collective {MACHINE} -n 8 {how} allreduce {bytes} 3");
            json(&line)["sim_s"].as_f64().unwrap()
        };
        let by_rules = run(&format!("--collectives {rules}"));
        let is_plain = point["best"].as_object().unwrap().len() == 2;
        if is_plain {
            assert_eq!(by_rules, run(&format!("--coll allreduce={best}")), "{best}");
        }
    }
}

#[test]
fn the_number_of_threads_makes_no_difference() {
    let line = "collectives tune -p star-64 --op allgather --ranks 4..16 --bytes 8..8k --json -";
    let without_command = |jobs: &str| {
        let mut report = json(&format!("{} {jobs}", line.trim_end_matches(" --json -")));
        report["command"].take();
        report
    };
    assert_eq!(without_command("--jobs 1"), without_command("--jobs 3"));
}

#[test]
fn mistakes_are_told_before_anything_is_simulated() {
    let refuse = |what: &str| refused(&format!("collectives tune {what}"), 2);
    let points = "--ranks 4 --bytes 8";
    let message = refuse(&format!("-p star-64 --op alltoal {points}"));
    assert!(message.contains("did you mean `alltoall`?"), "{message}");
    let message = refuse(&format!("-p star-64 --op comm_split {points}"));
    assert!(message.contains("nothing to compare"), "{message}");
    let message = refuse("-p star-64 --op bcast --ranks 4096 --bytes 8");
    assert!(message.contains("it has 1,024 cores"), "{message}");
    let message = refuse("-p star-64 --op bcast --ranks 5..7 --bytes 8");
    assert!(message.contains("no power of two"), "{message}");
    let message = refuse("-p star-64 --op bcast --ranks 4 --bytes 8..4");
    assert!(message.contains("is empty"), "{message}");
    let message = refuse(&format!("-p no-such.toml --op bcast {points}"));
    assert!(message.contains("there is no platform file"), "{message}");
    let message = refuse(&format!("-p star-64 --op bcast {points} --html no/such/folder/x.html"));
    assert!(message.contains("cannot write"), "{message}");
}

#[test]
fn nothing_is_written_where_one_file_cannot_be() {
    let folder = tempfile::tempdir().unwrap();
    let rules = folder.path().join("w.toml").display().to_string();
    let line = format!(
        "collectives tune -p star-64 --op bcast --ranks 4 --bytes 8 --rules {rules} --html {}/no/x",
        folder.path().display()
    );
    assert_eq!(foretell(&line).code, 2);
    assert_eq!(folder.path().read_dir().unwrap().count(), 0);
}
