//! Collectives on inter-communicators bring each group the data of the other.

use foretell_mpi::{Comm, Op, Payload, Result, Root};
use proptest::prelude::*;

use crate::support::{bytes, data, matrices, run, sums};

#[derive(Debug, Clone, Copy)]
enum Form {
    Blocking,
    NonBlocking,
}

/// Calls a collective in one form or the other.
macro_rules! call {
    ($form:expr, $comm:ident, $blocking:ident / $later:ident ($($argument:expr),*)) => {
        match $form {
            Form::Blocking => $comm.$blocking($($argument),*).await?,
            Form::NonBlocking => {
                let pending = $comm.$later($($argument),*);
                $comm.complete(pending).await?
            }
        }
    };
}

/// A rank of two groups, and who the others are.
struct Side {
    inter: Comm,
    form: Form,
    /// Tells the payloads of the two groups apart.
    own: u32,
    other: u32,
}

impl Side {
    fn rank(&self) -> u32 {
        self.inter.rank()
    }

    fn remote(&self) -> u32 {
        self.inter.remote_size().expect("it is an inter-communicator")
    }

    /// What this rank has.
    fn mine(&self, count: u64) -> Payload {
        data(self.own + self.rank(), count)
    }

    /// What the remote ranks have, one behind the other.
    fn theirs(&self, count: impl Fn(u32) -> u64) -> Vec<u8> {
        (0..self.remote()).flat_map(|rank| bytes(self.other + rank, count(rank))).collect()
    }

    /// The payloads of the remote ranks, combined in rank order.
    fn combined(&self, op: &Op, count: u64) -> Payload {
        let parts = (0..self.remote()).map(|rank| data(self.other + rank, count));
        let combine = |left: Payload, mut right: Payload| {
            op.apply(&left, &mut right);
            right
        };
        parts.reduce(combine).expect("there is a remote rank")
    }

    /// How this rank names a root that is this rank of the left or of the right group.
    fn root(&self, is_left: bool, rank: u32) -> Root {
        match (is_left == (self.own == 0), self.rank() == rank) {
            (true, true) => Root::Root,
            (true, false) => Root::ProcNull,
            (false, _) => Root::Rank(rank),
        }
    }

    /// All roots of both groups, as this rank names them.
    fn roots(&self) -> Vec<Root> {
        let (own, remote) = (self.inter.size(), self.remote());
        let (left, right) = if self.own == 0 { (own, remote) } else { (remote, own) };
        let lefts = (0..left).map(|rank| self.root(true, rank));
        lefts.chain((0..right).map(|rank| self.root(false, rank))).collect()
    }
}

fn check<F>(program: F)
where
    F: AsyncFn(&Side) -> Result<()> + Clone + 'static,
{
    for (left, right) in [(1, 1), (1, 2), (3, 1), (2, 3), (4, 4), (7, 1), (3, 5), (8, 7)] {
        for form in [Form::Blocking, Form::NonBlocking] {
            let program = program.clone();
            run(left + right, async move |world| {
                let is_right = world.rank() >= left;
                let half = world.split(Some(is_right as i32), 0).await?.expect("each has a half");
                let remote = if is_right { 0 } else { left as i32 };
                let inter = half.intercomm_create(0, Some(&world), remote, 0).await?;
                let (own, other) = if is_right { (100, 0) } else { (0, 100) };
                program(&Side { inter, form, own, other }).await
            });
        }
    }
}

#[test]
fn bcast_goes_from_the_root_to_the_other_group() {
    check(async |side| {
        let inter = &side.inter;
        for root in side.roots() {
            for count in [0, 9] {
                let mine = if root == Root::Root { data(7, count) } else { count.into() };
                let got = call!(side.form, inter, bcast / ibcast(mine.clone(), root));
                match root {
                    Root::Rank(_) => assert_eq!(got.bytes(), bytes(7, count)),
                    _ => assert_eq!(got, mine),
                }
            }
        }
        Ok(())
    });
}

