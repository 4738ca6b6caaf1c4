//! A library that runs the program linked to it as several ranks, in turns.
//!
//! It takes the process over as the simulator does: it exports `__libc_start_main`, which the
//! start code of every C program calls, and the functions through which unwinders ask for objects.
//! A program suspends itself with `suspend_rank`. `RANKS` says how many ranks there are.

use std::ffi::{CStr, CString, c_char, c_int, c_void};

use foretell_images::unwind::{self, FoundObject, PhdrCallback};
use foretell_images::{Libraries, Program};
use foretell_ranks::{Arguments, Ranks, Settings, Step, announce_image, current, suspend};

/// Runs the ranks to their ends; returns the greatest exit code.
fn run(main: usize, arguments: &Arguments) -> Result<c_int, Box<dyn std::error::Error>> {
    let count = std::env::var("RANKS").ok().and_then(|text| text.parse().ok()).unwrap_or(2);
    let program = Program::of_this_process(main, &Libraries::ExceptSystem)?;
    let ranks = Ranks::new(Settings::default(), count, vec![Box::new(program)])?;
    let mut all = Vec::new();
    for number in 0..count {
        all.push((ranks.begin(number, 0, arguments)?, Step::Suspended));
    }
    while all.iter().any(|(_, step)| *step == Step::Suspended) {
        for (rank, step) in all.iter_mut().filter(|(_, step)| *step == Step::Suspended) {
            *step = rank.resume();
        }
    }
    let code = |step: &Step| if let Step::Ended(code, _) = step { *code } else { 0 };
    Ok(all.iter().map(|(_, step)| code(step)).max().unwrap_or(0))
}

/// Stands in for the C library's: runs the program as ranks and ends the process.
///
/// # Safety
///
/// Called by the start code of a program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: usize,
    count: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: the system gives `count` strings.
    let argument = |at: c_int| unsafe { CStr::from_ptr(*argv.add(at as usize)) };
    let argv: Vec<CString> = (0..count).map(|at| argument(at).to_owned()).collect();
    let code = run(main, &Arguments { argv, environment: None }).unwrap_or_else(|error| {
        eprintln!("{error}");
        99
    });
    std::process::exit(code)
}

/// Lets the other ranks run.
#[unsafe(no_mangle)]
pub extern "C" fn suspend_rank() {
    suspend();
}

/// The rank that runs.
#[unsafe(no_mangle)]
pub extern "C" fn rank_number() -> c_int {
    current().map_or(-1, |rank| rank as c_int)
}

/// See [`unwind::dl_find_object`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _dl_find_object(pc: *mut c_void, result: *mut FoundObject) -> c_int {
    // SAFETY: by the caller.
    unsafe { unwind::dl_find_object(pc, result) }
}

/// See [`unwind::dl_iterate_phdr`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dl_iterate_phdr(
    callback: Option<PhdrCallback>,
    data: *mut c_void,
) -> c_int {
    announce_image();
    // SAFETY: by the caller.
    unsafe { unwind::dl_iterate_phdr(callback, data) }
}
