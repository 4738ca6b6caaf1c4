//! Thousands of images at once.

use foretell_images::{Image, Interposed, Libraries, Program, locate};

use crate::support::Workshop;

struct Nothing;

impl Interposed for Nothing {
    fn address(&self, _: &std::ffi::CStr) -> Option<usize> {
        None
    }
}

fn program(source: &str) -> (Workshop, Program) {
    let workshop = Workshop::new();
    workshop.source("main.c", source);
    workshop.tool("gcc -rdynamic main.c -o other");
    let program = Program::open(&workshop.path("other"), &Libraries::ExceptSystem).unwrap();
    (workshop, program)
}

fn counter(image: &Image) -> *mut i32 {
    image.symbol(c"counter").unwrap() as *mut i32
}

/// Anonymous memory of this process in KiB.
fn anonymous() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

#[test]
fn fourteen_thousand_images_take_one_or_two_pages_each() {
    let (_workshop, program) =
        program("int counter = 1; char large[1 << 20]; int main(void) { return large[counter]; }");
    let before = anonymous();
    let images: Vec<Image> = (0..14_000).map(|_| program.image(&Nothing).unwrap()).collect();
    let each = (anonymous() - before) as f64 / 14_000.0;
    assert!(each < 10.0, "an image takes {each} KiB");
    for (number, image) in images.iter().enumerate() {
        image.set_label(number as u32);
        // SAFETY: the variable is an `int` of the image, and no code of the image runs.
        unsafe { *counter(image) += number as i32 };
    }
    for (number, image) in images.iter().enumerate() {
        // SAFETY: as above.
        assert_eq!(unsafe { *counter(image) }, 1 + number as i32);
        let location = locate(image.main()).unwrap();
        assert_eq!(location.label, Some(number as u32));
        assert_eq!(location.file, program.path());
    }
}

#[test]
fn a_dropped_image_is_unmapped_and_its_place_is_used_again() {
    let (_workshop, program) = program("int counter = 1; int main(void) { return counter; }");
    let first = program.image(&Nothing).unwrap();
    let second = program.image(&Nothing).unwrap();
    let (base, main) = (first.base(), first.main());
    assert_eq!(second.base() - base, program.size());
    // SAFETY: the variable is an `int` of the image, and no code of the image runs.
    unsafe { *counter(&first) = 9 };
    drop(first);
    assert_eq!(locate(main), None);
    let again = program.image(&Nothing).unwrap();
    assert_eq!(again.base(), base);
    // SAFETY: as above.
    assert_eq!(unsafe { *counter(&again) }, 1);
}

/// Whether the kernel was asked for large pages where an address lies; none where it has no such
/// pages. It may still give small ones, as when its memory is in pieces.
fn asks_for_large_pages(address: usize) -> Option<bool> {
    std::fs::metadata("/sys/kernel/mm/transparent_hugepage").ok()?;
    let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
    let mut is_here = false;
    for line in maps.lines() {
        let (first, rest) = line.split_once(' ').unwrap();
        if let Some((start, end)) = first.split_once('-') {
            let hex = |text| usize::from_str_radix(text, 16).unwrap();
            is_here = (hex(start)..hex(end)).contains(&address);
        } else if first == "VmFlags:" && is_here {
            return Some(rest.split_whitespace().any(|flag| flag == "hg"));
        }
    }
    panic!("nothing is mapped at {address:#x}");
}

#[test]
fn large_zeroes_are_in_large_pages_if_asked_for() {
    let source = "int counter = 1; char large[32 << 20]; int main(void) { return large[counter]; }";
    let (_workshop, program) = program(source);
    assert!(((32 << 20)..(33 << 20)).contains(&program.large_zeroes()));
    let middle = |image: &Image| image.symbol(c"large").unwrap() + (17 << 20);
    let before = program.image(&Nothing).unwrap();
    program.use_large_pages();
    let after = program.image(&Nothing).unwrap();
    assert_ne!(asks_for_large_pages(middle(&before)), Some(true));
    assert_ne!(asks_for_large_pages(middle(&after)), Some(false));
}

#[test]
fn small_globals_have_no_use_for_large_pages() {
    let source = "int counter = 1; char large[4 << 20]; int main(void) { return large[counter]; }";
    assert_eq!(program(source).1.large_zeroes(), 0);
}
