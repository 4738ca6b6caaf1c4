//! Measures what a switch costs and how much memory a parked rank takes.
//!
//! `cargo run --release -p foretell-ranks --example switches`

use std::time::Instant;

use foretell_ranks::{Clock, GuardChoice, Rank, Ranks, Settings, suspend};

/// Resident bytes of this process.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

/// Nanoseconds of processor time per resume and suspend, the least of many short rounds.
fn pair(ranks: &mut [Rank]) -> f64 {
    let laps = (100_000 / ranks.len()).max(1);
    let round = |ranks: &mut [Rank]| {
        let start = Clock::ThreadCpu.read();
        for _ in 0..laps {
            ranks.iter_mut().for_each(|rank| {
                rank.resume();
            });
        }
        (Clock::ThreadCpu.read() - start) * 1e9 / (laps * ranks.len()) as f64
    };
    (0..60).map(|_| round(ranks)).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for count in [1, 1_000, 100_000] {
        let settings = Settings {
            stack_size: 64 * 1024,
            guard: GuardChoice::CanaryAccepted,
            ..Settings::default()
        };
        let before = resident();
        let ranks = Ranks::new(settings, count, vec![])?;
        let body = || loop {
            suspend();
        };
        let begun = Instant::now();
        let mut all =
            (0..count).map(|n| ranks.begin_function(n, body)).collect::<Result<Vec<_>, _>>()?;
        let waiting = resident() - before;
        all.iter_mut().for_each(|rank| {
            rank.resume();
        });
        let begun = begun.elapsed().as_secs_f64() * 1e6 / f64::from(count);
        let parked = (resident() - before) / count as usize;
        let waiting = waiting / count as usize;
        eprintln!(
            "{count:>7} ranks: {:.1} ns a switch pair, {begun:.2} us to begin, {waiting} bytes \
             each before it runs, {parked} bytes parked",
            pair(&mut all)
        );
    }
    Ok(())
}
