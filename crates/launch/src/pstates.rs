//! Who chooses the pstates of nodes, and what was chosen.

use foretell_mpi::{PstateControl, PstateReport};
use foretell_platform::{GovernorChoice, GovernorError};
use serde::{Deserialize, Serialize};

/// What a run asks of the pstates of nodes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PstateRequest {
    /// The governor of all nodes, and that of nodes that name none, as they are written.
    pub governor: Option<String>,
    /// See there.
    pub usual_governor: Option<String>,
    /// Whether properties of SimGrid's plugin count.
    pub reads_plugin: bool,
    /// The most watts of a node.
    pub node_cap: Option<f64>,
    /// The most watts of all nodes together.
    pub cluster_cap: Option<f64>,
    /// The class of work whose power counts.
    pub workload: Option<String>,
}

impl From<&PstateControl> for PstateRequest {
    fn from(control: &PstateControl) -> Self {
        let GovernorChoice { asked, usual, reads_plugin } = control.governors;
        Self {
            governor: asked.map(|governor| governor.to_string()),
            usual_governor: usual.map(|governor| governor.to_string()),
            reads_plugin,
            node_cap: control.node_cap,
            cluster_cap: control.cluster_cap,
            workload: control.workload.clone(),
        }
    }
}

impl PstateRequest {
    /// The same, understood.
    ///
    /// # Errors
    ///
    /// Fails if a governor cannot be read.
    pub fn control(&self) -> Result<PstateControl, GovernorError> {
        let read = |text: &Option<String>| text.as_deref().map(str::parse).transpose();
        let (asked, usual) = (read(&self.governor)?, read(&self.usual_governor)?);
        let reads_plugin = self.reads_plugin;
        Ok(PstateControl {
            governors: GovernorChoice { asked, usual, reads_plugin },
            node_cap: self.node_cap,
            cluster_cap: self.cluster_cap,
            workload: self.workload.clone(),
        })
    }
}

/// What governors and caps chose.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PstateUse {
    /// How often a node came into another pstate.
    pub changes: u64,
    /// Seconds of all nodes with ranks in each pstate.
    pub seconds: Vec<f64>,
    /// Seconds in which a node drew more than its cap, in its slowest pstate.
    pub over_cap_s: f64,
}

impl From<&PstateReport> for PstateUse {
    fn from(report: &PstateReport) -> Self {
        let PstateReport { changes, seconds, over_cap } = report;
        Self { changes: *changes, seconds: seconds.clone(), over_cap_s: *over_cap }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_arrives() {
        let control = PstateControl {
            governors: GovernorChoice {
                asked: Some("ondemand:period=10ms,waiting=busy".parse().unwrap()),
                usual: Some("communication-phase:after=500us,latency=50us".parse().unwrap()),
                reads_plugin: true,
            },
            node_cap: Some(151.5),
            cluster_cap: None,
            workload: Some("hpl".to_owned()),
        };
        assert_eq!(PstateRequest::from(&control).control(), Ok(control));
    }
}
