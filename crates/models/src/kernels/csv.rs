//! Models of kernels as a table with commas, the form in which calibrations are kept.
//!
//! The first line names the columns: `kernel`, `host` (or `node`), `cpu`, `day`, and the terms.
//! A term such as `mnk` is part of the mean; `mnk_residual`, or `deviation:mnk`, of the standard
//! deviation. `intercept` is the constant term. Empty fields say nothing.

use std::ops::Range;

use foretell_diagnostics::Diagnostic;

use super::law::Law;
use super::spec::{ComputeKernels, Numbering, Scope, expanded};
use super::toml::monomial;

/// What a column holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Column {
    Kernel,
    Host,
    Cpu,
    Cpus,
    Cores,
    Day,
    Mean(String),
    Deviation(String),
}

/// A field and its place.
pub(super) struct Field<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

pub(super) fn read(text: &str) -> Result<ComputeKernels, Vec<Diagnostic>> {
    let mut kernels = ComputeKernels::default();
    let mut lines = lines(text);
    let Some(header) = lines.next() else {
        return Err(vec![Diagnostic::error(0..0, "the table is empty")]);
    };
    let columns: Vec<Column> = header.iter().map(|field| column(field.text)).collect();
    let mut mistakes = Vec::new();
    if !columns.contains(&Column::Kernel) {
        let place = header.first().map_or(0..0, |first| first.span.clone());
        let mistake = Diagnostic::error(place, "no column is called `kernel`");
        return Err(vec![mistake.with_help("name the columns in the first line")]);
    }
    for fields in lines {
        mistakes.extend(line(&mut kernels, &columns, &fields).err());
    }
    if mistakes.is_empty() { Ok(kernels) } else { Err(mistakes) }
}

/// The lines that say something, field by field.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Vec<Field<'_>>> {
    let mut start = 0;
    let placed = text.split_inclusive('\n').map(move |line| {
        start += line.len();
        (start - line.len(), line.trim_end())
    });
    let told = placed.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    told.map(|(start, line)| {
        let mut at = start;
        let field = |part| field(part, &mut at);
        line.split(',').map(field).collect()
    })
}

fn field<'a>(part: &'a str, at: &mut usize) -> Field<'a> {
    let text = part.trim().trim_matches('"');
    let start = *at + part.find(text).unwrap_or(0);
    *at += part.len() + 1;
    Field { text, span: start..start + text.len() }
}

/// What a column with this name holds.
pub(super) fn column(name: &str) -> Column {
    let prefixed = |prefix: &str| name.strip_prefix(prefix).map(str::to_owned);
    let suffixed = |suffix: &str| name.strip_suffix(suffix).map(str::to_owned);
    match name {
        "kernel" | "function" => Column::Kernel,
        "host" | "node" => Column::Host,
        "cpu" => Column::Cpu,
        "cpus" => Column::Cpus,
        "cores" => Column::Cores,
        "day" | "date" => Column::Day,
        _ => match prefixed("deviation:").or_else(|| suffixed("_residual")) {
            Some(term) => Column::Deviation(term),
            None => Column::Mean(prefixed("mean:").unwrap_or_else(|| name.to_owned())),
        },
    }
}

fn line(
    kernels: &mut ComputeKernels,
    columns: &[Column],
    fields: &[Field<'_>],
) -> Result<(), Diagnostic> {
    if fields.len() != columns.len() {
        let end = fields.last().map_or(0..0, |field| field.span.clone());
        let message = format!("{} fields under {} columns", fields.len(), columns.len());
        return Err(Diagnostic::error(end, message));
    }
    let both = || columns.iter().zip(fields).filter(|(_, field)| !field.text.is_empty());
    let Some((_, name)) = both().find(|(column, _)| **column == Column::Kernel) else {
        return Err(Diagnostic::error(fields[0].span.clone(), "this line names no kernel"));
    };
    let id = kernels.declare(name.text, None, name.span.clone())?;
    let (mut scope, mut law) = (Scope::default(), Law::default());
    for (column, field) in both() {
        let dimensions = kernels.dimensions(id);
        match column {
            Column::Kernel => {}
            Column::Host => {
                let bad = || Diagnostic::error(field.span.clone(), "this is no range of hosts");
                scope.hosts = expanded(field.text).ok_or_else(bad)?;
            }
            Column::Cpu => scope.cpu = Some(number::<u32>(field, "the number of a CPU")?),
            Column::Cpus => kernels.cpus = number::<u32>(field, "a number of CPUs")?.max(1),
            Column::Cores => {
                let message = "expected `blocks` or `alternate`";
                let bad = || Diagnostic::error(field.span.clone(), message);
                kernels.numbering = Numbering::named(field.text).ok_or_else(bad)?;
            }
            Column::Day => scope.day = Some(field.text.to_owned()),
            Column::Mean(term) => law.mean.add(seconds(field)?, powers(term, dimensions, field)?),
            Column::Deviation(term) => {
                law.deviation.add(seconds(field)?, powers(term, dimensions, field)?);
            }
        }
    }
    // Lines that name CPUs need at least as many.
    kernels.cpus = kernels.cpus.max(scope.cpu.map_or(1, |cpu| cpu + 1));
    kernels.set(id, scope, law);
    Ok(())
}

fn powers(term: &str, dimensions: &str, field: &Field<'_>) -> Result<[u8; 3], Diagnostic> {
    monomial(term, dimensions).map_err(|why| {
        let help = "leave the field empty where a kernel lacks the dimension";
        Diagnostic::error(field.span.clone(), why).with_help(help)
    })
}

fn seconds(field: &Field<'_>) -> Result<f64, Diagnostic> {
    number::<f64>(field, "a number of seconds")
}

/// The number in a field.
pub(super) fn number<T: std::str::FromStr>(field: &Field<'_>, what: &str) -> Result<T, Diagnostic> {
    let message = || format!("`{}` is not {what}", field.text);
    field.text.parse().map_err(|_| Diagnostic::error(field.span.clone(), message()))
}
