//! The words of other launchers, put into ours before the command line is read.
//!
//! `smpirun` and `mpiexec` write long options with one dash, and all that follows the program
//! belongs to it. So the words are read one by one up to the program, with the values that each
//! option takes; the definition of our own options tells that for those we share.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::{Args, Command};

use super::RunCommand;
use crate::notes;

/// What an option of another launcher means here.
enum Meaning {
    /// The same as this option of ours.
    Ours(&'static str),
    /// These words, with no value.
    Words(&'static [&'static str]),
    /// This option of ours; its value gets something in front.
    Prefixed(&'static str, &'static str),
    /// This option of ours; its value is two words with `=` between.
    Pair(&'static str),
    /// Nothing here; it takes so many values.
    Nothing(usize),
    /// Nothing: its traces are asked for otherwise, which is worth a warning.
    NoTraces(usize),
    /// What cannot be done.
    Refused(&'static str),
}

use Meaning::{NoTraces, Nothing, Ours, Pair, Prefixed, Refused, Words};

const THEIRS: &[(&str, Meaning)] = &[
    ("-np", Ours("--ranks")),
    ("-platform", Ours("--platform")),
    ("-hostfile", Ours("--hostfile")),
    ("-machinefile", Ours("--hostfile")),
    ("--machinefile", Ours("--hostfile")),
    ("-host", Ours("--host")),
    ("-hosts", Ours("--host")),
    ("-wdir", Ours("--wdir")),
    ("-wd", Ours("--wdir")),
    ("-wrapper", Ours("--wrapper")),
    ("-gdb", Ours("--gdb")),
    ("-lldb", Words(&["--wrapper", "lldb --"])),
    ("-vgdb", Words(&["--wrapper", "valgrind --vgdb=yes --vgdb-error=0"])),
    ("-map", Ours("--display-map")),
    ("-display-map", Ours("--display-map")),
    ("-no-privatize", Words(&["--privatise", "off"])),
    ("--privatize", Ours("--privatise")),
    ("-ppn", Prefixed("--map", "block:")),
    ("-perhost", Prefixed("--map", "block:")),
    ("-npernode", Prefixed("--map", "block:")),
    ("--npernode", Prefixed("--map", "block:")),
    ("-genv", Pair("--env")),
    ("-env", Pair("--env")),
    ("-genvall", Nothing(0)),
    ("-envall", Nothing(0)),
    ("-genvlist", Nothing(1)),
    ("-envlist", Nothing(1)),
    ("-label", Ours("--label")),
    ("-prepend-rank", Ours("--label")),
    ("-tag-output", Ours("--label")),
    ("--tag-output", Ours("--label")),
    ("-quiet", Ours("--quiet")),
    ("-version", Words(&["--version"])),
    ("--log", Nothing(1)),
    ("-keep-temps", Nothing(0)),
    ("-analyze", Nothing(0)),
    ("-tmpdir", Nothing(1)),
    ("-oversubscribe", Nothing(0)),
    ("--oversubscribe", Nothing(0)),
    ("--allow-run-as-root", Nothing(0)),
    ("-bind-to", Nothing(1)),
    ("--bind-to", Nothing(1)),
    ("-mca", Nothing(2)),
    ("--mca", Nothing(2)),
    ("-trace", NoTraces(0)),
    ("-trace-ti", NoTraces(0)),
    ("-trace-grouped", NoTraces(0)),
    ("-trace-resource", NoTraces(0)),
    ("-trace-file", NoTraces(1)),
    ("-trace-comment", NoTraces(1)),
    ("-trace-comment-file", NoTraces(1)),
    ("-replay", Refused("`foretell replay TRACE` replays traces, with the same options")),
    ("-bandwidth", Refused("describe the machine in a platform file and give it with -p")),
    ("-latency", Refused("describe the machine in a platform file and give it with -p")),
];

/// The words of `foretell run …` in our spelling, with `--` before the program.
pub(crate) fn understood(words: &[OsString]) -> Result<Vec<OsString>> {
    let (command, rest) = words.split_at(words.len().min(2));
    Ok([command, &options(rest)?].concat())
}

/// The words after `run`, or after a colon.
pub(super) fn options(words: &[OsString]) -> Result<Vec<OsString>> {
    let ours = RunCommand::augment_args(Command::new("run"));
    let mut out = Vec::new();
    let mut words = words.iter().cloned();
    while let Some(word) = words.next() {
        let text = word.to_str().unwrap_or_default().to_owned();
        if word == "--" {
            out.push(word);
            break;
        }
        if !text.starts_with('-') || text == "-" {
            out.extend(["--".into(), word]);
            break;
        }
        match meaning(&text) {
            Some((meaning, value)) => {
                translate(&text, meaning, value, &mut words, &ours, &mut out)?
            }
            None => {
                let values = values(&text, &ours);
                out.push(word);
                out.extend(words.by_ref().take(values));
            }
        }
    }
    out.extend(words);
    Ok(out)
}

/// What a word of another launcher means, and the value that is part of the word.
fn meaning(word: &str) -> Option<(&'static Meaning, Option<&str>)> {
    let (name, value) = word.split_once('=').map_or((word, None), |(name, v)| (name, Some(v)));
    THEIRS.iter().find(|(theirs, _)| *theirs == name).map(|(_, meaning)| (meaning, value))
}

fn translate(
    word: &str,
    meaning: &Meaning,
    value: Option<&str>,
    words: &mut impl Iterator<Item = OsString>,
    ours: &Command,
    out: &mut Vec<OsString>,
) -> Result<()> {
    let mut following = value.map(OsString::from).into_iter().chain(words);
    let mut value = || match following.next() {
        Some(value) => Ok(value),
        None => bail!("`{word}` wants a value after it"),
    };
    match meaning {
        Ours(name) => {
            out.push((*name).into());
            if values(name, ours) > 0 {
                out.push(value()?);
            }
        }
        Words(all) => out.extend(all.iter().map(OsString::from)),
        Prefixed(name, prefix) => {
            let value = joined(prefix.as_ref(), value()?);
            out.extend([OsString::from(name), value]);
        }
        Pair(name) => {
            let pair = joined(&joined(&value()?, "=".into()), value()?);
            out.extend([OsString::from(name), pair]);
        }
        Nothing(values) | NoTraces(values) => {
            for _ in 0..*values {
                value()?;
            }
        }
        Refused(why) => bail!("`{word}` cannot be used: {why}"),
    }
    if matches!(meaning, NoTraces(_)) {
        notes::warning(&format!(
            "`{word}` has no effect; --trace FILE writes a trace with dates, --trace-ti DIR a time-independent one"
        ));
    }
    Ok(())
}

fn joined(first: &std::ffi::OsStr, second: OsString) -> OsString {
    let mut word = first.to_owned();
    word.push(second);
    word
}

/// How many words that follow are values of this option of ours.
fn values(word: &str, ours: &Command) -> usize {
    let takes = |arg: &clap::Arg| arg.get_action().takes_values();
    if let Some(name) = word.strip_prefix("--") {
        let (name, has_value) =
            name.split_once('=').map_or((name, false), |(name, _)| (name, true));
        let known = |arg: &&clap::Arg| arg.get_long() == Some(name);
        return usize::from(!has_value && ours.get_arguments().find(known).is_some_and(takes));
    }
    let mut letters = word.chars().skip(1);
    while let Some(letter) = letters.next() {
        let known = |arg: &&clap::Arg| arg.get_short() == Some(letter);
        if ours.get_arguments().find(known).is_some_and(takes) {
            // The rest of the word is the value, or the next word is.
            return usize::from(letters.next().is_none());
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Result<String> {
        let words: Vec<OsString> = text.split(' ').map(OsString::from).collect();
        Ok(options(&words)?.join(" ".as_ref()).into_string().unwrap())
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(line(text).unwrap(), expected);
    }

    #[test]
    fn smpirun_is_understood() {
        check(
            "-np 64 -platform p.xml -hostfile h --cfg=smpi/os:0 --log=root.thres:error \
             -no-privatize ./app -np 3",
            "--ranks 64 --platform p.xml --hostfile h --cfg=smpi/os:0 --privatise off -- ./app -np 3",
        );
        check("-np=4 -map -keep-temps -gdb a", "--ranks 4 --display-map --gdb -- a");
    }

    #[test]
    fn mpiexec_is_understood() {
        check(
            "-n 4 -host a,b -wdir d -genv X 1 -ppn 2 --oversubscribe --mca btl tcp,self a -n 1",
            "-n 4 --host a,b --wdir d --env X=1 --map block:2 -- a -n 1",
        );
        check("-prepend-rank --bind-to core -x Y=2 a", "--label -x Y=2 -- a");
    }

    #[test]
    fn values_are_not_taken_for_programs() {
        check("-n 4 -p machine app x", "-n 4 -p machine -- app x");
        check("-n4 -lq --json out.json app", "-n4 -lq --json out.json -- app");
        check("-lqp machine app", "-lqp machine -- app");
        check("--json=out app -- x", "--json=out -- app -- x");
        check("-q -- -odd-name", "-q -- -odd-name");
    }

    #[test]
    fn what_cannot_be_done_is_refused() {
        assert!(line("-replay t").unwrap_err().to_string().contains("foretell replay"));
        assert!(line("-np").unwrap_err().to_string().contains("wants a value"));
    }
}
