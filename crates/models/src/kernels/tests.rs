//! Files of models: what they mean for a machine, and their mistakes.

use foretell_diagnostics::Diagnostic;
use foretell_platform::{HostId, Platform};

use super::spec::Numbering;
use super::{ComputeKernels, KernelId, RankKernels};

const MODELS: &str = r#"
cpus = 2
[dgemm]
mean = { mnk = 1e-11, 1 = 1e-6 }
deviation = { mnk = 1e-12 }
[[dgemm.on]]
hosts = ["dahu-[13-16]"]
mean = { mnk = 2e-11 }
[[dgemm.on]]
hosts = "dahu-13"
cpu = 1
mean = { mnk = 3e-11 }
[dlaswp]
mean = { mn = 1e-9 }
[spmv]
dimensions = "n"
mean = { n = 1e-9, "n^2" = 1e-12 }
"#;

/// The mean duration of calls on rank 0 of each host, or on the rank after so many.
fn times(text: &str, hosts: &[u32], day: Option<&str>) -> Result<RankKernels, String> {
    let kernels = ComputeKernels::from_toml(text).unwrap().without_noise();
    let platform = Platform::named("dahu").unwrap();
    let hosts: Vec<HostId> = hosts.iter().map(|host| HostId(*host)).collect();
    RankKernels::new(&kernels, &platform, &hosts, day, 1).map_err(|why| why.to_string())
}

#[test]
fn the_closest_model_counts() {
    // Seventeen ranks on the thirteenth host: the last is on the second CPU.
    let mut hosts = vec![0, 13];
    hosts.extend([12; 17]);
    let mut kernels = times(MODELS, &hosts, None).unwrap();
    let mut gemm = |rank| kernels.draw(rank, KernelId::DGEMM, [100.0; 3]);
    let close = |time: f64, expected: f64| (time / expected - 1.0).abs() < 1e-12;
    assert!(close(gemm(0), 1.1e-5));
    assert!(close(gemm(1), 2e-5));
    assert!(close(gemm(2), 2e-5));
    assert!(close(gemm(18), 3e-5));
}

#[test]
fn cores_are_numbered_in_blocks_or_in_turn() {
    let text =
        "cpus = 2\ncores = \"alternate\"\n[dgemm]\nmean = 1\n[[dgemm.on]]\ncpu = 1\nmean = 2";
    let on_cpus = |text: &str| {
        let mut kernels = times(text, &[0; 32], None).unwrap();
        (0..32).map(move |rank| kernels.draw(rank, KernelId::DGEMM, [1.0; 3])).collect::<Vec<_>>()
    };
    let expected = |cpu: fn(u32) -> u32| (0..32).map(move |core| 1.0 + f64::from(cpu(core)));
    assert!(on_cpus(text).into_iter().eq(expected(|core| core % 2)));
    let blocks = text.replace("alternate", "blocks");
    assert!(on_cpus(&blocks).into_iter().eq(expected(|core| core / 16)));

    let table = "kernel,cpu,cores,1\ndgemm,0,alternate,1\ndgemm,1,,2\n";
    assert_eq!(ComputeKernels::from_csv(table).unwrap().numbering, Numbering::Alternate);
}

#[test]
fn kernels_stand_in_for_each_other_and_for_their_operations() {
    let mut kernels = times(MODELS, &[0], None).unwrap();
    let speed = Platform::named("dahu").unwrap().host(HostId(0)).speed();
    let mut time = |id, dimensions| kernels.draw(0, id, dimensions);
    assert!((time(KernelId::DLASWP04, [10.0, 20.0, 1.0]) - 200e-9).abs() < 1e-20);
    assert_eq!(time(KernelId::DAXPY, [1000.0, 1.0, 1.0]), 2000.0 / speed);
    assert_eq!(time(KernelId::DTRSM, [10.0, 20.0, 1.0]), 2000.0 / speed);
    assert_eq!(time(KernelId::DCOPY, [1000.0, 1.0, 1.0]), 0.0);
}

#[test]
fn users_have_kernels_of_their_own() {
    let mut kernels = times(MODELS, &[0], None).unwrap();
    let spmv = kernels.id("spmv").unwrap();
    let time = kernels.draw(0, spmv, [1000.0, 1.0, 1.0]);
    assert!((time - 2e-6).abs() < 1e-18);
    assert_eq!(kernels.id("nothing"), None);
}

