//! The events of one location.

use rustc_hash::FxHashMap;

use super::bytes::{Body, Window, Wrong};
use super::local::Local;
use super::meters::Values;
use crate::mistake::Problem;
use crate::timed::otf2::definitions::STRING;
use crate::window::NOTE;

/// What a location tells, as far as it matters here. Numbers are those of the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    Enter {
        region: u64,
        /// Where in the source it stands.
        place: Option<Spot>,
    },
    /// A region is entered or left that a calling context tells of.
    EnterContext {
        context: u64,
    },
    LeaveContext {
        context: u64,
    },
    Leave {
        region: u64,
    },
    Send {
        to: u64,
        comm: u64,
        tag: u64,
        bytes: u64,
        request: Option<u64>,
    },
    SendDone {
        request: u64,
    },
    ReceivePosted {
        request: u64,
    },
    Receive {
        from: u64,
        comm: u64,
        tag: u64,
        bytes: u64,
        request: Option<u64>,
    },
    Cancelled {
        request: u64,
    },
    Collective {
        operation: u8,
        comm: u64,
        root: u64,
        sent: u64,
        received: u64,
    },
    CollectiveBegun {
        request: u64,
    },
    CollectiveDone {
        request: u64,
        operation: u8,
        comm: u64,
        root: u64,
        sent: u64,
        received: u64,
    },
    /// Something is done with a window.
    OnWindow {
        window: u64,
        what: OnWindow,
    },
    /// Values of metrics.
    Measured(Values),
    /// Something is done with a file.
    OnFile {
        file: u64,
        what: OnFile,
    },
    /// Something that is not told on, by its name.
    Other(&'static str),
}

/// What says where in the source a call stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Spot {
    /// A text.
    Text(u64),
    /// A calling context.
    Context(u64),
}

/// What is done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnFile {
    Open,
    Close,
    Begin { mode: u8, flags: u64, bytes: u64, number: u64 },
    Complete { bytes: u64, number: u64 },
}

/// What is done with a window. Targets are ranks of its communicator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OnWindow {
    /// All of its ranks take part in this.
    Together {
        operation: u8,
    },
    /// Some of its ranks do.
    Among {
        group: u64,
    },
    /// A lock is asked for, of one rank or of all.
    Lock {
        target: Option<u64>,
        is_exclusive: bool,
    },
    Unlock {
        target: Option<u64>,
    },
    /// Something happens to the memory of a rank. `answer` is what comes back, if anything does.
    Operate {
        target: u64,
        sent: u64,
        answer: Option<u64>,
        is_ordered: bool,
        number: u64,
    },
    /// What has this number is complete.
    Done {
        number: u64,
    },
}

/// Reads the events of a location.
#[derive(Debug)]
pub(super) struct Events {
    window: Window,
    chunk: u64,
    chunk_start: u64,
    local: Local,
    time: u64,
    is_open: bool,
    probed: Probed,
    /// The attribute that says where in the source a call stands, and what it says of the event
    /// that comes next.
    attribute: Option<u64>,
    place: Option<Spot>,
}

/// Messages that a probe has taken out of the matching, and requests for them. Their receives do
/// not tell again where they come from.
#[derive(Debug, Default)]
struct Probed {
    messages: FxHashMap<u64, Address>,
    requests: FxHashMap<u64, Address>,
}

/// The sender, the communicator and the tag of a message.
type Address = (u64, u64, u64);

impl Probed {
    fn receive(from: Option<Address>, bytes: u64, request: Option<u64>) -> Told {
        match from {
            Some((from, comm, tag)) => Told::Receive { from, comm, tag, bytes, request },
            None => Told::Other("receives of messages that no probe has found"),
        }
    }
}

impl Events {
    /// `place` is the attribute that says where in the source a call stands.
    pub(super) fn new(window: Window, chunk: u64, local: Local, place: Option<u64>) -> Self {
        Self {
            attribute: place,
            place: None,
            window,
            chunk,
            chunk_start: 0,
            local,
            time: 0,
            is_open: false,
            probed: Probed::default(),
        }
    }

