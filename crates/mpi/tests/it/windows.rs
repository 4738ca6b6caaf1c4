//! One-sided communication: order, epochs, locks, and what it all costs.

use std::cell::RefCell;
use std::rc::Rc;

use foretell_mpi::{Back, Error, LockKind, Memories, Region, Result, Window, WindowOperation};

use crate::support::{BANDWIDTH, LATENCY, ended, star};

type Cells = Rc<RefCell<Vec<u64>>>;

fn region(bytes: u64) -> Memories {
    Memories::One(Region { address: 0x1000, bytes, unit: 8 })
}

/// An operation of so many bytes that does something to a shared list.
fn change(
    target: u32,
    bytes: u64,
    cells: &Cells,
    work: impl FnOnce(&mut Vec<u64>) + 'static,
) -> WindowOperation {
    let cells = cells.clone();
    let apply = Box::new(move || {
        work(&mut cells.borrow_mut());
        Box::default()
    });
    WindowOperation { target, bytes, is_ordered: true, apply, back: None }
}

fn push(target: u32, bytes: u64, cells: &Cells, value: u64) -> WindowOperation {
    change(target, bytes, cells, move |cells| cells.push(value))
}

fn is_wrong_epoch<T>(outcome: Result<T>) -> bool {
    matches!(outcome, Err(Error::RmaSync(_)))
}

#[test]
fn a_put_takes_as_long_as_its_message_and_no_help_of_the_target() {
    let report = ended(star(2).run(async |world| {
        let cells = Cells::default();
        let window = world.window(region(1 << 20)).await?;
        window.lock_all(true).await?;
        if world.rank() == 0 {
            let begin = world.now();
            window.operate(push(1, 1_000_000, &cells, 7)).await?;
            assert_eq!(world.now(), begin);
            window.flush(Some(1)).await?;
            let expected = 2.0 * LATENCY + 1e6 / BANDWIDTH;
            assert!((world.now() - begin - expected).abs() < 1e-9);
            assert_eq!(*cells.borrow(), [7]);
        }
        window.unlock_all().await?;
        Ok(())
    }));
    // The target was through long before.
    assert!(report.ranks[1].end < report.ranks[0].end);
}

#[test]
fn what_is_fetched_takes_the_way_there_and_back() {
    ended(star(2).run(async |world| {
        let window = world.window(region(64)).await?;
        if world.rank() == 0 {
            window.lock_all(true).await?;
            let begin = world.now();
            let seen = Rc::new(RefCell::new(None));
            let landed = seen.clone();
            let back =
                Back { bytes: 1000, land: Box::new(move |data| drop(landed.replace(Some(data)))) };
            let apply = Box::new(|| Box::from([1, 2, 3]));
            let get =
                WindowOperation { target: 1, bytes: 0, is_ordered: false, apply, back: Some(back) };
            let request = window.operate_with_request(get).await?;
            world.wait(request).await?;
            let expected = 4.0 * LATENCY + 1000.0 / BANDWIDTH;
            assert!((world.now() - begin - expected).abs() < 1e-9);
            assert_eq!(seen.borrow().as_deref(), Some(&[1, 2, 3][..]));
            window.unlock_all().await?;
        }
        window.free().await
    }));
}

#[test]
fn accumulates_of_one_origin_are_applied_in_order() {
    ended(star(2).run(async |world| {
        let cells = Cells::default();
        let window = world.window(region(1 << 20)).await?;
        window.fence(false).await?;
        if world.rank() == 0 {
            // The short one would be there first.
            window.operate(push(1, 1_000_000, &cells, 1)).await?;
            window.operate(push(1, 8, &cells, 2)).await?;
        }
        window.fence(true).await?;
        if world.rank() == 0 {
            assert_eq!(*cells.borrow(), [1, 2]);
        }
        window.free().await
    }));
}

#[test]
fn a_fence_waits_for_the_operations_of_all_ranks() {
    let cells = Cells::default();
    ended(star(4).run(async move |world| {
        let window = world.window(region(1 << 20)).await?;
        window.fence(false).await?;
        if world.rank() == 3 {
            window.operate(push(0, 500_000, &cells, 9)).await?;
        }
        window.fence(true).await?;
        assert_eq!(*cells.borrow(), [9]);
        Ok(())
    }));
}

#[test]
fn an_exclusive_lock_keeps_others_out() {
    let inside = Rc::new(RefCell::new((0, 0)));
    let seen = inside.clone();
    ended(star(5).run(async move |world| {
        let window = world.window(region(8)).await?;
        for _ in 0..3 {
            window.lock(0, LockKind::Exclusive, false).await?;
            inside.borrow_mut().0 += 1;
            assert_eq!(inside.borrow().0, 1);
            world.sleep(1e-5).await;
            inside.borrow_mut().0 -= 1;
            inside.borrow_mut().1 += 1;
            window.unlock(0).await?;
        }
        window.free().await
    }));
    assert_eq!(seen.borrow().1, 15);
}

#[test]
fn shared_locks_are_held_together() {
    let report = ended(star(4).run(async |world| {
        let window = world.window(region(8)).await?;
        window.lock(0, LockKind::Shared, false).await?;
        world.sleep(1.0).await;
        window.unlock(0).await
    }));
    assert!(report.seconds < 1.1);
}

/// Rank 0 opens its memory to the others, which each put their number there.
async fn exchange(window: &Window, cells: &Cells) -> Result<()> {
    let comm = window.comm();
    let (rank, size) = (comm.rank(), comm.size());
    if rank == 0 {
        let others: Vec<u32> = (1..size).collect();
        window.post(&comm.group().incl(&others)?)?;
        window.wait().await?;
        assert_eq!(cells.borrow().len() as u32, size - 1);
        cells.borrow_mut().clear();
    } else {
        window.start(&comm.group().incl(&[0])?)?;
        window.operate(push(0, 8, cells, u64::from(rank))).await?;
        window.complete().await?;
    }
    Ok(())
}

#[test]
fn a_posted_epoch_ends_when_all_origins_are_through() {
    let cells = Cells::default();
    ended(star(4).run(async move |world| {
        let window = world.window(region(8)).await?;
        for _ in 0..3 {
            exchange(&window, &cells).await?;
        }
        window.free().await
    }));
}

#[test]
fn operations_outside_epochs_are_errors() {
    ended(star(2).run(async |world| {
        let cells = Cells::default();
        let window = world.window(region(8)).await?;
        assert!(is_wrong_epoch(window.operate(push(1, 8, &cells, 1)).await));
        assert!(is_wrong_epoch(window.flush(None).await));
        assert!(is_wrong_epoch(window.unlock(0).await));
        assert!(is_wrong_epoch(window.complete().await));
        assert!(is_wrong_epoch(window.wait().await));
        window.lock(1, LockKind::Shared, false).await?;
        assert!(is_wrong_epoch(window.lock(1, LockKind::Shared, false).await));
        assert!(is_wrong_epoch(window.fence(false).await));
        assert!(is_wrong_epoch(window.free().await));
        assert!(is_wrong_epoch(window.operate(push(0, 8, &cells, 1)).await));
        window.unlock(1).await?;
        window.free().await
    }));
}

#[test]
fn accesses_are_checked_against_what_the_target_has_opened() {
    ended(star(2).run(async |world| {
        let bytes = 8 * (1 + u64::from(world.rank()));
        let window = world.window(region(bytes)).await?;
        let address = window.address(1, 1);
        assert!(window.check_range(1, address, 8).is_ok());
        assert!(matches!(window.check_range(0, address, 8), Err(Error::RmaRange(_))));
        assert!(window.target(2).is_err());
        window.free().await
    }));
}
