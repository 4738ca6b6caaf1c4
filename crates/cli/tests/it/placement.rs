//! Where ranks run.

use crate::{file, foretell, json, printed, refused};

#[test]
fn ranks_fill_the_cores_of_hosts_in_order() {
    let out = printed("app init -n 20 -p star-64");
    assert!(out.contains("20 ranks on 2 of 64 hosts"), "{out}");
}

#[test]
fn maps_spread_ranks_as_they_say() {
    for (map, hosts) in [("block:4", 2), ("block", 8), ("cyclic", 8), ("hosts:node-1,node-2", 2)] {
        let out = printed(&format!("app init -n 8 -p star-64 --map {map}"));
        assert!(out.contains(&format!("8 ranks on {hosts} of 64 hosts")), "{map}: {out}");
    }
}

#[test]
fn host_files_are_read_by_either_name() {
    let (_folder, path) = file("hosts", "node-3 slots=2 # first\nnode-5:1\n\nnode-6\n");
    for option in ["--hostfile ", "--map hostfile:", "-hostfile "] {
        let line = format!("app ring -n 4 -p star-64 {option}{} 2", path.display());
        assert!(printed(&line).contains("4 ranks on 3 of 64 hosts"));
    }
    let run = json(&format!("app init -n 2 -p star-64 --hostfile {}", path.display()));
    assert_eq!(run["provenance"]["mapping"], format!("hostfile:{}", path.display()));
}

#[test]
fn mistakes_in_a_host_file_have_their_place() {
    let (_folder, path) = file("hosts", "node-3\nnod-5\nnode-6:many\n");
    let err = refused(&format!("app init -n 2 -p star-64 --hostfile {}", path.display()), 2);
    assert!(err.contains("hosts:2:1") && err.contains("did you mean `node-5`?"), "{err}");
    assert!(err.contains("hosts:3:8") && err.contains("`many` is no number of ranks"), "{err}");
}

#[test]
fn a_host_that_is_not_there_is_guessed() {
    let err = refused("app init -n 2 -p graphene --map hosts:graphene-1,grapheme-2", 2);
    assert!(err.contains("did you mean `graphene-2`?"), "{err}");
}

#[test]
fn shared_cores_are_worth_a_warning_not_an_error() {
    let said = foretell("app init -n 8 -p star-64 --map hosts:node-0 --quiet");
    assert_eq!((said.code, said.err.as_str()), (0, ""));
    let said = foretell("app init -n 20 -p star-64 --map hosts:node-0 --quiet");
    assert_eq!(said.code, 0);
    assert!(said.err.contains("node-0 has 20 ranks on 16 cores"), "{}", said.err);
}
