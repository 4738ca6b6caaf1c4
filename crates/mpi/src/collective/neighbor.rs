//! Collectives among neighbours: `MPI_Neighbor_allgather` and the like. MPI 4.1 section 8.6.
//!
//! A result has one entry for each source, in order; where there is nobody past an edge of a grid,
//! it is none.

mod combined;

use super::{Call, Channel, Counts, Operation, Pending, Tag};
use crate::comm::Comm;
use crate::error::{Error, Result};
use crate::listener::{Event, Heard};
use crate::payload::Payload;
use crate::point_to_point::Lane;
use crate::request::Request;
use crate::topology::{Neighbourhood, is_somebody};

/// One entry for each source.
type FromEach = Vec<Option<Payload>>;

impl Comm {
    /// `MPI_Neighbor_allgather`: every destination gets the payload.
    pub async fn neighbor_allgather(&self, payload: impl Into<Payload>) -> Result<FromEach> {
        let exchange = self.to_all(payload.into(), None);
        let run = async |channel: &Channel<'_>| {
            exchange?.run(channel, Operation::NeighborAllgather).await
        };
        self.collective(Operation::NeighborAllgather, run).await
    }

    /// `MPI_Ineighbor_allgather`.
    pub fn ineighbor_allgather(&self, payload: impl Into<Payload>) -> Pending<FromEach> {
        let exchange = self.to_all(payload.into(), None);
        self.exchange_beside(Operation::NeighborAllgather, exchange)
    }

    /// `MPI_Neighbor_allgatherv`: payloads of any size; `receive` says how many bytes come from
    /// each source.
    pub async fn neighbor_allgatherv(
        &self,
        payload: impl Into<Payload>,
        receive: impl Into<Counts>,
    ) -> Result<FromEach> {
        let exchange = self.to_all(payload.into(), Some(receive.into()));
        let run = async |channel: &Channel<'_>| {
            exchange?.run(channel, Operation::NeighborAllgatherv).await
        };
        self.collective(Operation::NeighborAllgatherv, run).await
    }

    /// `MPI_Ineighbor_allgatherv`.
    pub fn ineighbor_allgatherv(
        &self,
        payload: impl Into<Payload>,
        receive: impl Into<Counts>,
    ) -> Pending<FromEach> {
        let exchange = self.to_all(payload.into(), Some(receive.into()));
        self.exchange_beside(Operation::NeighborAllgatherv, exchange)
    }

    /// `MPI_Neighbor_alltoall`: the payload holds one block of equal size for each destination.
    pub async fn neighbor_alltoall(&self, payload: impl Into<Payload>) -> Result<FromEach> {
        let exchange = self.to_each_evenly(payload.into());
        let run =
            async |channel: &Channel<'_>| exchange?.run(channel, Operation::NeighborAlltoall).await;
        self.collective(Operation::NeighborAlltoall, run).await
    }

    /// `MPI_Ineighbor_alltoall`.
    pub fn ineighbor_alltoall(&self, payload: impl Into<Payload>) -> Pending<FromEach> {
        let exchange = self.to_each_evenly(payload.into());
        self.exchange_beside(Operation::NeighborAlltoall, exchange)
    }

    /// `MPI_Neighbor_alltoallv`: blocks of any size. `send` says how the payload is cut, also for
    /// destinations where there is nobody; `receive` how many bytes come from each source.
    pub async fn neighbor_alltoallv(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Result<FromEach> {
        let exchange = self.to_each(payload.into(), send.into(), receive.into());
        let run = async |channel: &Channel<'_>| {
            exchange?.run(channel, Operation::NeighborAlltoallv).await
        };
        self.collective(Operation::NeighborAlltoallv, run).await
    }

    /// `MPI_Ineighbor_alltoallv`.
    pub fn ineighbor_alltoallv(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Pending<FromEach> {
        let exchange = self.to_each(payload.into(), send.into(), receive.into());
        self.exchange_beside(Operation::NeighborAlltoallv, exchange)
    }

    /// `MPI_Neighbor_alltoallw`: as [`Comm::neighbor_alltoallv`], since counts are bytes whatever
    /// the types.
    pub async fn neighbor_alltoallw(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Result<FromEach> {
        let exchange = self.to_each(payload.into(), send.into(), receive.into());
        let run = async |channel: &Channel<'_>| {
            exchange?.run(channel, Operation::NeighborAlltoallw).await
        };
        self.collective(Operation::NeighborAlltoallw, run).await
    }

    /// `MPI_Ineighbor_alltoallw`.
    pub fn ineighbor_alltoallw(
        &self,
        payload: impl Into<Payload>,
        send: impl Into<Counts>,
        receive: impl Into<Counts>,
    ) -> Pending<FromEach> {
        let exchange = self.to_each(payload.into(), send.into(), receive.into());
        self.exchange_beside(Operation::NeighborAlltoallw, exchange)
    }

    fn exchange_beside(
        &self,
        operation: Operation,
        exchange: Result<Exchange>,
    ) -> Pending<FromEach> {
        let told = exchange.as_ref().ok().filter(|_| self.is_heard());
        let told = told.map(|exchange| exchange.messages(self, operation));
        let run = async move |channel: &Channel<'_>| exchange?.run(channel, operation).await;
        let (mut pending, tag) = self.begin_beside(operation.into(), run);
        if let (Some([received, sent]), Some(request)) = (told, pending.request().number()) {
            let heard = |(peer, bytes): &(i32, u64)| Heard {
                peer: Some(self.group().world_rank(*peer as u32)),
                context: self.context(Lane::Collective),
                tag: Some(tag.0),
                bytes: Some(*bytes),
            };
            let [received, sent] = [received, sent].map(|all| all.iter().map(heard).collect());
            let (received, sent): (Vec<Heard>, Vec<Heard>) = (received, sent);
            self.tell(Event::Messages { request, received: &received, sent: &sent });
        }
        pending
    }

    fn to_all(&self, data: Payload, receive: Option<Counts>) -> Result<Exchange> {
        let hood = self.neighbourhood()?;
        if let Some(receive) = &receive {
            check_counts(receive, hood.sources.len(), "sources")?;
        }
        Ok(Exchange { data, send: None, receive, hood })
    }

    fn to_each_evenly(&self, data: Payload) -> Result<Exchange> {
        let hood = self.neighbourhood()?;
        let (bytes, blocks) = (data.len(), hood.destinations.len() as u64);
        if !bytes.is_multiple_of(blocks) {
            let message = format!("{bytes} bytes are not {blocks} blocks of equal size");
            return Err(Error::BadArgument(message));
        }
        let send = Counts::even(blocks as u32, bytes.checked_div(blocks).unwrap_or(0));
        Ok(Exchange { data, send: Some(send), receive: None, hood })
    }

    fn to_each(&self, data: Payload, send: Counts, receive: Counts) -> Result<Exchange> {
        let hood = self.neighbourhood()?;
        check_counts(&send, hood.destinations.len(), "destinations")?;
        check_counts(&receive, hood.sources.len(), "sources")?;
        let (total, bytes) = (send.total(), data.len());
        if total != bytes {
            let message = format!("counts of {total} bytes for a payload of {bytes}");
            return Err(Error::BadArgument(message));
        }
        Ok(Exchange { data, send: Some(send), receive: Some(receive), hood })
    }
}

