//! Names of datatypes. MPI 4.1 section 7.8.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};

use super::lookup;
use crate::abi::*;
use crate::call::mpi;
use crate::failure::Failure;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

thread_local! {
    /// New names of predefined datatypes, which ranks share but may call as they like.
    static RENAMED: RefCell<BTreeMap<(u32, MPI_Datatype), Box<str>>> =
        const { RefCell::new(BTreeMap::new()) };
}

/// The longest name, its final zero left out.
const LONGEST: usize = MPI_MAX_OBJECT_NAME as usize - 1;

/// The name of a predefined datatype; nothing for others. Of two names the alias is the proper
/// one: MPI 4.1 section 3.2.2 has `MPI_LONG_LONG` as a synonym of `MPI_LONG_LONG_INT`.
fn standard_name(handle: MPI_Datatype) -> &'static str {
    let mut names = DATATYPE_ALIASES.iter().chain(PREDEFINED_DATATYPES);
    names.find(|(named, _)| *named == handle).map_or("", |(_, name)| name)
}

fn name(here: &RankContext, handle: MPI_Datatype) -> Result<Box<str>, Failure> {
    if handle == MPI_DATATYPE_NULL {
        return Ok("MPI_DATATYPE_NULL".into());
    }
    let found = lookup(handle)?;
    let given = match found.is_predefined {
        true => RENAMED.with(|names| names.borrow().get(&(here.number(), handle)).cloned()),
        false => found.name.borrow().clone(),
    };
    Ok(given.unwrap_or_else(|| standard_name(handle).into()))
}

/// A name, cut off at a character where it is too long.
fn shortened(name: String) -> Box<str> {
    let end = (0..=LONGEST.min(name.len())).rev().find(|end| name.is_char_boundary(*end));
    name[..end.unwrap_or(0)].into()
}

mpi! {
    /// `MPI_Type_set_name`.
    local fn MPI_Type_set_name(datatype: MPI_Datatype, type_name: In<c_char>) -> c_int, |here| {
        let found = lookup(datatype)?;
        let name = shortened(type_name.given(1, "type_name")?.text());
        match found.is_predefined {
            true => drop(RENAMED.with(|names| {
                names.borrow_mut().insert((here.number(), datatype), name)
            })),
            false => *found.name.borrow_mut() = Some(name),
        }
        Ok(())
    }

    /// `MPI_Type_get_name`.
    local fn MPI_Type_get_name(
        datatype: MPI_Datatype, type_name: Out<c_char>, resultlen: Out<c_int>,
    ) -> c_int, |here| {
        let name = name(here, datatype)?;
        let written = type_name.given("type_name")?.write_text(&name, MPI_MAX_OBJECT_NAME as usize);
        resultlen.given("resultlen")?.set(written as c_int);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_standard() {
        assert_eq!(standard_name(MPI_INT), "MPI_INT");
        assert_eq!(standard_name(MPI_LONG_LONG), "MPI_LONG_LONG_INT");
        assert_eq!(standard_name(0x1000), "");
    }

    #[test]
    fn long_names_end_with_a_whole_character() {
        assert_eq!(&*shortened("x".into()), "x");
        assert_eq!(shortened("x".repeat(200)).len(), LONGEST);
        assert_eq!(shortened("é".repeat(200)).len(), LONGEST - 1);
    }
}
