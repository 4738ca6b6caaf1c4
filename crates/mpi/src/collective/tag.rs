//! What tells the messages and calls of one collective from those of others.

use super::{Form, Operation, Root};
use crate::world::NONE;

/// Collective calls without a choice of algorithms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Fixed {
    CommDup,
    CommCreate,
    CommSplitType,
    CartCreate,
    CartSub,
    GraphCreate,
    DistGraphCreate,
    DistGraphCreateAdjacent,
    IntercommCreate,
    IntercommMerge,
    FileOpen,
    FileClose,
    FileSetSize,
    FilePreallocate,
    FileSetInfo,
    FileSetView,
    FileSetAtomicity,
    FileSync,
    FileSeekShared,
    FileReadAll,
    FileWriteAll,
    FileReadAtAll,
    FileWriteAtAll,
    FileReadOrdered,
    FileWriteOrdered,
    Finalize,
}

impl Fixed {
    /// Blocking and non-blocking calls, in the order of the variants.
    const NAMES: [(&str, &str); 26] = [
        ("MPI_Comm_dup", "MPI_Comm_idup"),
        ("MPI_Comm_create", "MPI_Comm_create"),
        ("MPI_Comm_split_type", "MPI_Comm_split_type"),
        ("MPI_Cart_create", "MPI_Cart_create"),
        ("MPI_Cart_sub", "MPI_Cart_sub"),
        ("MPI_Graph_create", "MPI_Graph_create"),
        ("MPI_Dist_graph_create", "MPI_Dist_graph_create"),
        ("MPI_Dist_graph_create_adjacent", "MPI_Dist_graph_create_adjacent"),
        ("MPI_Intercomm_create", "MPI_Intercomm_create"),
        ("MPI_Intercomm_merge", "MPI_Intercomm_merge"),
        ("MPI_File_open", "MPI_File_open"),
        ("MPI_File_close", "MPI_File_close"),
        ("MPI_File_set_size", "MPI_File_set_size"),
        ("MPI_File_preallocate", "MPI_File_preallocate"),
        ("MPI_File_set_info", "MPI_File_set_info"),
        ("MPI_File_set_view", "MPI_File_set_view"),
        ("MPI_File_set_atomicity", "MPI_File_set_atomicity"),
        ("MPI_File_sync", "MPI_File_sync"),
        ("MPI_File_seek_shared", "MPI_File_seek_shared"),
        ("MPI_File_read_all", "MPI_File_iread_all"),
        ("MPI_File_write_all", "MPI_File_iwrite_all"),
        ("MPI_File_read_at_all", "MPI_File_iread_at_all"),
        ("MPI_File_write_at_all", "MPI_File_iwrite_at_all"),
        ("MPI_File_read_ordered", "MPI_File_read_ordered_begin"),
        ("MPI_File_write_ordered", "MPI_File_write_ordered_begin"),
        ("MPI_Finalize", "MPI_Finalize"),
    ];
}

/// What all ranks must say alike when they begin a collective.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Signature {
    /// Operations first, then calls without choice.
    number: u32,
    /// The root, or [`NONE`].
    pub(super) root: u32,
}

impl From<Operation> for Signature {
    fn from(operation: Operation) -> Self {
        Self { number: operation as u32, root: NONE }
    }
}

impl From<Fixed> for Signature {
    fn from(call: Fixed) -> Self {
        Self { number: Operation::ALL.len() as u32 + call as u32, root: NONE }
    }
}

impl Operation {
    /// The operation from or to a root. Sides of an inter-communicator name it differently, so
    /// only ranks are compared.
    pub(crate) fn at(self, root: Root) -> Signature {
        let root = if let Root::Rank(rank) = root { rank } else { NONE };
        Signature { root, ..self.into() }
    }
}

/// The tag of a collective's messages: which one of its communicator it is, and what it is, so
/// that calls that do not belong together never meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag(pub(crate) i32);

impl Tag {
    /// Bits for the call and its form.
    const LOW: u32 = 8;
    /// Marks messages of leaders that are about to create an inter-communicator.
    const MEETING: u32 = (1 << Self::LOW) - 1;
    /// Of the messages by which the ranks of a communicator find out who is on which node. It has a
    /// number that no call has.
    pub(crate) const INTRODUCTION: Tag = Tag((1 << Self::LOW) - 2);

    /// `sequence` may wrap around: so many collectives are never under way at once.
    pub(crate) fn new(sequence: u32, signature: Signature, form: Form) -> Tag {
        Self::with(sequence, signature.number << 1 | (form == Form::NonBlocking) as u32)
    }

    /// For two leaders that meet on a communicator whose other ranks know nothing of it.
    pub(crate) fn meeting(tag: i32) -> Tag {
        Self::with(tag as u32, Self::MEETING)
    }

    fn with(high: u32, low: u32) -> Tag {
        Tag(((high << Self::LOW | low) & i32::MAX as u32) as i32)
    }

    /// The call and its form, without the count.
    pub(crate) fn low(self) -> u8 {
        self.0 as u8
    }

    /// The call whose messages have this tag.
    pub(crate) fn call(self) -> &'static str {
        let number = usize::from(self.low()) >> 1;
        let form = if self.low() & 1 == 1 { Form::NonBlocking } else { Form::Blocking };
        let fixed = || Fixed::NAMES.get(number - Operation::ALL.len());
        match (Operation::ALL.get(number), form) {
            (Some(operation), form) => operation.call(form),
            (None, Form::Blocking) => fixed().map_or("a collective", |names| names.0),
            (None, Form::NonBlocking) if u32::from(self.low()) == Self::MEETING => {
                "MPI_Intercomm_create"
            }
            (None, Form::NonBlocking) => fixed().map_or("a collective", |names| names.1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_knows_its_call_however_many_came_before() {
        for sequence in [0, 1, 77, u32::MAX] {
            for operation in Operation::ALL {
                for form in [Form::Blocking, Form::NonBlocking] {
                    let tag = Tag::new(sequence, operation.into(), form);
                    assert!(tag.0 >= 0);
                    assert_eq!(tag.call(), operation.call(form));
                }
            }
            let last = Tag::new(sequence, Fixed::Finalize.into(), Form::Blocking);
            assert_eq!(last.call(), "MPI_Finalize");
            let first = Tag::new(sequence, Fixed::CommDup.into(), Form::NonBlocking);
            assert_eq!(first.call(), "MPI_Comm_idup");
        }
        assert_eq!(Tag::meeting(i32::MAX).call(), "MPI_Intercomm_create");
        assert_eq!(Fixed::Finalize as usize + 1, Fixed::NAMES.len());
    }
}
