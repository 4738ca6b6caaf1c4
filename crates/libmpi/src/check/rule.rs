//! What the standard says, in our words, and where: MPI 4.1.

/// A rule of the standard.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rule {
    pub(super) text: &'static str,
    pub(super) section: &'static str,
}

const fn rule(section: &'static str, text: &'static str) -> Rule {
    Rule { text, section }
}

pub(super) const ORDER: Rule =
    rule("6.14", "all ranks of a communicator call the same collectives on it, in the same order");

/// All ranks name one root, as the section of each collective says.
pub(super) fn root(collective: &str) -> Rule {
    rule(section(collective), "all ranks of the communicator name the same root")
}

/// All ranks agree on a reduction, as the section of each says.
pub(super) fn reduction(collective: &str) -> Rule {
    let text = "all ranks of the communicator name the same count, datatype and operation";
    rule(section(collective), text)
}

/// Where a collective is defined, by its blocking form.
fn section(collective: &str) -> &'static str {
    match collective {
        "MPI_Bcast" => "6.4",
        "MPI_Gather" | "MPI_Gatherv" => "6.5",
        "MPI_Scatter" | "MPI_Scatterv" => "6.6",
        "MPI_Reduce" => "6.9.1",
        "MPI_Allreduce" => "6.9.6",
        "MPI_Reduce_scatter_block" => "6.10.1",
        "MPI_Reduce_scatter" => "6.10.2",
        "MPI_Scan" => "6.11.1",
        "MPI_Exscan" => "6.11.2",
        _ => "6.1",
    }
}

pub(super) const AMOUNT: Rule = rule(
    "6.1",
    "in a collective, the elements that one rank sends are exactly those that the other expects, \
     in number and type",
);
pub(super) const TYPES: Rule = rule(
    "3.3.1",
    "a receive names the basic types of what was sent, in the same order; only MPI_PACKED matches \
     others",
);
pub(super) const OVERLAP: Rule = rule(
    "3.7.2",
    "until an operation is complete, nobody touches the buffer that it receives into, and nobody \
     changes the buffer that it sends from",
);
pub(super) const ALIAS: Rule =
    rule("2.3", "what a call writes to must not overlap what else the same call is given");
pub(super) const EXCHANGE: Rule =
    rule("3.10", "the buffer that a call sends from and the one it receives into are disjoint");
pub(super) const CHANGED: Rule =
    rule("3.7.2", "the program leaves a send buffer as it is until the send is complete");
pub(super) const UNSAFE: Rule = rule(
    "3.5",
    "a send may wait for its receive: whether a message is buffered is up to the library, and a \
     safe program needs no buffering",
);
pub(super) const SYNCHRONISES: Rule = rule(
    "6.14",
    "a collective may hold a rank until all others have called it: a correct program does not rely \
     on going on before",
);
pub(super) const LOST: Rule =
    rule("11.2.2", "every message has been received before its receiver calls MPI_Finalize");
pub(super) const COMPLETED: Rule = rule(
    "11.2.2",
    "before MPI_Finalize, every operation is completed by a wait or a test, or its request is \
     freed",
);
pub(super) const FREED: Rule = rule(
    "11.2.2",
    "MPI_Finalize does not free the objects that a program has made: each kind has its call for it",
);
