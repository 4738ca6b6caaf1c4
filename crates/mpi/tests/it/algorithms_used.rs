//! A report tells which collective algorithms ran, if it is asked to.

use foretell_mpi::{Op, Operation, Payload, Selection};

use crate::support::{ended, star};

/// Two sizes of allreduce on all 8 ranks, and barriers of the first half.
fn used(selection: Selection) -> Vec<foretell_mpi::Used> {
    let report = star(8).collectives(selection).run(async |world| {
        for bytes in [8, 80_000] {
            world.allreduce(Payload::Size(bytes), &Op::sized()).await?;
        }
        let color = i32::from(world.rank() >= 4);
        let half = world.split(Some(color), 0).await?;
        if let Some(half) = half.filter(|_| color == 0) {
            half.barrier().await?;
            half.barrier().await?;
        }
        Ok(())
    });
    ended(report).collectives
}

#[test]
fn what_ran_is_told_operation_by_operation() {
    let mut selection = Selection::default();
    selection.choose(Operation::Allreduce, "mpich-4").unwrap();
    selection.choose(Operation::Barrier, "ompi_tree").unwrap();
    selection.note_use();
    let used = used(selection);
    let of = |operation| used.iter().filter(move |used| used.operation == operation);
    let barriers: Vec<_> = of(Operation::Barrier).collect();
    assert_eq!(barriers.len(), 1);
    assert_eq!(
        (barriers[0].algorithm, barriers[0].calls, barriers[0].ranks),
        ("ompi_tree", 2, (4, 4))
    );
    let allreduces: Vec<_> =
        of(Operation::Allreduce).map(|used| (used.algorithm, used.bytes)).collect();
    assert_eq!(allreduces, [("rdb", (8, 8)), ("rab_rdb", (80_000, 80_000))]);
}

#[test]
fn nothing_is_noted_unless_somebody_asks() {
    assert!(used(Selection::default()).is_empty());
}
