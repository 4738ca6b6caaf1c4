//! Ranks whose work is a graph: what is free to begin begins, in the order in which it became free.
//!
//! A rank computes one thing at a time. Receives are asked for as soon as they are free; sends and
//! computations take their turns. When nothing is free, the rank waits for whichever message
//! comes or goes first.

use std::collections::VecDeque;

use foretell_mpi::{Comm, Error, Request, Result};
use foretell_trace::{Message, Schedule, Task};

use crate::rank::{Replay, source, tag};

/// A nanosecond, the unit of computations, in seconds.
pub(crate) const UNIT: f64 = 1e-9;

/// Carries out the operations of a schedule; `scale` makes flops of a second.
pub(crate) async fn run(
    replay: &Replay,
    world: &Comm,
    schedule: &Schedule,
    scale: f64,
) -> Result<()> {
    let mut graph = Graph::new(schedule);
    let mut under_way = UnderWay::default();
    loop {
        if let Some(number) = graph.free_receives.pop_front() {
            if let Task::Receive(message) = graph.begin(number) {
                let request = world.irecv(source(message.peer), tag(message.tag))?;
                under_way.add(number, request, &mut graph);
            }
        } else if let Some(number) = graph.free.pop_front() {
            match graph.begin(number) {
                Task::Compute(time) => {
                    world.compute(time as f64 * UNIT * scale).await;
                    graph.end(number);
                }
                Task::Send(Message { peer, tag: own, size }) => {
                    let bytes = size.count.unwrap_or(0);
                    let payload = foretell_mpi::Payload::Size(bytes);
                    let request = world.isend(payload, source(peer), tag(own)).await?;
                    under_way.add(number, request, &mut graph);
                }
                Task::Receive(_) => {}
            }
            replay.count();
            continue;
        } else if let Some((at, _)) = world.wait_any(&mut under_way.requests).await? {
            // It was waited for, and is null now.
            let _ = under_way.requests.swap_remove(at);
            graph.end(under_way.owners.swap_remove(at));
            continue;
        } else {
            break;
        }
        replay.count();
    }
    match graph.left {
        0 => Ok(()),
        left => Err(Error::BadArgument(format!("{left} operations wait for each other"))),
    }
}

/// Messages that have begun, and which operations they are.
#[derive(Default)]
struct UnderWay {
    requests: Vec<Request>,
    owners: Vec<u32>,
}

impl UnderWay {
    /// A message that is done at once ends its operation.
    fn add(&mut self, number: u32, request: Request, graph: &mut Graph<'_>) {
        if request.is_null() {
            graph.end(number);
            return;
        }
        self.requests.push(request);
        self.owners.push(number);
    }
}

/// What is yet to be done.
struct Graph<'a> {
    schedule: &'a Schedule,
    needs: Vec<u32>,
    free: VecDeque<u32>,
    free_receives: VecDeque<u32>,
    left: usize,
}

impl<'a> Graph<'a> {
    fn new(schedule: &'a Schedule) -> Self {
        let needs: Vec<u32> = schedule.operations.iter().map(|one| one.needs).collect();
        let left = needs.len();
        let (free, free_receives) = (VecDeque::new(), VecDeque::new());
        let mut graph = Self { schedule, needs, free, free_receives, left };
        for number in 0..left as u32 {
            if graph.needs[number as usize] == 0 {
                graph.set_free(number);
            }
        }
        graph
    }

    fn set_free(&mut self, number: u32) {
        match self.schedule.operations[number as usize].task {
            Task::Receive(_) => self.free_receives.push_back(number),
            _ => self.free.push_back(number),
        }
    }

    fn begin(&mut self, number: u32) -> Task {
        self.release(self.schedule.beside(number));
        self.schedule.operations[number as usize].task
    }

    fn end(&mut self, number: u32) {
        self.left -= 1;
        self.release(self.schedule.after(number));
    }

    fn release(&mut self, numbers: &[u32]) {
        for number in numbers {
            let needs = &mut self.needs[*number as usize];
            *needs = needs.saturating_sub(1);
            if *needs == 0 {
                self.set_free(*number);
            }
        }
    }
}
