//! TOML files with mistakes, and the exact words about each: `tests/toml_mistakes/*.toml` beside
//! what is drawn for it in `*.txt`. Set `UPDATE_MISTAKES` to write the latter anew.

use std::path::Path;

use foretell_diagnostics::{Source, render};
use foretell_platform::toml_format;

#[test]
fn every_mistake_is_told_in_the_words_on_file() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/toml_mistakes");
    let mut files = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        files += 1;
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let mistakes = toml_format::read(&text).expect_err("the file has mistakes");
        for mistake in &mistakes {
            assert!(text.get(mistake.span.clone()).is_some(), "{name}: {mistake:?}");
        }
        let told = render(&Source::new(name, text), &mistakes);
        let expected = path.with_extension("txt");
        if std::env::var_os("UPDATE_MISTAKES").is_some() {
            std::fs::write(&expected, &told).unwrap();
        }
        assert_eq!(told, std::fs::read_to_string(&expected).unwrap_or_default());
    }
    assert!(files >= 10, "only {files} files");
}
