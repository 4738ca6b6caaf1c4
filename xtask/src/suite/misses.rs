//! Tests of the suite that do not pass, and why. The book's page "Conformance" tells the same.

use super::list::Test;

const INTEGER_HANDLES: &str = "keeps handles in an int; those of the standard ABI are pointers";
const VERSION: &str = "expects version 4 at most; ours is 5";
const LB: &str = "asks for MPI_LB, which MPI-3 removed and the standard ABI does not have";
const FAULTS: &str = "goes on after a rank has died, and MPICH does not pass it either";

/// Directory and program, and why it fails.
const MISSES: &[(&str, &str)] = &[
    ("coll/nonblocking2", INTEGER_HANDLES),
    ("coll/nonblocking3", INTEGER_HANDLES),
    ("datatype/pack_external", "a switch over datatypes; those of the standard ABI are pointers"),
    ("datatype/typename", "asks for MPI_INTEGER16, which gfortran does not have here"),
    ("datatype/indexed_misc", "uses a datatype that it has freed"),
    ("errhan/adderr", "calls MPIX_Delete_error_class, which only MPICH has"),
    ("errors/pt2pt/errinstatws", "two messages must arrive before a third that was sent later"),
    ("errors/spawn/connect_timeout_no_accept", "waits for a connection that nobody accepts"),
    ("errors/faults/pt2ptf1", FAULTS),
    ("errors/faults/pt2ptf2", FAULTS),
    ("errors/faults/collf1", FAULTS),
    ("errors/faults/collf2", FAULTS),
    ("init/timeout", "computes for five minutes to be stopped; simulated time passes at once"),
    ("part/multipart", "reads the error field of statuses that only an error would set"),
    ("mpi_t/qmpi_test", "uses QMPI, which only MPICH has"),
    ("f77/init/baseenvf", VERSION),
    ("f90/init/baseenvf90", VERSION),
    ("f08/init/baseenvf90", VERSION),
    ("f77/datatype/allctypesf", LB),
    ("f90/datatype/allctypesf90", LB),
    ("f08/datatype/allctypesf08", LB),
    (
        "f90/profile/profile1f90",
        "defines MPI_SEND in a file that uses the module with its interface",
    ),
    ("f08/io/c2f2ciof90", "does not compile, with MPICH either"),
];

/// Why a test does not pass, if it is known not to.
pub(super) fn reason(test: &Test) -> Option<&'static str> {
    let title = format!("{}/{}", test.directory, test.program);
    MISSES.iter().find(|(name, _)| *name == title).map(|(_, why)| *why)
}
