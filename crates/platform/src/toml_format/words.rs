//! The builder's advice in the words of this format.

use foretell_diagnostics::Diagnostic;

/// What the builder says to writers of SimGrid files, and what it means here.
const WORDS: [(&str, &str); 7] = [
    ("add direction=\"UP\" or direction=\"DOWN\"", "add `:up` or `:down` to its name"),
    (
        "declare it with sharing_policy=\"SPLITDUPLEX\", or leave out the direction",
        "declare it with sharing = \"duplex\", or leave out `:up` or `:down`",
    ),
    ("unless they say symmetrical=\"NO\"", "unless they say symmetrical = false"),
    (
        "a route between zones is a <zoneRoute> with gw_src and gw_dst",
        "give the `gateways` where zones are left and entered",
    ),
    ("a host_link needs a zone with routing=\"Cluster\"", "`host_link` needs routing = \"star\""),
    ("a cabinet needs a zone with routing=\"Cluster\"", "a row needs routing = \"star\""),
    ("coordinates=\"x y height\"", "coordinates = [x, y, height]"),
];

pub(super) fn in_our_words(mistake: Diagnostic) -> Diagnostic {
    let ours =
        |text: String| WORDS.iter().fold(text, |text, (theirs, ours)| text.replace(theirs, ours));
    Diagnostic { message: ours(mistake.message), help: mistake.help.map(ours), ..mistake }
}
