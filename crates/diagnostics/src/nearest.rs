//! "Did you mean …?"

/// The candidate that a mistyped word most probably stands for, if one is near enough.
///
/// Near means: equal but for case, `-` and `_`; or at most a third of its letters added, dropped,
/// changed or swapped with a neighbour. Of two equally near the first wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    // Nobody mistypes a word this long; comparing it would only cost time.
    if word.len() > 64 {
        return None;
    }
    candidates
        .into_iter()
        .map(|candidate| (distance(&word, &folded(candidate)), candidate))
        .filter(|(distance, candidate)| *distance <= candidate.chars().count() / 3)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The [`nearest`] candidate as a help text, or the list of all when none is near.
pub fn did_you_mean(word: &str, candidates: &[&str]) -> String {
    match nearest(word, candidates.iter().copied()) {
        Some(candidate) => format!("did you mean `{candidate}`?"),
        None if candidates.is_empty() => "nothing is expected here".to_owned(),
        None => format!("expected one of {}", candidates.join(", ")),
    }
}

fn folded(word: &str) -> Vec<char> {
    word.chars().filter(|c| !matches!(c, '-' | '_' | ' ')).flat_map(char::to_lowercase).collect()
}

/// Edits between two words, a swap of neighbours counting as one (optimal string alignment).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut above, row);
    }
    above[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORDS: [&str; 4] = ["bandwidth", "latency", "cores", "cross_traffic"];

    fn check(word: &str, expected: Option<&str>) {
        assert_eq!(nearest(word, WORDS), expected, "{word}");
    }

    #[test]
    fn slips_of_the_finger_are_understood() {
        check("bandwith", Some("bandwidth"));
        check("latnecy", Some("latency"));
        check("core", Some("cores"));
        check("Cross-Traffic", Some("cross_traffic"));
    }

    #[test]
    fn other_words_are_not_guessed_at() {
        check("colour", None);
        check("", None);
        assert_eq!(nearest("b", ["a", "c"]), None);
        check(&"x".repeat(10_000), None);
    }

    #[test]
    fn without_a_near_word_all_are_listed() {
        assert_eq!(
            did_you_mean("colour", &WORDS),
            "expected one of bandwidth, latency, cores, cross_traffic"
        );
    }
}
