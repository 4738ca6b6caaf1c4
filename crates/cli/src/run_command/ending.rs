//! How a run ended: the exit code, and what to say about it.

use foretell_launch::{Ended, Outcome};

use super::child::{Ran, signal_of};
use super::plan::Plan;
use crate::exit::{BAD_INPUT, DEADLOCK, FAILED, INTERRUPTED, MISTAKES};
use crate::figures::{count, data, time};

/// What shells add to the signal that ended a program.
const SIGNALLED: u8 = 128;
const SIGINT: i32 = 2;
const SIGKILL: i32 = 9;
const SIGXCPU: i32 = 24;
/// As the loader ends a program whose libraries it cannot find.
const NOT_LOADED: i32 = 127;

/// The end of a run.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct End {
    pub(super) code: u8,
    /// Errors to tell.
    pub(super) messages: Vec<String>,
}

impl End {
    /// Whether there is nothing to complain about.
    pub(super) fn is_good(&self) -> bool {
        self.messages.is_empty()
    }

    fn told(code: u8, message: impl Into<String>) -> Self {
        Self { code, messages: vec![message.into()] }
    }
}

/// Judges how the child ended.
pub(super) fn of(ran: &Ran, outcome: Option<&Outcome>, plan: &Plan) -> End {
    let program = plan.launch.programs[0].name.as_str();
    if let Some((number, name)) = signal_of(ran.status) {
        return by_signal(number, name, ran, program);
    }
    let code = ran.status.code().unwrap_or(0);
    let byte = code as u8;
    match outcome {
        _ if ran.progress.process == 0 => not_taken_over(code, plan),
        Some(outcome) => with_outcome(byte, outcome),
        None if code != 0 => End { code: byte, messages: Vec::new() },
        None => End::told(
            FAILED,
            format!(
                "{program} ended at {} of simulated time without telling its outcome; does a rank \
                 call _exit?",
                time(ran.progress.date)
            ),
        ),
    }
}

fn by_signal(number: i32, name: &str, ran: &Ran, program: &str) -> End {
    let code = SIGNALLED.saturating_add(number as u8);
    let date = time(ran.progress.date);
    if let Some(asked) = ran.ended_by {
        let code = if asked == SIGINT { INTERRUPTED } else { code };
        return End::told(code, format!("interrupted at {date} of simulated time"));
    }
    let memory = ran
        .peak_memory()
        .map_or(String::new(), |bytes| format!("; it had up to {}", data(bytes as f64)));
    let message = match number {
        SIGKILL => format!(
            "{program} was killed at {date} of simulated time. If nobody did that, the system ran \
             out of memory{memory}: try fewer ranks, a smaller --stack-size, or shared allocations"
        ),
        SIGXCPU => format!("{program} used up its CPU time at {date} of simulated time"),
        _ => format!("{program} was ended by {name} at {date} of simulated time"),
    };
    End::told(code, message)
}

fn with_outcome(code: u8, outcome: &Outcome) -> End {
    // A run that failed must not look as if it had not.
    let at_least = |least: u8| if code == 0 { least } else { code };
    let has_mistakes = outcome.findings.as_ref().is_some_and(|findings| !findings.is_empty());
    match &outcome.ended {
        Ended::Completed if has_mistakes => End { code: at_least(MISTAKES), messages: Vec::new() },
        Ended::Completed => End { code, messages: Vec::new() },
        Ended::Failed(what) | Ended::Aborted(what) => End::told(at_least(FAILED), what),
        Ended::Deadlock(what) => End::told(at_least(DEADLOCK), what),
        Ended::Interrupted => End::told(
            INTERRUPTED,
            format!("interrupted at {} of simulated time", time(outcome.seconds)),
        ),
    }
}

/// Our library never got hold of the program.
fn not_taken_over(code: i32, plan: &Plan) -> End {
    let program = &plan.programs[0];
    let path = program.path.display();
    let why = match &program.binary {
        _ if code == NOT_LOADED => format!(
            "{path} could not be loaded: it does not find a library, perhaps libmpi_abi.so.1; \
             build it again with foretell-mpicc"
        ),
        None => format!(
            "{path} is a script that started no MPI program of ours; build the program with \
             foretell-mpicc, or run it without the script"
        ),
        Some(binary) => {
            let linked = match binary.needed.is_empty() {
                true => "no library at all".to_owned(),
                false => binary.needed.join(", "),
            };
            format!(
                "{path} ran once, as an ordinary program: our MPI library did not get hold of it. \
                 It is linked to {linked}; build it with foretell-mpicc (`foretell check {path}` \
                 tells more)"
            )
        }
    };
    let code = if code == 0 { BAD_INPUT } else { code as u8 };
    let ranks = count(plan.launch.ranks().into());
    End { code, messages: vec![why, format!("so {ranks} ranks were asked for and none ran")] }
}
