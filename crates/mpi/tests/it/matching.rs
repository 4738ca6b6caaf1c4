//! Which message goes to which receive. MPI 4.1 section 3.5.

use std::cell::RefCell;
use std::rc::Rc;

use foretell_mpi::{ANY_SOURCE, ANY_TAG, Payload, Simulation};
use proptest::prelude::*;

use crate::support::{ended, machine, plain_star, run};

/// One thing that happens at a second of its own.
#[derive(Debug, Clone)]
enum Event {
    Send { from: i32, tag: i32, bytes: usize },
    Receive { from: i32, tag: i32 },
}

/// Which receive, by its number among receives, got which event.
type Pairs = Vec<(usize, usize)>;

/// A matcher as plain as the standard's words.
fn reference(events: &[Event]) -> Pairs {
    let fits = |(from, tag): (i32, i32), (source, sent): (i32, i32)| {
        (from == ANY_SOURCE || from == source) && (tag == ANY_TAG || tag == sent)
    };
    let (mut posted, mut unexpected, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    let mut receives = 0;
    for (at, event) in events.iter().enumerate() {
        match *event {
            Event::Send { from, tag, .. } => {
                let found = posted.iter().position(|(_, wanted)| fits(*wanted, (from, tag)));
                match found {
                    Some(found) => pairs.push((posted.remove(found).0, at)),
                    None => unexpected.push((at, (from, tag))),
                }
            }
            Event::Receive { from, tag } => {
                let found = unexpected.iter().position(|(_, sent)| fits((from, tag), *sent));
                match found {
                    Some(found) => pairs.push((receives, unexpected.remove(found).0)),
                    None => posted.push((receives, (from, tag))),
                }
                receives += 1;
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The same events in a simulation: rank 0 receives, ranks 1 to 3 send.
fn simulated(events: Vec<Event>) -> Pairs {
    let platform = machine(plain_star(4), |network| network.tables.eager_limit = 100);
    let pairs = Rc::new(RefCell::new(Pairs::new()));
    let found = pairs.clone();
    let simulation = Simulation::new(platform).ranks(4);
    ended(simulation.run(async move |comm| {
        let mut requests = Vec::new();
        for (at, event) in events.iter().enumerate() {
            let wait = at as f64 - comm.now();
            match *event {
                Event::Send { from, tag, bytes } if from == comm.rank() as i32 => {
                    comm.sleep(wait).await;
                    let mut content = vec![0; bytes];
                    content[0] = at as u8;
                    // Nobody may ever receive it: it is not waited for.
                    let _ = comm.isend(content, 0, tag).await?;
                }
                Event::Receive { from, tag } if comm.rank() == 0 => {
                    comm.sleep(wait).await;
                    requests.push(comm.irecv(from, tag)?);
                }
                _ => {}
            }
        }
        comm.sleep(1000.0).await;
        for (number, mut request) in requests.into_iter().enumerate() {
            match comm.test(&mut request).await? {
                Some(received) => {
                    let at = received.payload.bytes()[0] as usize;
                    let Event::Send { from, tag, bytes } = events[at] else { panic!("{at}") };
                    let status = received.status;
                    assert_eq!((status.source, status.tag), (from, tag));
                    assert_eq!(status.bytes, bytes as u64);
                    found.borrow_mut().push((number, at));
                }
                None => assert!(comm.cancel(request).await?),
            }
        }
        Ok(())
    }));
    Rc::unwrap_or_clone(pairs).into_inner()
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let sizes = prop_oneof![Just(8usize), Just(200), Just(70_000)];
    let send =
        (1i32..4, 0i32..3, sizes).prop_map(|(from, tag, bytes)| Event::Send { from, tag, bytes });
    let from = prop_oneof![1 => Just(ANY_SOURCE), 2 => 1i32..4];
    let tag = prop_oneof![1 => Just(ANY_TAG), 2 => 0i32..3];
    let receive = (from, tag).prop_map(|(from, tag)| Event::Receive { from, tag });
    prop::collection::vec(prop_oneof![send, receive], 0..60)
}

proptest! {
    #[test]
    fn matching_is_as_the_standard_says(events in events()) {
        prop_assert_eq!(simulated(events.clone()), reference(&events));
    }
}

/// The second message is there long before the first, and is still received second.
#[test]
fn messages_do_not_overtake() {
    run(2, async |comm| {
        if comm.rank() == 0 {
            let long = comm.isend(vec![1; 60_000], 1, 0).await?;
            let short = comm.isend(vec![2], 1, 0).await?;
            return comm.wait_all(&mut [long, short]).await;
        }
        for expected in [1, 2] {
            let received = comm.recv(0, ANY_TAG).await?;
            assert_eq!(received.payload.bytes()[0], expected);
        }
        Ok(())
    });
}

#[test]
fn eager_messages_do_not_overtake_either() {
    let platform = machine(plain_star(2), |network| network.tables.eager_limit = 1 << 20);
    ended(Simulation::new(platform).ranks(2).run(async |comm| {
        if comm.rank() == 0 {
            comm.send(vec![1; 500_000], 1, 0).await?;
            return comm.send(vec![2], 1, 0).await;
        }
        let first = comm.irecv(0, 0)?;
        let second = comm.irecv(ANY_SOURCE, 0)?;
        // The second is complete at once, the first is not.
        let short = comm.wait(second).await?;
        assert!(comm.now() < 1e-4);
        let long = comm.wait(first).await?;
        assert_eq!((short.payload.bytes()[0], long.payload.bytes()[0]), (2, 1));
        assert_eq!(long.payload.len(), 500_000);
        Ok(())
    }));
}

#[test]
fn a_specific_receive_posted_first_wins_over_a_later_wildcard() {
    run(3, async |comm| {
        if comm.rank() > 0 {
            comm.sleep(f64::from(comm.rank())).await;
            return comm.send(Payload::Size(u64::from(comm.rank())), 0, 4).await;
        }
        let mut requests = [comm.irecv(2, 4)?, comm.irecv(ANY_SOURCE, ANY_TAG)?];
        let got = comm.wait_each(&mut requests).await?;
        assert_eq!((got[0].status.source, got[1].status.source), (2, 1));
        Ok(())
    });
}
