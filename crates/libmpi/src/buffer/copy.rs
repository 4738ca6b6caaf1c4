//! Copying blocks at regular distances.
//!
//! Short blocks of usual lengths are copied by loops made for them, which compile to plain loads
//! and stores: a column of a matrix is packed several times as fast as by calls of `memcpy`.

use foretell_mpi::datatype::Group;

/// Blocks in memory: the address of the first one, and of those that follow.
#[derive(Clone, Copy)]
struct Blocks {
    address: usize,
    stride: i64,
}

/// Copies the blocks of a group, which begin at `from`, side by side to `to`. Gives the address
/// behind the last one.
///
/// # Safety
///
/// All blocks can be read, and `to` has room for them.
pub(super) unsafe fn gather(from: usize, group: &Group, to: usize) -> usize {
    let from = Blocks { address: from, stride: group.stride };
    let packed = Blocks { address: to, stride: group.bytes as i64 };
    // SAFETY: the caller's promise.
    unsafe { copy(from, packed, group) };
    to.wrapping_add((group.bytes * group.count) as usize)
}

/// Copies data that lies side by side at `from` to the blocks of a group, which begin at `to`.
/// Gives the address behind what was taken.
///
/// # Safety
///
/// There is so much data at `from`, and all blocks can be written.
pub(super) unsafe fn scatter(from: usize, group: &Group, to: usize) -> usize {
    let packed = Blocks { address: from, stride: group.bytes as i64 };
    let to = Blocks { address: to, stride: group.stride };
    // SAFETY: the caller's promise.
    unsafe { copy(packed, to, group) };
    from.wrapping_add((group.bytes * group.count) as usize)
}

/// Copies as many blocks as the group has, of its length.
unsafe fn copy(from: Blocks, to: Blocks, group: &Group) {
    // SAFETY: the caller's promise, handed on.
    unsafe {
        match group.bytes {
            _ if group.count == 1 => copy_any(from, to, group),
            1 => copy_short::<1>(from, to, group.count),
            2 => copy_short::<2>(from, to, group.count),
            4 => copy_short::<4>(from, to, group.count),
            8 => copy_short::<8>(from, to, group.count),
            12 => copy_short::<12>(from, to, group.count),
            16 => copy_short::<16>(from, to, group.count),
            24 => copy_short::<24>(from, to, group.count),
            32 => copy_short::<32>(from, to, group.count),
            64 => copy_short::<64>(from, to, group.count),
            _ => copy_any(from, to, group),
        }
    }
}

/// Copies blocks of a length that is known here.
unsafe fn copy_short<const BYTES: usize>(mut from: Blocks, mut to: Blocks, count: u64) {
    for _ in 0..count {
        // SAFETY: the caller's promise: the block can be read and written. It need not be aligned.
        unsafe {
            let block = (from.address as *const [u8; BYTES]).read_unaligned();
            (to.address as *mut [u8; BYTES]).write_unaligned(block);
        }
        from = from.next();
        to = to.next();
    }
}

/// Copies blocks of any length.
unsafe fn copy_any(mut from: Blocks, mut to: Blocks, group: &Group) {
    for _ in 0..group.count {
        let (source, target) = (from.address as *const u8, to.address as *mut u8);
        // SAFETY: the caller's promise. Buffers that overlap are forbidden, but harmless here.
        unsafe { std::ptr::copy(source, target, group.bytes as usize) };
        from = from.next();
        to = to.next();
    }
}

impl Blocks {
    fn next(self) -> Blocks {
        Blocks { address: self.address.wrapping_add_signed(self.stride as isize), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_every_length_go_there_and_back() {
        for bytes in 1..=70_usize {
            let memory: Vec<u8> = (0..10 * bytes).map(|at| at as u8).collect();
            let stride = -2 * bytes as i64;
            let group = Group { offset: 0, bytes: bytes as u64, stride, count: 4 };
            let (mut packed, mut back) = (vec![0; 4 * bytes], vec![0; 10 * bytes]);
            let place = packed.as_mut_ptr() as usize;
            // SAFETY: the blocks begin 8, 6, 4 and 2 lengths behind the beginning of ten.
            unsafe {
                let end = gather(memory.as_ptr() as usize + 8 * bytes, &group, place);
                assert_eq!(end, place + packed.len());
                scatter(place, &group, back.as_mut_ptr() as usize + 8 * bytes);
            }
            let block = |at: usize| at * bytes..(at + 1) * bytes;
            let expected = [8, 6, 4, 2].map(|at| memory[block(at)].to_vec()).concat();
            assert_eq!(packed, expected, "{bytes}");
            for at in 0..10 {
                let is_copied = at > 0 && at % 2 == 0;
                let expected = if is_copied { &memory[block(at)] } else { &vec![0; bytes] };
                assert_eq!(&back[block(at)], expected, "{bytes}");
            }
        }
    }
}
