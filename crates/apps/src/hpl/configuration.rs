//! One configuration of HPL: what a line of its results stands for.

use clap::ValueEnum;

/// All parameters of one solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Configuration {
    /// Order of the matrix.
    pub n: usize,
    /// Columns of a panel.
    pub nb: usize,
    /// Rows of the process grid.
    pub p: usize,
    /// Columns of the process grid.
    pub q: usize,
    /// How ranks are laid out on the grid.
    pub map: ProcessMap,
    /// Depth of the look-ahead.
    pub depth: usize,
    /// How panels are broadcast.
    pub bcast: Bcast,
    /// Recursive panel factorisation.
    pub rfact: Factorisation,
    /// Parts that a panel is divided into, again and again.
    pub ndiv: usize,
    /// Factorisation of what is not divided any more.
    pub pfact: Factorisation,
    /// Most columns of what is not divided any more.
    pub nbmin: usize,
    /// How rows are swapped.
    pub swap: Swap,
    /// Columns above which the mix takes the long form.
    pub threshold: usize,
    /// Whether the long form evens out what processes hold.
    pub equilibration: bool,
    /// Whether the top of a panel is kept transposed.
    pub l1: Form,
    /// Whether the rows swapped in are kept transposed.
    pub u: Form,
    /// Whether a panel is copied before it is broadcast, as HPL does that was built with
    /// `HPL_COPY_L` or without derived datatypes.
    pub copies_l: bool,
}

/// How ranks are laid out on the grid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProcessMap {
    /// Consecutive ranks in a row
    Row,
    /// Consecutive ranks in a column
    Column,
}

/// How panels are broadcast along rows of processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Bcast {
    /// From each process to the next
    #[value(name = "1ring")]
    Ring,
    /// The same, but the next root is served first and passes nothing on
    #[value(name = "1ringM", alias = "1ringm")]
    RingModified,
    /// Two rings, each through half of the processes
    #[value(name = "2ring")]
    TwoRings,
    /// The same, but the next root is served first and passes nothing on
    #[value(name = "2ringM", alias = "2ringm")]
    TwoRingsModified,
    /// Spread in pieces, then rolled
    #[value(name = "long", alias = "blong")]
    Long,
    /// The same, but the next root is served first and whole
    #[value(name = "longM", aliases = ["longm", "blongM", "blongm"])]
    LongModified,
}

impl Bcast {
    /// All of them, by HPL's numbers.
    pub const ALL: [Bcast; 6] = [
        Bcast::Ring,
        Bcast::RingModified,
        Bcast::TwoRings,
        Bcast::TwoRingsModified,
        Bcast::Long,
        Bcast::LongModified,
    ];
}

/// Which part of a panel is updated when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Factorisation {
    /// Columns when their turn comes
    Left,
    /// A column and a row when their turn comes
    Crout,
    /// All that is left, at once
    Right,
}

impl Factorisation {
    /// All of them, by HPL's numbers.
    pub const ALL: [Factorisation; 3] =
        [Factorisation::Left, Factorisation::Crout, Factorisation::Right];

    fn letter(self) -> char {
        match self {
            Factorisation::Left => 'L',
            Factorisation::Crout => 'C',
            Factorisation::Right => 'R',
        }
    }
}

/// How rows are swapped among the processes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Swap {
    /// Exchanges along a hypercube
    BinaryExchange,
    /// Spread, then rolled
    #[value(alias = "spread-roll")]
    Long,
    /// The latter for more columns than the threshold, else the former
    Mix,
}

impl Swap {
    /// All of them, by HPL's numbers.
    pub const ALL: [Swap; 3] = [Swap::BinaryExchange, Swap::Long, Swap::Mix];
}

/// How a part of the matrix is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// Transposed
    Transposed,
    /// As it is
    Plain,
}

impl Configuration {
    /// HPL's own word for the variant, such as `WR12R2C4`.
    pub fn variant(&self) -> String {
        let map = match self.map {
            ProcessMap::Row => 'R',
            ProcessMap::Column => 'C',
        };
        let bcast = Bcast::ALL.iter().position(|bcast| *bcast == self.bcast).unwrap_or_default();
        let (rfact, pfact) = (self.rfact.letter(), self.pfact.letter());
        format!("W{map}{}{bcast}{rfact}{}{pfact}{}", self.depth, self.ndiv, self.nbmin)
    }

    /// Ranks that take part.
    pub fn processes(&self) -> usize {
        self.p * self.q
    }

    /// Billions of operations a second, by HPL's formula.
    pub fn gflops(&self, seconds: f64) -> f64 {
        let n = self.n as f64;
        (n / 1e9) * (n / seconds) * (2.0 / 3.0 * n + 1.5)
    }
}
