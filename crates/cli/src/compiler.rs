//! The compiler wrappers: the usual compiler, with what MPI programs need.
//!
//! What they build are ordinary executables that also run on their own, as one rank; so
//! configure, CMake and libtool need no tricks. Nothing of the user's code is rewritten.

mod arguments;
mod flags;
mod modules;
mod queries;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

use crate::layout::Layout;
use crate::output;
use crate::panics::quoted;
use arguments::{Arguments, Stage};
use queries::Question;
pub(crate) use queries::help;

/// The flag of gfortran that makes each `INTEGER` as wide as no MPI expects it.
const WIDE_INTEGERS: &str = "-fdefault-integer-8";

/// What is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    /// C.
    C,
    /// C++.
    Cxx,
    /// Fortran, fixed and free form.
    Fortran,
}

impl Language {
    /// The compiler if nobody names one.
    fn default_compiler(self) -> &'static str {
        match self {
            Language::C => "gcc",
            Language::Cxx => "g++",
            Language::Fortran => "gfortran",
        }
    }

    /// The variable that names another compiler.
    fn variable(self) -> &'static str {
        match self {
            Language::C => "FORETELL_CC",
            Language::Cxx => "FORETELL_CXX",
            Language::Fortran => "FORETELL_FC",
        }
    }

    /// The option that does.
    fn option(self) -> &'static str {
        match self {
            Language::C => "-cc=",
            Language::Cxx => "-cxx=",
            Language::Fortran => "-fc=",
        }
    }

    /// The wrapper's own name.
    pub(crate) fn wrapper(self) -> &'static str {
        match self {
            Language::C => "foretell-mpicc",
            Language::Cxx => "foretell-mpicxx",
            Language::Fortran => "foretell-mpifort",
        }
    }
}

/// Compiles, or answers a question about how it would.
pub(crate) fn run(language: Language, words: &[OsString]) -> Result<ExitCode> {
    let (compiler, words) = chosen(language, words);
    if let Some(question) = queries::asked(&words) {
        let rest: Vec<OsString> =
            words.into_iter().filter(|word| !queries::is_question(word)).collect();
        if question == Question::CompilersHelp {
            help_of_the_compiler(&compiler);
        }
        output::print(&question.answer(language, &compiler, &rest)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let line = line(language, &compiler, &words, Layout::find)?;
    let error = Command::new(&line[0]).args(&line[1..]).exec();
    Err(error).with_context(|| {
        format!(
            "cannot start the compiler `{}`; {} names another one",
            line[0].to_string_lossy(),
            language.variable()
        )
    })
}

/// Lets the compiler print its help; without a compiler there is none, and ours tells how to name one.
fn help_of_the_compiler(compiler: &[OsString]) {
    let started = Command::new(&compiler[0]).args(&compiler[1..]).arg("--help").status();
    // What it answers changes nothing: our own help follows in any case.
    drop(started);
}

/// The whole command line of the compiler.
fn line(
    language: Language,
    compiler: &[OsString],
    words: &[OsString],
    layout: impl FnOnce() -> Result<Layout>,
) -> Result<Vec<OsString>> {
    let arguments = Arguments::read(words);
    let mut line = compiler.to_vec();
    if arguments.stage == Stage::Nothing {
        // Only questions to the compiler itself, such as --version.
        line.extend_from_slice(words);
        return Ok(line);
    }
    if arguments.is_static && arguments.stage == Stage::Link {
        bail!("an MPI program cannot be linked with -static: libmpi_abi is a shared library");
    }
    if language == Language::Fortran && words.iter().any(|word| word == WIDE_INTEGERS) {
        bail!(
            "MPI's INTEGER has 32 bits, so {WIDE_INTEGERS} cannot be used; declare wide integers \
             as INTEGER(8)"
        );
    }
    let layout = layout()?;
    let fortran = match language {
        Language::Fortran => Some(modules::find(compiler, &layout)?),
        _ => None,
    };
    line.extend(flags::before(&arguments).map(OsString::from));
    line.extend(fortran.iter().flat_map(|fortran| fortran.before.iter().cloned()));
    let (head, tail) = words.split_at(arguments.libraries_belong_at);
    line.extend_from_slice(head);
    line.push(flags::include(&layout));
    line.extend(fortran.iter().map(|fortran| flags::joined("-I", &fortran.modules)));
    if arguments.stage == Stage::Link {
        line.extend(flags::link(&layout));
    }
    line.extend_from_slice(tail);
    Ok(line)
}

/// The compiler that was asked for, and the words that remain.
fn chosen(language: Language, words: &[OsString]) -> (Vec<OsString>, Vec<OsString>) {
    let named = |word: &OsString| word.to_str()?.strip_prefix(language.option()).map(str::to_owned);
    let option = words.iter().filter_map(named).next_back();
    let variable = || std::env::var(language.variable()).ok();
    let compiler = option.or_else(variable).filter(|text| !text.trim().is_empty());
    let compiler = compiler.unwrap_or_else(|| language.default_compiler().to_owned());
    let rest = words.iter().filter(|word| named(word).is_none()).cloned().collect();
    // It may be more than one word, such as `ccache gcc`.
    (compiler.split_whitespace().map(OsString::from).collect(), rest)
}

/// Words as one would type them.
fn shown(words: &[OsString]) -> String {
    words.iter().map(|word| quoted(&word.to_string_lossy())).collect::<Vec<_>>().join(" ")
}
