//! The table of measured runs.
//!
//! The first line names the columns, in any order: `set`, `model`, `platform`, `kernels`, `noise`
//! (`yes` or `no`), the parameters of HPL (`n`, `nb`, `p`, `q`, `bcast`, `depth`, `swap`, `pfact`,
//! `rfact`, and `options`, more options of `foretell app hpl`), what was measured (`gflops`, the mean of `runs` runs between `lowest` and `highest`),
//! and `simgrid`, what SimGrid predicted; the last may be empty.

use std::fmt;

use anyhow::{Context, Result, bail};

/// One measured configuration, and the model that predicts it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Case {
    /// The experiment it belongs to.
    pub(crate) set: String,
    /// What the model knows, in words.
    pub(crate) model: String,
    /// Platform file of the folder.
    pub(crate) platform: String,
    /// Models of compute kernels, a file of the folder.
    pub(crate) kernels: String,
    /// Whether durations of kernels vary.
    pub(crate) noise: bool,
    /// Order of the matrix.
    pub(crate) n: u64,
    /// Size of a block.
    pub(crate) nb: u64,
    /// Rows of the grid of processes.
    pub(crate) p: u64,
    /// Its columns.
    pub(crate) q: u64,
    /// The broadcast of panels, as `foretell app hpl` calls it.
    pub(crate) bcast: String,
    /// Depth of the look-ahead.
    pub(crate) depth: u64,
    /// How rows are swapped.
    pub(crate) swap: String,
    /// Factorisation of columns.
    pub(crate) pfact: String,
    /// Recursive factorisation.
    pub(crate) rfact: String,
    /// Other options of `foretell app hpl`, with blanks between them.
    pub(crate) options: String,
    /// What was measured.
    pub(crate) measured: Measured,
    /// What SimGrid predicted, in Gflop/s.
    pub(crate) simgrid: Option<f64>,
}

/// Measured Gflop/s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// Mean of all runs.
    pub(crate) mean: f64,
    /// The slowest run.
    pub(crate) lowest: f64,
    /// The fastest run.
    pub(crate) highest: f64,
    /// How many runs there were.
    pub(crate) runs: u64,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set, model, n, nb, p, q, bcast, depth, swap, .. } = self;
        write!(f, "{set}, {model}: N={n} NB={nb} {p}x{q} {bcast} depth {depth} {swap}")
    }
}

impl Case {
    /// The options of `foretell app hpl` that set its parameters.
    pub(crate) fn parameters(&self) -> Vec<String> {
        let Self { n, nb, p, q, bcast, depth, swap, pfact, rfact, .. } = self;
        let mut words: Vec<String> = Vec::new();
        let mut push = |option: &str, value: &str| words.extend([option.into(), value.into()]);
        for (option, value) in [("-N", n), ("--nb", nb), ("-P", p), ("-Q", q), ("--depth", depth)] {
            push(option, &value.to_string());
        }
        let named = [("--bcast", bcast), ("--swap", swap), ("--pfact", pfact), ("--rfact", rfact)];
        for (option, value) in named {
            push(option, value);
        }
        words.extend(self.options.split_whitespace().map(str::to_owned));
        words
    }
}

/// Reads a table of runs.
pub(crate) fn read(text: &str) -> Result<Vec<Case>> {
    let lines =
        text.lines().zip(1..).filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
    let mut lines =
        lines.map(|(line, number)| (line.split(',').map(str::trim).collect::<Vec<_>>(), number));
    let Some((columns, _)) = lines.next() else { bail!("the table is empty") };
    lines
        .map(|(fields, number)| case(&columns, &fields).context(format!("line {number}")))
        .collect()
}

fn case(columns: &[&str], fields: &[&str]) -> Result<Case> {
    if fields.len() != columns.len() {
        bail!("{} fields under {} columns", fields.len(), columns.len());
    }
    let text = |name: &str| {
        let place = columns.iter().position(|column| *column == name);
        place.map(|place| fields[place]).with_context(|| format!("there is no column `{name}`"))
    };
    let owned = |name: &str| text(name).map(str::to_owned);
    let whole = |name: &str| {
        let field = text(name)?;
        field.parse::<u64>().with_context(|| format!("`{field}` in column `{name}` is no number"))
    };
    let positive = |name: &str| {
        let field = text(name)?;
        let number = field.parse::<f64>().ok().filter(|number| *number > 0.0);
        number.with_context(|| format!("`{field}` in column `{name}` is not above zero"))
    };
    Ok(Case {
        set: owned("set")?,
        model: owned("model")?,
        platform: owned("platform")?,
        kernels: owned("kernels")?,
        noise: match text("noise")? {
            "yes" => true,
            "no" => false,
            other => bail!("`{other}` in column `noise` is neither yes nor no"),
        },
        n: whole("n")?,
        nb: whole("nb")?,
        p: whole("p")?,
        q: whole("q")?,
        bcast: owned("bcast")?,
        depth: whole("depth")?,
        swap: owned("swap")?,
        pfact: owned("pfact")?,
        rfact: owned("rfact")?,
        options: owned("options")?,
        measured: Measured {
            mean: positive("gflops")?,
            lowest: positive("lowest")?,
            highest: positive("highest")?,
            runs: whole("runs")?,
        },
        simgrid: if text("simgrid")?.is_empty() { None } else { Some(positive("simgrid")?) },
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    const HEAD: &str = "set,model,platform,kernels,noise,n,nb,p,q,bcast,depth,swap,pfact,rfact,\
                        options,gflops,lowest,highest,runs,simgrid";
    const LINE: &str = "sizes,one law,p.toml,k.toml,no,5000,128,4,8,2ring,1,binary-exchange,\
                        crout,right,--nbmin 2 --copy-l,120,110,130,3,";

    /// A case with so many measured and predicted Gflop/s.
    pub(crate) fn measured(mean: f64, simgrid: Option<f64>) -> Case {
        let mut case = read(&format!("{HEAD}\n{LINE}")).unwrap().remove(0);
        case.measured.mean = mean;
        Case { simgrid, ..case }
    }

    #[test]
    fn a_line_becomes_a_case_and_options() {
        let cases = read(&format!("# a comment\n{HEAD}\n{LINE}\n")).unwrap();
        let [case] = &cases[..] else { panic!("one line, one case") };
        assert_eq!((case.n, case.noise, case.simgrid), (5000, false, None));
        assert_eq!(case.measured.runs, 3);
        assert_eq!(
            case.parameters().join(" "),
            "-N 5000 --nb 128 -P 4 -Q 8 --depth 1 --bcast 2ring --swap binary-exchange \
             --pfact crout --rfact right --nbmin 2 --copy-l"
        );
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        let wrong = |from: &str, to: &str| {
            format!("{:#}", read(&format!("{HEAD}\n{}", LINE.replace(from, to))).unwrap_err())
        };
        assert_eq!(wrong(",3,", ","), "line 2: 19 fields under 20 columns");
        assert_eq!(
            wrong(",no,", ",maybe,"),
            "line 2: `maybe` in column `noise` is neither yes nor no"
        );
        assert_eq!(wrong(",120,", ",-1,"), "line 2: `-1` in column `gflops` is not above zero");
        assert!(wrong("5000", "many").starts_with("line 2: `many` in column `n` is no number"));
        let head = HEAD.replace("kernels,", "");
        let error =
            format!("{:#}", read(&format!("{head}\n{}", LINE.replace("k.toml,", ""))).unwrap_err());
        assert_eq!(error, "line 2: there is no column `kernels`");
        assert_eq!(read("").unwrap_err().to_string(), "the table is empty");
    }
}
