//! From a line to an action.

mod window;

use crate::action::{Action, Amount, Counts, Message, Mode, Peer, Several, Waited};
use crate::datatype::Datatype;
use crate::fields::{Fields, Members, amount, checked_size, shown, size};
use crate::file::FileCall;
use crate::mistake::Mistake;
use crate::root::Root;
use crate::sides::Sides;

/// What SimGrid writes for `MPI_ANY_SOURCE`, `MPI_ANY_TAG` and `MPI_PROC_NULL`; a source that is
/// not known yet is -1 in its waits.
const ANY_SOURCE: [i64; 2] = [-555, -1];
const ANY_TAG: [i64; 2] = [-444, -1];
const PROC_NULL: i64 = -666;

/// Actions that SimGrid writes and cannot replay, and neither can we: what they stand for is not
/// in the trace.
const UNTOLD: [&str; 11] = [
    "Startall",
    "Put",
    "Rput",
    "Get",
    "Rget",
    "Accumulate",
    "Raccumulate",
    "Get_accumulate",
    "Rget_accumulate",
    "Fetch_and_op",
    "Compare_and_swap",
];

/// So do calls on windows, which SimGrid writes without saying on which.
const UNTOLD_WINDOW: &[u8] = b"Win_";

impl<'a> Action<'a> {
    /// Reads an action as it stands behind the number of its rank, in a trace of `ranks` ranks.
    ///
    /// # Errors
    ///
    /// What was expected in place of what is there.
    #[inline]
    pub fn parse(line: &'a [u8], ranks: u32) -> Result<Action<'a>, Mistake> {
        let mut fields = Fields::new(line);
        let name = fields.next().ok_or_else(|| Mistake("expected an action here".into()))?;
        let arguments = Arguments { fields, ranks };
        // The commonest first; the rest is out of the way.
        let action = match name {
            b"send" => arguments.outgoing().map(|message| Action::Send(Mode::Standard, message)),
            b"recv" => arguments.message().map(Action::Recv),
            b"isend" => arguments.outgoing().map(|message| Action::Isend(Mode::Standard, message)),
            b"irecv" => arguments.message().map(Action::Irecv),
            b"wait" => arguments.waited().map(Action::Wait),
            b"compute" => arguments.work().map(Action::Compute),
            _ => arguments.further(name),
        };
        action.map_err(|mistake| in_words(name, mistake))
    }
}

/// Says which fields an action has.
#[cold]
fn in_words(name: &[u8], mistake: Mistake) -> Mistake {
    match usage(name) {
        Some(usage) => {
            let name = String::from_utf8_lossy(name);
            Mistake(format!("{mistake}; a line is: rank {name} {usage}").replace("  ", " "))
        }
        None => mistake,
    }
}

fn usage(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"send" | b"isend" | b"Ssend" | b"ISsend" | b"bsend" | b"ibsend" | b"Start" => {
            "to tag count [datatype]"
        }
        b"recv" | b"irecv" => "from tag count [datatype]",
        b"wait" | b"test" => "from to tag",
        b"compute" => "flops",
        b"comm_def" => "number first:count:stride …",
        b"inter_def" => "number first:count:stride … | first:count:stride …",
        b"within" | b"later" | b"await" | b"look" => "number",
        b"passes" => "bytes bytes [other]",
        b"file_read" | b"file_write" | b"file_read_all" | b"file_write_all" => "bytes",
        b"region" | b"leave" => "name",
        b"younger" => "number",
        b"sleep" => "seconds",
        b"location" => "file line",
        b"sendRecv" => "count to count from datatype datatype",
        b"bcast" => "count [root [datatype]]",
        b"reduce" => "count flops [root [datatype]]",
        b"allreduce" | b"scan" | b"exscan" => "count flops [datatype]",
        b"alltoall" | b"allgather" => "count count [datatype datatype]",
        b"gather" | b"scatter" => "count count [root [datatype datatype]]",
        b"gatherv" => "count counts… [root [datatype datatype]]",
        b"scatterv" => "counts… count [root [datatype datatype]]",
        b"allgatherv" => "count counts… [datatype datatype]",
        b"alltoallv" => "sum counts… sum counts… [datatype datatype]",
        b"reducescatter" => "counts… flops [datatype]",
        _ => return window::usage(name),
    })
}

