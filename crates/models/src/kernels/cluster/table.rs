//! Tables of coefficients, one line for each processor and day.
//!
//! The columns are those of tables of [kernel models](super::super::csv): `kernel`, `host` or
//! `node`, `cpu`, `day`, and one for each term of mean and deviation. Every line gives them all.

use std::fmt::Write;

use foretell_diagnostics::Diagnostic;

use super::super::csv::{Column, Field, column, lines, number};
use super::super::polynomial::Monomial;
use super::super::spec::ComputeKernels;
use super::super::toml::monomial;

/// Whether a coefficient belongs to the mean or the deviation of a duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Of the mean.
    Mean,
    /// Of the standard deviation.
    Deviation,
}

/// A coefficient of a kernel's model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coefficient {
    /// What it is part of.
    pub part: Part,
    /// The product of dimensions that it belongs to, such as `mnk`; `1` for none.
    pub term: String,
}

impl Coefficient {
    /// The coefficient that a column or a file names, if it is one of a kernel with these
    /// dimensions.
    pub(super) fn named(name: &str, dimensions: &str) -> Result<Self, String> {
        let (part, term) = match column(name) {
            Column::Mean(term) => (Part::Mean, term),
            Column::Deviation(term) => (Part::Deviation, term),
            _ => return Err(format!("`{name}` names no term")),
        };
        let powers: Monomial = monomial(&term, dimensions)?;
        let term = if powers == Monomial::default() { "1".to_owned() } else { term };
        Ok(Self { part, term })
    }

    /// Its name in files.
    pub(super) fn name(&self) -> String {
        match self.part {
            Part::Mean => format!("mean:{}", self.term),
            Part::Deviation => format!("deviation:{}", self.term),
        }
    }
}

/// The coefficients of one processor on one day.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The node.
    pub host: String,
    /// The processor of the node, from zero.
    pub cpu: u32,
    /// The day; none if there is only one.
    pub day: Option<String>,
    /// In the order of [`Observations::coefficients`].
    pub values: Vec<f64>,
}

/// What was measured, or drawn, of one kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    /// The kernel's name.
    pub kernel: String,
    /// What the values stand for.
    pub coefficients: Vec<Coefficient>,
    /// Line by line.
    pub rows: Vec<Observation>,
}

