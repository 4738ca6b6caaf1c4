//! The libraries whose rules come with us.

use std::rc::Rc;

use super::Rules;

/// An MPI library, or SimGrid's idea of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Library {
    /// Open MPI 4.1.
    OpenMpi4,
    /// Open MPI 5.
    OpenMpi5,
    /// MPICH 3.3.
    Mpich3,
    /// MPICH 4.
    Mpich4,
    /// MVAPICH2 2.3.
    Mvapich2,
    /// Intel MPI.
    IntelMpi,
    /// SimGrid's selector `ompi`.
    SimgridOmpi,
    /// SimGrid's selector `mpich`.
    SimgridMpich,
    /// SimGrid's selector `mvapich2`.
    SimgridMvapich2,
    /// SimGrid's selector `impi`.
    SimgridImpi,
    /// SimGrid's selector `default`.
    SimgridDefault,
}

impl Library {
    /// All libraries.
    pub const ALL: [Library; 11] = [
        Library::OpenMpi4,
        Library::OpenMpi5,
        Library::Mpich3,
        Library::Mpich4,
        Library::Mvapich2,
        Library::IntelMpi,
        Library::SimgridOmpi,
        Library::SimgridMpich,
        Library::SimgridMvapich2,
        Library::SimgridImpi,
        Library::SimgridDefault,
    ];

    /// The library of this name. `openmpi` is the newest; `ompi`, `mpich`, `mvapich2`, `impi` and
    /// `default` are what SimGrid means by them.
    pub fn named(name: &str) -> Option<Library> {
        let alias = match name {
            "openmpi" => "openmpi-5",
            "intelmpi" => "intel-mpi",
            "default" => "simgrid-default",
            "simgrid-ompi" => "ompi",
            "simgrid-mpich" => "mpich",
            "simgrid-mvapich2" => "mvapich2",
            "simgrid-impi" => "impi",
            name => name,
        };
        Self::ALL.into_iter().find(|library| library.name() == alias)
    }

    /// Its name. Those of SimGrid's selectors are SimGrid's.
    pub fn name(self) -> &'static str {
        match self {
            Library::OpenMpi4 => "openmpi-4.1",
            Library::OpenMpi5 => "openmpi-5",
            Library::Mpich3 => "mpich-3.3",
            Library::Mpich4 => "mpich-4",
            Library::Mvapich2 => "mvapich2-2.3",
            Library::IntelMpi => "intel-mpi",
            Library::SimgridOmpi => "ompi",
            Library::SimgridMpich => "mpich",
            Library::SimgridMvapich2 => "mvapich2",
            Library::SimgridImpi => "impi",
            Library::SimgridDefault => "simgrid-default",
        }
    }

    /// Its rules as a file, to be read, or changed and given to a run.
    pub fn text(self) -> &'static str {
        match self {
            Library::OpenMpi4 => include_str!("../rules/openmpi-4.1.toml"),
            Library::OpenMpi5 => include_str!("../rules/openmpi-5.toml"),
            Library::Mpich3 => include_str!("../rules/mpich-3.3.toml"),
            Library::Mpich4 => include_str!("../rules/mpich-4.toml"),
            Library::Mvapich2 => include_str!("../rules/mvapich2-2.3.toml"),
            Library::IntelMpi => include_str!("../rules/intel-mpi.toml"),
            Library::SimgridOmpi => include_str!("../rules/simgrid-ompi.toml"),
            Library::SimgridMpich => include_str!("../rules/simgrid-mpich.toml"),
            Library::SimgridMvapich2 => include_str!("../rules/simgrid-mvapich2.toml"),
            Library::SimgridImpi => include_str!("../rules/simgrid-impi.toml"),
            Library::SimgridDefault => include_str!("../rules/simgrid-default.toml"),
        }
    }

    /// Its rules.
    ///
    /// # Panics
    ///
    /// If the file that comes with us is not sound; a test reads all of them.
    pub fn rules(self) -> Rc<Rules> {
        match Rules::read(self.name(), self.text()) {
            Ok(rules) => Rc::new(rules),
            Err(mistakes) => panic!("the rules of {}: {mistakes}", self.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collective::{Call, Operation, Situation};

    #[test]
    fn the_rules_of_every_library_are_sound_and_leave_no_gap() {
        for library in Library::ALL {
            let rules = library.rules();
            assert_eq!(Library::named(rules.name()), Some(library));
            for operation in Operation::ALL.into_iter().filter(|operation| rules.has(*operation)) {
                for ranks in [1, 2, 3, 7, 16, 100, 1000, 100_000] {
                    for bytes in [0, 1, 500, 3000, 10_000, 100_000, 1 << 20, 1 << 28] {
                        let call = Call::new(operation, bytes);
                        let situation = Situation::spread(call, ranks);
                        assert!(rules.rule(&situation).is_some(), "{situation:?} of {library:?}");
                    }
                }
            }
        }
    }
}
