//! Reduction operations as programs hold them. MPI 4.1 section 6.9.
//!
//! A reduction runs on packed data: [`operation`] makes, of an operation and a datatype, what
//! `foretell_mpi` combines bytes with. A predefined operation is a loop over numbers
//! (`predefined.rs`), one of the program is a call of its function (`user.rs`).

mod complex;
mod extended;
mod half;
mod number;
mod pair;
mod predefined;
mod quad;
mod user;

use std::ffi::{c_int, c_void};
use std::rc::Rc;

use foretell_mpi::Op;
use foretell_mpi::datatype::{Basic, Datatype, Recipe};

use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::{mpi, mpi_large};
use crate::check::{self, Sort};
use crate::datatype::{self, TypeObject};
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

use predefined::Apply;
use user::Function;

/// An operation of the program.
#[derive(Debug)]
pub(crate) struct OpObject {
    function: Function,
    is_commutative: bool,
}

/// An operation of either sort.
enum Found {
    /// Predefined, by its handle.
    Predefined(MPI_Op),
    /// The program's.
    Own(Rc<OpObject>),
}

/// The operation of a handle.
fn find(handle: MPI_Op) -> Result<Found, Failure> {
    if PREDEFINED_OPS.iter().any(|(predefined, _)| *predefined == handle) {
        return Ok(Found::Predefined(handle));
    }
    match objects().ops.borrow().get(handle) {
        Some(object) => Ok(Found::Own(object.clone())),
        None => Err(no_such(MPI_ERR_OP, "operation", handle)),
    }
}

/// An operation on elements of a datatype, for the collectives of one rank.
///
/// It stays usable when the program frees the operation or the datatype meanwhile.
pub(crate) fn operation(
    here: &'static RankContext,
    op: MPI_Op,
    handle: MPI_Datatype,
    datatype: &Rc<TypeObject>,
) -> Result<Op, Failure> {
    let element = datatype.datatype.size() as usize;
    match find(op)? {
        Found::Predefined(op) => Ok(Op::new(name(op), element, on(op, &datatype.datatype)?)),
        Found::Own(own) => {
            let make = if own.is_commutative { Op::new } else { Op::ordered };
            let apply = user::on_packed(here, own.function, handle, datatype.clone());
            Ok(make("user", element, apply).of_user())
        }
    }
}

/// How a predefined operation combines packed elements of a datatype.
pub(crate) fn on(op: MPI_Op, datatype: &Datatype) -> Result<Apply, Failure> {
    let found = match basic(datatype) {
        Some(Parts::One(basic)) => predefined::apply(op, basic),
        Some(Parts::Pair(value, index)) => pair::apply(op, value, index),
        None => {
            let text = "is for predefined datatypes only; make an operation for this one by \
                        MPI_Op_create";
            return bad(MPI_ERR_OP, format!("{} {text}", name(op)));
        }
    };
    found.ok_or_else(|| {
        let what = datatype.as_basic().map_or("this datatype", |basic| basic.name());
        Failure::new(MPI_ERR_OP, format!("{} is not defined for {what}", name(op)))
    })
}

/// What a datatype is made of that predefined operations work on.
enum Parts {
    One(Basic),
    /// A pair of value and index without a name of its own.
    Pair(Basic, Basic),
}

fn basic(datatype: &Datatype) -> Option<Parts> {
    match datatype.recipe() {
        Recipe::Named(basic) => Some(Parts::One(*basic)),
        Recipe::F90Real(_) | Recipe::F90Complex(_) | Recipe::F90Integer(_) => {
            let is_same = |basic: &Basic| {
                basic.size() == datatype.size()
                    && Datatype::from(*basic).signature(1) == datatype.signature(1)
            };
            Basic::ALL.iter().copied().find(is_same).map(Parts::One)
        }
        Recipe::ValueIndex { value, index } => {
            Some(Parts::Pair(value.as_basic()?, index.as_basic()?))
        }
        _ => None,
    }
}

/// The name of a predefined operation.
fn name(op: MPI_Op) -> &'static str {
    PREDEFINED_OPS.iter().find(|(handle, _)| *handle == op).map_or("MPI_OP_NULL", |(_, name)| name)
}

