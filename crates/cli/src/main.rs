//! The foretell command.
fn main() {}
