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

/// Slopes of dgemm in a drawn file, one for each processor.
fn slopes(drawn: &str) -> Vec<f64> {
    let of_line =
        |line: &str| line.split("\"mnk\" = ").nth(1)?.split([',', ' ']).next()?.parse().ok();
    drawn.lines().filter(|line| line.starts_with("mean")).filter_map(of_line).collect()
}

#[test]
fn measured_clusters_are_drawn_with_their_differences() {
    // Dahu's 64 CPUs were measured with slopes of 7.382e-11 s and a deviation of 2.51e-12 s between
    // them when all was well, of 7.471e-11 and 4.21e-12 s when four nodes were badly cooled.
    for (name, mean, deviation) in
        [("healthy", 7.382e-11, 2.51e-12), ("faulty", 7.471e-11, 4.21e-12)]
    {
        let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/validation/cluster-");
        let hosts = "--hosts n-[1-2000] --daily 0 --seed 1";
        let slopes = slopes(&printed(&format!("cluster draw {model}{name}.toml {hosts}")));
        assert_eq!(slopes.len(), 4000, "{name}");
        let found = slopes.iter().sum::<f64>() / 4000.0;
        let squares: f64 = slopes.iter().map(|slope| (slope - found).powi(2)).sum();
        let spread = (squares / 3999.0).sqrt();
        assert!((found / mean - 1.0).abs() < 0.01, "{name}: {found:e}");
        assert!((spread / deviation - 1.0).abs() < 0.1, "{name}: {spread:e}");
    }
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
    assert!(told.contains("2 nodes are not enough to tell 3 kinds apart"), "{told}");
}