    /// The next event that matters and its date on the clock of all; none at the end.
    pub(super) fn next(&mut self) -> Result<Option<(u64, Told)>, Problem> {
        if !self.is_open {
            if self.window.is_at_end() {
                return Ok(None);
            }
            self.window.chunk_header()?;
            self.is_open = true;
        }
        loop {
            let place = self.window.place();
            match self.window.byte()? {
                0 => {
                    self.chunk_start += self.chunk;
                    self.window.go_to(self.chunk_start);
                    self.window.chunk_header()?;
                }
                1 | 2 => return Ok(None),
                3 => {
                    let words = "a chunk begins where an event is expected".into();
                    return Err(self.window.problem(place, words));
                }
                5 => self.time = self.window.full()?,
                6 => self.attributes()?,
                kind => {
                    let told = self.event(kind)?;
                    self.place = None;
                    if let Some(told) = told {
                        return Ok(Some((self.local.global(self.time), told)));
                    }
                }
            }
        }
    }

    /// What is said of the event that comes next.
    fn attributes(&mut self) -> Result<(), Problem> {
        let body = self.window.body()?;
        if let Some(wanted) = self.attribute {
            let place = attribute(body, wanted, &self.local);
            let wrong = |Wrong { offset, reason }| self.window.problem(offset, reason);
            self.place = place.map_err(wrong)?.map(Spot::Text);
        }
        Ok(())
    }

    fn event(&mut self, kind: u8) -> Result<Option<Told>, Problem> {
        // These have one number and no length.
        Ok(Some(match kind {
            12 => {
                let region = self.local.region(self.window.number()?);
                Told::Enter { region, place: self.place }
            }
            13 => Told::Leave { region: self.local.region(self.window.number()?) },
            16 => Told::SendDone { request: self.window.number()? },
            17 => Told::ReceivePosted { request: self.window.number()? },
            21 => Told::Cancelled { request: self.window.number()? },
            20 | 24 | 28..=30 => {
                self.window.number()?;
                return Ok(None);
            }
            _ => {
                let told = long(kind, self.window.body()?, &self.local, &mut self.probed);
                let wrong = |Wrong { offset, reason }| self.window.problem(offset, reason);
                return told.map_err(wrong);
            }
        }))
    }
}

/// The text that an attribute has in a list, if it is there.
fn attribute(mut body: Body<'_>, wanted: u64, local: &Local) -> Result<Option<u64>, Wrong> {
    for _ in 0..body.number()? {
        let attribute = local.attribute(body.number()?);
        let kind = body.byte()?;
        let value = match kind {
            1 | 5 => body.byte()?.into(),
            // Floating-point numbers are not compressed, and what is unknown may be anything.
            9 | 10 => return Ok(None),
            _ => body.number()?,
        };
        if attribute == wanted && kind == STRING {
            return Ok(Some(local.string(value)));
        }
    }
    Ok(None)
}

