//! Platform files in SimGrid's XML, written for any size: star, backbone, torus, fat tree, dragonfly.
//!
//! A name says it all: `torus-10g-4096`. Hosts compute at 10 Gf; `gige` is 125 MB/s and 25 us a
//! link, `10g` is 1.25 GB/s and 2.5 us.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Shapes of the structured clusters: hosts, then the parameters in SimGrid's notation.
const FAT_TREES: &[(u32, &str)] = &[
    (64, "2;8,8;1,8;1,1"),
    (512, "3;8,8,8;1,8,8;1,1,1"),
    (1024, "2;32,32;1,32;1,1"),
    (4096, "3;16,16,16;1,16,16;1,1,1"),
    (16384, "3;32,32,16;1,16,16;1,1,1"),
    (65536, "3;64,32,32;1,32,16;1,1,1"),
];
const TORI: &[(u32, &str)] = &[
    (64, "4,4,4"),
    (512, "8,8,8"),
    (1024, "16,8,8"),
    (4096, "16,16,16"),
    (16384, "32,32,16"),
    (32768, "32,32,32"),
    (65536, "64,32,32"),
];
const DRAGONFLIES: &[(u32, &str)] =
    &[(64, "4,2;2,2;4,1;2"), (1024, "8,2;4,2;8,1;4"), (4096, "16,2;4,2;16,1;4")];

/// Number of hosts that a platform name promises.
pub(crate) fn hosts(name: &str) -> Result<u32> {
    let last = name.rsplit('-').next().unwrap_or(name);
    last.parse().with_context(|| format!("platform {name} does not end in a number of hosts"))
}

/// Writes the platform `name` into `folder`, unless it is there already.
pub(crate) fn write(name: &str, folder: &Path) -> Result<PathBuf> {
    let path = folder.join(format!("{name}.xml"));
    if !path.is_file() {
        fs::write(&path, xml(name)?).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(path)
}

/// Writes a host file: `per_host` consecutive ranks on each host, in order.
pub(crate) fn write_hosts(name: &str, ranks: u32, per_host: u32, folder: &Path) -> Result<PathBuf> {
    let path = folder.join(format!("hosts-{name}-{ranks}-{per_host}"));
    if !path.is_file() {
        let count = hosts(name)?;
        let mut text = String::new();
        for rank in 0..ranks {
            writeln!(text, "n{}", rank / per_host % count)
                .expect("writing to a string cannot fail");
        }
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(path)
}

fn xml(name: &str) -> Result<String> {
    let mut parts = name.split('-');
    let (kind, net) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let count = hosts(name)?;
    let (bandwidth, latency) = match net {
        "gige" => ("125MBps", "25us"),
        "10g" => ("1.25GBps", "2.5us"),
        _ => bail!("platform {name}: unknown network {net}"),
    };
    let structured = |shapes, topology| {
        Ok::<_, anyhow::Error>(format!(
            " topology=\"{topology}\" topo_parameters=\"{}\"",
            shape(shapes, count)
                .with_context(|| format!("platform {name}: no shape of this size"))?
        ))
    };
    let extra = match kind {
        "star" => String::new(),
        "backbone" => " bb_bw=\"40GBps\" bb_lat=\"1us\"".into(),
        "fattree" => structured(FAT_TREES, "FAT_TREE")?,
        "torus" => structured(TORI, "TORUS")?,
        "dragonfly" => structured(DRAGONFLIES, "DRAGONFLY")?,
        _ => bail!("platform {name}: unknown kind {kind}"),
    };
    let cluster = format!(
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-{}\" speed=\"10Gf\" \
         bw=\"{bandwidth}\" lat=\"{latency}\"{extra}/>",
        count - 1
    );
    // SimGrid 4.1.1 crashes on a structured cluster that is not inside a zone.
    let body = if extra.contains("topology") {
        format!("<zone id=\"world\" routing=\"Full\">\n    {cluster}\n  </zone>")
    } else {
        cluster
    };
    Ok(format!(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n\
         <platform version=\"4.1\">\n  {body}\n</platform>\n"
    ))
}

fn shape(shapes: &[(u32, &'static str)], count: u32) -> Option<&'static str> {
    shapes.iter().find(|(hosts, _)| *hosts == count).map(|(_, shape)| *shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_hold_as_many_hosts_as_their_name_says() {
        let product =
            |list: &str| list.split(',').map(|n| n.parse::<u32>().unwrap()).product::<u32>();
        for (count, shape) in TORI {
            assert_eq!(product(shape), *count);
        }
        for (count, shape) in FAT_TREES {
            assert_eq!(product(shape.split(';').nth(1).unwrap()), *count);
        }
        for (count, shape) in DRAGONFLIES {
            let sizes = shape.split(';').map(|part| part.split(',').next().unwrap());
            assert_eq!(product(&sizes.collect::<Vec<_>>().join(",")), *count);
        }
    }

    #[test]
    fn a_name_becomes_a_platform() {
        assert!(xml("star-gige-64").unwrap().contains("radical=\"0-63\""));
        assert!(xml("backbone-10g-8").unwrap().contains("bb_bw"));
        assert!(xml("torus-10g-64").unwrap().contains("<zone"));
        assert!(xml("torus-10g-65").is_err());
        assert!(xml("moebius-10g-64").is_err());
        assert!(xml("star").is_err());
    }
}
