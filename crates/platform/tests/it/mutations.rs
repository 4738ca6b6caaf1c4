//! Valid files with bytes changed, dropped and swapped: the reader answers, whatever it gets.

use std::fs;
use std::path::Path;

use foretell_platform::{Route, simgrid_xml};
use proptest::prelude::*;

/// All platforms of the test directory in one list.
fn files() -> Vec<String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<_> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.extension().is_some_and(|end| end == "xml"));
    paths.iter().map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Words that appear where others were expected.
const WORDS: [&str; 14] = [
    "0",
    "-1",
    "1e400",
    "NaN",
    "4294967295",
    "65536,65536",
    ";",
    "",
    "Full",
    "Floyd",
    "TORUS",
    "<zone id=\"q\" routing=\"None\">",
    "&lt;",
    "h0",
];

fn mutate(text: &mut String, place: usize, edit: u8, word: usize) {
    let boundary = |at: usize| (0..=at.min(text.len())).rev().find(|i| text.is_char_boundary(*i));
    let start = boundary(place % (text.len() + 1)).unwrap();
    let end = boundary(start + 1 + usize::from(edit) % 7).unwrap().max(start);
    text.replace_range(start..end, WORDS[word % WORDS.len()]);
}

/// Replaces the value of an attribute, which keeps the file well-formed.
fn replace_value(text: &mut String, place: usize, word: usize) {
    let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
    let pair = place % (quotes.len() / 2);
    let value = quotes[2 * pair] + 1..quotes[2 * pair + 1];
    text.replace_range(value, WORDS[word % WORDS.len()].trim_matches('<'));
}

fn answer(text: &str) {
    match simgrid_xml::read(text, None) {
        Ok(platform) => {
            let mut route = Route::default();
            for from in platform.hosts().take(5) {
                for to in platform.hosts().take(5) {
                    // Unreachable is an answer too.
                    let _ = platform.route(from, to, &mut route);
                    route.links.iter().for_each(|link| drop(platform.link_name(*link)));
                }
            }
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty());
            for mistake in mistakes {
                assert!(mistake.span.start <= mistake.span.end);
                assert!(text.get(mistake.span.clone()).is_some(), "{mistake:?}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn random_edits_never_break_the_reader(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<usize>(), any::<u8>(), any::<usize>()), 1..4)
    ) {
        let files = files();
        let mut text = file.get(&files).clone();
        for (place, edit, word) in edits {
            mutate(&mut text, place, edit, word);
        }
        answer(&text);
    }

    #[test]
    fn random_values_never_break_the_reader(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<usize>(), any::<usize>()), 1..4)
    ) {
        let files = files();
        let mut text = file.get(&files).clone();
        for (place, word) in edits {
            replace_value(&mut text, place, word);
        }
        answer(&text);
    }
}
