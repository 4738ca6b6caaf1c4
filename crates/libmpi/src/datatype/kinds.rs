//! Predefined datatypes that are found by what they can hold: Fortran's kinds, sizes, pairs of
//! value and index. MPI 4.1 sections 19.1.9 and 6.9.4.
//!
//! Some have no name. They are the same handle whenever they are asked for, and cannot be freed.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_int;

use foretell_mpi::datatype::{Basic, Datatype, Kind, Precision, Recipe};

use super::{TypeObject, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::Out;

/// What a predefined datatype without a name is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Unnamed {
    Integer(i32),
    Real(Option<i32>, Option<i32>),
    Complex(Option<i32>, Option<i32>),
    Pair(Basic, Basic),
}

thread_local! {
    /// Those that were asked for.
    static ASKED: RefCell<BTreeMap<Unnamed, MPI_Datatype>> = const { RefCell::new(BTreeMap::new()) };
}

impl Unnamed {
    fn of(recipe: &Recipe) -> Option<Unnamed> {
        match recipe {
            Recipe::F90Integer(digits) => Some(Unnamed::Integer(*digits)),
            Recipe::F90Real(Precision { digits, range }) => Some(Unnamed::Real(*digits, *range)),
            Recipe::F90Complex(Precision { digits, range }) => {
                Some(Unnamed::Complex(*digits, *range))
            }
            Recipe::ValueIndex { value, index } => {
                Some(Unnamed::Pair(value.as_basic()?, index.as_basic()?))
            }
            _ => None,
        }
    }
}

/// The handle of a named predefined datatype.
fn named(basic: Basic) -> Option<MPI_Datatype> {
    let found = PREDEFINED_DATATYPES.iter().find(|(_, name)| *name == basic.name());
    found.map(|(handle, _)| *handle)
}

/// The handle of a predefined datatype, with or without a name; nothing for a derived one.
pub(super) fn predefined_handle(datatype: &Datatype) -> Option<MPI_Datatype> {
    if let Some(basic) = datatype.as_basic() {
        return named(basic);
    }
    let unnamed = Unnamed::of(datatype.recipe())?;
    let keep = || TypeObject::predefined(datatype.clone()).keep();
    Some(ASKED.with(|asked| *asked.borrow_mut().entry(unnamed).or_insert_with(keep)))
}

/// The predefined datatype of a class and size. Reals of 16 bytes are those of C, which has no
/// others: the caller has measured a `long double`.
fn matching(class: c_int, size: c_int) -> Result<MPI_Datatype, Failure> {
    let sizes: &[(c_int, MPI_Datatype)] = match class {
        MPI_TYPECLASS_INTEGER => &[
            (1, MPI_INTEGER1),
            (2, MPI_INTEGER2),
            (4, MPI_INTEGER4),
            (8, MPI_INTEGER8),
            (16, MPI_INTEGER16),
        ],
        MPI_TYPECLASS_REAL => {
            &[(2, MPI_REAL2), (4, MPI_REAL4), (8, MPI_REAL8), (16, MPI_LONG_DOUBLE)]
        }
        MPI_TYPECLASS_COMPLEX => &[
            (4, MPI_COMPLEX4),
            (8, MPI_COMPLEX8),
            (16, MPI_COMPLEX16),
            (32, MPI_C_LONG_DOUBLE_COMPLEX),
        ],
        _ => return bad(MPI_ERR_ARG, format!("{class} is not an MPI_TYPECLASS constant")),
    };
    match sizes.iter().find(|(has, _)| *has == size) {
        Some((_, found)) => Ok(*found),
        None => bad(MPI_ERR_ARG, format!("no datatype of this class has {size} bytes")),
    }
}

/// The pair of a value and an index that reductions can look for a place with, if there is one.
fn pair(value: &Datatype, index: &Datatype) -> Option<Datatype> {
    let (value, index) = (value.as_basic()?, index.as_basic()?);
    let is_integer = |basic: Basic| matches!(basic.kind(), Kind::Signed | Kind::Unsigned);
    let has_order = is_integer(value) || matches!(value.kind(), Kind::Real(_));
    (has_order && is_integer(index)).then(|| Datatype::value_index(value, index).ok())?
}

/// Hands out a predefined datatype.
fn give(found: Option<MPI_Datatype>, place: Out<MPI_Datatype>) -> Outcome {
    place.given("datatype")?.set(found.unwrap_or(MPI_DATATYPE_NULL));
    Ok(())
}

/// A property of a Fortran kind, which need not be asked for.
fn asked(number: c_int) -> Option<c_int> {
    (number != MPI_UNDEFINED).then_some(number)
}

mpi! {
    /// `MPI_Type_create_f90_integer`.
    local fn MPI_Type_create_f90_integer(r: c_int, newtype: Out<MPI_Datatype>) -> c_int, |here| {
        let _ = here;
        give(predefined_handle(&Datatype::f90_integer(r)?), newtype)
    }

    /// `MPI_Type_create_f90_real`.
    local fn MPI_Type_create_f90_real(
        p: c_int, r: c_int, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        give(predefined_handle(&Datatype::f90_real(asked(p), asked(r))?), newtype)
    }

    /// `MPI_Type_create_f90_complex`.
    local fn MPI_Type_create_f90_complex(
        p: c_int, r: c_int, newtype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        give(predefined_handle(&Datatype::f90_complex(asked(p), asked(r))?), newtype)
    }

    /// `MPI_Type_match_size`.
    local fn MPI_Type_match_size(
        typeclass: c_int, size: c_int, datatype: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        give(Some(matching(typeclass, size)?), datatype)
    }

    /// `MPI_Type_get_value_index`: null if there is no such pair.
    local fn MPI_Type_get_value_index(
        value_type: MPI_Datatype, index_type: MPI_Datatype, pair_type: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let (value, index) = (lookup(value_type)?, lookup(index_type)?);
        let pair = pair(&value.datatype, &index.datatype);
        give(pair.and_then(|pair| predefined_handle(&pair)), pair_type)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_match_their_datatypes() {
        for class in [MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_REAL, MPI_TYPECLASS_COMPLEX] {
            let found = (0..64).filter_map(|size| Some((size, matching(class, size).ok()?)));
            for (size, handle) in found {
                assert_eq!(lookup(handle).unwrap().datatype.size(), size as u64);
            }
        }
        assert_eq!(matching(MPI_TYPECLASS_REAL, 5).unwrap_err().code, MPI_ERR_ARG);
        assert_eq!(matching(-1, 4).unwrap_err().code, MPI_ERR_ARG);
    }

    #[test]
    fn pairs_need_a_value_with_an_order_and_an_integer() {
        let pair = |value: Basic, index: Basic| pair(&value.into(), &index.into());
        let named = pair(Basic::Double, Basic::Int);
        assert_eq!(named.and_then(|pair| pair.as_basic()), Some(Basic::DoubleInt));
        assert!(pair(Basic::Double, Basic::Int64).is_some_and(|pair| pair.as_basic().is_none()));
        assert!(pair(Basic::Complex, Basic::Int).is_none());
        assert!(pair(Basic::Int, Basic::Double).is_none());
    }
}
