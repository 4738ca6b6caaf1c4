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

/// Memory of this process in large pages, in KiB.
fn in_large_pages() -> usize {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup").unwrap();
    let line = rollup.lines().find_map(|line| line.strip_prefix("AnonHugePages:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// Whether the kernel gives large pages to who asks.
fn has_large_pages() -> bool {
    let path = "/sys/kernel/mm/transparent_hugepage/enabled";
    std::fs::read_to_string(path).is_ok_and(|setting| !setting.contains("[never]"))
}

#[test]
fn large_zeroes_are_in_large_pages_if_asked_for() {
    let source = "int counter = 1; char large[32 << 20]; int main(void) { return large[counter]; }";
    let (_workshop, program) = program(source);
    assert!(((32 << 20)..(33 << 20)).contains(&program.large_zeroes()));
    let touch = |image: &Image| {
        let large = image.symbol(c"large").unwrap() as *mut u8;
        // SAFETY: a place in the middle of the array, of which no code of the image knows.
        unsafe { *large.add(17 << 20) = 1 };
    };
    program.use_large_pages();
    let image = program.image(&Nothing).unwrap();
    let before = in_large_pages();
    touch(&image);
    if has_large_pages() {
        assert!(in_large_pages() >= before + 2048, "{} KiB", in_large_pages());
    }
}

#[test]
fn small_globals_have_no_use_for_large_pages() {
    let source = "int counter = 1; char large[4 << 20]; int main(void) { return large[counter]; }";
    assert_eq!(program(source).1.large_zeroes(), 0);
}
