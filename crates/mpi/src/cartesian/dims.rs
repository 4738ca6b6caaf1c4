//! Balanced dimensions for a number of ranks. MPI 4.1 section 8.5.2.

use crate::error::{Error, Result};

/// `MPI_Dims_create`: replaces the zeros of `dims` so that the product is `count`.
///
/// The new ones do not increase, and the largest exceeds the smallest by as little as can be. Among
/// several such, the smallest is as large as possible, then the next, and so on, as in MPICH.
///
/// ```
/// let mut dims = [0, 0, 0];
/// foretell_mpi::dims_create(36, &mut dims)?;
/// assert_eq!(dims, [4, 3, 3]);
/// # Ok::<(), foretell_mpi::Error>(())
/// ```
pub fn dims_create(count: u32, dims: &mut [u32]) -> Result<()> {
    let fixed = dims.iter().filter(|dim| **dim > 0);
    let given = fixed.fold(1, |product: u64, dim| product.saturating_mul(u64::from(*dim)));
    let free = dims.iter().filter(|dim| **dim == 0).count();
    let refused = || Error::BadArgument(format!("{count} ranks do not fill a grid of {dims:?}"));
    if count == 0 || !u64::from(count).is_multiple_of(given) {
        return Err(refused());
    }
    let left = (u64::from(count) / given) as u32;
    let found = balanced(left, free).ok_or_else(refused)?;
    for (dim, factor) in dims.iter_mut().filter(|dim| **dim == 0).zip(found) {
        *dim = factor;
    }
    Ok(())
}

/// Factors of `count` that do not increase, as close to each other as can be.
fn balanced(count: u32, free: usize) -> Option<Vec<u32>> {
    if free == 0 {
        return (count == 1).then(Vec::new);
    }
    let divisors = divisors(count);
    let mut best: Option<Vec<u32>> = None;
    for smallest in divisors.iter().rev().filter(|factor| power(**factor, free) <= count.into()) {
        loop {
            let most = match &best {
                None => count,
                Some(best) => match best[best.len() - 1] - best[0] {
                    0 => break,
                    spread => smallest + spread - 1,
                },
            };
            let Some(found) = rising(count, free, *smallest..=*smallest, most, &divisors) else {
                break;
            };
            best = Some(found);
        }
    }
    best.map(|rising| rising.into_iter().rev().collect())
}

/// Factors of `count` that do not decrease and do not exceed `most`, the first out of a range,
/// each as large as can be.
fn rising(
    count: u32,
    free: usize,
    first: std::ops::RangeInclusive<u32>,
    most: u32,
    divisors: &[u32],
) -> Option<Vec<u32>> {
    if power(most, free) < count.into() {
        return None;
    }
    if free == 1 {
        return (first.contains(&count) && count <= most).then(|| vec![count]);
    }
    let fits = |factor: &&u32| {
        first.contains(*factor)
            && power(**factor, free) <= count.into()
            && count.is_multiple_of(**factor)
    };
    divisors.iter().rev().filter(fits).find_map(|factor| {
        let mut all = rising(count / factor, free - 1, *factor..=most, most, divisors)?;
        all.insert(0, *factor);
        Some(all)
    })
}

fn power(factor: u32, times: usize) -> u64 {
    u64::from(factor).saturating_pow(times as u32)
}

fn divisors(count: u32) -> Vec<u32> {
    let small = (1..).take_while(|d| d * d <= u64::from(count)).map(|d| d as u32);
    let mut all: Vec<u32> = small.filter(|d| count.is_multiple_of(*d)).collect();
    let large: Vec<u32> = all.iter().rev().map(|d| count / d).collect();
    all.extend(large);
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const N: usize>(count: u32, mut dims: [u32; N], expected: [u32; N]) {
        dims_create(count, &mut dims).unwrap();
        assert_eq!(dims, expected);
    }

    #[test]
    fn cubes_are_found() {
        check(64, [0; 3], [4, 4, 4]);
        check(512, [0; 3], [8, 8, 8]);
        check(4096, [0; 3], [16, 16, 16]);
        check(32768, [0; 3], [32, 32, 32]);
        check(1 << 20, [0; 2], [1024, 1024]);
    }

    #[test]
    fn otherwise_they_are_close_to_each_other() {
        check(36, [0; 3], [4, 3, 3]);
        check(6, [0; 2], [3, 2]);
        check(7, [0; 2], [7, 1]);
        check(12, [0; 4], [3, 2, 2, 1]);
        check(65536, [0; 3], [64, 32, 32]);
        check(180, [0; 2], [15, 12]);
        check(5040, [0; 4], [10, 9, 8, 7]);
        check(1, [0; 3], [1, 1, 1]);
        check(7488, [0; 3], [26, 18, 16]);
        check(5040, [0; 3], [21, 16, 15]);
        check(98_784, [0; 5], [14, 14, 9, 8, 7]);
    }

    #[test]
    fn what_is_given_stays() {
        check(6, [0, 3, 0], [2, 3, 1]);
        check(6, [3, 2], [3, 2]);
        check(24, [0, 2, 0], [4, 2, 3]);
        check(360, [0, 0, 2], [15, 12, 2]);
        check(7, [0], [7]);
        check(1, [], []);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(dims_create(7, &mut [0, 3, 0]).is_err());
        assert!(dims_create(7, &mut [7, 2]).is_err());
        assert!(dims_create(0, &mut [0]).is_err());
        assert!(dims_create(2, &mut []).is_err());
        assert!(dims_create(4, &mut [u32::MAX; 4]).is_err());
    }
}
