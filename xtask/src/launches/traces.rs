//! Traces with dates of compiled programs: lines of the source, and what a crash leaves behind.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};

use super::Place;
use crate::shell;
use crate::test::End;

/// A folder of its own for traces.
fn folder(place: &Place, name: &str) -> Result<PathBuf> {
    let folder = place.scratch.join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir(&folder)?;
    Ok(folder)
}

/// Each call is told with its line, in all formats that can say so.
pub(super) fn lines(place: &Place) -> Result<End> {
    place.build("lines")?;
    let folder = folder(place, "with-lines")?;
    let trace = |name: &str, options: &[&str]| -> Result<String> {
        let path = folder.join(name);
        let file = path.display().to_string();
        let words = ["-n", "3", "--computation", "off", "--trace", &file];
        place.run(&[&words[..], options, &["./lines"]].concat())?;
        Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
    };
    let table = trace("a.csv", &["--trace-lines"])?;
    for (line, calls) in [("8\n", 3), ("18\n", 6)] {
        let found = table.matches(&format!("lines.c:{line}")).count();
        ensure!(found == calls, "{found} calls of line {line}, expected {calls}: {table}");
    }
    ensure!(table == trace("b.csv", &["--trace-lines"])?, "the same run, but not the same table");
    let plain = table.lines().map(|row| row.rsplit_once(',').map_or(row, |(before, _)| before));
    let other = trace("c.csv", &[])?;
    let other = other.lines().map(|row| row.rsplit_once(',').map_or(row, |(before, _)| before));
    ensure!(plain.eq(other), "lines have changed what is simulated");
    trace("a.prv", &["--trace-lines"])?;
    let labels = fs::read_to_string(folder.join("a.pcf"))?;
    ensure!(labels.contains("Caller at level 1\nVALUES\n1      main\n2      meet\n"), "{labels}");
    ensure!(labels.contains("18 (") && labels.contains("lines.c)"), "{labels}");
    ensure!(trace("a.perfetto", &["--trace-lines"])?.contains("lines.c"), "no lines in Perfetto");
    ensure!(trace("a.html", &["--trace-lines"])?.contains("lines.c:18\"]"), "no lines on the page");
    trace("a.otf2", &["--trace-lines"])?;
    sums(place, &folder)?;
    printed(place, &folder)
}

/// The summary tells where the time went.
fn sums(place: &Place, folder: &Path) -> Result<()> {
    let mut command = place.command(place.bin.join("foretell"));
    let told = shell::output(command.args(["trace", "summary"]).arg(folder.join("a.csv")))?;
    let first = told.lines().find(|line| line.ends_with("lines.c:18"));
    ensure!(first.is_some_and(|line| line.contains("MPI_Barrier")), "{told}");
    Ok(())
}

/// OTF2's own tool reads the attribute without a warning.
fn printed(place: &Place, folder: &Path) -> Result<End> {
    if !shell::exists("otf2-print") {
        return Ok(End::Skipped("otf2-print is not here".into()));
    }
    let ran = place.command("otf2-print").arg(folder.join("a.otf2")).output()?;
    let (told, said) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    let found = told.matches("lines.c:18\"").count();
    ensure!(said.is_empty() && found == 6, "{found} attributes; {said}{told}");
    Ok(End::Passed)
}

/// The trace of a program that crashes is whole up to there, and no drafts stay behind.
pub(super) fn crashes(place: &Place) -> Result<End> {
    place.build("lines")?;
    for (how, code) in [("crash", 139), ("abort", 134)] {
        let folder = folder(place, how)?;
        for name in ["a.csv", "a.prv", "a.otf2", "a.perfetto", "a.paje", "a.html"] {
            let mut command = place.command(place.bin.join("foretell"));
            command.args(["run", "-q", "-n", "3", "--trace"]).arg(folder.join(name));
            let ran = command.args(["./lines", how]).output()?;
            if ran.status.code() != Some(code) || !folder.join(name).exists() {
                let told = String::from_utf8_lossy(&ran.stderr);
                bail!("{how}, {name}: {}, and {told}", ran.status);
            }
        }
        let drafts = fs::read_dir(&folder)?
            .flatten()
            .filter(|entry| entry.file_name().as_encoded_bytes().starts_with(b"."));
        ensure!(drafts.count() == 0, "{how} has left drafts");
        let table = fs::read_to_string(folder.join("a.csv"))?;
        let barriers = table.matches(",MPI_Barrier,").count();
        ensure!(barriers >= 7, "{barriers} barriers of nine are told: {table}");
        let mut command = place.command(place.bin.join("foretell"));
        shell::output(command.args(["trace", "summary"]).arg(folder.join("a.otf2")))?;
    }
    Ok(End::Passed)
}
