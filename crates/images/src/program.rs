//! A program as the source of images: read once, linked once, mapped for every rank.

use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap, mmap_anonymous};

use crate::arena::{Slots, Taken};
use crate::copies::{self, Copied};
use crate::elf::constants::*;
use crate::elf::{Elf, PAGE, malformed};
use crate::host::{self, Host};
use crate::image::Image;
use crate::libraries::{self, Libraries};
use crate::link::{self, Linked};
use crate::module::{self, Mapping, MappingKind, Module};
use crate::thread_locals::{self, ThreadLocals};
use crate::{ImageError, Interposed, entry, globals, limits};

/// An executable and its private libraries, from which images are made.
///
/// What is read stays for the life of the process: backtraces refer to it at any time.
#[derive(Debug, Clone, Copy)]
pub struct Program {
    pub(crate) inner: &'static Inner,
}

/// What all images of a program share.
pub(crate) struct Inner {
    /// The executable, then its private libraries in load order.
    pub(crate) modules: Vec<Module>,
    /// Numbers of the modules in the order of construction; the executable is last.
    pub(crate) order: Vec<usize>,
    /// Bytes of address space of one image.
    pub(crate) size: usize,
    /// Alignment of an image.
    pub(crate) align: usize,
    /// Offset of `main` in an image.
    pub(crate) main: u64,
    pub(crate) copied: Vec<Copied>,
    thread_locals: Vec<ThreadLocals>,
    has_globals: bool,
    linked: Mutex<Option<&'static Linked>>,
    slots: Mutex<Slots>,
    has_large_pages: AtomicBool,
    /// The one image of a second program that all its ranks share.
    shared: Mutex<Option<usize>>,
}

impl std::fmt::Debug for Inner {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Inner").field("path", &self.modules[0].path).finish_non_exhaustive()
    }
}

impl Program {
    /// The executable of this process; `main` is what `__libc_start_main` was given.
    ///
    /// # Errors
    ///
    /// Fails if the executable or a library cannot have images; see [`ImageError`].
    pub fn of_this_process(main: usize, libraries: &Libraries) -> Result<Program, ImageError> {
        let host = host::objects().into_iter().next().ok_or_else(|| {
            malformed(Path::new("/proc/self/exe"), "the dynamic loader knows no objects")
        })?;
        let elf = executable(Path::new("/proc/self/exe"))?;
        let path = host.path.clone();
        Program::new(elf, &path, Some(host), Some(main), libraries)
    }

    /// Another executable, to run beside the first in the same process.
    ///
    /// Libraries that it needs and that are not loaded yet are loaded for all to see.
    ///
    /// # Errors
    ///
    /// Fails if the executable or a library cannot have images; see [`ImageError`].
    pub fn open(path: &Path, libraries: &Libraries) -> Result<Program, ImageError> {
        let unreadable = |source| ImageError::Unreadable { path: path.to_owned(), source };
        let path = &path.canonicalize().map_err(unreadable)?;
        let elf = executable(path)?;
        let host = host::objects().into_iter().next().filter(|host| host.path == *path);
        Program::new(elf, path, host, None, libraries)
    }

    fn new(
        elf: Elf,
        path: &Path,
        host: Option<Host>,
        main: Option<usize>,
        choice: &Libraries,
    ) -> Result<Program, ImageError> {
        let found = libraries::collect(&elf, path, choice)?;
        let entry = entry::main(&elf, path);
        let (modules, size) = lay_out(elf, path, host, found);
        let main = match main {
            Some(main) => place_of_host_address(&modules, main),
            None => entry.map(|main| modules[0].place(main)),
        };
        let Some(main) = main else { return Err(ImageError::NoMain { path: path.to_owned() }) };
        let elves: Vec<&Elf> = modules[1..].iter().map(|module| &module.elf).collect();
        let mut order = libraries::construction_order(&elves);
        order.iter_mut().for_each(|number| *number += 1);
        order.push(0);
        let copied = copies::find(&modules);
        let inner = Inner {
            align: modules.iter().map(|module| module.elf.align).max().unwrap_or(PAGE),
            thread_locals: thread_locals::of(&modules)?,
            has_globals: globals::any(&modules, &copied),
            modules,
            order,
            size,
            main,
            copied,
            linked: Mutex::default(),
            slots: Mutex::default(),
            has_large_pages: AtomicBool::new(false),
            shared: Mutex::default(),
        };
        crate::locate::prepare();
        Ok(Program { inner: Box::leak(Box::new(inner)) })
    }

