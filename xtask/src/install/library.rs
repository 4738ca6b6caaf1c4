//! The MPI library, its headers, its Fortran modules and how pkg-config finds both.

use std::path::Path;

use anyhow::Result;

use super::files;

/// The library as cargo builds it, and the name of the installed file.
const BUILT: &str = "libmpi_abi.so";
const INSTALLED: &str = "libmpi_abi.so.1.0.0";
/// Its other names: that in programs, that of the linker, and that of `-lmpi`.
const NAMES: [&str; 3] = ["libmpi_abi.so.1", "libmpi_abi.so", "libmpi.so"];
/// The BLAS that takes simulated time, which programs may link.
const BLAS: &str = "libforetell_blas.so";
/// Packages that pkg-config knows: ours, and the usual name of any MPI.
const PACKAGES: [&str; 2] = ["foretell", "mpi"];

/// Installs library, headers, modules and packages from the library's `home`; a build without the library has none of them.
pub(super) fn install(built: &Path, home: &Path, prefix: &Path) -> Result<()> {
    let library = built.join(BUILT);
    if !library.exists() {
        println!("skipped: {BUILT} was not built, so programs cannot be compiled");
        return Ok(());
    }
    let lib = prefix.join("lib");
    files::copy(&library, &lib.join(INSTALLED))?;
    for name in NAMES {
        files::link(&lib.join(name), INSTALLED)?;
    }
    if built.join(BLAS).exists() {
        files::copy(&built.join(BLAS), &lib.join(BLAS))?;
    }
    for (folder, place) in [("include", "include"), ("fortran", "share/foretell/fortran")] {
        if home.join(folder).is_dir() {
            files::copy(&home.join(folder), &prefix.join(place))?;
        }
    }
    for name in PACKAGES {
        files::write(&prefix.join("share/pkgconfig").join(format!("{name}.pc")), &package(name))?;
    }
    Ok(())
}

/// A package that may be moved: it finds itself.
fn package(name: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../..\nincludedir=${{prefix}}/include\nlibdir=${{prefix}}/lib\n\
         fortrandir=${{prefix}}/share/foretell/fortran\n\n\
         Name: {name}\nDescription: Simulated MPI with the MPI 5.0 standard ABI\n\
         Version: {}\nCflags: -I${{includedir}}\n\
         Libs: -L${{libdir}} -Wl,-rpath,${{libdir}} -Wl,--push-state,--no-as-needed -lmpi_abi \
         -Wl,--pop-state\n",
        env!("CARGO_PKG_VERSION")
    )
}
