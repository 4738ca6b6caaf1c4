//! A library that runs the program linked to it several times in one process, in private images.
//!
//! It shows how a simulator takes a process over: it exports `__libc_start_main`, which the start
//! code of every C program calls, and the functions through which unwinders ask for objects. The
//! tests link small programs to it and compare what they print.
//!
//! `IMAGES` says how many images to make, `ROUNDS` how often each runs `main`, `MODE` is
//! `private`, `shared` or `copied`, `LIBRARIES` is `none` to share all libraries, `INFO` prints
//! what is known of the program, `SECOND` names another program to run too.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;

use foretell_images::unwind::{self, FoundObject, PhdrCallback};
use foretell_images::{Entry, Image, ImageError, Interposed, Libraries, Program, locate};

/// A handler to call at exit and its argument.
type Handler = (unsafe extern "C" fn(*mut c_void), usize);

thread_local! {
    /// Exit handlers of the image that runs, which would otherwise run when the process ends.
    static HANDLERS: RefCell<Vec<Handler>> = const { RefCell::new(Vec::new()) };
}

/// What programs call instead of the C library's functions.
struct Instead;

impl Interposed for Instead {
    fn address(&self, name: &CStr) -> Option<usize> {
        match name.to_bytes() {
            b"getppid" => Some(getppid as *const () as usize),
            b"__cxa_atexit" => Some(at_exit as *const () as usize),
            _ => None,
        }
    }
}

extern "C" fn getppid() -> c_int {
    4242
}

extern "C" fn at_exit(
    handler: unsafe extern "C" fn(*mut c_void),
    argument: usize,
    _: usize,
) -> c_int {
    HANDLERS.with_borrow_mut(|handlers| handlers.push((handler, argument)));
    0
}

/// An image with its thread-locals while others run.
struct Rank {
    image: Image,
    thread_locals: Vec<Vec<u8>>,
    handlers: Vec<Handler>,
}

impl Rank {
    fn new(program: &Program, number: u32) -> Result<Rank, ImageError> {
        let image = match std::env::var("MODE").as_deref() {
            Ok("shared") => program.shared_image(&Instead)?,
            Ok("copied") => program.copied_image(&Instead)?,
            _ => program.image(&Instead)?,
        };
        image.set_label(number);
        let blocks = program.thread_locals().iter().map(|block| {
            let mut content = vec![0; block.size];
            image.initial_thread_locals(block, &mut content);
            content
        });
        let thread_locals = blocks.collect();
        Ok(Rank { image, thread_locals, handlers: Vec::new() })
    }

    /// Exchanges what the process holds for one rank with what this rank holds.
    fn switch(&mut self) {
        HANDLERS.with_borrow_mut(|handlers| std::mem::swap(handlers, &mut self.handlers));
        let program = self.image.program();
        for (block, content) in program.thread_locals().iter().zip(&mut self.thread_locals) {
            // SAFETY: the block belongs to the program, none of whose code runs now.
            let block =
                unsafe { std::slice::from_raw_parts_mut(block.address as *mut u8, block.size) };
            block.swap_with_slice(content);
        }
    }

    /// Runs something as this rank.
    fn run<T>(&mut self, action: impl FnOnce(&Image) -> T) -> T {
        self.switch();
        unwind::set_current(Some(&self.image));
        let result = action(&self.image);
        unwind::set_current(None);
        self.switch();
        result
    }

    fn finish(&mut self) {
        self.run(|image| {
            while let Some((handler, argument)) = HANDLERS.with_borrow_mut(Vec::pop) {
                // SAFETY: the program asked for this call.
                unsafe { handler(argument as *mut c_void) };
            }
            for destructor in image.destructors() {
                // SAFETY: destructors of the image, called once, last.
                unsafe { std::mem::transmute::<usize, extern "C" fn()>(*destructor)() };
            }
        });
    }
}

/// Arguments and environment of the process.
#[derive(Clone, Copy)]
struct Arguments(c_int, *const *const c_char, *const *const c_char);

impl Arguments {
    fn call(self, function: usize) -> c_int {
        // SAFETY: `main` and constructors of an image have this type.
        unsafe { std::mem::transmute::<usize, Entry>(function)(self.0, self.1, self.2) }
    }
}

fn number(name: &str, default: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn programs(main: usize) -> Result<Vec<Program>, ImageError> {
    let libraries = match std::env::var("LIBRARIES").as_deref() {
        Ok("none") => Libraries::None,
        _ => Libraries::ExceptSystem,
    };
    let mut programs = vec![Program::of_this_process(main, &libraries)?];
    if let Ok(second) = std::env::var("SECOND") {
        programs.push(Program::open(Path::new(&second), &libraries)?);
    }
    Ok(programs)
}

fn run(main: usize, arguments: Arguments) -> Result<c_int, ImageError> {
    let programs = programs(main)?;
    let mut ranks = Vec::new();
    for rank in 0..number("IMAGES", 2) {
        let program = &programs[rank as usize % programs.len()];
        ranks.push(Rank::new(program, rank)?);
    }
    if std::env::var_os("INFO").is_some() {
        print_information(&programs[0], &ranks);
    }
    let mut code = 0;
    for round in 0..number("ROUNDS", 1) {
        for rank in &mut ranks {
            code |= rank.run(|image| {
                let before: &[usize] = if round == 0 { image.constructors() } else { &[] };
                before.iter().for_each(|constructor| {
                    arguments.call(*constructor);
                });
                arguments.call(image.main())
            });
        }
    }
    ranks.iter_mut().for_each(Rank::finish);
    Ok(code)
}

#[allow(clippy::print_stdout)]
fn print_information(program: &Program, ranks: &[Rank]) {
    println!("globals={} mappings={}", program.has_globals(), program.mappings_per_image());
    for rank in ranks {
        let location = locate(rank.image.main()).expect("main is somewhere");
        println!("label={:?} file={}", location.label, location.file.display());
        print!("{}", rank.image.gdb_commands());
    }
}

/// Stands in for the C library's: runs the program in images and ends the process.
///
/// # Safety
///
/// Called by the start code of a program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __libc_start_main(
    main: usize,
    argc: c_int,
    argv: *const *const c_char,
) -> c_int {
    // SAFETY: the system puts the environment behind the arguments and their null pointer.
    let environment = unsafe { argv.add(argc as usize + 1) };
    let code = run(main, Arguments(argc, argv, environment)).unwrap_or_else(|error| {
        eprintln!("{error}");
        99
    });
    std::process::exit(code)
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
    // SAFETY: by the caller.
    unsafe { unwind::dl_iterate_phdr(callback, data) }
}

/// See [`unwind::dladdr`].
///
/// # Safety
///
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dladdr(address: *const c_void, info: *mut libc::Dl_info) -> c_int {
    // SAFETY: by the caller.
    unsafe { unwind::dladdr(address, info) }
}
