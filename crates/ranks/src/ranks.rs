//! All ranks of a run: their stacks and the programs that they execute.

use std::cell::Cell;
use std::ffi::CStr;
use std::rc::Rc;

use crate::arena::{Arena, Stack};
use crate::arguments::{Arguments, PrivateArguments};
use crate::body::{Body, Entry};
use crate::context;
use crate::crash;
use crate::error::RanksError;
use crate::foresight::Roll;
use crate::interposed;
use crate::label::Labels;
use crate::loaded::{Loaded, Template};
use crate::mappings;
use crate::rank::Rank;
use crate::regions::Regions;
use crate::settings::Settings;

/// The place where ranks run: stacks and programs. All its ranks run on the thread that made it.
pub struct Ranks {
    settings: Settings,
    arena: Rc<Arena>,
    programs: Vec<Box<dyn Template>>,
    labels: Option<Rc<Labels>>,
    roll: Rc<Roll>,
    /// Whether any program calls `getopt`, whose variables are then exchanged at switches.
    uses_getopt: Cell<bool>,
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
        let roll = Rc::new(Roll::new(count));
        Ok(Ranks { settings, arena, programs, labels, roll, uses_getopt: Cell::new(false) })
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
        let entry = Entry::Program(loaded, PrivateArguments::new(arguments));
        Ok(self.rank(number, stack, regions, entry))
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

    /// Says that the turn of a rank comes in a few steps.
    #[inline]
    pub fn expect(&self, number: u32) {
        self.roll.fetch_record(number);
    }

    /// Says that the turn of a rank is next.
    #[inline]
    pub fn expect_next(&self, number: u32) {
        self.roll.fetch_frames(number);
    }

    fn stack(&self, number: u32) -> Result<Stack, RanksError> {
        let none = RanksError::NoStack { number, count: self.arena.count() };
        self.arena.take()?.ok_or(none)
    }

    fn rank(&self, number: u32, stack: Stack, regions: Regions, entry: Entry) -> Rank {
        let body = Body::new(number, stack.bounds(), regions, entry);
        Rank::new(body, stack, self.labels.clone(), &self.roll)
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
