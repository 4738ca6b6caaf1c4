//! The kernels that skeletons and libraries call by name.

use super::polynomial::{Monomial, Polynomial};

/// The most dimensions that a kernel has.
pub const MOST_DIMENSIONS: usize = 3;

/// A kernel by its number: the known ones first, then those of the user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelId(pub u16);

/// A kernel that is known without a file.
pub(super) struct Known {
    pub(super) name: &'static str,
    /// The letters of its dimensions, in the order of a call.
    pub(super) dimensions: &'static str,
    /// Floating-point operations of a call.
    flops: &'static [(f64, Monomial)],
    /// The kernel whose model counts where there is none of its own.
    pub(super) instead: Option<KernelId>,
}

impl Known {
    /// Operations of a call.
    pub(super) fn operations(&self) -> Polynomial {
        Polynomial::new(self.flops.iter().copied())
    }
}

macro_rules! known {
    ($($id:ident $name:literal $dimensions:literal [$($flops:expr),*] $instead:expr, $doc:literal;)*) => {
        /// All of them, by number.
        pub(super) const KNOWN: &[Known] = &[$(Known {
            name: $name, dimensions: $dimensions, flops: &[$($flops),*], instead: $instead,
        }),*];

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Number { $($id),* }

        impl KernelId {
            $(#[doc = $doc] pub const $id: KernelId = KernelId(Number::$id as u16);)*
        }
    };
}

known! {
    DGEMM "dgemm" "mnk" [(2.0, [1, 1, 1])] None, "`C += A B`: `m x n` from `m x k` and `k x n`.";
    DTRSM "dtrsm" "mn" [(1.0, [2, 1, 0])] None, "A triangle of order `m` solved for `n` right-hand sides.";
    DTRSV "dtrsv" "n" [(1.0, [2, 0, 0])] None, "A triangle of order `n` solved for one.";
    DGEMV "dgemv" "mn" [(2.0, [1, 1, 0])] None, "A matrix `m x n` times a vector.";
    DGER "dger" "mn" [(2.0, [1, 1, 0])] None, "A rank-one update of a matrix `m x n`.";
    DAXPY "daxpy" "n" [(2.0, [1, 0, 0])] None, "`y += a x`.";
    DSCAL "dscal" "n" [(1.0, [1, 0, 0])] None, "`x *= a`.";
    IDAMAX "idamax" "n" [(1.0, [1, 0, 0])] None, "The place of the largest element.";
    DCOPY "dcopy" "n" [] None, "A copy of a vector.";
    DSWAP "dswap" "n" [] None, "Two vectors exchanged.";
    DLACPY "dlacpy" "mn" [] None, "A copy of a matrix.";
    DLATCPY "dlatcpy" "mn" [] None, "A copy of a matrix, transposed.";
    DLASWP "dlaswp" "mn" [] None, "`m` rows of `n` elements moved; stands in for the next nine.";
    DLASWP00 "dlaswp00" "mn" [] Some(KernelId::DLASWP), "Rows exchanged in place.";
    DLASWP01 "dlaswp01" "mn" [] Some(KernelId::DLASWP), "Rows copied out of the matrix, others moved within it.";
    DLASWP02 "dlaswp02" "mn" [] Some(KernelId::DLASWP), "Rows packed for their way.";
    DLASWP03 "dlaswp03" "mn" [] Some(KernelId::DLASWP), "Rows that came put in their places.";
    DLASWP04 "dlaswp04" "mn" [] Some(KernelId::DLASWP), "Rows that came put in their places, others into the matrix.";
    DLASWP05 "dlaswp05" "mn" [] Some(KernelId::DLASWP), "Rows put into the matrix.";
    DLASWP06 "dlaswp06" "mn" [] Some(KernelId::DLASWP), "Rows exchanged with those of the matrix.";
    DLASWP10 "dlaswp10" "mn" [] Some(KernelId::DLASWP), "Columns exchanged in place.";
    LULESH_FORCE "lulesh_force" "n" [(1857.0, [1, 0, 0])] None, "Forces of `n` elements of LULESH on their nodes.";
    LULESH_MOTION "lulesh_motion" "n" [(15.0, [1, 0, 0])] None, "Accelerations, velocities and positions of `n` nodes.";
    LULESH_GRADIENTS "lulesh_gradients" "n" [(863.0, [1, 0, 0])] None, "Volumes and gradients of velocities of `n` elements.";
    LULESH_MATERIAL "lulesh_material" "n" [(600.0, [1, 0, 0])] None, "Viscosity and state of `n` elements, with the default regions.";
    NAS_EP "nas_ep" "n" [(30.0, [1, 0, 0])] None, "`n` random numbers of NAS EP, made Gaussian in pairs.";
    NAS_CG_MATRIX "nas_cg_matrix" "n" [(1.0, [1, 0, 0])] None, "`n` operations of NAS CG on its matrix.";
    NAS_CG_VECTOR "nas_cg_vector" "n" [(1.0, [1, 0, 0])] None, "`n` operations of NAS CG on vectors.";
    NAS_LU_LOWER "nas_lu_lower" "n" [(1.0, [1, 0, 0])] None, "`n` operations of NAS LU on the lower triangle.";
    NAS_LU_UPPER "nas_lu_upper" "n" [(1.0, [1, 0, 0])] None, "`n` operations of NAS LU on the upper triangle.";
    NAS_LU_RHS "nas_lu_rhs" "n" [(1.0, [1, 0, 0])] None, "`n` operations of NAS LU for its right-hand sides.";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lead_to_names() {
        let name = |id: KernelId| KNOWN[usize::from(id.0)].name;
        assert_eq!(name(KernelId::DGEMM), "dgemm");
        assert_eq!(name(KernelId::IDAMAX), "idamax");
        assert_eq!(name(KernelId::DLASWP10), "dlaswp10");
        assert!(KNOWN.iter().all(|known| known.dimensions.len() <= MOST_DIMENSIONS));
    }
}
