//! Collectives of two groups, in the text and in the compact form.

use foretell_mpi::Root;

use super::*;

/// Joins the first two ranks and the others, in another order.
async fn join(world: &Comm) -> Result<(Comm, bool)> {
    let is_low = world.rank() < 2;
    let key = if is_low { 0 } else { -(world.rank() as i32) };
    let half = world.split(Some(i32::from(is_low)), key).await?.unwrap();
    let leader = if is_low { RANKS as i32 - 1 } else { 0 };
    Ok((half.intercomm_create(0, Some(world), leader, 5).await?, is_low))
}

/// The last rank of the lower or of the upper group.
fn root(both: &Comm, is_here: bool) -> Root {
    match is_here {
        false => Root::Rank(both.remote_size().unwrap() - 1),
        true if both.rank() == both.size() - 1 => Root::Root,
        true => Root::ProcNull,
    }
}

fn counts(ranks: u32) -> Vec<u64> {
    (1..=u64::from(ranks)).map(|count| 800 * count).collect()
}

async fn in_turn(both: &Comm, root: Root, bytes: u64) -> Result<()> {
    let (own, there, op) = (both.size(), both.remote_size().unwrap(), Op::sum_f64());
    let (size, block) = (|bytes| Payload::Size(bytes), u64::from(own * there) * 4_800);
    let mine = counts(own)[both.rank() as usize];
    let total: u64 = counts(there).iter().sum();
    both.barrier().await?;
    both.bcast(size(bytes), root).await?;
    both.reduce(size(bytes), &op, root).await?;
    both.allreduce(size(bytes), &op).await?;
    both.gather(size(bytes), root).await?;
    both.scatter(size(bytes * u64::from(there)), root).await?;
    both.gatherv(size(mine), counts(there), root).await?;
    both.scatterv(size(total), counts(there), root).await?;
    both.allgather(size(80 * u64::from(own))).await?;
    both.allgatherv(size(mine), counts(there)).await?;
    both.alltoall(size(80 * u64::from(own * there))).await?;
    both.alltoallv(size(total), counts(there), vec![mine; there as usize]).await?;
    both.alltoallw(size(total), counts(there), vec![mine; there as usize]).await?;
    both.reduce_scatter(size(block), vec![block / u64::from(own); own as usize], &op).await?;
    both.reduce_scatter_block(size(block), &op).await.map(drop)
}

async fn beside(both: &Comm, root: Root, bytes: u64) -> Result<()> {
    let (own, there, op) = (both.size(), both.remote_size().unwrap(), Op::sum_f64());
    let (size, block) = (|bytes| Payload::Size(bytes), u64::from(own * there) * 4_800);
    let mine = counts(own)[both.rank() as usize];
    let total: u64 = counts(there).iter().sum();
    let mut all = vec![
        both.ibarrier().take_request(),
        both.ibcast(size(bytes), root).take_request(),
        both.ireduce(size(bytes), &op, root).take_request(),
        both.iallreduce(size(bytes), &op).take_request(),
        both.igather(size(bytes), root).take_request(),
        both.iscatter(size(bytes * u64::from(there)), root).take_request(),
        both.igatherv(size(mine), counts(there), root).take_request(),
        both.iscatterv(size(total), counts(there), root).take_request(),
        both.iallgather(size(80 * u64::from(own))).take_request(),
        both.iallgatherv(size(mine), counts(there)).take_request(),
        both.ialltoall(size(80 * u64::from(own * there))).take_request(),
        both.ialltoallv(size(total), counts(there), vec![mine; there as usize]).take_request(),
        both.ialltoallw(size(total), counts(there), vec![mine; there as usize]).take_request(),
        both.ireduce_scatter(size(block), vec![block / u64::from(own); own as usize], &op)
            .take_request(),
        both.ireduce_scatter_block(size(block), &op).take_request(),
    ];
    both.compute(1e5).await;
    both.wait_all(&mut all).await
}

/// Both ways, on the communicator and on a copy.
async fn all_kinds(world: Comm) -> Result<()> {
    let (both, is_low) = join(&world).await?;
    let copy = both.dup().await?;
    for (comm, is_from_low) in [(&both, true), (&both, false), (&copy, true)] {
        let root = root(comm, is_low == is_from_low);
        in_turn(comm, root, 4_000).await?;
        beside(comm, root, 80_000).await?;
    }
    Ok(())
}

#[test]
fn collectives_of_two_groups_take_the_same_time() {
    let folder = check(all_kinds);
    let lines = lines(&folder, 0);
    let sides = "0 inter_def 8 0:2:1 | 5:1:1 4:1:1 3:1:1 2:1:1";
    let at = lines.iter().position(|line| line.contains("inter_def")).unwrap();
    assert_eq!(lines[at], sides);
    assert_eq!(lines[at + 1..at + 4], ["0 within 8", "0 later 0", "0 barrier"]);
}

#[test]
fn the_compact_form_tells_them_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.fti");
    let recorder = Recorder::create(&path, RANKS).unwrap();
    let report = simulation().listener(recorder.clone()).run(all_kinds).unwrap();
    assert_eq!(recorder.finish().unwrap(), Recorded::default());
    let again = replayed(&path);
    let difference = (again.seconds - report.seconds).abs() / report.seconds;
    assert!(difference < 1e-9, "{} s, and {} s", report.seconds, again.seconds);
    assert_eq!(again.counters, report.counters);
    let trace = Trace::open(&path).unwrap();
    let (mut cursor, mut told) = (trace.cursor(1), Vec::new());
    while let Some(action) = cursor.next().unwrap() {
        told.push(action.to_string());
    }
    assert!(told.contains(&"bcast 4000 self 6".to_owned()), "{told:?}");
    assert!(told.contains(&"gather 4000 4000 3 6 6".to_owned()), "{told:?}");
}
