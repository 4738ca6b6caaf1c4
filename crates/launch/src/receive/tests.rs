//! A launch goes out and comes in again.
#![allow(unsafe_code, reason = "stands in for a child that owns its file numbers")]

use std::os::fd::IntoRawFd;
use std::path::PathBuf;

use super::*;
use crate::description::{
    Clock, Computation, LargePages, Libraries, Machine, Memory, Privacy, Program, Scale,
};
use crate::outcome::{Counters, Ended, ExitCode, Outcome};
use crate::placement::Placement;
use crate::pstates::PstateRequest;
use crate::times::{RankTimes, Times};

fn launch() -> Launch {
    Launch {
        version: env!("CARGO_PKG_VERSION").into(),
        machine: Machine::File("/x/cluster.toml".into()),
        options: vec![("smpi/alltoall".into(), "pair".into())],
        programs: vec![Program {
            path: PathBuf::from("/x/app"),
            name: "./app".into(),
            arguments: vec!["-n".into(), "it's".into()],
            ranks: 4,
        }],
        placement: Placement::of([0, 0, 1, 1]),
        computation: Computation::Measured(Scale::HostSpeed(9.8e9)),
        clock: Clock::ThreadCpu,
        threshold: Some(1e-6),
        region_factors: None,
        stack_size: Some(65536),
        guard: None,
        privacy: Privacy::Images,
        libraries: Libraries::Only(vec!["libx".into()]),
        memory: Memory::default(),
        large_pages: LargePages::Never,
        check: false,
        label: true,
        seed: Some(7),
        quiet: false,
        cores: None,
        wait_for_debugger: false,
        trace_ti: None,
        trace: None,
        kernels: None,
        energy: None,
        pstates: PstateRequest::default(),
    }
}

/// Sends with a parent's hand and takes over with a child's, in one process.
fn received(launch: &Launch) -> (Result<(Launch, Channels), LaunchError>, Channels) {
    let (file, channels) = launch.send().unwrap();
    // The child has the same numbers for files of its own.
    let own = |fd: &OwnedFd| fd.try_clone().unwrap();
    let envelope = Envelope {
        outcome: own(&channels.outcome).into_raw_fd(),
        page: rustix::io::dup(channels.page_fd()).unwrap().into_raw_fd(),
        launch,
    };
    channel::write(&file, "launch", &envelope).unwrap();
    let number = file.into_raw_fd().to_string();
    // SAFETY: all three numbers were just made and belong to nobody.
    (unsafe { take_over(&number.into()) }, channels)
}

impl Channels {
    fn page_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        // SAFETY: the page keeps its file open as long as it lives.
        unsafe { std::os::fd::BorrowedFd::borrow_raw(self.page.number()) }
    }
}

#[test]
fn a_launch_arrives_as_it_was_sent() {
    let launch = launch();
    let (received, parent) = received(&launch);
    let (back, child) = received.unwrap();
    assert_eq!(back, launch);
    assert_eq!(back.ranks(), 4);
    assert_eq!(parent.page.progress().unwrap().process, std::process::id());
    let ranks = [RankTimes { computing: 0.1, overhead: 1e-9, waiting: 1.0 / 3.0, end: 0.7 }; 4];
    let outcome = Outcome {
        ended: Ended::Aborted("rank 2".into()),
        seconds: 0.1 + 0.2,
        counters: Counters { messages: 5, bytes: 6, file_bytes_read: 7, file_bytes_written: 8 },
        dates: 7,
        links_used: 8,
        collectives: Vec::new(),
        times: Times::over(&ranks),
        per_rank: Times::listed(&ranks),
        exit_codes: vec![ExitCode { rank: 2, code: -3 }],
        findings: None,
        energy: None,
        pstates: None,
        power_series: Vec::new(),
        warnings: vec!["look".into()],
        peak_rss_bytes: Some(9),
    };
    assert_eq!(Outcome::receive(&parent.outcome).unwrap(), None);
    outcome.send(&child.outcome).unwrap();
    assert_eq!(Outcome::receive(&parent.outcome).unwrap(), Some(outcome.clone()));
    // A second run of the same launch replaces what the first has left, even if it is shorter.
    let shorter = Outcome { warnings: Vec::new(), per_rank: None, ..outcome };
    shorter.send(&child.outcome).unwrap();
    assert_eq!(Outcome::receive(&parent.outcome).unwrap(), Some(shorter));
}

#[test]
fn another_version_is_refused_by_name() {
    let (received, _) = received(&Launch { version: "0.0.9".into(), ..launch() });
    let message = received.unwrap_err().to_string();
    assert!(message.contains("foretell 0.0.9") && message.contains("foretell-mpicc"), "{message}");
}

#[test]
fn a_launch_that_still_runs_elsewhere_is_refused() {
    let (received, parent) = received(&launch());
    let (_, child) = received.unwrap();
    parent.page.begin(1).unwrap();
    assert!(matches!(child.claim(), Err(LaunchError::Taken(1))));
    parent.page.begin(u32::MAX).unwrap();
    child.claim().unwrap();
}

#[test]
fn nonsense_in_the_variable_is_told() {
    for text in ["", "x", "-1", "1000000"] {
        // SAFETY: none of these is an open file.
        let message = unsafe { take_over(&text.into()) }.unwrap_err().to_string();
        assert!(message.contains(&format!("`{text}`")), "{message}");
    }
}
