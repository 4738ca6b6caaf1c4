//! One process of the grid: where it is, whom it talks to, what it computes.

use std::cell::Cell;

use foretell_mpi::{Comm, Error, KernelId, Payload, Result};

use super::blocks::distance;
use super::configuration::{Configuration, ProcessMap};

/// Tag of everything that processes of a column say to each other while they factorise.
pub(super) const COLUMN_TAG: i32 = 1001;
/// Tags of panels, in turn.
const PANEL_TAGS: std::ops::RangeInclusive<i32> = 2001..=3000;
/// Tag of HPL's own collective operations.
const COLLECTIVE_TAG: i32 = 9001;

/// A process of the grid.
pub(super) struct Process {
    pub(super) configuration: Configuration,
    /// All processes of the grid.
    pub(super) all: Comm,
    /// The processes of its row, by column.
    pub(super) row: Comm,
    /// The processes of its column, by row.
    pub(super) column: Comm,
    pub(super) my_row: usize,
    pub(super) my_column: usize,
    /// Seconds computed and not yet spent: nobody can tell until the next call of MPI.
    owed: Cell<f64>,
    sent: Cell<Sent>,
}

/// What a process has sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Messages.
    pub messages: u64,
    /// Their payload.
    pub bytes: u64,
}

impl Process {
    /// Takes a place in the grid; ranks that have none get none.
    pub(super) async fn new(world: &Comm, configuration: Configuration) -> Result<Option<Self>> {
        let Configuration { p, q, map, .. } = configuration;
        let rank = world.rank() as usize;
        let (my_row, my_column) = match map {
            ProcessMap::Row => (rank / q, rank % q),
            ProcessMap::Column => (rank % p, rank / p),
        };
        let color = (rank < p * q).then_some(0);
        let Some(all) = world.split(color, rank as i32).await? else { return Ok(None) };
        let part = async |color: usize, key: usize| {
            let part = all.split(Some(color as i32), key as i32).await?;
            part.ok_or_else(|| Error::BadArgument("every process has a row and a column".into()))
        };
        let row = part(my_row, my_column).await?;
        let column = part(my_column, my_row).await?;
        let (owed, sent) = (Cell::new(0.0), Cell::default());
        Ok(Some(Self { configuration, all, row, column, my_row, my_column, owed, sent }))
    }

    /// Calls a kernel; its time is spent with [`Process::catch_up`].
    #[inline]
    pub(super) fn call(&self, kernel: KernelId, m: usize, n: usize, k: usize) {
        let time = self.all.kernel_time(kernel, [m as f64, n as f64, k as f64]);
        self.owed.set(self.owed.get() + time);
    }

    /// What was computed and is not spent yet, for somebody else to spend.
    pub(super) fn take_owed(&self) -> f64 {
        self.owed.take()
    }

    /// Adds to what was computed and is not spent yet.
    pub(super) fn owe(&self, seconds: f64) {
        self.owed.set(self.owed.get() + seconds);
    }

    /// Spends what was computed, before others are dealt with.
    #[inline]
    pub(super) async fn catch_up(&self) {
        let owed = self.owed.replace(0.0);
        if owed > 0.0 {
            self.all.spend(owed).await;
        }
    }

    /// So many doubles, about to be sent.
    #[inline]
    pub(super) fn doubles(&self, count: usize) -> Payload {
        self.parcel(8 * count as u64)
    }

    /// So many bytes, about to be sent.
    fn parcel(&self, bytes: u64) -> Payload {
        let sent = self.sent.get();
        self.sent.set(Sent { messages: sent.messages + 1, bytes: sent.bytes + bytes });
        Payload::Size(bytes)
    }

    /// What it has sent since this was last asked.
    pub(super) fn take_sent(&self) -> Sent {
        self.sent.take()
    }

    /// How far its row is from another, downwards.
    pub(super) fn rows_below(&self, row: usize) -> usize {
        distance(self.my_row, row, self.configuration.p)
    }

    /// Sends and receives so many doubles, either of which may be none.
    pub(super) async fn exchange(&self, send: usize, receive: usize, partner: usize) -> Result<()> {
        let (partner, comm) = (partner as i32, &self.column);
        self.catch_up().await;
        match (send, receive) {
            (0, 0) => Ok(()),
            (0, _) => comm.recv(partner, COLUMN_TAG).await.map(drop),
            (_, 0) => comm.send(self.doubles(send), partner, COLUMN_TAG).await,
            _ => {
                let arriving = comm.irecv(partner, COLUMN_TAG)?;
                comm.send(self.doubles(send), partner, COLUMN_TAG).await?;
                comm.wait(arriving).await.map(drop)
            }
        }
    }

    /// Sends doubles along the column, unless there are none.
    pub(super) async fn send_down(&self, count: usize, to: usize) -> Result<()> {
        self.exchange(count, 0, to).await
    }

    /// Receives doubles along the column, unless there are none.
    pub(super) async fn receive_down(&self, count: usize, from: usize) -> Result<()> {
        self.exchange(0, count, from).await
    }

    /// HPL's own broadcast: a binomial tree.
    pub(super) async fn broadcast(&self, comm: &Comm, bytes: u64, root: usize) -> Result<()> {
        let (size, rank) = (comm.size() as usize, comm.rank() as usize);
        if size <= 1 || bytes == 0 {
            return Ok(());
        }
        self.catch_up().await;
        let mine = distance(rank, root, size);
        let place = |distance: usize| ((root + distance) % size) as i32;
        for step in Halving::below(size) {
            if mine & step.mask != 0 {
                continue;
            }
            let partner = mine ^ step.bit;
            if mine & step.bit != 0 {
                comm.recv(place(partner), COLLECTIVE_TAG).await?;
            } else if partner < size {
                comm.send(self.parcel(bytes), place(partner), COLLECTIVE_TAG).await?;
            }
        }
        Ok(())
    }

    /// HPL's own reduction to process 0, and the broadcast of its result.
    pub(super) async fn all_reduce(&self, bytes: u64) -> Result<()> {
        let (size, mine) = (self.all.size() as usize, self.all.rank() as usize);
        if size > 1 {
            self.catch_up().await;
            let steps = (size - 1).max(1).ilog2() + 1;
            for step in 0..steps {
                let (bit, mask) = (1 << step, (1 << step) - 1);
                let partner = mine ^ bit;
                if mine & mask != 0 || partner >= size {
                    continue;
                }
                if mine & bit != 0 {
                    self.all.send(self.parcel(bytes), partner as i32, COLLECTIVE_TAG).await?;
                } else {
                    self.all.recv(partner as i32, COLLECTIVE_TAG).await?;
                }
            }
        }
        self.broadcast(&self.all, bytes, 0).await
    }
}

/// One step of a binomial tree from the root outwards.
#[derive(Debug, Clone, Copy)]
pub(super) struct Halving {
    /// The distance of partners.
    pub(super) bit: usize,
    /// Only processes without these bits take part.
    pub(super) mask: usize,
}

impl Halving {
    /// The steps of a tree of `size` processes, at least two.
    pub(super) fn below(size: usize) -> impl Iterator<Item = Halving> {
        let first = (size - 1).max(1).ilog2();
        (0..=first).rev().map(|step| Halving { bit: 1 << step, mask: (1 << step) - 1 })
    }
}

/// The tag of the panel after the one with this tag; none is the tag of the first.
pub(super) fn next_panel_tag(tag: Option<i32>) -> i32 {
    match tag {
        Some(tag) if tag < *PANEL_TAGS.end() => tag + 1,
        _ => *PANEL_TAGS.start(),
    }
}
