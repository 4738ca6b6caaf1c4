//! Panels on their way along a row of processes.
//!
//! The rings look for their message each time they are called and come back at once if it is not
//! there, so that the caller may compute meanwhile. The long forms do all at once.

use foretell_mpi::Result;

use super::blocks::distance;
use super::configuration::Bcast;
use super::long_broadcast::{long, long_modified};
use super::panel::Panel;
use super::process::Process;

/// How far a broadcast has come for a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// The message is not there yet.
    KeepTesting,
    /// The process has done its part.
    Done,
}

/// What a process does while its message is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Meanwhile {
    /// It has other work and comes back.
    GoOn,
    /// It looks again and again; one call that waits does that in fewer events.
    LookAgain,
}

/// Does what can be done for the broadcast of a panel; nothing, if there is none.
pub(super) async fn advance(process: &Process, panel: Option<&Panel>) -> Result<Progress> {
    let Some(panel) = panel else { return Ok(Progress::Done) };
    take_part(process, panel, Meanwhile::GoOn).await
}

/// Looks for the message of a panel until it is there, and does the process's part.
pub(super) async fn finish(process: &Process, panel: &Panel) -> Result<()> {
    while take_part(process, panel, Meanwhile::LookAgain).await? == Progress::KeepTesting {}
    Ok(())
}

async fn take_part(process: &Process, panel: &Panel, meanwhile: Meanwhile) -> Result<Progress> {
    let size = process.configuration.q;
    if size <= 1 {
        return Ok(Progress::Done);
    }
    process.catch_up().await;
    let mine = distance(process.my_column, panel.root, size);
    match process.configuration.bcast {
        Bcast::Long => long(process, panel).await,
        Bcast::LongModified => long_modified(process, panel).await,
        bcast => {
            let (from, to) = ring(bcast, mine, size);
            pass_on(process, panel, from, &to, meanwhile).await
        }
    }
}

/// From whom a process at a distance from the root receives, and to whom it sends, by distance.
fn ring(bcast: Bcast, mine: usize, size: usize) -> (usize, Vec<usize>) {
    let second = size.div_ceil(2);
    let mut to = Vec::new();
    if mine == 0 {
        to.push(1);
        let also: &[usize] = match bcast {
            Bcast::RingModified => &[2],
            Bcast::TwoRings => &[second],
            Bcast::TwoRingsModified if second != 2 => &[2, second],
            Bcast::TwoRingsModified => &[second],
            _ => &[],
        };
        to.extend(also.iter().filter(|_| size > 2));
        return (0, to);
    }
    let has_two_rings = matches!(bcast, Bcast::TwoRings | Bcast::TwoRingsModified);
    let is_modified = matches!(bcast, Bcast::RingModified | Bcast::TwoRingsModified);
    let is_served_by_root =
        mine == 1 || (has_two_rings && mine == second) || (is_modified && mine == 2);
    let is_last = mine + 1 == size || (has_two_rings && mine + 1 == second);
    if !(is_last || is_modified && mine == 1) {
        to.push(mine + 1);
    }
    (if is_served_by_root { 0 } else { mine - 1 }, to)
}

async fn pass_on(
    process: &Process,
    panel: &Panel,
    from: usize,
    to: &[usize],
    meanwhile: Meanwhile,
) -> Result<Progress> {
    let (row, tag) = (&process.row, panel.tag);
    let place = |distance: usize| ((panel.root + distance) % process.configuration.q) as i32;
    if process.my_column != panel.root {
        match meanwhile {
            Meanwhile::LookAgain => drop(row.probe(place(from), tag).await?),
            Meanwhile::GoOn => {
                if row.iprobe(place(from), tag).await?.is_none() {
                    return Ok(Progress::KeepTesting);
                }
            }
        }
        row.recv(place(from), tag).await?;
    }
    for distance in to {
        row.send(process.doubles(panel.length), place(*distance), tag).await?;
    }
    Ok(Progress::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every process but the root gets one message, from one who sends it to it.
    #[test]
    fn rings_reach_everybody_once() {
        for bcast in [Bcast::Ring, Bcast::RingModified, Bcast::TwoRings, Bcast::TwoRingsModified] {
            for size in 2..20 {
                let mut reached = vec![None; size];
                for sender in 0..size {
                    for receiver in ring(bcast, sender, size).1 {
                        assert_eq!(reached[receiver].replace(sender), None, "{bcast:?} {size}");
                    }
                }
                for (receiver, sender) in reached.iter().enumerate().skip(1) {
                    let from = ring(bcast, receiver, size).0;
                    assert_eq!(*sender, Some(from), "{bcast:?} {size}");
                }
            }
        }
    }
}
