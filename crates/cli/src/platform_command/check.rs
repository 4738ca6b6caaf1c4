//! All that is wrong or odd in platform files.

use std::io::{IsTerminal, stdout};
use std::process::ExitCode;

use anyhow::Result;
use foretell_diagnostics::{Diagnostic, Severity, has_errors, render_with};
use foretell_platform::lint;

use crate::exit::BAD_INPUT;
use crate::figures::counted;
use crate::{notes, output, platform_file};

/// Checks each file; one that cannot be read does not keep the others from being checked.
pub(crate) fn run(platforms: &[String]) -> Result<ExitCode> {
    let mut all_usable = true;
    for asked in platforms {
        all_usable &= match platform_file::read(asked) {
            Ok(reading) => one(asked, reading)?,
            Err(error) => {
                notes::error(&error.to_string());
                false
            }
        };
    }
    Ok(if all_usable { ExitCode::SUCCESS } else { ExitCode::from(BAD_INPUT) })
}

/// Tells about one file; whether it can be used.
fn one(asked: &str, reading: platform_file::Reading) -> Result<bool> {
    let (source, findings, size) = match reading {
        Ok((platform, source)) => {
            let findings = lint(&source, &platform);
            (source, findings, counted(platform.host_count() as u64, "host"))
        }
        Err((source, mistakes)) => (source, mistakes, String::new()),
    };
    let colour = notes::colour_on(stdout().is_terminal());
    let mut text = render_with(&source, &findings, colour);
    text.push_str(&format!("{asked}: {}\n", verdict(&findings, &size)));
    output::print(&text)?;
    Ok(!has_errors(&findings))
}

fn verdict(findings: &[Diagnostic], size: &str) -> String {
    let warnings = findings.iter().filter(|found| found.severity == Severity::Warning).count();
    let errors = findings.len() - warnings;
    match (errors, warnings) {
        (0, 0) => format!("good, {size}"),
        (0, warnings) => format!("usable, {size}, {}", counted(warnings as u64, "warning")),
        (errors, 0) => counted(errors as u64, "error"),
        (errors, warnings) => {
            let warnings = counted(warnings as u64, "warning");
            format!("{}, {warnings}", counted(errors as u64, "error"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_count_what_was_found() {
        let error = Diagnostic::error(0..0, "bad");
        let warning = Diagnostic::warning(0..0, "odd");
        assert_eq!(verdict(&[], "2 hosts"), "good, 2 hosts");
        assert_eq!(
            verdict(std::slice::from_ref(&warning), "2 hosts"),
            "usable, 2 hosts, 1 warning"
        );
        assert_eq!(verdict(&[error.clone(), warning, error], ""), "2 errors, 1 warning");
    }
}
