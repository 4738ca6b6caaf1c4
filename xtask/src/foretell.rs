//! How the `foretell` command is asked to run a case, and what its JSON answers.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::reference::grid::smpi_grid;

/// One run of a skeleton application.
#[derive(Debug, Clone)]
pub(crate) struct Request<'a> {
    /// Name of the program, ours or that of its C twin (`coll`, `anysource`, `lu_wave`).
    pub(crate) program: &'a str,
    /// A trace to replay instead.
    pub(crate) trace: Option<&'a str>,
    /// Positional arguments, separated by blanks.
    pub(crate) args: &'a str,
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Platform file or preset.
    pub(crate) platform: &'a str,
    /// `block:k`: hosts in file order, k ranks on each.
    pub(crate) placement: &'a str,
    /// Options in SimGrid's spelling.
    pub(crate) options: Vec<(&'a str, &'a str)>,
}

impl Request<'_> {
    /// The words of the command line, the binary first.
    pub(crate) fn command(&self, binary: &str) -> Vec<String> {
        let mut words = vec![binary.to_owned()];
        words.extend(match self.trace {
            Some(trace) => ["replay".into(), trace.to_owned()],
            None => ["app".into(), skeleton(self.program).to_owned()],
        });
        let mut push = |word: &str| words.push(word.to_owned());
        push("-n");
        push(&self.ranks.to_string());
        for word in ["-p", self.platform, "--map", self.placement] {
            push(word);
        }
        // What is not chosen runs as SimGrid's default does; what is chosen wins over it.
        let computation = if self.trace.is_some() { "yes" } else { "no" };
        let usual = [("smpi/simulate-computation", computation), ("smpi/coll-selector", "default")];
        let is_told = |key: &str| self.options.iter().any(|(told, _)| *told == key);
        let usual = usual.iter().filter(|(key, _)| !is_told(key));
        for (key, value) in self.options.iter().chain(usual) {
            push("--cfg");
            push(&format!("{key}:{value}"));
        }
        for word in ["--quiet", "--json", "-"] {
            push(word);
        }
        if self.program == "stencil3d" {
            let [x, y, z] = smpi_grid(self.ranks);
            push("--grid");
            push(&format!("{x}x{y}x{z}"));
        }
        self.args.split_whitespace().for_each(push);
        words
    }
}

/// The skeleton that stands for a C program of the benchmark set.
pub(crate) fn skeleton(program: &str) -> &str {
    match program {
        "coll" => "collective",
        "anysource" => "master-worker",
        "lu_wave" => "lu-wave",
        same => same,
    }
}

/// The fields of the JSON summary that the chores use.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub(crate) struct Answer {
    /// Simulated seconds of the timed section on rank 0.
    pub(crate) sim_s: f64,
    /// CPU seconds of the timed section.
    pub(crate) cpu_s: f64,
}

/// Reads the summary from what the command printed; text before it is passed over.
pub(crate) fn answer(stdout: &str) -> Result<Answer> {
    let start = stdout.find('{').context("no JSON in the output")?;
    let mut values = serde_json::Deserializer::from_str(&stdout[start..]).into_iter();
    values.next().context("no JSON in the output")?.context("the JSON summary is not as expected")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_becomes_a_command_line() {
        let request = Request {
            program: "lu_wave",
            trace: None,
            args: "8 8 4 16 1",
            ranks: 64,
            platform: "star.xml",
            placement: "block:1",
            options: vec![("smpi/allreduce", "rdb")],
        };
        assert_eq!(
            request.command("foretell").join(" "),
            "foretell app lu-wave -n 64 -p star.xml --map block:1 --cfg smpi/allreduce:rdb \
             --cfg smpi/simulate-computation:no --cfg smpi/coll-selector:default --quiet --json - \
             8 8 4 16 1"
        );
    }

    #[test]
    fn the_summary_is_found_after_other_text() {
        let text = "note: something\n{\"sim_s\": 0.5, \"cpu_s\": 0.25, \"ranks\": 2}\n";
        assert_eq!(answer(text).unwrap(), Answer { sim_s: 0.5, cpu_s: 0.25 });
    }

    #[test]
    fn an_answer_without_its_times_is_refused() {
        assert!(answer("{\"sim_s\": 2.0}").is_err());
        assert!(answer("").is_err());
    }
}
