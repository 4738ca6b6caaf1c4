//! The predefined datatypes of C, C++ and Fortran, as x86-64 Linux lays them out.
//!
//! MPI 4.1 section 3.2.2 and annex A.1.1, with the logical kinds of MPI 5.0. Fortran types follow
//! gfortran's default kinds.

/// How a floating-point number is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// IEEE binary16.
    Half,
    /// IEEE binary32.
    Single,
    /// IEEE binary64.
    Double,
    /// The 80 bits of the x87, in 16 bytes: `long double`.
    Extended,
    /// IEEE binary128.
    Quad,
}

/// What the bytes of a predefined datatype mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Bytes without a meaning, those of `MPI_PACKED` included.
    Bytes,
    /// A printable character.
    Character,
    /// An integer with sign.
    Signed,
    /// An integer without sign.
    Unsigned,
    /// False as zero, true as anything else.
    Logical,
    /// A floating-point number.
    Real(Format),
    /// A real and an imaginary part.
    Complex(Format),
    /// A value and an index, laid out as a C structure.
    Pair(Basic, Basic),
}

/// One row of the table below: how a type is called and what it is.
struct Facts {
    name: &'static str,
    size: u64,
    alignment: u64,
    external: u64,
    kind: Kind,
}

/// Writes the enumeration and its table from one list: variant, name, size, alignment, size in
/// external32, meaning.
macro_rules! basics {
    ($(
        $variant:ident $name:literal $size:literal $alignment:literal $external:literal $kind:expr;
    )*) => {
        /// A predefined datatype.
        ///
        /// `MPI_LONG_LONG_INT` and `MPI_C_COMPLEX` are the same as [`Basic::LongLong`] and
        /// [`Basic::CFloatComplex`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Basic {
            $(#[doc = concat!("`", $name, "`.")] $variant,)*
        }

        impl Basic {
            /// All of them.
            pub const ALL: &'static [Basic] = &[$(Basic::$variant,)*];

            fn facts(self) -> Facts {
                use Basic::*;
                use Format::*;
                use Kind::*;
                match self {
                    $(Basic::$variant => Facts {
                        name: $name,
                        size: $size,
                        alignment: $alignment,
                        external: $external,
                        kind: $kind,
                    },)*
                }
            }
        }
    };
}

