//! Names the library as the standard ABI does, and lets the commands in the build directory find
//! it, its headers, its Fortran modules and the example programs beside them.

use std::path::{Path, PathBuf};
use std::{env, fs};

const SONAME: &str = "libmpi_abi.so.1";
/// Programs for the demonstration, and where they are below the build directory.
const EXAMPLES: (&str, &str) = ("../../examples/programs", "share/foretell/examples");

fn main() {
    println!("cargo:rerun-if-changed=include");
    println!("cargo:rerun-if-changed={}", EXAMPLES.0);
    println!("cargo:rerun-if-changed=fortran");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{SONAME}");
    if let Some(profile) = profile_folder() {
        // Without these the library still works once installed.
        let _ = lay_out(&profile);
    }
}

/// The folder that commands are built into: `target/release` for a build folder below it.
fn profile_folder() -> Option<PathBuf> {
    let out = PathBuf::from(env::var_os("OUT_DIR")?);
    out.ancestors().nth(3).map(Path::to_owned)
}

fn lay_out(profile: &Path) -> std::io::Result<()> {
    for name in [SONAME, "libmpi.so"] {
        let link = profile.join(name);
        if !link.is_symlink() {
            std::os::unix::fs::symlink("libmpi_abi.so", link)?;
        }
    }
    copy(Path::new("fortran"), &profile.join("fortran"))?;
    copy(Path::new("include"), &profile.join("include"))?;
    copy(Path::new(EXAMPLES.0), &profile.join(EXAMPLES.1))
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}
