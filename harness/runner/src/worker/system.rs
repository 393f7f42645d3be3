//! The files by which the kernel tells of itself, under a root that tests put elsewhere.

use std::fs;
use std::path::{Path, PathBuf};

/// `/proc` and `/sys`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct System {
    root: PathBuf,
}

impl Default for System {
    fn default() -> Self {
        Self { root: PathBuf::from("/") }
    }
}

impl System {
    /// The files under another root.
    #[cfg(test)]
    pub fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// Where a file of an absolute path lies.
    pub fn path(&self, absolute: impl AsRef<Path>) -> PathBuf {
        let absolute = absolute.as_ref();
        self.root.join(absolute.strip_prefix("/").unwrap_or(absolute))
    }

    /// The trimmed text of a file; empty where it cannot be read.
    pub fn read(&self, absolute: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(absolute)).map(|text| text.trim().to_owned()).unwrap_or_default()
    }

    /// The value of the first line `name: value` of a file.
    pub fn field(&self, absolute: impl AsRef<Path>, name: &str) -> Option<String> {
        self.read(absolute).lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == name).then(|| value.trim().to_owned())
        })
    }

    /// The same in bytes, where the value is written `123 kB`.
    pub fn field_b(&self, absolute: impl AsRef<Path>, name: &str) -> Option<u64> {
        let value = self.field(absolute, name)?;
        value.strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_files_are_understood() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("info"), "processor\t: 0\nmodel name\t: Fast: 9\nMemTotal:   16 kB\n")
            .expect("a file");
        let system = System::at(folder.path());
        assert_eq!(system.field("/info", "model name").as_deref(), Some("Fast: 9"));
        assert_eq!((system.field("/info", "model"), system.field("/none", "model")), (None, None));
        assert_eq!((system.field_b("/info", "MemTotal"), system.field_b("/info", "processor")), (Some(16384), None));
    }
}