fn create(function: Function, commute: c_int, op: Out<MPI_Op>) -> Outcome {
    let object = OpObject { function, is_commutative: commute != 0 };
    let handle = objects().ops.borrow_mut().insert(Rc::new(object));
    op.set(check::note(Sort::Op, handle));
    Ok(())
}

mpi! {
    /// `MPI_Op_create`.
    local fn MPI_Op_create(
        user_fn: MPI_User_function, commute: c_int, op: Out<MPI_Op>,
    ) -> c_int, |here| {
        let _ = here;
        match user_fn {
            Some(function) => create(Function::Int(function), commute, op),
            None => bad(MPI_ERR_ARG, "an operation needs a function"),
        }
    }

    /// `MPI_Op_create_c`.
    local fn MPI_Op_create_c(
        user_fn: MPI_User_function_c, commute: c_int, op: Out<MPI_Op>,
    ) -> c_int, |here| {
        let _ = here;
        match user_fn {
            Some(function) => create(Function::Large(function), commute, op),
            None => bad(MPI_ERR_ARG, "an operation needs a function"),
        }
    }

    /// `MPI_Op_free`.
    local fn MPI_Op_free(op: Out<MPI_Op>) -> c_int, |here| {
        let _ = here;
        let handle = op.get();
        if let Found::Predefined(predefined) = find(handle)? {
            return bad(MPI_ERR_OP, format!("{} is predefined and stays", name(predefined)));
        }
        objects().ops.borrow_mut().remove(handle);
        op.set(MPI_OP_NULL);
        Ok(())
    }

    /// `MPI_Op_commutative`.
    local fn MPI_Op_commutative(op: MPI_Op, commute: Out<c_int>) -> c_int, |here| {
        let _ = here;
        let is_commutative = match find(op)? {
            Found::Predefined(op) => !matches!(op, MPI_REPLACE | MPI_NO_OP),
            Found::Own(own) => own.is_commutative,
        };
        commute.set(c_int::from(is_commutative));
        Ok(())
    }
}

mpi_large! {
    /// `MPI_Reduce_local`.
    local fn MPI_Reduce_local(
        inbuf: In<c_void>, inoutbuf: Out<c_void>, count: C, datatype: MPI_Datatype, op: MPI_Op,
    ) -> c_int, |here| {
        reduce_local(here, (inbuf.address(), inoutbuf.address()), i64::from(count), datatype, op)
    }
}

fn reduce_local(
    here: &'static RankContext,
    (left, right): (usize, usize),
    count: i64,
    handle: MPI_Datatype,
    op: MPI_Op,
) -> Outcome {
    let found = find(op)?;
    let right = Buffer::new(right, count, handle)?;
    let left = Buffer::new(left, count, handle)?;
    let is_named = |address: usize| address == MPI_IN_PLACE;
    ensure(!is_named(left.address) && !is_named(right.address), MPI_ERR_BUFFER, || {
        "MPI_IN_PLACE means nothing to MPI_Reduce_local".into()
    })?;
    ensure(left.bytes() == 0 || left.address != right.address, MPI_ERR_BUFFER, || {
        "the two buffers are the same".into()
    })?;
    match found {
        Found::Predefined(op) => {
            let apply = on(op, &right.datatype.datatype)?;
            let mut combined = right.pack();
            apply(&left.pack(), &mut combined);
            right.unpack(&combined);
        }
        Found::Own(own) => {
            let places = (left.address, right.address);
            user::call(here, own.function, places, count, (handle, &right.datatype));
        }
    }
    Ok(())
}

/// The datatype of a handle that an operation was given, or a new handle of it if that one is
/// worth nothing any more.
fn with_handle<R>(
    handle: MPI_Datatype,
    datatype: &Rc<TypeObject>,
    f: impl FnOnce(MPI_Datatype) -> R,
) -> R {
    if datatype::lookup(handle).is_ok() {
        return f(handle);
    }
    let borrowed = objects().types.borrow_mut().insert(datatype.clone());
    let result = f(borrowed);
    objects().types.borrow_mut().remove(borrowed);
    result
}
