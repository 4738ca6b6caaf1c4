//! Inter-communicators: two groups that talk to each other.

use foretell_mpi::{ANY_SOURCE, ANY_TAG, Comm, Comparison, PROC_NULL, Result, Root, Simulation};
use foretell_platform::Platform;

use crate::support::{run, star};

/// The first `left` ranks of the world and the others, in reverse, joined.
async fn joined(world: &Comm, left: u32) -> Result<Comm> {
    let is_right = world.rank() >= left;
    let last = world.size() - 1;
    let key = if is_right { -(world.rank() as i32) } else { 0 };
    let half = world.split(Some(is_right as i32), key).await?.expect("each has a half");
    // Leaders that are not rank 0: the last of the left half, the last of the right.
    let (own, other) = if is_right { (last - left, left - 1) } else { (left - 1, left) };
    half.intercomm_create(own, Some(world), other as i32, 5).await
}

/// Runs on two groups of these sizes, and in both orders.
fn check<F>(program: F)
where
    F: AsyncFn(&Comm, &Comm) -> Result<()> + Clone + 'static,
{
    for (left, right) in [(1, 1), (1, 2), (2, 1), (3, 2), (4, 4), (1, 7), (5, 3), (8, 2)] {
        let program = program.clone();
        run(left + right, async move |world| {
            let inter = joined(&world, left).await?;
            program(&world, &inter).await?;
            world.barrier().await
        });
    }
}

#[test]
fn each_side_knows_both_groups() {
    check(async |world, inter| {
        let (size, last) = (world.size(), world.size() - 1);
        let remote = inter.remote_size().expect("it is an inter-communicator");
        assert!(inter.is_inter() && !world.is_inter());
        assert_eq!(inter.size() + remote, size);
        assert_eq!((world.remote_size(), world.remote_group().is_some()), (None, false));
        let is_right = inter.group().contains(last);
        let first_remote = inter.remote_group().unwrap().world_rank(0);
        assert_eq!(first_remote, if is_right { 0 } else { last });
        let copy = inter.dup().await?;
        assert_eq!(copy.compare(inter), Comparison::Congruent);
        assert_eq!(inter.compare(&inter.clone()), Comparison::Identical);
        assert_eq!(inter.compare(world), Comparison::Unequal);
        Ok(())
    });
}

#[test]
fn messages_go_to_the_remote_group() {
    check(async |world, inter| {
        let (rank, remote) = (inter.rank(), inter.remote_size().unwrap());
        let mut requests = Vec::new();
        for to in 0..remote as i32 {
            requests.push(inter.isend(vec![world.rank() as u8], to, rank as i32).await?);
        }
        for from in 0..remote as i32 {
            let wanted = if from % 2 == 0 { from } else { ANY_SOURCE };
            let got = inter.recv(wanted, from).await?;
            assert_eq!((got.status.source, got.status.tag), (from, from));
            let sender = inter.remote_group().unwrap().world_rank(from as u32);
            assert_eq!(got.payload.bytes(), [sender as u8]);
        }
        inter.wait_all(&mut requests).await?;
        // A rank of the same number on the other side is somebody else.
        if rank < remote {
            let twin = rank as i32;
            let got = inter.sendrecv(vec![world.rank() as u8], twin, 100, twin, 100).await?;
            assert_ne!(got.payload.bytes(), [world.rank() as u8]);
            assert_eq!(got.status.source, twin);
        }
        let got = inter.sendrecv(vec![1], PROC_NULL, 0, PROC_NULL, ANY_TAG).await?;
        assert_eq!(got.status.source, PROC_NULL);
        Ok(())
    });
}

#[test]
fn a_rank_past_the_remote_group_is_refused() {
    let failure = star(3).run(async |world| {
        let inter = joined(&world, 2).await?;
        match world.rank() {
            0 => inter.send(1, 1, 0).await,
            _ => Ok(()),
        }
    });
    let text = failure.unwrap_err().to_string();
    assert!(text.ends_with("in MPI_Send: rank 1 is not in a communicator of 1 ranks"), "{text}");
}

#[test]
fn merging_puts_the_high_group_behind() {
    check(async |world, inter| {
        let (size, last) = (world.size(), world.size() - 1);
        let is_right = inter.group().contains(last);
        let left = if is_right { size - inter.size() } else { inter.size() };
        let straight: Vec<u8> =
            (0..left).chain((left..size).rev()).map(|rank| rank as u8).collect();
        let turned: Vec<u8> = (left..size).rev().chain(0..left).map(|rank| rank as u8).collect();
        let mine = vec![world.rank() as u8];
        let merged = inter.intercomm_merge(is_right).await?;
        assert!(!merged.is_inter());
        assert_eq!(merged.allgather(mine.clone()).await?.bytes(), straight);
        let merged = inter.intercomm_merge(!is_right).await?;
        assert_eq!(merged.allgather(mine.clone()).await?.bytes(), turned);
        let merged = inter.intercomm_merge(true).await?;
        let order = merged.allgather(mine).await?;
        assert!(order.bytes() == straight || order.bytes() == turned);
        Ok(())
    });
}

