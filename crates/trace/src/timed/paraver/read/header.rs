//! The first line of a `.prv`: how long the trace is, how many tasks it has, and where they are.

use std::path::Path;

use crate::colons::Colons;
use crate::fields::shown;
use crate::mistake::Mistake;
use crate::timed::Cast;
use crate::timed::paraver::Legend;

/// Tasks that a trace may have: beyond any machine.
const MOST_TASKS: u64 = 1 << 24;

/// What the first line says.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Header {
    /// Seconds of a unit of time.
    pub(super) unit: f64,
    pub(super) end: u64,
    /// The node of each task, counted from zero.
    places: Vec<u32>,
}

impl Header {
    pub(super) fn parse(line: &[u8]) -> Result<Self, Mistake> {
        let wrong = || {
            Mistake(
                "expected #Paraver (date):end:nodes(processors):applications:tasks(threads:node,…)"
                    .into(),
            )
        };
        let rest = line.strip_prefix(b"#Paraver").ok_or_else(wrong)?;
        // The date has a colon in it.
        let after = rest.windows(2).position(|pair| pair == b"):").ok_or_else(wrong)?;
        let mut fields = rest[after + 2..].splitn(4, |byte| *byte == b':');
        let mut field = || fields.next().ok_or_else(wrong);
        let (end, _, _, tasks) = (field()?, field()?, field()?, field()?);
        let units: [(&[u8], f64); 3] = [(b"_ns", 1e-9), (b"_us", 1e-6), (b"_ms", 1e-3)];
        let named = units.iter().find_map(|(name, unit)| Some((end.strip_suffix(*name)?, *unit)));
        let (end, unit) = named.unwrap_or((end, 1e-6));
        let end = number(end, "the end of the trace")?;
        let open = tasks.iter().position(|byte| *byte == b'(').ok_or_else(wrong)?;
        let count = number(&tasks[..open], "the number of tasks")?;
        let behind = &tasks[open + 1..];
        let close = behind.iter().position(|byte| *byte == b')').ok_or_else(wrong)?;
        let listed: Vec<&[u8]> = behind[..close].split(|byte| *byte == b',').collect();
        if count == 0 || count > MOST_TASKS || listed.len() as u64 != count {
            let there = listed.len();
            return Err(Mistake(format!("{count} tasks are told, but {there} are listed")));
        }
        let node = |task: &&[u8]| {
            let node = task.split(|byte| *byte == b':').nth(1).ok_or_else(wrong)?;
            let node = number(node, "the node of a task")?;
            // Nodes are counted from one; zero is an unknown one.
            Ok(node.saturating_sub(1).min(MOST_TASKS) as u32)
        };
        let places = listed.iter().map(node).collect::<Result<Vec<u32>, Mistake>>()?;
        Ok(Self { unit, end, places })
    }

    pub(super) fn tasks(&self) -> u32 {
        self.places.len() as u32
    }

    /// The rank of a record; none for other applications and further threads.
    pub(super) fn rank(&self, fields: &mut Colons<'_>) -> Result<Option<u32>, Mistake> {
        fields.whole("the processor")?;
        let application = fields.natural("the application")?;
        let task = fields.natural("the task")?;
        let thread = fields.natural("the thread")?;
        if application != 1 || thread != 1 {
            return Ok(None);
        }
        match task.checked_sub(1).and_then(|rank| u32::try_from(rank).ok()) {
            Some(rank) if rank < self.tasks() => Ok(Some(rank)),
            _ => Err(Mistake(format!("there is no task {task} among {}", self.tasks()))),
        }
    }

    /// Who takes part, and where.
    pub(super) fn cast(&self, path: &Path, legend: &Legend) -> Cast {
        let mut used = self.places.clone();
        used.sort_unstable();
        used.dedup();
        let name = |node: &u32| {
            let named = legend.nodes.get(*node as usize);
            named.cloned().unwrap_or_else(|| format!("node-{node}"))
        };
        let place = |node: &u32| used.binary_search(node).unwrap_or(0) as u32;
        let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Cast {
            program: legend.program.clone().or_else(stem).unwrap_or_default(),
            machine: legend.machine.clone().unwrap_or_default(),
            nodes: used.iter().map(name).collect(),
            places: self.places.iter().map(place).collect(),
        }
    }
}

fn number(digits: &[u8], what: &str) -> Result<u64, Mistake> {
    let text = std::str::from_utf8(digits.trim_ascii()).ok();
    let number = text.and_then(|text| text.parse().ok());
    number.ok_or_else(|| Mistake(format!("{what} is expected, not {}", shown(digits))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_tasks_and_their_nodes() {
        let line = b"#Paraver (01/02/26 at 10:30):2000_ns:2(2,1):1:3(1:1,1:1,2:2),2";
        let header = Header::parse(line).unwrap();
        assert_eq!((header.unit, header.end, &header.places[..]), (1e-9, 2000, &[0, 0, 1][..]));
        let line = b"#Paraver (01/02/26 at 10:30):77:0:1:1(1:0)";
        assert_eq!(Header::parse(line).unwrap().unit, 1e-6);
        let check = |line: &[u8], words: &str| {
            let mistake = Header::parse(line).unwrap_err().to_string();
            assert!(mistake.contains(words), "{mistake}");
        };
        check(b"#Paraver", "expected #Paraver");
        check(b"#Paraver (d):x:0:1:1(1:0)", "`x`");
        check(b"#Paraver (d):5:0:1:9999999999(1:0)", "9999999999 tasks are told, but 1");
    }
}
