//! Models of kernels in TOML: a table for each kernel.
//!
//! ```toml
//! cpus = 2
//! [dgemm]
//! mean = { mnk = 1.029e-11, 1 = 2e-7 }
//! deviation = { mnk = 3e-13 }
//! [[dgemm.on]]
//! hosts = ["dahu-[13-16]"]
//! cpu = 1
//! mean = { mnk = 1.15e-11 }
//! ```

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use foretell_diagnostics::{Diagnostic, did_you_mean};

use super::known::{KernelId, MOST_DIMENSIONS};
use super::law::Law;
use super::polynomial::{Monomial, Polynomial};
use super::spec::{ComputeKernels, Numbering, Scope, expanded};

type Entry<'a> = (&'a Spanned<std::borrow::Cow<'a, str>>, &'a Spanned<DeValue<'a>>);
type Read<T> = Result<T, Diagnostic>;

pub(super) fn read(text: &str) -> Result<ComputeKernels, Vec<Diagnostic>> {
    let (document, errors) = DeTable::parse_recoverable(text);
    let mut mistakes: Vec<Diagnostic> = errors
        .iter()
        .map(|error| Diagnostic::error(error.span().unwrap_or(0..0), error.message()))
        .collect();
    let mut kernels = ComputeKernels::default();
    if mistakes.is_empty() {
        for entry in document.get_ref() {
            read_entry(&mut kernels, entry, &mut mistakes);
        }
    }
    mistakes.sort_by_key(|mistake| mistake.span.start);
    if mistakes.is_empty() { Ok(kernels) } else { Err(mistakes) }
}

fn read_entry(kernels: &mut ComputeKernels, entry: Entry<'_>, mistakes: &mut Vec<Diagnostic>) {
    let (key, value) = entry;
    let outcome = match (key.get_ref().as_ref(), value.get_ref()) {
        ("cpus", _) => whole(value, 1..1025).map(|cpus| kernels.cpus = cpus),
        ("cores", _) => numbering(value).map(|numbering| kernels.numbering = numbering),
        (name, DeValue::Table(table)) => read_kernel(kernels, name, key.span(), table, mistakes),
        (name, _) => {
            let message = format!("`{name}` must be a table of a kernel's model");
            Err(Diagnostic::error(key.span(), message).with_help(format!("write [{name}]")))
        }
    };
    mistakes.extend(outcome.err());
}

fn numbering(value: &Spanned<DeValue<'_>>) -> Read<Numbering> {
    let name = text(value)?;
    Numbering::named(&name).ok_or_else(|| {
        Diagnostic::error(value.span(), "expected \"blocks\" or \"alternate\"")
            .with_help("cores of one CPU after those of the other, or one of each in turn")
    })
}

fn read_kernel(
    kernels: &mut ComputeKernels,
    name: &str,
    span: Range<usize>,
    table: &DeTable<'_>,
    mistakes: &mut Vec<Diagnostic>,
) -> Read<()> {
    let dimensions = table.get("dimensions").map(letters).transpose()?;
    let id = kernels.declare(name, dimensions.as_deref(), span)?;
    let own = ["dimensions", "mean", "deviation", "on"];
    if table.contains_key("mean") || table.contains_key("deviation") {
        match law(table, kernels.dimensions(id)) {
            Ok(law) => kernels.set(id, Scope::default(), law),
            Err(mistake) => mistakes.push(mistake),
        }
    }
    mistakes.extend(unknown_keys(table, &own));
    let Some(special) = table.get("on") else { return Ok(()) };
    let DeValue::Array(items) = special.get_ref() else {
        let mistake = Diagnostic::error(special.span(), "`on` is a list of tables");
        return Err(mistake.with_help(format!("write [[{name}.on]] with two brackets")));
    };
    for item in items.iter() {
        mistakes.extend(read_special(kernels, id, item, mistakes_of).err().into_iter().flatten());
    }
    Ok(())
}

/// Mistakes of a table that are no reason to stop reading it.
fn mistakes_of(table: &DeTable<'_>) -> Vec<Diagnostic> {
    unknown_keys(table, &["hosts", "cpu", "day", "mean", "deviation"])
}

