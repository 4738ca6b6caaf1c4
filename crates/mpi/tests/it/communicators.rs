//! Communicators that come from others: who is in them, and that they do not mix.

use foretell_mpi::{ANY_SOURCE, ANY_TAG, Comm, Comparison, PROC_NULL, Payload, Reorder, Result};

use crate::support::{run, sums};

/// The world ranks of a communicator as an allgather on it tells them.
async fn members(comm: &Comm, world: &Comm) -> Result<Vec<u8>> {
    let all = comm.allgather(vec![world.rank() as u8]).await?;
    Ok(all.bytes().to_vec())
}

#[test]
fn split_groups_by_color_and_orders_by_key() {
    run(7, async |world| {
        let rank = world.rank() as i32;
        let color = (rank != 5).then_some(rank % 2);
        let part = world.split(color, -rank).await?;
        let expected: &[u8] = match rank {
            5 => &[],
            1 | 3 => &[3, 1],
            _ => &[6, 4, 2, 0],
        };
        let Some(part) = part else {
            assert_eq!(rank, 5);
            return Ok(());
        };
        assert_eq!(members(&part, &world).await?, expected);
        assert_eq!(expected[part.rank() as usize], rank as u8);
        Ok(())
    });
}

#[test]
fn equal_keys_keep_the_order_of_ranks() {
    run(6, async |world| {
        let turned = world.split(Some(0), 5 - world.rank() as i32).await?.unwrap();
        let part = turned.split(Some(0), 0).await?.unwrap();
        assert_eq!(members(&part, &world).await?, [5, 4, 3, 2, 1, 0]);
        assert_eq!(part.compare(&turned), Comparison::Congruent);
        assert_eq!(part.compare(&world), Comparison::Similar);
        assert_eq!(part.compare(&part.clone()), Comparison::Identical);
        Ok(())
    });
}

#[test]
fn a_split_costs_an_allgather_and_a_dup_nothing() {
    let split = run(8, async |world| world.split(Some(0), 0).await.map(drop));
    let gather = run(8, async |world| world.allgather(8).await.map(drop));
    // Recursive doubling and Bruck take the same steps with a power of two.
    assert_eq!(split.seconds.to_bits(), gather.seconds.to_bits());
    assert_eq!(split.counters, gather.counters);
    let dup = run(8, async |world| world.dup().await?.dup().await.map(drop));
    assert_eq!((dup.seconds, dup.counters.messages), (0.0, 0));
}

#[test]
fn messages_stay_on_their_communicator() {
    run(2, async |world| {
        let (a, b) = (world.dup().await?, world.dup().await?);
        if world.rank() == 0 {
            a.send(1, 1, 7).await?;
            b.send(2, 1, 7).await?;
            return world.send(3, 1, 7).await;
        }
        assert_eq!(world.recv(ANY_SOURCE, ANY_TAG).await?.status.bytes, 3);
        assert_eq!(b.recv(ANY_SOURCE, ANY_TAG).await?.status.bytes, 2);
        assert_eq!(a.recv(ANY_SOURCE, ANY_TAG).await?.status.bytes, 1);
        Ok(())
    });
}

#[test]
fn create_takes_a_group_and_create_group_its_ranks_alone() {
    run(6, async |world| {
        let odd = world.group().range_incl(&[(1, 5, 2)])?;
        let made = world.create(&odd).await?;
        assert_eq!(made.is_some(), world.rank() % 2 == 1);
        if let Some(comm) = made {
            assert_eq!(members(&comm, &world).await?, [1, 3, 5]);
        }
        // Two disjoint groups in one call.
        let low = world.rank() < 2;
        let group = match low {
            true => world.group().incl(&[1, 0])?,
            false => world.group().incl(&[5, 4, 3, 2])?,
        };
        let comm = world.create(&group).await?.unwrap();
        let expected: &[u8] = if low { &[1, 0] } else { &[5, 4, 3, 2] };
        assert_eq!(members(&comm, &world).await?, expected);
        if world.rank() != 0 {
            let most = world.group().excl(&[0])?;
            for _ in 0..3 {
                let comm = world.create_group(&most, 9).await?.unwrap();
                assert_eq!(members(&comm, &world).await?, [1, 2, 3, 4, 5]);
            }
        }
        Ok(())
    });
}

