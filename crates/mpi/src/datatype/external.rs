//! The portable representation external32: big endian, sizes by table. MPI 4.1 sections 5.3 and
//! 14.5.2.
//!
//! A long has 4 bytes and a wide character 2 in it: what does not fit loses its upper bytes.

use super::Datatype;
use super::basic::{Basic, Format, Kind};
use super::copy::span;
use super::extended;
use crate::error::{Error, Result};

impl Basic {
    /// Appends the portable form of one element to `out`. `native` holds the element's extent, or
    /// at least its data.
    pub fn to_external32(self, native: &[u8], out: &mut Vec<u8>) {
        for (part, offset) in self.parts() {
            let native = &native[offset as usize..(offset + part.size()) as usize];
            for number in native.chunks_exact(part.number_size()) {
                match part.kind() {
                    Kind::Real(Format::Extended) | Kind::Complex(Format::Extended) => {
                        out.extend(extended::to_quad(number).to_be_bytes());
                    }
                    _ => out.extend(number[..part.external32_number_size()].iter().rev()),
                }
            }
        }
    }

    /// Writes one element from its portable form, which has [`Basic::external32_size`] bytes. The
    /// holes of a pair stay as they are.
    pub fn from_external32(self, external: &[u8], native: &mut [u8]) {
        let mut external = external;
        for (part, offset) in self.parts() {
            let native = &mut native[offset as usize..(offset + part.size()) as usize];
            for number in native.chunks_exact_mut(part.number_size()) {
                let (portable, rest) = external.split_at(part.external32_number_size());
                external = rest;
                part.number_from_external32(portable, number);
            }
        }
    }

    fn number_from_external32(self, portable: &[u8], number: &mut [u8]) {
        if let Kind::Real(Format::Extended) | Kind::Complex(Format::Extended) = self.kind() {
            let quad = portable.iter().fold(0, |bits, byte| bits << 8 | u128::from(*byte));
            number.copy_from_slice(&extended::from_quad(quad));
            return;
        }
        let is_negative = self.kind() == Kind::Signed && portable[0] >= 0x80;
        let (low, high) = number.split_at_mut(portable.len());
        low.iter_mut().zip(portable.iter().rev()).for_each(|(to, from)| *to = *from);
        high.fill(if is_negative { 0xff } else { 0 });
    }

    /// Bytes of one number: a complex one has two.
    fn number_size(self) -> usize {
        self.size() as usize / self.numbers()
    }

    fn external32_number_size(self) -> usize {
        self.external32_size() as usize / self.numbers()
    }

    fn numbers(self) -> usize {
        if let Kind::Complex(_) = self.kind() { 2 } else { 1 }
    }
}

impl Datatype {
    /// `MPI_Pack_external_size`: bytes of `count` elements in external32.
    pub fn external32_size(&self, count: i64) -> Result<u64> {
        let size = u64::try_from(count).ok().and_then(|n| self.measure().external.checked_mul(n));
        size.filter(|size| *size <= i64::MAX as u64).ok_or_else(|| {
            Error::BadArgument(format!("{count} elements have no size in external32"))
        })
    }

    /// `MPI_Pack_external`: appends the data of `count` elements to `out` in external32.
    pub fn pack_external32(
        &self,
        count: i64,
        source: &[u8],
        origin: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let mut outcome = Ok(());
        self.for_each_basic(count, |basic, offset| {
            match span(origin, offset, basic.true_extent(), source.len()) {
                Ok(span) => basic.to_external32(&source[span], out),
                Err(error) => outcome = Err(error),
            }
        });
        outcome
    }

    /// `MPI_Unpack_external`: puts data in external32 into the place of `count` elements and
    /// says how many bytes of it that took.
    pub fn unpack_external32(
        &self,
        count: i64,
        packed: &[u8],
        target: &mut [u8],
        origin: usize,
    ) -> Result<u64> {
        let size = self.external32_size(count)?;
        if size > packed.len() as u64 {
            let given = packed.len();
            let message = format!("{count} elements need {size} bytes in external32, not {given}");
            return Err(Error::BadArgument(message));
        }
        let mut packed = packed;
        let mut outcome = Ok(size);
        let room = target.len();
        self.for_each_basic(count, |basic, offset| {
            let (external, rest) = packed.split_at(basic.external32_size() as usize);
            packed = rest;
            match span(origin, offset, basic.true_extent(), room) {
                Ok(span) => basic.from_external32(external, &mut target[span]),
                Err(error) => outcome = Err(error),
            }
        });
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(basic: Basic, native: &[u8], external: &[u8]) {
        let mut out = Vec::new();
        basic.to_external32(native, &mut out);
        assert_eq!(out, external, "{basic:?}");
        let mut back = vec![0; native.len()];
        basic.from_external32(external, &mut back);
        assert_eq!(back, native, "{basic:?}");
    }

    #[test]
    fn numbers_are_turned_around() {
        check(Basic::Char, b"a", b"a");
        check(Basic::Int, &1_i32.to_le_bytes(), &[0, 0, 0, 1]);
        check(Basic::Double, &(-2.5_f64).to_le_bytes(), &(-2.5_f64).to_be_bytes());
        check(Basic::Logical2, &[1, 0], &[0, 1]);
        check(Basic::Integer16, &7_i128.to_le_bytes(), &7_i128.to_be_bytes());
    }

    #[test]
    fn longs_and_wide_characters_are_shorter() {
        check(Basic::Long, &(-2_i64).to_le_bytes(), &[0xff, 0xff, 0xff, 0xfe]);
        check(Basic::UnsignedLong, &0x8000_0000_u64.to_le_bytes(), &[0x80, 0, 0, 0]);
        check(Basic::Wchar, &0xfffd_u32.to_le_bytes(), &[0xff, 0xfd]);
    }

    #[test]
    fn complex_numbers_keep_their_parts_in_order() {
        let native = [1_f32.to_le_bytes(), 2_f32.to_le_bytes()].concat();
        let external = [1_f32.to_be_bytes(), 2_f32.to_be_bytes()].concat();
        check(Basic::Complex, &native, &external);
    }

    #[test]
    fn long_doubles_become_quadruple_precision() {
        let mut native = [0; 32];
        native[7..10].copy_from_slice(&[0x80, 0xff, 0x3f]);
        native[16 + 7..16 + 10].copy_from_slice(&[0xc0, 0x00, 0xc0]);
        let mut external = [0; 32];
        external[..2].copy_from_slice(&[0x3f, 0xff]);
        external[16..16 + 3].copy_from_slice(&[0xc0, 0x00, 0x80]);
        check(Basic::LongDouble, &native[..16], &external[..16]);
        check(Basic::CLongDoubleComplex, &native, &external);
    }

    #[test]
    fn pairs_lose_their_hole() {
        check(Basic::ShortInt, &[1, 0, 0, 0, 2, 0, 0, 0], &[0, 1, 0, 0, 0, 2]);
    }

    #[test]
    fn too_little_data_is_refused() {
        let int = Datatype::from(Basic::Int);
        let mut target = [0; 8];
        assert!(int.unpack_external32(2, &[0; 7], &mut target, 0).is_err());
        assert_eq!(int.unpack_external32(2, &[0; 9], &mut target, 0), Ok(8));
        assert!(int.pack_external32(3, &target, 0, &mut Vec::new()).is_err());
    }
}
