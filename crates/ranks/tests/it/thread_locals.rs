//! Memory at one address that each rank finds as it left it.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int};
use std::rc::Rc;

use foretell_ranks::{Loaded, Main, Privacy, Template, ThreadLocals, suspend};

use crate::program::{begin, finish};

thread_local! {
    /// Stands for a thread-local of the program.
    static NUMBER: Cell<i32> = const { Cell::new(0) };
}

struct Counting;

impl Template for Counting {
    fn load(
        &self,
        _number: u32,
        _privacy: Privacy,
        _interposed: &dyn Fn(&CStr) -> Option<usize>,
    ) -> Result<Rc<dyn Loaded>, String> {
        Ok(Rc::new(Counting))
    }

    fn mappings_per_rank(&self, _privacy: Privacy) -> usize {
        0
    }
}

impl Loaded for Counting {
    fn main(&self) -> Main {
        count
    }

    fn constructors(&self) -> Vec<usize> {
        Vec::new()
    }

    fn destructors(&self) -> Vec<usize> {
        Vec::new()
    }

    fn thread_locals(&self) -> Vec<ThreadLocals> {
        let address = NUMBER.with(|number| number.as_ptr().expose_provenance());
        vec![ThreadLocals { address, initial: 40_i32.to_le_bytes().to_vec() }]
    }

    fn copied_variable(&self, _name: &CStr) -> Option<usize> {
        None
    }
}

unsafe extern "C" fn count(_: c_int, _: *mut *mut c_char, _: *mut *mut c_char) -> c_int {
    for _ in 0..2 {
        NUMBER.set(NUMBER.get() + 1);
        suspend();
    }
    NUMBER.get()
}

#[test]
fn a_thread_local_of_the_program_is_the_ranks_own() {
    let (_ranks, mut all) = begin(Box::new(Counting), 3);
    let codes: Vec<_> = finish(&mut all)
        .into_iter()
        .map(|step| match step {
            foretell_ranks::Step::Ended(code, _) => code,
            foretell_ranks::Step::Suspended => -1,
        })
        .collect();
    assert_eq!(codes, [42; 3]);
}

#[test]
fn a_rank_that_goes_leaves_no_trace() {
    let (ranks, mut all) = begin(Box::new(Counting), 2);
    all[0].resume();
    all.remove(0);
    assert_eq!(finish(&mut all).len(), 1);
    let mut late = ranks.begin(2, 0, &foretell_ranks::Arguments::default()).unwrap();
    assert_eq!(late.resume(), foretell_ranks::Step::Suspended);
    assert_eq!(NUMBER.get(), 41);
}
