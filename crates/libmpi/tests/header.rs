//! `include/mpi.h` and the library state the same ABI twice; these tests keep the two equal.

#[path = "../src/abi.rs"]
mod abi;
#[path = "header/compiler.rs"]
mod compiler;
#[path = "header/signatures.rs"]
mod signatures;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::mem::{align_of, offset_of, size_of};
use std::path::{Path, PathBuf};
use std::process::Command;

use compiler::{compiler, include_directory, output_of, run, write};
use signatures::{Signature, prototypes, rust_functions};

/// What programs do with the header, in the common language of C90 and C++98.
const PROGRAM: &str = r#"
#include <mpi.h>
#if MPI_VERSION < 4 || !defined(MPI_COMM_TYPE_SHARED) || MPI_THREAD_MULTIPLE < MPI_THREAD_SINGLE
#error "constants are not macros"
#endif
#if defined(MPICH_VERSION) || defined(OPEN_MPI) || defined(MPICH)
#error "the header passes for another library"
#endif
static MPI_Comm everyone = MPI_COMM_WORLD;
static MPI_Datatype types[] = { MPI_INT, MPI_LONG_LONG_INT, MPI_CXX_BOOL, MPI_C_COMPLEX };
static char name[MPI_MAX_PROCESSOR_NAME];
static int copy(MPI_Comm c, int key, void *state, void *in, void *out, int *flag)
{ (void)c; (void)key; (void)state; (void)in; (void)out; *flag = 1; return MPI_SUCCESS; }
static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{ (void)in; (void)inout; (void)count; (void)type; }
int main(int argc, char **argv)
{
    MPI_Status status;
    MPI_Op op;
    int key, length, error = MPI_Init(&argc, &argv);
    switch (error) { case MPI_SUCCESS: break; case MPI_ERR_COMM: return 1; default: return 2; }
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &key, 0);
    MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &key, 0);
    MPI_Op_create(add, 1, &op);
    MPI_Get_processor_name(name, &length);
    PMPI_Recv(name, 1, types[0], MPI_ANY_SOURCE, MPI_ANY_TAG, everyone, &status);
    MPI_Recv(MPI_BOTTOM, 0, types[1], MPI_PROC_NULL, 0, everyone, MPI_STATUS_IGNORE);
    return status.MPI_TAG + status.MPI_SOURCE + status.MPI_ERROR + MPI_Finalize();
}
"#;

/// Every constant of the library with its value.
fn constants() -> BTreeMap<&'static str, i64> {
    let words = [
        abi::PREDEFINED_DATATYPES,
        abi::DATATYPE_ALIASES,
        abi::PREDEFINED_OPS,
        abi::PREDEFINED_HANDLES,
        abi::TOOL_HANDLES,
        abi::SPECIAL_ADDRESSES,
        abi::PREDEFINED_CALLBACKS,
        &[(abi::MPI_DATATYPE_NULL, "MPI_DATATYPE_NULL"), (abi::MPI_OP_NULL, "MPI_OP_NULL")],
    ];
    let ints = [
        abi::ERROR_CLASSES,
        abi::VERSIONS,
        abi::STRING_LENGTHS,
        abi::SENTINELS,
        abi::FORTRAN_STATUS,
        abi::THREAD_LEVELS,
        abi::COMPARISONS,
        abi::TOPOLOGIES,
        abi::SPLIT_TYPES,
        abi::PREDEFINED_KEYS,
        abi::COMBINERS,
        abi::ARRAYS,
        abi::TYPE_CLASSES,
        abi::MODES,
        abi::SEEKS,
        abi::WINDOWS,
        abi::TOOLS,
        &[(abi::MPI_ERR_LASTCODE, "MPI_ERR_LASTCODE")],
    ];
    let words = words.into_iter().flatten().map(|&(value, name)| (name, value as i64));
    let ints = ints.into_iter().flatten().map(|&(value, name)| (name, i64::from(value)));
    let offset = ("MPI_DISPLACEMENT_CURRENT", abi::MPI_DISPLACEMENT_CURRENT);
    words.chain(ints).chain([offset]).collect()
}

