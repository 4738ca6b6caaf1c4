//! Programs that call compute kernels, by name or through the BLAS, and what they draw.

use anyhow::{Context, Result, bail};

use super::{Place, expect};
use crate::shell;
use crate::test::End;

/// Kernels that a program names, in C and in C++; what is wrong with a call is told.
pub(super) fn by_name(place: &Place) -> Result<End> {
    place.build("kernel")?;
    let mut compile = place.command(place.bin.join("foretell-mpicxx"));
    compile.args(["-x", "c++"]).arg(place.sources.join("kernel.c")).args(["-o", "kernel++"]);
    shell::output(&mut compile)?;
    let models = models(place);
    let options = ["-n", "2", "--computation", "off", "--kernels", &models];
    for program in ["./kernel", "./kernel++"] {
        let told = place.run(&[&options[..], &[program]].concat())?;
        let expected = "rank 0: dgemm 1.250 s, stencil 0.600 s, simulated 1\n\
                        rank 1: dgemm 1.250 s, stencil 0.700 s, simulated 1";
        expect(&told, expected).with_context(|| program.to_owned())?;
    }
    for (word, why) in [
        ("unknown", "there is no kernel `nothing`; describe it in a file"),
        ("few", "`dgemm` has 3 dimensions, and the call gives 2"),
    ] {
        let words = [&["run", "-q"], &options[..], &["./kernel", word]].concat();
        let ran = place.command(place.bin.join("foretell")).args(words).output()?;
        let told = String::from_utf8_lossy(&ran.stderr);
        if ran.status.success() || !told.contains(why) {
            bail!("expected a failure with `{why}`, told `{told}`");
        }
    }
    let alone = shell::output(&mut place.command("./kernel"))?;
    expect(alone.trim(), "rank 0: dgemm 0.000 s, stencil 0.000 s, simulated 0")
}

/// Routines that are skipped, computed, or both, as `--blas` says.
pub(super) fn blas(place: &Place) -> Result<End> {
    place.build_with("blas", &["-lforetell_blas"])?;
    let models = models(place);
    let computed = "product 2 0 1 4, solution -0.5 2, largest 3";
    let skipped = "product 0 0 0 0, solution 1 8, largest 3";
    let none = "product 0 0 0 0, solution 1 8, largest 0";
    for (words, expected, times) in [
        (&[][..], skipped, "0.25 0.40 0.04"),
        (&["--blas", "skip=all"], none, "0.25 0.40 0.04"),
        (&["--blas", "both=all"], computed, "0.25 0.40 0.04"),
        (&["--blas", "compute=all"], computed, "0.00 0.00 0.00"),
        (
            &["--blas", "compute=dgemm,dtrsm", "--blas", "skip=dtrsm"],
            "product 2 0 1 4, solution 1 8, largest 3",
            "0.00 0.40 0.04",
        ),
    ] {
        let options = ["--computation", "off", "--kernels", &models];
        let told = place.run(&[&options[..], words, &["./blas"]].concat())?;
        expect(&told, &format!("{expected}, took {times} s"))
            .with_context(|| format!("{words:?}"))?;
    }
    let alone = shell::output(&mut place.command("./blas"))?;
    expect(alone.trim(), &format!("{computed}, took 0.00 0.00 0.00 s"))
}

/// Kernels count as computing, and all parts add up.
pub(super) fn energy(place: &Place) -> Result<End> {
    place.build("kernel")?;
    let (models, file) = (models(place), place.scratch.join("energy.json"));
    let file = file.display().to_string();
    let options = ["-n", "2", "-p", "taurus", "--computation", "off", "--kernels", &models];
    place.run(&[&options[..], &["--energy", "--json", &file, "./kernel"]].concat())?;
    let summary: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let energy = &summary["energy"];
    let figure = |name: &str| energy[name].as_f64().unwrap_or(f64::NAN);
    let calls = energy["per_call"].as_array().context("no calls")?;
    let in_calls: f64 = calls.iter().filter_map(|call| call["joules"].as_f64()).sum();
    let parts = figure("nodes_own_j") + figure("computing_j") + in_calls;
    if (parts - figure("joules")).abs() > 1e-9 * parts || parts.is_nan() {
        bail!("{parts} J in parts, {} J together", figure("joules"));
    }
    // Each core adds (214 W - 92 W) / 12 while it computes.
    let computing = (1.85 + 1.95) * (214.0 - 92.0) / 12.0;
    if (figure("computing_j") - computing).abs() > 1e-6 * computing {
        bail!("{} J of computing, expected {computing}", figure("computing_j"));
    }
    if !calls.iter().any(|call| call["call"] == "MPI_Finalize") {
        bail!("no energy of MPI_Finalize: {calls:?}");
    }
    Ok(End::Passed)
}

/// A program that changes the pstate of its node: its computation and its power follow.
pub(super) fn pstates(place: &Place) -> Result<End> {
    place.build("pstate")?;
    let (machine, file) = (place.sources.join("pstates.toml"), place.scratch.join("pstate.json"));
    let (machine, file) = (machine.display().to_string(), file.display().to_string());
    let options = ["-n", "1", "-p", &machine, "--computation", "off"];
    let told = place.run(&[&options[..], &["--energy", "--json", &file, "./pstate"]].concat())?;
    expect(&told, "pstate 1 of 2, 0.500 s, then 2.000 s")?;
    let summary: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(file)?)?;
    let computing = summary["energy"]["computing_j"].as_f64().unwrap_or(f64::NAN);
    // One of two cores adds 50 W for half a second, then 20 W for two.
    if (computing - 65.0).abs() > 1e-6 || computing.is_nan() {
        bail!("{computing} J of computing, expected 65");
    }
    let words = [&["run", "-q"], &options[..], &["./pstate", "more"]].concat();
    let ran = place.command(place.bin.join("foretell")).args(words).output()?;
    let (told, why) = (String::from_utf8_lossy(&ran.stderr), "there is no pstate 9");
    if ran.status.success() || !told.contains(why) {
        bail!("expected a failure with `{why}`, told `{told}`");
    }
    let alone = shell::output(&mut place.command("./pstate"))?;
    expect(alone.trim(), "pstate 0 of 1, 0.000 s, then 0.000 s")
}

fn models(place: &Place) -> String {
    place.sources.join("kernels.toml").display().to_string()
}
