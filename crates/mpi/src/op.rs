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
    apply: Rc<dyn Fn(&[u8], &mut [u8])>,
}

impl Op {
    /// An operation of one's own. `apply(left, right)` replaces `right` by `left op right`; both
    /// hold the same whole number of elements of `element` bytes.
    pub fn new(
        name: &'static str,
        element: usize,
        is_commutative: bool,
        apply: impl Fn(&[u8], &mut [u8]) + 'static,
    ) -> Op {
        Op { name, element: element.max(1), is_commutative, apply: Rc::new(apply) }
    }

    /// The operation for payloads that are sizes alone, of 8-byte elements.
    pub fn sized() -> Op {
        Op::new("size", 8, true, |_, _| ())
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

    /// A commutative operation on doubles.
    pub fn on_f64(name: &'static str, f: impl Fn(f64, f64) -> f64 + 'static) -> Op {
        Op::new(name, 8, true, move |left, right| {
            for (a, b) in left.chunks_exact(8).zip(right.chunks_exact_mut(8)) {
                let word = |w: &[u8]| w.try_into().map(f64::from_ne_bytes).unwrap_or_default();
                b.copy_from_slice(&f(word(a), word(b)).to_ne_bytes());
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
