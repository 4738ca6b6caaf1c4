//! The Fortran modules and `mpif.h`, as gfortran reads them; where there is none, nothing is tested.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for what a test writes.
fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fortran").join(name);
    std::fs::create_dir_all(&folder).expect("the folder for temporary files is writable");
    folder
}

/// gfortran, checking syntax only, in a folder that it may write to; none if it is not here.
fn gfortran(folder: &Path) -> Option<Command> {
    if Command::new("gfortran").arg("--version").output().is_err() {
        eprintln!("skipped: gfortran is not here");
        return None;
    }
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut command = Command::new("gfortran");
    command.args(["-fsyntax-only", "-Werror", "-I"]).arg(home.join("include"));
    command.current_dir(folder);
    Some(command)
}

fn passes(command: &mut Command) {
    let output = command.output().expect("gfortran was there a moment ago");
    assert!(output.status.success(), "{command:?}:\n{}", String::from_utf8_lossy(&output.stderr));
}

fn module(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran").join(name)
}

#[test]
fn modules_compile_without_warnings() {
    let folder = scratch("modules");
    for name in ["mpi.f90", "mpi_f08.f90"] {
        let Some(mut command) = gfortran(&folder) else { return };
        passes(command.arg(module(name)));
    }
}

#[test]
fn mpif_h_is_read_in_fixed_and_in_free_form() {
    let folder = scratch("mpif");
    let text = "      program p\n      implicit none\n      include 'mpif.h'\n      \
                integer a(MPI_STATUS_SIZE), ierr\n      \
                call MPI_RECV(MPI_BOTTOM,0,MPI_BYTE,0,0,MPI_COMM_WORLD,a,ierr)\n      \
                end\n";
    for name in ["fixed.f", "free.f90"] {
        let Some(mut command) = gfortran(&folder) else { return };
        std::fs::write(folder.join(name), text).unwrap();
        passes(command.arg("-Wall").arg(name));
    }
}

#[test]
fn the_compiler_finds_wrong_arguments() {
    let folder = scratch("wrong");
    for (module_name, call) in [
        ("mpi", "call MPI_Comm_rank(MPI_COMM_WORLD, 1.5, ierr)"),
        ("mpi", "call MPI_Send(x, 1, MPI_REAL, 0, 0, MPI_COMM_WORLD)"),
        ("mpi_f08", "call MPI_Comm_rank(MPI_INTEGER, ierr)"),
        ("mpi_f08", "call MPI_Send(x, 1, MPI_COMM_WORLD, 0, 0, MPI_COMM_WORLD)"),
    ] {
        let Some(mut command) = gfortran(&folder) else { return };
        passes(command.arg(module(&format!("{module_name}.f90"))));
        let text = format!(
            "program p\n  use {module_name}\n  implicit none\n  integer :: ierr\n  real :: x\n  \
             {call}\nend program\n"
        );
        std::fs::write(folder.join("wrong.f90"), text).unwrap();
        let Some(mut command) = gfortran(&folder) else { return };
        let output = command.arg("wrong.f90").output().unwrap();
        assert!(!output.status.success(), "{module_name} accepts `{call}`");
    }
}
