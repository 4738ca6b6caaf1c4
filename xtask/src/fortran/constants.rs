//! Constants and predefined handles, in the three dialects.

use std::fmt::Write;

use anyhow::{Context, Result};

/// A constant of MPI.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Constant {
    name: String,
    value: i64,
    /// The kind of handle, if it is one.
    sort: Option<String>,
}

/// Constants that are no numbers in Fortran, or are other numbers than those written.
const SPECIAL: [&str; 1] = ["MPI_DISPLACEMENT_CURRENT"];

/// Integers of the blocks in which addresses with a meaning lie, with their shapes; the library
/// knows them by their place in `src/fortran/sentinel.rs`.
const SENTINELS: [(&str, &str); 9] = [
    ("MPI_BOTTOM", ""),
    ("MPI_IN_PLACE", ""),
    ("MPI_BUFFER_AUTOMATIC", ""),
    ("MPI_ERRCODES_IGNORE", "(1)"),
    ("MPI_UNWEIGHTED", "(1)"),
    ("MPI_WEIGHTS_EMPTY", "(1)"),
    ("MPI_STATUS_IGNORE", "(MPI_STATUS_SIZE)"),
    ("MPI_STATUSES_IGNORE", "(MPI_STATUS_SIZE,1)"),
    // Fills the block to the length that the library's own has for its alignment.
    ("MPI_FORETELL_UNUSED", "(2)"),
];
const TEXTS: [(&str, &str); 2] = [("MPI_ARGV_NULL", "(1)"), ("MPI_ARGVS_NULL", "(1,1)")];

/// Numbers that only Fortran has, or has otherwise.
const OWN: [(&str, &str); 15] = [
    ("MPI_VERSION", "5"),
    ("MPI_SUBVERSION", "0"),
    ("MPI_ABI_VERSION", "1"),
    ("MPI_ABI_SUBVERSION", "0"),
    ("MPI_ADDRESS_KIND", "8"),
    ("MPI_COUNT_KIND", "8"),
    ("MPI_OFFSET_KIND", "8"),
    ("MPI_INTEGER_KIND", "4"),
    ("MPI_STATUS_SIZE", "8"),
    ("MPI_SOURCE", "1"),
    ("MPI_TAG", "2"),
    ("MPI_ERROR", "3"),
    // Of datatypes that were made with integers for addresses; nothing answers so any more.
    ("MPI_COMBINER_HVECTOR_INTEGER", "118"),
    ("MPI_COMBINER_HINDEXED_INTEGER", "119"),
    ("MPI_COMBINER_STRUCT_INTEGER", "120"),
];

/// Callbacks that the library has for attributes and files.
const CALLBACKS: [&str; 13] = [
    "MPI_NULL_COPY_FN",
    "MPI_NULL_DELETE_FN",
    "MPI_DUP_FN",
    "MPI_COMM_NULL_COPY_FN",
    "MPI_COMM_NULL_DELETE_FN",
    "MPI_COMM_DUP_FN",
    "MPI_TYPE_NULL_COPY_FN",
    "MPI_TYPE_NULL_DELETE_FN",
    "MPI_TYPE_DUP_FN",
    "MPI_WIN_NULL_COPY_FN",
    "MPI_WIN_NULL_DELETE_FN",
    "MPI_WIN_DUP_FN",
    "MPI_CONVERSION_FN_NULL",
];

/// Reads the constants of the two headers that define them.
pub(super) fn read(handles: &str, constants: &str) -> Result<Vec<Constant>> {
    let mut all: Vec<Constant> = Vec::new();
    for line in handles.lines().chain(constants.lines()) {
        let mut words = line.splitn(3, ' ');
        let (Some("#define"), Some(name), Some(value)) = (words.next(), words.next(), words.next())
        else {
            continue;
        };
        let skipped = ["MPI_T_", "MPI_F_", "MPI_F08_"].iter().any(|part| name.starts_with(part));
        if skipped || SPECIAL.contains(&name) || value.contains('*') {
            continue;
        }
        let (sort, number) = match value.trim().strip_prefix("((MPI_") {
            Some(rest) => {
                let (sort, number) = rest.split_once(')').context("a cast has an end")?;
                (Some(sort.to_owned()), number.trim_end_matches(')'))
            }
            None => (None, value.trim().trim_matches(['(', ')'])),
        };
        let value = match number.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16).ok(),
            None => number.parse().ok(),
        };
        // What is no number is a second name of a constant before it.
        let alias = || all.iter().find(|one| one.name == number).map(|one| (one.value, &one.sort));
        let (value, sort) = match value {
            Some(value) => (value, sort),
            None => {
                let (value, sort) = alias().with_context(|| format!("{name} has no value"))?;
                (value, sort.clone())
            }
        };
        // Lengths of texts count a final zero in C only.
        let value = if name.starts_with("MPI_MAX_") { value - 1 } else { value };
        all.push(Constant { name: name.to_owned(), value, sort });
    }
    Ok(all)
}