    /// Whether it has writable data of its own at all, beyond what the C start files put there
    /// and its copies of libraries' variables. If not, one image can serve all ranks.
    ///
    /// Says yes when in doubt, which is when the symbol table was stripped.
    pub fn has_globals(&self) -> bool {
        self.inner.has_globals
    }

    /// Maps one more private image: code shared, data private, relocations applied.
    ///
    /// `interposed` is asked once, for the first image; the answers serve all.
    ///
    /// # Errors
    ///
    /// Fails if a symbol is undefined, a relocation cannot be applied, or the kernel allows no
    /// more mappings.
    pub fn image(&self, interposed: &dyn Interposed) -> Result<Image, ImageError> {
        let linked = self.linked(interposed)?;
        let slot = self.inner.take_slot()?;
        match self.inner.map(linked, &slot) {
            Ok(()) => Ok(Image::private(self.inner, linked, slot)),
            Err(error) => {
                self.inner.release(&slot);
                Err(error)
            }
        }
    }

    /// The image that the dynamic loader made, for runs without privacy: only references to
    /// interposed functions are redirected. All images of this kind are the same one.
    ///
    /// A second program has no such image: its ranks share one that is made here.
    ///
    /// # Errors
    ///
    /// As [`Program::image`].
    pub fn shared_image(&self, interposed: &dyn Interposed) -> Result<Image, ImageError> {
        if self.inner.modules[0].host.is_some() {
            return crate::shared::image(self.inner, interposed);
        }
        let mut shared = lock(&self.inner.shared);
        let base = match *shared {
            Some(base) => base,
            None => *shared.insert(self.image(interposed)?.leak()),
        };
        Ok(Image::borrowed(self.inner, self.linked(interposed)?, base))
    }

    /// A copy of the executable made by `dlopen`, for programs that images do not fit.
    ///
    /// # Errors
    ///
    /// Refuses programs with thread-locals or private libraries, and fails if the dynamic loader
    /// does.
    pub fn copied_image(&self, interposed: &dyn Interposed) -> Result<Image, ImageError> {
        crate::copied_image::image(self.inner, interposed)
    }

    /// Blocks of thread-locals that belong to the program and must be swapped with the rank.
    pub fn thread_locals(&self) -> &[ThreadLocals] {
        &self.inner.thread_locals
    }

    /// Whether all that the code of an image can reach is the image itself, what it is given, and
    /// functions that it calls by name: no thread-locals but those that the compiler's run-time
    /// library asks for by a call, no buffers of streams, and no libraries that nobody knows.
    pub fn is_self_contained(&self) -> bool {
        let modules = &self.inner.modules;
        let shared = host::objects().into_iter().skip(1).filter(|host| {
            !modules.iter().any(|module| module.host.as_ref().is_some_and(|m| m.bias == host.bias))
        });
        modules.iter().all(Module::asks_for_thread_locals)
            && !modules.iter().any(Module::touches_streams)
            && shared.into_iter().all(|host| libraries::is_known(&host.path))
    }

    /// Kernel mappings that each private image takes; `vm.max_map_count` limits their number.
    pub fn mappings_per_image(&self) -> usize {
        self.inner.mappings()
    }

    /// Bytes of each private image that [`Program::use_large_pages`] is about: the parts that are
    /// zero at first and hold many large pages. Zero for most programs.
    pub fn large_zeroes(&self) -> usize {
        let mappings = self.inner.modules.iter().flat_map(|module| module.mappings(0));
        mappings.filter(Mapping::holds_large_pages).map(|mapping| mapping.range.len()).sum()
    }

