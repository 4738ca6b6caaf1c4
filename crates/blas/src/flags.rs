//! The numbers of C and the letters of Fortran by which callers say how matrices are meant.

use std::ffi::{c_char, c_int};

use crate::compute::Triangle;

/// Says what is wrong and ends the program: the BLAS has no errors to return.
pub(crate) fn fail(why: &str) -> ! {
    eprintln!("libforetell_blas: {why}");
    std::process::abort()
}

/// A flag as it was given, in either language.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Flag {
    /// One of CBLAS's numbers.
    Number(c_int),
    /// One of Fortran's letters.
    Letter(u8),
}

impl Flag {
    /// The letter that a caller from Fortran points to.
    ///
    /// # Safety
    ///
    /// There is a letter.
    pub(crate) unsafe fn at(letter: *const c_char) -> Self {
        // SAFETY: by contract.
        Self::Letter(unsafe { *letter } as u8)
    }

    /// Whether matrices are stored by rows.
    pub(crate) fn is_by_rows(self) -> bool {
        self.is("order", (101, b'R'), &[(102, b'C')])
    }

    /// Whether a matrix is used transposed.
    pub(crate) fn is_transposed(self) -> bool {
        !self.is("transposition", (111, b'N'), &[(112, b'T'), (113, b'C')])
    }

    /// Whether a triangle stands on the left.
    pub(crate) fn is_left(self) -> bool {
        self.is("side", (141, b'L'), &[(142, b'R')])
    }

    /// Whether it is one of these, and not one of those.
    fn is(self, what: &str, yes: (c_int, u8), no: &[(c_int, u8)]) -> bool {
        let matches = |(number, letter): (c_int, u8)| match self {
            Flag::Number(own) => own == number,
            Flag::Letter(own) => own.eq_ignore_ascii_case(&letter),
        };
        match matches(yes) {
            true => true,
            false if no.iter().any(|other| matches(*other)) => false,
            false => fail(&format!("{self:?} is no {what}")),
        }
    }
}

/// What is known of a triangular matrix.
pub(crate) fn triangle(uplo: Flag, diagonal: Flag) -> Triangle {
    Triangle {
        is_upper: uplo.is("triangle", (121, b'U'), &[(122, b'L')]),
        has_ones: diagonal.is("diagonal", (132, b'U'), &[(131, b'N')]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_languages_mean_the_same() {
        assert!(Flag::Number(112).is_transposed() && Flag::Letter(b't').is_transposed());
        assert!(!Flag::Number(111).is_transposed() && !Flag::Letter(b'N').is_transposed());
        assert!(Flag::Number(141).is_left() && !Flag::Letter(b'R').is_left());
        let of_c = triangle(Flag::Number(122), Flag::Number(132));
        assert_eq!(of_c, triangle(Flag::Letter(b'L'), Flag::Letter(b'u')));
        assert_eq!(of_c, Triangle { is_upper: false, has_ones: true });
    }
}
