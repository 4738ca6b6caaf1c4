//! Taking datatypes apart. MPI 4.1 section 5.1.13.

use std::ffi::c_int;

use foretell_mpi::datatype::{Argument, Combiner, Contents, Datatype, Distribution, Order};

use super::kinds::predefined_handle;
use super::{TypeObject, lookup};
use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::objects::objects;
use crate::pointer::Out;

fn combiner(combiner: Combiner) -> c_int {
    match combiner {
        Combiner::Named => MPI_COMBINER_NAMED,
        Combiner::Dup => MPI_COMBINER_DUP,
        Combiner::Contiguous => MPI_COMBINER_CONTIGUOUS,
        Combiner::Vector => MPI_COMBINER_VECTOR,
        Combiner::Hvector => MPI_COMBINER_HVECTOR,
        Combiner::Indexed => MPI_COMBINER_INDEXED,
        Combiner::Hindexed => MPI_COMBINER_HINDEXED,
        Combiner::IndexedBlock => MPI_COMBINER_INDEXED_BLOCK,
        Combiner::HindexedBlock => MPI_COMBINER_HINDEXED_BLOCK,
        Combiner::Struct => MPI_COMBINER_STRUCT,
        Combiner::Subarray => MPI_COMBINER_SUBARRAY,
        Combiner::Darray => MPI_COMBINER_DARRAY,
        Combiner::Resized => MPI_COMBINER_RESIZED,
        Combiner::F90Real => MPI_COMBINER_F90_REAL,
        Combiner::F90Complex => MPI_COMBINER_F90_COMPLEX,
        Combiner::F90Integer => MPI_COMBINER_F90_INTEGER,
        Combiner::ValueIndex => MPI_COMBINER_VALUE_INDEX,
    }
}

/// An argument of type `int`, which held it when the datatype was made.
fn integer(argument: Argument) -> c_int {
    match argument {
        Argument::Number(number) => number as c_int,
        Argument::Order(Order::C) => MPI_ORDER_C,
        Argument::Order(Order::Fortran) => MPI_ORDER_FORTRAN,
        Argument::Distribution(Distribution::None) => MPI_DISTRIBUTE_NONE,
        Argument::Distribution(Distribution::Block) => MPI_DISTRIBUTE_BLOCK,
        Argument::Distribution(Distribution::Cyclic) => MPI_DISTRIBUTE_CYCLIC,
        Argument::DefaultArgument => MPI_DISTRIBUTE_DFLT_DARG,
        Argument::Undefined => MPI_UNDEFINED,
    }
}

/// The handle of a datatype that another was made of: its own if it is predefined, a new one
/// otherwise. Whether the new one is committed is left open by MPI.
pub(crate) fn component(datatype: Datatype) -> MPI_Datatype {
    predefined_handle(&datatype).unwrap_or_else(|| {
        let object = TypeObject::new(datatype);
        object.is_committed.set(true);
        object.keep()
    })
}

/// Takes a handle of [`component`] back that the program was only lent.
pub(crate) fn release_component(handle: MPI_Datatype) {
    if lookup(handle).is_ok_and(|found| !found.is_predefined) {
        let freed = objects().types.borrow_mut().remove(handle);
        drop(freed);
    }
}

/// The arguments of a datatype for a function that knows no large counts.
fn small(datatype: &Datatype) -> Result<Contents, Failure> {
    if datatype.has_large_counts() {
        return bad(
            MPI_ERR_TYPE,
            "the datatype was made by a function that ends in _c, and so is the one that can take \
             it apart",
        );
    }
    Ok(datatype.contents())
}

/// That a datatype has arguments, and that there is room for them.
fn check(datatype: &Datatype, rooms: &[(i64, usize, &str)]) -> Outcome {
    if datatype.as_basic().is_some() {
        return bad(MPI_ERR_TYPE, "a predefined datatype has no contents");
    }
    rooms.iter().try_for_each(|(room, needed, what)| {
        ensure(*room >= *needed as i64, MPI_ERR_ARG, || {
            format!("there is room for {room} {what}, but the datatype has {needed}")
        })
    })
}

