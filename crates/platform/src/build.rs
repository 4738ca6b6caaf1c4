//! From a specification to a machine: numbering first, then everything that refers by name.

mod declare;
mod resolve;

use std::ops::Range;

use foretell_diagnostics::{Diagnostic, has_errors};
use rustc_hash::FxHashMap;

use crate::machine::{DeclaredLink, HostSegment, LinkBlock, LinkId, NodeSet, Platform, SingleHost};
use crate::spec::{PlatformSpec, Properties};
use crate::zone::{Point, Zone};

/// Zones inside zones inside zones, at most.
pub(crate) const MAX_DEPTH: u32 = 64;

/// More hosts than any machine one would simulate, and few enough to number links in 32 bits.
pub(crate) const MAX_HOSTS: u32 = 1 << 28;

impl Platform {
    /// Checks a specification as a whole and numbers its hosts and links.
    ///
    /// All mistakes are reported together. Warnings do not stop the build; they are kept in
    /// [`warnings`](Platform::warnings).
    pub fn build(spec: PlatformSpec) -> Result<Platform, Vec<Diagnostic>> {
        Self::build_after(spec, Vec::new())
    }

    /// The same for a reader that has found mistakes of its own.
    pub fn build_after(
        spec: PlatformSpec,
        found: Vec<Diagnostic>,
    ) -> Result<Platform, Vec<Diagnostic>> {
        let mut builder = Builder { diagnostics: found, ..Builder::default() };
        builder.declare(&spec);
        builder.resolve(&spec);
        builder.finish(spec)
    }
}

/// The machine under construction.
#[derive(Default)]
struct Builder {
    diagnostics: Vec<Diagnostic>,
    zones: Vec<Zone>,
    segments: Vec<HostSegment>,
    host_count: u32,
    group_count: u32,
    sets: Vec<NodeSet>,
    set_spans: Vec<Range<usize>>,
    singles: Vec<SingleHost>,
    declared: Vec<DeclaredLink>,
    declared_names: FxHashMap<String, LinkId>,
    /// Split-duplex links by the name they were declared under: up, down.
    halves: FxHashMap<String, (LinkId, LinkId)>,
    blocks: Vec<LinkBlock>,
    /// Links not declared one by one, counted before their ids are known.
    computed: u64,
    /// Hosts, routers and zones with a record of their own, by name.
    names: FxHashMap<String, Named>,
    fat_tree_nodes: u32,
    fat_tree_cables: u64,
    dragonfly_cables: u64,
    profiles: Vec<crate::profile::Profile>,
    overheads: Vec<crate::settings::HostOverheads>,
    overrides: FxHashMap<u32, u32>,
}

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Named {
    /// Index among the hosts with records.
    Single(u32),
    Router(Point),
    Zone(u32),
}

impl Builder {
    fn error(&mut self, span: &Range<usize>, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span.clone(), message));
    }

    fn error_with_help(
        &mut self,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.diagnostics.push(Diagnostic::error(span.clone(), message).with_help(help));
    }

    fn warn(&mut self, span: &Range<usize>, message: String, help: &str) {
        self.diagnostics.push(Diagnostic::warning(span.clone(), message).with_help(help));
    }

    fn finish(mut self, mut spec: PlatformSpec) -> Result<Platform, Vec<Diagnostic>> {
        self.diagnostics.sort_by_key(|d| (d.span.start, d.span.end));
        if has_errors(&self.diagnostics) {
            return Err(self.diagnostics);
        }
        if spec.network.per_host.is_empty() {
            spec.network.per_host = std::mem::take(&mut self.overheads);
        }
        let single_names =
            self.singles.iter().enumerate().map(|(i, s)| (s.name.clone(), i as u32)).collect();
        Ok(Platform {
            spec,
            zones: self.zones,
            segments: self.segments,
            host_count: self.host_count,
            sets: self.sets,
            singles: self.singles,
            single_names,
            link_count: (self.declared.len() as u64 + self.computed + 1) as u32,
            declared: self.declared,
            declared_names: self.declared_names,
            blocks: self.blocks,
            profiles: self.profiles,
            overrides: self.overrides,
            warnings: self.diagnostics,
        })
    }
}

/// The value of a property.
fn property<'a>(properties: &'a Properties, key: &str) -> Option<&'a str> {
    properties.iter().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
}
