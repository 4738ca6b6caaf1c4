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
