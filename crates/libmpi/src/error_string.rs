//! Error classes, codes and their texts. MPI 4.1 sections 9.4 and 9.5.

use std::collections::BTreeMap;
use std::ffi::{c_char, c_int};

use crate::abi::*;
use crate::call::mpi;
use crate::failure::{Failure, Outcome, bad};
use crate::pointer::{In, Out};
use crate::rank::RankContext;

/// Error classes and codes that a program has added, by number.
#[derive(Debug, Default)]
pub(crate) struct Added {
    entries: BTreeMap<c_int, Entry>,
}

/// One class or code.
#[derive(Debug)]
struct Entry {
    /// The class of the code; a class is its own.
    class: c_int,
    text: String,
}

impl Added {
    /// The greatest number in use: `MPI_LASTUSEDCODE`.
    fn last(&self) -> c_int {
        self.entries.last_key_value().map_or(MPI_ERR_LASTCODE, |(code, _)| *code)
    }

    /// Takes the least number that is free; a new class is its own class.
    fn add(&mut self, class: Option<c_int>) -> c_int {
        let is_full = self.last() - MPI_ERR_LASTCODE == self.entries.len() as c_int;
        let code = match is_full {
            true => self.last() + 1,
            false => {
                let numbers = MPI_ERR_LASTCODE + 1..;
                let mut pairs = numbers.zip(self.entries.keys());
                pairs.find(|(number, used)| number != *used).map_or(self.last() + 1, |pair| pair.0)
            }
        };
        let class = class.unwrap_or(code);
        self.entries.insert(code, Entry { class, text: String::new() });
        code
    }

    /// Whether a class still has codes.
    fn is_used(&self, class: c_int) -> bool {
        self.entries.iter().any(|(code, entry)| entry.class == class && *code != class)
    }
}

/// Lets `f` work on the program's own classes and codes.
fn change<R>(here: &RankContext, f: impl FnOnce(&mut Added) -> R) -> R {
    let mut added = here.errors.borrow_mut();
    let added = added.get_or_insert_default();
    let result = f(added);
    crate::attribute::note_last_code(here, added.last());
    result
}

/// The greatest error code in use.
pub(crate) fn last_used_code(here: &RankContext) -> c_int {
    here.errors.borrow().as_ref().map_or(MPI_ERR_LASTCODE, |added| added.last())
}

/// The class of a code, if there is such a code.
pub(crate) fn class(here: &RankContext, code: c_int) -> Option<c_int> {
    if ERROR_CLASSES.iter().any(|(class, _)| *class == code) {
        return Some(code);
    }
    let added = here.errors.borrow();
    added.as_ref()?.entries.get(&code).map(|entry| entry.class)
}

/// What a code means, if there is such a code.
pub(crate) fn text(here: &RankContext, code: c_int) -> Option<String> {
    if let Some((class, name)) = ERROR_CLASSES.iter().find(|(class, _)| *class == code) {
        return Some(format!("{name}: {}", meaning(*class)));
    }
    let added = here.errors.borrow();
    added.as_ref()?.entries.get(&code).map(|entry| entry.text.clone())
}

fn unknown(code: c_int) -> Failure {
    Failure::new(MPI_ERR_ARG, format!("{code} is not an error code or class"))
}

/// Takes one of the program's own codes away.
fn remove(here: &RankContext, code: c_int, is_class: bool) -> Outcome {
    change(here, |added| match added.entries.get(&code) {
        Some(entry) if (entry.class == code) == is_class => {
            if is_class && added.is_used(code) {
                return bad(MPI_ERR_OTHER, format!("class {code} still has error codes"));
            }
            added.entries.remove(&code);
            Ok(())
        }
        _ => Err(unknown(code)),
    })
}

/// Changes the text of one of the program's own codes.
fn describe(here: &RankContext, code: c_int, text: String) -> Outcome {
    if text.len() >= MPI_MAX_ERROR_STRING as usize {
        let (given, most) = (text.len(), MPI_MAX_ERROR_STRING - 1);
        return bad(MPI_ERR_ARG, format!("a text of {given} bytes, where {most} are allowed"));
    }
    change(here, |added| match added.entries.get_mut(&code) {
        Some(entry) => {
            entry.text = text;
            Ok(())
        }
        None => Err(unknown(code)),
    })
}

mpi! {
    /// `MPI_Error_class`.
    early fn MPI_Error_class(errorcode: c_int, errorclass: Out<c_int>) -> c_int, |here| {
        let class = class(here, errorcode).ok_or_else(|| unknown(errorcode))?;
        errorclass.given("errorclass")?.set(class);
        Ok(())
    }

    /// `MPI_Error_string`.
    early fn MPI_Error_string(errorcode: c_int, string: Out<c_char>, resultlen: Out<c_int>)
        -> c_int, |here| {
        let text = text(here, errorcode).ok_or_else(|| unknown(errorcode))?;
        let length = string.given("string")?.write_text(&text, MPI_MAX_ERROR_STRING as usize);
        resultlen.given("resultlen")?.set(length as c_int);
        Ok(())
    }

    /// `MPI_Add_error_class`.
    early fn MPI_Add_error_class(errorclass: Out<c_int>) -> c_int, |here| {
        errorclass.given("errorclass")?.set(change(here, |added| added.add(None)));
        Ok(())
    }

    /// `MPI_Add_error_code`.
    early fn MPI_Add_error_code(errorclass: c_int, errorcode: Out<c_int>) -> c_int, |here| {
        if class(here, errorclass) != Some(errorclass) {
            return bad(MPI_ERR_ARG, format!("{errorclass} is not an error class"));
        }
        errorcode.given("errorcode")?.set(change(here, |added| added.add(Some(errorclass))));
        Ok(())
    }

    /// `MPI_Add_error_string`.
    early fn MPI_Add_error_string(errorcode: c_int, string: In<c_char>) -> c_int, |here| {
        describe(here, errorcode, string.given(1, "string")?.text())
    }

    /// `MPI_Remove_error_class`.
    early fn MPI_Remove_error_class(errorclass: c_int) -> c_int, |here| {
        remove(here, errorclass, true)
    }

    /// `MPI_Remove_error_code`.
    early fn MPI_Remove_error_code(errorcode: c_int) -> c_int, |here| {
        remove(here, errorcode, false)
    }

    /// `MPI_Remove_error_string`.
    early fn MPI_Remove_error_string(errorcode: c_int) -> c_int, |here| {
        describe(here, errorcode, String::new())
    }
}

