//! Quantities as they are read and printed.

use proptest::prelude::*;

use super::*;
use crate::{Problem, has_unit};

fn check<T>(text: &str, expected: T)
where
    T: FromStr<Err = ParseError> + PartialEq + fmt::Debug,
{
    assert_eq!(text.parse::<T>(), Ok(expected), "{text}");
}

#[test]
fn durations_read_from_picoseconds_to_weeks() {
    check("15us", Seconds(1.5e-5));
    check("15 µs", Seconds(1.5e-5));
    check("2.5 ns", Seconds(2.5e-9));
    check("7ps", Seconds(7e-12));
    check("3ms", Seconds(3e-3));
    check("2s", Seconds(2.0));
    check("2m", Seconds(120.0));
    check("1h", Seconds(3600.0));
    check("1d", Seconds(86_400.0));
    check("1w", Seconds(604_800.0));
}

#[test]
fn bare_numbers_are_in_base_units() {
    check("1e-5", Seconds(1e-5));
    check("1.25E8", BytesPerSecond(1.25e8));
    check(" 100 ", Bytes(100.0));
    check(".5", FlopPerSecond(0.5));
    check("5.", FlopPerSecond(5.0));
}

#[test]
fn bits_are_eighths_of_bytes() {
    check("10Gbps", BytesPerSecond(1.25e9));
    check("1.25GBps", BytesPerSecond(1.25e9));
    check("1.25 GB/s", BytesPerSecond(1.25e9));
    check("8b", Bytes(1.0));
}

#[test]
fn binary_prefixes_are_powers_of_1024() {
    check("64KiB", Bytes(65_536.0));
    check("1MiBps", BytesPerSecond(1_048_576.0));
    check("64kB", Bytes(64_000.0));
}

#[test]
fn exa_is_not_an_exponent() {
    check("5EB", Bytes(5e18));
    check("5E3B", Bytes(5e3));
    check("1Ef", FlopPerSecond(1e18));
}

#[test]
fn speeds_powers_and_energies_read() {
    check("9.8Gf", FlopPerSecond(9.8e9));
    check("9.8 Gflop/s", FlopPerSecond(9.8e9));
    check("3Tflop", Flop(3e12));
    check("95W", Watt(95.0));
    check("500mW", Watt(0.5));
    check("2kWh", Joule(7.2e6));
}

#[test]
fn mistakes_say_what_was_expected() {
    let message = |text: &str| text.parse::<BytesPerSecond>().unwrap_err().to_string();
    assert_eq!(
        message("10GBs"),
        "`GBs` is not a unit of a bandwidth: expected a number and Bps (bytes) or bps (bits) \
         with a prefix k, M, G or Ki, Mi, Gi, like `10Gbps`"
    );
    assert!(message("10G").starts_with("`10G` has a prefix `G` but no unit"));
    assert_eq!(
        message("10KBps"),
        "`K` is ambiguous in `10KBps`: expected `k` for 1000 or `Ki` for 1024"
    );
    assert!(message("").starts_with("a bandwidth is missing"));
    assert!(message("fast").starts_with("`fast` is not a bandwidth"));
    assert!(message("-3Bps").starts_with("`-3Bps` is negative"));
    assert!(message("1e400").starts_with("`1e400` is too large for a bandwidth"));
}

#[test]
fn words_for_no_number_are_refused() {
    for text in ["inf", "nan", "NaN", "infinity", "+", "-", ".", "e5", "--1", "1e99999999999"] {
        let problem = text.parse::<Seconds>().unwrap_err().problem;
        assert!(matches!(problem, Problem::NoNumber | Problem::TooLarge), "{text}: {problem:?}");
    }
}

#[test]
fn bare_numbers_are_seen_as_such() {
    assert!(has_unit("15us") && has_unit("2.5 ns") && has_unit("5EB"));
    assert!(!has_unit("1.25E8") && !has_unit(" 100 ") && !has_unit("1e-5"));
}

#[test]
fn printing_picks_a_readable_prefix() {
    assert_eq!(BytesPerSecond(1.25e9).to_string(), "1.25 GB/s");
    assert_eq!(Seconds(1.5e-5).to_string(), "15 us");
    assert_eq!(Seconds(120.0).to_string(), "120 s");
    assert_eq!(Seconds(0.0).to_string(), "0 s");
    assert_eq!(Seconds(1e-15).to_string(), "0.001 ps");
    assert_eq!(Bytes(65_536.0).to_string(), "64 KiB");
    assert_eq!(Bytes(64_000.0).to_string(), "64 kB");
    assert_eq!(FlopPerSecond(9.8e9).to_string(), "9.8 Gflop/s");
    assert_eq!(Joule(0.25).to_string(), "250 mJ");
    assert_eq!(Seconds(-2e-3).to_string(), "-2 ms");
}

#[test]
fn rates_times_and_amounts_relate() {
    assert_eq!(Bytes(100.0) / BytesPerSecond(50.0), Seconds(2.0));
    assert_eq!(FlopPerSecond(3.0) * Seconds(2.0), Flop(6.0));
    assert_eq!(Joule(10.0) / Seconds(5.0), Watt(2.0));
    assert_eq!(Seconds(3.0) / Seconds(2.0), 1.5);
}

fn amounts() -> impl Strategy<Value = f64> {
    prop_oneof![
        (0.0..1e3_f64, -20..25_i32).prop_map(|(digits, power)| digits * 10_f64.powi(power)),
        (0..1_u64 << 50).prop_map(|whole| whole as f64),
        proptest::num::f64::POSITIVE,
    ]
}

proptest! {
    #[test]
    fn what_is_printed_is_read_back_to_the_bit(value in amounts()) {
        prop_assume!(value.is_finite());
        macro_rules! check {
            ($($name:ident)*) => {
                $(let text = $name(value).to_string();
                prop_assert_eq!(text.parse::<$name>(), Ok($name(value)), "{}", text);)*
            };
        }
        check!(Seconds Bytes BytesPerSecond Flop FlopPerSecond Watt Joule);
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,12}") {
        let _ = text.parse::<Seconds>();
        let _ = text.parse::<BytesPerSecond>();
        let _ = has_unit(&text);
    }

    #[test]
    fn near_numbers_never_panic(text in "[-+]?[0-9.]{0,4}[eE]?[-+]?[0-9]{0,3}[kKMi]{0,2}[bBpfsW/]{0,3}") {
        let _ = text.parse::<Seconds>();
        let _ = text.parse::<Bytes>();
        let _ = text.parse::<FlopPerSecond>();
        let _ = text.parse::<Joule>();
    }
}
