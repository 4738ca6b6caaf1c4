//! How Fortran's entry points are defined.

/// Defines entry points, one for each row: the C function, the name in Fortran, and what each
/// argument is; behind a semicolon, the hidden lengths of texts.
///
/// The first word tells which dialects know the function: `both`, the `old` one of `mpif.h` and
/// the module `mpi`, the `new` one of `mpi_f08`, or `mpi_f08` with buffers that are `described`.
macro_rules! fortran {
    (both $($c:ident $f:ident($($arguments:tt)*);)*) => {
        $($crate::fortran::call::entry! { $c ["_" "_f08_"] $f($($arguments)*) })*
    };
    (old $($c:ident $f:ident($($arguments:tt)*);)*) => {
        $($crate::fortran::call::entry! { $c ["_"] $f($($arguments)*) })*
    };
    (new $($c:ident $f:ident($($arguments:tt)*);)*) => {
        $($crate::fortran::call::entry! { $c ["_f08_"] $f($($arguments)*) })*
    };
    (described $($c:ident $f:ident($($arguments:tt)*);)*) => {
        $($crate::fortran::call::entry! { $c ["_f08ts_"] $f($($arguments)*) })*
    };
}

/// One entry point: arguments are taken, the C function is called, arguments are given back.
macro_rules! entry {
    (
        $c:ident [$($suffix:literal)*] $f:ident(
            $($arg:ident: $kind:ty $([$with:expr])?),* $(; $($hidden:ident),+)?
        )
    ) => {
        const _: () = {
            #[allow(unused_imports)]
            use $crate::fortran::argument::Argument;

            type C = unsafe extern "C" fn($(<$kind as Argument>::C),*) -> std::ffi::c_int;

            unsafe extern "C" {
                #[link_name = concat!("foretell_", stringify!($c))]
                fn ours($($arg: <$kind as Argument>::C),*) -> std::ffi::c_int;
            }

            static TARGET: $crate::fortran::tool::Target =
                $crate::fortran::tool::Target::new(concat!(stringify!($c), "\0"));

            #[allow(unused_mut, clippy::too_many_arguments)]
            extern "C" fn inner(
                $($arg: <$kind as Argument>::Raw,)*
                ierror: *mut std::ffi::c_int
                $($(, $hidden: usize)+)?
            ) {
                // Arguments may need to look at others as Fortran passed them, so all are taken
                // before any name changes its meaning.
                let ($(mut $arg,)*) =
                    ($(<$kind as Argument>::take($arg, $crate::fortran::call::with!($($with)?)),)*);
                let code = match false $(|| $arg.is_refused())* {
                    true => $crate::fortran::call::refuse(stringify!($c)),
                    // SAFETY: the C function, or that of a tool with its name, is given what it
                    // asks for, if the caller keeps its promises to MPI.
                    false => unsafe {
                        match TARGET.replaced() {
                            None => ours($($arg.c()),*),
                            Some(tool) => std::mem::transmute::<usize, C>(tool)($($arg.c()),*),
                        }
                    },
                };
                $($arg.give_back(code);)*
                $crate::fortran::call::tell(ierror, code);
            }

            $crate::fortran::call::names! { inner $f [$($suffix)*] }
        };
    };
}

/// What an argument needs besides itself: a length, or something of another argument.
macro_rules! with {
    () => {
        0
    };
    ($with:expr) => {
        $with
    };
}

/// Exports a function under its names in Fortran, each with its twin; the place of the caller is
/// noted on the way, and whether it is the twin.
macro_rules! names {
    ($inner:ident $f:ident [$($suffix:literal)*]) => {
        $(
            $crate::fortran::call::names! { @one $inner concat!(stringify!($f), $suffix), 0 }
            $crate::fortran::call::names! { @one $inner concat!("p", stringify!($f), $suffix), 1 }
        )*
    };
    (@one $inner:ident $name:expr, $is_twin:literal) => {
        const _: () = {
            #[unsafe(naked)]
            #[unsafe(export_name = $name)]
            extern "C" fn outer() {
                std::arch::naked_asm!(
                    "mov rax, [rsp]",
                    "mov [rip + {caller}], rax",
                    "mov byte ptr [rip + {is_twin}], {value}",
                    "jmp {inner}",
                    caller = sym $crate::call::CALLER,
                    is_twin = sym $crate::fortran::tool::BY_TWIN,
                    value = const $is_twin,
                    inner = sym $inner,
                )
            }
        };
    };
}

pub(crate) use {entry, fortran, names, with};

use std::ffi::c_int;

use crate::abi::MPI_ERR_BUFFER;
use crate::errhandler;
use crate::failure::{Failure, OnError};

/// An error: an array section was given where only whole arrays can be.
#[cold]
pub(crate) fn refuse(name: &'static str) -> c_int {
    let text = "an array section whose elements lie apart is used after the call returns, and no \
                datatype describes it: copy it to an array of its own";
    errhandler::raise(name, OnError::Process, Failure::new(MPI_ERR_BUFFER, text))
}

/// Hands the error code to the program, which may have left the argument out in `mpi_f08`.
pub(crate) fn tell(ierror: *mut c_int, code: c_int) {
    if !ierror.is_null() {
        // SAFETY: the caller's place for the error code.
        unsafe { ierror.write(code) };
    }
}