#[test]
fn days_must_be_chosen() {
    let text = "[dgemm]\n[[dgemm.on]]\nday = \"monday\"\nmean = 1.0\n[[dgemm.on]]\nday = \"friday\"\nmean = 2.0";
    let refused = |day| times(text, &[0], day).unwrap_err();
    assert!(
        refused(None).ends_with("host dahu-1; choose a day: monday, friday"),
        "{}",
        refused(None)
    );
    assert!(refused(Some("sunday")).ends_with("on day sunday; there are: monday, friday"));
    let mut kernels = times(text, &[0], Some("friday")).unwrap();
    assert_eq!(kernels.draw(0, KernelId::DGEMM, [1.0; 3]), 2.0);
}

#[test]
fn draws_of_a_rank_do_not_depend_on_others() {
    let kernels = ComputeKernels::from_toml(MODELS).unwrap();
    let platform = Platform::named("dahu").unwrap();
    let ranks = || RankKernels::new(&kernels, &platform, &[HostId(0), HostId(1)], None, 5).unwrap();
    let (mut alone, mut together) = (ranks(), ranks());
    for _ in 0..100 {
        together.draw(0, KernelId::DGEMM, [50.0; 3]);
        let dimensions = [70.0, 80.0, 90.0];
        assert_eq!(
            alone.draw(1, KernelId::DGEMM, dimensions),
            together.draw(1, KernelId::DGEMM, dimensions)
        );
    }
}

/// Whether there is one mistake, with this message, about this text.
fn check(read: Result<ComputeKernels, Vec<Diagnostic>>, text: &str, about: &str, message: &str) {
    let mistakes = read.unwrap_err();
    assert_eq!(mistakes.len(), 1, "{mistakes:?}");
    assert_eq!(mistakes[0].message, message);
    assert_eq!(&text[mistakes[0].span.clone()], about);
}

fn toml(text: &str, about: &str, message: &str) {
    check(ComputeKernels::from_toml(text), text, about, message);
}

fn csv(text: &str, about: &str, message: &str) {
    check(ComputeKernels::from_csv(text), text, about, message);
}

#[test]
fn mistakes_in_toml_have_their_places() {
    toml("[dgem]\nmean = 1", "dgem", "`dgem` is not a kernel that is known by name");
    toml("[dgemm]\nmaen = 1", "maen", "unknown key `maen` in a model");
    toml(
        "[daxpy]\nmean = { m = 1 }",
        "m",
        "`m` is no product of the dimensions `n`: there is no `m`",
    );
    toml(
        "[dgemm]\nmean = \"fast\"",
        "\"fast\"",
        "expected a number of seconds, or a table of terms",
    );
    toml(
        "[dgemm]\n[[dgemm.on]]\ncpu = 1\nmean = 1\nhosts = \"a-[3-1]\"",
        "\"a-[3-1]\"",
        "this is no range of hosts",
    );
    toml("cores = \"odd\"", "\"odd\"", "expected \"blocks\" or \"alternate\"");
    toml("cpus = 0", "0", "expected a whole number from 1 to 1024");
    toml("[dgemm]\ndimensions = \"mn\"", "dgemm", "the dimensions of `dgemm` are `mnk`");
    toml(
        "[x]\ndimensions = \"nn\"",
        "\"nn\"",
        "dimensions are one to three different letters, as in \"mn\"",
    );
}

#[test]
fn tables_are_read_by_their_columns() {
    let text = "kernel,node,cpu,mnk,intercept,mnk_residual\n\
                dgemm,dahu-1,0,1e-11,1e-6,0\n\
                dgemm,dahu-1,1,2e-11,,0\n";
    let kernels = ComputeKernels::from_csv(text).unwrap();
    assert_eq!(kernels.cpus, 2);
    let platform = Platform::named("dahu").unwrap();
    let mut ranks = RankKernels::new(&kernels, &platform, &[HostId(0); 32], None, 1).unwrap();
    let mut gemm = |rank| ranks.draw(rank, KernelId::DGEMM, [100.0; 3]);
    assert!((gemm(15) - 1.1e-5).abs() < 1e-18);
    assert!((gemm(16) - 2e-5).abs() < 1e-18);
}

#[test]
fn mistakes_in_tables_have_their_places() {
    csv("", "", "the table is empty");
    csv("host,mnk\na,1", "host", "no column is called `kernel`");
    csv("kernel,mnk\ndgemm,x", "x", "`x` is not a number of seconds");
    csv("kernel,cores,mnk\ndgemm,odd,1", "odd", "expected `blocks` or `alternate`");
    csv("kernel,mnk\ndgemm", "dgemm", "1 fields under 2 columns");
    csv("kernel,mnk\ngemm,1", "gemm", "`gemm` is not a kernel that is known by name");
    csv("kernel,m\ndaxpy,1", "1", "`m` is no product of the dimensions `n`: there is no `m`");
    let high = "n".repeat(300);
    csv(&format!("kernel,{high}\ndaxpy,1"), "1", "a term has a power of `n` above 9");
}