/// The arguments of an action, read from left to right.
struct Arguments<'a> {
    fields: Fields<'a>,
    ranks: u32,
}

impl<'a> Arguments<'a> {
    fn further(mut self, name: &'a [u8]) -> Result<Action<'a>, Mistake> {
        Ok(match name {
            b"init" => Action::Init { doubles: self.fields.next().is_some() },
            b"finalize" => Action::Finalize,
            b"comm_size" | b"comm_split" | b"comm_dup" => Action::Communicator(text(name)?),
            b"comm_def" => {
                let id = self.number_of("a communicator")?;
                Action::Define { id, members: Members::parse(self.fields.rest(), self.ranks)? }
            }
            b"inter_def" => {
                let id = self.number_of("a communicator")?;
                Action::DefineInter { id, sides: Sides::parse(self.fields.rest(), self.ranks)? }
            }
            b"within" => Action::Within(self.number_of("a communicator")?),
            b"later" => Action::Later(self.number_of("a request")?),
            b"await" => Action::Await(self.number_of("a request")?),
            b"look" => Action::Look(self.number_of("a request")?),
            b"passes" => {
                let sent = size(self.required("a number of bytes")?)?;
                let received = size(self.required("a number of bytes")?)?;
                let is_other = self.fields.next() == Some(b"other");
                Action::Passes { sent, received, is_other }
            }
            b"region" => Action::Region(text(self.required("a name")?)?),
            b"leave" => Action::Leave(text(self.required("a name")?)?),
            b"younger" => Action::Younger(self.number_of("older requests")?),
            b"iteration_in" | b"iteration_out" | b"migrate" => Action::Mark(text(name)?),
            b"location" => {
                let file = text(self.required("a file")?)?;
                Action::Location { file, line: size(self.required("a line")?)? }
            }
            b"sleep" => Action::Sleep(self.work()?),
            b"Ssend" => Action::Send(Mode::Synchronous, self.outgoing()?),
            b"bsend" => Action::Send(Mode::Buffered, self.outgoing()?),
            b"ISsend" => Action::Isend(Mode::Synchronous, self.outgoing()?),
            b"ibsend" => Action::Isend(Mode::Buffered, self.outgoing()?),
            b"sendRecv" => self.sendrecv()?,
            b"test" => Action::Test(self.waited()?),
            b"waitall" => Action::Waitall(self.fields.next().map_or(Ok(0), size)?),
            b"waitAny" => {
                Action::Several(Several::WaitAny(self.fields.next().map_or(Ok(0), size)?))
            }
            b"testany" => Action::Several(Several::TestAny),
            b"testall" => Action::Several(Several::TestAll),
            b"testsome" => Action::Several(Several::TestSome),
            b"Start" => Action::Start(self.started()?),
            _ => self.collective(name)?,
        })
    }

    fn collective(mut self, name: &[u8]) -> Result<Action<'a>, Mistake> {
        Ok(match name {
            b"barrier" => Action::Barrier,
            b"bcast" => {
                let (count, root) = (self.count()?, self.root()?);
                Action::Bcast { size: self.of_type(count)?, root }
            }
            b"reduce" => {
                let (count, flops, root) = (self.count()?, self.flops()?, self.root()?);
                Action::Reduce { size: self.of_type(count)?, flops, root }
            }
            b"allreduce" | b"scan" | b"exscan" => {
                let (count, flops) = (self.count()?, self.flops()?);
                let size = self.of_type(count)?;
                match name {
                    b"allreduce" => Action::Allreduce { size, flops },
                    b"scan" => Action::Scan { size, flops },
                    _ => Action::Exscan { size, flops },
                }
            }
            b"alltoall" => {
                let [sent, received] = self.both_counts()?;
                Action::Alltoall { sent: self.of_type(sent)?, received: self.of_type(received)? }
            }
            b"allgather" => {
                let [sent, received] = self.both_counts()?;
                Action::Allgather { sent: self.of_type(sent)?, received: self.of_type(received)? }
            }
            b"gather" | b"scatter" => {
                let ([sent, received], root) = (self.both_counts()?, self.root()?);
                let (sent, received) = (self.of_type(sent)?, self.of_type(received)?);
                match name {
                    b"gather" => Action::Gather { sent, received, root },
                    _ => Action::Scatter { sent, received, root },
                }
            }
            _ => self.uneven(name)?,
        })
    }

