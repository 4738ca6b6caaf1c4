//! C programs for tests: compiled as shared objects, opened once for each rank, with their calls
//! of interposed functions redirected.

use std::cell::{Cell, RefCell};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::Mutex;

use foretell_ranks::{
    Arguments, Loaded, Main, Privacy, Rank, Ranks, Settings, Step, Template, ThreadLocals,
};
use tempfile::TempDir;

thread_local! {
    /// What ranks of this thread noted, in order: rank and number.
    static NOTES: RefCell<Vec<(u32, i32)>> = const { RefCell::new(Vec::new()) };
}

/// Held by tests that use `getopt`, whose variables are one for the process, while tests run on
/// several threads.
pub(crate) static GETOPT: Mutex<()> = Mutex::new(());

/// Takes what ranks noted since the last call.
pub(crate) fn notes() -> Vec<(u32, i32)> {
    NOTES.take()
}

extern "C" fn note(number: c_int) {
    let rank = foretell_ranks::current().unwrap_or(u32::MAX);
    NOTES.with_borrow_mut(|notes| notes.push((rank, number)));
}

extern "C" fn pause() {
    foretell_ranks::suspend();
}

/// The address of what test programs may call beside the C library.
pub(crate) fn of_tests(name: &CStr) -> Option<usize> {
    match name.to_bytes() {
        b"note" => Some(note as *const () as usize),
        b"suspend_rank" => Some(pause as *const () as usize),
        _ => None,
    }
}

/// Declares those functions.
pub(crate) const DECLARATIONS: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\
    void note(int);\nvoid suspend_rank(void);\nint main(int, char **);\n\
    #ifdef __cplusplus\n}\n#endif\n#line 1\n";

/// A compiled test program.
pub(crate) struct Program {
    directory: TempDir,
    object: PathBuf,
    copies: Cell<u32>,
}

impl Program {
    pub(crate) fn c(source: &str) -> Box<dyn Template> {
        Box::new(Self::compile("gcc", "program.c", source))
    }

    pub(crate) fn cxx(source: &str) -> Box<dyn Template> {
        // SAFETY: loads the C++ library for all, as a program that needs it would.
        let library =
            unsafe { libc::dlopen(c"libstdc++.so.6".as_ptr(), libc::RTLD_NOW | libc::RTLD_GLOBAL) };
        assert!(!library.is_null());
        Box::new(Self::compile("g++", "program.cpp", source))
    }

    fn compile(compiler: &str, name: &str, source: &str) -> Self {
        let directory = TempDir::new().unwrap();
        let file = directory.path().join(name);
        std::fs::write(&file, format!("{DECLARATIONS}{source}")).unwrap();
        let object = directory.path().join("program.so");
        let output = Command::new(compiler)
            .args(["-g", "-O0", "-shared", "-fPIC", "-frounding-math", "-Wl,-z,norelro,-z,lazy"])
            .args(["-Wno-main", "-o"])
            .arg(&object)
            .arg(&file)
            .arg("-lm")
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Self { directory, object, copies: Cell::new(0) }
    }
}

impl Template for Program {
    fn load(
        &self,
        _number: u32,
        _privacy: Privacy,
        interposed: &dyn Fn(&CStr) -> Option<usize>,
    ) -> Result<Rc<dyn Loaded>, String> {
        let number = self.copies.replace(self.copies.get() + 1);
        let copy = self.directory.path().join(format!("copy{number}.so"));
        std::fs::copy(&self.object, &copy).unwrap();
        let object = Object::open(&copy);
        object.redirect(&|name| of_tests(name).or_else(|| interposed(name)));
        Ok(Rc::new(object))
    }

    fn mappings_per_rank(&self, _privacy: Privacy) -> usize {
        5
    }
}

/// One opened copy.
struct Object(*mut c_void);

impl Object {
    fn open(path: &Path) -> Self {
        let name = CString::new(path.to_str().unwrap()).unwrap();
        // SAFETY: a test program without constructors of its own.
        let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
        // SAFETY: a message of the loader, if it failed.
        assert!(!handle.is_null(), "{:?}", unsafe { CStr::from_ptr(libc::dlerror()) });
        Self(handle)
    }

