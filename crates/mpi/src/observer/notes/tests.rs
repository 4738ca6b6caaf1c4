//! Any notes are told as they were taken.

use proptest::prelude::*;

use super::*;

#[derive(Default)]
struct Told(Vec<(u8, Happening)>);

impl Ear for Told {
    fn hear(&mut self, date: f64, what: Happening) {
        self.0.push((date as u8, what));
    }
}

fn traffic() -> impl Strategy<Value = Traffic> {
    let lanes = prop_oneof![
        Just(TrafficLane::PointToPoint),
        Just(TrafficLane::Collective),
        Just(TrafficLane::Partitioned)
    ];
    (any::<u32>(), lanes).prop_map(|(comm, lane)| Traffic { comm, lane })
}

fn letter() -> impl Strategy<Value = Letter> {
    let words = (any::<u32>(), any::<u32>(), traffic(), any::<i32>(), any::<u64>());
    (words, any::<Option<u32>>(), any::<bool>(), any::<bool>()).prop_map(
        |((from, to, traffic, tag, bytes), request, is_blocking, is_eager)| Letter {
            from,
            to,
            traffic,
            tag,
            bytes,
            request,
            is_blocking,
            is_eager,
        },
    )
}

fn happening() -> impl Strategy<Value = Happening> {
    let number = any::<u32>;
    prop_oneof![
        (number(), any::<u16>()).prop_map(|(rank, name)| Happening::Enters { rank, name }),
        (number(), 0.0..9.9).prop_map(|(rank, since)| Happening::Waited { rank, since }),
        number().prop_map(|rank| Happening::Ends { rank }),
        (number(), letter()).prop_map(|(message, letter)| Happening::Sends { message, letter }),
        (number(), number(), traffic(), any::<bool>()).prop_map(
            |(rank, request, traffic, is_blocking)| {
                Happening::Posts { rank, request, traffic, is_blocking }
            }
        ),
        number().prop_map(|message| Happening::Arrives { message }),
        (number(), number())
            .prop_map(|(message, request)| Happening::Delivers { message, request }),
        (number(), number()).prop_map(|(rank, request)| Happening::TakesSend { rank, request }),
        (number(), number(), letter()).prop_map(|(rank, request, letter)| {
            let Letter { from, traffic, tag, bytes, .. } = letter;
            let received = Incoming { from, traffic, tag, bytes };
            Happening::TakesReceive { rank, request, received }
        }),
        (number(), number(), any::<Option<u32>>(), any::<bool>()).prop_map(
            |(rank, comm, root, is_blocking)| {
                Happening::Joins { rank, comm, root, is_blocking }
            }
        ),
        (number(), any::<u64>(), any::<u16>()).prop_map(|(rank, bytes, name)| Happening::Chooses {
            rank,
            bytes,
            name
        }),
        (number(), 0.0..9.9)
            .prop_map(|(host, watts)| Happening::Draws { host: HostId(host), watts }),
        (number(), any::<u16>(), 0.0..9.9).prop_map(|(host, pstate, speed)| Happening::Runs {
            host: HostId(host),
            pstate,
            speed
        }),
    ]
}

proptest! {
    #[test]
    fn what_is_noted_is_told(
        all in proptest::collection::vec((0..4_u8, happening()), 0..60), again in any::<bool>(),
    ) {
        let mut notes = Notes::with_room(60 * LONGEST);
        if again {
            notes.add(3.0, &Happening::Ends { rank: 7 });
            notes.clear();
        }
        for (date, what) in &all {
            prop_assert!(!notes.is_full());
            notes.add(f64::from(*date), what);
        }
        let mut told = Told::default();
        notes.tell(&mut told);
        prop_assert_eq!(notes.last_date().map(|date| date as u8), all.last().map(|last| last.0));
        prop_assert_eq!(told.0, all);
    }
}

#[test]
fn a_batch_is_full_when_the_longest_note_may_not_fit() {
    let mut notes = Notes::with_room(8);
    assert!(!notes.is_full() && notes.is_empty());
    (0..3).for_each(|rank| notes.add(0.0, &Happening::Ends { rank }));
    assert!(notes.is_full() && !notes.is_empty());
}
