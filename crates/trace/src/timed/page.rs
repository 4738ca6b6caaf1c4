//! A run as one page for the browser: a timeline, who sent how much to whom, and sums.
//!
//! The page needs nothing from elsewhere. Stays of ranks and messages are numbers in as few bytes as
//! they need, so that a million of them take some ten megabytes; past a limit no more are kept, and
//! the page says so. Sums are over all.

mod numbers;
mod path;
mod regions;
mod tables;

use std::path::Path;

use super::text::nanoseconds;
use super::{Cast, Class, CriticalPath, Draft, Event, Lane, Message, Tally, Whole, Writer};
use crate::mistake::Problem;
use numbers::{Packed, base64};
use regions::Regions;

/// Paper and ink, by day and by night: what pages of ours have in common.
pub const PAPER: &str = include_str!("page/paper.css");
const STYLE: &str = include_str!("page/style.css");
const SCRIPT: &str = include_str!("page/script.js");

/// Most stays and most messages that are kept.
const MOST: u64 = 4_000_000;

/// Collects a run, and writes the page at its end.
#[derive(Debug)]
pub(crate) struct Page {
    draft: Draft,
    tally: Tally,
    /// States as the script has them: name, kind, and where they stand in the program.
    states: Vec<String>,
    ranks: Vec<Stays>,
    stays: u64,
    messages: Packed,
    message_count: u64,
    /// When the last message was called for.
    called: u64,
    power: Steps,
    speed: Steps,
    is_cut: bool,
    /// What the critical path is found in; none if there is too much of it.
    whole: Option<Whole>,
    /// How much that is.
    kept: u64,
    /// The critical path, once it is found.
    path: Option<String>,
    regions: Regions,
}

/// The stays of one rank, one behind the other: state, pause before it, length, time waited.
#[derive(Debug, Clone, Default)]
struct Stays {
    packed: Packed,
    count: u64,
    end: u64,
}

/// What nodes tell, all together: the date and the sum of each step.
#[derive(Debug, Default)]
struct Steps {
    nodes: Vec<Option<f64>>,
    steps: Vec<(u64, f64)>,
}

impl Steps {
    fn of(nodes: usize) -> Self {
        Self { nodes: vec![None; nodes], steps: Vec::new() }
    }

    fn change(&mut self, date: u64, node: usize, value: f64) {
        self.nodes[node] = Some(value);
        // Summed anew each time: differences would add up their errors.
        let all = self.nodes.iter().flatten().sum();
        match self.steps.last_mut() {
            Some(last) if last.0 == date => last.1 = all,
            _ => self.steps.push((date, all)),
        }
        if self.steps.len() > 2 * MOST_STEPS {
            self.thin();
        }
    }

    /// The steps, each value divided by so much.
    fn told(&self, share: f64) -> String {
        let step = |(date, all): &(u64, f64)| format!("[{date},{:.3}]", all / share);
        self.steps.iter().map(step).collect::<Vec<_>>().join(",")
    }

    /// How many nodes tell it.
    fn count(&self) -> usize {
        self.nodes.iter().flatten().count()
    }

    /// Keeps every other step.
    fn thin(&mut self) {
        let mut at = 0;
        self.steps.retain(|_| {
            at += 1;
            at % 2 == 1
        });
    }
}

/// Most steps of what nodes tell.
const MOST_STEPS: usize = 100_000;

impl Page {
    pub(crate) fn create(path: &Path, cast: Cast) -> Result<Self, Problem> {
        let (nodes, tally_cast) = (cast.nodes.len(), cast.clone());
        Ok(Self {
            draft: Draft::create(path)?,
            ranks: vec![Stays::default(); cast.ranks() as usize],
            tally: Tally::new(&cast),
            states: Vec::new(),
            stays: 0,
            messages: Packed::default(),
            message_count: 0,
            called: 0,
            power: Steps::of(nodes),
            speed: Steps::of(nodes),
            is_cut: false,
            whole: Some(Whole::new(&tally_cast)),
            kept: 0,
            path: None,
            regions: Regions::new(tally_cast.ranks()),
        })
    }

    /// Keeps what the critical path is found in, up to as much as is shown.
    fn keep(&mut self, date: f64, event: &Event<'_>) {
        self.kept += u64::from(matches!(event, Event::Leaves { .. } | Event::Delivers(_)));
        if self.kept > 2 * MOST {
            self.whole = None;
        }
        if let Some(whole) = &mut self.whole {
            whole.add(date, event);
        }
    }

    fn stay(&mut self, rank: u32, state: u32, (since, date, waited): (f64, f64, f64)) {
        let (begin, end) = (nanoseconds(since), nanoseconds(date));
        // What takes no time cannot be seen.
        if begin == end {
            return;
        }
        if self.stays == MOST {
            self.is_cut = true;
            return;
        }
        self.stays += 1;
        let rank = &mut self.ranks[rank as usize];
        rank.count += 1;
        rank.packed.number(state.into());
        rank.packed.number(begin.saturating_sub(rank.end));
        rank.packed.number(end - begin);
        rank.packed.number(nanoseconds(waited).min(end - begin));
        rank.end = end;
    }

    fn message(&mut self, date: f64, message: &Message) {
        if self.message_count == MOST {
            self.is_cut = true;
            return;
        }
        self.message_count += 1;
        let (letter, called) = (&message.letter, nanoseconds(message.called));
        let after = |date: f64| nanoseconds(date) as i64 - called as i64;
        let packed = &mut self.messages;
        packed.number(letter.from.into());
        packed.number(letter.to.into());
        packed.number(letter.comm.into());
        packed.signed(letter.tag.into());
        packed.number(letter.bytes);
        packed.signed(called as i64 - self.called as i64);
        for other in [message.sent, message.departed, message.posted, message.arrived, date] {
            packed.signed(after(other));
        }
        self.called = called;
    }

