//! Datatypes as they lie in a file of another representation. MPI 4.1 section 14.5.
//!
//! There a predefined type may have another extent, and what counts in extents moves with it.
//! Displacements and bounds in bytes stay as they are: such datatypes are not portable.

use super::Datatype;
use super::basic::Basic;
use super::recipe::Recipe;
use crate::error::Result;

impl Datatype {
    /// This datatype with predefined types of the extents that `extent` gives, of which all bytes
    /// are data.
    pub fn represented(&self, extent: &mut impl FnMut(Basic) -> Result<i64>) -> Result<Datatype> {
        let mut recipe = match self.recipe() {
            Recipe::Named(basic) => {
                return Datatype::contiguous(extent(*basic)?, &Basic::Byte.into());
            }
            Recipe::Struct { blocks, displacements, types } => {
                let types: Result<Vec<_>> = types.iter().map(|of| of.represented(extent)).collect();
                return Datatype::structure(blocks, displacements, &types?);
            }
            recipe => recipe.clone(),
        };
        match (recipe.base(), &self.0.equivalent) {
            (Some(of), _) => {
                *of = of.represented(extent)?;
                Datatype::new(recipe)
            }
            // A Fortran type or a pair that has no name of its own stands for another one.
            (None, Some(of)) => of.represented(extent),
            (None, None) => Ok(self.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn external(of: &Datatype) -> Datatype {
        of.represented(&mut |basic| Ok(basic.external32_size() as i64)).unwrap()
    }

    #[test]
    fn counts_in_extents_move_with_them() {
        let long = Datatype::from(Basic::Long);
        let every_other = Datatype::vector(3, 1, 2, &long).unwrap();
        let there = external(&every_other);
        assert_eq!((there.size(), there.extent()), (12, 20));
        let mut runs = Vec::new();
        there.for_each_run(1, 0..12, |offset, bytes| runs.push((offset, bytes)));
        assert_eq!(runs, [(0, 4), (8, 4), (16, 4)]);
    }

    #[test]
    fn displacements_in_bytes_stay() {
        let types = [Datatype::from(Basic::Char), Datatype::from(Basic::Long)];
        let structure = Datatype::structure(&[1, 1], &[0, 8], &types).unwrap();
        let there = external(&structure);
        assert_eq!((there.size(), there.extent()), (5, 12));
        let resized = external(&Datatype::from(Basic::Long).resized(0, 24).unwrap());
        assert_eq!((resized.size(), resized.extent()), (4, 24));
    }

    #[test]
    fn pairs_lie_without_their_hole() {
        let there = external(&Basic::ShortInt.into());
        assert_eq!((there.size(), there.extent()), (6, 6));
    }
}
