//! Data representations: how data lies in a file. MPI 4.1 section 14.5.
//!
//! `native` and `internal` are the bytes of memory, `external32` is portable, and programs may
//! register others, with functions that convert.

use std::cell::RefCell;
use std::ffi::{c_char, c_int, c_void};
use std::rc::Rc;

use foretell_mpi::datatype::{Basic, Datatype};

use crate::abi::*;
use crate::buffer::Buffer;
use crate::call::mpi;
use crate::datatype::{component, release_component};
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::fortran::argument::integer;
use crate::pack;
use crate::pointer::In;
use crate::rank::RankContext;

/// The representation of a view.
#[derive(Clone)]
pub(super) struct Representation {
    name: Rc<str>,
    kind: Kind,
}

#[derive(Clone)]
enum Kind {
    Native,
    External32,
    Registered(Registered),
}

/// A representation of the program.
#[derive(Clone, Copy)]
pub(crate) struct Registered {
    pub(crate) read: Conversion,
    pub(crate) write: Conversion,
    pub(crate) extent: Extent,
    pub(crate) state: usize,
}

/// A function of the program that converts elements; none if they are as in memory.
#[derive(Clone, Copy)]
pub(crate) enum Conversion {
    Small(MPI_Datarep_conversion_function),
    Large(MPI_Datarep_conversion_function_c),
    Fortran(FortranConversion<c_int>),
    LargeFortran(FortranConversion<MPI_Count>),
}

/// A conversion in Fortran, whose count is a `T`: buffer, datatype, count, data of the file,
/// position, extra state, error code.
pub(crate) type FortranConversion<T> = Option<
    unsafe extern "C" fn(
        *mut c_void,
        *mut c_int,
        *mut T,
        *mut c_void,
        *mut MPI_Offset,
        *mut MPI_Aint,
        *mut c_int,
    ),
>;

/// A function of the program that tells extents of datatypes in the file.
#[derive(Clone, Copy)]
pub(crate) enum Extent {
    C(MPI_Datarep_extent_function),
    Fortran(FortranExtent),
}

/// The same in Fortran: datatype, extent, extra state, error code.
pub(crate) type FortranExtent =
    Option<unsafe extern "C" fn(*mut c_int, *mut MPI_Aint, *mut MPI_Aint, *mut c_int)>;

/// What a rank has registered.
pub(crate) type Datareps = RefCell<Vec<(Rc<str>, Registered)>>;

impl Representation {
    pub(super) fn native() -> Self {
        Self { name: "native".into(), kind: Kind::Native }
    }

