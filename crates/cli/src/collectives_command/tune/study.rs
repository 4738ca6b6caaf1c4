//! What a study runs, and what it found: operations, points, algorithms.

use foretell_apps::Which;
use foretell_mpi::{Choice, CollectiveCall, Library, Operation, Rules, Standing};
use foretell_platform::HostId;

/// Times that differ by less than this share are the same.
const SAME: f64 = 1e-9;

/// An operation at all its points.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Table {
    pub(crate) which: Which,
    /// By ranks, then by bytes.
    pub(crate) points: Vec<Point>,
}

/// So many ranks and bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Point {
    pub(crate) ranks: u32,
    /// Of one block where there are blocks, else of the vector.
    pub(crate) bytes: u64,
    /// First all algorithms by name, then what libraries choose with parameters of their own.
    pub(crate) entries: Vec<Entry>,
    /// The entry that each library chooses, in the order of [`Library::ALL`].
    pub(crate) chosen: Vec<usize>,
}

/// An algorithm at a point.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) choice: Choice,
    /// Why another runs in its place, if one does.
    pub(crate) gives_way: Option<&'static str>,
    pub(crate) outcome: Outcome,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// It was not simulated.
    NotRun,
    /// Simulated seconds.
    Took(f64),
    /// Its simulation took longer than allowed.
    TooLong,
    /// Its simulation failed.
    Failed(String),
}

impl Table {
    /// The points of an operation, with nothing run yet.
    pub(crate) fn new(
        which: Which,
        ranks: &[u32],
        bytes: &[u64],
        libraries: &[std::rc::Rc<Rules>],
        hosts: impl Fn(u32) -> Vec<HostId>,
    ) -> Self {
        let sizes: &[u64] = if which == Which::Barrier { &[0] } else { bytes };
        let points = ranks.iter().flat_map(|ranks| {
            let hosts = hosts(*ranks);
            let point = move |bytes: &u64| {
                let standing = Standing::on(call(which, *ranks, *bytes), &hosts);
                Point::new(*ranks, *bytes, &standing, libraries)
            };
            sizes.iter().map(point).collect::<Vec<Point>>()
        });
        Self { which, points: points.collect() }
    }

    pub(crate) fn operation(&self) -> Operation {
        self.which.operation()
    }

    /// The sizes that were compared, in order.
    pub(crate) fn sizes(&self) -> Vec<u64> {
        let mut sizes: Vec<u64> = self.points.iter().map(|point| point.bytes).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The different numbers of ranks.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut ranks: Vec<u32> = self.points.iter().map(|point| point.ranks).collect();
        ranks.dedup();
        ranks
    }

    /// The points with so many ranks.
    pub(crate) fn with_ranks(&self, ranks: u32) -> impl Iterator<Item = &Point> + Clone {
        self.points.iter().filter(move |point| point.ranks == ranks)
    }

    /// Every choice that is an entry somewhere, each once.
    pub(crate) fn choices(&self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = Vec::new();
        for entry in self.points.iter().flat_map(|point| &point.entries) {
            if !choices.contains(&entry.choice) {
                choices.push(entry.choice);
            }
        }
        choices
    }
}

impl Point {
    fn new(ranks: u32, bytes: u64, standing: &Standing, libraries: &[std::rc::Rc<Rules>]) -> Self {
        let operation = standing.situation.call.operation;
        let names = operation.algorithms();
        let entry = |choice: Choice| {
            // What is told parameters decides by those.
            let is_plain = choice == Choice::named(choice.algorithm);
            let gives_way = standing.hindrance(choice.algorithm).filter(|_| is_plain);
            Entry { choice, gives_way, outcome: Outcome::NotRun }
        };
        let mut entries: Vec<Entry> = names.iter().map(|name| entry(Choice::named(name))).collect();
        let chosen = libraries.iter().map(|rules| {
            let choice = simplest(operation, rules.choice(&standing.situation));
            let place = entries.iter().position(|entry| entry.choice == choice);
            place.unwrap_or_else(|| {
                entries.push(entry(choice));
                entries.len() - 1
            })
        });
        let chosen = chosen.collect();
        Self { ranks, bytes, entries, chosen }
    }

