//! One image of a program: what a rank runs.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt::Write;
use std::ops::Range;

use crate::arena::Taken;
use crate::elf::symbols::Use;
use crate::link::{Linked, Value};
use crate::module::Module;
use crate::program::{Inner, Program};
use crate::thread_locals::ThreadLocals;

/// The type of `main` and of constructors: argument count, arguments, environment.
pub type Entry = unsafe extern "C" fn(c_int, *const *const c_char, *const *const c_char) -> c_int;

/// An image of a program; dropping it unmaps it, so no code of it may run or be called later.
#[derive(Debug)]
pub struct Image {
    program: &'static Inner,
    memory: Memory,
    constructors: Vec<usize>,
    destructors: Vec<usize>,
}

/// Where the memory of an image is.
#[derive(Debug)]
enum Memory {
    /// In a slot of its own.
    Slot(Taken),
    /// In a slot that several share; here is its address.
    Borrowed(usize),
    /// Where the loader put the program.
    Host,
    /// Where the loader put a copy of the executable: what it adds to addresses, and its handle.
    Copy { bias: usize, handle: *mut c_void },
}

// SAFETY: the handle is only used to close the copy; the loader locks for itself.
unsafe impl Send for Image {}
// SAFETY: as above; no method changes anything through a shared reference but atomics.
unsafe impl Sync for Image {}

impl Image {
    pub(crate) fn private(program: &'static Inner, linked: &Linked, slot: Taken) -> Image {
        Image::linked(program, linked, slot.base, Memory::Slot(slot))
    }

    pub(crate) fn borrowed(program: &'static Inner, linked: &Linked, base: usize) -> Image {
        Image::linked(program, linked, base, Memory::Borrowed(base))
    }

    fn linked(program: &'static Inner, linked: &Linked, base: usize, memory: Memory) -> Image {
        let address = |value: &Value| match value {
            Value::Image(place) => base.wrapping_add(*place as usize),
            Value::Fixed(address) | Value::Resolver(address) => *address as usize,
        };
        let functions = |values: &[Value]| callable(values.iter().map(address));
        let (constructors, destructors) =
            (functions(&linked.constructors), functions(&linked.destructors));
        Image { program, memory, constructors, destructors }
    }

    /// The loader's image of the program; its arrays are relocated already.
    pub(crate) fn of_host(program: &'static Inner) -> Image {
        let memory = Memory::Host;
        let (constructors, destructors) = loaded_functions(program, |m, at| m.host_address(at));
        Image { program, memory, constructors, destructors }
    }

    /// A copy of the executable made by the loader.
    pub(crate) fn of_copy(program: &'static Inner, bias: usize, handle: *mut c_void) -> Image {
        let memory = Memory::Copy { bias, handle };
        let (constructors, destructors) =
            loaded_functions(program, |_, at| Some(bias.wrapping_add(at as usize)));
        Image { program, memory, constructors, destructors }
    }

    /// The program of this image.
    pub fn program(&self) -> Program {
        Program { inner: self.program }
    }

    /// Address of `main`, an [`Entry`].
    pub fn main(&self) -> usize {
        self.address(self.program.main as usize).expect("main lies in the executable")
    }

    /// Addresses of the functions to call before `main`, in order, each an [`Entry`] without
    /// result.
    pub fn constructors(&self) -> &[usize] {
        &self.constructors
    }

    /// Addresses of the functions to call after the exit handlers, in order; without arguments.
    pub fn destructors(&self) -> &[usize] {
        &self.destructors
    }

    /// Address of the executable's first byte, to which offsets of copied variables are added.
    pub fn base(&self) -> usize {
        self.address(0).expect("the executable is first")
    }

    /// Address ranges of the modules, the executable first.
    pub fn ranges(&self) -> Vec<Range<usize>> {
        let range = |module: &Module| {
            let start = self.address(module.start)?;
            Some(start..start + module.elf.memory.len())
        };
        self.program.modules.iter().filter_map(range).collect()
    }

    /// Whether the image has its own copy of the program's data.
    pub fn is_private(&self) -> bool {
        matches!(self.memory, Memory::Slot(_) | Memory::Copy { .. })
    }

    /// Address of an exported symbol of the image: of the executable first, then of the private
    /// libraries. Executables export what libraries refer to, or all with `-rdynamic`.
    pub fn symbol(&self, name: &CStr) -> Option<usize> {
        self.program.modules.iter().find_map(|module| {
            let symbol = module.elf.symbols.find(name, None, Use::Call)?;
            self.address(module.place(symbol.value) as usize)
        })
    }

