//! `foretell platform`.

use crate::{example, file, foretell, printed, refused};

#[test]
fn presets_are_listed_with_what_they_are() {
    let out = printed("platform list");
    assert!(out.lines().count() >= 9);
    assert!(out.lines().any(|line| line.starts_with("graphene ") && line.contains("144")), "{out}");
}

#[test]
fn every_preset_can_be_shown_and_is_free_of_mistakes() {
    for line in printed("platform list").lines() {
        let name = line.split(' ').next().unwrap();
        assert!(printed(&format!("platform show {name}")).starts_with(name));
        assert!(printed(&format!("platform check {name}")).ends_with("\n"));
    }
}

#[test]
fn figures_of_a_machine_come_as_json() {
    let out = printed("platform show graphene --json");
    let figures: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&figures["nodes"], &figures["cores"]), (&144.into(), &576.into()));
}

#[test]
fn a_picture_is_written_beside_the_description() {
    let (folder, path) = file("a.svg", "");
    printed(&format!("platform show torus-512 --svg {}", path.display()));
    assert!(std::fs::read_to_string(path).unwrap().contains("<svg"));
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn all_mistakes_of_all_files_are_told_at_once() {
    let (_folder, bad) = file("bad.toml", "[nodes]\ncount = 0\nspeed = 'fast'\n");
    let good = example("star-10g-64.xml");
    let line = format!("platform check {} {} no-such", bad.display(), good.display());
    let said = foretell(&line);
    assert_eq!(said.code, 2);
    assert!(said.out.contains("bad.toml:2:") && said.out.contains("bad.toml:3:"), "{}", said.out);
    assert!(said.out.contains("star-10g-64.xml: good, 64 hosts"), "{}", said.out);
    assert!(said.err.contains("no-such"), "{}", said.err);
}

#[test]
fn odd_things_are_warnings_and_do_not_fail_a_check() {
    let (_folder, path) = file(
        "odd.toml",
        "[nodes]\ncount = 2\nspeed = '1Gf'\n[network]\nbandwidth = 1000000000\nlatency = '1us'\n",
    );
    let said = foretell(&format!("platform check {}", path.display()));
    assert_eq!(said.code, 0, "{}", said.out);
    assert!(said.out.contains("warning: "), "{}", said.out);
    assert!(said.out.contains("usable, 2 hosts"), "{}", said.out);
}

#[test]
fn machines_survive_a_change_of_format() {
    let (folder, toml) = file("a.toml", "");
    let xml = folder.path().join("a.xml");
    let route = |platform: &str| printed(&format!("platform route {platform} n0 n63"));
    let original = example("fattree-10g-64.xml").display().to_string();
    printed(&format!("platform convert {original} {}", toml.display()));
    printed(&format!("platform convert {} {}", toml.display(), xml.display()));
    assert_eq!(route(&original), route(&toml.display().to_string()));
    assert_eq!(route(&original), route(&xml.display().to_string()));
}

#[test]
fn without_a_new_file_the_other_format_is_printed() {
    let out = printed(&format!("platform convert {}", example("torus-10g-64.xml").display()));
    assert!(out.contains("[zone.network]") || out.contains("[network]"), "{out}");
    let (_folder, path) = file("a.toml", &printed("platform convert star-64"));
    let out = printed(&format!("platform convert {}", path.display()));
    assert!(out.starts_with("<?xml"), "{out}");
    assert!(refused("platform convert star-64 star.json", 2).contains(".toml nor .xml"));
}

#[test]
fn a_route_is_told_link_by_link() {
    let out = printed("platform route graphene graphene-1 graphene-144");
    assert!(out.starts_with("graphene-1 to graphene-144: 8 links\n"), "{out}");
    for figure in ["125 MB/s", "10 us", "shared", "latency", "weight"] {
        assert!(out.contains(figure), "{figure} is missing: {out}");
    }
    let err = refused("platform route graphene graphene-1 graphene-145x", 2);
    assert!(err.contains("did you mean `graphene-1"), "{err}");
}