/// Sizes, alignments and offsets as C expressions, with what the library has for them.
fn layouts() -> Vec<(String, usize)> {
    let mut layouts = Vec::new();
    macro_rules! sizes {
        ($($name:ident)*) => { $(
            layouts.push((format!("sizeof({})", stringify!($name)), size_of::<abi::$name>()));
            layouts.push((format!("_Alignof({})", stringify!($name)), align_of::<abi::$name>()));
        )* };
    }
    macro_rules! fields {
        ($($field:ident)*) => { $(
            let expression = format!("offsetof(MPI_Status, {})", stringify!($field));
            layouts.push((expression, offset_of!(abi::MPI_Status, $field)));
        )* };
    }
    sizes!(MPI_Comm MPI_Datatype MPI_Errhandler MPI_File MPI_Group MPI_Info MPI_Message MPI_Op);
    sizes!(MPI_Request MPI_Session MPI_Win MPI_Aint MPI_Count MPI_Offset MPI_Fint MPI_Status);
    sizes!(MPI_F08_status MPI_T_enum MPI_T_cvar_handle MPI_T_pvar_handle MPI_T_pvar_session);
    sizes!(MPI_T_event_registration MPI_T_event_instance MPI_T_cb_safety MPI_T_source_order);
    fields!(MPI_SOURCE MPI_TAG MPI_ERROR MPI_internal);
    layouts
}

/// A C program that prints each expression, in order, as a number.
fn printing(expressions: impl Iterator<Item = String>) -> String {
    let head = "#include <mpi.h>\n#include <stddef.h>\n#include <stdio.h>\n";
    let mut text = format!("{head}int main(void)\n{{\n");
    for expression in expressions {
        let _ = writeln!(text, "    printf(\"%lld\\n\", (long long)(intptr_t)({expression}));");
    }
    text + "    return 0;\n}\n"
}

/// The numbers a program printed.
fn numbers(output: &str) -> Vec<i64> {
    output.lines().map(|line| line.parse().expect("the program prints numbers")).collect()
}

/// The prototypes of the header.
fn declared() -> BTreeMap<String, Signature> {
    let header = include_directory().join("mpi.h");
    prototypes(&run(compiler("gcc").arg("-E").arg(header)))
}

/// All Rust files below a directory.
fn rust_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the sources are readable");
    let paths = entries.map(|entry| entry.expect("the sources are readable").path());
    let (directories, files): (Vec<_>, Vec<_>) = paths.partition(|path| path.is_dir());
    let below = directories.iter().flat_map(|directory| rust_files(directory));
    files
        .into_iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .chain(below)
        .collect()
}

/// Builds the library, which cargo does not do for the tests of a package without a Rust library.
fn build_library() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR"));
    run(cargo.args(["build", "--quiet", "--lib", "--target-dir"]).arg(target));
    target.join("debug/libmpi_abi.so")
}

#[test]
fn every_constant_of_the_library_has_the_same_value_in_the_header() {
    let constants = constants();
    let text = printing(constants.keys().map(|name| (*name).to_string()));
    let header = numbers(&output_of("constants", &text));
    assert_eq!(header.len(), constants.len());
    for ((name, value), header) in constants.iter().zip(header) {
        assert_eq!(header, *value, "{name} differs: header {header}, library {value}");
    }
}

#[test]
fn every_constant_of_the_header_is_known_to_the_library() {
    let source = write("macros.c", "#include <mpi.h>\n");
    let macros = run(compiler("gcc").args(["-E", "-dM"]).arg(source));
    let names = macros.lines().filter_map(|line| line.split_whitespace().nth(1));
    let header: BTreeSet<&str> = names.filter(|name| name.starts_with("MPI_")).collect();
    let constants = constants();
    let enumerators =
        |name: &&str| name.starts_with("MPI_T_CB_") || name.starts_with("MPI_T_SOURCE_");
    let library: BTreeSet<&str> = constants.into_keys().filter(|name| !enumerators(name)).collect();
    let missing: Vec<_> = header.symmetric_difference(&library).collect();
    assert!(missing.is_empty(), "only in one of the two: {missing:?}");
}

#[test]
fn types_have_the_same_layout_in_the_header_and_in_the_library() {
    let layouts = layouts();
    let text = printing(layouts.iter().map(|(expression, _)| expression.clone()));
    let header = numbers(&output_of("layouts", &text));
    for ((expression, library), header) in layouts.iter().zip(header) {
        assert_eq!(header, *library as i64, "{expression} differs");
    }
}

