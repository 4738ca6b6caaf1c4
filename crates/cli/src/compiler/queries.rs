//! Questions about what a wrapper would do, as other MPI wrappers answer them.
//!
//! Build systems ask in the words of MPICH (`-show`, `-compile_info`, `-link_info`) or of Open MPI
//! (`--showme:compile`, …). Flags that say how code is generated are left out of those answers:
//! a build system gives them to libraries too.

use std::ffi::OsString;
use std::fmt::Write;

use anyhow::Result;

use super::{Language, flags, line, modules, shown};
use crate::layout::Layout;

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Question {
    /// What the wrapper is, and what it takes.
    Help,
    /// The same, after the help of the compiler: configure scripts tell compilers apart by theirs.
    CompilersHelp,
    /// The whole command line for these words.
    Show,
    CompileInfo,
    LinkInfo,
    Command,
    CompileFlags,
    LinkFlags,
    IncludeFolders,
    LibraryFolders,
    Libraries,
    Version,
}

/// The question among the words; none if there is work to do.
pub(super) fn asked(words: &[OsString]) -> Option<Question> {
    match words {
        [word] if word == "-help" => Some(Question::Help),
        [word] if word == "--help" => Some(Question::CompilersHelp),
        _ => words.iter().find_map(question),
    }
}

/// Whether a word is a question to the wrapper.
pub(super) fn is_question(word: &OsString) -> bool {
    question(word).is_some()
}

fn question(word: &OsString) -> Option<Question> {
    let word = word.to_str()?;
    // Both `-showme` and `--showme` are in use.
    Some(match word.strip_prefix('-').filter(|word| word.starts_with('-')).unwrap_or(word) {
        "-show" | "-showme" => Question::Show,
        "-compile_info" | "-compile-info" => Question::CompileInfo,
        "-link_info" | "-link-info" => Question::LinkInfo,
        "-showme:command" => Question::Command,
        "-showme:compile" => Question::CompileFlags,
        "-showme:link" => Question::LinkFlags,
        "-showme:incdirs" => Question::IncludeFolders,
        "-showme:libdirs" => Question::LibraryFolders,
        "-showme:libs" => Question::Libraries,
        "-showme:version" => Question::Version,
        _ => return None,
    })
}

impl Question {
    /// The answer, a line or more.
    pub(super) fn answer(
        self,
        language: Language,
        compiler: &[OsString],
        words: &[OsString],
    ) -> Result<String> {
        match self {
            Question::Help => return Ok(help(language)),
            Question::CompilersHelp => return Ok(format!("\n{}", help(language))),
            Question::Version => {
                return Ok(format!("foretell {} (MPI 5.0 ABI)\n", env!("CARGO_PKG_VERSION")));
            }
            Question::Libraries => return Ok("mpi_abi\n".into()),
            _ => {}
        }
        let layout = Layout::find()?;
        let mut answer = match self {
            Question::Show if words.is_empty() => {
                let compile = includes(language, compiler, &layout)?;
                shown(&[compiler, &compile, &flags::link(&layout)].concat())
            }
            Question::Show => shown(&line(language, compiler, words, || Ok(layout))?),
            Question::CompileInfo => {
                shown(&[compiler, &includes(language, compiler, &layout)?].concat())
            }
            Question::LinkInfo => shown(&[compiler, &flags::link(&layout)].concat()),
            Question::CompileFlags => shown(&includes(language, compiler, &layout)?),
            Question::LinkFlags => shown(&flags::link(&layout)),
            Question::IncludeFolders => layout.include.display().to_string(),
            Question::LibraryFolders => layout.lib.display().to_string(),
            _ => shown(compiler),
        };
        answer.push('\n');
        Ok(answer)
    }
}

/// Where headers and modules are.
fn includes(language: Language, compiler: &[OsString], layout: &Layout) -> Result<Vec<OsString>> {
    let mut flags = vec![flags::include(layout)];
    if language == Language::Fortran {
        flags.push(flags::joined("-I", &modules::find(compiler, layout)?.modules));
    }
    Ok(flags)
}

/// What a wrapper says about itself.
pub(crate) fn help(language: Language) -> String {
    let (wrapper, compiler) = (language.wrapper(), language.default_compiler());
    let mut text = format!("Usage: {wrapper} [OPTIONS] FILES...\n\n");
    let _ = write!(
        text,
        "Compiles and links MPI programs for `foretell run`. Options and files are those of\n\
         {compiler}, which is started with MPI's headers and library added. What it builds also\n\
         runs on its own, as one rank.\n\n\
         Options of its own:\n  \
         {option}NAME            use this compiler; the variable {variable} does the same\n  \
         -show                 print the compiler's command line and do nothing\n  \
         -compile_info         print it for compiling\n  \
         -link_info            print it for linking\n  \
         --showme:WHAT         print command, compile, link, incdirs, libdirs, libs or version\n  \
         -help                 print this, if it stands alone\n  \
         --help                print this after the help of the compiler, if it stands alone\n",
        option = language.option(),
        variable = language.variable(),
    );
    text
}
