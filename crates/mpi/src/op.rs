//! Reduction operations. MPI 4.1 section 6.9.

use std::fmt;
use std::rc::Rc;

use crate::payload::Payload;

/// A reduction operation on the elements of a payload.
///
/// On sizes alone it does nothing. It is applied as `inout = in op inout`, in rank order for
/// operations that do not commute.
#[derive(Clone)]
pub struct Op {
    name: &'static str,
    element: usize,
    is_commutative: bool,
    is_predefined: bool,
    apply: Rc<Apply>,
}

/// Replaces the right operand by `left op right`.
type Apply = dyn Fn(&[u8], &mut [u8]);

impl Op {
    /// A commutative operation of one's own. `apply(left, right)` replaces `right` by
    /// `left op right`; both hold the same whole number of elements of `element` bytes.
    pub fn new(
        name: &'static str,
        element: usize,
        apply: impl Fn(&[u8], &mut [u8]) + 'static,
    ) -> Op {
        let (element, apply) = (element.max(1), Rc::new(apply));
        Op { name, element, is_commutative: true, is_predefined: true, apply }
    }

    /// An operation whose operands must stay in rank order, otherwise as [`Op::new`].
    pub fn ordered(
        name: &'static str,
        element: usize,
        apply: impl Fn(&[u8], &mut [u8]) + 'static,
    ) -> Op {
        Op { is_commutative: false, ..Op::new(name, element, apply) }
    }

    /// The same, as an operation that MPI does not define: some libraries then choose other
    /// algorithms.
    #[must_use]
    pub fn of_user(self) -> Op {
        Op { is_predefined: false, ..self }
    }

    /// The operation for payloads that are sizes alone, of 8-byte elements.
    pub fn sized() -> Op {
        Op::new("size", 8, |_, _| ())
    }

    /// `MPI_SUM` of doubles.
    pub fn sum_f64() -> Op {
        Op::on_f64("sum", |a, b| a + b)
    }

    /// `MPI_MIN` of doubles.
    pub fn min_f64() -> Op {
        Op::on_f64("min", f64::min)
    }

    /// `MPI_MAX` of doubles.
    pub fn max_f64() -> Op {
        Op::on_f64("max", f64::max)
    }

    /// `MPI_PROD` of doubles.
    pub fn product_f64() -> Op {
        Op::on_f64("product", |a, b| a * b)
    }

    /// `MPI_SUM` of 64-bit integers.
    pub fn sum_i64() -> Op {
        Op::on_i64("sum", i64::wrapping_add)
    }

    /// `MPI_MIN` of 64-bit integers.
    pub fn min_i64() -> Op {
        Op::on_i64("min", i64::min)
    }

    /// `MPI_MAX` of 64-bit integers.
    pub fn max_i64() -> Op {
        Op::on_i64("max", i64::max)
    }

    /// A commutative operation on doubles.
    pub fn on_f64(name: &'static str, f: impl Fn(f64, f64) -> f64 + 'static) -> Op {
        Op::on_words(name, move |a, b| {
            f(f64::from_ne_bytes(a), f64::from_ne_bytes(b)).to_ne_bytes()
        })
    }

    /// A commutative operation on 64-bit integers.
    pub fn on_i64(name: &'static str, f: impl Fn(i64, i64) -> i64 + 'static) -> Op {
        Op::on_words(name, move |a, b| {
            f(i64::from_ne_bytes(a), i64::from_ne_bytes(b)).to_ne_bytes()
        })
    }

    /// A commutative operation on elements of `N` bytes.
    pub fn on_words<const N: usize>(
        name: &'static str,
        f: impl Fn([u8; N], [u8; N]) -> [u8; N] + 'static,
    ) -> Op {
        Op::new(name, N, move |left, right| {
            let (left, _) = left.as_chunks::<N>();
            let (right, _) = right.as_chunks_mut::<N>();
            for (a, b) in left.iter().zip(right) {
                *b = f(*a, *b);
            }
        })
    }

    /// The operation's name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Bytes of one element: a payload may be cut at multiples of this.
    pub fn element(&self) -> u64 {
        self.element as u64
    }

    /// Whether the order of operands does not matter.
    pub fn is_commutative(&self) -> bool {
        self.is_commutative
    }

    /// Whether MPI defines it.
    pub fn is_predefined(&self) -> bool {
        self.is_predefined
    }

    /// `right = left op right`.
    pub fn apply(&self, left: &Payload, right: &mut Payload) {
        if let (Payload::Bytes(left), Payload::Bytes(right)) = (left, right) {
            (self.apply)(left, right);
        }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Op({})", self.name)
    }
}
