//! Dimemas' configurations (`.cfg`): nodes, processors and a network for
//! [`ModelKind::Dimemas`](crate::ModelKind).
//!
//! Records are a name in quotes and values in braces: `"node information" {0, 0, "", 4, 1.0, …};;`.
//! One machine is read. A processor's speed is its ratio times [`REFERENCE`], so that a recorded
//! second, counted as that many flops, is divided by the ratio. A megabyte has 2^20 bytes.

pub mod communications;
mod records;

use std::ops::Range;
use std::path::Path;

use foretell_diagnostics::Diagnostic;

use crate::dimemas::{Dimemas, DimemasCollectives, DimemasGrowth, DimemasMapping, DimemasNode};
use crate::machine::Platform;
use crate::names::Naming;
use crate::settings::ModelKind;
use crate::spec::{ClusterSpec, NodeOverride, NodeSpec, PlatformSpec, Sharing, WireSpec, ZoneSpec};
use records::{Record, Value};

/// How such a file begins.
pub const BEGINNING: &str = "#DIMEMAS_CONFIGURATION";
/// Flop/s of a processor of ratio 1: what a recorded second counts for.
pub const REFERENCE: f64 = 1e9;

/// Bytes of a megabyte.
const MEGABYTE: f64 = 1_048_576.0;
/// Stands for what takes no time.
const AT_ONCE: f64 = 1e18;
/// Nodes that a machine may have: beyond any machine.
const MOST_NODES: u32 = 1 << 22;

/// Reads a configuration and builds the machine it describes. The file of communications that it
/// may name is looked for in a folder.
///
/// # Errors
///
/// All mistakes of the file, with their places.
pub fn read(text: &str, folder: Option<&Path>) -> Result<Platform, Vec<Diagnostic>> {
    let mut reader = Reader { folder, ..Reader::default() };
    for record in records::parse(text)? {
        reader.take(&record);
    }
    reader.finish()
}

#[derive(Default)]
struct Reader<'a> {
    folder: Option<&'a Path>,
    name: String,
    environment: Option<Range<usize>>,
    figures: Dimemas,
    nodes: Vec<Option<Node>>,
    mistakes: Vec<Diagnostic>,
}

#[derive(Clone, Copy, PartialEq)]
struct Node {
    processors: u32,
    ratio: f64,
    figures: DimemasNode,
}

