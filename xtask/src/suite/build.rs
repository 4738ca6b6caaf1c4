//! Compiles the suite's programs with our wrappers, each once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::makefile::Makefile;
use crate::shell;

/// A thing that is made once, or why it cannot be made.
type Made<T> = Arc<OnceLock<Result<T, String>>>;

/// What is built where, and by what.
pub(super) struct Builder {
    root: PathBuf,
    pub(super) built: PathBuf,
    pub(super) bin: PathBuf,
    programs: Mutex<BTreeMap<String, Made<PathBuf>>>,
    libraries: Mutex<BTreeMap<String, Made<Vec<PathBuf>>>>,
}

impl Builder {
    pub(super) fn new(root: PathBuf, built: PathBuf, bin: PathBuf) -> Self {
        Self { root, built, bin, programs: Mutex::default(), libraries: Mutex::default() }
    }

    /// The program of a test.
    pub(super) fn program(&self, directory: &str, program: &str) -> Result<PathBuf, String> {
        let title = format!("{directory}/{program}");
        once(&self.programs, &title, || self.link(directory, program))
    }

    fn link(&self, directory: &str, program: &str) -> Result<PathBuf, String> {
        let makefile = Makefile::read(&self.root, directory);
        let sources = self.sources(&makefile, directory, program)?;
        let folder = self.built.join(directory);
        let objects = folder.join(format!("objects.{program}"));
        std::fs::create_dir_all(&objects).map_err(|error| error.to_string())?;
        let mut flags = flags(&makefile, program);
        // Headers that a folder takes from beside it.
        for beside in makefile.variable("AM_FFLAGS").split_whitespace() {
            if let Some(beside) = beside.strip_prefix("-I").filter(|path| path.starts_with("..")) {
                flags.push(format!("-I{}", folder.join(beside).display()));
                flags.push(format!("-I{}", self.root.join(directory).join(beside).display()));
            }
        }
        let mut parts = Vec::new();
        for source in &sources {
            let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let object = objects.join(name + ".o");
            self.compile(source, &object, &flags, &folder)?;
            parts.push(object);
        }
        let libraries = makefile.of_program(program, "LDADD").unwrap_or("$(LDADD)");
        let kind = if libraries.contains("mtest_c_objects") { "single" } else { &makefile.kind };
        if !libraries.trim().is_empty() {
            parts.extend(self.support(kind)?);
        }
        if libraries.contains("LDADDDATA") {
            parts.extend(self.library("dtypes", &["util/dtypes.c".into()], &[])?);
        }
        let is_fortran = sources.iter().any(|source| compiler(source) == FORTRAN);
        let target = folder.join(program);
        let mut link = Command::new(self.bin.join(if is_fortran { FORTRAN } else { C }));
        link.args(&parts).arg("-o").arg(&target).args(["-lm", "-lpthread"]);
        quietly(&mut link, &folder)?;
        Ok(target)
    }

    fn sources(
        &self,
        makefile: &Makefile,
        directory: &str,
        program: &str,
    ) -> Result<Vec<PathBuf>, String> {
        let folder = self.root.join(directory);
        let listed = makefile.of_program(program, "SOURCES").unwrap_or("");
        let listed: Vec<_> = listed
            .split_whitespace()
            .filter(|name| !name.ends_with(".h"))
            .map(|name| folder.join(name.replace("$(srcdir)", ".")))
            .collect();
        if let Some(missing) = listed.iter().find(|source| !source.is_file()) {
            println!("not shipped: {}", missing.display());
            return Err(NO_SOURCE.into());
        }
        if !listed.is_empty() {
            return Ok(listed);
        }
        let usual = makefile.variable("AM_DEFAULT_SOURCE_EXT").trim();
        let endings = [usual, ".c", ".f90", ".f"].into_iter().filter(|ending| !ending.is_empty());
        let mut guesses = endings.map(|ending| folder.join(format!("{program}{ending}")));
        guesses
            .find(|guess| guess.is_file())
            .map(|found| vec![found])
            .ok_or_else(|| NO_SOURCE.into())
    }

