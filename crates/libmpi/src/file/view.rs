//! Views: which part of a file a rank sees, and as what. MPI 4.1 section 14.3.

use std::ffi::c_char;
use std::rc::Rc;

use foretell_mpi::FileCall;
use foretell_mpi::datatype::{Basic, Datatype, View};

use super::representation::Representation;
use super::{FileObject, hints, lookup};
use crate::abi::*;
use crate::call::{mpi, mpi_large};
use crate::datatype::width::Width;
use crate::datatype::{self, component};
use crate::failure::{Failure, Outcome, bad, ensure};
use crate::info;
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// The view that a rank has of a file.
pub(super) struct FileView {
    /// The bytes it shows, as they lie in the file.
    pub(super) bytes: View,
    etype: Datatype,
    filetype: Datatype,
    /// Bytes of an etype in the file.
    pub(super) unit: u64,
    pub(super) representation: Representation,
}

impl FileView {
    /// The view of a file that was just opened: all its bytes.
    pub(super) fn bytes() -> Self {
        let byte = Datatype::from(Basic::Byte);
        Self {
            bytes: View::new(0, byte.clone()),
            etype: byte.clone(),
            filetype: byte,
            unit: 1,
            representation: Representation::native(),
        }
    }

    fn new(
        displacement: MPI_Offset,
        (etype, filetype): (Datatype, Datatype),
        representation: Representation,
    ) -> Result<Self, Failure> {
        let unit = representation.in_file(&etype)?.size();
        let bytes = View::new(displacement, representation.in_file(&filetype)?);
        Ok(Self { bytes, etype, filetype, unit, representation })
    }

    /// The position of an offset in etypes.
    pub(super) fn position(&self, offset: MPI_Offset) -> Result<u64, Failure> {
        let offset = u64::try_from(offset).ok();
        let position = offset.and_then(|offset| offset.checked_mul(self.unit));
        match position.filter(|position| *position <= i64::MAX as u64) {
            Some(position) => Ok(position),
            None => bad(MPI_ERR_ARG, "an offset is negative, or past the end of any file"),
        }
    }

    /// The offset in etypes of a position, which may be within one.
    pub(super) fn offset(&self, position: u64) -> MPI_Offset {
        (position / self.unit) as MPI_Offset
    }

    /// The position behind the last etype of a file of so many bytes.
    pub(super) fn end(&self, size: u64) -> u64 {
        self.bytes.position(size as i64).div_ceil(self.unit) * self.unit
    }
}

/// The datatypes of a view, which have to fit together.
fn types(
    file: &FileObject,
    etype: MPI_Datatype,
    filetype: MPI_Datatype,
) -> Result<(Datatype, Datatype), Failure> {
    let is_written = !file.has_mode(MPI_MODE_RDONLY);
    let found = [(etype, "etype"), (filetype, "filetype")].map(|(handle, name)| {
        let found = datatype::committed(handle)?.datatype.clone();
        match found.check_view(is_written) {
            Ok(()) => Ok(found),
            Err(mistake) => bad(MPI_ERR_IO, format!("the {name} {mistake}")),
        }
    });
    let [etype, filetype] = found;
    let (etype, filetype) = (etype?, filetype?);
    let (unit, size) = (etype.size(), filetype.size());
    ensure(unit > 0 && size.is_multiple_of(unit), MPI_ERR_ARG, || {
        format!("a filetype of {size} bytes is no whole number of etypes of {unit} bytes")
    })?;
    Ok((etype, filetype))
}

