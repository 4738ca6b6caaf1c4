//! Routes between members, and between zones through gateways.

use roxmltree::Node;

use crate::spec::{Direction, LinkUse, RouteSpec};

use super::{Reader, elements, tag_span};

impl Reader<'_> {
    /// `<route>` or `<bypassRoute>`.
    pub(super) fn route(&mut self, node: Node) -> Option<RouteSpec> {
        match node.tag_name().name() {
            "route" => self.known_attributes(node, &["src", "dst", "symmetrical"]),
            _ => self.known_attributes(node, &["src", "dst"]),
        }
        let (from, to) = (self.required(node, "src"), self.required(node, "dst"));
        let symmetrical = self.symmetrical(node);
        let links = self.links(node);
        let span = tag_span(node);
        Some(RouteSpec { from: from?, to: to?, gateways: None, links, symmetrical, span })
    }

    /// `<zoneRoute>` or `<bypassZoneRoute>`, under their old names too.
    pub(super) fn zone_route(&mut self, node: Node) -> Option<RouteSpec> {
        let known = ["src", "dst", "gw_src", "gw_dst", "symmetrical"];
        let bypass = node.tag_name().name().starts_with("bypass");
        self.known_attributes(node, if bypass { &known[..4] } else { &known });
        let (from, to) = (self.required(node, "src"), self.required(node, "dst"));
        let (exit, entry) = (self.required(node, "gw_src"), self.required(node, "gw_dst"));
        let symmetrical = self.symmetrical(node);
        let links = self.links(node);
        let gateways = Some((exit?, entry?));
        let span = tag_span(node);
        Some(RouteSpec { from: from?, to: to?, gateways, links, symmetrical, span })
    }

    fn symmetrical(&mut self, node: Node) -> bool {
        let choices = [("YES", true), ("NO", false), ("yes", true), ("no", false)];
        self.choice(node, "symmetrical", true, &choices)
    }

    fn links(&mut self, node: Node) -> Vec<LinkUse> {
        let mut links = Vec::new();
        let mut count = 0;
        for child in elements(node) {
            count += 1;
            if child.tag_name().name() != "link_ctn" {
                self.stranger(child, &["link_ctn"]);
                continue;
            }
            self.known_attributes(child, &["id", "direction"]);
            let choices =
                [("UP", Direction::Up), ("DOWN", Direction::Down), ("NONE", Direction::Plain)];
            let direction = self.choice(child, "direction", Direction::Plain, &choices);
            if let Some(link) = self.required(child, "id") {
                links.push(LinkUse { link, direction });
            }
        }
        if count == 0 {
            let message = format!("<{}> crosses no link", node.tag_name().name());
            self.error_with_help(tag_span(node), message, "add <link_ctn id=\"…\"/>");
        }
        links
    }
}
