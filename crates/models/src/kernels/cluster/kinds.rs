//! Telling kinds of nodes apart: those whose coefficients are close are of one kind.
//!
//! Lloyd's method of means (1982), with coefficients in units of their deviation. The first mean is
//! that of all nodes; each further one begins at the node farthest from all before it. So a few
//! slow nodes become a kind of their own, and nothing is left to chance. Nodes, not processors:
//! what makes some slow, such as bad cooling, befalls all that is in them.

use super::fit::Processor;

/// Rounds after which the kinds are taken as they are; few are ever needed.
const ROUNDS: usize = 100;

/// The processors of each of so many kinds of nodes, with the number of nodes; kinds that no node
/// is of are left out.
pub(super) fn kinds_of(processors: &[Processor], count: usize) -> Vec<(usize, Vec<&Processor>)> {
    let nodes = nodes(processors);
    let scaled = scaled(&nodes);
    let mut centres = vec![mean(scaled.iter().map(Vec::as_slice))];
    while centres.len() < count {
        let far = |vector: &&Vec<f64>| nearest(vector, &centres).1;
        let Some(next) = scaled.iter().max_by(|a, b| far(a).total_cmp(&far(b))) else { break };
        centres.push(next.clone());
    }
    let mut kinds: Vec<usize> = Vec::new();
    for _ in 0..ROUNDS {
        let found: Vec<usize> = scaled.iter().map(|vector| nearest(vector, &centres).0).collect();
        if found == kinds {
            break;
        }
        kinds = found;
        for (kind, centre) in centres.iter_mut().enumerate() {
            let members: Vec<&[f64]> = of_kind(&scaled, &kinds, kind).map(Vec::as_slice).collect();
            if !members.is_empty() {
                *centre = mean(members.into_iter());
            }
        }
    }
    let members = |kind| {
        let own: Vec<&Vec<&Processor>> = of_kind(&nodes, &kinds, kind).collect();
        (own.len(), own.into_iter().flatten().copied().collect())
    };
    (0..count).map(members).filter(|(nodes, _)| *nodes > 0).collect()
}

/// The processors of each node, in order of appearance.
fn nodes(processors: &[Processor]) -> Vec<Vec<&Processor>> {
    let mut nodes: Vec<Vec<&Processor>> = Vec::new();
    for processor in processors {
        nodes.resize_with(nodes.len().max(processor.node + 1), Vec::new);
        nodes[processor.node].push(processor);
    }
    nodes
}

fn of_kind<'a, T>(all: &'a [T], kinds: &[usize], kind: usize) -> impl Iterator<Item = &'a T> {
    all.iter().zip(kinds).filter(move |(_, own)| **own == kind).map(|(one, _)| one)
}

/// Means of nodes in units of their deviation; what does not vary does not count.
fn scaled(nodes: &[Vec<&Processor>]) -> Vec<Vec<f64>> {
    let of_node =
        |own: &Vec<&Processor>| mean(own.iter().map(|processor| processor.mean.as_slice()));
    let means: Vec<Vec<f64>> = nodes.iter().map(of_node).collect();
    let centre = mean(means.iter().map(Vec::as_slice));
    let deviation = |i: usize| {
        let squares = means.iter().map(|node| (node[i] - centre[i]).powi(2));
        (squares.sum::<f64>() / means.len() as f64).sqrt()
    };
    let deviations: Vec<f64> = (0..centre.len()).map(deviation).collect();
    let in_units = |node: &Vec<f64>| -> Vec<f64> {
        let parts = node.iter().zip(centre.iter().zip(&deviations));
        let in_unit = |away: f64, unit: f64| if unit > 0.0 { away / unit } else { 0.0 };
        parts.map(|(value, (mean, deviation))| in_unit(value - mean, *deviation)).collect()
    };
    means.iter().map(in_units).collect()
}

/// The nearest centre, and the square of how far it is.
fn nearest(vector: &[f64], centres: &[Vec<f64>]) -> (usize, f64) {
    let square =
        |centre: &Vec<f64>| vector.iter().zip(centre).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    let far = centres.iter().map(square).enumerate();
    far.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0, 0.0))
}

/// The mean of vectors, of which there is at least one.
pub(super) fn mean<'a>(vectors: impl Iterator<Item = &'a [f64]>) -> Vec<f64> {
    let mut sum: Vec<f64> = Vec::new();
    let mut count = 0;
    for vector in vectors {
        sum.resize(vector.len(), 0.0);
        sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += value);
        count += 1;
    }
    sum.iter().map(|sum| sum / f64::from(count.max(1))).collect()
}
