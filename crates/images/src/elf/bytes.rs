//! Little-endian numbers and strings at places of a byte string; out of range reads give nothing.

/// The `N` bytes at `at`.
fn array<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

pub(crate) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    array(bytes, at).map(u16::from_le_bytes)
}

pub(crate) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    array(bytes, at).map(u32::from_le_bytes)
}

pub(crate) fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    array(bytes, at).map(u64::from_le_bytes)
}

/// The string that starts at `at` and ends before the next zero byte.
pub(crate) fn string_at(bytes: &[u8], at: usize) -> Option<&[u8]> {
    let tail = bytes.get(at..)?;
    tail.iter().position(|byte| *byte == 0).map(|end| &tail[..end])
}
