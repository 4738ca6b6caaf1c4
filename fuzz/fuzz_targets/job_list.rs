//! Any text lists jobs with a host for each rank, or has a mistake in one of its lines.
#![no_main]

use foretell_trace::Listed;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| match Listed::parse(text) {
    Ok(jobs) => {
        for job in jobs {
            assert!(job.ranks > 0 && job.delay.is_finite());
            assert!(job.hosts.is_none_or(|hosts| hosts.len() == job.ranks as usize));
        }
    }
    Err((line, _)) => assert!(line > 0 && line <= text.lines().count() as u64),
});
