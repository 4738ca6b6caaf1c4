//! Governors: how the pstate of a node follows what it does.
//!
//! Written as `NAME` or `NAME:key=value,…`, in our own format as `governor` of a node, which is also
//! the property. Hosts of SimGrid files may have the properties of its plugin `host_dvfs` instead.
//! The rules of `ondemand` and `conservative` are those of Linux' governors of these names, the
//! usual figures those of SimGrid.

use std::fmt;
use std::str::FromStr;

use foretell_units::Seconds;

use crate::machine::{Host, HostId, Platform};

/// The property of a host that names its governor.
pub(crate) const GOVERNOR: &str = "governor";
/// Beginning of the properties of SimGrid's plugin.
const PLUGIN: &str = "plugin/dvfs/";

/// What chooses the pstate of a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Governor {
    /// By which rule.
    pub rule: Rule,
    /// Seconds between two looks at the load, where the rule looks at it.
    pub period: f64,
    /// Seconds from a decision to its effect.
    pub latency: f64,
    /// The fastest pstate that it chooses, and the slowest; none: the last.
    pub fastest: usize,
    /// See there.
    pub slowest: Option<usize>,
    /// Whether a rank that waits inside MPI keeps its core busy; none: if the node draws power for
    /// polling.
    pub waiting_is_busy: Option<bool>,
}

/// The rule of a governor. Loads are shares of a period in which the busiest core was busy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// Always the fastest pstate.
    Performance,
    /// Always the slowest.
    Powersave,
    /// The fastest above a load, else in proportion to the load.
    Ondemand {
        /// That load.
        up: f64,
    },
    /// Some pstates faster above a load, some slower below another.
    Conservative {
        /// Above this load faster.
        up: f64,
        /// Below this load slower.
        down: f64,
        /// How many pstates at once.
        step: usize,
    },
    /// The slowest while no rank of the node computes, else the fastest.
    CommunicationPhase {
        /// Only when none has for so many seconds.
        after: f64,
    },
}

/// Names and the rules with their usual figures.
const RULES: [(&str, Rule); 5] = [
    ("performance", Rule::Performance),
    ("powersave", Rule::Powersave),
    ("ondemand", Rule::Ondemand { up: 0.8 }),
    ("conservative", Rule::Conservative { up: 0.8, down: 0.2, step: 1 }),
    ("communication-phase", Rule::CommunicationPhase { after: 0.0 }),
];

impl Governor {
    /// One with the usual figures.
    pub fn new(rule: Rule) -> Self {
        let (fastest, slowest, waiting_is_busy) = (0, None, None);
        Self { rule, period: 0.1, latency: 0.0, fastest, slowest, waiting_is_busy }
    }

