//! Balanced dimensions for a number of ranks. MPI 4.1 section 8.5.2.

use crate::error::{Error, Result};

/// `MPI_Dims_create`: replaces the zeros of `dims` so that the product is `count`.
///
/// The new ones are as close to each other as can be and do not increase: the largest is as small
/// as possible, then the next, and so on.
///
/// ```
/// let mut dims = [0, 0, 0];
/// foretell_mpi::dims_create(36, &mut dims)?;
/// assert_eq!(dims, [4, 3, 3]);
/// # Ok::<(), foretell_mpi::Error>(())
/// ```
pub fn dims_create(count: u32, dims: &mut [u32]) -> Result<()> {
    let given: u64 = dims.iter().filter(|dim| **dim > 0).map(|dim| u64::from(*dim)).product();
    let free = dims.iter().filter(|dim| **dim == 0).count();
    let refused = || Error::BadArgument(format!("{count} ranks do not fill a grid of {dims:?}"));
    if count == 0 || !u64::from(count).is_multiple_of(given) {
        return Err(refused());
    }
    let left = (u64::from(count) / given) as u32;
    let divisors: Vec<u32> = divisors(left);
    let found = factors(left, free, left, &divisors).ok_or_else(refused)?;
    for (dim, factor) in dims.iter_mut().filter(|dim| **dim == 0).zip(found) {
        *dim = factor;
    }
    Ok(())
}

/// Factors of `count` that do not increase and do not exceed `most`, the first as small as can be.
fn factors(count: u32, free: usize, most: u32, divisors: &[u32]) -> Option<Vec<u32>> {
    if free == 0 {
        return (count == 1).then(Vec::new);
    }
    divisors
        .iter()
        .filter(|factor| **factor <= most && count.is_multiple_of(**factor))
        .filter(|factor| u64::from(**factor).saturating_pow(free as u32) >= u64::from(count))
        .find_map(|factor| {
            let mut all = factors(count / factor, free - 1, *factor, divisors)?;
            all.insert(0, *factor);
            Some(all)
        })
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
    fn otherwise_the_largest_is_small() {
        check(36, [0; 3], [4, 3, 3]);
        check(6, [0; 2], [3, 2]);
        check(7, [0; 2], [7, 1]);
        check(12, [0; 4], [3, 2, 2, 1]);
        check(65536, [0; 3], [64, 32, 32]);
        check(1, [0; 3], [1, 1, 1]);
    }

    #[test]
    fn what_is_given_stays() {
        check(6, [0, 3, 0], [2, 3, 1]);
        check(6, [3, 2], [3, 2]);
        check(24, [0, 2, 0], [4, 2, 3]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        assert!(dims_create(7, &mut [0, 3, 0]).is_err());
        assert!(dims_create(7, &mut [7, 2]).is_err());
        assert!(dims_create(0, &mut [0]).is_err());
        assert!(dims_create(2, &mut []).is_err());
    }
}
