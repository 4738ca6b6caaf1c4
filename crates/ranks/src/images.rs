//! Programs in memory as `foretell-images` maps them.

use std::ffi::CStr;
use std::rc::Rc;

use foretell_images::{Caller, Image, Interposed, Program, unwind};

use crate::ahead;
use crate::body::{Body, Entry};
use crate::context;
use crate::debugger;
use crate::loaded::{Loaded, Main, Template, ThreadLocals};
use crate::settings::Privacy;
use crate::threads::with_own;

/// Mappings that the dynamic loader makes for a copy: its segments, and what is zero at first.
const MAPPINGS_PER_COPY: usize = 6;

/// Makes the image of the rank that runs now, or whose thread this is, the one that
/// `dl_iterate_phdr` shows.
///
/// Whoever exports that function calls this first: announcing at each switch would be paid by
/// programs that never ask.
pub fn announce_image() {
    let announce = |body: &Body| match &body.life.entry {
        Entry::Program(loaded, _) => loaded.announce(),
        _ => unwind::set_current(None),
    };
    let is_of_rank = context::with_body(announce).is_some();
    // SAFETY: a thread of a rank keeps the rank's memory where it is.
    let is_of_thread = || with_own(|own| announce(unsafe { &*own.threads().body() })).is_some();
    if !is_of_rank && !is_of_thread() {
        unwind::set_current(None);
    }
}

/// The address of an exported symbol of the program of the rank that runs, in its own image; in
/// the process as a whole for a program that runs by itself.
pub fn symbol(name: &CStr) -> Option<usize> {
    let found = context::with_body(|body| match &body.life.entry {
        Entry::Program(loaded, _) => loaded.symbol(name),
        _ => None,
    });
    found.flatten().or_else(|| {
        // SAFETY: a look-up by name in what is loaded.
        let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        (!address.is_null()).then_some(address as usize)
    })
}

impl Template for Program {
    fn load(
        &self,
        number: u32,
        privacy: Privacy,
        interposed: &dyn Fn(&CStr) -> Option<usize>,
    ) -> Result<Rc<dyn Loaded>, String> {
        let interposed = ByName(interposed);
        let image = match privacy {
            Privacy::Images => self.image(&interposed),
            Privacy::Copies => self.copied_image(&interposed),
            Privacy::Shared => self.shared_image(&interposed),
        };
        let image = image.map_err(|error| error.to_string())?;
        image.set_label(number);
        // The loader tells of copies itself.
        if privacy == Privacy::Images {
            debugger::tell_of(&image);
        }
        Ok(Rc::new(OfRank(image)))
    }

    fn is_self_contained(&self) -> bool {
        Program::is_self_contained(self)
    }

    fn mappings_per_rank(&self, privacy: Privacy) -> usize {
        match privacy {
            Privacy::Images => self.mappings_per_image(),
            Privacy::Copies => MAPPINGS_PER_COPY,
            Privacy::Shared => 0,
        }
    }
}

struct ByName<'a>(&'a dyn Fn(&CStr) -> Option<usize>);

impl Interposed for ByName<'_> {
    fn address(&self, name: &CStr) -> Option<usize> {
        (self.0)(name)
    }

    fn way_out(&self, name: &CStr, address: usize, by: Caller) -> usize {
        ahead::way_out(name, address, by)
    }
}

/// The image of one rank.
struct OfRank(Image);

impl Loaded for OfRank {
    fn main(&self) -> Main {
        // SAFETY: the address of the program's `main`, which has this type.
        unsafe { std::mem::transmute(self.0.main()) }
    }

    fn constructors(&self) -> Vec<usize> {
        self.0.constructors().to_vec()
    }

    fn destructors(&self) -> Vec<usize> {
        self.0.destructors().to_vec()
    }

    fn thread_locals(&self) -> Vec<ThreadLocals> {
        let blocks = self.0.program();
        let content = |block: &foretell_images::ThreadLocals| {
            let mut initial = vec![0; block.size];
            self.0.initial_thread_locals(block, &mut initial);
            ThreadLocals { address: block.address, initial }
        };
        blocks.thread_locals().iter().map(content).collect()
    }

    fn copied_variable(&self, name: &CStr) -> Option<usize> {
        self.0.copied_variable(name.to_str().ok()?)
    }

    fn symbol(&self, name: &CStr) -> Option<usize> {
        self.0.symbol(name)
    }

    fn announce(&self) {
        unwind::set_current(Some(&self.0));
    }
}
