//! Lines, boxes and words of a picture.

use std::fmt::Write;

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) w: f64,
    pub(super) h: f64,
}

impl Area {
    /// The area within a border.
    pub(super) fn inside(self, border: f64) -> Self {
        Self {
            x: self.x + border,
            y: self.y + border,
            w: (self.w - 2.0 * border).max(1.0),
            h: (self.h - 2.0 * border).max(1.0),
        }
    }

    /// What is left below a strip.
    pub(super) fn below(self, strip: f64) -> Self {
        Self { y: self.y + strip, h: (self.h - strip).max(1.0), ..self }
    }

    /// What is left above a strip.
    pub(super) fn above(self, strip: f64) -> Self {
        Self { h: (self.h - strip).max(1.0), ..self }
    }

    pub(super) fn middle(self) -> (f64, f64) {
        (self.x + self.w / 2.0, self.y + self.h / 2.0)
    }

    /// A rectangle around a point.
    pub(super) fn around((x, y): (f64, f64), w: f64, h: f64) -> Self {
        Self { x: x - w / 2.0, y: y - h / 2.0, w, h }
    }

    /// Points spread evenly over the width, at a height.
    pub(super) fn spread(self, count: usize, y: f64) -> Vec<(f64, f64)> {
        (0..count).map(|i| (self.x + self.w * (i as f64 + 0.5) / count as f64, y)).collect()
    }

    /// A point on the ellipse that fills the area, by the share of a turn from the top.
    pub(super) fn on_ellipse(self, turn: f64) -> (f64, f64) {
        let (x, y) = self.middle();
        let angle = (turn - 0.25) * std::f64::consts::TAU;
        (x + self.w / 2.0 * angle.cos(), y + self.h / 2.0 * angle.sin())
    }
}

/// The looks of things; the styles are in [`STYLE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Title,
    Subtitle,
    Note,
    /// A word centred under a thing.
    Label,
    /// A word centred on a switch.
    OnSwitch,
    /// A large number that stands for many.
    Count,
    Panel,
    Zone,
    Switch,
    Node,
    Core,
    Link,
    /// Links that pass behind zones.
    BackLink,
    /// Links of which there are many.
    FaintLink,
    /// Links between groups.
    LongLink,
    Limiter,
}

impl Class {
    fn name(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Subtitle => "subtitle",
            Self::Note => "note",
            Self::Label => "label",
            Self::OnSwitch => "on",
            Self::Count => "count",
            Self::Panel => "panel",
            Self::Zone => "zone",
            Self::Switch => "switch",
            Self::Node => "node",
            Self::Core => "core",
            Self::Link | Self::BackLink => "link",
            Self::FaintLink => "faint",
            Self::LongLink => "long",
            Self::Limiter => "limiter",
        }
    }
}

const STYLE: &str = "\
text{font-family:'Helvetica Neue',Helvetica,Arial,'Liberation Sans',sans-serif;fill:#1f2a37}
.title{font-size:26px;font-weight:600}
.subtitle{font-size:15px;fill:#52606d}
.note{font-size:13px;fill:#52606d}
.label{font-size:11px;fill:#52606d;text-anchor:middle}
.on{font-size:12px;fill:#ffffff;text-anchor:middle}
.count{font-size:17px;font-weight:600;fill:#33506f;text-anchor:middle}
.panel{fill:#f7f9fb;stroke:#dde4ec}
.zone{fill:#ffffff;stroke:#c9d5e2}
.switch{fill:#33689b;stroke:#285480}
.node{fill:#e6eef7;stroke:#6f90b3}
.core{fill:#8aa9c9}
.link{stroke:#9db0c4;stroke-width:1.4;fill:none}
.faint{stroke:#b9c7d6;stroke-width:0.8;fill:none}
.long{stroke:#d9822b;stroke-width:1;stroke-opacity:0.55;fill:none}
.limiter{fill:#d9822b}
";

/// The picture so far. Links are kept apart so that they lie under everything else.
#[derive(Debug)]
pub(super) struct Canvas {
    width: f64,
    height: f64,
    panels: String,
    links: String,
    things: String,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, panels: String::new(), links: String::new(), things: String::new() }
    }

    pub(super) fn rect(&mut self, area: Area, round: f64, class: Class) {
        let layer = match class {
            Class::Panel | Class::Zone => &mut self.panels,
            _ => &mut self.things,
        };
        let Area { x, y, w, h } = area;
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            layer,
            r#"<rect class="{}" x="{x:.1}" y="{y:.1}" width="{w:.1}" height="{h:.1}" rx="{round:.1}"/>"#,
            class.name()
        );
    }

    pub(super) fn circle(&mut self, (x, y): (f64, f64), radius: f64, class: Class) {
        let name = class.name();
        let _ = writeln!(
            self.things,
            r#"<circle class="{name}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#
        );
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), class: Class) {
        let layer = match class {
            Class::BackLink => &mut self.panels,
            _ => &mut self.links,
        };
        let _ = writeln!(
            layer,
            r#"<line class="{}" x1="{:.1}" y1="{:.1}" x2="{:.1}" y2="{:.1}"/>"#,
            class.name(),
            from.0,
            from.1,
            to.0,
            to.1
        );
    }

    pub(super) fn text(&mut self, x: f64, y: f64, class: Class, words: &str) {
        let name = class.name();
        let _ = writeln!(
            self.things,
            r#"<text class="{name}" x="{x:.1}" y="{y:.1}">{}</text>"#,
            escaped(words)
        );
    }

    pub(super) fn finish(self) -> String {
        let Self { width, height, panels, links, things } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\">\n<style>{STYLE}</style>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
             {panels}{links}{things}</svg>\n"
        )
    }
}

fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for letter in words.chars().take(160) {
        match letter {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            // Control characters are not allowed in XML at all.
            letter if letter.is_control() => text.push(' '),
            letter => text.push(letter),
        }
    }
    text
}
