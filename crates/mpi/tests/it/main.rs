//! What the crate promises, one file per behaviour.

mod algorithms_used;
mod beside_each_other;
mod callers;
mod collective_checks;
mod collective_data;
mod communicators;
mod deadlock;
mod derived;
mod endless;
mod energy;
mod energy_of_network;
mod governors;
mod inter;
mod inter_data;
mod matching;
mod mismatch;
mod neighbours;
mod observed_choices;
mod parameters;
mod point_to_point;
mod same_times;
mod several_at_once;
mod support;
mod times;
mod windows;
