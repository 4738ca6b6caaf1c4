//! What was learnt of a cluster, as a file in TOML.

use std::fmt::Write;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use foretell_diagnostics::Diagnostic;

use super::super::spec::ComputeKernels;
use super::super::toml::{number, text, unknown_keys, whole};
use super::symmetric::Symmetric;
use super::table::{Coefficient, Part};
use super::{ClusterModel, Kind};

type Value<'a> = Spanned<DeValue<'a>>;
type Read<T> = Result<T, Diagnostic>;

impl ClusterModel {
    /// The model as a file.
    pub fn to_toml(&self) -> String {
        let names: Vec<String> = self.coefficients.iter().map(Coefficient::name).collect();
        let mut text = format!("kernel = {:?}\ncpus = {}\n", self.kernel, self.cpus);
        let _ = writeln!(text, "coefficients = {names:?}");
        let _ = writeln!(text, "daily = {}", rows(&self.daily));
        for kind in &self.kinds {
            let _ = writeln!(text, "\n[[kinds]]\nweight = {}", kind.weight);
            let _ = writeln!(text, "mean = {}", list(&kind.mean));
            let _ = writeln!(text, "spatial = {}", rows(&kind.spatial));
        }
        text
    }

    /// Reads the file of a model, or tells what is wrong with it.
    pub fn from_toml(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let document = DeTable::parse(text).map_err(|error| {
            vec![Diagnostic::error(error.span().unwrap_or(0..0), error.message())]
        })?;
        let table = document.get_ref();
        let known = ["kernel", "cpus", "coefficients", "daily", "kinds"];
        let unknown = unknown_keys(table, &known);
        if !unknown.is_empty() {
            return Err(unknown);
        }
        model(table).map_err(|mistake| vec![mistake])
    }
}

fn model(table: &DeTable<'_>) -> Read<ClusterModel> {
    let kernel = text(required(table, "kernel", 0..0)?)?;
    let kernels = ComputeKernels::default();
    let Some(id) = kernels.id(&kernel) else {
        let span = required(table, "kernel", 0..0)?.span();
        let message = format!("`{kernel}` is not a kernel that is known by name");
        return Err(Diagnostic::error(span, message));
    };
    let cpus = table.get("cpus").map_or(Ok(1), |value| whole(value, 1..1025))?;
    let coefficient = |value: &Value<'_>| {
        Coefficient::named(&text(value)?, kernels.dimensions(id))
            .map_err(|why| Diagnostic::error(value.span(), why))
    };
    let listed = required(table, "coefficients", 0..0)?;
    let coefficients: Vec<Coefficient> =
        items(listed)?.iter().map(coefficient).collect::<Read<_>>()?;
    if !coefficients.iter().any(|coefficient| coefficient.part == Part::Mean) {
        return Err(Diagnostic::error(listed.span(), "no coefficient is part of the mean"));
    }
    let order = coefficients.len();
    let daily = matrix(required(table, "daily", 0..0)?, order)?;
    let listed = required(table, "kinds", 0..0)?;
    let kinds: Vec<Kind> =
        items(listed)?.iter().map(|item| kind(item, order)).collect::<Read<_>>()?;
    let weights: f64 = kinds.iter().map(|kind| kind.weight).sum();
    if (weights - 1.0).abs() > 1e-6 {
        let message = format!("the weights of the kinds sum to {weights}, not to 1");
        return Err(Diagnostic::error(listed.span(), message));
    }
    Ok(ClusterModel { kernel, cpus, coefficients, daily, kinds })
}

fn kind(item: &Value<'_>, order: usize) -> Read<Kind> {
    let DeValue::Table(table) = item.get_ref() else {
        let mistake = Diagnostic::error(item.span(), "a kind of nodes is a table");
        return Err(mistake.with_help("write [[kinds]] with two brackets"));
    };
    if let Some(unknown) = unknown_keys(table, &["weight", "mean", "spatial"]).pop() {
        return Err(unknown);
    }
    let weight = required(table, "weight", item.span())?;
    let (span, weight) = (weight.span(), number(weight)?);
    if !(0.0..=1.0).contains(&weight) {
        return Err(Diagnostic::error(span, "a weight is between 0 and 1"));
    }
    let mean = numbers(required(table, "mean", item.span())?, order)?;
    let spatial = matrix(required(table, "spatial", item.span())?, order)?;
    Ok(Kind { weight, mean, spatial })
}

fn matrix(value: &Value<'_>, order: usize) -> Read<Symmetric> {
    let rows: Vec<Vec<f64>> =
        items(value)?.iter().map(|row| numbers(row, order)).collect::<Read<_>>()?;
    let square = (rows.len() == order).then(|| Symmetric::from_rows(&rows)).flatten();
    let message = format!("expected {order} rows of a symmetric matrix");
    square.ok_or_else(|| Diagnostic::error(value.span(), message))
}

fn numbers(value: &Value<'_>, count: usize) -> Read<Vec<f64>> {
    let numbers: Vec<f64> = items(value)?.iter().map(number).collect::<Read<_>>()?;
    let message = format!("expected {count} numbers, as many as there are coefficients");
    let fits = numbers.len() == count;
    fits.then_some(numbers).ok_or_else(|| Diagnostic::error(value.span(), message))
}

fn items<'a>(value: &'a Value<'a>) -> Read<&'a [Value<'a>]> {
    match value.get_ref() {
        DeValue::Array(items) => Ok(items),
        _ => Err(Diagnostic::error(value.span(), "expected a list in brackets")),
    }
}

fn required<'a>(
    table: &'a DeTable<'a>,
    key: &str,
    place: std::ops::Range<usize>,
) -> Read<&'a Value<'a>> {
    table.get(key).ok_or_else(|| {
        let mistake = Diagnostic::error(place, format!("`{key}` is missing"));
        mistake.with_help("`foretell cluster fit` writes such files")
    })
}

fn rows(matrix: &Symmetric) -> String {
    let rows: Vec<String> = matrix.rows().map(list).collect();
    format!("[\n    {},\n]", rows.join(",\n    "))
}

fn list(values: &[f64]) -> String {
    let values: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
    format!("[{}]", values.join(", "))
}