/// What a rank has for its neighbours and expects of them.
struct Exchange {
    data: Payload,
    /// How the payload is cut; without, each destination gets the whole.
    send: Option<Counts>,
    /// What is known of the sizes that come.
    receive: Option<Counts>,
    hood: Neighbourhood,
}

impl Exchange {
    /// By the algorithm chosen for an operation. Ranks do not know of each other's sizes, so no rule
    /// can go by bytes.
    async fn run(self, channel: &Channel<'_>, operation: Operation) -> Result<FromEach> {
        match channel.choose(Call::new(operation, 0)).algorithm {
            "combined" => Box::pin(combined::exchange(channel, &self)).await,
            _ => self.at_once(channel).await,
        }
    }

    /// What is received and sent, with the rank at the other end and the bytes. Sizes that are not
    /// known are taken to be those that this rank sends.
    fn messages(&self, comm: &Comm, operation: Operation) -> [Vec<(i32, u64)>; 2] {
        let channel = Channel::new(comm, Tag(0));
        match channel.chosen(Call::new(operation, 0)).algorithm {
            "combined" => combined::messages(self, comm.rank() as i32),
            _ => {
                let Exchange { hood, .. } = self;
                let from =
                    hood.order_of_sources().filter(|place| is_somebody(hood.sources[*place]));
                let to = (0..).zip(&hood.destinations).filter(|(_, to)| is_somebody(**to));
                [
                    from.map(|place| (hood.sources[place], self.expected(place))).collect(),
                    to.map(|(place, to)| (*to, self.outgoing(place))).collect(),
                ]
            }
        }
    }

    /// Bytes that come along an edge.
    fn expected(&self, source: usize) -> u64 {
        match &self.receive {
            Some(receive) => receive.of(source as u32),
            None => self.outgoing(0),
        }
    }

    /// Bytes that go along an edge.
    fn outgoing(&self, destination: u32) -> u64 {
        match &self.send {
            Some(send) if destination < send.ranks() => send.of(destination),
            Some(_) => 0,
            None => self.data.len(),
        }
    }

    /// A message for each edge: all receives are posted, then all sends, then all are waited for.
    async fn at_once(self, channel: &Channel<'_>) -> Result<FromEach> {
        let Exchange { data, send, receive, hood } = &self;
        let mut requests: Vec<Request> = hood.sources.iter().map(|_| Request::NULL).collect();
        for place in hood.order_of_sources().filter(|place| is_somebody(hood.sources[*place])) {
            requests[place] = channel.irecv(hood.sources[place] as u32)?;
        }
        for (place, to) in (0..).zip(&hood.destinations).filter(|(_, to)| is_somebody(**to)) {
            let part = send.as_ref().map_or_else(|| data.clone(), |send| send.part(data, place));
            requests.push(channel.isend(part, *to as u32).await?);
        }
        let received = channel.wait_all(&mut requests).await?;
        let mut all = Vec::with_capacity(hood.sources.len());
        for ((place, from), part) in (0..).zip(&hood.sources).zip(received) {
            if let (Some(receive), true) = (receive, is_somebody(*from)) {
                channel.check_size(&part, receive.of(place), *from as u32)?;
            }
            all.push(is_somebody(*from).then_some(part));
        }
        Ok(all)
    }
}

fn check_counts(counts: &Counts, expected: usize, of_what: &str) -> Result<()> {
    let given = counts.ranks();
    match given as usize == expected {
        true => Ok(()),
        false => Err(Error::BadArgument(format!("{given} counts for {expected} {of_what}"))),
    }
}