/// Events that tell their length. What is unknown is passed over.
fn long(
    kind: u8,
    mut body: Body<'_>,
    local: &Local,
    probed: &mut Probed,
) -> Result<Option<Told>, Wrong> {
    Ok(Some(match kind {
        14 | 15 | 18 | 19 => {
            let peer = body.number()?;
            let comm = local.comm(body.number()?);
            let (tag, bytes) = (body.number()?, body.number()?);
            let request = if matches!(kind, 15 | 19) { Some(body.number()?) } else { None };
            match kind {
                14 | 15 => Told::Send { to: peer, comm, tag, bytes, request },
                _ => Told::Receive { from: peer, comm, tag, bytes, request },
            }
        }
        23 => {
            let operation = body.byte()?;
            let comm = local.comm(body.number()?);
            let (root, sent, received) = (body.number()?, body.number()?, body.number()?);
            Told::Collective { operation, comm, root, sent, received }
        }
        31 => Told::Measured(Values::read(body)?),
        38..=40 | 43 | 46..=50 | 52 => return on_window(kind, body, local),
        66 => Told::EnterContext { context: local.context(body.number()?) },
        67 => Told::LeaveContext { context: local.context(body.number()?) },
        69 | 70 | 75 | 78 => on_file(kind, body, local)?,
        85 => Told::CollectiveBegun { request: body.number()? },
        86 => {
            let operation = body.byte()?;
            let comm = local.comm(body.number()?);
            let (root, sent, received) = (body.number()?, body.number()?, body.number()?);
            let request = body.number()?;
            Told::CollectiveDone { request, operation, comm, root, sent, received }
        }
        // Matched probes and receives, of versions since 3.1.
        89 => {
            let from = body.number()?;
            let comm = local.comm(body.number()?);
            let (tag, message) = (body.number()?, body.number()?);
            probed.messages.insert(message, (from, comm, tag));
            return Ok(None);
        }
        90 => {
            let message = body.number()?;
            Probed::receive(probed.messages.remove(&message), body.number()?, None)
        }
        91 => {
            let (message, request) = (body.number()?, body.number()?);
            if let Some(from) = probed.messages.remove(&message) {
                probed.requests.insert(request, from);
            }
            Told::ReceivePosted { request }
        }
        92 => {
            let request = body.number()?;
            Probed::receive(probed.requests.remove(&request), body.number()?, Some(request))
        }
        _ => return Ok(None),
    }))
}

/// The number of compare-and-swap among operations that are done at once.
const COMPARE: u8 = 3;

/// Events of files.
fn on_file(kind: u8, mut body: Body<'_>, local: &Local) -> Result<Told, Wrong> {
    let file = local.file(body.number()?);
    let what = match kind {
        69 => OnFile::Open,
        70 => OnFile::Close,
        75 => {
            let (mode, flags, bytes) = (body.byte()?, body.number()?, body.number()?);
            OnFile::Begin { mode, flags, bytes, number: body.number()? }
        }
        _ => OnFile::Complete { bytes: body.number()?, number: body.number()? },
    };
    Ok(Told::OnFile { file, what })
}

/// Events of windows, but for those that say only what others say as well.
fn on_window(kind: u8, mut body: Body<'_>, local: &Local) -> Result<Option<Told>, Wrong> {
    let operation = if kind == 38 { body.byte()? } else { 0 };
    if matches!(kind, 38 | 39) {
        // How far they wait for each other.
        body.number()?;
    }
    let window = local.window(body.number()?);
    let one_or_all = |target: u64| (target != u64::MAX).then_some(target);
    let what = match kind {
        38 => OnWindow::Together { operation },
        39 => OnWindow::Among { group: local.group(body.number()?) },
        40 => {
            let target = one_or_all(body.number()?);
            body.number()?;
            OnWindow::Lock { target, is_exclusive: body.byte()? == 0 }
        }
        43 => OnWindow::Unlock { target: one_or_all(body.number()?) },
        46 | 47 => {
            let (target, bytes, number) = (body.number()?, body.number()?, body.number()?);
            let (sent, answer) = if kind == 46 { (bytes, None) } else { (NOTE, Some(bytes)) };
            OnWindow::Operate { target, sent, answer, is_ordered: false, number }
        }
        48 => {
            let (target, kind) = (body.number()?, body.byte()?);
            let (sent, back, number) = (body.number()?, body.number()?, body.number()?);
            let answer = (back > 0).then_some(back);
            // What asks for an answer says so, and what is compared goes there as well.
            let sent = match (kind, answer) {
                (_, None) => sent,
                (COMPARE, _) => sent.saturating_mul(2).saturating_add(NOTE),
                _ => sent.saturating_add(NOTE),
            };
            OnWindow::Operate { target, sent, answer, is_ordered: true, number }
        }
        _ => OnWindow::Done { number: body.number()? },
    };
    Ok(Some(Told::OnWindow { window, what }))
}
