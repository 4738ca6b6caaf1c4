//! `foretell replay --no-noise`, `--balance`, `--what-if`: traces with something other than it was.

use serde_json::Value;

use crate::{file, foretell, json, printed, refused};

fn seconds(summary: &Value) -> f64 {
    summary["simulated_s"].as_f64().unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-5, "{found}, not {expected}");
}

/// Ranks that wait for each other after each computation, of so many gigaflops.
fn turns(work: &[&[u32]]) -> String {
    let rank = |(rank, work): (usize, &&[u32])| {
        let turn = |work: &u32| format!("{rank} compute {work}e9\n{rank} barrier\n");
        let turns: String = work.iter().map(turn).collect();
        format!("{rank} init\n{}{turns}", format!("{rank} barrier\n").repeat(4))
    };
    work.iter().enumerate().map(rank).collect()
}

/// A processor of star-64 does ten gigaflops in a second; barriers take no time to speak of.
#[test]
fn turns_without_noise_take_the_mean() {
    let (_folder, path) = file("a.ti", &turns(&[&[10, 30, 20], &[30, 10, 20]]));
    let line = format!("replay {} -p star-64", path.display());
    close(seconds(&json(&line)), 8.0);
    close(seconds(&json(&format!("{line} --no-noise"))), 6.0);
    let said = foretell(&format!("{line} --no-noise"));
    assert!(
        said.out.contains("6 of 6 computations vary from one time to the next, by 40.8 %"),
        "{said:?}"
    );
    // Both jobs are without it.
    let job = format!("{line} --no-noise --job {}", path.display());
    let jobs = json(&job)["jobs"].as_array().unwrap().clone();
    jobs.iter().for_each(|job| close(job["seconds"].as_f64().unwrap(), 6.0));
    assert!(printed(&job).contains("12 of 12 computations"));
    // Compact traces, too.
    let (_folder, small) = file("a.fti", "");
    printed(&format!("trace convert {} {}", path.display(), small.display()));
    close(seconds(&json(&format!("replay {} -p star-64 --no-noise", small.display()))), 6.0);
}

/// LULESH as a skeleton computes the same each time, and its ranks equally much; with dates, but for
/// fractions of nanoseconds.
#[test]
fn captures_without_noise_stay_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.otf2", "a.prv", "a.fti"] {
        let path = folder.path().join(name).display().to_string();
        let option = if name == "a.fti" { "--trace-ti" } else { "--trace" };
        printed(&format!("app lulesh -i 3 -n 8 -p taurus --map block:2 {option} {path}"));
        let line = format!("replay {path} -p taurus --map block:2");
        let usual = seconds(&json(&line));
        for options in ["--no-noise", "--balance", "--no-noise --balance"] {
            close(seconds(&json(&format!("{line} {options}"))), usual);
        }
    }
}

#[test]
fn what_has_no_noise_is_told_so() {
    let (_folder, path) = file("a.ti", &turns(&[&[10, 10], &[30, 30]]));
    let said = foretell(&format!("replay {} -p star-64 --no-noise", path.display()));
    assert!(said.err.contains("--no-noise changed nothing"), "{said:?}");
    let schedule = "num_ranks 2\nrank 0 {\nl1: calc 1000000\n}\nrank 1 {\nl1: calc 3000000\n}\n";
    let (_folder, path) = file("a.goal", schedule);
    let line = format!("replay {} -p star-64", path.display());
    let said = foretell(&format!("{line} --no-noise"));
    assert!(said.err.contains("a.goal is a schedule"), "{said:?}");
    close(seconds(&json(&format!("{line} --balance"))), 2e-3);
    assert!(!printed(&format!("{line} --what-if")).contains("noise"));
}

#[test]
fn balanced_ranks_all_take_the_mean() {
    let (_folder, path) = file("a.ti", &turns(&[&[10, 10], &[20, 20], &[60, 60]]));
    let line = format!("replay {} -p star-64", path.display());
    close(seconds(&json(&line)), 12.0);
    close(seconds(&json(&format!("{line} --balance"))), 6.0);
    let told = printed(&format!("{line} --balance"));
    assert!(told.contains("before, rank 2 computes most, 2.000 times the mean"), "{told}");
    // With speed-ups, what is left is spread.
    close(seconds(&json(&format!("{line} --balance --speedup rank:2=2"))), 4.0);
    let (_folder, path) = file("a.ti", &turns(&[&[0, 0], &[20, 20], &[60, 60]]));
    let said = foretell(&format!("replay {} -p star-64 --balance", path.display()));
    assert!(said.err.contains("nothing is computed by 1 rank of this trace"), "{said:?}");
    assert!(said.err.contains("the other 2 ranks"), "{said:?}");
    assert!(said.out.contains("8 s"), "{said:?}");
}

