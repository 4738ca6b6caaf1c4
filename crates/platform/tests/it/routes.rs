//! Routes against those SimGrid 3.32 finds on the same files.

use std::fs;
use std::path::{Path, PathBuf};

use foretell_platform::{Platform, Policy, Route};

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Compares every route in the `.routes` file beside a platform.
fn check(platform: &Path) {
    let machine = Platform::read(platform).unwrap_or_else(|error| panic!("{error}"));
    let expected = fs::read_to_string(platform.with_extension("routes")).unwrap();
    let mut route = Route::default();
    let mut compared = 0;
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split(' ');
        let mut host = || machine.find_host(fields.next().unwrap()).expect("a host of the file");
        let (from, to) = (host(), host());
        machine.route(from, to, &mut route).unwrap();
        let latency: f64 = fields.next().unwrap().parse().unwrap();
        close(route.latency, latency, line);
        let links: Vec<&str> = fields.collect();
        assert_eq!(route.links.len(), links.len(), "{line}");
        for (id, expected) in route.links.iter().zip(links) {
            let parts: Vec<&str> = expected.rsplitn(4, ':').collect();
            let link = machine.link(*id);
            assert_eq!(machine.link_name(*id), parts[3], "{line}");
            close(link.bandwidth, parts[2].parse().unwrap(), line);
            close(link.latency, parts[1].parse().unwrap(), line);
            assert_eq!(link.policy == Policy::FatPipe, parts[0] == "F", "{line}");
            let found = machine.find_link(parts[3]).expect("a link that has a name");
            assert_eq!(machine.link_name(found), parts[3]);
        }
        compared += 1;
    }
    assert!(compared > 5, "{} has too few routes", platform.display());
}

fn close(ours: f64, theirs: f64, line: &str) {
    // The file has nine digits.
    assert!((ours - theirs).abs() <= 1e-8 * theirs.abs(), "{ours} is not {theirs} in {line}");
}

fn check_all(directory: &Path) {
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .filter(|path| path.with_extension("routes").exists())
        .collect();
    files.sort();
    assert!(files.len() > 5, "{} has too few platforms", directory.display());
    files.iter().for_each(|file| check(file));
}

#[test]
fn the_example_platforms_have_simgrids_routes() {
    check_all(&here("../../examples/platforms"));
}

#[test]
fn every_kind_of_zone_has_simgrids_routes() {
    check_all(&here("tests/data"));
}

#[test]
fn all_benchmark_platforms_load() {
    let directory = here("../../../shared/bench/platforms");
    let Ok(entries) = fs::read_dir(&directory) else {
        return println!("skipped: {} is not there", directory.display());
    };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|end| end == "xml") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            let hosts: usize = name.rsplit('-').next().unwrap().parse().unwrap();
            assert_eq!(Platform::read(&path).unwrap().host_count(), hosts, "{name}");
        }
    }
}
