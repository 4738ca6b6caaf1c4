//! `HPL.dat`, the input of HPL: 31 lines, each with values in front and an explanation behind.

use super::configuration::{Bcast, Configuration, Factorisation, Form, ProcessMap, Swap};

/// Reads all configurations in the order in which HPL runs them. A mistake begins with its line.
pub(super) fn read(text: &str) -> Result<Vec<Configuration>, String> {
    let mut lines = Lines { lines: text.lines().collect(), at: 4 };
    let orders = lines.list("matrix orders")?;
    let blocks = lines.list("block sizes")?;
    let map = lines.choice(&[ProcessMap::Row, ProcessMap::Column])?;
    let count = lines.number()?;
    let (rows, columns) = (lines.values(count)?, lines.values(count)?);
    lines.at += 1; // The threshold of the check.
    let pfacts = lines.choices(&Factorisation::ALL)?;
    let nbmins = lines.list("stopping criteria")?;
    let ndivs = lines.list("panels in recursion")?;
    let rfacts = lines.choices(&Factorisation::ALL)?;
    let bcasts = lines.choices(&Bcast::ALL)?;
    let depths = lines.list("look-ahead depths")?;
    let swap = lines.choice(&Swap::ALL)?;
    let threshold = lines.number()?;
    let l1 = lines.choice(&[Form::Transposed, Form::Plain])?;
    let u = lines.choice(&[Form::Transposed, Form::Plain])?;
    let equilibration = lines.number()? != 0;
    let mut all = Vec::new();
    for (p, q) in rows.into_iter().zip(columns) {
        for (n, nb, depth) in triples(&orders, &blocks, &depths) {
            for (bcast, rfact, pfact) in triples(&bcasts, &rfacts, &pfacts) {
                for (nbmin, ndiv, ()) in triples(&nbmins, &ndivs, &[()]) {
                    let configuration = Configuration {
                        n,
                        nb,
                        p,
                        q,
                        map,
                        depth,
                        bcast,
                        rfact,
                        ndiv,
                        pfact,
                        nbmin,
                        swap,
                        threshold,
                        equilibration,
                        l1,
                        u,
                        copies_l: false,
                    };
                    all.push(sound(configuration)?);
                }
            }
        }
    }
    Ok(all)
}

/// A configuration that can be run.
fn sound(configuration: Configuration) -> Result<Configuration, String> {
    let Configuration { n, nb, p, q, nbmin, ndiv, .. } = configuration;
    match [n, nb, p, q, nbmin].contains(&0) || ndiv < 2 {
        true => Err(" orders, blocks, grids and NBMINs are at least 1, NDIVs at least 2".into()),
        false => Ok(configuration),
    }
}

/// All combinations, the last changing fastest.
fn triples<A: Copy, B: Copy, C: Copy>(
    first: &[A],
    second: &[B],
    third: &[C],
) -> impl Iterator<Item = (A, B, C)> {
    first
        .iter()
        .flat_map(move |a| second.iter().flat_map(move |b| third.iter().map(move |c| (*a, *b, *c))))
}

struct Lines<'a> {
    lines: Vec<&'a str>,
    /// The next line, from zero.
    at: usize,
}

impl Lines<'_> {
    /// The first `count` numbers of the next line.
    fn values(&mut self, count: usize) -> Result<Vec<usize>, String> {
        self.at += 1;
        let Some(line) = self.lines.get(self.at - 1) else {
            return Err(format!("{}: the file ends before this line", self.at));
        };
        let mut words = line.split_whitespace();
        let value = |_| match words.next() {
            Some(word) => {
                word.parse().map_err(|_| format!("{}: `{word}` is not a number", self.at))
            }
            None => Err(format!("{}: there are fewer than {count} numbers", self.at)),
        };
        (0..count).map(value).collect()
    }

    fn number(&mut self) -> Result<usize, String> {
        Ok(self.values(1)?[0])
    }

    /// A line with a count, and one with as many values.
    fn list(&mut self, what: &str) -> Result<Vec<usize>, String> {
        let count = self.number()?;
        if count == 0 {
            return Err(format!("{}: there are no {what}", self.at));
        }
        self.values(count)
    }

    fn choice<T: Copy>(&mut self, meanings: &[T]) -> Result<T, String> {
        let number = self.number()?;
        self.meaning(number, meanings)
    }

    fn choices<T: Copy>(&mut self, meanings: &[T]) -> Result<Vec<T>, String> {
        let numbers = self.list("variants")?;
        numbers.into_iter().map(|number| self.meaning(number, meanings)).collect()
    }

    fn meaning<T: Copy>(&self, number: usize, meanings: &[T]) -> Result<T, String> {
        meanings.get(number).copied().ok_or_else(|| {
            format!("{}: `{number}` is not a number from 0 to {}", self.at, meanings.len() - 1)
        })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) const EXAMPLE: &str = "\
a file
for tests
HPL.out  output file
6        device out
2        orders
1000 500 Ns
1        blocks
128      NBs
0        PMAP
2        grids
2 1      Ps
2 4      Qs
16.0     threshold
1        panel fact
0 1 2    PFACTs
1        stopping criteria
2 4      NBMINs
1        panels in recursion
2        NDIVs
1        recursive fact
0        RFACTs
2        broadcasts
0 5      BCASTs
1        depths
0 1      DEPTHs
2        SWAP
64       threshold
0        L1
1        U
1        equilibration
8        alignment
";

    #[test]
    fn all_combinations_are_run_in_order() {
        let all = read(EXAMPLE).unwrap();
        assert_eq!(all.len(), 8);
        let told: Vec<_> = all.iter().map(|c| (c.p, c.q, c.n, c.variant())).collect();
        assert_eq!(told[0], (2, 2, 1000, "WR00L2L2".into()));
        assert_eq!(told[1], (2, 2, 1000, "WR05L2L2".into()));
        assert_eq!(told[2], (2, 2, 500, "WR00L2L2".into()));
        assert_eq!(told[4], (1, 4, 1000, "WR00L2L2".into()));
        assert_eq!((all[0].swap, all[0].threshold), (Swap::Mix, 64));
        assert_eq!((all[0].l1, all[0].u), (Form::Transposed, Form::Plain));
    }

    #[test]
    fn mistakes_have_their_line() {
        let broken = |from: &str, to: &str| read(&EXAMPLE.replace(from, to)).unwrap_err();
        assert_eq!(broken("1000 500 Ns", "1000 x"), "6: `x` is not a number");
        assert_eq!(broken("0 5      BCASTs", "0 6"), "23: `6` is not a number from 0 to 5");
        assert_eq!(broken("128      NBs", ""), "8: there are fewer than 1 numbers");
        assert_eq!(read("").unwrap_err(), "5: the file ends before this line");
    }
}
