//! How ranks are run: what the user may choose.

/// What the user may choose about ranks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Usable bytes of each stack; rounded up to whole pages.
    pub stack_size: usize,
    /// How the ranks' global variables are kept apart.
    pub privacy: Privacy,
    /// What stands below each stack.
    pub guard: GuardChoice,
    /// Whether each line of output starts with `[rank] `.
    pub label: bool,
}

impl Default for Settings {
    /// Stacks of 256 KiB, private images, guards that are sure, no labels.
    fn default() -> Self {
        Self {
            stack_size: 256 * 1024,
            privacy: Privacy::Images,
            guard: GuardChoice::Sure,
            label: false,
        }
    }
}

/// How the global variables of ranks are kept apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Privacy {
    /// Each rank has a private image of the program, mapped by us.
    Images,
    /// Each rank has a copy of the program, opened by the dynamic loader.
    Copies,
    /// All ranks share the globals of one program.
    Shared,
}

/// What stands below each stack, to catch a rank that needs more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GuardChoice {
    /// Markers in the page table where the kernel has them (Linux 6.13), else protected pages;
    /// more ranks than the kernel has mappings for are refused.
    Sure,
    /// As `Sure`, but ranks beyond the mappings get a word that is checked at each switch.
    CanaryAccepted,
    /// Protected pages even where the kernel has markers.
    Pages,
    /// Only a word that is checked at each switch.
    Canary,
}
