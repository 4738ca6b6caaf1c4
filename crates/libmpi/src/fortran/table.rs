//! Entry points that follow from the prototypes, by chapter. Written by `cargo xtask fortran`.

mod attributes;
mod collectives;
mod communicators;
mod datatypes;
mod environment;
mod files;
mod languages;
mod one_sided;
mod point_to_point;
mod removed;
mod topologies;
