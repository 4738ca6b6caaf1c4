//! The longest common subsequence of two rows of numbers.
//!
//! What the other row does not have at all is taken out first, since it cannot be in common. The
//! rest is divided where the best ways from both ends meet (Myers, "An O(ND) difference algorithm
//! and its variations", 1986, section 4b), so that memory grows with the rows and time with their
//! length times what differs. Where more than [`BOUND`] steps differ on both sides of the middle, the
//! row is divided where the best way has come so far; the pairs may then be fewer than possible.

/// How many steps a way goes from each end before the rows are divided there. With fewer differences
/// in one place, the result is the longest.
const BOUND: usize = 2048;

/// Pairs of places at which both rows have the same number, in order, as many as possible.
pub(super) fn common(first: &[u32], second: &[u32]) -> Vec<(u32, u32)> {
    let (left, right) = (known_to(first, second), known_to(second, first));
    let pick = |row: &[u32], places: &[u32]| -> Vec<u32> {
        places.iter().map(|place| row[*place as usize]).collect()
    };
    let mut pairs = Divider::default().pairs(&pick(first, &left), &pick(second, &right));
    for (a, b) in &mut pairs {
        (*a, *b) = (left[*a as usize], right[*b as usize]);
    }
    pairs
}

/// The places of those numbers that the other row has, too.
fn known_to(row: &[u32], other: &[u32]) -> Vec<u32> {
    let most = row.iter().chain(other).max().map_or(0, |most| *most as usize + 1);
    let mut is_known = vec![false; most];
    other.iter().for_each(|number| is_known[*number as usize] = true);
    (0..row.len() as u32).filter(|place| is_known[row[*place as usize] as usize]).collect()
}

/// No way leads here.
const NONE: isize = isize::MIN / 2;

/// Ways from both ends, by diagonals; kept, since they are needed again and again.
#[derive(Default)]
struct Divider {
    forward: Way,
    backward: Way,
}

/// What is yet to be done.
enum Task {
    /// Find the pairs of two pieces.
    Piece { first: (usize, usize), second: (usize, usize) },
    /// So many pairs, from here on.
    Run { first: usize, second: usize, length: usize },
}

impl Divider {
    fn pairs(&mut self, first: &[u32], second: &[u32]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        let mut tasks = vec![Task::Piece { first: (0, first.len()), second: (0, second.len()) }];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Run { first, second, length } => {
                    pairs.extend((0..length).map(|at| ((first + at) as u32, (second + at) as u32)));
                }
                Task::Piece { first: (a, a_end), second: (b, b_end) } => {
                    let (one, other) = (&first[a..a_end], &second[b..b_end]);
                    let begin = alike(one.iter().zip(other));
                    let (one, other) = (&one[begin..], &other[begin..]);
                    let end = alike(one.iter().rev().zip(other.iter().rev()));
                    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
                    let run = |first, second, length| Task::Run { first, second, length };
                    // The last is done first.
                    tasks.push(run(a_end - end, b_end - end, end));
                    let (a, b) = (a + begin, b + begin);
                    if !one.is_empty() && !other.is_empty() {
                        let (x, y) = self.middle(one, other);
                        let rest = (a + x, a + one.len());
                        tasks.push(Task::Piece { first: rest, second: (b + y, b + other.len()) });
                        tasks.push(Task::Piece { first: (a, a + x), second: (b, b + y) });
                    }
                    tasks.push(run(a - begin, b - begin, begin));
                }
            }
        }
        pairs
    }

    /// A point that a longest common subsequence goes through, apart from both ends. The rows are
    /// not empty, and neither begin nor end alike.
    fn middle(&mut self, first: &[u32], second: &[u32]) -> (usize, usize) {
        let (n, m) = (first.len() as isize, second.len() as isize);
        let (delta, most) = (n - m, (first.len() + second.len()).div_ceil(2).min(BOUND) as isize);
        self.forward.begin(most);
        self.backward.begin(most);
        for steps in 0..=most {
            let meet = |k: isize, other: isize| (k - delta).abs() <= other;
            for k in (-steps..=steps).step_by(2) {
                let reach = |x, y| alike(first[x..].iter().zip(&second[y..]));
                let x = self.forward.go(k, steps, (n, m), reach);
                let is_met = delta & 1 != 0 && meet(k, steps - 1);
                if is_met && x + self.backward.at(delta - k) >= n {
                    return (x as usize, (x - k) as usize);
                }
            }
            for k in (-steps..=steps).step_by(2) {
                let reach = |x: usize, y: usize| {
                    let (one, other) = (&first[..first.len() - x], &second[..second.len() - y]);
                    alike(one.iter().rev().zip(other.iter().rev()))
                };
                let x = self.backward.go(k, steps, (n, m), reach);
                let is_met = delta & 1 == 0 && meet(k, steps);
                if is_met && x + self.forward.at(delta - k) >= n {
                    return ((n - x) as usize, (m - (x - k)) as usize);
                }
            }
        }
        // It goes on too long: as far as the better way has come.
        let (one, other) = (self.forward.furthest(most), self.backward.furthest(most));
        match one.0 + one.1 >= other.0 + other.1 {
            true => (one.0 as usize, one.1 as usize),
            false => ((n - other.0) as usize, (m - other.1) as usize),
        }
    }
}