basics! {
    Char "MPI_CHAR" 1 1 1 Character;
    SignedChar "MPI_SIGNED_CHAR" 1 1 1 Signed;
    UnsignedChar "MPI_UNSIGNED_CHAR" 1 1 1 Kind::Unsigned;
    Byte "MPI_BYTE" 1 1 1 Bytes;
    Packed "MPI_PACKED" 1 1 1 Bytes;
    Wchar "MPI_WCHAR" 4 4 2 Character;
    Short "MPI_SHORT" 2 2 2 Signed;
    UnsignedShort "MPI_UNSIGNED_SHORT" 2 2 2 Kind::Unsigned;
    Int "MPI_INT" 4 4 4 Signed;
    Unsigned "MPI_UNSIGNED" 4 4 4 Kind::Unsigned;
    Long "MPI_LONG" 8 8 4 Signed;
    UnsignedLong "MPI_UNSIGNED_LONG" 8 8 4 Kind::Unsigned;
    LongLong "MPI_LONG_LONG" 8 8 8 Signed;
    UnsignedLongLong "MPI_UNSIGNED_LONG_LONG" 8 8 8 Kind::Unsigned;
    Int8 "MPI_INT8_T" 1 1 1 Signed;
    Int16 "MPI_INT16_T" 2 2 2 Signed;
    Int32 "MPI_INT32_T" 4 4 4 Signed;
    Int64 "MPI_INT64_T" 8 8 8 Signed;
    Uint8 "MPI_UINT8_T" 1 1 1 Kind::Unsigned;
    Uint16 "MPI_UINT16_T" 2 2 2 Kind::Unsigned;
    Uint32 "MPI_UINT32_T" 4 4 4 Kind::Unsigned;
    Uint64 "MPI_UINT64_T" 8 8 8 Kind::Unsigned;
    Float "MPI_FLOAT" 4 4 4 Kind::Real(Single);
    Double "MPI_DOUBLE" 8 8 8 Kind::Real(Format::Double);
    LongDouble "MPI_LONG_DOUBLE" 16 16 16 Kind::Real(Extended);
    CBool "MPI_C_BOOL" 1 1 1 Kind::Logical;
    CFloatComplex "MPI_C_FLOAT_COMPLEX" 8 4 8 Kind::Complex(Single);
    CDoubleComplex "MPI_C_DOUBLE_COMPLEX" 16 8 16 Kind::Complex(Format::Double);
    CLongDoubleComplex "MPI_C_LONG_DOUBLE_COMPLEX" 32 16 32 Kind::Complex(Extended);
    CxxBool "MPI_CXX_BOOL" 1 1 1 Kind::Logical;
    CxxFloatComplex "MPI_CXX_FLOAT_COMPLEX" 8 4 8 Kind::Complex(Single);
    CxxDoubleComplex "MPI_CXX_DOUBLE_COMPLEX" 16 8 16 Kind::Complex(Format::Double);
    CxxLongDoubleComplex "MPI_CXX_LONG_DOUBLE_COMPLEX" 32 16 32 Kind::Complex(Extended);
    Aint "MPI_AINT" 8 8 8 Signed;
    Offset "MPI_OFFSET" 8 8 8 Signed;
    Count "MPI_COUNT" 8 8 8 Signed;
    Logical "MPI_LOGICAL" 4 4 4 Kind::Logical;
    Integer "MPI_INTEGER" 4 4 4 Signed;
    Real "MPI_REAL" 4 4 4 Kind::Real(Single);
    DoublePrecision "MPI_DOUBLE_PRECISION" 8 8 8 Kind::Real(Format::Double);
    Complex "MPI_COMPLEX" 8 4 8 Kind::Complex(Single);
    DoubleComplex "MPI_DOUBLE_COMPLEX" 16 8 16 Kind::Complex(Format::Double);
    FortranCharacter "MPI_CHARACTER" 1 1 1 Character;
    Integer1 "MPI_INTEGER1" 1 1 1 Signed;
    Integer2 "MPI_INTEGER2" 2 2 2 Signed;
    Integer4 "MPI_INTEGER4" 4 4 4 Signed;
    Integer8 "MPI_INTEGER8" 8 8 8 Signed;
    Integer16 "MPI_INTEGER16" 16 16 16 Signed;
    Real2 "MPI_REAL2" 2 2 2 Kind::Real(Half);
    Real4 "MPI_REAL4" 4 4 4 Kind::Real(Single);
    Real8 "MPI_REAL8" 8 8 8 Kind::Real(Format::Double);
    Real16 "MPI_REAL16" 16 16 16 Kind::Real(Quad);
    Complex4 "MPI_COMPLEX4" 4 2 4 Kind::Complex(Half);
    Complex8 "MPI_COMPLEX8" 8 4 8 Kind::Complex(Single);
    Complex16 "MPI_COMPLEX16" 16 8 16 Kind::Complex(Format::Double);
    Complex32 "MPI_COMPLEX32" 32 16 32 Kind::Complex(Quad);
    Logical1 "MPI_LOGICAL1" 1 1 1 Kind::Logical;
    Logical2 "MPI_LOGICAL2" 2 2 2 Kind::Logical;
    Logical4 "MPI_LOGICAL4" 4 4 4 Kind::Logical;
    Logical8 "MPI_LOGICAL8" 8 8 8 Kind::Logical;
    Logical16 "MPI_LOGICAL16" 16 16 16 Kind::Logical;
    FloatInt "MPI_FLOAT_INT" 8 4 8 Pair(Float, Int);
    DoubleInt "MPI_DOUBLE_INT" 12 8 12 Pair(Basic::Double, Int);
    LongInt "MPI_LONG_INT" 12 8 8 Pair(Long, Int);
    TwoInt "MPI_2INT" 8 4 8 Pair(Int, Int);
    ShortInt "MPI_SHORT_INT" 6 4 6 Pair(Short, Int);
    LongDoubleInt "MPI_LONG_DOUBLE_INT" 20 16 20 Pair(LongDouble, Int);
    TwoReal "MPI_2REAL" 8 4 8 Pair(Basic::Real, Basic::Real);
    TwoDoublePrecision "MPI_2DOUBLE_PRECISION" 16 8 16 Pair(DoublePrecision, DoublePrecision);
    TwoInteger "MPI_2INTEGER" 8 4 8 Pair(Integer, Integer);
}

