//! Pictures are well-formed, stay inside their frame, and stay small.

use super::svg;
use crate::{PRESETS, Platform, toml_format};

/// A picture is well-formed, and everything in it is inside its frame.
fn check(platform: &Platform) -> String {
    let picture = svg(platform);
    let document = roxmltree::Document::parse(&picture).unwrap();
    for node in document.descendants().filter(roxmltree::Node::is_element) {
        for (key, most) in [("x", 960.0), ("cx", 960.0), ("y", 620.0), ("cy", 620.0)] {
            if let Some(value) = node.attribute(key) {
                let value: f64 = value.parse().unwrap();
                assert!((0.0..=most).contains(&value), "{key}={value} of {:?}", node.tag_name());
            }
        }
    }
    assert!(picture.len() < 400_000, "{} bytes", picture.len());
    picture
}

#[test]
fn every_preset_has_a_picture() {
    for preset in PRESETS {
        check(&Platform::named(preset.name).unwrap());
    }
}

#[test]
fn pictures_of_huge_machines_stay_small() {
    for shape in [
        "count = 1048576\n[network]",
        "[network]\ntopology = 'torus'\ndims = [64, 64, 64, 2]",
        "[network]\ntopology = 'mesh'\ndims = [1000]",
        "[network]\ntopology = 'torus'\ndims = [7]",
        "[network]\ntopology = 'fat-tree'\ndown = [64, 32, 32]\nup = [1, 32, 16]",
        "[network]\ntopology = 'dragonfly'\ngroups = 40\nchassis = 20\nrouters = 40\nrouter_nodes = 4",
    ] {
        let text =
            format!("[nodes]\nspeed = '1Gf'\n{shape}\nbandwidth = '1Gbps'\nlatency = '1us'\n");
        check(&toml_format::read(&text).unwrap());
    }
}

#[test]
fn names_cannot_break_a_picture() {
    let text = "name = '<\"&\u{2028}'\n[nodes]\ncount = 2\nprefix = '</svg>'\nspeed = '1Gf'\n\
                [network]\nbandwidth = '1Gbps'\nlatency = '1us'\n";
    assert!(check(&toml_format::read(text).unwrap()).contains("&lt;/svg&gt;"));
}
