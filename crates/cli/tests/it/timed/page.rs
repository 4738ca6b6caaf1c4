//! The page of a run, in a real browser.

use std::fs;
use std::path::Path;

use super::traced;
use crate::browser::{Seen, opened};
use crate::printed;

/// Turns the wheel over the middle of the timeline.
const WHEEL: &str = "
const canvas = document.getElementById('timeline'), rect = canvas.getBoundingClientRect();
const middle = { clientX: rect.left + rect.width / 2, clientY: rect.top + rect.height / 2, bubbles: true };
canvas.dispatchEvent(new WheelEvent('wheel', { ...middle, deltaY: -600, cancelable: true }));
";

#[test]
fn the_page_shows_all_of_a_run_and_complains_of_nothing() {
    let (_folder, page) = traced("app ring -n 24 -p taurus --energy 5 2048", "a.html");
    let Some(seen) = opened(&page, "", "") else { return };
    assert_eq!(seen.complaints, [""; 0]);
    assert_eq!((seen.figure("top"), seen.figure("bottom")), (0.0, 24.0));
    assert_eq!(seen.figure("arrows"), 240.0);
    assert!(seen.figure("stays") >= 24.0 * 7.0);
    assert!(seen.dom.contains("id=\"power\""), "a machine that tells its power has a power track");
    assert!(seen.dom.contains("<td>MPI_Waitall</td>"));
}

#[test]
fn the_wheel_zooms_and_a_double_click_shows_all_again() {
    let (_folder, page) = traced("app ring -n 8 -p star-64 5 2048", "a.html");
    let Some(zoomed) = opened(&page, "", WHEEL) else { return };
    let all = opened(&page, "", "").unwrap();
    let span = |seen: &Seen| seen.figure("to") - seen.figure("from");
    assert_eq!(zoomed.complaints, [""; 0]);
    assert!(span(&zoomed) < 0.5 * span(&all) && zoomed.figure("from") > 0.0);
    let back = format!("{WHEEL} canvas.dispatchEvent(new MouseEvent('dblclick', middle));");
    assert_eq!(span(&opened(&page, "", &back).unwrap()), span(&all));
    assert!(!all.dom.contains("id=\"power\""), "no power is known of this machine");
}

#[test]
fn a_message_tells_its_details_by_link_and_by_click() {
    let (_folder, page) = traced("app pingpong -p graphene 1 1000000", "a.html");
    let Some(seen) = opened(&page, "#message=0", "") else { return };
    assert_eq!(seen.complaints, [""; 0]);
    let told = seen.text("details").to_owned();
    assert!(told.starts_with("Message 0: rank 0 to rank 1, 1000000 bytes, tag"), "{told}");
    assert!(told.contains("departed") && told.contains("in all."), "{told}");
    // Where the arrow is in the middle of its way.
    let click = "
const canvas = document.getElementById('timeline'), rect = canvas.getBoundingClientRect();
const at = { clientX: rect.left + PART * rect.width, clientY: rect.top + 22 + (rect.height - 22) / 2, bubbles: true };
canvas.dispatchEvent(new PointerEvent('pointerdown', at));
canvas.dispatchEvent(new PointerEvent('pointerup', at));
";
    let hits = [0.2, 0.25, 0.3, 0.35].map(|part: f64| {
        let script = click.replace("PART", &part.to_string());
        let seen = opened(&page, "", &script).unwrap();
        assert_eq!(seen.complaints, [""; 0]);
        seen.text("details").to_owned()
    });
    assert!(hits.iter().any(|told| told.starts_with("Message 0: rank 0 to rank 1")), "{hits:?}");
}

#[test]
fn a_call_tells_where_it_stands_in_the_program_by_click() {
    let actions =
        "0 init\n0 location main.c 12\n0 recv 1 0 8 6\n1 init\n1 sleep 1\n1 send 0 0 8 6\n";
    let (_trace, actions) = crate::file("places.ti", actions);
    let (_folder, page) = traced(&format!("replay {} -p star-64", actions.display()), "a.html");
    let click = "
const canvas = document.getElementById('timeline'), rect = canvas.getBoundingClientRect();
const at = { clientX: rect.left + 0.4 * rect.width, clientY: rect.top + 24, bubbles: true };
canvas.dispatchEvent(new PointerEvent('pointerdown', at));
canvas.dispatchEvent(new PointerEvent('pointerup', at));
";
    let Some(seen) = opened(&page, "", click) else { return };
    assert_eq!(seen.complaints, [""; 0]);
    let told = seen.text("details");
    assert!(told.contains("MPI_Recv (main.c:12) from 0"), "{told}");
}