impl Basic {
    /// Its name in C and Fortran.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Bytes of data, the holes of a pair left out.
    pub fn size(self) -> u64 {
        self.facts().size
    }

    /// Bytes from the first to behind the last one of data, the hole in a pair counted.
    pub fn true_extent(self) -> u64 {
        match self.kind() {
            Kind::Pair(_, index) => self.index_offset() + index.size(),
            _ => self.size(),
        }
    }

    /// Bytes from one element of an array to the next.
    pub fn extent(self) -> u64 {
        self.true_extent().next_multiple_of(self.alignment())
    }

    /// What its address is a multiple of.
    pub fn alignment(self) -> u64 {
        self.facts().alignment
    }

    /// Bytes in the portable representation. MPI 4.1 section 14.5.2: a long has 4, a wide
    /// character 2.
    pub fn external32_size(self) -> u64 {
        self.facts().external
    }

    /// What its bytes mean.
    pub fn kind(self) -> Kind {
        self.facts().kind
    }

    /// The elements it consists of, with their offsets: itself, or the two of a pair.
    pub fn parts(self) -> impl Iterator<Item = (Basic, u64)> {
        let (first, second) = match self.kind() {
            Kind::Pair(value, index) => (value, Some((index, self.index_offset()))),
            _ => (self, None),
        };
        std::iter::once((first, 0)).chain(second)
    }

    /// The pair of a value and an index, if it has a name of its own.
    pub fn pair(value: Basic, index: Basic) -> Option<Basic> {
        Basic::ALL.iter().copied().find(|basic| basic.kind() == Kind::Pair(value, index))
    }

    /// Where the second element of a pair lies.
    fn index_offset(self) -> u64 {
        match self.kind() {
            Kind::Pair(value, index) => value.size().next_multiple_of(index.alignment()),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_the_holes_of_structures() {
        let check =
            |pair: Basic, size, extent| assert_eq!((pair.size(), pair.extent()), (size, extent));
        check(Basic::FloatInt, 8, 8);
        check(Basic::DoubleInt, 12, 16);
        check(Basic::LongInt, 12, 16);
        check(Basic::TwoInt, 8, 8);
        check(Basic::ShortInt, 6, 8);
        check(Basic::LongDoubleInt, 20, 32);
        check(Basic::TwoDoublePrecision, 16, 16);
        assert_eq!(Basic::ShortInt.parts().last(), Some((Basic::Int, 4)));
    }

    #[test]
    fn the_table_agrees_with_itself() {
        for basic in Basic::ALL {
            let parts: u64 = basic.parts().map(|(part, _)| part.size()).sum();
            let external: u64 = basic.parts().map(|(part, _)| part.external32_size()).sum();
            assert_eq!((parts, external), (basic.size(), basic.external32_size()), "{basic:?}");
            assert_eq!(basic.extent() % basic.alignment(), 0, "{basic:?}");
        }
        let mut names: Vec<&str> = Basic::ALL.iter().map(|basic| basic.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Basic::ALL.len());
    }

    #[test]
    fn pairs_are_found_by_their_parts() {
        assert_eq!(Basic::pair(Basic::Double, Basic::Int), Some(Basic::DoubleInt));
        assert_eq!(Basic::pair(Basic::Double, Basic::Long), None);
    }
}
