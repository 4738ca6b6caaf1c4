//! Why a program cannot be given images, told so that the user knows what to do.

use std::io;
use std::path::PathBuf;

/// What went wrong while a program was read, or one of its images was made.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable {
        /// The program or library.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is not an ELF file at all, or a damaged one.
    #[error("{} is not a program that can be mapped: {reason}", .path.display())]
    Malformed {
        /// The program or library.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is for another machine.
    #[error("{} is built for another machine: only 64-bit x86 (x86-64) programs run here", .path.display())]
    WrongArchitecture {
        /// The program or library.
        path: PathBuf,
    },
    /// The executable has a fixed address, so that only one copy fits in a process.
    #[error(
        "{} has a fixed address: it must be position-independent to have one image per rank; \
         link it without -no-pie and compile it with -fPIE (or -fPIC)", .path.display()
    )]
    NotPositionIndependent {
        /// The executable.
        path: PathBuf,
    },
    /// The executable has no dynamic loader, so that nothing of it can be redirected.
    #[error("{} is linked statically: link it without -static or -static-pie", .path.display())]
    Static {
        /// The executable.
        path: PathBuf,
    },
    /// `main` of an executable was not found.
    #[error("cannot find `main` in {}: its start code is unknown and it has no symbol table", .path.display())]
    NoMain {
        /// The executable.
        path: PathBuf,
    },
    /// A library that the program needs cannot be loaded.
    #[error("cannot load {library}, which {} needs: {reason}", .path.display())]
    MissingLibrary {
        /// Who needs it.
        path: PathBuf,
        /// The library as named in the file.
        library: String,
        /// What the dynamic loader said.
        reason: String,
    },
    /// A symbol that nothing defines.
    #[error("undefined symbol `{symbol}`, which {} needs: link the library that defines it", .path.display())]
    Undefined {
        /// The symbol, with its version when it has one.
        symbol: String,
        /// The program or library that refers to it.
        path: PathBuf,
    },
    /// A relocation that cannot be applied to an image.
    #[error("{} holds a relocation of kind {kind} at {offset:#x}: {help}", .path.display())]
    Relocation {
        /// The program or library.
        path: PathBuf,
        /// Name or number of the kind.
        kind: String,
        /// Link-time address of the relocated place.
        offset: u64,
        /// What to do about it.
        help: &'static str,
    },
    /// The thread-locals of a second program have no room below the thread pointer.
    #[error(
        "{} has {needed} bytes of thread-locals, but beside the first program only {available} fit: \
         put this program first on the command line", .path.display()
    )]
    ThreadLocals {
        /// The executable.
        path: PathBuf,
        /// Bytes it needs.
        needed: usize,
        /// Bytes the first program left.
        available: usize,
    },
    /// A copy made by the dynamic loader cannot have thread-locals of an executable.
    #[error(
        "{} has thread-locals, which copies made by dlopen cannot have: use private images", .path.display()
    )]
    CopyWithThreadLocals {
        /// The executable.
        path: PathBuf,
    },
    /// A copy made by the dynamic loader has no copies of the libraries.
    #[error(
        "copies made by dlopen share the library {}, which is to be private: use private images, \
         or exclude the library", .path.display()
    )]
    CopyWithLibrary {
        /// The library.
        path: PathBuf,
    },
    /// The dynamic loader refused a copy.
    #[error("cannot load a copy of {}: {reason}", .path.display())]
    Copy {
        /// The executable.
        path: PathBuf,
        /// What the dynamic loader said.
        reason: String,
    },
    /// The kernel allows no more mappings.
    #[error(
        "{needed} memory mappings are needed, of which {used} are in use, but the kernel allows {limit}: \
         raise the limit with `sysctl -w vm.max_map_count={suggested}`"
    )]
    MappingLimit {
        /// Mappings the process needs in all.
        needed: usize,
        /// Mappings it has now.
        used: usize,
        /// `vm.max_map_count`.
        limit: usize,
        /// A limit that suffices.
        suggested: usize,
    },
    /// The kernel refused memory for another reason.
    #[error("cannot map {bytes} bytes for an image: {source}")]
    Memory {
        /// Size asked for.
        bytes: usize,
        /// What the system said.
        source: io::Error,
    },
}
