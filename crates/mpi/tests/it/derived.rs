//! Communicators that several ranks make at once, and those that follow the machine.

use foretell_mpi::{Comm, Comparison, Mapping, Op, Pending, Result, SplitType};
use proptest::prelude::*;

use crate::support::{ended, run, star};

async fn members(comm: &Comm, world: &Comm) -> Result<Vec<u8>> {
    Ok(comm.allgather(vec![world.rank() as u8]).await?.bytes().to_vec())
}

#[test]
fn ranks_of_a_host_share_its_memory() {
    let simulation = star(3).ranks(7).mapping(Mapping::Cyclic);
    ended(simulation.run(async |world| {
        let rank = world.rank();
        let node = world.split_type(Some(SplitType::Shared), -(rank as i32)).await?.unwrap();
        let expected: Vec<u8> = (0..7).rev().filter(|other| other % 3 == rank as u8 % 3).collect();
        assert_eq!(members(&node, &world).await?, expected);
        let finer = world.split_type(Some(SplitType::Finer), 0).await?.unwrap();
        assert_eq!(
            finer.compare(&node),
            match node.size() {
                1 => Comparison::Congruent,
                _ => Comparison::Similar,
            }
        );
        assert!(node.split_type(Some(SplitType::Finer), 0).await?.is_none());
        let part = node.split_type(Some(SplitType::Hardware), 0).await?.unwrap();
        assert_eq!(part.size(), node.size());
        let mine = (rank != 3).then_some(SplitType::Shared);
        assert_eq!(world.split_type(mine, 0).await?.is_some(), rank != 3);
        Ok(())
    }));
}

#[test]
fn a_second_group_does_not_take_part_in_the_first() {
    run(4, async |world| {
        let group = |other: u32| world.group().incl(&[0, other]);
        // Rank 3 comes first, although rank 0 calls it last.
        match world.rank() {
            0 => {
                for other in 1..4 {
                    let comm = world.create_group(&group(other)?, 5).await?.unwrap();
                    assert_eq!(members(&comm, &world).await?, [0, other as u8]);
                }
            }
            rank => {
                world.sleep(f64::from(3 - rank)).await;
                let comm = world.create_group(&group(rank)?, 5).await?.unwrap();
                assert_eq!(members(&comm, &world).await?, [0, rank as u8]);
            }
        }
        assert!(world.create_group(&world.group().incl(&[])?, 5).await?.is_none());
        Ok(())
    });
}

#[test]
fn groups_that_overlap_are_made_at_once() {
    run(5, async |world| {
        let rank = world.rank();
        // A ring of pairs: each rank is in two. Even ranks begin with the one before.
        let pairs = [(rank, (rank + 1) % 5), ((rank + 4) % 5, rank)];
        let first = usize::from(rank % 2 == 0 && rank > 0);
        for pair in [pairs[first], pairs[1 - first]] {
            let group = world.group().incl(&[pair.0, pair.1])?;
            let comm = world.create_group(&group, 1).await?.unwrap();
            assert_eq!(members(&comm, &world).await?, [pair.0 as u8, pair.1 as u8]);
        }
        Ok(())
    });
}

#[test]
fn a_copy_is_there_when_it_is_asked_for() {
    let report = run(5, async |world| {
        let mut first = world.idup();
        let second = world.idup();
        let request = first.take_request();
        world.wait(request).await?;
        let (first, second) = (world.complete(first).await?, world.complete(second).await?);
        assert_eq!(first.compare(&second), Comparison::Congruent);
        let tag = 3;
        let (to, from) = ((world.rank() as i32 + 1) % 5, (world.rank() as i32 + 4) % 5);
        let send = first.isend(vec![1], to, tag).await?;
        let other = second.isend(vec![2], to, tag).await?;
        assert_eq!(second.recv(from, tag).await?.payload.bytes(), [2]);
        assert_eq!(first.recv(from, tag).await?.payload.bytes(), [1]);
        world.wait_all(&mut [send, other]).await
    });
    assert_eq!(report.counters.messages, 10);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    /// Whatever the ranks make, and whenever each gets there, the same calls meet.
    #[test]
    fn creations_meet_in_the_order_of_calls(
        ranks in 1u32..8,
        choices in prop::collection::vec(0u32..5, 1..8),
        delays in prop::collection::vec(0u32..4, 64),
    ) {
        run(ranks, async move |world| {
            let rank = world.rank();
            let mut made: Vec<Comm> = Vec::new();
            let mut later: Vec<Pending<Comm>> = Vec::new();
            for (at, choice) in choices.iter().enumerate() {
                world.sleep(f64::from(delays[(rank as usize * 8 + at) % 64])).await;
                match choice {
                    0 => made.push(world.dup().await?),
                    1 => later.push(world.idup()),
                    2 => made.push(world.split(Some(0), -(rank as i32)).await?.unwrap()),
                    3 => made.push(world.create(world.group()).await?.unwrap()),
                    _ => later.push(world.idup()),
                }
            }
            // Some wait for the last one first.
            if rank % 2 == 1 {
                later.reverse();
            }
            let mut copies = Vec::new();
            for pending in later {
                copies.push(world.complete(pending).await?);
            }
            if rank % 2 == 1 {
                copies.reverse();
            }
            for (at, comm) in made.iter().chain(&copies).enumerate() {
                let mine = (at as i64 * 100 + 1).to_ne_bytes().to_vec();
                let sum = comm.allreduce(mine, &Op::sum_i64()).await?;
                let expected = (at as i64 * 100 + 1) * i64::from(ranks);
                assert_eq!(sum.bytes(), expected.to_ne_bytes());
            }
            Ok(())
        });
    }
}
