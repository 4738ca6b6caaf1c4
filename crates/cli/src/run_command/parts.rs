//! Several programs at once: `-n 4 ./a x : -n 8 ./b y`.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Parser;

use super::words;

/// A program as typed, with its arguments, and how many ranks run it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) ranks: Option<u32>,
    pub(super) program: OsString,
    pub(super) arguments: Vec<OsString>,
}

/// What may stand between a colon and the program after it.
#[derive(Debug, Parser)]
#[command(name = "foretell run … :", disable_help_flag = true)]
struct Later {
    #[arg(short = 'n', long)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    ranks: Option<u32>,
    /// After `--`, which stands before the program by now.
    words: Vec<OsString>,
}

/// The programs of a command line. `ranks` belong to the first; `words` are what follows the
/// options, up to the end.
pub(super) fn read(ranks: Option<u32>, words: &[OsString]) -> Result<Vec<Part>> {
    let mut parts = Vec::new();
    for (index, words) in words.split(|word| word == ":").enumerate() {
        let (ranks, words) = match index {
            0 => (ranks, words.to_vec()),
            _ => later(words)?,
        };
        let Some((program, arguments)) = words.split_first() else {
            bail!("a program is missing beside the colon; write `-n 4 ./a : -n 8 ./b`");
        };
        parts.push(Part { ranks, program: program.clone(), arguments: arguments.to_vec() });
    }
    Ok(parts)
}

fn later(words: &[OsString]) -> Result<(Option<u32>, Vec<OsString>)> {
    let name = OsString::from("run");
    let words = std::iter::once(name).chain(words::options(words)?);
    match Later::try_parse_from(words) {
        Ok(later) => Ok((later.ranks, later.words)),
        Err(error) => bail!(
            "after a colon: {}; only -n may stand there, all else before the first program",
            error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(line: &str) -> Result<Vec<String>> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let show = |part: Part| {
            let ranks = part.ranks.map_or("-".to_owned(), |ranks| ranks.to_string());
            let words = [vec![part.program], part.arguments].concat().join(" ".as_ref());
            format!("{ranks} {}", words.into_string().unwrap())
        };
        Ok(read(Some(4), &words)?.into_iter().map(show).collect())
    }

    #[test]
    fn colons_separate_programs() {
        assert_eq!(parts("./a x -n 3").unwrap(), ["4 ./a x -n 3"]);
        assert_eq!(
            parts("./a x : -np 8 ./b -y z : ./c").unwrap(),
            ["4 ./a x", "8 ./b -y z", "- ./c"]
        );
    }

    #[test]
    fn what_is_missing_or_misplaced_is_told() {
        for (line, word) in [
            ("./a :", "a program is missing"),
            ("./a : : ./b", "a program is missing"),
            ("./a : -n 0 ./b", "0 is not in"),
            ("./a : -p x ./b", "only -n may stand there"),
        ] {
            let message = parts(line).unwrap_err().to_string();
            assert!(message.contains(word), "{line}: {message}");
        }
    }
}
