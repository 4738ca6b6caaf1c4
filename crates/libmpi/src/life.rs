//! The life of a rank, as the simulation polls it: its program, resumed whenever what it waits for
//! has come.
//!
//! Written out rather than as an `async fn`, whose states lie wherever the compiler puts them: with
//! thousands of ranks, what a turn takes is the time to fetch the lines of memory that it reads.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

use foretell_mpi::{Comm, Error};
use foretell_ranks::{Rank, Step};

use crate::ahead;
use crate::check;
use crate::place;
use crate::rank::{Phase, RankContext};
use crate::run::Crew;
use crate::threads::Post;

/// A rank of the run.
pub(crate) struct Life {
    stage: Stage,
    crew: Rc<Crew>,
}

enum Stage {
    /// It has not begun.
    Comes(Comm),
    Runs(Runner),
    /// It has asked for a thread of its own.
    InThread(Pin<Box<dyn Future<Output = foretell_mpi::Result<i32>>>>, Noted),
    Over,
}

/// A rank on its stack.
struct Runner {
    rank: Rank,
    context: Noted,
    number: u32,
}

/// A rank that tells where it was when it goes.
struct Noted(Rc<RankContext>);

impl Life {
    /// The rank that has this communicator for its world.
    pub(crate) fn new(crew: &Rc<Crew>, comm: Comm) -> Self {
        Self { stage: Stage::Comes(comm), crew: crew.clone() }
    }

    #[cold]
    fn begin(&mut self) -> foretell_mpi::Result<()> {
        let Stage::Comes(comm) = std::mem::replace(&mut self.stage, Stage::Over) else {
            return Ok(());
        };
        let (crew, number) = (&self.crew, comm.world_number());
        let program = crew.programs.partition_point(|(first, _)| *first <= number) - 1;
        if check::is_on() {
            check::follow(&comm);
        }
        let context = Noted(Rc::new(RankContext::new(comm, program as u32)));
        let rank = crew.ranks.begin(number, program, &crew.programs[program].1);
        let rank = rank.map_err(|error| Error::Unhandled(error.to_string()))?;
        ahead::lives(&context.0, rank.goes_ahead());
        context.0.leave();
        crew.foresight.note(&context.0, &rank);
        self.stage = Stage::Runs(Runner { context, number, rank });
        Ok(())
    }

    /// Lets the rank go on in a thread of its own.
    #[cold]
    fn leave_for_thread(&mut self) {
        if let Stage::Runs(runner) = std::mem::replace(&mut self.stage, Stage::Over) {
            let Runner { context, rank, .. } = runner;
            let life = live_in_thread(self.crew.clone(), context.0.clone(), rank);
            self.stage = Stage::InThread(Box::pin(life), context);
        }
    }

    /// The program has ended.
    #[cold]
    fn end(&mut self, code: i32) -> foretell_mpi::Result<()> {
        let stage = std::mem::replace(&mut self.stage, Stage::Over);
        let (Stage::Runs(Runner { context, .. }) | Stage::InThread(_, context)) = &stage else {
            return Ok(());
        };
        self.crew.note_end(&context.0, code);
        if code != 0 && context.0.phase.get() == Phase::Running {
            // Launchers take that for a failure and end the job: what others wait for will not come.
            return Err(Error::Left(code));
        }
        Ok(())
    }
}

impl Future for Life {
    type Output = foretell_mpi::Result<()>;

    fn poll(mut self: Pin<&mut Self>, task: &mut Context<'_>) -> Poll<Self::Output> {
        let life = &mut *self;
        loop {
            let code = match &mut life.stage {
                Stage::Runs(Runner { context, number, rank }) => {
                    match context.0.run(|| rank.resume()) {
                        Step::Suspended if !rank.wants_thread() => {
                            life.crew.foresight.rests(*number, rank);
                            ahead::launch_known();
                            return Poll::Pending;
                        }
                        Step::Suspended => None,
                        Step::Ended(code, _) => Some(code),
                    }
                }
                Stage::InThread(rest, _) => match ready!(rest.as_mut().poll(task)) {
                    Ok(code) => Some(code),
                    Err(error) => return Poll::Ready(Err(error)),
                },
                Stage::Comes(_) => {
                    life.begin()?;
                    continue;
                }
                Stage::Over => return Poll::Ready(Ok(())),
            };
            match code {
                Some(code) => return Poll::Ready(life.end(code)),
                None => life.leave_for_thread(),
            }
        }
    }
}

impl Drop for Noted {
    fn drop(&mut self) {
        ahead::is_gone(&self.0);
        place::note_left(self.0.number(), self.0.caller.get());
        if check::is_on() {
            check::end(&self.0, false);
        }
    }
}

/// The life of a rank from when it asks for a thread of its own; returns the exit code.
async fn live_in_thread(
    crew: Rc<Crew>,
    context: Rc<RankContext>,
    rank: Rank,
) -> foretell_mpi::Result<i32> {
    let (post, mut servant) = Post::open(&crew.ranks, &context, rank)?;
    let code = poll_fn(|_| {
        if post.ending().is_none()
            && let Step::Ended(code, _) = context.run(|| servant.resume())
        {
            return Poll::Ready(code);
        }
        post.ending().map_or(Poll::Pending, Poll::Ready)
    })
    .await;
    drop(servant);
    context.comm.forget_thread();
    post.close();
    Ok(code)
}
