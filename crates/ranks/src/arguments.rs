//! The arguments and the environment of a program, copied for each rank.

use std::ffi::{CString, c_char, c_int};

/// What a program is started with; ranks that are started alike share one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    /// `argv`, the program's name first.
    pub argv: Vec<CString>,
    /// The environment, as `NAME=value`; none: that of the process.
    pub environment: Option<Vec<CString>>,
}

/// A rank's own `argv` and `envp`, which it may write to.
#[derive(Debug)]
pub(crate) struct PrivateArguments {
    /// The bytes that the pointers point into.
    _text: Vec<u8>,
    /// `argv`, a null, and if there is a private environment also that and a null.
    pointers: Pointers,
    count: usize,
    has_environment: bool,
}

impl PrivateArguments {
    /// Copies `arguments` for one rank.
    pub(crate) fn new(arguments: &Arguments) -> Self {
        let environment = arguments.environment.as_deref().unwrap_or_default();
        let all = || arguments.argv.iter().chain(environment);
        let mut text = Vec::with_capacity(all().map(|one| one.as_bytes_with_nul().len()).sum());
        let start: *mut u8 = text.as_mut_ptr();
        let mut pointers = Vec::with_capacity(all().count() + 2);
        for (index, one) in all().enumerate() {
            if index == arguments.argv.len() {
                pointers.push(std::ptr::null_mut());
            }
            // The capacity is exact, so the text does not move while it grows.
            pointers.push(start.wrapping_add(text.len()).cast());
            text.extend_from_slice(one.as_bytes_with_nul());
        }
        if environment.is_empty() {
            pointers.push(std::ptr::null_mut());
        }
        pointers.push(std::ptr::null_mut());
        let (count, pointers) = (arguments.argv.len(), Pointers::new(pointers));
        Self { _text: text, pointers, count, has_environment: arguments.environment.is_some() }
    }

    /// `argc`, `argv` and `envp`.
    pub(crate) fn parts(&self) -> (c_int, *mut *mut c_char, *mut *mut c_char) {
        let argv = self.pointers.get();
        let envp = if self.has_environment {
            argv.wrapping_add(self.count + 1)
        } else {
            // SAFETY: reads the variable; nothing else runs on this thread meanwhile.
            unsafe { environ }
        };
        (self.count as c_int, argv, envp)
    }
}

/// The list of pointers, which the program may write to as well: owned through a raw pointer.
#[derive(Debug)]
struct Pointers(*mut [*mut c_char]);

impl Pointers {
    fn new(list: Vec<*mut c_char>) -> Self {
        Self(Box::into_raw(list.into_boxed_slice()))
    }

    fn get(&self) -> *mut *mut c_char {
        self.0.cast()
    }
}

impl Drop for Pointers {
    fn drop(&mut self) {
        // SAFETY: made from a box in `new`.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

unsafe extern "C" {
    static mut environ: *mut *mut c_char;
}

#[cfg(test)]
mod tests {
    use std::ffi::CStr;

    use super::*;

    fn words(mut list: *mut *mut c_char) -> Vec<String> {
        let mut words = Vec::new();
        // SAFETY: the list is one that `parts` gave, which a null ends.
        unsafe {
            while !(*list).is_null() {
                words.push(CStr::from_ptr(*list).to_str().unwrap().to_owned());
                list = list.add(1);
            }
        }
        words
    }

    #[test]
    fn each_rank_may_write_to_its_own() {
        let arguments = Arguments {
            argv: vec![c"app".into(), c"-n".into()],
            environment: Some(vec![c"A=1".into()]),
        };
        let a = PrivateArguments::new(&arguments);
        let b = PrivateArguments::new(&arguments);
        let (count, argv, envp) = a.parts();
        assert_eq!(count, 2);
        // SAFETY: the first letter of the first argument, which is ours to write.
        unsafe { **argv = b'A' as c_char };
        assert_eq!(words(argv), ["App", "-n"]);
        assert_eq!(words(envp), ["A=1"]);
        assert_eq!(words(b.parts().1), ["app", "-n"]);
    }

    #[test]
    fn no_arguments_are_an_empty_list() {
        let none = PrivateArguments::new(&Arguments { argv: vec![], environment: Some(vec![]) });
        let (count, argv, envp) = none.parts();
        assert_eq!((count, words(argv).len(), words(envp).len()), (0, 0, 0));
    }
}
