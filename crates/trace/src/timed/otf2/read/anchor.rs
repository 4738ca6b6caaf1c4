//! The anchor of an archive: where its chunks end, and whether it can be read here.

use std::fs;
use std::path::Path;

use crate::mistake::Problem;
use crate::timed::otf2::archive::CREATOR;

/// No anchor is longer: properties are short texts.
const LONGEST: u64 = 1 << 20;

/// What the anchor says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchor {
    pub(super) event_chunk: u64,
    pub(super) definition_chunk: u64,
    pub(super) machine: String,
    /// Whether we wrote it.
    pub(super) is_ours: bool,
}

impl Anchor {
    pub(super) fn read(path: &Path) -> Result<Self, Problem> {
        let cannot = |error| Problem::File { path: path.to_owned(), error };
        if fs::metadata(path).map_err(cannot)?.len() > LONGEST {
            let reason = "this is too long for the anchor of an OTF2 archive".into();
            return Err(Problem::Whole { path: path.to_owned(), reason });
        }
        let bytes = fs::read(path).map_err(cannot)?;
        Self::parse(&bytes).map_err(|(offset, reason)| Problem::Byte {
            path: path.to_owned(),
            offset: offset as u64,
            reason,
        })
    }

    fn parse(bytes: &[u8]) -> Result<Self, (usize, String)> {
        let mut at = 0;
        let mut take = |count: usize| {
            let taken = bytes.get(at..at + count);
            at += count;
            taken.ok_or((bytes.len(), "the anchor ends too early".to_owned()))
        };
        let is_big = match take(7)? {
            [3, 0x42, b'O', b'T', b'F', b'2', 0] => false,
            [3, 0x23, b'O', b'T', b'F', b'2', 0] => true,
            _ => return Err((0, "this is not the anchor of an OTF2 archive".into())),
        };
        let number = |bytes: &[u8]| {
            let add = |number: u64, byte: &u8| number << 8 | u64::from(*byte);
            if is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
        };
        take(5)?;
        let event_chunk = number(take(8)?);
        let definition_chunk = number(take(8)?);
        if event_chunk < 32 || definition_chunk < 32 {
            return Err((12, "chunks are longer than this".into()));
        }
        match take(2)? {
            [1, 1] => {}
            // The library cannot seek in such archives, and none that is built today writes them.
            [1, 2] => {
                let words = "the archive is compressed, which the OTF2 library itself does not \
                             read: let the tool write it without compression";
                return Err((29, words.into()));
            }
            [1, other] => return Err((29, format!("there is no compression of kind {other}"))),
            _ => return Err((28, "the archive is not in files of its own (SION)".into())),
        }
        take(16)?;
        let rest = bytes.get(at..).unwrap_or_default();
        let mut texts = rest.split(|byte| *byte == 0);
        let mut text = || String::from_utf8_lossy(texts.next().unwrap_or_default()).into_owned();
        let (machine, is_ours) = (text(), text() == CREATOR);
        Ok(Self { event_chunk, definition_chunk, machine, is_ours })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_anchor_is_told_with_its_byte() {
        let check = |bytes: &[u8], offset, reason: &str| {
            let (at, words) = Anchor::parse(bytes).unwrap_err();
            assert_eq!(at, offset);
            assert!(words.contains(reason), "{words}");
        };
        check(b"", 0, "too early");
        check(b"\x03\x42OTF1\0", 0, "not the anchor");
        let mut bytes = b"\x03\x42OTF2\0\x03\x02\x03\0\x02".to_vec();
        bytes.extend(1024_u64.to_le_bytes().repeat(2));
        check(&[&bytes[..], &[1, 2], &[0; 40]].concat(), 29, "compressed");
        check(&[&bytes[..], &[1, 7], &[0; 40]].concat(), 29, "kind 7");
        check(&[&bytes[..], &[2, 1], &[0; 40]].concat(), 28, "SION");
        let good = Anchor::parse(&[&bytes[..], &[1, 1], &[0; 16], b"taurus\0rest"].concat());
        assert_eq!(good.unwrap().machine, "taurus");
    }
}