    /// The name of its rule.
    pub fn name(&self) -> &'static str {
        let same = |rule: &Rule| std::mem::discriminant(rule) == std::mem::discriminant(&self.rule);
        RULES.iter().find(|(_, rule)| same(rule)).map_or("", |(name, _)| name)
    }

    /// Whether it looks at the load every now and then.
    pub fn samples(&self) -> bool {
        matches!(self.rule, Rule::Ondemand { .. } | Rule::Conservative { .. })
    }

    /// The slowest pstate that it chooses, once it is fitted to a host.
    pub fn slowest(&self) -> usize {
        self.slowest.unwrap_or(self.fastest)
    }

    fn named(name: &str) -> Result<Self, GovernorError> {
        // SimGrid spells some of them with capitals.
        let known = RULES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        known.map(|(_, rule)| Self::new(*rule)).ok_or_else(|| {
            let names = RULES.map(|(name, _)| name).join(", ");
            GovernorError(format!("there is no governor `{name}`; there are: {names}"))
        })
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), GovernorError> {
        let expects = |what: &str| GovernorError(format!("`{key}={value}`: expected {what}"));
        let duration = |least: f64| -> Result<f64, GovernorError> {
            let seconds = value.parse::<Seconds>().map(|seconds| seconds.get());
            seconds.ok().filter(|seconds| *seconds >= least).ok_or_else(|| {
                expects(if least > 0.0 { "a time of 1us or more" } else { "a time like `50us`" })
            })
        };
        let share = || {
            let share = value.parse::<f64>().ok().filter(|share| (0.0..=1.0).contains(share));
            share.ok_or_else(|| expects("a share from 0 to 1"))
        };
        let pstate = || value.parse::<usize>().map_err(|_| expects("the number of a pstate"));
        match (key, &mut self.rule) {
            ("period", Rule::Ondemand { .. } | Rule::Conservative { .. }) => {
                self.period = duration(1e-6)?;
            }
            ("up", Rule::Ondemand { up } | Rule::Conservative { up, .. }) => *up = share()?,
            ("down", Rule::Conservative { down, .. }) => *down = share()?,
            ("step", Rule::Conservative { step, .. }) => {
                let asked = value.parse().ok().filter(|step| *step > 0);
                *step = asked.ok_or_else(|| expects("a number of pstates, at least 1"))?;
            }
            ("after", Rule::CommunicationPhase { after }) => *after = duration(0.0)?,
            ("latency", _) => self.latency = duration(0.0)?,
            ("fastest", _) => self.fastest = pstate()?,
            ("slowest", _) => self.slowest = Some(pstate()?),
            ("waiting", Rule::Ondemand { .. } | Rule::Conservative { .. }) => {
                self.waiting_is_busy = Some(match value {
                    "busy" => true,
                    "idle" => false,
                    _ => return Err(expects("`busy` or `idle`")),
                });
            }
            _ => {
                let (name, keys) = (self.name(), self.keys().join(", "));
                let message = format!("governor {name} has no `{key}`; it has: {keys}");
                return Err(GovernorError(message));
            }
        }
        Ok(())
    }

    fn keys(&self) -> Vec<&'static str> {
        let own: &[&str] = match self.rule {
            Rule::Performance | Rule::Powersave => &[],
            Rule::Ondemand { .. } => &["period", "up", "waiting"],
            Rule::Conservative { .. } => &["period", "up", "down", "step", "waiting"],
            Rule::CommunicationPhase { .. } => &["after"],
        };
        own.iter().copied().chain(["latency", "fastest", "slowest"]).collect()
    }

    fn checked(self) -> Result<Self, GovernorError> {
        if let Rule::Conservative { up, down, .. } = self.rule
            && down >= up
        {
            let message = format!("`down` ({down}) must be less than `up` ({up})");
            return Err(GovernorError(message));
        }
        Ok(self)
    }

    /// The same for a host whose pstates have these speeds, with `slowest` known.
    fn fitted(mut self, speeds: &[f64]) -> Result<Self, GovernorError> {
        let last = speeds.len() - 1;
        let slowest = self.slowest.unwrap_or(last);
        for (key, pstate) in [("fastest", self.fastest), ("slowest", slowest)] {
            if pstate > last {
                let message = format!("`{key}={pstate}`: there are pstates 0 to {last}");
                return Err(GovernorError(message));
            }
        }
        if self.fastest > slowest {
            let message = format!("pstate {} is slower than {slowest}", self.fastest);
            return Err(GovernorError(format!("`fastest` and `slowest` are exchanged: {message}")));
        }
        if !speeds.is_sorted_by(|a, b| a >= b) {
            let message = "a governor needs pstates from the fastest to the slowest";
            return Err(GovernorError(message.to_owned()));
        }
        self.slowest = Some(slowest);
        Ok(self)
    }
}

impl FromStr for Governor {
    type Err = GovernorError;

    fn from_str(text: &str) -> Result<Self, GovernorError> {
        let (name, keys) = text.split_once(':').unwrap_or((text, ""));
        let mut governor = Self::named(name.trim())?;
        for pair in keys.split(',').filter(|pair| !pair.trim().is_empty()) {
            let Some((key, value)) = pair.split_once('=') else {
                let message = format!("`{}` has no value; write key=value", pair.trim());
                return Err(GovernorError(message));
            };
            governor.set(key.trim(), value.trim())?;
        }
        governor.checked()
    }
}

