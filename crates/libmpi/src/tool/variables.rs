//! The variables there are, and the categories they are in.

use std::borrow::Cow;
use std::ffi::c_int;

use crate::abi::*;
use crate::meter;
use crate::rank::RankContext;

/// The value of a variable.
pub(super) enum Value {
    Integer(c_int),
    Count(u64),
    Seconds(f64),
    Text(Cow<'static, str>),
}

/// A control variable. All are settings of the run: no program can change them.
pub(super) struct Control {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) datatype: MPI_Datatype,
    /// Whether its values are those of [`COMPUTATIONS`].
    pub(super) is_choice: bool,
    pub(super) read: fn(&RankContext) -> Value,
}

/// A performance variable, which runs all the time.
pub(super) struct Performance {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) class: c_int,
    pub(super) datatype: MPI_Datatype,
    pub(super) read: fn(&RankContext) -> Value,
}

/// Variables that belong together.
pub(super) struct Category {
    pub(super) name: &'static str,
    pub(super) description: &'static str,
    pub(super) controls: &'static [usize],
    pub(super) performances: &'static [usize],
    pub(super) categories: &'static [usize],
}

/// How computation takes simulated time: the items of the one enumeration.
pub(super) const COMPUTATIONS: &[&str] = &["off", "measured"];

pub(super) const CONTROLS: &[Control] = &[
    Control {
        name: "foretell_version",
        description: "The version of the simulator",
        datatype: MPI_CHAR,
        is_choice: false,
        read: |_| Value::Text(env!("CARGO_PKG_VERSION").into()),
    },
    Control {
        name: "foretell_ranks",
        description: "How many ranks the simulation has, of all programs",
        datatype: MPI_INT,
        is_choice: false,
        read: |here| Value::Integer(here.comm.world().size() as c_int),
    },
    Control {
        name: "foretell_host",
        description: "The simulated host that the rank runs on",
        datatype: MPI_CHAR,
        is_choice: false,
        read: |here| Value::Text(crate::run::host_name(here).into()),
    },
    Control {
        name: "foretell_core_speed",
        description: "Operations per second of a core of that host, as the platform file says",
        datatype: MPI_DOUBLE,
        is_choice: false,
        read: |here| Value::Seconds(here.comm.core_speed()),
    },
    Control {
        name: "foretell_computation",
        description: "Whether what the program computes is measured and takes simulated time",
        datatype: MPI_INT,
        is_choice: true,
        read: |_| Value::Integer(c_int::from(meter::is_on())),
    },
];

pub(super) const PERFORMANCES: &[Performance] = &[
    Performance {
        name: "foretell_messages",
        description: "Messages sent so far by all ranks, those of collectives included",
        class: MPI_T_PVAR_CLASS_COUNTER,
        datatype: MPI_UNSIGNED_LONG_LONG,
        read: |here| Value::Count(here.comm.world().counters().messages),
    },
    Performance {
        name: "foretell_bytes",
        description: "Bytes of data in these messages",
        class: MPI_T_PVAR_CLASS_COUNTER,
        datatype: MPI_UNSIGNED_LONG_LONG,
        read: |here| Value::Count(here.comm.world().counters().bytes),
    },
    Performance {
        name: "foretell_time",
        description: "Simulated seconds since the start",
        class: MPI_T_PVAR_CLASS_TIMER,
        datatype: MPI_DOUBLE,
        read: |here| Value::Seconds(here.comm.now()),
    },
    Performance {
        name: "foretell_computing",
        description: "Simulated seconds that the rank has computed",
        class: MPI_T_PVAR_CLASS_TIMER,
        datatype: MPI_DOUBLE,
        read: |here| Value::Seconds(here.comm.times().computing),
    },
    Performance {
        name: "foretell_overhead",
        description: "Simulated seconds that the rank was busy sending, receiving and polling",
        class: MPI_T_PVAR_CLASS_TIMER,
        datatype: MPI_DOUBLE,
        read: |here| Value::Seconds(here.comm.times().overhead),
    },
    Performance {
        name: "foretell_waiting",
        description: "Simulated seconds that the rank has waited for messages",
        class: MPI_T_PVAR_CLASS_TIMER,
        datatype: MPI_DOUBLE,
        read: |here| Value::Seconds(here.comm.times().waiting),
    },
];

pub(super) const CATEGORIES: &[Category] = &[
    Category {
        name: "foretell",
        description: "The simulation",
        controls: &[0, 1, 4],
        performances: &[],
        categories: &[1, 2, 3],
    },
    Category {
        name: "foretell_machine",
        description: "The simulated machine",
        controls: &[2, 3],
        performances: &[],
        categories: &[],
    },
    Category {
        name: "foretell_traffic",
        description: "What was sent",
        controls: &[],
        performances: &[0, 1],
        categories: &[],
    },
    Category {
        name: "foretell_times",
        description: "Where simulated time went",
        controls: &[],
        performances: &[2, 3, 4, 5],
        categories: &[],
    },
];

impl Value {
    /// Writes the value as its datatype wants it.
    pub(super) fn write(&self, place: usize) {
        // SAFETY: the tool gives room for what `MPI_T_*_handle_alloc` told it.
        unsafe {
            match self {
                Value::Integer(value) => (place as *mut c_int).write_unaligned(*value),
                Value::Count(value) => (place as *mut u64).write_unaligned(*value),
                Value::Seconds(value) => (place as *mut f64).write_unaligned(*value),
                Value::Text(text) => {
                    let to = place as *mut u8;
                    std::ptr::copy_nonoverlapping(text.as_ptr(), to, text.len());
                    to.add(text.len()).write(0);
                }
            }
        }
    }

    /// How many elements of its datatype it is.
    pub(super) fn count(&self) -> c_int {
        match self {
            Value::Text(text) => text.len() as c_int + 1,
            _ => 1,
        }
    }

    /// What was added since an earlier value.
    pub(super) fn since(&self, base: &Value) -> Value {
        match (self, base) {
            (Value::Count(now), Value::Count(then)) => Value::Count(now - then),
            (Value::Seconds(now), Value::Seconds(then)) => Value::Seconds(now - then),
            (Value::Integer(now), _) => Value::Integer(*now),
            (Value::Count(now), _) => Value::Count(*now),
            (Value::Seconds(now), _) => Value::Seconds(*now),
            (Value::Text(text), _) => Value::Text(text.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variable_is_in_one_category() {
        let controls: Vec<usize> = CATEGORIES.iter().flat_map(|c| c.controls).copied().collect();
        let performances: Vec<usize> =
            CATEGORIES.iter().flat_map(|c| c.performances).copied().collect();
        for (mut listed, count) in [(controls, CONTROLS.len()), (performances, PERFORMANCES.len())]
        {
            listed.sort_unstable();
            assert!(listed.into_iter().eq(0..count));
        }
    }
}