impl Reader<'_> {
    fn take(&mut self, record: &Record<'_>) {
        match record.name {
            "environment information" => self.environment(record),
            "node information" => self.node(record, false),
            "multi node information" => self.node(record, true),
            "mapping information" => self.mapping(record),
            "predefined mapping information" => self.predefined(record),
            "wide area network information" => self.expect_one_machine(record),
            "configuration files" => self.files(record),
            "modules information" => {
                self.warn(record, "factors of parts are not read; give them with --speedup");
            }
            "dedicated connection information" | "accelerator node information" => {
                self.warn(record, "this has no meaning here");
            }
            "file system parameters" => {}
            _ => self.mistakes.push(
                Diagnostic::warning(record.span.clone(), "this record is not known")
                    .with_help("records are those of Dimemas' configurations"),
            ),
        }
    }

    fn warn(&mut self, record: &Record<'_>, words: &str) {
        self.mistakes.push(Diagnostic::warning(record.span.clone(), words));
    }

    /// Names of files: of the scheduler, the file system, communications and the sensitivity.
    fn files(&mut self, record: &Record<'_>) {
        let name = |at: usize| record.values.get(at).and_then(Value::text).unwrap_or("");
        if [0, 1, 3].into_iter().any(|at| !name(at).is_empty()) {
            self.warn(record, "of the files named here, only that of communications is read");
        }
        if !name(2).is_empty() {
            self.communications(record, name(2));
        }
    }

    fn communications(&mut self, record: &Record<'_>, name: &str) {
        let path = self.folder.unwrap_or(Path::new("")).join(name);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                let words = format!("{}: {error}", path.display());
                let help = "the file of communications lies beside this one";
                self.mistakes.push(Diagnostic::error(record.span.clone(), words).with_help(help));
                return;
            }
        };
        let Some(collectives) = &mut self.figures.collectives else {
            let words = "the environment information comes first";
            self.mistakes.push(Diagnostic::error(record.span.clone(), words));
            return;
        };
        for remark in communications::read(&text, collectives) {
            let words = format!("{}:{}: {}", path.display(), remark.line, remark.words);
            let span = record.span.clone();
            self.mistakes.push(match remark.is_mistake {
                true => Diagnostic::error(span, words),
                false => Diagnostic::warning(span, words),
            });
        }
    }

    fn expect_one_machine(&mut self, record: &Record<'_>) {
        if let Some(machines) = record.values.get(1).and_then(Value::number)
            && machines > 1.0
        {
            let words = "there are several machines; one is read";
            self.mistakes.push(Diagnostic::error(record.span.clone(), words));
        }
    }

    /// A number of a record, which must not be negative.
    fn number(&mut self, record: &Record<'_>, at: usize, what: &str) -> f64 {
        let (span, found) = match record.values.get(at) {
            Some(value) => (value.span.clone(), value.number()),
            None => (record.span.clone(), None),
        };
        let number = found.filter(|number| *number >= 0.0 && number.is_finite());
        number.unwrap_or_else(|| {
            self.mistakes.push(Diagnostic::error(span, format!("{what} is expected here")));
            0.0
        })
    }

    /// A count, of which none means any number.
    fn some(&mut self, record: &Record<'_>, at: usize, what: &str) -> Option<u32> {
        let count = self.number(record, at, what);
        (count >= 1.0).then_some(count as u32)
    }

    fn bandwidth(&mut self, record: &Record<'_>, at: usize) -> f64 {
        let megabytes = self.number(record, at, "a bandwidth in MB/s");
        if megabytes > 0.0 { megabytes * MEGABYTE } else { AT_ONCE }
    }

    fn environment(&mut self, record: &Record<'_>) {
        if self.environment.replace(record.span.clone()).is_some() {
            let words = "there is a second machine; one is read";
            self.mistakes.push(Diagnostic::error(record.span.clone(), words));
            return;
        }
        self.name = record.values.first().and_then(Value::text).unwrap_or("").to_owned();
        let nodes = self.number(record, 3, "the number of nodes");
        if !(1.0..=f64::from(MOST_NODES)).contains(&nodes) {
            let words = format!("a machine has 1 to {MOST_NODES} nodes");
            self.mistakes.push(Diagnostic::error(record.span.clone(), words));
            return;
        }
        self.nodes.resize(nodes as usize, None);
        self.figures.bandwidth = self.bandwidth(record, 4);
        self.figures.buses = self.some(record, 5, "the number of buses");
        let growth = match self.number(record, 6, "the model of collectives") as u32 {
            0 => DimemasGrowth::Absent,
            1 => DimemasGrowth::Constant,
            2 => DimemasGrowth::Linear,
            3 => DimemasGrowth::Logarithmic,
            other => {
                let words = format!("there is no model {other} of collectives");
                let help = "1 is constant, 2 linear, 3 logarithmic";
                self.mistakes.push(Diagnostic::error(record.span.clone(), words).with_help(help));
                return;
            }
        };
        self.figures.collectives = Some(Box::new(DimemasCollectives::all(growth)));
    }

    /// One node, or so many that are alike. The old form has eleven values.
    fn node(&mut self, record: &Record<'_>, is_several: bool) {
        let second = self.number(record, 1, "the number of a node");
        let node = match record.values.len() {
            11 => self.old_node(record),
            _ => self.new_node(record),
        };
        let count = self.nodes.len();
        let first = match is_several {
            true => self.nodes.iter().position(Option::is_none).unwrap_or(count),
            false => second as usize,
        };
        let many = if is_several { second as usize } else { 1 };
        match first.checked_add(many).filter(|end| *end <= count) {
            Some(end) => self.nodes[first..end].fill(Some(node)),
            None => {
                let words = format!("the machine has {count} nodes");
                let help = "the environment information comes first and says how many";
                self.mistakes.push(Diagnostic::error(record.span.clone(), words).with_help(help));
            }
        }
    }

    fn new_node(&mut self, record: &Record<'_>) -> Node {
        let processors = self.number(record, 3, "the number of processors");
        let ratio = self.number(record, 4, "the ratio of the processor");
        let figures = DimemasNode {
            local_latency: self.number(record, 5, "the latency within the node in seconds"),
            local_bandwidth: self.bandwidth(record, 6),
            local_buses: self.some(record, 7, "the number of buses within the node"),
            local_inputs: self.some(record, 8, "the number of input links within the node"),
            local_outputs: self.some(record, 9, "the number of output links within the node"),
            latency: self.number(record, 10, "the latency between nodes in seconds"),
            inputs: self.some(record, 11, "the number of input links"),
            outputs: self.some(record, 12, "the number of output links"),
        };
        Node { processors: processors.max(1.0) as u32, ratio, figures }
    }

    fn old_node(&mut self, record: &Record<'_>) -> Node {
        let processors = self.number(record, 3, "the number of processors");
        let figures = DimemasNode {
            inputs: self.some(record, 4, "the number of input links"),
            outputs: self.some(record, 5, "the number of output links"),
            local_latency: self.number(record, 6, "the latency within the node in seconds"),
            latency: self.number(record, 7, "the latency between nodes in seconds"),
            local_bandwidth: self.bandwidth(record, 9),
            ..DimemasNode::default()
        };
        let ratio = self.number(record, 8, "the ratio of the processor");
        Node { processors: processors.max(1.0) as u32, ratio, figures }
    }

    fn mapping(&mut self, record: &Record<'_>) {
        let list = record.values.iter().find_map(Value::list);
        let count = self.nodes.len() as f64;
        let is_node = |number: &&f64| (0.0..count).contains(*number);
        match list {
            Some(list) if list.iter().filter(is_node).count() == list.len() => {
                let nodes = list.iter().map(|node| *node as u32).collect();
                self.figures.mapping = DimemasMapping::Listed(nodes);
            }
            _ => {
                let words = format!("the node of each task is expected here, below {count}");
                self.mistakes.push(Diagnostic::error(record.span.clone(), words));
            }
        }
    }

    fn predefined(&mut self, record: &Record<'_>) {
        let word = record.values.iter().rev().find_map(Value::text).unwrap_or("");
        let per_node = word.strip_suffix("TASKS_PER_NODE").and_then(|k| k.trim().parse().ok());
        self.figures.mapping = match (word, per_node) {
            ("FILL_NODES", _) => DimemasMapping::Fill,
            ("INTERLEAVED", _) => DimemasMapping::Interleaved,
            (_, Some(count @ 1..)) => DimemasMapping::PerNode(count),
            _ => {
                let words = "expected FILL_NODES, 4 TASKS_PER_NODE or INTERLEAVED";
                self.mistakes.push(Diagnostic::error(record.span.clone(), words));
                return;
            }
        };
    }

    fn finish(mut self) -> Result<Platform, Vec<Diagnostic>> {
        if self.environment.is_none() {
            let words = "no \"environment information\" says which machine this is";
            self.mistakes.push(Diagnostic::error(0..0, words));
        } else if let Some(at) = self.nodes.iter().position(Option::is_none) {
            let words = format!("no \"node information\" tells of node {at}");
            let span = self.environment.clone().unwrap_or(0..0);
            self.mistakes.push(Diagnostic::error(span, words));
        }
        if foretell_diagnostics::has_errors(&self.mistakes) {
            return Err(self.mistakes);
        }
        let nodes: Vec<Node> = self.nodes.into_iter().flatten().collect();
        self.figures.nodes = nodes.iter().map(|node| node.figures).collect();
        let same = nodes.iter().all(|node| node.figures == nodes[0].figures);
        self.figures.nodes.truncate(if same { 1 } else { nodes.len() });
        let name = if self.name.is_empty() { "dimemas" } else { &self.name };
        Platform::build_after(specified(name, &nodes, self.figures), self.mistakes)
    }
}