#[test]
fn the_critical_path_and_regions_are_drawn_over_the_timeline() {
    let turn = "region solve\ncompute 1e6\nbarrier\nleave solve\n";
    let life = |rank: u32| {
        let lines = format!("init\n{turn}compute {}\nbarrier\n", 1e6 * f64::from(1 + rank));
        lines.lines().map(|line| format!("{rank} {line}\n")).collect::<String>()
    };
    let (_trace, actions) = crate::file("parts.ti", &(0..4).map(life).collect::<String>());
    let (_folder, page) = traced(&format!("replay {} -p star-64", actions.display()), "a.html");
    let Some(plain) = opened(&page, "", "") else { return };
    assert_eq!((plain.figure("steps"), plain.text("path-shares").is_empty()), (0.0, false));
    // Over the first computation of rank 3, which all wait for in the end.
    let script = "
document.getElementById('show-path').click();
const canvas = document.getElementById('timeline'), rect = canvas.getBoundingClientRect();
const over = (x) => canvas.dispatchEvent(new PointerEvent('pointermove', {
  clientX: rect.left + x * rect.width, clientY: rect.top + 22 + (rect.height - 22) * 7 / 8, bubbles: true,
}));
over(PART);
";
    let at = |part: &str| opened(&page, "", &script.replace("PART", part)).unwrap();
    let (early, late) = (at("0.1"), at("0.6"));
    assert_eq!((&early.complaints[..], &late.complaints[..]), (&[][..], &[][..]));
    assert!(early.figure("steps") >= 2.0);
    assert!(early.text("details").contains("; in solve."), "{}", early.text("details"));
    let told = late.text("details");
    assert!(told.ends_with("On the critical path.") && !told.contains("solve"), "{told}");
    assert_eq!(opened(&page, "#path", "").unwrap().figure("steps"), early.figure("steps"));
    assert!(early.dom.contains("solve</span>"), "the legend names regions");
}

#[test]
fn a_rank_is_found_by_its_number() {
    let (_folder, page) = traced("app ring -n 64 -p star-64 2 64", "a.html");
    let script = "
const rank = document.getElementById('rank');
rank.value = '40';
rank.dispatchEvent(new Event('change'));
";
    let Some(seen) = opened(&page, "", script) else { return };
    assert_eq!(seen.complaints, [""; 0]);
    assert_eq!((seen.figure("top"), seen.figure("bottom")), (36.0, 45.0));
}

#[test]
fn a_thousand_ranks_and_a_million_events_are_shown() {
    let (_folder, page) = traced("app ring -n 1024 -p dragonfly-1024 330 1024", "a.html");
    let Some(seen) = opened(&page, "", WHEEL) else { return };
    assert_eq!(seen.complaints, [""; 0]);
    assert_eq!(seen.figure("bottom"), 1024.0);
    assert!(seen.figure("arrows") > 50_000.0);
    assert!(fs::metadata(&page).unwrap().len() < 40 << 20);
}

#[test]
fn a_table_gives_the_same_page_as_the_run() {
    let line = "app stencil3d -n 8 -p star-64";
    let ((_one, direct), (_two, table)) = (traced(line, "a.html"), traced(line, "a.csv"));
    let page = table.with_extension("html");
    printed(&format!("trace view {} -o {}", table.display(), page.display()));
    let text = |path: &Path| fs::read_to_string(path).unwrap();
    // Dates in tables are exact to a picosecond, those of the page to a nanosecond.
    let figures = |text: String| {
        let start = text.find("id=\"info\"").unwrap();
        text[start..].split("\"power\"").next().unwrap().to_owned()
    };
    assert_eq!(figures(text(&direct)), figures(text(&page)));
}