    /// Collectives with a count for each rank.
    fn uneven(mut self, name: &[u8]) -> Result<Action<'a>, Mistake> {
        let ranks = self.ranks;
        Ok(match name {
            b"gatherv" => {
                let (sent, list, root) = (self.count()?, self.fields.list(ranks)?, self.root()?);
                let sent = self.of_type(sent)?;
                Action::Gatherv { sent, received: self.each_of_type(list)?, root }
            }
            b"scatterv" => {
                let (list, count, root) = (self.fields.list(ranks)?, self.count()?, self.root()?);
                let sent = self.each_of_type(list)?;
                Action::Scatterv { sent, received: self.of_type(count)?, root }
            }
            b"allgatherv" => {
                let (sent, list) = (self.count()?, self.fields.list(ranks)?);
                // Displacements may follow, with the datatypes before them or without any; more
                // than two fields that are not enough for both are displacements.
                let more = self.fields.count();
                if more > 2 && more <= ranks as usize {
                    self.fields = Fields::new(b"");
                }
                let sent = self.of_type(sent)?;
                Action::Allgatherv { sent, received: self.each_of_type(list)? }
            }
            b"alltoallv" => {
                self.count()?;
                let sent = self.fields.list(ranks)?;
                self.count()?;
                let received = self.fields.list(ranks)?;
                let sent = self.each_of_type(sent)?;
                Action::Alltoallv { sent, received: self.each_of_type(received)? }
            }
            b"reducescatter" => {
                let (list, flops) = (self.fields.list(ranks)?, self.flops()?);
                Action::ReduceScatter { counts: self.each_of_type(list)?, flops }
            }
            _ => match self.file(name)? {
                Some(action) => action,
                None => return self.window(name)?.ok_or_else(|| unknown(name)),
            },
        })
    }

    /// An action on a file; none if the name is another one.
    fn file(&mut self, name: &[u8]) -> Result<Option<Action<'a>>, Mistake> {
        let call = match name {
            b"file_open" => FileCall::Open,
            b"file_close" => FileCall::Close,
            b"file_meet" => FileCall::Meet,
            b"file_read" => FileCall::Read(self.size()?),
            b"file_write" => FileCall::Write(self.size()?),
            b"file_read_all" => FileCall::ReadAll(self.size()?),
            b"file_write_all" => FileCall::WriteAll(self.size()?),
            _ => return Ok(None),
        };
        Ok(Some(Action::File(call)))
    }

    fn size(&mut self) -> Result<u64, Mistake> {
        size(self.required("a number of bytes")?)
    }

    #[inline]
    fn message(mut self) -> Result<Message, Mistake> {
        let (peer, tag) = (self.peer()?, self.tag()?);
        // A receive that does not know its size has a negative one.
        let count = match self.integer("a count")? {
            ..0 => None,
            count => Some(checked_size(count)?),
        };
        let datatype = self.datatype()?;
        Ok(Message { peer, tag, size: Amount { count, datatype } })
    }

    /// A message that this rank sends: to somebody, and of a size it knows.
    #[inline]
    fn outgoing(self) -> Result<Message, Mistake> {
        let message = self.message()?;
        match message {
            Message { peer: Peer::Any, .. } => {
                Err(Mistake("expected the rank that it goes to".into()))
            }
            Message { tag: None, .. } => Err(Mistake("expected a tag of 0 or more".into())),
            Message { size: Amount { count: None, .. }, .. } => {
                Err(Mistake("expected a count of 0 or more".into()))
            }
            message => Ok(message),
        }
    }

    /// What a persistent request is for. Its size is in bytes, whatever the datatype.
    fn started(self) -> Result<Message, Mistake> {
        let Message { peer, tag, size } = self.message()?;
        if peer == Peer::Any {
            return Err(Mistake("expected the rank that it goes to".into()));
        }
        let size = size.count.ok_or_else(|| Mistake("expected a size of 0 or more".into()))?;
        Ok(Message { peer, tag, size: Amount::of_bytes(size) })
    }

    fn waited(mut self) -> Result<Waited, Mistake> {
        let (from, to) = (self.peer()?, self.peer()?);
        Ok(Waited { from, to, tag: self.tag()? })
    }

    fn sendrecv(mut self) -> Result<Action<'a>, Mistake> {
        let (sent, to) = (self.count()?, self.peer()?);
        let (received, from) = (self.count()?, self.peer()?);
        let (sent, received) = (self.of_type(sent)?, self.of_type(received)?);
        Ok(Action::Sendrecv { to, sent, from, received })
    }

    fn work(mut self) -> Result<f64, Mistake> {
        self.flops()
    }

    fn required(&mut self, what: &str) -> Result<&'a [u8], Mistake> {
        self.fields.next().ok_or_else(|| Mistake(format!("expected {what} here")))
    }

    #[inline]
    fn integer(&mut self, what: &str) -> Result<i64, Mistake> {
        self.fields.integer().unwrap_or_else(|| Err(Mistake(format!("expected {what} here"))))
    }

    fn number_of(&mut self, what: &str) -> Result<u32, Mistake> {
        let number = self.integer(&format!("the number of {what}"))?;
        i32::try_from(number).ok().and_then(|id| u32::try_from(id).ok()).ok_or_else(|| {
            Mistake(format!("expected a number from 0 to {}, not {number}", i32::MAX))
        })
    }

    fn count(&mut self) -> Result<u64, Mistake> {
        checked_size(self.integer("a count")?)
    }

    fn both_counts(&mut self) -> Result<[u64; 2], Mistake> {
        Ok([self.count()?, self.count()?])
    }

    fn flops(&mut self) -> Result<f64, Mistake> {
        amount(self.required("an amount")?)
    }

    fn root(&mut self) -> Result<Root, Mistake> {
        if let Some(b's' | b'n') = self.fields.rest().trim_ascii_start().first() {
            let word = self.required("a root")?;
            return Root::named(word).ok_or_else(|| {
                Mistake(format!("expected a rank, self or nobody, not {}", shown(word)))
            });
        }
        let Some(number) = self.fields.integer() else { return Ok(Root::Rank(0)) };
        self.rank(number?).map(Root::Rank)
    }

    #[inline]
    fn rank(&self, number: i64) -> Result<u32, Mistake> {
        match u32::try_from(number) {
            Ok(rank) if rank < self.ranks => Ok(rank),
            _ => Err(Mistake(format!("expected one of {} ranks, not {number}", self.ranks))),
        }
    }

    #[inline]
    fn peer(&mut self) -> Result<Peer, Mistake> {
        let number = self.integer("a rank")?;
        if ANY_SOURCE.contains(&number) {
            return Ok(Peer::Any);
        }
        if number == PROC_NULL {
            return Ok(Peer::Nobody);
        }
        self.rank(number).map(Peer::Rank)
    }

    #[inline]
    fn tag(&mut self) -> Result<Option<u32>, Mistake> {
        let number = self.integer("a tag")?;
        if ANY_TAG.contains(&number) {
            return Ok(None);
        }
        match i32::try_from(number).ok().and_then(|tag| u32::try_from(tag).ok()) {
            Some(tag) => Ok(Some(tag)),
            None => Err(Mistake(format!("expected a tag from 0 to {}, not {number}", i32::MAX))),
        }
    }

    #[inline]
    fn datatype(&mut self) -> Result<Option<Datatype>, Mistake> {
        let Some(number) = self.fields.integer() else { return Ok(None) };
        let number = number?;
        match Datatype::numbered(number) {
            Some(datatype) => Ok(Some(datatype)),
            None => {
                Err(Mistake(format!("expected the number of a datatype, -1 to 59, not {number}")))
            }
        }
    }

    fn of_type(&mut self, count: u64) -> Result<Amount, Mistake> {
        Ok(Amount { count: Some(count), datatype: self.datatype()? })
    }

    fn each_of_type(&mut self, list: crate::fields::List<'a>) -> Result<Counts<'a>, Mistake> {
        Ok(Counts { list, datatype: self.datatype()? })
    }
}

fn text(field: &[u8]) -> Result<&str, Mistake> {
    std::str::from_utf8(field)
        .map_err(|_| Mistake(format!("expected text in UTF-8, not {}", shown(field))))
}

#[cold]
fn unknown(name: &[u8]) -> Mistake {
    let told =
        UNTOLD.iter().any(|untold| untold.as_bytes() == name) || name.starts_with(UNTOLD_WINDOW);
    Mistake(match told {
        true => {
            format!("{} cannot be replayed: the trace does not tell what it is for", shown(name))
        }
        false => format!("there is no action {}", shown(name)),
    })
}

#[cfg(test)]
mod tests;