    /// Asks the kernel for large pages for the zeroes of images that are made from now on: it then
    /// has to be asked for memory less often. A program that touches little of its memory, here
    /// and there, takes more of it in turn.
    pub fn use_large_pages(&self) {
        self.inner.has_large_pages.store(true, Ordering::Relaxed);
    }

    /// Bytes of address space that each private image takes.
    pub fn size(&self) -> usize {
        self.inner.size
    }

    /// The executable's file.
    pub fn path(&self) -> &Path {
        &self.inner.modules[0].path
    }

    /// Files of the libraries that each image has its own copy of, in load order.
    pub fn private_libraries(&self) -> impl Iterator<Item = &Path> {
        self.inner.modules[1..].iter().map(|module| module.path.as_path())
    }

    /// Where a library's variable is that the executable has a copy of (`optind`): the address
    /// that the library uses, and the offset of the copy from an image's [`Image::base`].
    pub fn copied_variable(&self, name: &str) -> Option<(usize, usize)> {
        let copied =
            self.inner.copied.iter().find(|copied| copied.name.to_bytes() == name.as_bytes())?;
        Some((copied.process_address()?, copied.place))
    }

    fn linked(&self, interposed: &dyn Interposed) -> Result<&'static Linked, ImageError> {
        let mut linked = lock(&self.inner.linked);
        match *linked {
            Some(linked) => Ok(linked),
            None => {
                let new = link::link(self.inner, interposed)?;
                Ok(*linked.insert(Box::leak(Box::new(new))))
            }
        }
    }
}

impl Inner {
    /// Mappings of one image.
    pub(crate) fn mappings(&self) -> usize {
        self.modules.iter().map(|module| module.mappings(0).len()).sum()
    }

    /// Takes a slot for an image.
    pub(crate) fn take_slot(&'static self) -> Result<Taken, ImageError> {
        lock(&self.slots).take(self)
    }

    /// Unmaps a slot and gives it back.
    pub(crate) fn release(&self, slot: &Taken) {
        slot.set_live(false);
        slot.clear();
        lock(&self.slots).give_back(slot.slot);
    }

    /// Maps the template into a slot and makes it an image.
    pub(crate) fn map(&self, linked: &Linked, slot: &Taken) -> Result<(), ImageError> {
        for mapping in &linked.mappings {
            let start = ptr::without_provenance_mut(slot.base + mapping.range.start);
            let flags = MapFlags::PRIVATE | MapFlags::FIXED | MapFlags::NORESERVE;
            let rights = match mapping.kind {
                MappingKind::Constant => ProtFlags::READ | ProtFlags::EXEC,
                MappingKind::Data | MappingKind::Zero => ProtFlags::READ | ProtFlags::WRITE,
            };
            let file = &linked.template.file;
            let size = mapping.range.len();
            // SAFETY: the range lies in the slot, which is reserved for this image alone.
            let mapped = unsafe {
                match mapping.kind {
                    MappingKind::Zero => mmap_anonymous(start, size, rights, flags),
                    _ => mmap(start, size, rights, flags, file, mapping.range.start as u64),
                }
            };
            mapped.map_err(|e| limits::refused(self.size, linked.mappings.len(), e.into()))?;
            if self.has_large_pages.load(Ordering::Relaxed) && mapping.holds_large_pages() {
                // SAFETY: the range just mapped. A kernel without large pages refuses, and the
                // image is as good without.
                let _ = unsafe { madvise(start, size, Advice::LinuxHugepage) };
            }
        }
        for patch in &linked.patches {
            // SAFETY: places were checked to lie in writable parts of the image just mapped.
            unsafe {
                self.write(slot.base, patch.place, slot.base.wrapping_add(patch.target as usize))
            };
        }
        self.refresh_copies(linked, slot.base);
        slot.set_live(true);
        Ok(())
    }

