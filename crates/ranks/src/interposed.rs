//! Functions of the C library that a rank must not share with the others: exits, clocks, sleeping,
//! random numbers, standard input, the environment, and a few more.
//!
//! They are reached by name when a program's symbols are resolved. Where no rank runs, as on
//! threads that the program made, each does what the C library does.

mod clocks;
pub(crate) mod environment;
mod exits;
pub(crate) mod getopt;
mod input;
pub(crate) mod keys;
mod objects;
pub(crate) mod random;
pub(crate) mod signals;
mod sleeps;
mod streams;
mod text;
pub(crate) mod threads;

use std::ffi::CStr;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

/// A name of the C library and the address of what stands in for it.
type Entry = (&'static str, usize);

/// Lists functions with their names: `table![exit, time => our_time]`.
macro_rules! table {
    ($($name:ident $(=> $function:ident)?),* $(,)?) => {
        vec![$((stringify!($name), table!(@address $name $(=> $function)?))),*]
    };
    (@address $name:ident) => { $name as *const () as usize };
    (@address $name:ident => $function:ident) => { $function as *const () as usize };
}
use table;

/// The address of what stands in for a function of the C library, if anything does.
pub fn address(name: &CStr) -> Option<usize> {
    static ALL: OnceLock<FxHashMap<&'static [u8], usize>> = OnceLock::new();
    let all = ALL.get_or_init(|| {
        let families = [
            clocks::table(),
            environment::table(),
            exits::table(),
            getopt::table(),
            keys::table(),
            input::table(),
            objects::table(),
            random::table(),
            signals::table(),
            sleeps::table(),
            streams::table(),
            text::table(),
            threads::table(),
        ];
        families.into_iter().flatten().map(|(name, at)| (name.as_bytes(), at)).collect()
    });
    all.get(name.to_bytes()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_functions() {
        for name in [c"exit", c"_exit", c"gettimeofday", c"usleep", c"rand", c"strtok"] {
            assert!(address(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn what_needs_no_care_is_left_alone() {
        for name in [c"fork", c"execve", c"getpid", c"malloc", c""] {
            assert_eq!(address(name), None, "{name:?}");
        }
    }
}
