//! The way of a message from one host to another.

use std::fmt::Write;
use std::process::ExitCode;

use anyhow::{Result, anyhow};
use foretell_platform::{HostId, LinkId, Platform, Policy, Route};
use foretell_units::{BytesPerSecond, Seconds};

use crate::figures::{counted, time};
use crate::{output, platform_file};

/// Prints every link, and what they come to.
pub(crate) fn run(asked: &str, from: &str, to: &str) -> Result<ExitCode> {
    let platform = platform_file::open(asked)?.platform;
    let find = |name: &str| {
        let host = platform.find_host(name);
        host.ok_or_else(|| {
            anyhow!(
                "no host is called `{name}`; {}",
                foretell_platform::hostfile::guess(name, &platform)
            )
        })
    };
    output::print(&told(&platform, find(from)?, find(to)?)?)?;
    Ok(ExitCode::SUCCESS)
}

fn told(platform: &Platform, from: HostId, to: HostId) -> Result<String> {
    let (here, there) = (platform.host_name(from), platform.host_name(to));
    let mut route = Route::default();
    platform
        .route(from, to, &mut route)
        .map_err(|_| anyhow!("no route leads from {here} to {there}; add one to the platform"))?;
    let mut text = format!("{here} to {there}: {}\n", counted(route.links.len() as u64, "link"));
    let names: Vec<String> = route.links.iter().map(|link| platform.link_name(*link)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    for (name, link) in names.iter().zip(&route.links) {
        let _ = writeln!(text, "  {name:<width$}  {}", link_words(platform, *link));
    }
    totals(&mut text, platform, &route);
    Ok(text)
}

fn link_words(platform: &Platform, link: LinkId) -> String {
    let link = platform.link(link);
    let policy = match link.policy {
        Policy::Shared => "shared",
        Policy::FatPipe => "fat pipe",
    };
    let bandwidth = BytesPerSecond::new(link.bandwidth).to_string();
    let latency = Seconds::new(link.latency).to_string();
    format!("{bandwidth:>10}  {latency:>8}  {policy}")
}

fn totals(text: &mut String, platform: &Platform, route: &Route) {
    let network = platform.network();
    let bandwidths = || route.links.iter().map(|link| platform.link(*link).bandwidth);
    let narrowest = bandwidths().fold(f64::INFINITY, f64::min);
    let _ = writeln!(text, "latency    {}, before the factors of the model", time(route.latency));
    let _ = writeln!(text, "bandwidth  {} at the narrowest link", BytesPerSecond::new(narrowest));
    if network.tcp_gamma > 0.0 && route.latency > 0.0 {
        let bound = network.tcp_gamma / (2.0 * route.latency);
        if bound < narrowest {
            let bound = BytesPerSecond::new(bound.round());
            let _ = writeln!(text, "window     {bound} is the most that TCP-gamma allows");
        }
    }
    let weight: f64 = bandwidths().map(|bandwidth| network.weight_s / bandwidth).sum();
    let _ = writeln!(
        text,
        "weight     {}: where flows meet, each gets a share inverse to it",
        time(route.latency + weight)
    );
}