impl Observations {
    /// Reads a table, or tells all its mistakes. Of a table with several kernels, `kernel` is
    /// taken; without a column of kernels, all lines are of `kernel`, or of `dgemm`.
    pub fn from_csv(text: &str, kernel: Option<&str>) -> Result<Self, Vec<Diagnostic>> {
        let mut lines = lines(text);
        let Some(header) = lines.next() else {
            return Err(vec![Diagnostic::error(0..0, "the table is empty")]);
        };
        let lines: Vec<Vec<Field<'_>>> = lines.collect();
        let columns: Vec<Column> = header.iter().map(|field| column(field.text)).collect();
        let name = chosen(&columns, &lines, kernel).map_err(|mistake| vec![mistake])?;
        let head = Head::new(&header, columns, name)?;
        let mut mistakes = Vec::new();
        let mut rows = Vec::new();
        for line in &lines {
            match head.row(line) {
                Ok(row) => rows.extend(row),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        if mistakes.is_empty() {
            Ok(Self { kernel: head.kernel, coefficients: head.coefficients, rows })
        } else {
            Err(mistakes)
        }
    }

    /// The table as text, which [`Observations::from_csv`] reads.
    pub fn to_csv(&self) -> String {
        let mut text = String::from("kernel,host,cpu,day");
        for coefficient in &self.coefficients {
            let _ = write!(text, ",{}", coefficient.name());
        }
        text.push('\n');
        for row in &self.rows {
            let day = row.day.as_deref().unwrap_or_default();
            let _ = write!(text, "{},{},{},{day}", self.kernel, row.host, row.cpu);
            for value in &row.values {
                let _ = write!(text, ",{value:e}");
            }
            text.push('\n');
        }
        text
    }

    /// Processors of a node.
    pub fn cpus(&self) -> u32 {
        self.rows.iter().map(|row| row.cpu + 1).max().unwrap_or(1)
    }
}

/// The kernel whose lines count.
fn chosen(
    columns: &[Column],
    lines: &[Vec<Field<'_>>],
    asked: Option<&str>,
) -> Result<String, Diagnostic> {
    let place = columns.iter().position(|column| *column == Column::Kernel);
    let named = |line: &Vec<Field<'_>>| Some(line.get(place?)?.text.to_owned());
    let mut names: Vec<String> = Vec::new();
    for name in lines.iter().filter_map(named) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    match (asked, names.as_slice()) {
        (Some(name), []) => Ok(name.to_owned()),
        (Some(name), names) if names.iter().any(|known| known == name) => Ok(name.to_owned()),
        (Some(name), names) => {
            let message = format!("no line is about `{name}`; there are: {}", names.join(", "));
            Err(Diagnostic::error(0..0, message))
        }
        (None, []) => Ok("dgemm".to_owned()),
        (None, [name]) => Ok(name.clone()),
        (None, names) => {
            let message = format!("the table is about several kernels: {}", names.join(", "));
            Err(Diagnostic::error(0..0, message).with_help("choose one with --kernel"))
        }
    }
}

/// What the first line says.
struct Head {
    kernel: String,
    columns: Vec<Column>,
    coefficients: Vec<Coefficient>,
}

impl Head {
    fn new(
        header: &[Field<'_>],
        columns: Vec<Column>,
        kernel: String,
    ) -> Result<Self, Vec<Diagnostic>> {
        let kernels = ComputeKernels::default();
        let first = header.first().map_or(0..0, |field| field.span.clone());
        let Some(id) = kernels.id(&kernel) else {
            let message = format!("`{kernel}` is not a kernel that is known by name");
            return Err(vec![Diagnostic::error(first, message)]);
        };
        let mut mistakes = Vec::new();
        if !columns.contains(&Column::Host) {
            let mistake = Diagnostic::error(first.clone(), "no column is called `host` or `node`");
            mistakes.push(mistake.with_help("name the columns in the first line"));
        }
        let mut coefficients: Vec<Coefficient> = Vec::new();
        let terms = |column: &Column| matches!(column, Column::Mean(_) | Column::Deviation(_));
        for (field, _) in header.iter().zip(&columns).filter(|(_, column)| terms(column)) {
            match Coefficient::named(field.text, kernels.dimensions(id)) {
                Ok(known) if coefficients.contains(&known) => {
                    let message = format!("`{}` is there twice", field.text);
                    mistakes.push(Diagnostic::error(field.span.clone(), message));
                }
                Ok(coefficient) => coefficients.push(coefficient),
                Err(why) => {
                    let help = "columns are kernel, host, cpu, day and terms such as `mnk`, \
                                `intercept`, `mnk_residual`";
                    mistakes.push(Diagnostic::error(field.span.clone(), why).with_help(help));
                }
            }
        }
        if coefficients.iter().all(|coefficient| coefficient.part == Part::Deviation) {
            let mistake = Diagnostic::error(first, "no column is a term of the mean");
            mistakes.push(mistake.with_help("name one `mnk`, or as the kernel's dimensions are"));
        }
        if mistakes.is_empty() { Ok(Self { kernel, columns, coefficients }) } else { Err(mistakes) }
    }

    /// A line, unless it is about another kernel.
    fn row(&self, fields: &[Field<'_>]) -> Result<Option<Observation>, Diagnostic> {
        if fields.len() != self.columns.len() {
            let end = fields.last().map_or(0..0, |field| field.span.clone());
            let message = format!("{} fields under {} columns", fields.len(), self.columns.len());
            return Err(Diagnostic::error(end, message));
        }
        let mut row = Observation { host: String::new(), cpu: 0, day: None, values: Vec::new() };
        for (column, field) in self.columns.iter().zip(fields) {
            match column {
                Column::Kernel if field.text != self.kernel => return Ok(None),
                Column::Kernel | Column::Cpus | Column::Cores => {}
                Column::Host => row.host = field.text.to_owned(),
                Column::Cpu if field.text.is_empty() => {}
                Column::Cpu => row.cpu = cpu(field)?,
                Column::Day => row.day = Some(field.text.to_owned()).filter(|day| !day.is_empty()),
                Column::Mean(_) | Column::Deviation(_) => row.values.push(seconds(field)?),
            }
        }
        if row.host.is_empty() {
            return Err(Diagnostic::error(fields[0].span.clone(), "this line names no host"));
        }
        Ok(Some(row))
    }
}

fn cpu(field: &Field<'_>) -> Result<u32, Diagnostic> {
    let message = "expected the number of a CPU, from 0 to 1023";
    let cpu = number::<u32>(field, "the number of a CPU")?;
    if cpu < 1024 { Ok(cpu) } else { Err(Diagnostic::error(field.span.clone(), message)) }
}

fn seconds(field: &Field<'_>) -> Result<f64, Diagnostic> {
    let seconds = number::<f64>(field, "a number of seconds")?;
    let is_sound = seconds.is_finite() && seconds.abs() < 1e100;
    let message = || format!("`{}` is no number of seconds to compute with", field.text);
    is_sound.then_some(seconds).ok_or_else(|| Diagnostic::error(field.span.clone(), message()))
}