/// How many pairs are alike before one is not.
fn alike<'a>(pairs: impl Iterator<Item = (&'a u32, &'a u32)>) -> usize {
    pairs.take_while(|(one, other)| one == other).count()
}

/// How far ways have come on each diagonal, from one end.
#[derive(Default)]
struct Way {
    reached: Vec<isize>,
    /// Where diagonal 0 is.
    zero: isize,
}

impl Way {
    fn begin(&mut self, most: isize) {
        self.zero = most + 1;
        self.reached.clear();
        self.reached.resize(2 * most as usize + 3, NONE);
    }

    fn at(&self, k: isize) -> isize {
        usize::try_from(self.zero + k)
            .ok()
            .and_then(|at| self.reached.get(at).copied())
            .unwrap_or(NONE)
    }

    /// Takes one more step onto a diagonal, and goes along it as far as both rows are alike.
    fn go(
        &mut self,
        k: isize,
        steps: isize,
        (n, m): (isize, isize),
        alike: impl Fn(usize, usize) -> usize,
    ) -> isize {
        let is_inside = |x: isize| x >= 0 && x <= n && x >= k && x - k <= m;
        let start = match steps {
            0 => 0,
            _ => {
                let candidates = [self.at(k + 1), self.at(k - 1) + 1];
                candidates.into_iter().filter(|x| is_inside(*x)).max().unwrap_or(NONE)
            }
        };
        let x = match start {
            NONE => NONE,
            x => x + alike(x as usize, (x - k) as usize) as isize,
        };
        self.reached[(self.zero + k) as usize] = x;
        x
    }

    /// The point that is furthest from the start.
    fn furthest(&self, most: isize) -> (isize, isize) {
        let points = (-most..=most).map(|k| (self.at(k), self.at(k) - k));
        points.filter(|(x, _)| *x >= 0).max_by_key(|(x, y)| x + y).unwrap_or((0, 0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// How long the longest one is, by the table of all prefixes.
    fn longest(first: &[u32], second: &[u32]) -> usize {
        let mut row = vec![0; second.len() + 1];
        for a in first {
            let mut corner = 0;
            for (at, b) in second.iter().enumerate() {
                let above = row[at + 1];
                row[at + 1] = if a == b { corner + 1 } else { above.max(row[at]) };
                corner = above;
            }
        }
        row[second.len()]
    }

    fn check(first: &[u32], second: &[u32]) -> Vec<(u32, u32)> {
        let pairs = common(first, second);
        assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        assert!(pairs.iter().all(|(a, b)| first[*a as usize] == second[*b as usize]));
        pairs
    }

    proptest! {
        #[test]
        fn nothing_longer_is_in_common(
            first in prop::collection::vec(0..4u32, 0..60),
            second in prop::collection::vec(0..4u32, 0..60),
        ) {
            prop_assert_eq!(check(&first, &second).len(), longest(&first, &second));
        }

        #[test]
        fn what_was_taken_out_of_a_row_is_all_that_is_not_in_common(
            row in prop::collection::vec(0..9u32, 0..300),
            kept in prop::collection::vec(any::<bool>(), 300),
        ) {
            let part: Vec<u32> =
                row.iter().zip(&kept).filter(|(_, kept)| **kept).map(|(one, _)| *one).collect();
            prop_assert_eq!(check(&row, &part).len(), part.len());
        }
    }

    #[test]
    fn a_million_with_few_differences_are_aligned() {
        let first: Vec<u32> = (0..1_000_000).map(|at| at % 7).collect();
        let second: Vec<u32> =
            (0..1_000_000).filter(|at| at % 9_973 != 5).map(|at| at % 7).collect();
        assert_eq!(check(&first, &second).len(), second.len());
    }

    #[test]
    fn rows_that_differ_everywhere_come_to_an_end() {
        // Numbers that both have, in no order: the longest is not looked for.
        let scatter =
            |factor: u64| (0..40_000).map(move |at| ((at * factor) % 39_989) as u32 % 500);
        let (first, second): (Vec<u32>, Vec<u32>) =
            (scatter(7_919).collect(), scatter(104_729).collect());
        assert!(check(&first, &second).len() > 1_000);
    }
}
