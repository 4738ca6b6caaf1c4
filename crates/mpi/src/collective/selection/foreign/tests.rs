//! Files of MPI libraries, right and wrong.

use proptest::prelude::*;

use super::*;
use crate::collective::selection::{Call, Situation};

/// Two sizes of communicators for bcast, one for alltoall; a comment on a line of its own.
const CLASSIC: &str = "\
2 # collectives
7 # bcast
2 # sizes of communicators
4 2
0 6 0 0 # short: binomial
65536 2 4 8192
16 1
0 0 0 0 # Open MPI's own choice
# the other collective
3 1 8 2
0 3 0 0
8192 4 0 0
";

fn read(text: &str) -> Rules {
    Rules::read("file", text).unwrap()
}

fn mistakes(text: &str) -> Vec<String> {
    Rules::read("file", text).unwrap_err().0
}

/// What runs on so many ranks, each on a node of its own.
fn chosen(rules: &Rules, operation: Operation, ranks: u32, bytes: u64) -> String {
    rules.choice(&Situation::spread(Call::new(operation, bytes), ranks)).to_string()
}

#[test]
fn rules_of_open_mpi_choose_as_it_would() {
    let rules = read(CLASSIC);
    let bcast = |ranks, bytes| chosen(&rules, Operation::Bcast, ranks, bytes);
    assert_eq!(bcast(8, 65_535), "ompi_binomial, segments of 0 bytes");
    assert_eq!(bcast(8, 65_536), "ompi_chain, segments of 8192 bytes, radix 4");
    // The first size is also for smaller communicators.
    assert_eq!(bcast(2, 100), "ompi_binomial, segments of 0 bytes");
    let fixed = Library::OpenMpi4.rules();
    assert_eq!(bcast(16, 100), chosen(&fixed, Operation::Bcast, 16, 100));
    // Sizes of an alltoall are those of all blocks.
    let alltoall = |bytes| chosen(&rules, Operation::Alltoall, 8, bytes);
    assert_eq!(
        (alltoall(1023).as_str(), alltoall(1024).as_str()),
        ("bruck", "linear_sync, radix 0")
    );
    // What the file does not name is as Open MPI has it.
    let other = |rules| chosen(rules, Operation::Allreduce, 24, 100_000);
    assert_eq!(other(&rules), other(&fixed));
}

#[test]
fn the_second_version_may_limit_requests() {
    let text = "rule-file-version-2\n1\n3\n1\n2\n2\n0 4 0 0 7\n100 4 0 0\n";
    let rules = read(text);
    assert_eq!(chosen(&rules, Operation::Alltoall, 2, 1), "linear_sync, radix 7");
    assert_eq!(chosen(&rules, Operation::Alltoall, 2, 50), "linear_sync, radix 0");
}

#[test]
fn mistakes_in_numbers_have_their_lines() {
    let check = |text: &str, start: &str| {
        let found = mistakes(text);
        assert!(found[0].starts_with(start), "{found:?}");
    };
    check("1\n7\none\n", "line 3: expected the number of communicator sizes, found `one`");
    check("1\n99\n", "line 2: expected the number of a collective, at most 21, found 99");
    check("1\n7\n1\n4 1\n16 1 0 0\n", "line 5: the first message size is 0, found 16");
    check("1\n7\n1\n4 1\n0 1 0\n", "line 5: expected the segment size, found the end of the file");
    check("1\n7\n1\n4 1\n0 1 0 0\n3\n", "line 6: expected the end of the file, found `3`");
    check("1\n7\n1\n4 1\n0 12 0 0\n", "line 5: Open MPI has no algorithm number 12 of bcast");
    check("rule-file-version-3\n1\n", "line 1: expected rule-file-version-1 or");
}

const JSON: &str = r#"{
  "rule_file_version": 3,
  "module": "tuned",
  "collectives": {
    "allreduce": [
      { "comm_size_min": 2, "comm_size_max": 8, "comm_rank_distribution": "single-node",
        "rules": [ { "alg": "ring" } ] },
      { "comm_size_min": 2, "comm_size_max": 8,
        "rules": [
          { "msg_size_max": 1000, "alg": 3 },
          { "msg_size_min": 4000, "msg_size_max": "inf", "alg": "segmented_ring", "seg_size": 4096 }
        ] }
    ]
  }
}"#;

#[test]
fn rules_of_open_mpi_may_be_json() {
    let rules = read(JSON);
    let allreduce = |ranks, bytes| chosen(&rules, Operation::Allreduce, ranks, bytes);
    assert_eq!(allreduce(8, 1000), "rdb");
    assert_eq!(allreduce(8, 4000), "ompi_ring_segmented, segments of 4096 bytes");
    let fixed =
        |ranks, bytes| chosen(&Library::OpenMpi4.rules(), Operation::Allreduce, ranks, bytes);
    assert_eq!(allreduce(8, 2000), fixed(8, 2000));
    assert_eq!(allreduce(9, 10), fixed(9, 10));
    let call = Call::new(Operation::Allreduce, 10);
    let together = Situation { nodes: 1, per_node: 8, ..Situation::spread(call, 8) };
    assert_eq!(rules.choice(&together).algorithm, "lr");
}