#[test]
fn the_header_compiles_without_warnings_in_every_language_mode() {
    let c = write("modes.c", PROGRAM);
    let cpp = write("modes.cpp", PROGRAM);
    let modes = ["c90", "c99", "c11", "c17"].map(|mode| ("gcc", mode, &c));
    let more = ["c++98", "c++11", "c++14", "c++17", "c++20"].map(|mode| ("g++", mode, &cpp));
    for (name, mode, source) in modes.into_iter().chain(more) {
        let mut command = compiler(name);
        command.arg(format!("-std={mode}")).args(["-pedantic-errors", "-Wall", "-Wextra"]);
        run(command.args(["-Werror", "-fsyntax-only"]).arg(source));
    }
}

#[test]
fn every_declared_function_has_a_profiling_twin_with_the_same_signature() {
    let declared = declared();
    let (twins, plain): (BTreeSet<_>, BTreeSet<_>) =
        declared.keys().partition(|name| name.starts_with('P'));
    assert!(plain.len() >= 690, "only {} functions were found in the header", plain.len());
    assert_eq!(plain.len(), twins.len());
    for name in plain {
        assert_eq!(declared.get(&format!("P{name}")), declared.get(name), "{name}");
    }
}

#[test]
fn every_function_of_the_library_has_the_signature_that_the_header_declares() {
    let declared = declared();
    for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(&file).expect("the sources are readable");
        for (name, signature) in rust_functions(&text) {
            let place = file.display();
            let header =
                declared.get(&name).unwrap_or_else(|| panic!("{name} in {place} is not in mpi.h"));
            assert_eq!(&signature, header, "{name} in {place} (left) differs from mpi.h (right)");
        }
    }
}

#[test]
fn every_exported_symbol_is_declared_and_has_its_twin() {
    let library = build_library();
    let listing = run(Command::new("nm").args(["-D", "--defined-only", "-P"]).arg(library));
    let symbols = listing.lines().filter_map(|line| line.split(' ').next());
    let symbols: BTreeSet<&str> =
        symbols.filter(|name| name.starts_with("MPI_") || name.starts_with("PMPI_")).collect();
    let declared = declared();
    for name in &symbols {
        assert!(declared.contains_key(*name), "{name} is exported but not in mpi.h");
        let twin = name.strip_prefix('P').map_or_else(|| format!("P{name}"), str::to_string);
        assert!(symbols.contains(twin.as_str()), "{name} is exported without {twin}");
    }
}

#[test]
fn every_function_has_its_entry_points_for_fortran() {
    let library = build_library();
    let listing = run(Command::new("nm").args(["-D", "--defined-only", "-P"]).arg(library));
    let symbols: BTreeSet<&str> =
        listing.lines().filter_map(|line| line.split(' ').next()).collect();
    let is_other = |name: &str| {
        let ends = ["_c2f", "_f2c", "_toint", "_fromint", "_f082c", "_c2f08", "_booleans"];
        name.starts_with("MPI_T_") || ends.iter().any(|end| name.ends_with(end))
    };
    let has = |name: &str, ends: &[&str]| {
        ends.iter().any(|end| {
            let symbol = format!("{}{end}", name.to_lowercase());
            symbols.contains(symbol.as_str()) && symbols.contains(format!("p{symbol}").as_str())
        })
    };
    let functions = symbols.iter().filter(|name| name.starts_with("MPI_") && !is_other(name));
    for name in functions {
        // Large counts are for mpi_f08 only.
        assert!(
            has(name, &["_"]) || name.ends_with("_c") && has(name, &["_f08_", "_f08ts_"]),
            "{name} has no entry point for Fortran: run `cargo xtask fortran`"
        );
    }
}

#[test]
fn the_reader_of_rust_sources_understands_functions_and_macro_calls() {
    let text = r#"
        /// A comment with fn MPI_Nothing( in it.
        pub unsafe extern "C" fn MPI_Init(argc: *mut c_int, argv: *mut *mut *mut c_char) -> c_int {
        exported! { fn MPI_Op_create(function: Option<unsafe extern "C" fn(a: i32, b: i32) -> i32>,
            commute: c_int, op: *mut MPI_Op,) -> c_int { 0 } fn MPI_Wtime() -> f64 { 0.0 } }
    "#;
    let declared = declared();
    let functions = rust_functions(text);
    assert_eq!(functions.len(), 3);
    for (name, signature) in functions {
        assert_eq!(Some(&signature), declared.get(&name), "{name}");
    }
}
