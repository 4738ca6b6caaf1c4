//! `foretell completions` and `foretell man`: written from the definition of the command line.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;

use crate::args::Cli;
use crate::compiler::{self, Language};
use crate::output;

/// Prints the completions of a shell.
pub(crate) fn completions(shell: Shell) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "foretell", &mut text);
    output::print(&String::from_utf8_lossy(&text))?;
    Ok(ExitCode::SUCCESS)
}

/// Prints the manual page, or writes those of all sub-commands into a folder.
pub(crate) fn manual(folder: Option<&Path>) -> Result<ExitCode> {
    match folder {
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut text)?;
            output::print(&String::from_utf8_lossy(&text))?;
        }
        Some(folder) => {
            let cannot = || format!("cannot write manual pages into {}", folder.display());
            std::fs::create_dir_all(folder).with_context(cannot)?;
            clap_mangen::generate_to(Cli::command(), folder).with_context(cannot)?;
            for (name, page) in wrapper_pages() {
                std::fs::write(folder.join(name), page).with_context(cannot)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// The pages of the commands beside `foretell`; other names of a command lead to its page.
fn wrapper_pages() -> Vec<(&'static str, String)> {
    let leads_to = |page: &str| format!(".so man1/{page}\n");
    vec![
        ("foretell-mpicc.1", wrapper_page(Language::C)),
        ("foretell-mpicxx.1", wrapper_page(Language::Cxx)),
        ("foretell-mpic++.1", leads_to("foretell-mpicxx.1")),
        ("foretell-mpifort.1", wrapper_page(Language::Fortran)),
        ("foretell-mpif77.1", leads_to("foretell-mpifort.1")),
        ("foretell-mpif90.1", leads_to("foretell-mpifort.1")),
        ("foretell-mpirun.1", leads_to("foretell-run.1")),
        ("foretell-mpiexec.1", leads_to("foretell-run.1")),
    ]
}

/// The page of a compiler wrapper: its help as it is.
fn wrapper_page(language: Language) -> String {
    let name = language.wrapper();
    let help = compiler::help(language).replace('\\', "\\e").replace('-', "\\-");
    format!(
        ".TH {name} 1 \"\" \"foretell {version}\"\n.SH NAME\n{name} \\- compile MPI programs for \
         foretell run\n.SH DESCRIPTION\n.nf\n{help}.fi\n.SH SEE ALSO\n.BR foretell\\-run (1),\n\
         .BR foretell\\-check (1)\n",
        version = env!("CARGO_PKG_VERSION"),
    )
}
