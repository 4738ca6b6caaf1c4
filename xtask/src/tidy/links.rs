//! Links between the documents lead somewhere.

use super::Finding;

/// Checks the relative links of one Markdown file against the files of the project.
pub(super) fn check(file: &str, text: &str, files: &[String]) -> Vec<Finding> {
    if !file.ends_with(".md") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        for target in targets(line) {
            let path = resolve(file, target);
            // A link to a folder is one to any file in it.
            let leads = |known: &String| *known == path || known.starts_with(&format!("{path}/"));
            if !files.iter().any(leads) {
                findings.push(Finding::new(
                    file,
                    number,
                    format!("the link to `{target}` is broken"),
                ));
            }
        }
    }
    findings
}

/// The relative targets of the links in a line, without their anchors.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| {
        let target = rest.split([')', ' ']).next()?.split('#').next()?;
        (!target.is_empty() && !target.contains(':')).then_some(target)
    })
}

/// The path of a link's target from the root of the project.
fn resolve(file: &str, target: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(file: &str, text: &str) -> usize {
        let files = ["README.md", "docs/src/a.md", "docs/src/x/b.md"].map(String::from);
        check(file, text, &files).len()
    }

    #[test]
    fn links_are_followed_from_the_file_that_holds_them() {
        assert_eq!(broken("docs/src/x/b.md", "[a](../a.md#part) and [b](b.md)\n"), 0);
        assert_eq!(broken("README.md", "[the book](docs/src) [a](a.md)\n"), 1);
        assert_eq!(broken("docs/src/a.md", "[gone](x/c.md)\n"), 1);
    }

    #[test]
    fn other_places_and_code_are_left_alone() {
        assert_eq!(broken("README.md", "[w](https://example.org/a) [here](#part)\n"), 0);
        assert_eq!(broken("README.md", "```text\n[x](nowhere)\n```\n"), 0);
        assert_eq!(broken("a.rs", "[x](nowhere)\n"), 0);
    }
}
