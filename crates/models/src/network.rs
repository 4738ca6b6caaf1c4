//! The network of one simulation: protocol and overheads around a model of the transfer.

use std::rc::Rc;

use foretell_kernel::{Kernel, ResourceId, Then};
use foretell_platform::{HostId, LinkId, ModelKind, NoRoute, Platform, Scope};

use crate::{Constant, Dimemas, Hybrid, Links, LogGps};

/// A message as the network sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Message {
    /// The sender's host.
    pub from: HostId,
    /// The receiver's host.
    pub to: HostId,
    /// Payload in bytes.
    pub bytes: u64,
}

/// How sender and receiver meet (Degomme et al. 2017, section 3.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// The transfer starts at once and the sender goes on.
    Eager,
    /// The sender goes on; the transfer starts when the receive is posted.
    Detached,
    /// The transfer starts when both are there; the sender waits for its end.
    Rendezvous,
}

/// Whether the sender's call returns before the message is on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SendKind {
    /// `MPI_Send` and its like.
    Blocking,
    /// `MPI_Isend` and its like.
    NonBlocking,
}

/// What a model of the transfer must answer.
pub trait TransferModel {
    /// Starts moving a message that is ready to go.
    fn start(
        &mut self,
        message: Message,
        scope: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<(), NoRoute>;

    /// The kernel says that what it was to tell with this number has ended. Only asked if
    /// [`TransferModel::hears_of_ends`].
    fn ended(&mut self, _number: u32, _kernel: &mut Kernel) {}

    /// Whether messages keep something that others wait for, so that the model is to be told of
    /// their ends.
    fn hears_of_ends(&self) -> bool {
        false
    }

    /// Starts a collective operation that takes so long, once all are there; the kernel is to tell
    /// its end with each of the numbers.
    fn operate(&mut self, seconds: f64, numbers: Vec<u32>, kernel: &mut Kernel) {
        for number in numbers {
            kernel.wait(seconds, Then::Notify(number));
        }
    }

    /// Seconds of a rank on this host before it takes part in an operation that it does not wait
    /// for; whether its ranks are on several nodes, and whether some share one.
    fn operation_startup(&self, _host: HostId, _spans_nodes: bool, _shares_nodes: bool) -> f64 {
        0.0
    }

    /// Whether a node runs so many ranks at a time as it has processors, each until it waits, where
    /// other models share the processors out.
    fn lets_ranks_take_turns(&self) -> bool {
        false
    }

    /// Whether there are such costs as [`TransferModel::receive_startup`] tells.
    fn has_receive_startups(&self) -> bool {
        false
    }

    /// Seconds that a receive, or the wait for one, costs before the message is looked for.
    fn receive_startup(&self, _message: Message) -> f64 {
        0.0
    }

    /// Whether a sender that waits for its receiver goes on when that is there, not when the message
    /// is.
    fn releases_senders_when_matched(&self) -> bool {
        false
    }

    /// Seconds on the way of a message that meets none but its like in the opposite direction, if
    /// the model can tell.
    fn lone_transfer(
        &mut self,
        _message: Message,
        _scope: Scope,
        _setting: &mut Setting<'_>,
    ) -> Result<Option<f64>, NoRoute> {
        Ok(None)
    }

    /// A host will probably send soon: what that takes may be fetched by then.
    fn foresee(&self, _from: HostId, _to: HostId) {}

    /// Seconds that the model itself adds for the sender, beyond the platform's tables.
    fn send_overhead(&self, _message: Message) -> f64 {
        0.0
    }

    /// Seconds that the model itself adds for the receiver.
    fn receive_overhead(&self, _message: Message) -> f64 {
        0.0
    }

    /// Seconds that a collective operation takes once all are there, if the model has a formula
    /// for it; else it takes what the messages take that it is made of.
    fn collective_time(&self, _operation: &Gathering<'_>) -> Option<f64> {
        None
    }

    /// The size from which sender and receiver wait for each other, if the model has its own.
    fn rendezvous_limit(&self) -> Option<u64> {
        None
    }
}

/// A collective operation and who takes part in it.
#[derive(Debug, Clone, Copy)]
pub struct Gathering<'a> {
    /// Its name, such as `bcast`.
    pub operation: &'a str,
    /// Where the root runs, or the first rank if there is none.
    pub root: HostId,
    /// Where each rank runs that takes part, in order of the hosts.
    pub hosts: &'a [HostId],
    /// Bytes that the root sends.
    pub sent: u64,
    /// Bytes that it receives.
    pub received: u64,
}

