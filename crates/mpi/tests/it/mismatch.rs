//! Collectives that do not belong together are told, whether or not they would hang.

use foretell_mpi::{Comm, Op, Reorder, Result, Root};

use crate::support::star;

fn check<F>(ranks: u32, expected: &str, main: F)
where
    F: AsyncFn(Comm) -> Result<()> + 'static,
{
    let failure = star(ranks).run(main).expect_err("the program does not come to its end");
    assert_eq!(failure.to_string(), expected);
}

const RULE: &str = "all ranks call the collectives of a communicator in the same order";

#[test]
fn a_bcast_where_another_rank_reduces() {
    // Both send and need nothing: without a check, both would go on.
    let expected = format!(
        "rank 1 at 1.000000000 s in MPI_Reduce: MPI_Reduce where rank 0 called MPI_Bcast: {RULE}"
    );
    check(2, &expected, async |comm| match comm.rank() {
        0 => comm.bcast(8, 0).await.map(drop),
        _ => {
            comm.sleep(1.0).await;
            comm.reduce(8, &Op::sized(), 0).await.map(drop)
        }
    });
}

#[test]
fn one_that_ends_all_the_same() {
    // Rank 0 is still in its call when rank 1 begins the other.
    let expected = format!(
        "rank 1 at 0.000000000 s in MPI_Reduce: MPI_Reduce where rank 0 called MPI_Gather: {RULE}"
    );
    check(2, &expected, async |comm| match comm.rank() {
        0 => comm.gather(8, 0).await.map(drop),
        _ => comm.reduce(8, &Op::sized(), 0).await.map(drop),
    });
}

#[test]
fn different_roots() {
    let expected = format!(
        "rank 1 at 0.500000000 s in MPI_Bcast: MPI_Bcast with root 1 where rank 0 called MPI_Bcast \
         with root 0: {RULE}"
    );
    check(2, &expected, async |comm| {
        comm.sleep(f64::from(comm.rank()) * 0.5).await;
        comm.bcast(8, comm.rank()).await.map(drop)
    });
}

#[test]
fn a_blocking_call_where_another_rank_does_not_block() {
    let expected = format!(
        "rank 1 at 0.000000000 s in MPI_Barrier: MPI_Barrier where rank 0 called MPI_Ibarrier: {RULE}"
    );
    check(2, &expected, async |comm| match comm.rank() {
        0 => comm.complete(comm.ibarrier()).await,
        _ => comm.barrier().await,
    });
}

#[test]
fn a_non_blocking_call_tells_at_once() {
    let expected = format!(
        "rank 2 at 0.000000000 s in MPI_Iallreduce: MPI_Iallreduce where rank 0 called \
         MPI_Ibarrier: {RULE}"
    );
    check(3, &expected, async |comm| match comm.rank() {
        2 => comm.complete(comm.iallreduce(8, &Op::sized())).await.map(drop),
        _ => comm.complete(comm.ibarrier()).await,
    });
}

#[test]
fn making_communicators_counts() {
    let expected = format!(
        "rank 1 at 0.000000000 s in MPI_Cart_create: MPI_Cart_create where rank 0 called \
         MPI_Comm_dup: {RULE}"
    );
    check(2, &expected, async |comm| match comm.rank() {
        0 => comm.dup().await.map(drop),
        _ => comm.cart_create(&[2], &[true], Reorder::Forbidden).await.map(drop),
    });
}

#[test]
fn the_two_sides_of_an_inter_communicator() {
    let failure = star(2).run(async |comm| {
        let other = 1 - comm.rank() as i32;
        let inter = comm.alone().intercomm_create(0, Some(&comm), other, 0).await?;
        comm.sleep(f64::from(comm.rank())).await;
        match comm.rank() {
            0 => inter.bcast(8, Root::Root).await.map(drop),
            _ => inter.gather(8, Root::Rank(0)).await.map(drop),
        }
    });
    let text = failure.unwrap_err().to_string();
    assert!(text.ends_with(&format!("MPI_Gather where rank 0 called MPI_Bcast: {RULE}")), "{text}");
}

#[test]
fn an_order_that_is_the_same_is_fine_however_far_ahead_a_rank_is() {
    crate::support::run(3, async |comm| {
        if comm.rank() > 0 {
            comm.sleep(1.0).await;
        }
        for _ in 0..1000 {
            comm.bcast(8, 0).await?;
        }
        Ok(())
    });
}
