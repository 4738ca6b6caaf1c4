//! Draws diagnostics with the lines they are about.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::source::floor;
use crate::{Diagnostic, Severity, Source, line_column};

/// Whether to use terminal colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Plain text, for files and pipes.
    Never,
    /// ANSI escapes, for terminals.
    Always,
}

/// Spans over more lines than this are drawn by their first line only.
const LONGEST_SPAN: usize = 4;

/// Draws each diagnostic in plain text: message, file:line:column, the line with carets, help.
pub fn render(source: &Source, diagnostics: &[Diagnostic]) -> String {
    render_with(source, diagnostics, Colour::Never)
}

/// Like [`render`], with or without colours.
pub fn render_with(source: &Source, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    diagnostics.iter().map(|diagnostic| drawn(source, diagnostic, &renderer) + "\n").collect()
}

fn drawn(source: &Source, diagnostic: &Diagnostic, renderer: &Renderer) -> String {
    let excerpt = Excerpt::around(&source.text, &diagnostic.span);
    let snippet = Snippet::source(excerpt.text)
        .path(source.name.as_str())
        .line_start(excerpt.first_line)
        .annotation(AnnotationKind::Primary.span(excerpt.span));
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let group: Group<'_> = level.primary_title(diagnostic.message.as_str()).element(snippet);
    let help = diagnostic.help.as_deref().map(|help| Level::HELP.message(help));
    renderer.render(&[group.elements(help)])
}

/// The lines a span touches: drawing needs no more, and large files have many mistakes.
struct Excerpt<'a> {
    text: &'a str,
    first_line: usize,
    span: Range<usize>,
}

impl<'a> Excerpt<'a> {
    fn around(text: &'a str, span: &Range<usize>) -> Self {
        let start = floor(text, span.start);
        let mut end = floor(text, span.end).max(start);
        if text[start..end].matches('\n').count() >= LONGEST_SPAN {
            end = line_end(text, start);
        }
        let from = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let to = line_end(text, end);
        Self {
            text: &text[from..to],
            first_line: line_column(text, start).line,
            span: start - from..end - from,
        }
    }
}

fn line_end(text: &str, from: usize) -> usize {
    text[from..].find('\n').map_or(text.len(), |at| from + at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, diagnostic: Diagnostic, expected: &str) {
        let drawn = render(&Source::new("a.toml", text), &[diagnostic]);
        assert_eq!(drawn.trim_end(), expected.trim_end());
    }

    #[test]
    fn the_line_is_shown_with_carets_and_help() {
        check(
            "name = 'x'\ncores = 0\nspeed = 3\n",
            Diagnostic::error(19..20, "a node needs a core").with_help("leave it out for one"),
            "\
error: a node needs a core
 --> a.toml:2:9
  |
2 | cores = 0
  |         ^
  |
  = help: leave it out for one",
        );
    }

    #[test]
    fn a_position_at_the_end_is_drawn() {
        let drawn = render(&Source::new("a", "x = 1"), &[Diagnostic::warning(5..5, "no more?")]);
        assert!(drawn.starts_with("warning: no more?\n --> a:1:6"), "{drawn}");
    }

    #[test]
    fn long_spans_show_their_first_line() {
        let text = "one\n".repeat(100);
        let drawn =
            render(&Source::new("a", text.as_str()), &[Diagnostic::error(4..text.len(), "all")]);
        assert!(drawn.contains("2 | one") && !drawn.contains("3 | one"), "{drawn}");
    }

    #[test]
    fn colours_are_used_when_asked_for() {
        let mistake = [Diagnostic::error(0..1, "no")];
        let source = Source::new("a", "x");
        assert!(render_with(&source, &mistake, Colour::Always).contains('\u{1b}'));
        assert!(!render_with(&source, &mistake, Colour::Never).contains('\u{1b}'));
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_is_drawn(text in "[\\PC\n\r\t]{0,60}", a in 0..80_usize, b in 0..80_usize) {
            let mistake = Diagnostic::error(a..b, "somewhere");
            prop_assert!(render(&Source::new("a", text), &[mistake]).contains("somewhere"));
        }
    }
}
