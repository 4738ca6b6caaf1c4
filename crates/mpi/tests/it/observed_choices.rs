//! Our rules choose what real libraries were seen to choose: `cargo xtask choices` observes.

use foretell_mpi::{Choice, CollectiveCall, Library, Operation, Situation};

const OPEN_MPI: &str = include_str!("../../../../tests/collectives/choices-openmpi-4.1.4.csv");
const MPICH: &str = include_str!("../../../../tests/collectives/choices-mpich-4.0.2.csv");

/// A call that was observed, each rank on a node of its own, and what the library entered.
struct Point<'a> {
    situation: Situation,
    segment: Option<u64>,
    fan: Option<u32>,
    ours: &'a str,
}

impl<'a> Point<'a> {
    fn read(line: &'a str) -> Point<'a> {
        let cells: Vec<_> = line.split(',').collect();
        let [operation, ranks, bytes, commutes, _, segment, fan, ours] = cells[..] else {
            panic!("{line}");
        };
        let operation = Operation::named(operation).expect("an operation");
        let is_commutative = commutes == "1";
        // Nobody knows the blocks of all ranks in an alltoallv.
        let knows_bytes = operation != Operation::Alltoallv;
        let call = CollectiveCall {
            element: 4,
            is_commutative,
            is_predefined: is_commutative,
            ..CollectiveCall::new(operation, bytes.parse().expect("a number of bytes"))
        };
        let call = if knows_bytes { call } else { CollectiveCall { bytes: 0, ..call } };
        let situation = Situation::spread(call, ranks.parse().expect("a number of ranks"));
        Point { situation, segment: segment.parse().ok(), fan: fan.parse().ok(), ours }
    }

    /// Whether a choice is the one that was observed. Parameters count where the choice has one:
    /// Open MPI also hands some to algorithms that do not heed them.
    fn is_met_by(&self, choice: &Choice) -> bool {
        // A fan-out of 0 is one chain.
        let fan = match choice.algorithm {
            "ompi_chain" => self.fan.map(|fan| fan.max(1)),
            _ => self.fan,
        };
        let agree = choice.segment.is_none_or(|own| self.segment.is_none_or(|seen| own == seen))
            && choice.radix.is_none_or(|own| fan.is_none_or(|seen| own == seen));
        choice.algorithm == self.ours && agree
    }
}

fn check(library: Library, observed: &str) {
    let rules = library.rules();
    let mut operations = std::collections::BTreeSet::new();
    let mut count = 0;
    let mut differences = Vec::new();
    for line in observed.lines().skip(1) {
        let point = Point::read(line);
        let choice = rules.choice(&point.situation);
        if !point.is_met_by(&choice) {
            differences.push(format!("{line}: {choice}"));
        }
        operations.insert(point.situation.call.operation);
        count += 1;
    }
    assert!(
        differences.is_empty(),
        "{} of {count}:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(count >= 1000 && operations.len() == 14, "{count} points of {operations:?}");
}

#[test]
fn open_mpi_chooses_what_our_rules_say() {
    check(Library::OpenMpi4, OPEN_MPI);
}

#[test]
fn mpich_chooses_what_our_rules_say() {
    check(Library::Mpich4, MPICH);
}