/// Writes a list into an array of the program.
fn write<T: Copy>(values: impl IntoIterator<Item = T>, place: Out<T>) {
    values.into_iter().enumerate().for_each(|(at, value)| place.set_at(at, value));
}

mpi! {
    /// `MPI_Type_get_envelope`.
    local fn MPI_Type_get_envelope(
        datatype: MPI_Datatype, num_integers: Out<c_int>, num_addresses: Out<c_int>,
        num_datatypes: Out<c_int>, combiner: Out<c_int>,
    ) -> c_int, |here| {
        let _ = here;
        let found = lookup(datatype)?;
        let contents = small(&found.datatype)?;
        num_integers.given("num_integers")?.set(contents.integers.len() as c_int);
        num_addresses.given("num_addresses")?.set(contents.addresses.len() as c_int);
        num_datatypes.given("num_datatypes")?.set(contents.datatypes.len() as c_int);
        combiner.given("combiner")?.set(self::combiner(found.datatype.combiner()));
        Ok(())
    }

    /// `MPI_Type_get_envelope_c`.
    local fn MPI_Type_get_envelope_c(
        datatype: MPI_Datatype, num_integers: Out<MPI_Count>, num_addresses: Out<MPI_Count>,
        num_large_counts: Out<MPI_Count>, num_datatypes: Out<MPI_Count>, combiner: Out<c_int>,
    ) -> c_int, |here| {
        let _ = here;
        let found = lookup(datatype)?;
        let contents = found.datatype.contents();
        num_integers.given("num_integers")?.set(contents.integers.len() as MPI_Count);
        num_addresses.given("num_addresses")?.set(contents.addresses.len() as MPI_Count);
        num_large_counts.given("num_large_counts")?.set(contents.large_counts.len() as MPI_Count);
        num_datatypes.given("num_datatypes")?.set(contents.datatypes.len() as MPI_Count);
        combiner.given("combiner")?.set(self::combiner(found.datatype.combiner()));
        Ok(())
    }

    /// `MPI_Type_get_contents`.
    local fn MPI_Type_get_contents(
        datatype: MPI_Datatype, max_integers: c_int, max_addresses: c_int, max_datatypes: c_int,
        integers: Out<c_int>, addresses: Out<MPI_Aint>, datatypes: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let found = lookup(datatype)?;
        let contents = small(&found.datatype)?;
        check(&found.datatype, &[
            (i64::from(max_integers), contents.integers.len(), "integers"),
            (i64::from(max_addresses), contents.addresses.len(), "addresses"),
            (i64::from(max_datatypes), contents.datatypes.len(), "datatypes"),
        ])?;
        write(contents.integers.into_iter().map(integer), integers);
        write(contents.addresses.into_iter().map(|address| address as MPI_Aint), addresses);
        write(contents.datatypes.into_iter().map(component), datatypes);
        Ok(())
    }

    /// `MPI_Type_get_contents_c`.
    local fn MPI_Type_get_contents_c(
        datatype: MPI_Datatype, max_integers: MPI_Count, max_addresses: MPI_Count,
        max_large_counts: MPI_Count, max_datatypes: MPI_Count, integers: Out<c_int>,
        addresses: Out<MPI_Aint>, large_counts: Out<MPI_Count>, datatypes: Out<MPI_Datatype>,
    ) -> c_int, |here| {
        let _ = here;
        let found = lookup(datatype)?;
        let contents = found.datatype.contents();
        check(&found.datatype, &[
            (max_integers, contents.integers.len(), "integers"),
            (max_addresses, contents.addresses.len(), "addresses"),
            (max_large_counts, contents.large_counts.len(), "large counts"),
            (max_datatypes, contents.datatypes.len(), "datatypes"),
        ])?;
        write(contents.integers.into_iter().map(integer), integers);
        write(contents.addresses.into_iter().map(|address| address as MPI_Aint), addresses);
        write(contents.large_counts, large_counts);
        write(contents.datatypes.into_iter().map(component), datatypes);
        Ok(())
    }
}
