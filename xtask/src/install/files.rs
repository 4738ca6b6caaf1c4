//! Copies, links and texts below a prefix, each said once it is there.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Copies a file, or a folder with all that is in it.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    if from.is_dir() {
        let cannot = || format!("cannot read {}", from.display());
        for entry in fs::read_dir(from).with_context(cannot)? {
            let entry = entry.with_context(cannot)?;
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    make_room(to)?;
    fs::copy(from, to)
        .with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    println!("installed {}", to.display());
    Ok(())
}

/// Makes another name for a file in the same folder.
pub(super) fn link(name: &Path, target: &str) -> Result<()> {
    make_room(name)?;
    std::os::unix::fs::symlink(target, name)
        .with_context(|| format!("cannot create {}", name.display()))?;
    println!("installed {} -> {target}", name.display());
    Ok(())
}

/// Writes a text.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    make_room(path)?;
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("installed {}", path.display());
    Ok(())
}

/// Creates the folder and removes what is in the way: a running program cannot be written over,
/// but it can be replaced, and a link must not be written through.
fn make_room(path: &Path) -> Result<()> {
    let parent = path.parent().expect("every file is below the prefix");
    fs::create_dir_all(parent).with_context(|| format!("cannot create {}", parent.display()))?;
    fs::remove_file(path).ok();
    Ok(())
}
