//! What images of a program cost: microseconds and memory each.
//!
//! `cargo run --release --example cost -- PROGRAM [COUNT]`; PROGRAM is any position-independent
//! executable that does not need a library of its own process.

#![allow(clippy::print_stdout)]

use std::ffi::CStr;
use std::path::Path;
use std::time::Instant;

use foretell_images::{Image, ImageError, Interposed, Libraries, Program, check_mappings};

/// Nothing is replaced.
struct Nothing;

impl Interposed for Nothing {
    fn address(&self, _: &CStr) -> Option<usize> {
        None
    }
}

/// A figure of `/proc/self/status` in KiB.
fn status(name: &str) -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    line.trim_matches([':', ' ', '\t', 'k', 'B']).parse().unwrap_or(0.0)
}

fn main() -> Result<(), ImageError> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: cost PROGRAM [COUNT]");
        return Ok(());
    };
    let count = rest.first().and_then(|text| text.parse().ok()).unwrap_or(14_000_usize);
    let program = Program::open(Path::new(path), &Libraries::ExceptSystem)?;
    check_mappings(count * program.mappings_per_image())?;

    let start = Instant::now();
    let first = program.image(&Nothing)?;
    println!("first image: {:.0} us, linking included", start.elapsed().as_secs_f64() * 1e6);
    drop(first);

    let (anonymous, tables) = (status("RssAnon"), status("VmPTE"));
    let start = Instant::now();
    let mut images: Vec<Image> = Vec::with_capacity(count);
    for _ in 0..count {
        images.push(program.image(&Nothing)?);
    }
    let each = |seconds: f64| seconds * 1e6 / count as f64;
    println!("{count} images of {} KiB of address space", program.size() / 1024);
    println!("mapping: {:.2} us each", each(start.elapsed().as_secs_f64()));
    println!("memory: {:.2} KiB each", (status("RssAnon") - anonymous) / count as f64);
    println!("page tables: {:.2} KiB each", (status("VmPTE") - tables) / count as f64);
    let start = Instant::now();
    drop(images);
    println!("unmapping: {:.2} us each", each(start.elapsed().as_secs_f64()));
    Ok(())
}