#[test]
fn both_sides_of_a_split_meet_by_color() {
    run(9, async |world| {
        let inter = joined(&world, 4).await?;
        let rank = world.rank();
        let is_right = rank >= 4;
        // Left: 0 to 3. Right: 8 down to 4. Color 2 is on one side alone.
        let color = match rank {
            0 | 3 | 5 => Some(0),
            1 | 8 | 4 => Some(1),
            7 => Some(2),
            _ => None,
        };
        let part = inter.split(color, -(rank as i32)).await?;
        let expected: Option<(&[u32], &[u32])> = match color {
            Some(0) => Some((&[3, 0], &[5])),
            Some(1) => Some((&[1], &[8, 4])),
            _ => None,
        };
        assert_eq!(part.is_some(), expected.is_some());
        if let (Some(part), Some((left, right))) = (part, expected) {
            let (own, other) = if is_right { (right, left) } else { (left, right) };
            assert!(part.group().iter().eq(own.iter().copied()));
            assert!(part.remote_group().unwrap().iter().eq(other.iter().copied()));
            part.barrier().await?;
        }
        Ok(())
    });
}

#[test]
fn create_takes_a_group_of_each_side() {
    run(7, async |world| {
        let inter = joined(&world, 3).await?;
        let is_right = world.rank() >= 3;
        let chosen: &[u32] = if is_right { &[3, 1] } else { &[2] };
        let group = inter.group().incl(chosen)?;
        let made = inter.create(&group).await?;
        assert_eq!(made.is_some(), chosen.contains(&inter.rank()));
        if let Some(made) = made {
            assert_eq!(
                (made.size(), made.remote_size()),
                if is_right { (2, Some(1)) } else { (1, Some(2)) }
            );
            let got = made.allgather(vec![world.rank() as u8]).await?;
            assert_eq!(got.bytes(), if is_right { &[2][..] } else { &[3, 5] });
        }
        // An empty side leaves the other without communicator.
        let none = if is_right { inter.group().incl(&[])? } else { inter.group().clone() };
        assert!(inter.create(&none).await?.is_none());
        Ok(())
    });
}

#[test]
fn several_are_made_at_once() {
    run(6, async |world| {
        // Pairs of single ranks, all with the same tag, by the same two communicators.
        let twin = (world.rank() as i32 + 3) % 6;
        let pair = world.alone().intercomm_create(0, Some(&world), twin, 7).await?;
        let inter = joined(&world, 2).await?;
        let got = pair.sendrecv(vec![world.rank() as u8], 0, 1, 0, 1).await?;
        assert_eq!(got.payload.bytes(), [twin as u8]);
        let (first, second) = (inter.idup(), inter.idup());
        let third = inter.dup().await?;
        let (second, first) = (inter.complete(second).await?, inter.complete(first).await?);
        let others = inter.remote_size().unwrap();
        for (tag, comm) in [&third, &first, &second, &inter].into_iter().enumerate() {
            let root = match (world.rank(), tag) {
                (0, _) => Root::Root,
                (1, _) => Root::ProcNull,
                _ => Root::Rank(0),
            };
            let got = comm.bcast(vec![tag as u8], root).await?;
            assert_eq!(got.bytes(), [tag as u8]);
            assert_eq!(comm.remote_size(), Some(others));
        }
        // A merged one joins again with itself split otherwise.
        let merged = pair.intercomm_merge(world.rank() > 2).await?;
        assert_eq!((merged.size(), merged.rank()), (2, (world.rank() > 2) as u32));
        merged.barrier().await
    });
}

#[test]
fn groups_with_common_members_do_not_join() {
    let failure = star(3).run(async |world| {
        let all = world.dup().await?;
        let leader = world.rank().min(1);
        all.intercomm_create(leader, Some(&world), 1 - leader as i32, 0).await.map(drop)
    });
    assert!(failure.is_err());
    let failure = star(1)
        .run(async |world| world.alone().intercomm_create(0, Some(&world), 0, 0).await.map(drop));
    let text = failure.unwrap_err().to_string();
    assert!(text.contains("a group that cannot join itself"), "{text}");
}

#[test]
fn what_needs_one_group_is_refused() {
    run(2, async |world| {
        let inter = joined(&world, 1).await?;
        assert!(inter.scan(vec![1], &crate::support::sums()).await.is_err());
        assert!(inter.cart_create(&[1], &[true], Default::default()).await.is_err());
        assert!(inter.split_type(None, 0).await.is_err());
        assert!(inter.neighbor_allgather(vec![1]).await.is_err());
        assert!(world.intercomm_merge(true).await.is_err());
        assert!(inter.create_group(world.group(), 0).await.is_err());
        Ok(())
    });
}

#[test]
fn sides_of_different_sizes_are_split_as_a_whole() {
    for (size, late) in (2..=9).flat_map(|size| (0..size).map(move |late| (size, late))) {
        let simulation = Simulation::new(Platform::named("star-64").unwrap()).ranks(size);
        let report = simulation.run(async move |world| {
            let cut = size / 2;
            let is_left = world.rank() < cut;
            let half = world.split(Some(i32::from(is_left)), world.rank() as i32).await?.unwrap();
            let other = if is_left { cut as i32 } else { 0 };
            let both = half.intercomm_create(0, Some(&world), other, 12).await?;
            if world.rank() == late {
                world.sleep(1.0).await;
            }
            let part = both.split(Some(0), world.rank() as i32).await?.unwrap();
            assert_eq!(part.size() + part.remote_size().unwrap(), size);
            Ok(())
        });
        report.unwrap();
    }
}