    /// Address of this image's copy of a library's variable, such as `optind`.
    pub fn copied_variable(&self, name: &str) -> Option<usize> {
        let (_, offset) = self.program().copied_variable(name)?;
        self.address(offset)
    }

    /// Fills `content` with what a block of thread-locals holds before the rank starts.
    ///
    /// # Panics
    ///
    /// Panics if `content` is not as large as the block.
    pub fn initial_thread_locals(&self, block: &ThreadLocals, content: &mut [u8]) {
        assert_eq!(content.len(), block.size, "a block of thread-locals is filled as a whole");
        let (first, rest) = content.split_at_mut(block.initialised);
        let source = self.address(block.place).expect("thread-locals lie in a module");
        // SAFETY: the segment of initial content is part of the image, and images are relocated
        // before they are given out.
        unsafe {
            std::ptr::copy_nonoverlapping(source as *const u8, first.as_mut_ptr(), first.len());
        }
        rest.fill(0);
    }

    /// Says whose image this is, usually the rank: [`crate::locate`] gives it back.
    pub fn set_label(&self, label: u32) {
        if let Memory::Slot(slot) = &self.memory {
            slot.set_label(label);
        }
    }

    /// Commands that make gdb know the symbols of this image; empty when it knows them anyway.
    pub fn gdb_commands(&self) -> String {
        let mut commands = String::new();
        for module in &self.program.modules {
            let bias = match self.memory {
                Memory::Host => None,
                Memory::Copy { bias, .. } => Some(bias),
                Memory::Slot(Taken { base, .. }) | Memory::Borrowed(base) => {
                    Some(base.wrapping_add(module.shift() as usize))
                }
            };
            if let Some(bias) = bias {
                let _ =
                    writeln!(commands, "add-symbol-file {} -o {bias:#x}", module.path.display());
            }
        }
        commands
    }

    /// Address of an offset in the image.
    fn address(&self, place: usize) -> Option<usize> {
        match self.memory {
            Memory::Slot(Taken { base, .. }) | Memory::Borrowed(base) => Some(base + place),
            Memory::Host => {
                let module = self.program.module_at(place)?;
                module.host_address((place as u64).wrapping_sub(module.shift()))
            }
            Memory::Copy { bias, .. } => {
                let executable = &self.program.modules[0];
                Some(bias.wrapping_add(place.wrapping_sub(executable.shift() as usize)))
            }
        }
    }

    /// The base of the slot, for the unwinder; none when the loader knows the image.
    pub(crate) fn slot_base(&self) -> Option<usize> {
        match self.memory {
            Memory::Slot(Taken { base, .. }) | Memory::Borrowed(base) => Some(base),
            Memory::Host | Memory::Copy { .. } => None,
        }
    }

    /// Keeps the image forever and gives its base.
    pub(crate) fn leak(self) -> usize {
        let base = self.base();
        std::mem::forget(self);
        base
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        match &self.memory {
            Memory::Slot(slot) => {
                crate::unwind::forget_current(slot.base);
                self.program.release(slot);
            }
            Memory::Copy { handle, .. } => {
                // SAFETY: the handle came from dlopen, and its functions to call at close were
                // taken out of the copy.
                unsafe { libc::dlclose(*handle) };
            }
            Memory::Borrowed(_) | Memory::Host => {}
        }
    }
}

/// Constructors and destructors of an executable that the loader relocated (it ran those of the
/// libraries itself); `address` turns link-time
/// addresses into its own.
fn loaded_functions(
    program: &Inner,
    address: impl Fn(&Module, u64) -> Option<usize>,
) -> (Vec<usize>, Vec<usize>) {
    let in_array = |module: &Module, word: u64| {
        // SAFETY: the loader mapped and relocated the array.
        address(module, word).map_or(0, |at| unsafe { (at as *const usize).read_unaligned() })
    };
    let single = |module: &Module, at: u64| address(module, at).unwrap_or(0);
    let (constructors, destructors) = program.functions(&[0], in_array, single);
    (callable(constructors.into_iter()), callable(destructors.into_iter()))
}

/// Leaves out what the start files put into arrays as separators.
fn callable(functions: impl Iterator<Item = usize>) -> Vec<usize> {
    functions.filter(|address| !matches!(*address, 0 | usize::MAX)).collect()
}
