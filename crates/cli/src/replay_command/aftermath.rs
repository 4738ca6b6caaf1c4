//! What is told of a replay when it is over: what its changes came to.

use anyhow::Result;
use foretell_diagnostics::nearest;
use foretell_replay::{Evened, Loads, Replay};

use crate::figures::{count, counted, percent};
use crate::run_options::RunOptions;
use crate::{notes, output, summary};

/// Parts of the program that are listed.
const MOST_NAMES: usize = 8;

/// What the changes of these replays came to, behind the summary of the run.
pub(super) fn tell(replays: &[&Replay], loads: &[Loads], options: &RunOptions) -> Result<()> {
    warn_of_parts(replays);
    let evened = evened(replays);
    evened.into_iter().for_each(warn_of_noise);
    let mut text = String::new();
    if let Some(evened) = evened.filter(|found| found.evened > 0) {
        summary::line(&mut text, "without noise", &noise(evened));
    }
    for words in loads.iter().filter_map(unevenness) {
        summary::line(&mut text, "balanced", &format!("before, {words}"));
    }
    if !text.is_empty() && !options.quiet && !options.prints_json() {
        output::print(&format!("\n{text}"))?;
    }
    Ok(())
}

/// Warns of speed-ups of parts that none of these traces has.
pub(super) fn warn_of_parts(replays: &[&Replay]) {
    let parts: Vec<String> = replays.iter().flat_map(|replay| replay.parts()).collect();
    let Some(first) = replays.first() else { return };
    for asked in first.factors().parts.keys().filter(|asked| !parts.contains(asked)) {
        let known = known(asked, &parts);
        notes::warning(&format!("the --speedup of `{asked}` changed nothing: {known}"));
    }
}

/// Which parts there are.
fn known(asked: &str, parts: &[String]) -> String {
    let names = parts.iter().map(String::as_str);
    if parts.is_empty() {
        return "the trace tells no parts of the program (a rank is written rank:3=2)".to_owned();
    }
    if let Some(near) = nearest(asked, names.clone()) {
        return format!("the trace has no such part; did you mean `{near}`?");
    }
    let listed = names.take(MOST_NAMES).map(|name| format!("`{name}`"));
    let more = match parts.len() > MOST_NAMES {
        true => format!(" and {} more", parts.len() - MOST_NAMES),
        false => String::new(),
    };
    let listed = listed.collect::<Vec<_>>().join(", ");
    format!("the trace has no such part; it has {listed}{more}")
}

/// What became of the computations of replays without noise, all together; none if they have it.
pub(super) fn evened(replays: &[&Replay]) -> Option<Evened> {
    let all = replays.iter().filter(|replay| !replay.has_schedules());
    all.filter_map(|replay| replay.evened()).reduce(Evened::and)
}

/// Says which computations kept their noise.
pub(super) fn warn_of_noise(evened: Evened) {
    let Evened { computations, beyond, .. } = evened;
    if computations > 0 && evened.evened == 0 {
        notes::warning(
            "no computation comes again at its place in the program and takes another time there, \
             so --no-noise changed nothing",
        );
    }
    if beyond > 0 {
        let share = percent(beyond as f64, computations as f64);
        notes::warning(&format!(
            "{} of the computations ({share}) kept their noise: their ranks compute at too many \
             different places to tell all of them apart",
            count(beyond)
        ));
    }
}

/// How noisy computations were, in words.
pub(super) fn noise(evened: Evened) -> String {
    if evened.evened == 0 {
        return "no computation varies from one time to the next".to_owned();
    }
    let computations = counted(evened.computations, "computation");
    let (varied, share) = (count(evened.evened), percent(evened.variation(), 1.0));
    format!("{varied} of {computations} vary from one time to the next, by {share} on average")
}

/// Says what a balanced replay cannot do.
pub(super) fn warn_of_idle(loads: &Loads, ranks: u32) {
    let idle = loads.idle() as u64;
    if idle == u64::from(ranks) {
        notes::warning("no rank computes anything in this trace, so --balance changes nothing");
    } else if idle > 0 {
        let (idle, busy) = (counted(idle, "rank"), counted(u64::from(ranks) - idle, "rank"));
        notes::warning(&format!(
            "nothing is computed by {idle} of this trace, nor is with --balance, which spreads the \
             work over the other {busy}"
        ));
    }
}

/// How uneven the work is, in words; none if no rank computes.
pub(super) fn unevenness(loads: &Loads) -> Option<String> {
    let (rank, most) = loads.most()?;
    let times = most / loads.mean();
    Some(match times > 1.0005 {
        true => format!("rank {rank} computes most, {times:.3} times the mean"),
        false => "all ranks that compute do equally much".to_owned(),
    })
}