    /// What the script needs to know beside the packed numbers.
    fn info(&self) -> String {
        let counts = self.ranks.iter().map(|rank| rank.count.to_string());
        let nodes = self.tally.cast.nodes.iter().map(|node| tables::json(node));
        let places = self.tally.cast.places.iter().map(u32::to_string);
        let list = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(",");
        format!(
            "{{\"end\":{},\"states\":[{}],\"counts\":[{}],\"messages\":{},\"nodes\":[{}],\
             \"places\":[{}],\"power\":[{}],\"speed\":[{}],\"regions\":{},\"path\":{},\
             \"matrix\":{}}}",
            nanoseconds(self.tally.end),
            self.states.join(","),
            list(&mut { counts }),
            self.message_count,
            list(&mut { nodes }),
            list(&mut { places }),
            self.power.told(1.0),
            // The mean of a core, in Gflop/s.
            self.speed.told(1e9 * self.speed.count() as f64),
            self.regions.told(),
            self.path.as_deref().unwrap_or("null"),
            tables::matrix(&self.tally),
        )
    }

    fn text(&self) -> String {
        let title = format!("{} on {}", self.tally.cast.program, self.tally.cast.machine);
        let title = tables::escaped(&title);
        let mut stays = Vec::new();
        self.ranks.iter().for_each(|rank| stays.extend_from_slice(rank.packed.bytes()));
        let cut = match self.is_cut {
            true => {
                "<p class=\"note\">The run has more than the page can show: the timeline lacks \
                     its last part. Sums are over all.</p>\n"
            }
            false => "",
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <title>{title}</title>\n<style>\n{PAPER}{STYLE}</style>\n</head>\n<body>\n<main>\n\
             <h1>{title}</h1>\n{head}{cut}{FRAME}{sums}</main>\n\
             <script id=\"info\" type=\"application/json\">{info}</script>\n\
             <script id=\"stays\" type=\"text/plain\">{stays}</script>\n\
             <script id=\"messages\" type=\"text/plain\">{messages}</script>\n\
             <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
            head = tables::head(&self.tally),
            sums = tables::sums(&self.tally),
            // A text may not end the element that it is in.
            info = self.info().replace("</", "<\\/"),
            stays = base64(&stays),
            messages = base64(self.messages.bytes()),
        )
    }
}

/// The places that the script fills.
const FRAME: &str = "\
<div id=\"legend\" class=\"legend\"></div>
<div class=\"tools\">
<label id=\"path-tool\"><input type=\"checkbox\" id=\"show-path\"/> critical path</label>
<label id=\"regions-tool\"><input type=\"checkbox\" id=\"show-regions\" checked=\"\"/> regions</label>
<label><input type=\"checkbox\" id=\"show-arrows\" checked=\"\"/> messages</label>
<label>rank <input type=\"number\" id=\"rank\" min=\"0\" step=\"1\"/></label>
<button type=\"button\" id=\"all\">show all</button>
</div>
<div id=\"frame\"><canvas id=\"timeline\" tabindex=\"0\" aria-label=\"timeline\"></canvas></div>
<p id=\"hint\" class=\"command\">Wheel: zoom in time; with Shift: in ranks. Drag: move. Double click: \
all. Click: details. Keys: + - arrows, 0 for all, c for the critical path, m for messages.</p>
<p id=\"path-shares\" class=\"note\"></p>
<p id=\"details\" role=\"status\">&#160;</p>
<div id=\"meter\"><h2>Power</h2><canvas id=\"power\"></canvas></div>
<div id=\"pace\"><h2>Speed</h2><canvas id=\"speed\"></canvas></div>
<h2>Messages</h2>
<p>Bytes from the rank of the row to the rank of the column, those of collective operations included; \
the darker, the more.</p>
<canvas id=\"matrix\"></canvas>
<p id=\"cell\" role=\"status\">&#160;</p>
";

impl Writer for Page {
    fn write(&mut self, date: f64, event: &Event<'_>) {
        self.tally.add(date, event);
        self.keep(date, event);
        match *event {
            Event::Names { name, place, .. } => {
                let (text, kind) =
                    (tables::json(name), tables::json(tables::kind(Class::of(name))));
                let place = place.map(|place| format!(",{}", tables::json(&place.to_string())));
                self.states.push(format!("[{text},{kind}{}]", place.unwrap_or_default()));
            }
            Event::Leaves { rank, state, since, waited, .. } => {
                self.stay(rank, state, (since, date, waited));
            }
            Event::Delivers(message) if message.letter.lane == Lane::PointToPoint => {
                self.message(date, message);
            }
            Event::Draws { node, watts } => {
                self.power.change(nanoseconds(date), node as usize, watts);
            }
            Event::Runs { node, speed, .. } => {
                self.speed.change(nanoseconds(date), node as usize, speed);
            }
            Event::Marks { rank, mark, name } => {
                self.regions.mark(nanoseconds(date), rank, mark, name);
            }
            _ => {}
        }
    }

    fn finish(mut self: Box<Self>, date: f64) -> Result<(), Problem> {
        self.tally.end = date;
        self.regions.close(nanoseconds(date));
        self.path = self.whole.take().map(|mut whole| {
            whole.close(date);
            path::told(&CriticalPath::of(&whole), &whole)
        });
        let text = self.text();
        self.draft.write(text.as_bytes());
        self.draft.finish()
    }
}

#[cfg(test)]
mod tests;