#[test]
fn a_rank_alone_talks_to_itself() {
    let report = run(3, async |world| {
        let alone = world.alone();
        assert_eq!((alone.rank(), alone.size()), (0, 1));
        let got = alone.allreduce(vec![world.rank() as u8], &sums()).await?;
        assert_eq!(got.bytes(), [world.rank() as u8]);
        alone.barrier().await?;
        let copy = alone.dup().await?;
        let part = copy.split(Some(4), 4).await?.unwrap();
        let request = part.irecv(0, 1)?;
        part.send(vec![9], 0, 1).await?;
        assert_eq!(part.wait(request).await?.payload, Payload::from(vec![9]));
        part.free();
        Ok(())
    });
    assert_eq!(report.counters.messages, 3);
}

#[test]
fn grids_know_their_neighbours() {
    run(7, async |world| {
        let grid = world.cart_create(&[2, 3], &[true, false], Reorder::Allowed).await?;
        if world.rank() == 6 {
            assert!(grid.is_none());
            return Ok(());
        }
        let grid = grid.unwrap();
        let (row, column) = (world.rank() / 3, world.rank() % 3);
        assert_eq!(grid.cart_coords(grid.rank())?, [row, column]);
        assert_eq!(grid.cart_rank(&[i64::from(row) - 2, i64::from(column)])?, grid.rank());
        let (up, down) = grid.cart_shift(0, 1)?;
        assert_eq!((up, down), (((1 - row) * 3 + column) as i32, ((1 - row) * 3 + column) as i32));
        let (left, right) = grid.cart_shift(1, 1)?;
        assert_eq!(left == PROC_NULL, column == 0);
        assert_eq!(right == PROC_NULL, column == 2);
        // Shifting past an edge sends nothing and receives nothing.
        let got = grid.sendrecv(vec![column as u8], right, 0, left, 0).await?;
        assert_eq!(got.status.bytes, u64::from(column > 0));
        assert!(grid.cart_shift(2, 1).is_err() && grid.cart_rank(&[0, 3]).is_err());
        assert!(world.cart_shift(0, 1).is_err());
        assert_eq!(grid.dup().await?.cartesian(), grid.cartesian());
        Ok(())
    });
}

#[test]
fn parts_of_a_grid_are_grids() {
    run(12, async |world| {
        let periods = [true, false, true];
        let grid = world.cart_create(&[2, 3, 2], &periods, Reorder::Forbidden).await?.unwrap();
        let coords = grid.cart_coords(grid.rank())?;
        let plane = grid.cart_sub(&[true, false, true]).await?;
        assert_eq!(plane.cartesian().map(|shape| shape.dims.clone()), Some(vec![2, 2]));
        let base = coords[1] as u8 * 2;
        assert_eq!(members(&plane, &world).await?, [base, base + 1, base + 6, base + 7]);
        let line = plane.cart_sub(&[false, true]).await?;
        let first = (coords[0] * 6 + coords[1] * 2) as u8;
        assert_eq!(members(&line, &world).await?, [first, first + 1]);
        assert_eq!(grid.cart_sub(&[false; 3]).await?.size(), 1);
        Ok(())
    });
}

#[test]
fn collectives_of_overlapping_communicators_go_on_at_once() {
    run(12, async |world| {
        let grid = world.cart_create(&[3, 4], &[false; 2], Reorder::Forbidden).await?.unwrap();
        let (rows, columns) =
            (grid.cart_sub(&[false, true]).await?, grid.cart_sub(&[true, false]).await?);
        let (row, column) = (world.rank() / 4, world.rank() % 4);
        let mine = vec![world.rank() as u8];
        let along = rows.iallreduce(mine.clone(), &sums());
        let down = columns.iallreduce(mine.clone(), &sums());
        let all = world.iallreduce(mine, &sums());
        assert_eq!(world.complete(all).await?.bytes(), [66]);
        assert_eq!(columns.complete(down).await?.bytes(), [(12 + 3 * column) as u8]);
        assert_eq!(rows.complete(along).await?.bytes(), [(16 * row + 6) as u8]);
        Ok(())
    });
}
