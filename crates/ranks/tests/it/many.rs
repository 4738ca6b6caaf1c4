//! Very many ranks at once.

use foretell_ranks::{GuardChoice, How, Ranks, Settings, Step, suspend};

/// Resident bytes of this process.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").unwrap();
    text.split(' ').nth(1).unwrap().parse::<usize>().unwrap() * 4096
}

#[test]
fn a_hundred_thousand_ranks_run_and_stay_small() {
    const COUNT: u32 = 100_000;
    let guard = GuardChoice::CanaryAccepted;
    let settings = Settings { stack_size: 64 * 1024, guard, ..Settings::default() };
    let ranks = Ranks::new(settings, COUNT, vec![]).unwrap();
    let before = resident();
    let body = || {
        suspend();
        suspend();
        1
    };
    let mut all: Vec<_> =
        (0..COUNT).map(|number| ranks.begin_function(number, body).unwrap()).collect();
    let begun = resident() - before;
    for _ in 0..2 {
        assert!(all.iter_mut().all(|rank| rank.resume() == Step::Suspended));
    }
    let parked = resident() - before;
    let expected = Step::Ended(1, How::Returned);
    assert!(all.iter_mut().all(|rank| rank.resume() == expected));
    // Other tests run meanwhile: the bounds leave them room.
    assert!(begun / (COUNT as usize) < 2048, "{} bytes before they run", begun / COUNT as usize);
    assert!(parked / (COUNT as usize) < 2 * 4096 + 2048, "{} bytes", parked / COUNT as usize);
}
