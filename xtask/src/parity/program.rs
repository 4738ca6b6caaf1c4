//! One test program: what its first comments say, and where its expected output is.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Endings of source files, in the order of the compilers: C, C++, Fortran.
const ENDINGS: [&[&str]; 3] = [&["c"], &["cpp"], &["f", "f90"]];

/// A program and how it is run.
#[derive(Debug)]
pub(super) struct Program {
    /// File name without its ending.
    pub(super) name: String,
    /// The source file.
    pub(super) source: PathBuf,
    /// Numbers of ranks to run it with.
    pub(super) ranks: Vec<u32>,
    /// What the compiler is told beside the usual.
    pub(super) flags: Vec<String>,
    /// Its arguments.
    pub(super) arguments: Vec<String>,
    /// The exit code it must have.
    pub(super) exit: i32,
    /// The platform it runs on, if not the usual one.
    pub(super) platform: Option<PathBuf>,
    /// What it reads.
    pub(super) stdin: String,
    /// Variables that it finds.
    pub(super) environment: Vec<(String, String)>,
    /// Kinds of findings of `--check` that it is known for.
    pub(super) admitted: Vec<String>,
    /// The source of a shared library of its own.
    pub(super) library: Option<PathBuf>,
    /// The source of a static archive that it is linked with.
    pub(super) archive: Option<PathBuf>,
}

impl Program {
    /// The programs of a folder whose names contain `filter`, in order of name.
    pub(super) fn all(folder: &Path, filter: &str) -> Result<Vec<Program>> {
        let entries = std::fs::read_dir(folder)
            .with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
        paths.retain(|path| language(path).is_some());
        paths.sort();
        let programs = paths.into_iter().map(Program::read).collect::<Result<Vec<_>>>()?;
        Ok(programs.into_iter().filter(|program| program.name.contains(filter)).collect())
    }

    fn read(source: PathBuf) -> Result<Program> {
        let text = std::fs::read_to_string(&source)
            .with_context(|| format!("cannot read {}", source.display()))?;
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let words = |key| said(&text, key).unwrap_or("").split_whitespace();
        let beside = |key| said(&text, key).map(|part| source.with_file_name(part));
        let pair =
            |word: &str| word.split_once('=').map(|(name, value)| (name.into(), value.into()));
        Ok(Program {
            ranks: words("ranks")
                .map(str::parse)
                .collect::<Result<_, _>>()
                .context("`ranks:` holds numbers")?,
            flags: words("flags").map(String::from).collect(),
            arguments: words("args").map(String::from).collect(),
            exit: said(&text, "exit")
                .map_or(Ok(0), str::parse)
                .context("`exit:` holds a number")?,
            platform: said(&text, "platform").map(|name| source.with_file_name(name)),
            stdin: said(&text, "stdin").map(|line| format!("{line}\n")).unwrap_or_default(),
            environment: words("environment").filter_map(pair).collect(),
            admitted: words("check").map(String::from).collect(),
            library: beside("library"),
            archive: beside("archive"),
            name,
            source,
        })
    }

    /// The compiler of its language: that for C, for C++ or for Fortran.
    pub(super) fn choose<'a>(&self, compilers: [&'a str; 3]) -> &'a str {
        compilers[language(&self.source).unwrap_or(0)]
    }

    /// Whether it needs a Fortran compiler.
    pub(super) fn is_fortran(&self) -> bool {
        language(&self.source) == Some(2)
    }

    /// Whether it is built with threads.
    pub(super) fn has_threads(&self) -> bool {
        self.flags.iter().any(|flag| flag == "-pthread" || flag == "-fopenmp")
    }

    /// Whether `--check` may find such a mistake in it.
    pub(super) fn admits(&self, kind: &str) -> bool {
        self.admitted.iter().any(|admitted| admitted == kind)
    }

    /// Where the output of a real MPI is stored.
    pub(super) fn expected(&self, ranks: u32) -> PathBuf {
        self.source.with_file_name("expected").join(format!("{}.{ranks}.txt", self.name))
    }
}

/// The language of a source file, as a place in [`ENDINGS`].
fn language(path: &Path) -> Option<usize> {
    let ending = path.extension()?.to_str()?;
    ENDINGS.iter().position(|endings| endings.contains(&ending))
}

/// What a comment line `/* key: … */` says, or `! key: …` in Fortran.
fn said<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| {
        let c = line.strip_prefix("/* ").and_then(|line| line.strip_suffix("*/"));
        let comment = c.or_else(|| line.strip_prefix("! "))?;
        Some(comment.strip_prefix(key)?.strip_prefix(": ")?.trim())
    })
}

/// A message without what differs between machines: addresses, folders, frames of libraries.
pub(super) fn normalised(text: &str, code: i32) -> String {
    let mut lines: Vec<String> = vec![format!("exit code {code}")];
    for line in text.lines() {
        let frame = line.starts_with("    ");
        if frame && (line.contains("(libmpi_abi") || line.contains("(libc")) {
            continue;
        }
        let words = line.split(' ').map(|word| match word.rsplit_once('/') {
            Some((folder, file)) if folder.starts_with('/') => file,
            _ => word,
        });
        let line = words.collect::<Vec<_>>().join(" ").replace(".mistake)", ")");
        // A recursion repeats its frame; once is enough.
        if lines.last() != Some(&line) {
            lines.push(line);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_say_how_a_program_runs() {
        let text = "/* ranks: 1 2 */\n/* exit: 3 */\n";
        assert_eq!(said(text, "ranks"), Some("1 2"));
        assert_eq!(said(text, "exit"), Some("3"));
        assert_eq!(said(text, "args"), None);
        assert_eq!(said("! ranks: 4\n", "ranks"), Some("4"));
    }

    #[test]
    fn messages_lose_folders_and_frames_of_libraries() {
        let text =
            "rank 1\n    main at /a/b.c:3 (b.mistake)\n    run at /x.rs:1 (libmpi_abi.so.1)\n";
        assert_eq!(normalised(text, 1), "exit code 1\nrank 1\n    main at b.c:3 (b)\n");
    }
}
