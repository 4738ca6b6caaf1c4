//! Options of SimGrid that have no effect here, and why.

/// Beginnings of names, or whole names, with the reason.
const IDLE: &[(&str, &str)] = &[
    ("contexts/", "ranks are futures and have no stacks of their own"),
    ("smpi/privatization", "no compiled program runs, so there is nothing to privatise"),
    ("smpi/privatize-libs", "no compiled program runs, so there is nothing to privatise"),
    ("smpi/host-speed", "no computation is measured on this computer"),
    ("smpi/cpu-threshold", "no computation is measured on this computer"),
    ("smpi/comp-adjustment-file", "no computation is measured on this computer"),
    ("smpi/papi-events", "no computation is measured on this computer"),
    ("smpi/shared-malloc", "skeletons have no data"),
    ("smpi/auto-shared-malloc", "skeletons have no data"),
    ("smpi/buffering", "skeletons have no data"),
    ("smpi/display", "the summary at the end of a run tells it"),
    ("smpi/analyze", "the summary at the end of a run tells it"),
    ("smpi/trace-call", "--trace and --trace-ti write traces"),
    ("smpi/keep-temps", "there are no temporary files"),
    ("smpi/tmpdir", "there are no temporary files"),
    ("smpi/list-leaks", "ranks leak nothing"),
    ("smpi/pedantic", "calls are always checked"),
    ("smpi/errors-are-fatal", "an error always ends the run"),
    ("smpi/replay", "there is no replay of traces yet"),
    ("tracing", "--trace and --trace-ti write traces"),
    ("viva/", "--trace and --trace-ti write traces"),
    ("model-check", "there is no model checker"),
    ("plugin", "there are no plugins; --energy does what host_energy does"),
    ("energy/", "--energy tells the energy of a run"),
    ("maxmin/", "links are shared exactly"),
    ("precision/work-amount", "links are shared exactly"),
    ("network/optim", "the sharing of links has one algorithm"),
    ("network/maxmin-selective-update", "the sharing of links has one algorithm"),
    ("network/maxmin-concurrency-limit", "any number of flows may share a link"),
    ("network/concurrency-limit", "any number of flows may share a link"),
    ("cpu/", "there is one model of computation"),
    ("host/model", "network and computation have one model each"),
    ("disk/", "there is one model of storage"),
    ("storage/", "there is one model of storage"),
    ("ns3/", "there is no packet-level model"),
    ("debug/", "it is about SimGrid's own code"),
    ("exception/", "it is about SimGrid's own code"),
    ("path", "it is about SimGrid's own code"),
    ("clean-atexit", "it is about SimGrid's own code"),
];

/// Why an option has no effect here; none if it is not among those.
pub(crate) fn reason(key: &str) -> Option<&'static str> {
    IDLE.iter().find(|(name, _)| key.starts_with(name)).map(|(_, reason)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_options_without_effect_have_a_reason() {
        assert!(reason("contexts/stack-size").is_some());
        assert!(reason("smpi/coll-selector").is_none());
        for key in ["network/model", "smpi/os", "smpi/alltoall", "smpi/init"] {
            assert_eq!(reason(key), None, "{key}");
        }
    }
}
