//! Bounds of parameters: beyond any machine, and low enough that no sum or product overflows.

use clap::builder::{
    PossibleValuesParser, RangedI64ValueParser, RangedU64ValueParser, TypedValueParser,
};

/// Bytes of one message or block: 64 GiB.
pub(crate) fn bytes() -> RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(..=1 << 36)
}

/// Points along one side of a grid.
pub(crate) fn points() -> RangedU64ValueParser<u64> {
    clap::value_parser!(u64).range(..=1 << 16)
}

/// Logarithm of a number of things.
pub(crate) fn logarithm() -> RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(..=50)
}

/// One of these numbers.
pub(crate) fn one_of(
    numbers: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = u32> {
    let parser = PossibleValuesParser::new(numbers);
    parser.map(|number| number.parse().expect("the possible values are numbers"))
}

/// A number of floating-point operations.
pub(crate) fn operations(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
        _ => Err("expected a number of operations, zero or more".into()),
    }
}
