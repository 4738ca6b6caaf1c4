//! Where ranks run, in few numbers.

use serde::{Deserialize, Serialize};

/// The host of each rank.
///
/// A million ranks, sixteen on each host in order, are one piece; so are as many dealt out in
/// turn to as many hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Placement {
    pieces: Vec<Piece>,
}

/// Consecutive ranks on consecutive hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u32; 3]", into = "[u32; 3]")]
pub struct Piece {
    /// The first host.
    pub host: u32,
    /// How many hosts, in order.
    pub hosts: u32,
    /// Consecutive ranks on each.
    pub each: u32,
}

impl Placement {
    /// Writes down the hosts of rank 0, 1, 2, …
    pub fn of(hosts: impl IntoIterator<Item = u32>) -> Self {
        let mut placement = Self::default();
        let mut run: Option<(u32, u32)> = None;
        for host in hosts {
            run = match run {
                Some((same, ranks)) if same == host => Some((host, ranks + 1)),
                Some((other, ranks)) => {
                    placement.push(other, ranks);
                    Some((host, 1))
                }
                None => Some((host, 1)),
            };
        }
        if let Some((host, ranks)) = run {
            placement.push(host, ranks);
        }
        placement
    }

    /// The hosts of all ranks, in order.
    pub fn hosts(&self) -> impl Iterator<Item = u32> + '_ {
        self.pieces.iter().flat_map(|piece| {
            let hosts = piece.host..piece.host + piece.hosts;
            hosts.flat_map(|host| std::iter::repeat_n(host, piece.each as usize))
        })
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> u32 {
        self.pieces.iter().map(|piece| piece.hosts * piece.each).sum()
    }

    /// The pieces, in the order of ranks.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    fn push(&mut self, host: u32, ranks: u32) {
        match self.pieces.last_mut() {
            Some(last) if last.each == ranks && last.host + last.hosts == host => last.hosts += 1,
            _ => self.pieces.push(Piece { host, hosts: 1, each: ranks }),
        }
    }
}

impl From<[u32; 3]> for Piece {
    fn from([host, hosts, each]: [u32; 3]) -> Self {
        Self { host, hosts, each }
    }
}

impl From<Piece> for [u32; 3] {
    fn from(piece: Piece) -> Self {
        [piece.host, piece.hosts, piece.each]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(hosts: Vec<u32>, json: &str) {
        let placement = Placement::of(hosts.iter().copied());
        assert_eq!(serde_json::to_string(&placement).unwrap(), json);
        assert_eq!(placement.ranks() as usize, hosts.len());
        let back: Placement = serde_json::from_str(json).unwrap();
        assert_eq!(back.hosts().collect::<Vec<_>>(), hosts);
    }

    #[test]
    fn usual_placements_are_few_pieces() {
        check((0..1_000_000).map(|rank| rank / 16).collect(), "[[0,62500,16]]");
        check((0..10).map(|rank| rank % 4).collect(), "[[0,4,1],[0,4,1],[0,2,1]]");
        check((0..7).map(|rank| rank / 3).collect(), "[[0,2,3],[2,1,1]]");
    }

    #[test]
    fn any_placement_comes_back() {
        check(vec![5, 5, 3, 4, 4, 9, 2, 2], "[[5,1,2],[3,1,1],[4,1,2],[9,1,1],[2,1,2]]");
        check(vec![], "[]");
    }
}
