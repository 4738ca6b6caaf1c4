//! The 26 neighbours of a rank in a cube of ranks, in the order in which LULESH deals with them.

/// A way to a neighbour: steps along planes, rows and columns of the cube.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Way {
    steps: [i32; 3],
}

/// Six faces, twelve edges, eight corners.
pub(super) const WAYS: [Way; 26] = {
    const fn way(plane: i32, row: i32, column: i32) -> Way {
        Way { steps: [plane, row, column] }
    }
    [
        way(-1, 0, 0),
        way(1, 0, 0),
        way(0, -1, 0),
        way(0, 1, 0),
        way(0, 0, -1),
        way(0, 0, 1),
        way(0, -1, -1),
        way(-1, -1, 0),
        way(-1, 0, -1),
        way(0, 1, 1),
        way(1, 1, 0),
        way(1, 0, 1),
        way(0, 1, -1),
        way(1, -1, 0),
        way(1, 0, -1),
        way(0, -1, 1),
        way(-1, 1, 0),
        way(-1, 0, 1),
        way(-1, -1, -1),
        way(1, -1, -1),
        way(-1, -1, 1),
        way(1, -1, 1),
        way(-1, 1, -1),
        way(1, 1, -1),
        way(-1, 1, 1),
        way(1, 1, 1),
    ]
};

impl Way {
    /// Points that the domains on both sides share, of cubes with `side` points along an edge.
    pub(super) fn points(self, side: u64) -> u64 {
        match self.steps.iter().filter(|step| **step != 0).count() {
            1 => side * side,
            2 => side,
            _ => 1,
        }
    }

    /// Whether it leads through a face.
    pub(super) fn is_face(self) -> bool {
        self.steps.iter().filter(|step| **step != 0).count() == 1
    }

    /// Whether it leads to lower places: to a lower plane; in the same plane, to a lower row; and
    /// in the same row, to a lower column.
    pub(super) fn is_down(self) -> bool {
        self.steps.iter().find(|step| **step != 0).is_some_and(|step| *step < 0)
    }
}

/// The place of a rank in a cube of ranks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    side: i32,
    at: [i32; 3],
}

impl Place {
    /// The place of `rank` in a cube of `side` ranks along an edge.
    pub(super) fn new(rank: u32, side: u32) -> Self {
        let (plane, in_plane) = (rank / (side * side), rank % (side * side));
        let at = [plane, in_plane / side, in_plane % side].map(|place| place as i32);
        Self { side: side as i32, at }
    }

    /// The rank that a way leads to, unless it leads out of the cube.
    pub(super) fn neighbour(self, way: Way) -> Option<i32> {
        let mut rank = 0;
        for (here, step) in self.at.iter().zip(way.steps) {
            let there = here + step;
            if !(0..self.side).contains(&there) {
                return None;
            }
            rank = rank * self.side + there;
        }
        Some(rank)
    }
}

/// How many ranks there are along an edge of a cube of so many ranks, if they make one.
pub(super) fn edge(ranks: u32) -> Option<u32> {
    let side = f64::from(ranks).cbrt().round() as u32;
    (side > 0 && u64::from(side).pow(3) == u64::from(ranks)).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_there_once_and_has_its_way_back() {
        for way in WAYS {
            let back = Way { steps: way.steps.map(|step| -step) };
            assert_eq!(WAYS.iter().filter(|other| **other == way).count(), 1);
            assert!(WAYS.contains(&back));
            assert_ne!(way.is_down(), back.is_down());
        }
        assert_eq!(WAYS.iter().filter(|way| way.is_face()).count(), 6);
        assert_eq!(WAYS.iter().map(|way| way.points(10)).sum::<u64>(), 6 * 100 + 12 * 10 + 8);
    }

    #[test]
    fn neighbours_are_mutual_and_end_at_the_cube() {
        let count = |rank| {
            let place = Place::new(rank, 3);
            WAYS.iter().filter_map(|way| place.neighbour(*way)).count()
        };
        assert_eq!((count(13), count(0), count(4)), (26, 7, 17));
        assert_eq!(Place::new(13, 3).neighbour(WAYS[0]), Some(4));
        assert_eq!(Place::new(4, 3).neighbour(WAYS[1]), Some(13));
        assert_eq!(Place::new(4, 3).neighbour(WAYS[0]), None);
    }

    #[test]
    fn only_cubes_have_an_edge() {
        assert_eq!([1, 8, 27, 91_125].map(edge), [Some(1), Some(2), Some(3), Some(45)]);
        assert_eq!([0, 2, 9, 26, 28, u32::MAX].map(edge), [None; 6]);
    }
}
