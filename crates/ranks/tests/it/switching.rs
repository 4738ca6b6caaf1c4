//! Suspending, resuming, waiting and ending.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use foretell_ranks::{
    GuardChoice, How, Ranks, Settings, Step, block_on, block_on_short, current, end, suspend,
};

fn ranks(count: u32) -> Ranks {
    Ranks::new(Settings::default(), count, vec![]).unwrap()
}

#[test]
fn ranks_take_turns() {
    let ranks = ranks(2);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let mut all: Vec<_> = (0..2)
        .map(|number| {
            let seen = Rc::clone(&seen);
            let body = move || {
                for turn in 0..3 {
                    seen.borrow_mut().push((current(), turn));
                    suspend();
                }
                number
            };
            ranks.begin_function(number as u32, body).unwrap()
        })
        .collect();
    assert_eq!(current(), None);
    for _ in 0..3 {
        assert!(all.iter_mut().all(|rank| rank.resume() == Step::Suspended));
    }
    let steps: Vec<_> = all.iter_mut().map(foretell_ranks::Rank::resume).collect();
    assert_eq!(steps, [Step::Ended(0, How::Returned), Step::Ended(1, How::Returned)]);
    let expected: Vec<_> = (0..3).flat_map(|turn| [(Some(0), turn), (Some(1), turn)]).collect();
    assert_eq!(*seen.borrow(), expected);
}

#[test]
fn a_pending_future_suspends_the_rank() {
    let ranks = ranks(1);
    let polls = Rc::new(Cell::new(0));
    let counted = Rc::clone(&polls);
    let body = move || {
        block_on(poll_fn(move |_| {
            counted.set(counted.get() + 1);
            if counted.get() < 3 { Poll::Pending } else { Poll::Ready(42) }
        }))
    };
    let mut rank = ranks.begin_function(0, body).unwrap();
    assert_eq!(rank.resume(), Step::Suspended);
    assert_eq!(rank.resume(), Step::Suspended);
    assert_eq!(rank.resume(), Step::Ended(42, How::Returned));
    assert_eq!(polls.get(), 3);
}

/// Where a frame of the function that calls lies.
#[inline(never)]
fn here() -> usize {
    let place = 0_u8;
    std::hint::black_box(&raw const place).addr()
}

#[test]
fn short_waits_share_a_stack() {
    let ranks = ranks(2);
    let places = Rc::new(RefCell::new(Vec::new()));
    let mut all: Vec<_> = (0..2)
        .map(|number| {
            let places = Rc::clone(&places);
            let body = move || {
                let mut polls = 0;
                let own = here();
                block_on_short(poll_fn(|_| {
                    polls += 1;
                    // What is waited for in between is polled in place.
                    let inner = block_on_short(poll_fn(|_| Poll::Ready(here())));
                    places.borrow_mut().push((own, here(), inner));
                    if polls < 3 { Poll::Pending } else { Poll::Ready(polls) }
                }))
            };
            ranks.begin_function(number, body).unwrap()
        })
        .collect();
    for step in [Step::Suspended, Step::Suspended, Step::Ended(3, How::Returned)] {
        all.iter_mut().for_each(|rank| assert_eq!(rank.resume(), step));
    }
    let far = 256 << 10;
    for (own, shared, inner) in places.borrow().iter() {
        assert!(shared.abs_diff(places.borrow()[0].1) < far && shared.abs_diff(*inner) < far);
        assert!(own.abs_diff(*shared) > 4096);
    }
    assert_eq!(places.borrow().len(), 6);
}

#[test]
fn a_rank_can_end_deep_in_its_calls() {
    let ranks = ranks(1);
    let mut rank = ranks.begin_function(0, || end(7)).unwrap();
    assert_eq!(rank.resume(), Step::Ended(7, How::Exited));
}

#[test]
fn a_stack_serves_the_next_rank() {
    let ranks = ranks(1);
    for number in 0..100 {
        let mut rank = ranks.begin_function(number, || 0).unwrap();
        assert!(ranks.begin_function(number, || 0).is_err(), "the only stack is in use");
        assert_eq!(rank.resume(), Step::Ended(0, How::Returned));
        drop(rank);
    }
}

#[test]
fn a_suspended_rank_can_be_given_up() {
    let ranks = ranks(1);
    let mut rank = ranks
        .begin_function(0, || {
            suspend();
            0
        })
        .unwrap();
    rank.resume();
    drop(rank);
    assert!(ranks.begin_function(1, || 0).is_ok());
}

#[test]
fn every_kind_of_guard_lets_ranks_run() {
    for guard in
        [GuardChoice::Sure, GuardChoice::CanaryAccepted, GuardChoice::Pages, GuardChoice::Canary]
    {
        let settings = Settings { guard, ..Settings::default() };
        let ranks = Ranks::new(settings, 4, vec![]).unwrap();
        let mut all: Vec<_> = (0..4)
            .map(|number| {
                let body = || {
                    suspend();
                    3
                };
                ranks.begin_function(number, body).unwrap()
            })
            .collect();
        let steps = crate::program::finish(&mut all);
        assert_eq!(steps, [Step::Ended(3, How::Returned); 4]);
    }
}
