//! An algorithm with parameters, as users write it: `bruck_radix:radix=8` or `han:segment=64k,outer=rdb`.

use super::{Choice, range};
use crate::collective::Operation;

/// The largest radix that makes sense; more would not fit our numbers for many ranks.
const WIDEST: u32 = 1024;

impl Choice {
    /// Reads an algorithm of an operation with its parameters. None if there is no such algorithm.
    pub(super) fn read(operation: Operation, text: &str) -> Result<Option<Choice>, String> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let Some(algorithm) = operation.algorithm(name) else { return Ok(None) };
        let mut choice = Choice::named(algorithm);
        for parameter in parameters.split(',').filter(|parameter| !parameter.is_empty()) {
            let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let level =
                || operation.algorithm(value).ok_or_else(|| operation.unknown(value)).map(Some);
            match key {
                "segment" => choice.segment = Some(range::number(value)?),
                "radix" => choice.radix = Some(radix(value)?),
                "inner" => choice.inner = level()?,
                "outer" => choice.outer = level()?,
                _ => {
                    return Err(format!(
                        "`{parameter}` of {name} is no parameter; there are: segment=64k, \
                         radix=4, inner=ALGORITHM, outer=ALGORITHM"
                    ));
                }
            }
        }
        Ok(Some(choice))
    }
}

/// Reads a radix. Where it limits how much is under way at once, 0 is no limit; elsewhere less than
/// 2 counts as 2.
pub(super) fn radix(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| *number <= WIDEST);
    number.ok_or_else(|| format!("`{text}` is no radix; write a number from 0 to {WIDEST}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Option<Choice>, String> {
        Choice::read(Operation::Allreduce, text)
    }

    #[test]
    fn parameters_follow_the_name() {
        let choice = read("han:segment=64k,radix=8,inner=lr,outer=ompi_ring").unwrap().unwrap();
        assert_eq!((choice.algorithm, choice.segment, choice.radix), ("han", Some(65536), Some(8)));
        assert_eq!((choice.inner, choice.outer), (Some("lr"), Some("lr")));
        assert_eq!(read("rdb"), Ok(Some(Choice::named("rdb"))));
        assert_eq!(read("none:radix=2"), Ok(None));
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        for text in ["rdb:fast", "rdb:radix=-1", "rdb:radix=9999", "rdb:segment=x", "han:inner=no"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