    fn compile(
        &self,
        source: &Path,
        object: &Path,
        flags: &[String],
        folder: &Path,
    ) -> Result<(), String> {
        let mut compile = Command::new(self.bin.join(compiler(source)));
        compile.args(["-O1", "-w"]).args(flags);
        if compiler(source) == FORTRAN {
            compile.args(["-fcray-pointer", "-J"]).arg(folder);
        }
        let own = source.parent().unwrap_or(Path::new(".")).to_owned();
        let roots = ["include", "dtpools/include"].map(|name| self.root.join(name));
        for include in [folder.to_owned(), self.built.join("include"), own].iter().chain(&roots) {
            compile.arg("-I").arg(include);
        }
        quietly(compile.arg("-c").arg(source).arg("-o").arg(object), folder)
    }

    /// Objects of the library that tests of a kind link.
    fn support(&self, kind: &str) -> Result<Vec<PathBuf>, String> {
        if let "f77" | "f90" | "f08" = kind {
            let ending = if kind == "f77" { "f" } else { "f90" };
            return self.library(kind, &[format!("util/mtest_{kind}.{ending}")], &[]);
        }
        let (first, flags): (_, &[_]) = match kind {
            "threads" => ("util/mtest_thread.c", &["-DMTEST_USE_THREAD".into()]),
            _ => ("util/mtest_single.c", &[]),
        };
        let mut sources: Vec<String> =
            [first, "util/mtest.c", "util/mtest_common.c"].map(String::from).into();
        let pools = std::fs::read_dir(self.root.join("dtpools/src"));
        let pools = pools.into_iter().flatten().flatten();
        let names = pools.map(|entry| entry.file_name().to_string_lossy().into_owned());
        sources.extend(
            names.filter(|name| name.ends_with(".c")).map(|name| format!("dtpools/src/{name}")),
        );
        self.library(kind, &sources, flags)
    }

    fn library(
        &self,
        name: &str,
        sources: &[String],
        flags: &[String],
    ) -> Result<Vec<PathBuf>, String> {
        once(&self.libraries, name, || {
            let folder = self.built.join("support").join(name);
            std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            // The headers of the pools of datatypes look for theirs beside the build.
            let mut flags = flags.to_vec();
            flags.push(format!("-I{}", self.built.display()));
            let mut objects = Vec::new();
            for (at, source) in sources.iter().enumerate() {
                let object = folder.join(format!("{at}.o"));
                self.compile(&self.root.join(source), &object, &flags, &folder)?;
                objects.push(object);
            }
            Ok(objects)
        })
    }
}

/// What is said of a program whose source the suite's own build would write.
pub(super) const NO_SOURCE: &str = "its source is not shipped";

const C: &str = "foretell-mpicc";
const FORTRAN: &str = "foretell-mpifort";

/// The wrapper that compiles a file.
fn compiler(source: &Path) -> &'static str {
    match source.extension().and_then(|ending| ending.to_str()) {
        Some("f" | "f90") => FORTRAN,
        _ => C,
    }
}

/// Definitions that a program is compiled with.
fn flags(makefile: &Makefile, program: &str) -> Vec<String> {
    let own = makefile.of_program(program, "CPPFLAGS").unwrap_or("");
    let all = own.split_whitespace().chain(makefile.variable("AM_CPPFLAGS").split_whitespace());
    let mut flags: Vec<_> = all.filter(|flag| flag.starts_with("-D")).map(String::from).collect();
    if makefile.kind == "threads" {
        flags.push("-DMTEST_USE_THREAD".into());
    }
    flags
}

/// Makes something, unless it was made; who comes meanwhile waits.
fn once<T: Clone>(
    all: &Mutex<BTreeMap<String, Made<T>>>,
    name: &str,
    make: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    let made = {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        all.entry(name.to_owned()).or_default().clone()
    };
    made.get_or_init(make).clone()
}

/// Runs a compiler; its first complaint is the error.
fn quietly(command: &mut Command, folder: &Path) -> Result<(), String> {
    // Cargo names its own folders there, where another build of the library may lie.
    command.env_remove("LD_LIBRARY_PATH").current_dir(folder);
    let complaint = match shell::output(command) {
        Ok(_) => return Ok(()),
        Err(error) => format!("{error:#}"),
    };
    let telling = |line: &&str| line.contains("rror:") || line.contains("undefined reference");
    Err(complaint.lines().find(telling).unwrap_or(&complaint).to_owned())
}
