//! What a machine is: hosts, links, topologies, routes, and the files that describe them.
//!
//! A [`PlatformSpec`] is a platform as data; [`Platform::build`] turns it into a [`Platform`],
//! which answers three questions quickly: what a host can do, what a link can do, and which links
//! lie between two hosts. Regular clusters are never spelled out: a million nodes are a few
//! numbers.
//!
//! ```
//! use foretell_platform::*;
//!
//! let nodes = ClusterSpec::new(
//!     Naming::counted("n", "", 64),
//!     NodeSpec::new(10e9, 1),
//!     WireSpec { bandwidth: 1.25e9, latency: 2.5e-6, sharing: Sharing::SplitDuplex },
//! );
//! let platform = Platform::build(PlatformSpec::new(ZoneSpec::cluster("c", nodes))).unwrap();
//! let mut route = Route::default();
//! platform.route(HostId(0), HostId(63), &mut route).unwrap();
//! let names: Vec<_> = route.links.iter().map(|link| platform.link_name(*link)).collect();
//! assert_eq!(names, ["c_link_0_UP", "c_link_63_DOWN"]);
//! ```
#![forbid(unsafe_code)]

mod build;
mod dimemas;
pub mod dimemas_cfg;
mod governor;
pub mod hostfile;
mod lint;
mod machine;
mod names;
mod network_power;
mod options;
mod power;
mod presets;
mod profile;
mod read;
mod routing;
mod scale;
mod settings;
mod show;
pub mod simgrid_xml;
mod spec;
mod tables;
pub mod toml_format;
mod topology;
mod write_toml;
mod write_xml;
mod zone;

pub use dimemas::{
    Dimemas, DimemasCollectives, DimemasGrowth, DimemasMapping, DimemasNode, DimemasPhase,
    DimemasPhases, DimemasSize,
};
pub use governor::{Governor, GovernorChoice, GovernorError, Rule};
pub use lint::lint;
pub use machine::{Disk, Host, HostId, Link, LinkId, NoRoute, Platform, Policy, Route, Storage};
pub use names::{Naming, NumberRange};
pub use network_power::{Cable, LinkPower, NetworkPower, Part, Switches};
pub use options::OptionOutcome;
pub use power::{NodePower, PowerError, Switching};
pub use presets::{PRESETS, Preset};
pub use profile::{Profile, ProfileTarget};
pub use read::ReadError;
pub use scale::NetworkFactors;
pub use settings::{FactorRole, HostOverheads, LogGps, ModelKind, NetworkSettings, Scope};
pub use show::{Distance, Summary, describe, svg};
pub use spec::{
    CabinetSpec, ClusterSpec, Direction, GeneralSpec, HostLinkSpec, HostSpec, LinkSpec, LinkUse,
    Local, Member, NodeOverride, NodeSpec, PeerSpec, PlatformSpec, ProfileKind, ProfileSpec,
    Properties, RouteSpec, RouterSpec, Routing, Sharing, Spanned, Topology, WireSpec, ZoneContent,
    ZoneSpec,
};
pub use tables::{MessageTables, Overheads, Steps};
pub use topology::{DragonflyRouting, DragonflySpec, FatTreeSpec};
pub use write_toml::write_toml;
pub use write_xml::{SimgridXml, write_xml};