/// Where a view begins.
fn displacement(file: &FileObject, given: MPI_Offset) -> Result<MPI_Offset, Failure> {
    let is_sequential = file.has_mode(MPI_MODE_SEQUENTIAL);
    match given {
        MPI_DISPLACEMENT_CURRENT if is_sequential => {
            let view = file.view();
            Ok(view.bytes.offset(file.opened.pointer.get()).unwrap_or(view.bytes.displacement()))
        }
        MPI_DISPLACEMENT_CURRENT => bad(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "MPI_DISPLACEMENT_CURRENT is for files opened with MPI_MODE_SEQUENTIAL",
        ),
        _ if is_sequential => bad(
            MPI_ERR_UNSUPPORTED_OPERATION,
            "the view of a file opened with MPI_MODE_SEQUENTIAL begins at MPI_DISPLACEMENT_CURRENT",
        ),
        0.. => Ok(given),
        _ => bad(MPI_ERR_ARG, format!("a displacement of {given} is negative")),
    }
}

/// `MPI_File_set_view`. All ranks hear of a mistake of one before any goes on.
fn set_view(
    here: &RankContext,
    file: &FileObject,
    (start, etype, filetype): (MPI_Offset, MPI_Datatype, MPI_Datatype),
    datarep: In<c_char>,
    info: MPI_Info,
) -> Outcome {
    let view = displacement(file, start).and_then(|start| {
        let types = types(file, etype, filetype)?;
        let name = datarep.given(1, "datarep")?.text();
        FileView::new(start, types, Representation::named(here, &name)?)
    });
    let given = info::optional(here, info)?;
    let code = view.as_ref().err().map_or(0, |failure| failure.code);
    let words = file.meet(FileCall::SetView, [code.into(), 0])?;
    let view = view?;
    if let Some(rank) = words.iter().position(|word| word[0] != 0) {
        let text = format!("rank {rank} of the file has found a mistake in its arguments");
        return bad(words[rank][0] as i32, text);
    }
    let reset = || {
        file.opened.pointer.set(0);
        Ok(0)
    };
    file.once(reset)?;
    file.position.set(0);
    file.view.replace(Rc::new(view));
    hints::update(&mut file.info.borrow_mut(), given);
    Ok(())
}

mpi! {
    /// `MPI_File_set_view`.
    timed fn MPI_File_set_view(
        fh: MPI_File, disp: MPI_Offset, etype: MPI_Datatype, filetype: MPI_Datatype,
        datarep: In<c_char>, info: MPI_Info,
    ) -> c_int on File(fh), |here| {
        set_view(here, &*lookup(fh)?, (disp, etype, filetype), datarep, info)
    }

    /// `MPI_File_get_view`.
    local fn MPI_File_get_view(
        fh: MPI_File, disp: Out<MPI_Offset>, etype: Out<MPI_Datatype>,
        filetype: Out<MPI_Datatype>, datarep: Out<c_char>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let view = lookup(fh)?.view();
        disp.given("disp")?.set(view.bytes.displacement());
        etype.given("etype")?.set(component(view.etype.clone()));
        filetype.given("filetype")?.set(component(view.filetype.clone()));
        let name = view.representation.name();
        datarep.given("datarep")?.write_text(name, MPI_MAX_DATAREP_STRING as usize);
        Ok(())
    }

    /// `MPI_File_get_byte_offset`.
    local fn MPI_File_get_byte_offset(
        fh: MPI_File, offset: MPI_Offset, disp: Out<MPI_Offset>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let file = lookup(fh)?;
        file.check_random()?;
        let view = file.view();
        let found = view.bytes.offset(view.position(offset)?);
        disp.given("disp")?.set(found.unwrap_or(view.bytes.displacement()));
        Ok(())
    }
}

mpi_large! {
    /// `MPI_File_get_type_extent`.
    local fn MPI_File_get_type_extent(
        fh: MPI_File, datatype: MPI_Datatype, extent: Out<A>,
    ) -> c_int on File(fh), |here| {
        let _ = here;
        let view = lookup(fh)?.view();
        let datatype = datatype::lookup(datatype)?.datatype.clone();
        let found = view.representation.in_file(&datatype)?.extent();
        extent.given("extent")?.set(A::told(found));
        Ok(())
    }
}
