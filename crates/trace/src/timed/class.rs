//! Kinds of states, by their names.

/// What a state is: computing, sleeping, or a call of some kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// The program's own work.
    Computing,
    /// Letting time pass.
    Sleeping,
    /// A blocking send.
    Send,
    /// The start of a send.
    Isend,
    /// A blocking receive.
    Receive,
    /// The start of a receive.
    Ireceive,
    /// Both at once.
    Sendreceive,
    /// Waiting for requests.
    Wait,
    /// Looking whether something is there: polling.
    Test,
    /// A barrier.
    Barrier,
    /// Another collective operation.
    Collective,
    /// One-sided communication.
    OneSided,
    /// The use of a file.
    File,
    /// Any other call.
    Other,
}

impl Class {
    /// The class of a state by its name.
    pub fn of(name: &str) -> Self {
        let Some(call) = name.strip_prefix("MPI_") else {
            return match name {
                "computing" => Class::Computing,
                "sleeping" => Class::Sleeping,
                "reading or writing a file" => Class::File,
                _ => Class::Other,
            };
        };
        // Calls with large counts are the same calls.
        match call.strip_suffix("_c").unwrap_or(call) {
            "Send" | "Ssend" | "Bsend" | "Rsend" => Class::Send,
            "Isend" | "Issend" | "Ibsend" | "Irsend" | "Start" | "Startall" | "Psend_init" => {
                Class::Isend
            }
            "Recv" | "Mrecv" => Class::Receive,
            "Irecv" | "Imrecv" => Class::Ireceive,
            "Sendrecv" | "Sendrecv_replace" => Class::Sendreceive,
            "Barrier" => Class::Barrier,
            call if call.starts_with("Wait") => Class::Wait,
            "Probe" | "Iprobe" | "Mprobe" | "Improbe" | "Request_get_status" => Class::Test,
            call if call.starts_with("Test") => Class::Test,
            call if call.starts_with("File_") => Class::File,
            call if call.starts_with("Win_") => Class::OneSided,
            "Put" | "Get" | "Rput" | "Rget" | "Fetch_and_op" | "Compare_and_swap" => {
                Class::OneSided
            }
            call if call.contains("ccumulate") => Class::OneSided,
            call if is_collective(call) => Class::Collective,
            _ => Class::Other,
        }
    }

    /// Whether it is neither the program's own work nor sleep.
    pub fn is_call(self) -> bool {
        !matches!(self, Class::Computing | Class::Sleeping)
    }
}

/// Whether a call moves data between all ranks of a communicator.
fn is_collective(call: &str) -> bool {
    const STEMS: [&str; 10] = [
        "bcast",
        "gather",
        "scatter",
        "allgather",
        "alltoall",
        "reduce",
        "allreduce",
        "scan",
        "exscan",
        "barrier",
    ];
    let call = call.to_ascii_lowercase();
    let call = call.strip_prefix("neighbor_").or(call.strip_prefix("ineighbor_")).unwrap_or(&call);
    let is_stem = |call: &str| STEMS.iter().any(|stem| call.starts_with(stem));
    is_stem(call) || call.strip_prefix('i').is_some_and(is_stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_what_a_rank_is_doing() {
        let check = |name, class| assert_eq!(Class::of(name), class, "{name}");
        check("computing", Class::Computing);
        check("MPI_Send_c", Class::Send);
        check("MPI_Iallreduce", Class::Collective);
        check("MPI_Neighbor_alltoallw", Class::Collective);
        check("MPI_Reduce_scatter_block", Class::Collective);
        check("MPI_Ibarrier", Class::Collective);
        check("MPI_Barrier", Class::Barrier);
        check("MPI_Waitsome", Class::Wait);
        check("MPI_Improbe", Class::Test);
        check("MPI_Get", Class::OneSided);
        check("MPI_Get_accumulate", Class::OneSided);
        check("MPI_File_write_at_all", Class::File);
        check("MPI_Init", Class::Other);
        check("MPI_Info_create", Class::Other);
    }
}
