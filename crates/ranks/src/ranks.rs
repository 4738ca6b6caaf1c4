//! All ranks of a run: their stacks and the programs that they execute.

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::CStr;
use std::rc::Rc;

use crate::ahead;
use crate::arena::{Arena, Stack};
use crate::arguments::{Arguments, PrivateArguments};
use crate::body::{Body, Entry};
use crate::context;
use crate::crash;
use crate::error::RanksError;
use crate::interposed;
use crate::label::Labels;
use crate::loaded::{Loaded, Template};
use crate::mappings;
use crate::openmp;
use crate::rank::Rank;
use crate::regions::Regions;
use crate::settings::{GuardChoice, Privacy, Settings};

/// How many threads of all ranks together may call MPI at the same time.
const SPARE: u32 = 16_384;

/// The size of the stacks on which their calls are carried out.
const SPARE_SIZE: usize = 256 * 1024;

/// The place where ranks run: stacks and programs. All its ranks run on the thread that made it.
pub struct Ranks {
    settings: Settings,
    arena: Rc<Arena>,
    /// Stacks on which calls of threads are carried out.
    spare: RefCell<Option<Rc<Arena>>>,
    programs: Vec<Box<dyn Template>>,
    labels: Option<Rc<Labels>>,
    /// Whether any program calls `getopt`, whose variables are then exchanged at switches.
    uses_getopt: Cell<bool>,
    /// What an OpenMP library keeps for this thread, as ranks find it.
    openmp: OnceCell<Option<openmp::State>>,
    /// Whether code of the programs reaches nothing of others but by calls.
    is_self_contained: OnceCell<bool>,
}

impl Ranks {
    /// Reserves what `count` ranks that live at the same time will need, installs the handlers of
    /// crashes, and replaces the standard streams if output is to be labelled.
    ///
    /// # Errors
    ///
    /// What the kernel's limits do not allow is refused here, with the setting to change.
    pub fn new(
        settings: Settings,
        count: u32,
        programs: Vec<Box<dyn Template>>,
    ) -> Result<Ranks, RanksError> {
        let privacy = settings.privacy;
        let each = programs.iter().map(|program| program.mappings_per_rank(privacy)).max();
        let images = each.unwrap_or(0) * count as usize;
        mappings::check("images of the program", images)?;
        let arena = Arena::new(count, settings.stack_size, settings.guard, images)?;
        context::adopt_thread();
        crash::install()?;
        let labels = settings.label.then(Labels::new).transpose().map_err(RanksError::Label)?;
        let (spare, uses_getopt, openmp) = (RefCell::default(), Cell::new(false), OnceCell::new());
        let is_self_contained = OnceCell::new();
        Ok(Ranks {
            settings,
            arena,
            spare,
            programs,
            labels,
            uses_getopt,
            openmp,
            is_self_contained,
        })
    }

    /// Makes a rank that will run `program` when it is first resumed. Its stack and its memory
    /// are taken here.
    ///
    /// # Errors
    ///
    /// When all stacks are in use, or the program cannot be mapped once more.
    pub fn begin(
        &self,
        number: u32,
        program: usize,
        arguments: &Arguments,
    ) -> Result<Rank, RanksError> {
        let stack = self.stack(number)?;
        let count = self.programs.len();
        let template = self.programs.get(program);
        let template = template.ok_or(RanksError::NoProgram { number, program, count })?;
        // A template may ask for names only when it is first loaded.
        let address = |name: &CStr| {
            self.uses_getopt.set(self.uses_getopt.get() || interposed::getopt::is_of(name));
            interposed::address(name)
        };
        let loaded = template
            .load(number, self.settings.privacy, &address)
            .map_err(|reason| RanksError::Image { number, reason })?;
        // The first image may have brought a C++ library with it.
        context::adopt_thread();
        let mut regions = regions_of(&*loaded);
        if self.uses_getopt.get() {
            interposed::getopt::make_private(&mut regions, &*loaded);
        }
        if let Some(state) = self.openmp.get_or_init(openmp::state) {
            regions.add(state.address, &state.content);
        }
        let goes_ahead = self.settings.privacy == Privacy::Images
            && !self.uses_getopt.get()
            && self.openmp.get().is_none_or(Option::is_none)
            && *self
                .is_self_contained
                .get_or_init(|| self.programs.iter().all(|program| program.is_self_contained()));
        let entry = Entry::Program(loaded, PrivateArguments::new(arguments));
        let mut body = Body::new(number, stack.bounds(), regions, entry);
        body.seat = ahead::seat(number).filter(|_| goes_ahead);
        Ok(Rank::new(body, stack, self.labels.clone()))
    }