    /// Brings copied variables up to date that changed in the process since the program was
    /// linked, such as `environ`.
    fn refresh_copies(&self, linked: &Linked, base: usize) {
        for (copied, old) in self.copied.iter().zip(&linked.copied) {
            let value = if copied.follows_process() { copied.value() } else { None };
            let Some(value) = value.filter(|value| Some(value) != old.as_ref()) else { continue };
            // SAFETY: the copy lies in the writable part of the image just mapped.
            unsafe {
                let place = ptr::with_exposed_provenance_mut::<u8>(base + copied.place);
                ptr::copy_nonoverlapping(value.as_ptr(), place, value.len());
                for (place, target) in copies::inner_pointers(&self.copied, copied, &value) {
                    self.write(base, place, base + target);
                }
            }
        }
    }

    /// Writes one word of an image.
    ///
    /// # Safety
    ///
    /// The place lies in a writable part of the image mapped at `base`.
    unsafe fn write(&self, base: usize, place: usize, value: usize) {
        debug_assert!(place + 8 <= self.size);
        let word = ptr::with_exposed_provenance_mut::<usize>(base + place);
        // SAFETY: by the caller; packed structures may hold unaligned pointers.
        unsafe { word.write_unaligned(value) };
    }

    /// Constructors and destructors of the `modules` in their order: `in_array` reads a word of an array at
    /// a link-time address, `single` is the function at one.
    pub(crate) fn functions<T>(
        &self,
        modules: &[usize],
        in_array: impl Fn(&Module, u64) -> T,
        single: impl Fn(&Module, u64) -> T,
    ) -> (Vec<T>, Vec<T>) {
        let array = |module: &Module, address, size| {
            let words = module::function_array(&module.elf, address, size);
            words.iter().map(|word| in_array(module, *word)).collect::<Vec<T>>()
        };
        let one = |module: &Module, tag| {
            module::single_function(&module.elf, tag).map(|address| single(module, address))
        };
        let mut constructors = array(&self.modules[0], DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ);
        let mut destructors = Vec::new();
        for number in modules {
            let module = &self.modules[*number];
            constructors.extend(one(module, DT_INIT));
            constructors.extend(array(module, DT_INIT_ARRAY, DT_INIT_ARRAYSZ));
        }
        for number in modules.iter().rev() {
            let module = &self.modules[*number];
            destructors.extend(array(module, DT_FINI_ARRAY, DT_FINI_ARRAYSZ).into_iter().rev());
            destructors.extend(one(module, DT_FINI));
        }
        (constructors, destructors)
    }

    /// The module that an offset in an image belongs to.
    pub(crate) fn module_at(&self, place: usize) -> Option<&Module> {
        let after = self.modules.partition_point(|module| module.start <= place);
        self.modules[..after].last().filter(|module| place < module.end)
    }
}

/// Reads an executable and checks that it can have images.
fn executable(path: &Path) -> Result<Elf, ImageError> {
    let elf = Elf::read(path)?;
    if elf.segment(PT_INTERP).is_none() || elf.segment(PT_DYNAMIC).is_none() {
        return Err(ImageError::Static { path: path.to_owned() });
    }
    Ok(elf)
}

/// Puts the modules one after the other; gives them and the size of an image.
fn lay_out(
    elf: Elf,
    path: &Path,
    host: Option<Host>,
    libraries: Vec<libraries::Library>,
) -> (Vec<Module>, usize) {
    let mut modules = vec![Module::new(elf, path.to_owned(), host, 0)];
    for library in libraries {
        let before = &mut modules.last_mut().expect("the executable is first").end;
        *before = before.next_multiple_of(library.elf.align);
        let (path, after) = (library.host.path.clone(), *before);
        modules.push(Module::new(library.elf, path, Some(library.host), after));
    }
    let align = modules.iter().map(|module| module.elf.align).max().unwrap_or(PAGE);
    let last = &mut modules.last_mut().expect("the executable is first").end;
    *last = last.next_multiple_of(align);
    let size = *last;
    (modules, size)
}

/// Offset in an image of an address in the loader's copies.
fn place_of_host_address(modules: &[Module], address: usize) -> Option<u64> {
    let module = modules.iter().find(|module| module.host_holds(address))?;
    let bias = module.host.as_ref()?.bias;
    Some(module.place(address.wrapping_sub(bias) as u64))
}

/// Locks, whatever happened to the thread that held the lock before: the data stays usable.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
