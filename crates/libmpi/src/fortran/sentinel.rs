//! Variables of which only the addresses matter: `MPI_BOTTOM`, `MPI_STATUS_IGNORE` and others.
//!
//! In Fortran they are members of a common block, and so part of the program: each rank has its
//! own. Their order is that of `mpif.h`, which `cargo xtask fortran` writes.

use crate::abi::*;
use crate::rank::RankContext;

/// Bytes before each variable of the block.
mod place {
    pub(super) const BOTTOM: usize = 0;
    pub(super) const IN_PLACE: usize = 4;
    pub(super) const BUFFER_AUTOMATIC: usize = 8;
    pub(super) const UNWEIGHTED: usize = 16;
    pub(super) const WEIGHTS_EMPTY: usize = 20;
    pub(super) const STATUS_IGNORE: usize = 24;
    pub(super) const STATUSES_IGNORE: usize = 56;
    /// The length of the block, which ends with something unused.
    pub(super) const END: usize = 96;
}

/// The library's own block. It is here so that the linker exports the program's, by which this
/// code finds it; programs use it only if they are not linked as executables are.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
static foretell_mpi_: Block = Block([0; place::END]);

/// Memory of a common block, which gfortran aligns like this.
#[repr(C, align(32))]
struct Block([u8; place::END]);

/// Where an address lies in the block of the rank that runs; far outside for any other address.
fn place_of(address: usize) -> usize {
    let Some(here) = RankContext::current() else { return usize::MAX };
    let mut block = here.sentinels.get();
    if block == 0 {
        block =
            foretell_ranks::symbol(c"foretell_mpi_").unwrap_or(&raw const foretell_mpi_ as usize);
        here.sentinels.set(block);
    }
    address.wrapping_sub(block)
}

/// Whether an address may be that of one of the variables; yes as long as nobody has asked where
/// the rank has them. Looks at nothing else, so that any thread may ask.
pub(crate) fn is_special_address(here: &RankContext, address: usize) -> bool {
    let block = here.sentinels.get();
    block == 0 || address.wrapping_sub(block) < place::END
}

/// A buffer as C knows it.
pub(super) fn buffer(address: usize) -> usize {
    match place_of(address) {
        place::BOTTOM => MPI_BOTTOM,
        place::IN_PLACE => MPI_IN_PLACE,
        place::BUFFER_AUTOMATIC => MPI_BUFFER_AUTOMATIC,
        _ => address,
    }
}

/// Weights as C knows them.
pub(super) fn weights(address: usize) -> usize {
    match place_of(address) {
        place::UNWEIGHTED => MPI_UNWEIGHTED,
        place::WEIGHTS_EMPTY => MPI_WEIGHTS_EMPTY,
        _ => address,
    }
}

/// Whether a status is one that the program does not want.
pub(super) fn is_ignored(address: usize) -> bool {
    matches!(place_of(address), place::STATUS_IGNORE | place::STATUSES_IGNORE)
}