/// `mpif.h`, for fixed and free form alike: short lines from column 7, and none continued.
pub(super) fn mpif(constants: &[Constant]) -> String {
    let mut text = String::from(
        "!     MPI for Fortran programs that have no modules.\n\
         !     Written by `cargo xtask fortran`; fixed and free form.\n\n",
    );
    for (name, value) in OWN {
        define(&mut text, name, value);
    }
    for constant in constants {
        define(&mut text, &constant.name, &constant.value.to_string());
    }
    text.push_str("      integer*8 MPI_DISPLACEMENT_CURRENT\n");
    text.push_str("      parameter (MPI_DISPLACEMENT_CURRENT=-1)\n");
    for (name, value) in SUPPORT {
        let _ = writeln!(text, "      logical {name}\n      parameter ({name}={value})");
    }
    text.push_str("\n!     Variables that only their addresses matter of.\n\n");
    commons(&mut text, "      ", "integer");
    text.push_str("\n!     Functions.\n\n");
    for name in CALLBACKS {
        let _ = writeln!(text, "      external {name}");
    }
    for name in ["MPI_WTIME", "MPI_WTICK"] {
        for name in [name.to_owned(), format!("P{name}")] {
            let _ = writeln!(text, "      double precision {name}\n      external {name}");
        }
    }
    text
}

/// What the modules can do beyond the least that MPI asks for.
const SUPPORT: [(&str, &str); 2] =
    [("MPI_SUBARRAYS_SUPPORTED", ".false."), ("MPI_ASYNC_PROTECTS_NONBLOCKING", ".false.")];
const SUPPORT_F08: [(&str, &str); 2] =
    [("MPI_SUBARRAYS_SUPPORTED", ".true."), ("MPI_ASYNC_PROTECTS_NONBLOCKING", ".true.")];

fn define(text: &mut String, name: &str, value: &str) {
    let _ = writeln!(text, "      integer {name}\n      parameter ({name}={value})");
}

/// The blocks of variables whose addresses mean something.
fn commons(text: &mut String, indent: &str, integer: &str) {
    for (name, shape) in SENTINELS {
        let _ = writeln!(text, "{indent}{integer} {name}{shape}");
    }
    for (name, _) in SENTINELS {
        let _ = writeln!(text, "{indent}common /foretell_mpi/ {name}");
    }
    for (name, shape) in TEXTS {
        let _ = writeln!(text, "{indent}character*1 {name}{shape}");
        let _ = writeln!(text, "{indent}common /foretell_mpi_texts/ {name}");
    }
    let _ = writeln!(text, "{indent}save /foretell_mpi/\n{indent}save /foretell_mpi_texts/");
}

/// Constants that both modules have, as integers.
fn numbers(text: &mut String, support: [(&str, &str); 2]) {
    for (name, value) in OWN {
        let _ = writeln!(text, "  integer, parameter :: {name} = {value}");
    }
    text.push_str(
        "  integer(MPI_OFFSET_KIND), parameter :: MPI_DISPLACEMENT_CURRENT = -1_MPI_OFFSET_KIND\n",
    );
    for (name, value) in support {
        let _ = writeln!(text, "  logical, parameter :: {name} = {value}");
    }
}

/// Constants of the module `mpi`.
pub(super) fn module(constants: &[Constant]) -> String {
    let mut text = String::from("  ! Written by `cargo xtask fortran`.\n");
    numbers(&mut text, SUPPORT);
    for Constant { name, value, .. } in constants {
        let _ = writeln!(text, "  integer, parameter :: {name} = {value}");
    }
    commons(&mut text, "  ", "integer ::");
    text
}

/// Constants of the module `mpi_f08`: handles have types, and so has a status.
pub(super) fn f08(constants: &[Constant]) -> String {
    let mut text = String::from("  ! Written by `cargo xtask fortran`.\n");
    numbers(&mut text, SUPPORT_F08);
    for Constant { name, value, sort } in constants {
        let _ = match sort {
            None => writeln!(text, "  integer, parameter :: {name} = {value}"),
            Some(sort) => {
                writeln!(text, "  type(MPI_{sort}), parameter :: {name} = MPI_{sort}({value})")
            }
        };
    }
    let mut blocks = String::new();
    commons(&mut blocks, "  ", "integer ::");
    let status = [
        ("integer :: MPI_STATUS_IGNORE(MPI_STATUS_SIZE)", "type(MPI_Status) :: MPI_STATUS_IGNORE"),
        (
            "integer :: MPI_STATUSES_IGNORE(MPI_STATUS_SIZE,1)",
            "type(MPI_Status) :: MPI_STATUSES_IGNORE(1)",
        ),
    ];
    for (old, new) in status {
        blocks = blocks.replace(old, new);
    }
    text + &blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lose_their_casts_and_lengths_their_zero() {
        let handles = "#define MPI_COMM_WORLD                 ((MPI_Comm)0x101)\n\
                       #define MPI_WORLD MPI_COMM_WORLD\n";
        let constants = "#define MPI_ANY_TAG (-2)\n#define MPI_MAX_INFO_KEY 256\n\
                         #define MPI_BOTTOM ((void *)0)\n#define MPI_F_TAG 1\n";
        let read = read(handles, constants).unwrap();
        let found: Vec<(&str, i64)> = read.iter().map(|one| (&*one.name, one.value)).collect();
        let expected = [
            ("MPI_COMM_WORLD", 257),
            ("MPI_WORLD", 257),
            ("MPI_ANY_TAG", -2),
            ("MPI_MAX_INFO_KEY", 255),
        ];
        assert_eq!(found, expected);
        assert_eq!(read[1].sort.as_deref(), Some("Comm"));
    }

    #[test]
    fn lines_of_mpif_fit_fixed_form() {
        let constants = read("", "#define MPI_MAX_LIBRARY_VERSION_STRING 8192\n").unwrap();
        for line in mpif(&constants).lines().filter(|line| !line.starts_with('!')) {
            assert!(line.len() <= 72 && !line.contains('&'), "{line}");
        }
    }
}
