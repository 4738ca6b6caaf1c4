//! Memory and addresses. MPI 4.1 sections 5.1.5 and 9.2.

use std::ffi::c_void;

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::info;
use crate::pointer::{In, Out};

/// The info key that asks for an alignment.
pub(crate) const ALIGNMENT: &str = "mpi_minimum_memory_alignment";
/// What memory is aligned to if nobody asks for more: a line of the cache.
const USUAL_ALIGNMENT: usize = 64;

/// The alignment that a hint asks for; a hint that makes no sense is ignored.
pub(crate) fn alignment(hint: Option<&str>) -> usize {
    let wanted = hint.and_then(|text| text.trim().parse::<usize>().ok());
    wanted
        .filter(|wanted| wanted.is_power_of_two())
        .map_or(USUAL_ALIGNMENT, |wanted| wanted.max(USUAL_ALIGNMENT))
}

/// Memory for the program, from the heap.
pub(crate) fn allocate(size: usize, alignment: usize) -> Result<usize, Failure> {
    let mut place: *mut c_void = std::ptr::null_mut();
    // SAFETY: the alignment is a power of two and a multiple of the size of a pointer. What is
    // empty gets an address of its own too.
    let code = unsafe { libc::posix_memalign(&mut place, alignment, size.max(1)) };
    match code {
        0 => Ok(place as usize),
        _ => bad(MPI_ERR_NO_MEM, format!("there is no memory for {size} bytes")),
    }
}

fn tell_address(location: In<c_void>, address: Out<MPI_Aint>) -> Outcome {
    address.given("address")?.set(location.address() as MPI_Aint);
    Ok(())
}

mpi! {
    /// `MPI_Alloc_mem`.
    local fn MPI_Alloc_mem(size: MPI_Aint, info: MPI_Info, baseptr: Out<usize>) -> c_int, |here| {
        let Ok(bytes) = usize::try_from(size) else {
            return bad(MPI_ERR_ARG, format!("a size of {size} is negative"));
        };
        let hints = info::optional(here, info)?;
        let baseptr = baseptr.given("baseptr")?;
        baseptr.set(allocate(bytes, alignment(info::find(&hints, ALIGNMENT)))?);
        Ok(())
    }

    /// `MPI_Free_mem`.
    local fn MPI_Free_mem(base: Out<c_void>) -> c_int, |here| {
        let _ = here;
        // SAFETY: the program says that this came from `MPI_Alloc_mem`; null is nothing.
        unsafe { libc::free(base.address() as *mut c_void) };
        Ok(())
    }

    /// `MPI_Get_address`.
    early fn MPI_Get_address(location: In<c_void>, address: Out<MPI_Aint>) -> c_int, |here| {
        let _ = here;
        tell_address(location, address)
    }

    /// `MPI_Address`, the old name of `MPI_Get_address`.
    early fn MPI_Address(location: In<c_void>, address: Out<MPI_Aint>) -> c_int, |here| {
        let _ = here;
        tell_address(location, address)
    }
}

/// `MPI_Aint_add`.
#[unsafe(no_mangle)]
extern "C" fn MPI_Aint_add(base: MPI_Aint, disp: MPI_Aint) -> MPI_Aint {
    base.wrapping_add(disp)
}

/// The profiling twin of `MPI_Aint_add`.
#[unsafe(no_mangle)]
extern "C" fn PMPI_Aint_add(base: MPI_Aint, disp: MPI_Aint) -> MPI_Aint {
    base.wrapping_add(disp)
}

/// `MPI_Aint_diff`.
#[unsafe(no_mangle)]
extern "C" fn MPI_Aint_diff(addr1: MPI_Aint, addr2: MPI_Aint) -> MPI_Aint {
    addr1.wrapping_sub(addr2)
}

/// The profiling twin of `MPI_Aint_diff`.
#[unsafe(no_mangle)]
extern "C" fn PMPI_Aint_diff(addr1: MPI_Aint, addr2: MPI_Aint) -> MPI_Aint {
    addr1.wrapping_sub(addr2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_only_make_alignment_stricter() {
        assert_eq!(alignment(None), 64);
        assert_eq!(alignment(Some("16")), 64);
        assert_eq!(alignment(Some("4096")), 4096);
        assert_eq!(alignment(Some("100")), 64);
        assert_eq!(alignment(Some("many")), 64);
    }
}
