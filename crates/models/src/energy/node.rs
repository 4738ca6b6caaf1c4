//! The meter of one node.

use foretell_platform::NodePower;

use super::Series;

/// A node whose power is constant since a date.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) power: Option<NodePower>,
    pub(super) is_on: bool,
    /// Ranks on it.
    pub(super) ranks: u32,
    /// Computations under way, and ranks that poll.
    pub(super) computing: u32,
    pub(super) polling: u32,
    /// What it draws now, and what of that no rank is given.
    pub(super) watts: f64,
    own_watts: f64,
    /// What one computation and one rank that polls add now.
    watts_per_computation: f64,
    watts_per_poll: f64,
    since: f64,
    pub(super) joules: f64,
    pub(super) own_joules: f64,
    /// Integrals of what one computation, and one rank that polls, add.
    pub(super) per_computation: f64,
    pub(super) per_poll: f64,
    pub(super) series: Option<Series>,
}

impl Node {
    pub(super) fn new(power: Option<NodePower>, keeps_series: bool) -> Self {
        let mut node = Self {
            power,
            is_on: true,
            ranks: 0,
            computing: 0,
            polling: 0,
            watts: 0.0,
            own_watts: 0.0,
            watts_per_computation: 0.0,
            watts_per_poll: 0.0,
            since: 0.0,
            joules: 0.0,
            own_joules: 0.0,
            per_computation: 0.0,
            per_poll: 0.0,
            series: keeps_series.then(Series::default),
        };
        node.update();
        node
    }

    /// Adds up what was drawn until a date. Dates do not go back: what is earlier counts as now.
    pub(super) fn integrate(&mut self, date: f64) {
        let seconds = date - self.since;
        if seconds <= 0.0 {
            return;
        }
        self.since = date;
        self.joules += self.watts * seconds;
        self.own_joules += self.own_watts * seconds;
        self.per_computation += self.watts_per_computation * seconds;
        self.per_poll += self.watts_per_poll * seconds;
        if let Some(series) = &mut self.series {
            series.add(seconds, self.watts);
        }
    }

    /// Works out what is drawn from now on.
    pub(super) fn update(&mut self) {
        let Some(power) = self.power else { return };
        (self.watts_per_computation, self.watts_per_poll) = (0.0, 0.0);
        if !self.is_on {
            (self.watts, self.own_watts) = (power.off, power.off);
            return;
        }
        // Computations come first: ranks that poll take what cores are left, if any.
        let computing = self.computing.min(power.cores);
        let polling = self.polling.min(power.cores - computing);
        self.watts = power.watts(computing, polling);
        let each = |all: f64, cores: u32, sharers: u32| match sharers {
            0 => 0.0,
            sharers => all * f64::from(cores) / (f64::from(power.cores) * f64::from(sharers)),
        };
        self.watts_per_computation = each(power.computing, computing, self.computing);
        self.watts_per_poll = each(power.polling.unwrap_or(0.0), polling, self.polling);
        let in_use = computing + if power.polling.is_some() { polling } else { 0 };
        self.own_watts = if in_use > 0 { power.busy_watts(in_use) } else { power.idle };
    }
}