/// What a model works with.
pub struct Setting<'a> {
    /// The machine.
    pub platform: &'a Platform,
    /// The engine.
    pub kernel: &'a mut Kernel,
    /// The links in use.
    pub links: &'a mut Links,
    /// The ranks of the sender and of the receiver.
    pub ranks: [u32; 2],
}

/// The network of one simulation.
pub struct Network {
    platform: Rc<Platform>,
    model: Box<dyn TransferModel>,
    links: Links,
    has_scopes: bool,
    has_receive_overheads: bool,
    hears_of_ends: bool,
    releases_senders: bool,
}

impl Network {
    /// The network that the platform's settings ask for.
    pub fn new(platform: Rc<Platform>) -> Self {
        let settings = platform.network();
        let model: Box<dyn TransferModel> = match settings.model {
            ModelKind::Hybrid => Box::new(Hybrid::new(&platform)),
            ModelKind::LogGps => Box::new(LogGps::new(settings.loggps)),
            ModelKind::Constant => Box::new(Constant::new(settings.constant_latency)),
            ModelKind::Dimemas => {
                let nodes = platform.host_count();
                Box::new(Dimemas::new((*settings.dimemas).clone(), nodes))
            }
        };
        Self::with_model(platform, model)
    }

    /// A message will probably go this way soon.
    #[inline]
    pub fn foresee(&self, from: HostId, to: HostId) {
        self.model.foresee(from, to);
    }

    /// A network with a model of one's own.
    pub fn with_model(platform: Rc<Platform>, model: Box<dyn TransferModel>) -> Self {
        let settings = platform.network();
        let has_scopes = settings.scoped.iter().any(Option::is_some);
        let tables = settings.scoped.iter().flatten().map(|tables| &**tables);
        let has_receive_overheads = settings.model == ModelKind::LogGps
            || tables.chain([&settings.tables]).any(|tables| !tables.receive.0.is_empty())
            || settings.per_host.iter().any(|host| host.receive.is_some());
        let links = Links::new(&platform);
        let hears_of_ends = model.hears_of_ends();
        let releases_senders = model.releases_senders_when_matched();
        Self {
            platform,
            model,
            links,
            has_scopes,
            has_receive_overheads,
            hears_of_ends,
            releases_senders,
        }
    }

    /// The machine.
    pub fn platform(&self) -> &Rc<Platform> {
        &self.platform
    }

    /// Whether any receive may cost its receiver time once the data is there.
    pub fn has_receive_overheads(&self) -> bool {
        self.has_receive_overheads
    }

    /// Seconds that a collective operation takes once all are there, if there is a formula for it.
    pub fn collective_time(&self, operation: &Gathering<'_>) -> Option<f64> {
        self.model.collective_time(operation)
    }

    /// How sender and receiver of a plain (not synchronous) send meet.
    pub fn mode(&self, message: Message) -> Mode {
        let tables = self.platform.network().tables_of(self.scope(message));
        let rendezvous = self.model.rendezvous_limit().unwrap_or(tables.rendezvous_limit);
        if message.bytes < tables.eager_limit {
            Mode::Eager
        } else if message.bytes < rendezvous {
            Mode::Detached
        } else {
            Mode::Rendezvous
        }
    }

    /// The size below which no plain send waits for its receiver, wherever it goes.
    pub fn least_rendezvous_limit(&self) -> u64 {
        let settings = self.platform.network();
        let scopes = [Scope::Node, Scope::Group, Scope::Between];
        let least = scopes.map(|scope| settings.tables_of(scope).rendezvous_limit);
        let least = least.into_iter().min().unwrap_or(0);
        self.model.rendezvous_limit().unwrap_or(least)
    }

    /// Seconds that a send costs the sender before the message leaves.
    pub fn send_overhead(&self, message: Message, kind: SendKind) -> f64 {
        let (settings, scope) = (self.platform.network(), self.scope(message));
        let tables = match kind {
            SendKind::Blocking => settings.send_overhead(scope, message.from, message.bytes),
            SendKind::NonBlocking => settings.isend_overhead(scope, message.from, message.bytes),
        };
        tables + self.model.send_overhead(message)
    }

