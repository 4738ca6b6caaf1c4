//! What a compiler is asked to do, read from its words.

use std::ffi::OsString;
use std::path::Path;

/// How far the compiler goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    /// It has nothing to compile: `--version`, `-print-prog-name=ld`.
    Nothing,
    /// It stops before linking.
    Compile,
    /// It links.
    Link,
}

/// What the words ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Arguments {
    pub(super) stage: Stage,
    /// A static program is asked for.
    pub(super) is_static: bool,
    /// The words say whether the output is a library, a program at a fixed place, …
    pub(super) tells_kind_of_output: bool,
    /// Our library goes before this word: the end, or an explicit C library. The loader looks
    /// libraries up in order, and ours must be seen before the C library.
    pub(super) libraries_belong_at: usize,
}

/// Options whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "-o",
    "-I",
    "-J",
    "-L",
    "-D",
    "-U",
    "-x",
    "-T",
    "-u",
    "-z",
    "-A",
    "-B",
    "-e",
    "-R",
    "-MF",
    "-MT",
    "-MQ",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "--param",
    "-aux-info",
    "-wrapper",
    "-specs",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-target",
];
/// Options that end before linking.
const STOPS: &[&str] = &["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];
/// Options that tell what kind of file is linked.
const KINDS: &[&str] = &[
    "-shared",
    "-static",
    "-static-pie",
    "-r",
    "-no-pie",
    "-nopie",
    "-pie",
    "-Wl,-shared",
    "-Wl,-r",
    "-Wl,--relocatable",
];
/// Response files may name each other.
const DEEPEST: usize = 8;

impl Arguments {
    /// Reads the words; those of response files (`@file`) count as if they stood there.
    pub(super) fn read(words: &[OsString]) -> Self {
        let mut all = Vec::new();
        for (place, word) in words.iter().enumerate() {
            expand(&word.to_string_lossy(), place, &mut all, 0);
        }
        let mut found = Found::default();
        let mut value_follows = false;
        for (word, place) in &all {
            if std::mem::take(&mut value_follows) {
                continue;
            }
            value_follows = WITH_VALUE.contains(&word.as_str());
            found.note(word, *place);
        }
        found.arguments(words.len())
    }
}

/// What was met so far.
#[derive(Debug, Default)]
struct Found {
    has_input: bool,
    stops: bool,
    is_static: bool,
    is_partial: bool,
    tells_kind: bool,
    c_library: Option<usize>,
}

impl Found {
    fn note(&mut self, word: &str, place: usize) {
        let is_library = word.starts_with("-l") && word.len() > 2;
        self.has_input |= word == "-" || !word.starts_with('-') || is_library;
        self.stops |= STOPS.contains(&word);
        self.is_static |= word == "-static" || word == "-static-pie";
        self.is_partial |= matches!(word, "-r" | "-Wl,-r" | "-Wl,--relocatable");
        self.tells_kind |= KINDS.contains(&word);
        if word == "-lc" && self.c_library.is_none() {
            self.c_library = Some(place);
        }
    }

    fn arguments(self, end: usize) -> Arguments {
        let stage = match (self.has_input, self.stops || self.is_partial) {
            (false, _) => Stage::Nothing,
            // A partial link takes objects only, no shared library.
            (true, true) => Stage::Compile,
            (true, false) => Stage::Link,
        };
        Arguments {
            stage,
            is_static: self.is_static,
            tells_kind_of_output: self.tells_kind,
            libraries_belong_at: self.c_library.unwrap_or(end),
        }
    }
}

/// Adds a word, or those of the file it names, with the place of the word.
fn expand(word: &str, place: usize, all: &mut Vec<(String, usize)>, depth: usize) {
    let file = word.strip_prefix('@').filter(|_| depth < DEEPEST);
    match file.and_then(|path| std::fs::read_to_string(Path::new(path)).ok()) {
        None => all.push((word.to_owned(), place)),
        Some(text) => split(&text).iter().for_each(|word| expand(word, place, all, depth + 1)),
    }
}

/// The words of a response file: quotes keep white space, a backslash keeps any character.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(characters.next()),
            (c, Some(open)) if c == open => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stage(line: &str) -> Stage {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Arguments::read(&words).stage
    }

    #[test]
    fn the_stage_is_seen() {
        for line in ["--version", "-v", "-dumpmachine", "-print-prog-name=ld", "-o x", "-x c"] {
            assert_eq!(stage(line), Stage::Nothing, "{line}");
        }
        for line in ["-c a.c", "a.c -S", "-E -", "-M a.c", "-r a.o b.o -o c.o"] {
            assert_eq!(stage(line), Stage::Compile, "{line}");
        }
        for line in ["a.c", "-x c -", "a.o -o a", "-MD -MF a.d a.c", "-shared a.o", "-lfoo"] {
            assert_eq!(stage(line), Stage::Link, "{line}");
        }
    }

    #[test]
    fn response_files_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("words");
        std::fs::write(&file, "-c 'a b.c'\n\"-DX=\\\"y\\\"\" -o\\ x").unwrap();
        assert_eq!(stage(&format!("@{}", file.display())), Stage::Compile);
        assert_eq!(
            split(&std::fs::read_to_string(&file).unwrap()),
            ["-c", "a b.c", "-DX=\"y\"", "-o x"]
        );
        assert_eq!(stage("@no-such-file"), Stage::Link);
    }
}
