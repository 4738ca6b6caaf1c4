//! Drafts whose process has ended before it could give them their names or remove them.

use std::fs;
use std::path::Path;

use super::folder_of;

/// What the names of all drafts of this process begin with.
#[must_use]
pub fn prefix() -> String {
    prefix_of(std::process::id())
}

fn prefix_of(process: u32) -> String {
    format!(".foretell-{process}-")
}

/// Removes what a process has left beside a file that it was writing. The process has ended; what
/// cannot be removed stays.
pub fn sweep(path: &Path, process: u32) {
    let Ok(entries) = fs::read_dir(folder_of(path)) else { return };
    let prefix = prefix_of(process);
    for entry in entries.flatten() {
        if entry.file_name().as_encoded_bytes().starts_with(prefix.as_bytes()) {
            let _ = match entry.file_type() {
                Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
                _ => fs::remove_file(entry.path()),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_of_a_process_are_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in [".foretell-12-a", ".foretell-123-a", ".foretell-a", "12"] {
            fs::write(at(name), "").unwrap();
        }
        fs::create_dir_all(at(".foretell-12-b/events")).unwrap();
        sweep(&at("trace.prv"), 12);
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".foretell-123-a", ".foretell-a", "12"]);
        sweep(&at("no/trace.prv"), 12);
    }
}