/// Written so that it reads back to the same.
impl fmt::Display for Governor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:latency={},fastest={}", self.name(), self.latency, self.fastest)?;
        if self.samples() {
            write!(f, ",period={}", self.period)?;
        }
        match self.rule {
            Rule::Performance | Rule::Powersave => {}
            Rule::Ondemand { up } => write!(f, ",up={up}")?,
            Rule::Conservative { up, down, step } => {
                write!(f, ",up={up},down={down},step={step}")?;
            }
            Rule::CommunicationPhase { after } => write!(f, ",after={after}")?,
        }
        if let Some(slowest) = self.slowest {
            write!(f, ",slowest={slowest}")?;
        }
        match self.waiting_is_busy {
            Some(true) => f.write_str(",waiting=busy"),
            Some(false) => f.write_str(",waiting=idle"),
            None => Ok(()),
        }
    }
}

/// Whose governors count.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct GovernorChoice {
    /// That of all nodes, whatever they name.
    pub asked: Option<Governor>,
    /// That of nodes that name none.
    pub usual: Option<Governor>,
    /// Whether properties of SimGrid's plugin count: there they do only if the plugin is on.
    pub reads_plugin: bool,
}

/// What is wrong with what is said of a governor.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GovernorError(String);

impl Platform {
    /// The governor of a host: the one that is asked for, or that of its properties, or the usual
    /// one; none if there is none of these.
    ///
    /// # Errors
    ///
    /// Fails if the properties make no sense, or the governor does not fit the host's pstates.
    pub fn governor(
        &self,
        id: HostId,
        choice: &GovernorChoice,
    ) -> Result<Option<Governor>, GovernorError> {
        let host = self.host(id);
        let found = match choice.asked {
            Some(asked) => Ok(Some(asked)),
            None => own(&host, choice.reads_plugin),
        };
        let fitted = found.and_then(|found| {
            found.or(choice.usual).map(|governor| governor.fitted(host.speeds)).transpose()
        });
        fitted.map_err(|error| GovernorError(format!("host {}: {error}", self.host_name(id))))
    }
}