fn read_special(
    kernels: &mut ComputeKernels,
    id: KernelId,
    item: &Spanned<DeValue<'_>>,
    check: impl Fn(&DeTable<'_>) -> Vec<Diagnostic>,
) -> Result<(), Vec<Diagnostic>> {
    let DeValue::Table(table) = item.get_ref() else {
        return Err(vec![Diagnostic::error(item.span(), "`on` is a list of tables")]);
    };
    let mut mistakes = check(table);
    if !table.contains_key("mean") {
        mistakes.push(Diagnostic::error(item.span(), "this model lacks `mean`"));
    }
    match (scope(table), law(table, kernels.dimensions(id))) {
        (Ok(scope), Ok(law)) => kernels.set(id, scope, law),
        (scope, law) => mistakes.extend(scope.err().into_iter().chain(law.err())),
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

fn scope(table: &DeTable<'_>) -> Read<Scope> {
    let hosts = match table.get("hosts") {
        None => Vec::new(),
        Some(value) => match value.get_ref() {
            DeValue::Array(items) => {
                let names: Read<Vec<Vec<String>>> = items.iter().map(hosts).collect();
                names?.into_iter().flatten().collect()
            }
            _ => hosts(value)?,
        },
    };
    let cpu = table.get("cpu").map(|value| whole(value, 0..1024)).transpose()?;
    let day = table.get("day").map(text).transpose()?;
    Ok(Scope { hosts, cpu, day })
}

fn hosts(value: &Spanned<DeValue<'_>>) -> Read<Vec<String>> {
    expanded(&text(value)?).ok_or_else(|| {
        let mistake = Diagnostic::error(value.span(), "this is no range of hosts");
        mistake.with_help("write \"node-[1-16]\"")
    })
}

fn law(table: &DeTable<'_>, dimensions: &str) -> Read<Law> {
    let part = |key: &str| match table.get(key) {
        Some(value) => polynomial(value, dimensions),
        None => Ok(Polynomial::ZERO),
    };
    Ok(Law { mean: part("mean")?, deviation: part("deviation")? })
}

fn polynomial(value: &Spanned<DeValue<'_>>, dimensions: &str) -> Read<Polynomial> {
    match value.get_ref() {
        DeValue::Table(terms) => {
            let mut sum = Polynomial::default();
            for (key, coefficient) in terms.iter() {
                let powers = monomial(key.get_ref(), dimensions)
                    .map_err(|why| Diagnostic::error(key.span(), why))?;
                sum.add(number(coefficient)?, powers);
            }
            Ok(sum)
        }
        _ => Ok(Polynomial::new([(number(value)?, [0; MOST_DIMENSIONS])])),
    }
}

/// No kernel takes longer than that.
const HIGHEST_POWER: u8 = 9;

/// The powers in a term such as `mnk`, `n^2` or `1`.
pub(super) fn monomial(text: &str, dimensions: &str) -> Result<Monomial, String> {
    let mut powers = [0; MOST_DIMENSIONS];
    if text == "1" || text == "intercept" {
        return Ok(powers);
    }
    let mut letters = text.chars().filter(|letter| !" *".contains(*letter)).peekable();
    while let Some(letter) = letters.next() {
        let Some(place) = dimensions.find(letter) else {
            return Err(format!(
                "`{text}` is no product of the dimensions `{dimensions}`: there is no `{letter}`"
            ));
        };
        let mut power = 1;
        if letters.next_if_eq(&'^').is_some() {
            let digit = letters.next().and_then(|digit| digit.to_digit(10));
            power = digit.ok_or_else(|| format!("`{text}` lacks a digit after `^`"))? as u8;
        }
        powers[place] = powers[place].saturating_add(power);
        if powers[place] > HIGHEST_POWER {
            return Err(format!("a term has a power of `{letter}` above {HIGHEST_POWER}"));
        }
    }
    Ok(powers)
}

/// The letters of a user's kernel.
fn letters(value: &Spanned<DeValue<'_>>) -> Read<String> {
    let text = text(value)?;
    let distinct =
        |(at, letter): (usize, char)| letter.is_ascii_lowercase() && !text[..at].contains(letter);
    let fits = (1..=MOST_DIMENSIONS).contains(&text.len()) && text.char_indices().all(distinct);
    fits.then_some(text.clone()).ok_or_else(|| {
        Diagnostic::error(
            value.span(),
            "dimensions are one to three different letters, as in \"mn\"",
        )
    })
}

/// A text, or what may stand for one.
pub(super) fn text(value: &Spanned<DeValue<'_>>) -> Read<String> {
    match value.get_ref() {
        DeValue::String(text) => Ok(text.clone().into_owned()),
        DeValue::Integer(number) => Ok(number.as_str().to_owned()),
        DeValue::Datetime(date) => Ok(date.to_string()),
        _ => Err(Diagnostic::error(value.span(), "expected a text in quotes")),
    }
}

/// A finite number.
pub(super) fn number(value: &Spanned<DeValue<'_>>) -> Read<f64> {
    let number = match value.get_ref() {
        DeValue::Float(number) => number.as_str().parse().ok(),
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite()).ok_or_else(|| {
        Diagnostic::error(value.span(), "expected a number of seconds, or a table of terms")
    })
}

/// A whole number within bounds.
pub(super) fn whole(value: &Spanned<DeValue<'_>>, bounds: Range<u32>) -> Read<u32> {
    let number = match value.get_ref() {
        DeValue::Integer(number) => number.as_str().parse().ok(),
        _ => None,
    };
    number.filter(|number| bounds.contains(number)).ok_or_else(|| {
        let (least, most) = (bounds.start, bounds.end - 1);
        Diagnostic::error(value.span(), format!("expected a whole number from {least} to {most}"))
    })
}

/// Mistakes for keys that mean nothing.
pub(super) fn unknown_keys(table: &DeTable<'_>, known: &[&str]) -> Vec<Diagnostic> {
    let unknown = table.keys().filter(|key| !known.contains(&key.get_ref().as_ref()));
    unknown
        .map(|key| {
            let message = format!("unknown key `{}` in a model", key.get_ref());
            Diagnostic::error(key.span(), message).with_help(did_you_mean(key.get_ref(), known))
        })
        .collect()
}