/// What an error class stands for.
fn meaning(class: c_int) -> &'static str {
    match class {
        MPI_SUCCESS => "no error",
        MPI_ERR_BUFFER => "invalid buffer pointer",
        MPI_ERR_COUNT => "invalid count argument",
        MPI_ERR_TYPE => "invalid datatype argument",
        MPI_ERR_TAG => "invalid tag argument",
        MPI_ERR_COMM => "invalid communicator",
        MPI_ERR_RANK => "invalid rank",
        MPI_ERR_REQUEST => "invalid request handle",
        MPI_ERR_ROOT => "invalid root",
        MPI_ERR_GROUP => "invalid group",
        MPI_ERR_OP => "invalid operation",
        MPI_ERR_TOPOLOGY => "invalid topology",
        MPI_ERR_DIMS => "invalid dimension argument",
        MPI_ERR_ARG => "invalid argument of some other kind",
        MPI_ERR_UNKNOWN => "unknown error",
        MPI_ERR_TRUNCATE => "message truncated on receive",
        MPI_ERR_OTHER => "known error not in this list",
        MPI_ERR_INTERN => "internal error of the library",
        MPI_ERR_PENDING => "request is not complete",
        MPI_ERR_IN_STATUS => "the error code is in the status",
        MPI_ERR_ACCESS => "permission denied",
        MPI_ERR_AMODE => "invalid access mode",
        MPI_ERR_ASSERT => "invalid assertion",
        MPI_ERR_BAD_FILE => "invalid file name",
        MPI_ERR_BASE => "invalid base passed to MPI_Free_mem",
        MPI_ERR_CONVERSION => "an error in a conversion function of the program",
        MPI_ERR_DISP => "invalid displacement argument",
        MPI_ERR_DUP_DATAREP => "the data representation is defined already",
        MPI_ERR_FILE_EXISTS => "file exists",
        MPI_ERR_FILE_IN_USE => "file is in use",
        MPI_ERR_FILE => "invalid file handle",
        MPI_ERR_INFO_KEY => "info key is empty or too long",
        MPI_ERR_INFO_NOKEY => "no such info key",
        MPI_ERR_INFO_VALUE => "info value is empty or too long",
        MPI_ERR_INFO => "invalid info object",
        MPI_ERR_IO => "input or output error",
        MPI_ERR_KEYVAL => "invalid attribute key",
        MPI_ERR_LOCKTYPE => "invalid lock type",
        MPI_ERR_NAME => "service name is not published",
        MPI_ERR_NO_MEM => "memory is exhausted",
        MPI_ERR_NOT_SAME => "collective argument differs between processes",
        MPI_ERR_NO_SPACE => "not enough space",
        MPI_ERR_NO_SUCH_FILE => "file does not exist",
        MPI_ERR_PORT => "invalid port name",
        MPI_ERR_QUOTA => "quota exceeded",
        MPI_ERR_READ_ONLY => "read-only file or file system",
        MPI_ERR_RMA_ATTACH => "memory cannot be attached",
        MPI_ERR_RMA_CONFLICT => "conflicting accesses to a window",
        MPI_ERR_RMA_RANGE => "target memory is not part of the window",
        MPI_ERR_RMA_SHARED => "memory cannot be shared",
        MPI_ERR_RMA_SYNC => "wrong synchronization of one-sided calls",
        MPI_ERR_SERVICE => "invalid service name",
        MPI_ERR_SIZE => "invalid size argument",
        MPI_ERR_SPAWN => "processes could not be started",
        MPI_ERR_UNSUPPORTED_DATAREP => "data representation is not supported",
        MPI_ERR_UNSUPPORTED_OPERATION => "operation is not supported",
        MPI_ERR_WIN => "invalid window",
        MPI_ERR_RMA_FLAVOR => "wrong flavor of window",
        MPI_ERR_PROC_ABORTED => "a process has aborted",
        MPI_ERR_VALUE_TOO_LARGE => "value does not fit the type of the argument",
        MPI_ERR_SESSION => "invalid session",
        MPI_ERR_ERRHANDLER => "invalid error handler",
        MPI_ERR_ABI => "a feature of the ABI is not supported",
        _ => "error of the tool interface",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_used_again_once_they_are_free() {
        let mut added = Added::default();
        let first = added.add(None);
        let second = added.add(Some(first));
        assert_eq!((first, second), (MPI_ERR_LASTCODE + 1, MPI_ERR_LASTCODE + 2));
        assert!(added.is_used(first));
        added.entries.remove(&first);
        assert_eq!(added.add(None), first);
        assert_eq!(added.last(), second);
    }
}
