//! What the crate promises, one file per behaviour.

mod collective_data;
mod communicators;
mod deadlock;
mod matching;
mod point_to_point;
mod same_times;
mod several_at_once;
mod support;
mod times;
