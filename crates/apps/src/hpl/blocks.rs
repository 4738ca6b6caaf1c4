//! Which process holds what: blocks dealt out in turn.

/// How many of the indices `from..from + count` process `process` of `processes` holds, when
/// blocks of `nb` are dealt out from process 0.
pub(super) fn held(
    count: usize,
    from: usize,
    nb: usize,
    process: usize,
    processes: usize,
) -> usize {
    below(from + count, nb, process, processes) - below(from, nb, process, processes)
}

/// How many of the indices below `end` a process holds.
fn below(end: usize, nb: usize, process: usize, processes: usize) -> usize {
    let (blocks, rest) = (end / nb, end % nb);
    let (rounds, extra) = (blocks / processes, blocks % processes);
    let last = match process.cmp(&extra) {
        std::cmp::Ordering::Less => nb,
        std::cmp::Ordering::Equal => rest,
        std::cmp::Ordering::Greater => 0,
    };
    rounds * nb + last
}

/// Which process holds an index.
pub(super) fn holder(index: usize, nb: usize, processes: usize) -> usize {
    index / nb % processes
}

/// `a - b` around a circle of `size`.
pub(super) fn distance(a: usize, b: usize, size: usize) -> usize {
    (a + size - b) % size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_held_by_its_holder_and_nobody_else() {
        for (count, from, nb, processes) in
            [(100, 0, 7, 3), (100, 13, 7, 4), (5, 99, 8, 2), (0, 3, 2, 5)]
        {
            for process in 0..processes {
                let counted =
                    (from..from + count).filter(|index| holder(*index, nb, processes) == process);
                assert_eq!(held(count, from, nb, process, processes), counted.count());
            }
        }
    }
}
