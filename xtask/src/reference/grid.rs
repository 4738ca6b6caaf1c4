//! The process grid that SMPI gives a 3-D halo exchange.
//!
//! SimGrid 3.32's `MPI_Dims_create` looks for odd divisors strictly below the square root of what
//! is left, so that the square of an odd prime counts as one factor: 144 ranks become 9 x 4 x 4,
//! where MPI asks for sides as equal as possible, 6 x 6 x 4. To compare networks and not grids,
//! the reference runs of the stencil are given SMPI's grid.

/// Three sides, largest first.
pub(crate) fn smpi_grid(ranks: u32) -> [u32; 3] {
    let mut factors = factors(ranks);
    factors.sort_unstable_by(|a, b| b.cmp(a));
    let mut sides = [1; 3];
    for factor in factors {
        let smallest = (0..3).min_by_key(|i| sides[*i]).unwrap_or(0);
        sides[smallest] *= factor;
    }
    sides.sort_unstable_by(|a, b| b.cmp(a));
    sides
}

fn factors(ranks: u32) -> Vec<u32> {
    let mut found = vec![2; ranks.trailing_zeros() as usize];
    let mut rest = ranks >> ranks.trailing_zeros();
    let mut divisor = 3;
    while divisor * divisor < rest {
        while rest.is_multiple_of(divisor) {
            found.push(divisor);
            rest /= divisor;
        }
        divisor += 2;
    }
    found.extend((rest != 1).then_some(rest));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What SimGrid 3.32 printed.
    #[test]
    fn grids_are_those_of_smpi() {
        for (ranks, grid) in [
            (64, [4, 4, 4]),
            (144, [9, 4, 4]),
            (36, [9, 2, 2]),
            (27, [3, 3, 3]),
            (100, [25, 2, 2]),
            (75, [25, 3, 1]),
            (512, [8, 8, 8]),
            (7, [7, 1, 1]),
            (1, [1, 1, 1]),
        ] {
            assert_eq!(smpi_grid(ranks), grid, "{ranks} ranks");
        }
    }
}
