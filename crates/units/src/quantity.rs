//! The quantities themselves and the arithmetic between them.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};
use std::str::FromStr;

use crate::parse::{Notation, ParseError, Scale, parse};
use crate::print::{Prefixes, print};

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $unit:literal, $prefixes:expr, $notation:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
        pub struct $name(pub f64);

        impl $name {
            /// None of it.
            pub const ZERO: Self = Self(0.0);

            /// A value in the base unit.
            pub const fn new(value: f64) -> Self {
                Self(value)
            }

            /// The value in the base unit.
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                print(f, self.0, $unit, $prefixes)
            }
        }

        /// A bare number is taken in the base unit; a negative one is refused.
        impl FromStr for $name {
            type Err = ParseError;

            fn from_str(text: &str) -> Result<Self, ParseError> {
                parse(text, &$notation).map(Self)
            }
        }

        impl Add for $name {
            type Output = Self;

            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                self.0 += other.0;
            }
        }

        impl Sub for $name {
            type Output = Self;

            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }

        impl SubAssign for $name {
            fn sub_assign(&mut self, other: Self) {
                self.0 -= other.0;
            }
        }

        impl Mul<f64> for $name {
            type Output = Self;

            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }

        impl Div<f64> for $name {
            type Output = Self;

            fn div(self, divisor: f64) -> Self {
                Self(self.0 / divisor)
            }
        }

        /// How many times one goes into the other.
        impl Div for $name {
            type Output = f64;

            fn div(self, other: Self) -> f64 {
                self.0 / other.0
            }
        }

        impl Sum for $name {
            fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
                Self(values.map(|value| value.0).sum())
            }
        }
    };
}

macro_rules! relation {
    ($rate:ident, $time:ident, $amount:ident) => {
        impl Mul<$time> for $rate {
            type Output = $amount;

            fn mul(self, time: $time) -> $amount {
                $amount(self.0 * time.0)
            }
        }

        impl Div<$rate> for $amount {
            type Output = $time;

            fn div(self, rate: $rate) -> $time {
                $time(self.0 / rate.0)
            }
        }

        impl Div<$time> for $amount {
            type Output = $rate;

            fn div(self, time: $time) -> $rate {
                $rate(self.0 / time.0)
            }
        }
    };
}

quantity!(
    /// A duration, or a date counted from the start of the simulation.
    Seconds, "s", Prefixes::Small,
    Notation {
        noun: "a duration",
        expected: "a number and one of ps, ns, us, ms, s, m, h, d, w, like `15us`",
        bases: &[],
        scale: Scale::Time,
    }
);

quantity!(
    /// An amount of data.
    Bytes, "B", Prefixes::LargeOrBinary,
    Notation {
        noun: "a size",
        expected: "a number and B (bytes) or b (bits) with a prefix k, M, G or Ki, Mi, Gi, like `64KiB`",
        bases: &[("B", 1.0), ("b", 8.0)],
        scale: Scale::DecimalAndBinary,
    }
);

quantity!(
    /// A rate of data: the bandwidth of a link.
    BytesPerSecond, "B/s", Prefixes::Large,
    Notation {
        noun: "a bandwidth",
        expected: "a number and Bps (bytes) or bps (bits) with a prefix k, M, G or Ki, Mi, Gi, like `10Gbps`",
        bases: &[("Bps", 1.0), ("bps", 8.0), ("B/s", 1.0), ("b/s", 8.0)],
        scale: Scale::DecimalAndBinary,
    }
);

quantity!(
    /// An amount of computation, in floating-point operations.
    Flop, "flop", Prefixes::Large,
    Notation {
        noun: "an amount of computation",
        expected: "a number and f with a prefix k, M, G, T, P or E, like `2.5Gf`",
        bases: &[("flop", 1.0), ("f", 1.0)],
        scale: Scale::Decimal,
    }
);

quantity!(
    /// A rate of computation: the speed of a core.
    FlopPerSecond, "flop/s", Prefixes::Large,
    Notation {
        noun: "a speed",
        expected: "a number and f (flop/s) with a prefix k, M, G, T, P or E, like `9.8Gf`",
        bases: &[("flop/s", 1.0), ("flops", 1.0), ("f/s", 1.0), ("f", 1.0)],
        scale: Scale::Decimal,
    }
);

quantity!(
    /// A power.
    Watt, "W", Prefixes::Any,
    Notation {
        noun: "a power",
        expected: "a number and W with a prefix m, k, M or G, like `95W`",
        bases: &[("W", 1.0)],
        scale: Scale::Physical,
    }
);

quantity!(
    /// An energy.
    Joule, "J", Prefixes::Any,
    Notation {
        noun: "an energy",
        expected: "a number and J or Wh with a prefix m, k, M or G, like `12kJ`",
        // A watt-hour is 3600 J.
        bases: &[("J", 1.0), ("Wh", 1.0 / 3600.0)],
        scale: Scale::Physical,
    }
);

relation!(BytesPerSecond, Seconds, Bytes);
relation!(FlopPerSecond, Seconds, Flop);
relation!(Watt, Seconds, Joule);

#[cfg(test)]
mod tests;