    /// Makes a rank that will run a Rust function, which returns its exit code.
    ///
    /// A panic in the function ends the process.
    ///
    /// # Errors
    ///
    /// When all stacks are in use.
    pub fn begin_function(
        &self,
        number: u32,
        function: impl FnOnce() -> i32 + 'static,
    ) -> Result<Rank, RanksError> {
        let stack = self.stack(number)?;
        let entry = Entry::Function(Cell::new(Some(Box::new(function))));
        Ok(self.rank(number, stack, Regions::default(), entry))
    }

    /// Sends a rank that asked for it to a thread of its own. What is returned stands in for it
    /// here: it runs `serve`, which carries out the calls of the rank's main thread.
    ///
    /// # Errors
    ///
    /// When there is no memory for the thread, or for the stack.
    pub fn move_to_thread(
        &self,
        rank: Rank,
        serve: impl FnOnce() -> i32 + 'static,
    ) -> Result<Rank, RanksError> {
        let number = rank.number();
        let stack = self.spare_stack(number)?;
        let regions = rank.send_away().map_err(|source| RanksError::Thread { number, source })?;
        let entry = Entry::Function(Cell::new(Some(Box::new(serve))));
        Ok(self.rank(number, stack, regions, entry))
    }

    /// Makes what carries out the calls of a thread: it runs `serve` on a stack of its own.
    ///
    /// # Errors
    ///
    /// When all stacks are in use.
    pub fn begin_servant(
        &self,
        number: u32,
        serve: impl FnOnce() -> i32 + 'static,
    ) -> Result<Rank, RanksError> {
        let stack = self.spare_stack(number)?;
        let entry = Entry::Function(Cell::new(Some(Box::new(serve))));
        Ok(self.rank(number, stack, Regions::default(), entry))
    }

    /// A stack on which calls of threads are carried out; most runs need none.
    fn spare_stack(&self, number: u32) -> Result<Stack, RanksError> {
        if self.spare.borrow().is_none() {
            let guard = GuardChoice::CanaryAccepted;
            let arena = Arena::new(SPARE, SPARE_SIZE, guard, 0)?;
            *self.spare.borrow_mut() = Some(arena);
        }
        let spare = self.spare.borrow();
        let stack = spare.as_ref().map_or(Ok(None), |spare| spare.take())?;
        stack.ok_or(RanksError::NoThreadStack { number, count: SPARE })
    }

    fn stack(&self, number: u32) -> Result<Stack, RanksError> {
        let none = RanksError::NoStack { number, count: self.arena.count() };
        self.arena.take()?.ok_or(none)
    }

    fn rank(&self, number: u32, stack: Stack, regions: Regions, entry: Entry) -> Rank {
        let body = Body::new(number, stack.bounds(), regions, entry);
        Rank::new(body, stack, self.labels.clone())
    }
}

impl std::fmt::Debug for Ranks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ranks").field("settings", &self.settings).finish_non_exhaustive()
    }
}

fn regions_of(loaded: &dyn Loaded) -> Regions {
    let mut regions = Regions::default();
    for locals in loaded.thread_locals() {
        regions.add(locals.address, &locals.initial);
    }
    regions
}