/// The machine: routes do not matter to the model, so the nodes are a star.
fn specified(name: &str, nodes: &[Node], figures: Dimemas) -> PlatformSpec {
    let naming = Naming::counted("node-", "", nodes.len() as u32);
    let wire = WireSpec {
        bandwidth: figures.bandwidth,
        latency: figures.node(0).latency,
        sharing: Sharing::SplitDuplex,
    };
    let spec = |node: &Node| {
        let speed = if node.ratio > 0.0 { node.ratio * REFERENCE } else { AT_ONCE };
        NodeSpec::new(speed, node.processors)
    };
    let usual = spec(&nodes[0]);
    let overrides = nodes.iter().enumerate().filter(|(_, node)| spec(node) != usual);
    let overrides = overrides
        .map(|(at, node)| NodeOverride { name: naming.name(at).as_str().into(), node: spec(node) });
    let overrides = overrides.collect();
    let cluster = ClusterSpec::new(naming, usual, wire);
    let mut platform = PlatformSpec::new(ZoneSpec::cluster(name, cluster));
    platform.overrides = overrides;
    platform.network.model = ModelKind::Dimemas;
    platform.network.tables.eager_limit = u64::MAX;
    // Dimemas has no such costs.
    (platform.network.iprobe, platform.network.test) = (0.0, 0.0);
    platform.network.dimemas = Box::new(figures);
    platform
}

#[cfg(test)]
mod tests;
