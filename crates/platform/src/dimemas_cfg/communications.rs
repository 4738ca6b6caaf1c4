//! The file of communications that a configuration may name: which phases collective operations
//! have.
//!
//! `Machine globalop: MACHINE OPERATION IN SIZE OUT SIZE`, or `OPERATION IN SIZE OUT SIZE NUMBER`
//! for all machines, where the number means nothing. Later lines win over earlier ones.

use crate::dimemas::{DimemasCollectives, DimemasGrowth, DimemasPhase, DimemasPhases, DimemasSize};

/// Something in a line: a mistake, or what has no meaning here.
#[derive(Debug, PartialEq, Eq)]
pub struct Remark {
    /// The line, the first of which is 1.
    pub line: usize,
    /// Whether the file cannot be used for it.
    pub is_mistake: bool,
    /// What is to be said.
    pub words: String,
}

/// Reads a file of communications; what it says of an operation replaces what was known.
pub fn read(text: &str, collectives: &mut DimemasCollectives) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        let mut tell = |is_mistake, words: &str| {
            remarks.push(Remark { line, is_mistake, words: words.to_owned() });
        };
        match read_line(content.trim(), collectives) {
            Ok(None) => {}
            Ok(Some(left_out)) => tell(false, left_out),
            Err(words) => tell(true, &words),
        }
    }
    remarks
}

/// Reads a line; says what it has no meaning for, or what is wrong with it.
fn read_line(
    line: &str,
    collectives: &mut DimemasCollectives,
) -> Result<Option<&'static str>, String> {
    let is_comment = line.is_empty() || line.starts_with(['#', '/', '*']);
    if is_comment || line.starts_with("External globalop:") {
        return Ok(None);
    }
    if let Some(rest) = line.strip_prefix("Machine globalop:") {
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let [machine, phases @ ..] = &fields[..] else {
            return Err("the number of a machine is expected here".into());
        };
        return match machine.parse::<u32>() {
            Ok(0) => global(phases, collectives).map(|()| None),
            Ok(_) => Err(format!("there is no machine {machine}; the only one is 0")),
            Err(_) => Err(format!("`{machine}` is no number of a machine")),
        };
    }
    if line.starts_with(|first: char| first.is_ascii_digit()) {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [phases @ .., _] = &fields[..] else { return Ok(None) };
        return global(phases, collectives).map(|()| None);
    }
    let is_policy = line.starts_with("Policy:") || line.starts_with("Machine policy:");
    match line {
        _ if is_policy && line.ends_with("FIFO") => Ok(None),
        _ if is_policy || line.starts_with("Quantum size (bytes):") => {
            Ok(Some("messages are served first come, first served"))
        }
        _ if line.starts_with("Flight time:") => Ok(Some("flight times are between machines")),
        _ => Ok(Some("this line is not known")),
    }
}

/// An operation and its phases.
fn global(fields: &[&str], collectives: &mut DimemasCollectives) -> Result<(), String> {
    let &[operation, growth_in, size_in, growth_out, size_out] = fields else {
        return Err(
            "expected the number of an operation, a model and a size of its fan-in, and of \
                    its fan-out"
                .into(),
        );
    };
    let phase = |growth: &str, size: &str| {
        let phase = DimemasPhase {
            growth: DimemasGrowth::named(growth)
                .ok_or_else(|| format!("`{growth}` is no model; there are 0, CTE, LIN and LOG"))?,
            size: DimemasSize::named(size).ok_or_else(|| {
                format!("`{size}` is no size; there are MIN, MAX, MEAN, 2MAX and S+R")
            })?,
        };
        Ok::<_, String>(phase)
    };
    let phases =
        DimemasPhases { fan_in: phase(growth_in, size_in)?, fan_out: phase(growth_out, size_out)? };
    let number = operation.parse().ok();
    match number.is_some_and(|number| collectives.set(number, phases)) {
        true => Ok(()),
        false => Err(format!("there is no operation {operation}; they are 0 to 15")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn usual() -> DimemasCollectives {
        DimemasCollectives::all(DimemasGrowth::Constant)
    }

    #[test]
    fn operations_get_their_phases() {
        let mut all = usual();
        let text = "# of ours\n\nPolicy: FIFO\n\
                    0 LOG MAX 0 MAX 0\n\
                    Machine globalop: 0 11 LIN MEAN LOG S+R\n\
                    External globalop: 11 LIN MEAN LOG S+R\n";
        assert_eq!(read(text, &mut all), []);
        let barrier = all.of("barrier").unwrap();
        assert_eq!(barrier.fan_in.growth, DimemasGrowth::Logarithmic);
        assert_eq!(barrier.fan_out.growth, DimemasGrowth::Absent);
        let allreduce = all.of("allreduce").unwrap();
        let (growth, size) = (DimemasGrowth::Linear, DimemasSize::Mean);
        assert_eq!(allreduce.fan_in, DimemasPhase { growth, size });
        assert_eq!(allreduce.fan_out.size, DimemasSize::Sum);
        assert_eq!(all.of("bcast"), usual().of("bcast"));
    }

    #[test]
    fn mistakes_are_told_with_their_lines() {
        let check = |line: &str, words: &str| {
            let remarks = read(&format!("\n{line}\n"), &mut usual());
            let [Remark { line: 2, is_mistake: true, words: found }] = &remarks[..] else {
                panic!("{remarks:?}")
            };
            assert!(found.contains(words), "{found}");
        };
        check("0 LOG MAX FAST MAX 0", "`FAST` is no model");
        check("0 LOG MAX LOG HUGE 0", "`HUGE` is no size");
        check("16 LOG MAX LOG MAX 0", "no operation 16");
        check("0 LOG MAX", "a model and a size");
        check("Machine globalop: 2 0 LOG MAX LOG MAX", "no machine 2");
        check("Machine globalop:", "number of a machine");
    }

    #[test]
    fn what_has_no_meaning_here_is_told() {
        let remarks =
            read("Policy: RR\nQuantum size (bytes): 5\nFlight time: 0 1.0\nhello", &mut usual());
        assert_eq!(remarks.len(), 4);
        assert!(remarks.iter().all(|remark| !remark.is_mistake));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "((Machine globalop:|Policy:|[0-9]{1,3}|LOG|LIN|CTE|MAX|S\\+R|é|\n)? ){0,30}") {
            read(&text, &mut usual());
        }
    }
}