    /// Whether an entry has to be simulated: what gives way does so only for libraries.
    pub(crate) fn is_run(&self, entry: usize) -> bool {
        self.entries[entry].gives_way.is_none() || self.chosen.contains(&entry)
    }

    /// The entry that took least; of several the first.
    pub(crate) fn best(&self) -> Option<(&Entry, f64)> {
        let mut best: Option<(&Entry, f64)> = None;
        for (entry, time) in self.candidates() {
            if best.is_none_or(|(_, least)| time < least * (1.0 - SAME)) {
                best = Some((entry, time));
            }
        }
        best
    }

    /// The best of those that took longer than the best.
    pub(crate) fn second(&self) -> Option<(&Entry, f64)> {
        let (_, best) = self.best()?;
        let later = self.candidates().filter(|(_, time)| *time > best * (1.0 + SAME));
        later.min_by(|one, other| one.1.total_cmp(&other.1))
    }

    fn candidates(&self) -> impl Iterator<Item = (&Entry, f64)> {
        let own = self.entries.iter().filter(|entry| entry.gives_way.is_none());
        own.filter_map(|entry| entry.seconds().map(|time| (entry, time)))
    }

    /// The time of what a library chooses.
    pub(crate) fn of_library(&self, library: usize) -> Option<(&Entry, f64)> {
        let entry = &self.entries[self.chosen[library]];
        entry.seconds().map(|time| (entry, time))
    }

    /// How much longer than the best, as a share of it.
    pub(crate) fn over_best(&self, time: f64) -> f64 {
        match self.best() {
            Some((_, best)) if best > 0.0 => time / best - 1.0,
            _ => 0.0,
        }
    }
}

impl Entry {
    /// Simulated seconds, if it was run to its end.
    pub(crate) fn seconds(&self) -> Option<f64> {
        match self.outcome {
            Outcome::Took(seconds) => Some(seconds),
            _ => None,
        }
    }

    /// Why it has no time of its own, if it has none.
    pub(crate) fn reason(&self) -> Option<&str> {
        match (&self.gives_way, &self.outcome) {
            (Some(reason), _) => Some(reason),
            (None, Outcome::TooLong) => Some("its simulation took too long"),
            (None, Outcome::Failed(message)) => Some(message),
            (None, _) => None,
        }
    }
}

/// How far a library's choices are from the best.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Distance<'a> {
    pub(crate) library: Library,
    /// Mean over the points, as a share of the best.
    pub(crate) mean: f64,
    /// Where it is furthest, and what is chosen there.
    pub(crate) worst: f64,
    pub(crate) at: &'a Point,
    pub(crate) choice: Choice,
}

/// How far each library is from the best, over the points where its choice has a time.
pub(crate) fn distances(table: &Table) -> Vec<Distance<'_>> {
    let of = |(place, library): (usize, Library)| {
        let known = |point: &'_ Point| point.of_library(place).is_some();
        let points: Vec<&Point> = table.points.iter().filter(|point| known(point)).collect();
        let over =
            |point: &Point| point.of_library(place).map_or(0.0, |(_, time)| point.over_best(time));
        let mut at = *points.first()?;
        for point in &points {
            if over(point) > over(at) {
                at = point;
            }
        }
        let mean = points.iter().map(|point| over(point)).sum::<f64>() / points.len() as f64;
        let choice = at.entries[at.chosen[place]].choice;
        Some(Distance { library, mean, worst: over(at), at, choice })
    };
    Library::ALL.into_iter().enumerate().filter_map(of).collect()
}

/// The same choice without what makes no difference, lest it is simulated twice.
fn simplest(operation: Operation, choice: Choice) -> Choice {
    // Nodes are known from the start.
    let choice = Choice { meet: false, ..choice };
    match (operation, choice.radix) {
        // What these take if they are told nothing.
        (Operation::Alltoall | Operation::Alltoallv, Some(4)) => Choice { radix: None, ..choice },
        _ => choice,
    }
}

