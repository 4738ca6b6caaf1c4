//! What is run, how many messages that is, and what it must reach.

use clap::ValueEnum;
use serde::Serialize;

/// Families of configurations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
pub(crate) enum Suite {
    /// Ping-pongs, rings, wavefronts, halo exchanges
    P2p,
    /// Allreduce and all-to-all
    Collectives,
    /// Many flows that share links and end at different dates
    Flows,
    /// Wildcard receives and probes
    MasterWorker,
    /// Traces of rings and wavefronts, replayed by both
    Replay,
    /// Start-up, memory and platform loading at a million
    Scale,
}

/// When SimGrid runs beside us.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Beside {
    /// Always.
    Always,
    /// Only on demand: it takes minutes.
    Long,
    /// Never: it cannot, or nothing would be learnt.
    Never,
}

/// What a row must reach.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) enum Bar {
    /// Messages per CPU second, as a multiple of what the installed SimGrid reaches beside us;
    /// five times is asked of the recorded figures of the newest SimGrid.
    Rate(f64),
    /// Messages per CPU second.
    Messages(f64),
    /// CPU seconds of the timed section.
    Section(f64),
    /// Seconds from start to end.
    Wall(f64),
    /// Peak memory in MiB.
    Memory(f64),
}

/// Figures of SimGrid 4.1.1 on a 2-core machine, the least of several runs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub(crate) struct Recorded {
    /// CPU seconds of the timed section.
    pub(crate) section_s: f64,
    /// CPU seconds of the whole run.
    pub(crate) total_s: f64,
    /// Peak memory in MiB.
    pub(crate) rss_mib: f64,
    /// Simulated seconds of the timed section.
    pub(crate) sim_s: f64,
}

/// One row of the comparison.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Configuration {
    /// Short name, unique.
    pub(crate) name: String,
    /// Its family.
    pub(crate) suite: Suite,
    /// The C program; ours has the same arguments.
    pub(crate) program: &'static str,
    /// Arguments, separated by blanks.
    pub(crate) args: &'static str,
    /// Number of ranks.
    pub(crate) ranks: u32,
    /// Name of a generated platform.
    pub(crate) platform: &'static str,
    /// Ranks on each host.
    pub(crate) per_host: u32,
    /// Options in SimGrid's spelling, for both sides.
    pub(crate) options: Vec<(&'static str, &'static str)>,
    /// When SimGrid runs too.
    pub(crate) beside: Beside,
    /// Part of a quick series.
    pub(crate) quick: bool,
    /// Part of the short agreement check of `cargo xtask test`.
    pub(crate) agreement: bool,
    /// Whether a trace of it is replayed, and not the program run.
    pub(crate) is_replay: bool,
    /// What it must reach; all must hold.
    pub(crate) bars: Vec<Bar>,
    /// What SimGrid 4.1.1 reached.
    pub(crate) recorded: Option<Recorded>,
}

impl Configuration {
    /// A row on one rank per host with scalable collectives and no bar yet.
    pub(crate) fn new(
        suite: Suite,
        program: &'static str,
        args: &'static str,
        ranks: u32,
        platform: &'static str,
    ) -> Self {
        let kind = platform.split('-').next().unwrap_or(platform);
        let first = args.split(' ').next().filter(|word| program == "coll" && !word.is_empty());
        Self {
            name: format!("{}-{ranks}-{kind}", first.unwrap_or(program)),
            suite,
            program,
            args,
            ranks,
            platform,
            per_host: 1,
            options: vec![
                ("smpi/allreduce", "rdb"),
                ("smpi/barrier", "ompi_recursivedoubling"),
                ("smpi/alltoall", "pair"),
            ],
            beside: Beside::Always,
            quick: ranks <= 512,
            agreement: false,
            is_replay: false,
            bars: Vec::new(),
            recorded: None,
        }
    }

    /// Another name, where the usual one is not unique or says too little.
    pub(crate) fn named(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// Adds something to reach.
    pub(crate) fn bar(mut self, bar: Bar) -> Self {
        self.bars.push(bar);
        self
    }

    /// Adds the recorded figures: CPU seconds of the section and of the run, MiB, simulated seconds.
    pub(crate) fn recorded(
        mut self,
        section_s: f64,
        total_s: f64,
        rss_mib: f64,
        sim_s: f64,
    ) -> Self {
        self.recorded = Some(Recorded { section_s, total_s, rss_mib, sim_s });
        self
    }

    /// Says when SimGrid runs too.
    pub(crate) fn beside(mut self, beside: Beside) -> Self {
        self.beside = beside;
        self
    }

    /// The linear barrier that SimGrid uses when nothing is chosen.
    pub(crate) fn linear_barrier(mut self) -> Self {
        self.options = vec![("smpi/barrier", "ompi_basic_linear")];
        self
    }

    /// Leaves the choice of algorithms to whoever runs it.
    pub(crate) fn own_algorithms(mut self) -> Self {
        self.options.clear();
        self
    }

    /// Puts several consecutive ranks on each host.
    pub(crate) fn per_host(mut self, ranks: u32) -> Self {
        self.per_host = ranks;
        self
    }

    /// Captures a trace beforehand, and replays that. All of the run counts as timed.
    pub(crate) fn replayed(mut self) -> Self {
        self.name = format!("replay-{}", self.name);
        self.is_replay = true;
        self
    }

    /// Makes it part of the short agreement check.
    pub(crate) fn agreement(mut self) -> Self {
        self.agreement = true;
        self
    }

    /// Point-to-point messages of the timed section: those the application posts, and for a
    /// collective those of its algorithm (recursive doubling n log2 n, pairwise n (n - 1)).
    pub(crate) fn messages(&self) -> f64 {
        let ranks = f64::from(self.ranks);
        let doubling = ranks * ranks.log2();
        let number = |index: usize| {
            let word = self.args.split_whitespace().nth(index);
            word.and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0)
        };
        match self.program {
            "pingpong" => 2.0 * number(0),
            "ring" => 2.0 * number(0) * ranks,
            "stencil3d" => number(0) * number(2) * ranks,
            "flows" => number(0) * number(1) * ranks,
            "anysource" => 2.0 * (number(0) + ranks - 1.0),
            "ep" => 3.0 * doubling,
            "lu_wave" => {
                let (p, q, nz, iterations) = (number(0), number(1), number(2), number(4));
                let arcs = p * (q - 1.0) + q * (p - 1.0);
                iterations * (2.0 * nz + 2.0) * arcs
            }
            "coll" if self.args.starts_with("allreduce") => number(2) * doubling,
            "coll" if self.args.starts_with("alltoall") => number(2) * ranks * (ranks - 1.0),
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(program: &'static str, args: &'static str, ranks: u32, expected: f64) {
        let row = Configuration::new(Suite::P2p, program, args, ranks, "star-10g-64");
        assert_eq!(row.messages(), expected, "{program} {args}");
    }

    #[test]
    fn messages_are_those_of_the_application_or_the_algorithm() {
        check("pingpong", "20000 8", 2, 40_000.0);
        check("ring", "1000 1024", 64, 128_000.0);
        check("lu_wave", "8 8 64 16 5", 64, 72_800.0);
        check("lu_wave", "16 32 64 16 1", 512, 126_880.0);
        check("stencil3d", "10 16 26 0", 64, 16_640.0);
        check("flows", "1 4 131072", 1024, 4_096.0);
        check("anysource", "5000 64 0", 512, 11_022.0);
        check("coll", "allreduce 8 2", 16384, 458_752.0);
        check("coll", "alltoall 1024 1", 1024, 1_047_552.0);
        check("init", "", 4096, 0.0);
    }
}
