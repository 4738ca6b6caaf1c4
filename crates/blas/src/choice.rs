//! Which routines compute and which take the time of a model.
//!
//! The variable `FORETELL_BLAS` says so, which `foretell run --blas` sets: words like
//! `skip=dgemm,dtrsm`, `compute=dcopy` or `both=all`, with blanks or semicolons between them. Later
//! words count more than earlier ones.

use std::sync::OnceLock;

/// The variable that is looked at, once.
const VARIABLE: &str = "FORETELL_BLAS";

/// A routine, whatever the language it is called from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routine {
    Dgemm,
    Dtrsm,
    Dgemv,
    Dger,
    Dtrsv,
    Daxpy,
    Dscal,
    Dcopy,
    Dswap,
    Idamax,
}

/// What calls of a routine do in a simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Act {
    /// Take the model's time, and leave all data as they are.
    Skip,
    /// Compute; that takes the time of the program's own code.
    Compute,
    /// Compute, and take the model's time.
    Both,
}

/// An act for every routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice([Act; Routine::ALL.len()]);

impl Routine {
    pub(crate) const ALL: [(&'static std::ffi::CStr, Routine); 10] = [
        (c"dgemm", Routine::Dgemm),
        (c"dtrsm", Routine::Dtrsm),
        (c"dgemv", Routine::Dgemv),
        (c"dger", Routine::Dger),
        (c"dtrsv", Routine::Dtrsv),
        (c"daxpy", Routine::Daxpy),
        (c"dscal", Routine::Dscal),
        (c"dcopy", Routine::Dcopy),
        (c"dswap", Routine::Dswap),
        (c"idamax", Routine::Idamax),
    ];

    /// The name of its kernel model.
    pub(crate) fn name(self) -> &'static std::ffi::CStr {
        Self::ALL[self as usize].0
    }
}

impl Default for Choice {
    /// Everything is skipped but searches and copies: programs go by what is found, and some keep
    /// more than numbers in the vectors that they copy (HPL does).
    fn default() -> Self {
        let mut acts = [Act::Skip; Routine::ALL.len()];
        for routine in [Routine::Idamax, Routine::Dcopy, Routine::Dswap] {
            acts[routine as usize] = Act::Both;
        }
        Self(acts)
    }
}

impl Choice {
    /// What the environment says; ends the program if that makes no sense.
    pub(crate) fn of_environment() -> &'static Self {
        static CHOICE: OnceLock<Choice> = OnceLock::new();
        CHOICE.get_or_init(|| {
            let words = std::env::var(VARIABLE).unwrap_or_default();
            Self::read(&words)
                .unwrap_or_else(|why| crate::flags::fail(&format!("{VARIABLE}: {why}")))
        })
    }

    /// Reads words; tells what is wrong with the first wrong one.
    pub(crate) fn read(words: &str) -> Result<Self, String> {
        let mut choice = Self::default();
        for word in words.split([' ', ';']).filter(|word| !word.is_empty()) {
            let (act, names) = match word.split_once('=') {
                Some(("skip", names)) => (Act::Skip, names),
                Some(("compute", names)) => (Act::Compute, names),
                Some(("both", names)) => (Act::Both, names),
                _ => return Err(format!("`{word}` is not skip=, compute= or both= with routines")),
            };
            names.split(',').try_for_each(|name| choice.set(name, act))?;
        }
        Ok(choice)
    }

    /// What calls of a routine do.
    pub(crate) fn act(&self, routine: Routine) -> Act {
        self.0[routine as usize]
    }

    fn set(&mut self, name: &str, act: Act) -> Result<(), String> {
        if name == "all" {
            self.0 = [act; Routine::ALL.len()];
            return Ok(());
        }
        let known = |text: &'static std::ffi::CStr| text.to_str().unwrap_or_default();
        match Routine::ALL.iter().find(|(own, _)| known(own) == name) {
            Some((_, routine)) => self.0[*routine as usize] = act,
            None => {
                let names: Vec<_> = Routine::ALL.iter().map(|(name, _)| known(name)).collect();
                return Err(format!("`{name}` is not among {}, all", names.join(", ")));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_belong_to_their_routines() {
        assert!(Routine::ALL.iter().enumerate().all(|(at, (_, routine))| *routine as usize == at));
        assert_eq!(Routine::Idamax.name(), c"idamax");
    }

    #[test]
    fn all_but_searches_and_copies_is_skipped_unless_told() {
        let usual = Choice::read("").unwrap();
        assert_eq!((usual.act(Routine::Dgemm), usual.act(Routine::Idamax)), (Act::Skip, Act::Both));
        assert_eq!((usual.act(Routine::Dscal), usual.act(Routine::Dcopy)), (Act::Skip, Act::Both));
    }

    #[test]
    fn later_words_count_more() {
        let choice = Choice::read("compute=all skip=dgemm,dtrsm;both=dtrsm").unwrap();
        assert_eq!(choice.act(Routine::Dgemm), Act::Skip);
        assert_eq!(choice.act(Routine::Dtrsm), Act::Both);
        assert_eq!(choice.act(Routine::Dswap), Act::Compute);
    }

    #[test]
    fn what_is_wrong_is_told_with_what_could_be() {
        assert!(Choice::read("skip=zgemm").unwrap_err().contains("among dgemm, dtrsm"));
        assert!(Choice::read("dgemm").unwrap_err().contains("skip="));
    }
}
