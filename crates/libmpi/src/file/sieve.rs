//! Moving data to and from pieces of a file.
//!
//! Pieces that lie near each other are moved together: what is between them is read along with
//! them, and written back as it was. A call of the system for every eight bytes of a matrix's
//! column would take a thousand times as long. Nobody else writes meanwhile: all ranks are here.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;

use foretell_mpi::datatype::View;

/// Bytes between two pieces that are moved together, at most: copying more takes longer than
/// another call of the system.
const NEAR: u64 = 2048;

/// Bytes of a file that are moved together, at most.
const MOST: u64 = 1 << 20;

/// A part of the data and where it lies in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Piece {
    offset: u64,
    at: usize,
    length: usize,
}

impl Piece {
    /// Where it ends in the file.
    fn end(self) -> u64 {
        self.offset + self.length as u64
    }
}

/// Pieces that are moved together, in the order of the file.
#[derive(Debug, Default)]
struct Window {
    pieces: Vec<Piece>,
}

impl Window {
    /// Whether a piece is near enough to the last one.
    fn takes(&self, piece: Piece) -> bool {
        let (Some(first), Some(last)) = (self.pieces.first(), self.pieces.last()) else {
            return true;
        };
        piece.offset >= last.end()
            && piece.offset - last.end() <= NEAR
            && piece.end() - first.offset <= MOST
    }

    /// Where it begins in the file, and how long it is.
    fn span(&self) -> (u64, usize) {
        let start = self.pieces.first().map_or(0, |piece| piece.offset);
        let end = self.pieces.last().map_or(0, |piece| piece.end());
        (start, (end - start) as usize)
    }

    /// Reads all pieces, which are in the file.
    fn read(&self, file: &File, data: &mut [u8]) -> io::Result<()> {
        if let [piece] = self.pieces.as_slice() {
            return file.read_exact_at(&mut data[piece.at..piece.at + piece.length], piece.offset);
        }
        let (start, length) = self.span();
        let mut block = vec![0; length];
        file.read_exact_at(&mut block, start)?;
        for piece in &self.pieces {
            let from = (piece.offset - start) as usize;
            data[piece.at..piece.at + piece.length]
                .copy_from_slice(&block[from..from + piece.length]);
        }
        Ok(())
    }

    /// Writes all pieces.
    fn write(&self, file: &File, data: &[u8]) -> io::Result<()> {
        if let [piece] = self.pieces.as_slice() {
            return file.write_all_at(&data[piece.at..piece.at + piece.length], piece.offset);
        }
        let (start, length) = self.span();
        // What is behind the end of the file stays zero.
        let mut block = vec![0; length];
        read_some(file, &mut block, start)?;
        for piece in &self.pieces {
            let to = (piece.offset - start) as usize;
            block[to..to + piece.length].copy_from_slice(&data[piece.at..piece.at + piece.length]);
        }
        file.write_all_at(&block, start)
    }
}

/// Reads what there is.
fn read_some(file: &File, block: &mut [u8], offset: u64) -> io::Result<()> {
    let mut done = 0;
    while done < block.len() {
        match file.read_at(&mut block[done..], offset + done as u64) {
            Ok(0) => break,
            Ok(count) => done += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// Cuts `bytes` of data from a position of the view on into windows.
fn for_each_window(
    view: &View,
    position: u64,
    bytes: usize,
    joins: bool,
    mut visit: impl FnMut(&Window) -> io::Result<()>,
) -> io::Result<()> {
    let (mut window, mut at, mut outcome) = (Window::default(), 0, Ok(()));
    view.for_each_run(position..position + bytes as u64, |offset, length| {
        let piece = Piece { offset: offset as u64, at, length: length as usize };
        at += piece.length;
        if outcome.is_ok() && !(window.takes(piece) && (joins || window.pieces.is_empty())) {
            outcome = visit(&window);
            window.pieces.clear();
        }
        window.pieces.push(piece);
    });
    outcome?;
    if window.pieces.is_empty() { Ok(()) } else { visit(&window) }
}

/// Reads data from where the view shows it, all of which is in the file.
pub(super) fn read(file: &File, view: &View, position: u64, data: &mut [u8]) -> io::Result<()> {
    let bytes = data.len();
    for_each_window(view, position, bytes, true, |window| window.read(file, data))
}

/// Writes data to where the view shows it. Pieces go one by one into a file that cannot be read.
pub(super) fn write(
    file: &File,
    is_readable: bool,
    view: &View,
    position: u64,
    data: &[u8],
) -> io::Result<()> {
    for_each_window(view, position, data.len(), is_readable, |window| window.write(file, data))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foretell_mpi::datatype::{Basic, Datatype};

    /// Pieces side by side, near, and far apart.
    fn views() -> Vec<View> {
        let byte = Datatype::from(Basic::Byte);
        let make = |blocks: &[i64], places: &[i64], extent| {
            Datatype::indexed(blocks, places, &byte).unwrap().resized(0, extent).unwrap()
        };
        vec![
            View::new(3, byte.clone()),
            View::new(0, make(&[1], &[0], 3)),
            View::new(5, make(&[2, 3, 1], &[0, 4, 9], 20)),
            View::new(7, make(&[4, 4], &[0, 10_000], 30_000)),
            View::new(1, make(&[600, 600], &[0, 700], 1400)),
        ]
    }

    #[test]
    fn what_is_between_pieces_stays_as_it_is() {
        let path = std::env::temp_dir().join(format!("foretell-sieve-{}", std::process::id()));
        let file = File::options().read(true).write(true).create(true).truncate(true).open(&path);
        let file = file.unwrap();
        for (view, position, length, is_readable, before) in views().iter().flat_map(|view| {
            [(0, 1, true, 0), (4, 100, true, 50), (2, 5000, true, 900), (3, 50, false, 40)]
                .map(|(position, length, joins, before)| (view, position, length, joins, before))
        }) {
            file.set_len(0).unwrap();
            file.write_all_at(&vec![0xee; before], 0).unwrap();
            let data: Vec<u8> = (0..length).map(|at| (at % 251) as u8 + 1).collect();
            // Byte by byte, as the view says.
            let mut expected = vec![0xee; before];
            for (at, value) in data.iter().enumerate() {
                let offset = view.offset(position + at as u64).unwrap() as usize;
                expected.resize(expected.len().max(offset + 1), 0);
                expected[offset] = *value;
            }
            write(&file, is_readable, view, position, &data).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), expected, "{view:?} {position} {length}");
            let mut back = vec![0; data.len()];
            read(&file, view, position, &mut back).unwrap();
            assert_eq!(back, data);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn far_pieces_are_moved_apart() {
        let count = |view: &View, bytes| {
            let mut windows = 0;
            for_each_window(view, 0, bytes, true, |_| {
                windows += 1;
                Ok(())
            })
            .unwrap();
            windows
        };
        let views = views();
        assert_eq!(count(&views[1], 100_000), 1);
        assert_eq!(count(&views[1], 3 << 20), 9);
        assert_eq!(count(&views[3], 80), 20);
        assert_eq!(count(&views[0], 0), 0);
    }
}
