//! Pages that the command writes, in a real browser.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What a page is after a script has used it, and what the browser had to complain about.
pub(crate) struct Seen {
    pub(crate) dom: String,
    pub(crate) complaints: Vec<String>,
}

impl Seen {
    /// A figure that the page notes about what it shows.
    pub(crate) fn figure(&self, name: &str) -> f64 {
        let key = format!("data-{name}=\"");
        let start = self.dom.find(&key).unwrap_or_else(|| panic!("no {name}")) + key.len();
        self.dom[start..].split('"').next().unwrap().parse().unwrap()
    }

    /// The text of an element without others in it.
    pub(crate) fn text(&self, id: &str) -> &str {
        let start = self.dom.find(&format!("id=\"{id}\"")).unwrap();
        let inner = &self.dom[start..];
        let begin = inner.find('>').unwrap() + 1;
        &inner[begin..begin + inner[begin..].find('<').unwrap()]
    }
}

/// Opens a page with a script behind it; nothing, and a word about it, without the browser.
pub(crate) fn opened(page: &Path, hash: &str, script: &str) -> Option<Seen> {
    let copy = page.with_extension("test.html");
    let text = fs::read_to_string(page).unwrap();
    let whole = text.replace("</body>", &format!("<script>\n{script}\n</script></body>"));
    fs::write(&copy, whole).unwrap();
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"])
        .args(["--enable-logging=stderr", "--v=0", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}{hash}", copy.display()))
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: chromium is not installed");
        return None;
    };
    let err = String::from_utf8_lossy(&output.stderr);
    let is_complaint = |line: &&str| line.contains("CONSOLE") || line.contains("Uncaught");
    let complaints = err.lines().filter(is_complaint).map(str::to_owned).collect();
    Some(Seen { dom: String::from_utf8(output.stdout).unwrap(), complaints })
}