    /// The representation of a name.
    pub(super) fn named(here: &RankContext, name: &str) -> Result<Self, Failure> {
        let kind = match name {
            "native" | "internal" => Kind::Native,
            "external32" => Kind::External32,
            _ => {
                let known = here.datareps.borrow();
                match known.iter().find(|(known, _)| **known == *name) {
                    Some((_, registered)) => Kind::Registered(*registered),
                    None => {
                        return bad(
                            MPI_ERR_UNSUPPORTED_DATAREP,
                            format!(
                                "the data representation {name:?} is not known: it is none of \
                                 native, internal and external32, nor registered"
                            ),
                        );
                    }
                }
            }
        };
        Ok(Self { name: name.into(), kind })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// A datatype as it lies in the file.
    pub(super) fn in_file(&self, datatype: &Datatype) -> Result<Datatype, Failure> {
        match self.kind {
            Kind::Native => Ok(datatype.clone()),
            Kind::External32 => {
                Ok(datatype.represented(&mut |basic| Ok(basic.external32_size() as i64))?)
            }
            Kind::Registered(registered) => registered.in_file(datatype),
        }
    }

    /// Bytes of a buffer's data in the file.
    pub(super) fn bytes(&self, buffer: &Buffer) -> Result<u64, Failure> {
        match self.kind {
            Kind::Native => Ok(buffer.bytes()),
            _ => {
                let one = self.in_file(&buffer.datatype.datatype)?;
                Ok(one.packed_size(buffer.count)?)
            }
        }
    }

    /// Whether data lies in the file as it does in memory.
    pub(super) fn is_native(&self) -> bool {
        matches!(self.kind, Kind::Native)
    }

    /// The data of a buffer as `bytes` of the file.
    pub(super) fn written(&self, buffer: &Buffer, bytes: u64) -> Result<Vec<u8>, Failure> {
        match self.kind {
            Kind::Native => Ok(buffer.pack().into()),
            Kind::External32 => Ok(pack::external::packed(buffer, bytes)),
            Kind::Registered(registered) if registered.write.is_none() => {
                same_size(buffer, bytes)?;
                Ok(buffer.pack().into())
            }
            Kind::Registered(registered) => {
                let mut data = vec![0; bytes as usize];
                registered.convert(registered.write, buffer, buffer.count, &mut data)?;
                Ok(data)
            }
        }
    }

    /// Puts data of the file into a buffer that asked for `wanted` bytes of it; gives how many
    /// bytes that is in memory.
    pub(super) fn read(
        &self,
        buffer: &Buffer,
        data: &mut [u8],
        wanted: u64,
    ) -> Result<u64, Failure> {
        match self.kind {
            Kind::Native => buffer.unpack(data),
            Kind::External32 => return Ok(pack::external::unpack_some(buffer, data)),
            Kind::Registered(registered) if registered.read.is_none() => {
                same_size(buffer, wanted)?;
                buffer.unpack(data);
            }
            Kind::Registered(registered) => {
                // What ends within an element cannot be converted.
                let one = wanted.checked_div(buffer.count as u64).unwrap_or(0);
                let count = (data.len() as u64).checked_div(one).unwrap_or(0);
                registered.convert(registered.read, buffer, count as i64, data)?;
                return Ok(count * buffer.datatype.datatype.size());
            }
        }
        Ok(data.len() as u64)
    }
}

/// That data without a conversion has the size that the program says it has.
fn same_size(buffer: &Buffer, bytes: u64) -> Outcome {
    ensure(buffer.bytes() == bytes, MPI_ERR_CONVERSION, || {
        let native = buffer.bytes();
        format!("{native} bytes of memory are {bytes} bytes of the file, but nothing converts them")
    })
}

impl Conversion {
    fn is_none(self) -> bool {
        match self {
            Conversion::Small(function) => function.is_none(),
            Conversion::Large(function) => function.is_none(),
            Conversion::Fortran(function) => function.is_none(),
            Conversion::LargeFortran(function) => function.is_none(),
        }
    }
}

impl Extent {
    fn is_none(self) -> bool {
        match self {
            Extent::C(function) => function.is_none(),
            Extent::Fortran(function) => function.is_none(),
        }
    }
}

/// Calls a conversion in Fortran, which gets the addresses of all arguments.
///
/// # Safety
///
/// There is room for so many elements on both sides.
unsafe fn convert_in_fortran<T>(
    function: FortranConversion<T>,
    (memory, file): (*mut c_void, *mut c_void),
    handle: MPI_Datatype,
    (mut count, state): (T, usize),
) -> c_int {
    let (mut datatype, mut position) = (integer(handle), 0);
    let (mut state, mut code) = (state as MPI_Aint, MPI_SUCCESS);
    if let Some(f) = function {
        // SAFETY: a function of the program, called as MPI says, with nothing of ours borrowed.
        unsafe { f(memory, &mut datatype, &mut count, file, &mut position, &mut state, &mut code) };
    }
    code
}

impl Registered {
    /// A datatype as it lies in the file: the program tells the extents of predefined ones.
    fn in_file(&self, datatype: &Datatype) -> Result<Datatype, Failure> {
        let mut told = Ok(());
        let made = datatype.represented(&mut |basic| match self.extent(basic) {
            Ok(extent) => Ok(extent),
            Err(failure) => {
                told = Err(failure);
                Ok(0)
            }
        });
        told?;
        Ok(made?)
    }

    /// The extent of a predefined datatype in the file.
    fn extent(&self, basic: Basic) -> Result<i64, Failure> {
        let handle = component(basic.into());
        let mut extent: MPI_Aint = 0;
        // SAFETY: a function of the program, called as MPI says, with nothing of ours borrowed.
        let code = unsafe {
            match self.extent {
                Extent::C(Some(f)) => f(handle, &mut extent, self.state as *mut c_void),
                Extent::Fortran(Some(f)) => {
                    let (mut datatype, mut state) = (integer(handle), self.state as MPI_Aint);
                    let mut code = MPI_SUCCESS;
                    f(&mut datatype, &mut extent, &mut state, &mut code);
                    code
                }
                _ => MPI_SUCCESS,
            }
        };
        match (code, extent) {
            (MPI_SUCCESS, 0..) => Ok(extent as i64),
            (MPI_SUCCESS, _) => bad(
                MPI_ERR_CONVERSION,
                format!("the extent function of the program gives {extent} for {}", basic.name()),
            ),
            (code, _) => {
                bad(MPI_ERR_CONVERSION, format!("the extent function of the program gave {code}"))
            }
        }
    }

