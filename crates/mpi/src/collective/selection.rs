//! Which algorithm a collective operation runs.

use super::Operation;

/// Algorithms chosen by name; operations not named run their default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// For each operation, the place of its algorithm among those there are.
    chosen: [u8; Operation::ALL.len()],
}

impl Selection {
    /// Chooses an algorithm; on failure says which there are.
    pub fn choose(&mut self, operation: Operation, algorithm: &str) -> Result<(), String> {
        let is_default = algorithm == "default";
        let known = operation.algorithms().iter().position(|name| *name == algorithm);
        match known.or(is_default.then_some(0)) {
            Some(place) => {
                self.chosen[operation as usize] = place as u8;
                Ok(())
            }
            None => Err(format!(
                "{} has no algorithm '{algorithm}'; there are: {}",
                operation.name(),
                operation.algorithms().join(", ")
            )),
        }
    }

    /// The algorithm of an operation.
    pub fn algorithm(&self, operation: Operation) -> &'static str {
        operation.algorithms()[self.chosen[operation as usize] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_chosen_runs_its_default() {
        let mut selection = Selection::default();
        selection.choose(Operation::Alltoall, "bruck").unwrap();
        assert_eq!(selection.algorithm(Operation::Alltoall), "bruck");
        assert_eq!(selection.algorithm(Operation::Barrier), "default");
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_there_are() {
        let message = Selection::default().choose(Operation::Gather, "bruck").unwrap_err();
        let expected =
            "gather has no algorithm 'bruck'; there are: ompi_binomial, ompi_basic_linear";
        assert_eq!(message, expected);
    }
}