#[test]
fn reduce_brings_the_other_group_to_the_root() {
    check(async |side| {
        let inter = &side.inter;
        for op in [matrices(), sums()] {
            for root in side.roots() {
                for count in [0, 8] {
                    let mine = side.mine(count);
                    let got = call!(side.form, inter, reduce / ireduce(mine, &op, root));
                    let expected = (root == Root::Root).then(|| side.combined(&op, count));
                    assert_eq!(got, expected);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn gathers_bring_the_other_group_to_the_root() {
    check(async |side| {
        let inter = &side.inter;
        let count = |rank: u32| u64::from(rank * 5 % 7);
        let counts: Vec<u64> = (0..side.remote()).map(count).collect();
        for root in side.roots() {
            let is_root = root == Root::Root;
            let got = call!(side.form, inter, gather / igather(side.mine(3), root));
            assert_eq!(got, is_root.then(|| side.theirs(|_| 3).into()));
            // Only the root knows the counts.
            let known = if is_root { counts.clone() } else { Vec::new() };
            let mine = side.mine(count(side.rank()));
            let got = call!(side.form, inter, gatherv / igatherv(mine, &known, root));
            assert_eq!(got.map(|got| got.bytes().to_vec()), is_root.then(|| side.theirs(count)));
        }
        Ok(())
    });
}

#[test]
fn scatters_share_what_the_root_has_in_the_other_group() {
    check(async |side| {
        let inter = &side.inter;
        let count = |rank: u32| u64::from(rank * 5 % 7);
        let counts: Vec<u64> = (0..side.remote()).map(count).collect();
        for root in side.roots() {
            let (is_root, is_far) = (root == Root::Root, matches!(root, Root::Rank(_)));
            let whole = |sized: &dyn Fn(u32) -> u64| -> Payload {
                let parts = (0..side.remote()).flat_map(|rank| bytes(rank, sized(rank)));
                if is_root { parts.collect::<Vec<u8>>().into() } else { Payload::Size(0) }
            };
            let got = call!(side.form, inter, scatter / iscatter(whole(&|_| 3), root));
            assert_eq!(got.bytes(), if is_far { bytes(side.rank(), 3) } else { Vec::new() });
            let known = if is_root { counts.clone() } else { Vec::new() };
            let got = call!(side.form, inter, scatterv / iscatterv(whole(&count), &known, root));
            let expected = if is_far { bytes(side.rank(), count(side.rank())) } else { Vec::new() };
            assert_eq!(got.bytes(), expected);
        }
        Ok(())
    });
}

#[test]
fn allgathers_bring_each_group_to_the_other() {
    check(async |side| {
        let inter = &side.inter;
        // The two groups may have blocks of different size, even none.
        for sizes in [(3, 5), (0, 2), (0, 0)] {
            let (own, other) = if side.own == 0 { sizes } else { (sizes.1, sizes.0) };
            let got = call!(side.form, inter, allgather / iallgather(side.mine(own)));
            assert_eq!(got.bytes(), side.theirs(|_| other));
        }
        let count = |rank: u32| u64::from(rank * 5 % 7);
        let counts: Vec<u64> = (0..side.remote()).map(count).collect();
        let mine = side.mine(count(side.rank()));
        let got = call!(side.form, inter, allgatherv / iallgatherv(mine, &counts));
        assert_eq!(got.bytes(), side.theirs(count));
        Ok(())
    });
}

#[test]
fn alltoalls_go_to_each_rank_of_the_other_group() {
    check(async |side| {
        let inter = &side.inter;
        let pair = |from: u32, to: u32, count: u64| bytes(from * 16 + to, count);
        let (rank, remote) = (side.rank(), side.remote());
        let mine: Vec<u8> = (0..remote).flat_map(|to| pair(side.own + rank, to, 3)).collect();
        let got = call!(side.form, inter, alltoall / ialltoall(mine));
        let theirs: Vec<u8> =
            (0..remote).flat_map(|from| pair(side.other + from, rank, 3)).collect();
        assert_eq!(got.bytes(), theirs);

        let count = |from: u32, to: u32| u64::from((from * 3 + to * 5) % 7);
        let block = |from: u32, to: u32| pair(from, to, count(from, to));
        let send: Vec<u64> = (0..remote).map(|to| count(side.own + rank, to)).collect();
        let receive: Vec<u64> = (0..remote).map(|from| count(side.other + from, rank)).collect();
        let mine: Vec<u8> = (0..remote).flat_map(|to| block(side.own + rank, to)).collect();
        let theirs: Vec<u8> = (0..remote).flat_map(|from| block(side.other + from, rank)).collect();
        let got = call!(side.form, inter, alltoallv / ialltoallv(mine.clone(), &send, &receive));
        assert_eq!(got.bytes(), theirs);
        let got = call!(side.form, inter, alltoallw / ialltoallw(mine, &send, &receive));
        assert_eq!(got.bytes(), theirs);
        Ok(())
    });
}

#[test]
fn allreduce_and_its_parts_combine_the_other_group_in_rank_order() {
    check(async |side| {
        let inter = &side.inter;
        let (rank, size) = (side.rank(), side.inter.size());
        for op in [matrices(), sums()] {
            for count in [0, 8] {
                let got = call!(side.form, inter, allreduce / iallreduce(side.mine(count), &op));
                assert_eq!(got, side.combined(&op, count));
            }
            // As many bytes as both groups can share evenly.
            let total = 4 * u64::from(size * side.remote());
            let whole = side.combined(&op, total);
            let mine = side.mine(total);
            let got =
                call!(side.form, inter, reduce_scatter_block / ireduce_scatter_block(mine, &op));
            let block = total / u64::from(size);
            let start = block * u64::from(rank);
            assert_eq!(got.bytes(), whole.slice(start, start + block).bytes());
            // All to the last rank but 4 bytes for the first.
            let mut counts = vec![0; size as usize];
            *counts.last_mut().unwrap() = total - 4;
            counts[0] += 4;
            let mine = side.mine(total);
            let got = call!(side.form, inter, reduce_scatter / ireduce_scatter(mine, &counts, &op));
            let start = counts[..rank as usize].iter().sum();
            let end = start + counts[rank as usize];
            assert_eq!(got.bytes(), whole.slice(start, end).bytes());
        }
        Ok(())
    });
}

#[test]
fn nobody_leaves_a_barrier_before_all_have_come() {
    check(async |side| {
        let inter = &side.inter;
        let (rank, start) = (side.rank() + side.own / 10, inter.now().ceil());
        inter.sleep(start - inter.now() + f64::from(rank * 7 % 5)).await;
        let theirs = (0..side.remote()).map(|rank| (rank + side.other / 10) * 7 % 5).max();
        call!(side.form, inter, barrier / ibarrier());
        assert!(inter.now() >= start + f64::from(theirs.unwrap()));
        Ok(())
    });
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// Any collectives of both groups, several at once, waited for in any order.
    #[test]
    fn several_at_once_do_not_mix(
        left in 1u32..5,
        right in 1u32..5,
        choices in prop::collection::vec(0u32..4, 1..7),
        turn in 0usize..7,
    ) {
        run(left + right, async move |world| {
            let is_right = world.rank() >= left;
            let half = world.split(Some(is_right as i32), 0).await?.expect("each has a half");
            let remote = if is_right { 0 } else { left as i32 };
            let inter = half.intercomm_create(0, Some(&world), remote, 0).await?;
            let (own, other) = if is_right { (100, 0) } else { (0, 100) };
            let side = Side { inter: inter.clone(), form: Form::NonBlocking, own, other };
            let mut pending = Vec::new();
            for (at, choice) in choices.iter().enumerate() {
                let count = at as u64 + 1;
                pending.push(match choice {
                    0 => (inter.iallgather(side.mine(count)), side.theirs(|_| count)),
                    1 => {
                        let whole = side.combined(&sums(), count);
                        (inter.iallreduce(side.mine(count), &sums()), whole.bytes().to_vec())
                    }
                    2 => {
                        let counts = vec![count; side.remote() as usize];
                        (inter.iallgatherv(side.mine(count), counts), side.theirs(|_| count))
                    }
                    _ => {
                        let root = side.root(true, 0);
                        let given = if root == Root::Root { data(1, count) } else { count.into() };
                        let is_far = matches!(root, Root::Rank(_));
                        let expected =
                            if is_far { bytes(1, count) } else { given.bytes().to_vec() };
                        (inter.ibcast(given, root), expected)
                    }
                });
            }
            let turn = turn % pending.len();
            pending.rotate_left(turn);
            for (pending, expected) in pending {
                assert_eq!(inter.complete(pending).await?.bytes(), expected);
            }
            Ok(())
        });
    }
}
