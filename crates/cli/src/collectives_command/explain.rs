//! Which algorithm a library chooses, and why.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use foretell_mpi::{CollectiveCall, Operation, Rules, Situation};

use super::rules;
use crate::output;

/// A call, and who makes it.
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The collective operation, such as allreduce
    operation: String,
    /// How many ranks take part
    #[arg(short = 'n', long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    ranks: u32,
    /// Bytes of the vector; of one block for gather, scatter, allgather and alltoall
    #[arg(long, value_name = "N", default_value_t = 0)]
    bytes: u64,
    /// Bytes of one element
    #[arg(long, value_name = "N", default_value_t = 8)]
    element: u64,
    /// Ranks on each node
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    per_node: u32,
    /// Operands must stay in rank order
    #[arg(long)]
    ordered: bool,
    /// The reduction is one of the program, not of MPI
    #[arg(long)]
    user_op: bool,
    /// Whose rules: a name of `collectives list`, or a file
    #[arg(long = "as", value_name = "LIBRARY|FILE")]
    library: String,
}

/// Prints the algorithm and the rule.
pub(crate) fn run(question: &Explain) -> Result<ExitCode> {
    let operation = rules::operation(&question.operation)?;
    let rules = rules::read(&question.library)?;
    let situation = question.situation(operation);
    let chosen = rules.choice(&situation);
    output::print(&format!("{chosen}\n{}", why(&rules, &situation)))?;
    Ok(ExitCode::SUCCESS)
}

/// The rule that fits, and where it leaves the choice to another library, that one's.
fn why(rules: &Rules, situation: &Situation) -> String {
    let (library, operation) = (rules.name(), situation.call.operation.name());
    let Some((number, rule)) = rules.rule(situation) else {
        return format!("{library}: no rule for {operation}, so the default\n");
    };
    let deeper = rule.elsewhere().map_or_else(String::new, |other| why(other, situation));
    let leaves =
        rule.elsewhere().map_or_else(String::new, |other| format!("; as {}", other.name()));
    format!("{library}: rule {number} of {operation}: {rule}{leaves}\n{deeper}")
}

impl Explain {
    fn situation(&self, operation: Operation) -> Situation {
        let call = CollectiveCall {
            element: self.element,
            is_commutative: !self.ordered,
            // No operation that MPI defines depends on the order.
            is_predefined: !self.user_op && !self.ordered,
            ..CollectiveCall::new(operation, self.bytes)
        };
        let is_even = self.ranks.is_multiple_of(self.per_node);
        Situation {
            nodes: self.ranks.div_ceil(self.per_node),
            per_node: if is_even { self.per_node } else { 0 },
            ..Situation::spread(call, self.ranks)
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Words {
        #[command(flatten)]
        explain: Explain,
    }

    fn chosen(line: &str) -> String {
        let explain = Words::parse_from(line.split_whitespace()).explain;
        let operation = rules::operation(&explain.operation).unwrap();
        let rules = rules::read(&explain.library).unwrap();
        rules.choice(&explain.situation(operation)).to_string()
    }

    #[test]
    fn libraries_choose_what_they_choose() {
        assert_eq!(chosen("explain allreduce -n 96 --bytes 65536 --as openmpi"), "rdb");
        assert_eq!(chosen("explain allreduce -n 96 --bytes 65536 --as mpich-4"), "rab_rdb");
        assert_eq!(chosen("explain allreduce -n 96 --per-node 16 --as openmpi"), "han");
        let ordered = "explain reduce -n 5 --bytes 100 --ordered --as openmpi-4.1";
        assert_eq!(chosen(ordered), "ompi_basic_linear");
    }
}
