//! Clocks show simulated time, and sleeping lets it pass.

use std::cell::Cell;
use std::rc::Rc;

use foretell_ranks::{Surroundings, surround};

use crate::program::run_c;

/// A world in which only sleeping takes time.
struct World(Cell<f64>);

impl Surroundings for World {
    fn date(&self) -> f64 {
        self.0.get()
    }

    fn start_date(&self) -> f64 {
        1_000_000.0
    }

    fn computed(&self, rank: u32) -> f64 {
        f64::from(rank) * 2.0
    }

    fn sleep(&self, seconds: f64) {
        self.0.set(self.0.get() + seconds);
    }

    fn last_call(&self, _rank: u32) -> String {
        String::new()
    }
}

#[test]
fn sleeping_moves_every_clock_of_the_program() {
    surround(Rc::new(World(Cell::new(0.0))));
    let noted = run_c(
        r"
        #include <sys/time.h>
        #include <sys/times.h>
        #include <time.h>
        #include <unistd.h>
        int main(int c, char **v) {
            struct timespec at, half = {0, 500000000}, then = {20, 0};
            struct timeval day;
            struct tms spent;
            note(time(0) - 1000000);
            sleep(10);
            usleep(250000);
            nanosleep(&half, 0);
            gettimeofday(&day, 0);
            note(day.tv_sec - 1000000); note(day.tv_usec);
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, 0);
            clock_gettime(CLOCK_MONOTONIC, &at);
            note(at.tv_sec); note(at.tv_nsec);
            note(clock() / CLOCKS_PER_SEC);
            note(times(&spent) / sysconf(_SC_CLK_TCK));
            return 0;
        }",
        1,
    );
    let noted: Vec<_> = noted.into_iter().map(|(_, number)| number).collect();
    assert_eq!(noted, [0, 10, 750_000, 20, 0, 0, 20]);
}