    fn symbol(&self, name: &CStr) -> Option<usize> {
        // SAFETY: a look-up by name in what is loaded.
        let found = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        (!found.is_null()).then(|| found.addr())
    }

    /// Rewrites the addresses of imported functions.
    fn redirect(&self, to: &dyn Fn(&CStr) -> Option<usize>) {
        const RTLD_DI_LINKMAP: c_int = 2;
        let mut map: *const [usize; 3] = std::ptr::null();
        // SAFETY: the tables of a loaded object, as the ELF format lays them out; writable since
        // it is linked without RELRO.
        unsafe {
            dlinfo(self.0, RTLD_DI_LINKMAP, (&raw mut map).cast());
            let [base, _, dynamic] = *map;
            let mut entry = dynamic as *const [usize; 2];
            let (mut symbols, mut strings) = (0, 0);
            let mut tables = [(0, 0); 2];
            while (*entry)[0] != 0 {
                let [tag, value] = *entry;
                match tag {
                    5 => strings = value,
                    6 => symbols = value,
                    7 => tables[0].0 = value,
                    8 => tables[0].1 = value,
                    23 => tables[1].0 = value,
                    2 => tables[1].1 = value,
                    _ => {}
                }
                entry = entry.add(1);
            }
            for (table, size) in tables {
                for place in (table..table + size).step_by(24) {
                    let [offset, info, _] = *(place as *const [usize; 3]);
                    if ![6, 7].contains(&(info & 0xffff_ffff)) {
                        continue;
                    }
                    let symbol = symbols + (info >> 32) * 24;
                    let name = strings + *(symbol as *const u32) as usize;
                    let name = CStr::from_ptr(name as *const c_char);
                    if let Some(address) = to(name) {
                        ((base + offset) as *mut usize).write(address);
                    }
                }
            }
        }
    }
}

impl Loaded for Object {
    fn main(&self) -> Main {
        let address = self.symbol(c"main").expect("a test program has a main");
        // SAFETY: the program's `main`.
        unsafe { std::mem::transmute(address) }
    }

    fn constructors(&self) -> Vec<usize> {
        self.symbol(c"construct").into_iter().collect()
    }

    fn destructors(&self) -> Vec<usize> {
        self.symbol(c"destruct").into_iter().collect()
    }

    fn thread_locals(&self) -> Vec<ThreadLocals> {
        Vec::new()
    }

    fn copied_variable(&self, _name: &CStr) -> Option<usize> {
        None
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: opened by us, and the rank is gone.
        unsafe { libc::dlclose(self.0) };
    }
}

/// Ranks that all run the same program.
pub(crate) fn begin(program: Box<dyn Template>, count: u32) -> (Ranks, Vec<Rank>) {
    begin_with(Settings::default(), program, count, &["program"])
}

pub(crate) fn begin_with(
    settings: Settings,
    program: Box<dyn Template>,
    count: u32,
    argv: &[&str],
) -> (Ranks, Vec<Rank>) {
    let ranks = Ranks::new(settings, count, vec![program]).unwrap();
    let argv = argv.iter().map(|one| CString::new(*one).unwrap()).collect();
    let arguments = Arguments { argv, environment: None };
    let all = (0..count).map(|number| ranks.begin(number, 0, &arguments).unwrap()).collect();
    (ranks, all)
}

/// Resumes all ranks in turns until all have ended; returns how each did.
pub(crate) fn finish(ranks: &mut [Rank]) -> Vec<Step> {
    let mut steps = vec![Step::Suspended; ranks.len()];
    while steps.contains(&Step::Suspended) {
        for (rank, step) in ranks.iter_mut().zip(&mut steps) {
            if *step == Step::Suspended {
                *step = rank.resume();
            }
        }
    }
    steps
}

/// Compiles and runs a C program on `count` ranks; returns what they noted.
pub(crate) fn run_c(source: &str, count: u32) -> Vec<(u32, i32)> {
    let (_ranks, mut all) = begin(Program::c(source), count);
    finish(&mut all);
    notes()
}

unsafe extern "C" {
    fn dlinfo(handle: *mut c_void, request: c_int, result: *mut c_void) -> c_int;
}