    /// Lets the program convert so many elements between a buffer and data of the file.
    fn convert(
        &self,
        conversion: Conversion,
        buffer: &Buffer,
        count: i64,
        data: &mut [u8],
    ) -> Outcome {
        let handle = component(buffer.datatype.datatype.clone());
        let (memory, file) = (buffer.address as *mut c_void, data.as_mut_ptr().cast());
        let state = self.state as *mut c_void;
        // SAFETY: as above; there is room for so many elements on both sides.
        let code = unsafe {
            match conversion {
                Conversion::Small(Some(f)) => match c_int::try_from(count) {
                    Ok(count) => f(memory, handle, count, file, 0, state),
                    Err(_) => MPI_ERR_COUNT,
                },
                Conversion::Large(Some(f)) => f(memory, handle, count, file, 0, state),
                Conversion::Fortran(function) => match c_int::try_from(count) {
                    Ok(count) => {
                        let with = (count, self.state);
                        convert_in_fortran(function, (memory, file), handle, with)
                    }
                    Err(_) => MPI_ERR_COUNT,
                },
                Conversion::LargeFortran(function) => {
                    let with = (count, self.state);
                    convert_in_fortran(function, (memory, file), handle, with)
                }
                _ => MPI_SUCCESS,
            }
        };
        release_component(handle);
        ensure(code == MPI_SUCCESS, MPI_ERR_CONVERSION, || {
            format!("the conversion function of the program gave {code}")
        })
    }
}

/// Keeps a representation of the program.
pub(crate) fn register(here: &RankContext, name: &str, registered: Registered) -> Outcome {
    let most = MPI_MAX_DATAREP_STRING as usize;
    ensure(!name.is_empty() && name.len() < most, MPI_ERR_ARG, || {
        format!("a name of {} bytes; names have from 1 to {}", name.len(), most - 1)
    })?;
    ensure(!registered.extent.is_none(), MPI_ERR_ARG, || {
        "the function that tells extents is a null pointer".into()
    })?;
    ensure(Representation::named(here, name).is_err(), MPI_ERR_DUP_DATAREP, || {
        format!("the data representation {name:?} is there already")
    })?;
    here.datareps.borrow_mut().push((name.into(), registered));
    Ok(())
}

mpi! {
    /// `MPI_Register_datarep`.
    local fn MPI_Register_datarep(
        datarep: In<c_char>, read_conversion_fn: MPI_Datarep_conversion_function,
        write_conversion_fn: MPI_Datarep_conversion_function,
        dtype_file_extent_fn: MPI_Datarep_extent_function, extra_state: usize,
    ) -> c_int on File(MPI_FILE_NULL), |here| {
        let (read, write) = (read_conversion_fn, write_conversion_fn);
        let (read, write) = (Conversion::Small(read), Conversion::Small(write));
        let extent = Extent::C(dtype_file_extent_fn);
        let name = datarep.given(1, "datarep")?.text();
        register(here, &name, Registered { read, write, extent, state: extra_state })
    }

    /// `MPI_Register_datarep_c`.
    local fn MPI_Register_datarep_c(
        datarep: In<c_char>, read_conversion_fn: MPI_Datarep_conversion_function_c,
        write_conversion_fn: MPI_Datarep_conversion_function_c,
        dtype_file_extent_fn: MPI_Datarep_extent_function, extra_state: usize,
    ) -> c_int on File(MPI_FILE_NULL), |here| {
        let (read, write) = (read_conversion_fn, write_conversion_fn);
        let (read, write) = (Conversion::Large(read), Conversion::Large(write));
        let extent = Extent::C(dtype_file_extent_fn);
        let name = datarep.given(1, "datarep")?.text();
        register(here, &name, Registered { read, write, extent, state: extra_state })
    }
}