    /// Seconds that an eager or detached message costs the receiver once it is there.
    pub fn receive_overhead(&self, message: Message) -> f64 {
        let (settings, scope) = (self.platform.network(), self.scope(message));
        settings.receive_overhead(scope, message.to, message.bytes)
            + self.model.receive_overhead(message)
    }

    /// Starts moving a message from one of the ranks to the other.
    pub fn start(
        &mut self,
        message: Message,
        ranks: [u32; 2],
        kernel: &mut Kernel,
        then: Then,
    ) -> Result<(), NoRoute> {
        let scope = self.scope(message);
        let setting =
            &mut Setting { platform: &self.platform, kernel, links: &mut self.links, ranks };
        self.model.start(message, scope, setting, then)
    }

    /// Hears that the kernel has told this number.
    #[inline]
    pub fn ended(&mut self, number: u32, kernel: &mut Kernel) {
        if self.hears_of_ends {
            self.model.ended(number, kernel);
        }
    }

    /// Starts a collective operation for whose time there is a formula; the kernel will tell its end
    /// with each of the numbers.
    pub fn operate(&mut self, operation: &Gathering<'_>, numbers: Vec<u32>, kernel: &mut Kernel) {
        let seconds = self.model.collective_time(operation).unwrap_or(0.0);
        self.model.operate(seconds, numbers, kernel);
    }

    /// Seconds of a rank on this host before it takes part in an operation that it does not wait
    /// for; whether its ranks are on several nodes, and whether some share one.
    pub fn operation_startup(&self, host: HostId, spans_nodes: bool, shares_nodes: bool) -> f64 {
        self.model.operation_startup(host, spans_nodes, shares_nodes)
    }

    /// Seconds that a receive, or the wait for one, costs before the message is looked for.
    pub fn receive_startup(&self, message: Message) -> f64 {
        self.model.receive_startup(message)
    }

    /// Whether a node runs so many ranks at a time as it has processors, each until it waits.
    pub fn lets_ranks_take_turns(&self) -> bool {
        self.model.lets_ranks_take_turns()
    }

    /// Whether a receive may cost time before the message is looked for.
    pub fn has_receive_startups(&self) -> bool {
        self.model.has_receive_startups()
    }

    /// Whether a sender that waits for its receiver goes on when that is there.
    #[inline]
    pub fn releases_senders_when_matched(&self) -> bool {
        self.releases_senders
    }

    /// Seconds on the way of a message that meets none but its like in the opposite direction, if
    /// the model can tell.
    pub fn lone_transfer(
        &mut self,
        message: Message,
        kernel: &mut Kernel,
    ) -> Result<Option<f64>, NoRoute> {
        let scope = self.scope(message);
        let setting = &mut Setting {
            platform: &self.platform,
            kernel,
            links: &mut self.links,
            ranks: [0; 2],
        };
        self.model.lone_transfer(message, scope, setting)
    }

    /// Changes the bandwidth of a link from now on; zero stops what crosses it.
    pub fn set_bandwidth(&mut self, link: LinkId, bandwidth: f64, kernel: &mut Kernel) {
        self.links.set_bandwidth(link, bandwidth, &self.platform, kernel);
    }

    /// Changes the latency of a link for messages that start from now on.
    pub fn set_latency(&mut self, link: LinkId, latency: f64, kernel: &mut Kernel) {
        self.links.set_latency(link, latency, &self.platform, kernel);
    }

    /// How many links have carried a message.
    pub fn links_used(&self) -> usize {
        self.links.used()
    }

    /// The links that have carried a message.
    pub fn used_links(&self) -> &[LinkId] {
        self.links.all_used()
    }

    /// The same, each with its resource in the kernel.
    pub fn used_resources(&self) -> impl Iterator<Item = (LinkId, ResourceId)> + '_ {
        self.links.resources()
    }

    fn scope(&self, message: Message) -> Scope {
        if !self.has_scopes {
            Scope::Between
        } else if message.from == message.to {
            Scope::Node
        } else if self.platform.host(message.from).group == self.platform.host(message.to).group {
            Scope::Group
        } else {
            Scope::Between
        }
    }
}