/// The governor that a host names itself.
fn own(host: &Host<'_>, reads_plugin: bool) -> Result<Option<Governor>, GovernorError> {
    if let Some(text) = host.property(GOVERNOR) {
        return text.parse().map(Some);
    }
    let property = |key: &str| host.property(&format!("{PLUGIN}{key}"));
    let Some(name) = property("governor").filter(|_| reads_plugin) else { return Ok(None) };
    let mut governor = Governor::named(name)?;
    let keys = [("sampling-rate", "period"), ("min-pstate", "fastest"), ("max-pstate", "slowest")];
    let own = governor.keys();
    for (theirs, ours) in keys.into_iter().filter(|(_, ours)| own.contains(ours)) {
        if let Some(value) = property(theirs) {
            governor.set(ours, value)?;
        }
    }
    Ok(Some(governor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_usual_ones_unless_given() {
        let plain: Governor = "conservative".parse().unwrap();
        assert_eq!(plain, Governor::new(Rule::Conservative { up: 0.8, down: 0.2, step: 1 }));
        let text = "conservative:period=10ms, up=0.9,down=0.1,step=2,latency=50us,slowest=3";
        let given: Governor = text.parse().unwrap();
        assert_eq!(given.rule, Rule::Conservative { up: 0.9, down: 0.1, step: 2 });
        assert_eq!((given.period, given.latency, given.slowest), (0.01, 50e-6, Some(3)));
        let phase: Governor = "communication-phase:after=500us".parse().unwrap();
        assert_eq!(phase.rule, Rule::CommunicationPhase { after: 500e-6 });
        let busy: Governor = "ondemand:waiting=busy".parse().unwrap();
        assert_eq!(busy.waiting_is_busy, Some(true));
    }

    #[test]
    fn what_is_written_reads_back() {
        let texts = [
            "performance",
            "powersave:slowest=2",
            "ondemand:period=1ms,up=0.95,waiting=idle",
            "conservative:step=3,latency=10us,fastest=1,waiting=busy",
            "communication-phase:after=0.5ms",
        ];
        for text in texts {
            let governor: Governor = text.parse().unwrap();
            assert_eq!(governor.to_string().parse(), Ok(governor), "{governor}");
        }
    }

    fn check(text: &str, expected: &str) {
        let told = text.parse::<Governor>().unwrap_err().to_string();
        assert!(told.contains(expected), "{text}: {told}");
    }

    #[test]
    fn mistakes_say_what_there_is() {
        check("turbo", "there is no governor `turbo`; there are: performance, powersave, ondemand");
        check("ondemand:down=0.1", "governor ondemand has no `down`; it has: period, up, waiting");
        check("ondemand:period", "`period` has no value");
        check("ondemand:period=0", "expected a time of 1us or more");
        check("ondemand:up=80", "expected a share from 0 to 1");
        check("conservative:up=0.3,down=0.4", "`down` (0.4) must be less than `up` (0.3)");
        check("conservative:step=0", "at least 1");
        check("ondemand:waiting=maybe", "expected `busy` or `idle`");
    }

    fn platform(node: &str) -> Platform {
        let text = format!(
            "[nodes]\ncount = 1\n{node}\n[network]\nbandwidth = '1GBps'\nlatency = '1us'\n"
        );
        crate::toml_format::read(&text).unwrap()
    }

    #[test]
    fn a_host_names_its_own_and_an_option_wins() {
        let own = platform("speed = ['2Gf', '1Gf']\ngovernor = 'ondemand:period=20ms'");
        let governor = |asked| {
            let usual = Some(Governor::new(Rule::Performance));
            let choice = GovernorChoice { asked, usual, reads_plugin: false };
            own.governor(HostId(0), &choice).unwrap().unwrap()
        };
        assert_eq!((governor(None).period, governor(None).slowest), (0.02, Some(1)));
        let asked = Governor::new(Rule::Powersave);
        assert_eq!(governor(Some(asked)).rule, Rule::Powersave);
        let again = crate::toml_format::read(&crate::write_toml(&own)).unwrap();
        let none = GovernorChoice::default();
        assert_eq!(again.governor(HostId(0), &none), own.governor(HostId(0), &none));
    }

    #[test]
    fn properties_of_the_plugin_count_when_it_is_on() {
        let node = "speed = ['2Gf', '1Gf', '0.5Gf']\n[nodes.properties]\n\
                    'plugin/dvfs/governor' = 'Conservative'\n'plugin/dvfs/sampling-rate' = '0.3'\n\
                    'plugin/dvfs/min-pstate' = '1'";
        let found = |reads_plugin| {
            let choice = GovernorChoice { reads_plugin, ..GovernorChoice::default() };
            platform(node).governor(HostId(0), &choice).unwrap()
        };
        assert_eq!(found(false), None);
        let governor = found(true).unwrap();
        assert_eq!((governor.name(), governor.period), ("conservative", 0.3));
        assert_eq!((governor.fastest, governor.slowest), (1, Some(2)));
    }

    #[test]
    fn a_governor_must_fit_the_host() {
        let told = |node: &str, text: &str| {
            let asked = Some(text.parse().unwrap());
            let choice = GovernorChoice { asked, ..GovernorChoice::default() };
            platform(node).governor(HostId(0), &choice).unwrap_err().to_string()
        };
        let two = "speed = ['2Gf', '1Gf']";
        assert_eq!(
            told(two, "powersave:slowest=2"),
            "host node-0: `slowest=2`: there are pstates 0 to 1"
        );
        assert!(told(two, "powersave:fastest=1,slowest=0").contains("are exchanged"));
        let wrong = "speed = ['1Gf', '2Gf']";
        assert!(told(wrong, "powersave").contains("from the fastest to the slowest"));
    }
}