#[test]
fn all_mistakes_of_json_are_told() {
    let text = JSON.replace("\"ring\"", "\"sparbit\"").replace("seg_size", "segsize");
    let found = mistakes(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found[0].starts_with("line 7: Open MPI has no algorithm `sparbit` of allreduce"));
    assert!(found[1].starts_with("line 11: there is no `segsize` here; there are alg,"));
}

const MPICH: &str = r#"{
  "collective=allreduce": {
    "comm_type=intra": {
      "comm_hierarchy=parent": { "algorithm=MPIR_Allreduce_intra_smp": {} },
      "comm_hierarchy=any": {
        "avg_msg_size<=8": { "algorithm=MPIR_Allreduce_intra_recursive_doubling": {} },
        "comm_size < 16": {
          "count<pow2": { "algorithm=MPIR_Allreduce_intra_recexch": { "k=3": {} } },
          "count=any": { "algorithm=MPIR_Allreduce_intra_ring": {} }
        },
        "comm_size=any": { "algorithm=MPIR_Allreduce_intra_reduce_scatter_allgather": {} }
      }
    },
    "comm_type=inter": { "algorithm=MPIR_Allreduce_inter_reduce_exchange_bcast": {} }
  },
  "collective=iallreduce": { "algorithm=MPIR_Iallreduce_intra_tsp_tree": {} }
}"#;

#[test]
fn tuning_of_mpich_chooses_as_it_would() {
    let rules = read(MPICH);
    let allreduce = |ranks, bytes| chosen(&rules, Operation::Allreduce, ranks, bytes);
    assert_eq!(allreduce(4, 8), "rdb");
    // Below a condition on the call, MPICH takes `comm_size<16` for `comm_size<=16`.
    assert_eq!(allreduce(16, 16), "lr");
    assert_eq!(allreduce(17, 17), "rab_rdb");
    let call = Call { element: 8, ..Call::new(Operation::Allreduce, 16) };
    assert_eq!(
        rules.choice(&Situation::spread(call, 15)).to_string(),
        "recursive_exchange, radix 3"
    );
    let crowded = Situation { nodes: 2, per_node: 2, ..Situation::spread(call, 4) };
    assert_eq!(rules.choice(&crowded).algorithm, "two_level");
    let other = |rules| chosen(rules, Operation::Bcast, 24, 100_000);
    assert_eq!(other(&rules), other(&Library::Mpich4.rules()));
}

#[test]
fn mistakes_of_tuning_have_their_lines() {
    let text = MPICH
        .replace("intra_ring", "intra_recursive_multiplying")
        .replace("comm_size=any", "comm_size=odd");
    let found = mistakes(&text);
    assert_eq!(found.len(), 2, "{found:?}");
    let start = "line 9: allreduce by MPICH's `MPIR_Allreduce_intra_recursive_multiplying`";
    assert!(found[0].starts_with(start), "{found:?}");
    assert!(found[1].starts_with("line 11: `comm_size=odd` is no condition"), "{found:?}");
    assert_eq!(mistakes("{\n\"collective=bcast\": 3\n}")[0].split(':').next(), Some("line 2"));
    assert_eq!(mistakes("{ \"a\" 1 }")[0], "line 1: expected `:`, found `1`");
}

/// Pieces of the three formats, and of none.
fn scraps() -> impl Strategy<Value = String> {
    let scraps = [
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"",
        "\\",
        "\n",
        " ",
        "#",
        "=",
        "<",
        "0",
        "1",
        "7",
        "16",
        "-1",
        "18446744073709551615",
        "0x",
        "true",
        "é",
        "\"collectives\"",
        "\"bcast\"",
        "\"rules\"",
        "\"alg\"",
        "\"collective=bcast\"",
        "\"comm_size<=\"",
        "\"comm_size<0\"",
        "\"avg_msg_size<=18446744073709551615\"",
        "\"algorithm=MPIR_Bcast_intra_binomial\"",
        "rule-file-version-2",
    ];
    prop::collection::vec(prop::sample::select(scraps.to_vec()), 0..40)
        .prop_map(|scraps| scraps.concat())
}

proptest! {
    #[test]
    fn no_text_is_too_odd(text in any::<String>()) {
        let _ = Rules::read("file", &text);
    }

    #[test]
    fn no_mixture_of_the_formats_is_too_odd(text in scraps()) {
        if let Some(Err(mistakes)) = lists(&text) {
            prop_assert!(!mistakes.0.is_empty());
            prop_assert!(mistakes.0.iter().all(|mistake| mistake.starts_with("line ")));
        }
    }

    #[test]
    fn numbers_are_rules_or_a_mistake(numbers in prop::collection::vec(0_u64..24, 1..60)) {
        let words: Vec<_> = numbers.iter().map(u64::to_string).collect();
        if let Ok(rules) = Rules::read("file", &words.join(" ")) {
            let call = Call::new(Operation::Bcast, 5);
            prop_assert!(rules.rule(&Situation::spread(call, 7)).is_some());
        }
    }
}
