//! Waits and tests for several requests. SimGrid does not say which: all that are under way are
//! meant.

use foretell_mpi::Result;
use foretell_trace::Several;

use crate::rank::Rank;

impl Rank {
    pub(crate) async fn several(&mut self, several: Several) -> Result<()> {
        let requests = self.pending.under_way();
        let outcome = match several {
            Several::WaitAny(_) => self.world.wait_any(requests).await.map(drop),
            Several::TestAny => self.world.test_any(requests).await.map(drop),
            Several::TestAll => self.world.test_all(requests).await.map(drop),
            Several::TestSome => self.world.test_some(requests).await.map(drop),
        };
        self.pending.forget_done();
        outcome
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;
    use std::rc::Rc;

    use foretell_mpi::{Comm, Mapping, Payload, Report, Result, Simulation};
    use foretell_platform::Platform;
    use foretell_trace::{Form, Trace};

    use crate::Replay;

    const RANKS: u32 = 4;

    fn simulation() -> Simulation {
        let platform = Platform::named("star-64").unwrap();
        Simulation::new(platform).ranks(RANKS).mapping(Mapping::Block(1))
    }

    fn replayed(text: &str) -> Report {
        let file = tempfile::Builder::new().suffix(".txt").tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let replay = Replay::new(Trace::open_as(file.path(), Form::TimeIndependent).unwrap());
        let replay = Rc::new(replay);
        simulation().run(async move |world| replay.main(world).await).unwrap()
    }

    /// What the others send to rank 0, as a trace begins with it: the later, the smaller the rank.
    fn sends() -> String {
        (1..RANKS).fold("0 init\n".into(), |mut text, rank| {
            let work = 1e8 / f64::from(rank);
            let _ = write!(text, "{rank} init\n{rank} compute {work}\n{rank} send 0 4 200000 6\n");
            text
        })
    }

    async fn send(world: &Comm) -> Result<()> {
        world.compute(1e8 / f64::from(world.rank())).await;
        world.send(Payload::Size(200_000), 0, 4).await
    }

    fn check(text: &str, main: impl AsyncFn(Comm) -> Result<()> + 'static) {
        let report = simulation().run(main).unwrap();
        let again = replayed(text);
        assert_eq!(again.seconds.to_bits(), report.seconds.to_bits());
        assert_eq!(again.counters, report.counters);
    }

    #[test]
    fn a_wait_for_any_takes_the_first_that_comes() {
        let mut text = sends();
        (1..RANKS).for_each(|rank| _ = writeln!(text, "0 irecv {rank} 4 200000 6"));
        (1..RANKS).for_each(|_| text += "0 waitAny 3\n0 compute 1e7\n");
        check(&text, async |world| {
            if world.rank() > 0 {
                return send(&world).await;
            }
            let mut all =
                (1..RANKS as i32).map(|rank| world.irecv(rank, 4)).collect::<Result<Vec<_>>>()?;
            while world.wait_any(&mut all).await?.is_some() {
                world.compute(1e7).await;
            }
            Ok(())
        });
    }

    #[test]
    fn tests_for_several_take_what_has_come() {
        let mut text = sends();
        (1..RANKS).for_each(|rank| _ = writeln!(text, "0 irecv {rank} 4 200000 6"));
        text += "0 testall\n0 testany\n0 sleep 0.06\n0 testany\n0 sleep 0.1\n0 testsome\n";
        text += "0 testsome\n0 waitall 3\n0 compute 1e7\n";
        check(&text, async |world| {
            if world.rank() > 0 {
                return send(&world).await;
            }
            let mut all =
                (1..RANKS as i32).map(|rank| world.irecv(rank, 4)).collect::<Result<Vec<_>>>()?;
            world.test_all(&mut all).await?;
            world.test_any(&mut all).await?;
            world.sleep(0.06).await;
            world.test_any(&mut all).await?;
            all.retain(|request| !request.is_null());
            world.sleep(0.1).await;
            for _ in 0..2 {
                world.test_some(&mut all).await?;
                all.retain(|request| !request.is_null());
            }
            world.wait_all(&mut all).await?;
            world.compute(1e7).await;
            Ok(())
        });
    }

    #[test]
    fn persistent_requests_are_sends_or_receives_by_where_they_go() {
        let mut text = sends();
        (1..RANKS).for_each(|_| text += "0 Start 0 4 200000 6\n0 wait -1 0 4\n");
        text += "0 Start 2 5 80 0\n0 wait 0 2 5\n2 recv 0 5 10 0\n";
        check(&text, async |world| {
            match world.rank() {
                0 => {
                    for _ in 1..RANKS {
                        let request = world.irecv(foretell_mpi::ANY_SOURCE, 4)?;
                        world.wait(request).await?;
                    }
                    let request = world.isend(Payload::Size(80), 2, 5).await?;
                    world.wait(request).await?;
                }
                2 => {
                    send(&world).await?;
                    world.recv(0, 5).await?;
                }
                _ => send(&world).await?,
            }
            Ok(())
        });
    }
}