#[test]
fn speed_ups_of_what_is_not_there_are_told() {
    let text = "0 init\n0 region solve\n0 compute 10e9\n0 leave solve\n1 init\n";
    let (_folder, path) = file("a.ti", text);
    let line = format!("replay {} -p star-64", path.display());
    let said = |more: &str| foretell(&format!("{line} --speedup {more}")).err;
    assert_eq!(said("solve=2"), "");
    assert!(said("solv=2").contains("did you mean `solve`?"), "{}", said("solv=2"));
    assert!(said("assemble=2").contains("it has `solve`"), "{}", said("assemble=2"));
    assert!(said("solve=2 --speedup a.c:7=2 -q").contains("of `a.c:7`"));
    for ranks in ["rank:2=2", "ranks:0-7=2", "ranks:0-4000000000=2"] {
        let told = refused(&format!("{line} --speedup {ranks}"), 2);
        assert!(told.contains("the trace has 2 ranks, 0 to 1"), "{told}");
    }
    // Of several traces one is enough.
    let (_folder, other) = file("b.ti", "0 init\n1 init\n2 compute 10e9\n");
    let jobs = format!("{line} --job {} --speedup", other.display());
    assert_eq!(foretell(&format!("{jobs} rank:2=2")).err, "");
    assert!(refused(&format!("{jobs} rank:3=2"), 2).contains("3 ranks, 0 to 2"));
    // Lines of the source are parts as well.
    let (_folder, path) = file("c.ti", "0 location a.c 7\n0 compute 10e9\n");
    let said = foretell(&format!("replay {} -p star-64 --speedup a.c:7=2", path.display()));
    assert_eq!(said.err, "");
    assert!(said.out.contains("500 ms"), "{said:?}");
}

fn names(table: &Value) -> Vec<&str> {
    let rows = table["what_if"].as_array().unwrap();
    rows.iter().map(|one| one["name"].as_str().unwrap()).collect()
}

#[test]
fn the_table_has_noise_balance_and_the_slowest_rank() {
    let (_folder, path) = file("a.ti", &turns(&[&[10, 20], &[20, 10], &[40, 80]]));
    let line = format!("replay {} -p star-64 --what-if", path.display());
    let table = json(&line);
    let of = |name: &str| {
        let mut rows = table["what_if"].as_array().unwrap().iter();
        rows.find(|row| row["name"] == name).unwrap_or_else(|| panic!("no {name}: {table}"))
    };
    close(seconds(&table), 12.0);
    close(seconds(of("balanced")), 4.0 + 4.0);
    close(seconds(of("rank 2 at the mean")), 2.0 + 4.0);
    close(seconds(of("no noise")), 12.0);
    close(of("processors x2")["gain"].as_f64().unwrap(), 0.5);
    assert_eq!(table["most_computing"]["rank"], 2);
    assert_eq!(table["noise"]["that_vary"], 6);
    assert!(printed(&line).contains("rank 2 computes most, 2.000 times the mean"));
    // What is so already is no row.
    let other = json(&format!("{line} --no-noise --balance"));
    assert!(!names(&other).iter().any(|name| name.contains("noise") || name.contains("balance")));
}

#[test]
fn the_table_is_sorted_by_time_or_by_joules() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("a.ti").display().to_string();
    printed(&format!("app lu-wave -n 32 -p taurus --trace-ti {trace} 4 8 8 60 2"));
    let line = format!("replay {trace} -p taurus --what-if --energy");
    let column = |table: &Value, key: &str| -> Vec<f64> {
        let rows = table["what_if"].as_array().unwrap();
        rows.iter().map(|row| row[key].as_f64().unwrap()).collect()
    };
    let (by_time, by_energy) = (json(&line), json(&format!("{line} --sort energy")));
    assert!(column(&by_time, "simulated_s").is_sorted(), "{by_time}");
    assert!(column(&by_energy, "joules").is_sorted(), "{by_energy}");
    assert_eq!(by_energy["sorted_by"], "energy");
    let base = by_time["joules"].as_f64().unwrap();
    for (joules, gain) in column(&by_time, "joules").iter().zip(column(&by_time, "energy_gain")) {
        assert!((1.0 - joules / base - gain).abs() < 1e-9, "{by_time}");
    }
    // Three hosts are in use, and ranks may be placed on them in turns.
    assert!(names(&by_time).contains(&"ranks in turns"), "{by_time}");
    let told = refused(&format!("replay {trace} -p taurus --what-if --sort energy"), 2);
    assert!(told.contains("add --energy"), "{told}");
}
