//! Clusters learnt from tables and drawn for machines.

use std::fs;

use crate::{foretell, printed, refused};

const TABLE: &str = "\
kernel,node,cpu,day,mnk,intercept,mnk_residual
dgemm,a,0,mon,1.00e-11,2e-6,3e-13
dgemm,a,0,tue,1.02e-11,2e-6,3e-13
dgemm,b,0,mon,1.04e-11,3e-6,2e-13
dgemm,b,0,tue,1.06e-11,3e-6,3e-13
";

#[test]
fn a_cluster_that_was_learnt_and_drawn_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (table, model) = (path("table.csv"), path("model.toml"));
    fs::write(&table, TABLE).unwrap();
    printed(&format!("cluster fit {table} --output {model}"));
    for kernels in [path("kernels.toml"), path("kernels.csv")] {
        printed(&format!("cluster draw {model} -p star-64 --seed 3 --output {kernels}"));
        let run = "app hpl -p star-64 --map cyclic -N 400 --nb 32 -P 2 -Q 2 --no-noise --json -";
        printed(&format!("{run} --kernels {kernels}"));
    }
    let drawn = |seed: u32| printed(&format!("cluster draw {model} --hosts n-[1-3] --seed {seed}"));
    assert_eq!(drawn(1), drawn(1));
    assert_ne!(drawn(1), drawn(2));
    assert_eq!(drawn(1).matches("[[dgemm.on]]").count(), 3);
    let days = printed(&format!("cluster draw {model} --hosts n-[1-3] --days 2 --cpus 2"));
    assert_eq!(days.matches("day = \"2\"").count(), 6);
}

#[test]
fn mistakes_name_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, TABLE.replace("1.04e-11", "quick")).unwrap();
    let told = refused(&format!("cluster fit {}", path.display()), 2);
    assert!(told.contains("table.csv:4"), "{told}");
    assert!(told.contains("`quick` is not a number of seconds"), "{told}");
    let told = refused("cluster draw no/such.toml -p star-64", 2);
    assert!(told.contains("cannot read no/such.toml"), "{told}");
    assert_eq!(foretell("cluster draw model.toml").code, 2);
}

#[test]
fn one_day_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, "node,mnk\na,1e-11\nb,2e-11\n").unwrap();
    let said = foretell(&format!("cluster fit {}", path.display()));
    assert_eq!(said.code, 0);
    assert!(said.err.contains("nothing is known of days"), "{}", said.err);
    let told = refused(&format!("cluster fit {} --kinds 3", path.display()), 2);
    assert!(told.contains("2 processors are not enough to tell 3 kinds apart"), "{told}");
}