/// What MPI is asked for at a point, as the rules of libraries see it.
pub(crate) fn call(which: Which, ranks: u32, bytes: u64) -> CollectiveCall {
    let operation = which.operation();
    match which {
        Which::Barrier => CollectiveCall::new(operation, 0),
        // Ranks do not know of each other's blocks.
        Which::Alltoallv | Which::Alltoallw => {
            CollectiveCall { is_even: false, ..CollectiveCall::new(operation, 0) }
        }
        Which::ReduceScatter | Which::ReduceScatterBlock => {
            let bytes = bytes * u64::from(ranks);
            CollectiveCall { element: 8, ..CollectiveCall::new(operation, bytes) }
        }
        Which::Reduce | Which::Allreduce | Which::Scan | Which::Exscan => {
            CollectiveCall { element: 8, ..CollectiveCall::new(operation, bytes) }
        }
        _ => CollectiveCall::new(operation, bytes),
    }
}

/// The operations that have a choice of algorithms, in MPI's order.
pub(crate) fn tunable() -> Vec<Which> {
    use clap::ValueEnum;
    let all = Operation::ALL.into_iter();
    let which = all.filter_map(|operation| {
        Which::value_variants().iter().find(|which| which.operation() == operation).copied()
    });
    which.filter(|which| which.operation().algorithms().len() > 1).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A table of an operation on hosts of one rank each, with times by algorithm, ranks, bytes.
    pub(crate) fn table(
        which: Which,
        ranks: &[u32],
        bytes: &[u64],
        time: impl Fn(&str, u32, u64) -> Option<f64>,
    ) -> Table {
        let libraries: Vec<_> = Library::ALL.into_iter().map(Library::rules).collect();
        let hosts = |ranks| (0..ranks).map(HostId).collect();
        let mut table = Table::new(which, ranks, bytes, &libraries, hosts);
        for point in &mut table.points {
            let (ranks, bytes) = (point.ranks, point.bytes);
            for entry in &mut point.entries {
                let found = time(entry.choice.algorithm, ranks, bytes);
                entry.outcome = found.map_or(Outcome::TooLong, Outcome::Took);
            }
        }
        table
    }

    #[test]
    fn the_best_took_least_and_the_second_longer() {
        let times = |name: &str, _: u32, _: u64| match name {
            "bruck" | "ring" => Some(1.0),
            "2dmesh" => Some(1.5),
            "3dmesh" => None,
            _ => Some(4.0),
        };
        let table = table(Which::Alltoall, &[8], &[1024], times);
        let point = &table.points[0];
        assert_eq!(point.best().unwrap().0.choice.algorithm, "ring");
        assert_eq!(point.second().unwrap().0.choice.algorithm, "2dmesh");
        assert_eq!(point.over_best(1.5), 0.5);
    }

    #[test]
    fn what_gives_way_never_wins() {
        let times = |name: &str, _: u32, _: u64| Some(if name == "pair" { 1.0 } else { 2.0 });
        let table = table(Which::Alltoall, &[6, 8], &[1024], times);
        assert_ne!(table.points[0].best().unwrap().0.choice.algorithm, "pair");
        assert_eq!(table.points[1].best().unwrap().0.choice.algorithm, "pair");
        assert!(table.points[0].entries[0].reason().unwrap().contains("power of two"));
    }

    #[test]
    fn libraries_are_measured_by_what_they_choose() {
        let times = |name: &str, _: u32, bytes: u64| match name {
            "bruck" => Some(1.0),
            _ => Some(if bytes > 4096 { 3.0 } else { 2.0 }),
        };
        let table = table(Which::Alltoall, &[8], &[1024, 1 << 20], times);
        let distances = distances(&table);
        assert_eq!(distances.len(), Library::ALL.len());
        let mpich = distances.iter().find(|one| one.library == Library::Mpich4).unwrap();
        assert_eq!((mpich.worst, mpich.at.bytes), (2.0, 1 << 20));
        assert_eq!(mpich.mean, 1.5);
    }

    #[test]
    fn operations_without_a_choice_are_left_out() {
        let names: Vec<&str> = tunable().iter().map(|which| which.operation().name()).collect();
        assert!(names.contains(&"alltoall") && names.contains(&"exscan"));
        assert!(!names.contains(&"comm_split"));
    }
}
