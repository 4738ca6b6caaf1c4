//! Actions on windows, from their lines.

use super::Arguments;
use crate::action::Action;
use crate::fields::{Members, shown, size};
use crate::mistake::Mistake;
use crate::window::{Access, NOTE, WindowCall};

/// The arguments of each word.
pub(super) fn usage(name: &[u8]) -> Option<&'static str> {
    Some(match name {
        b"win_create" | b"win_free" | b"win_complete" | b"win_wait" | b"win_unlock_all" => "window",
        b"win_fence" => "window [last]",
        b"win_post" | b"win_start" => "window [first:count:stride …]",
        b"win_lock" => "window target shared|exclusive [unchecked]",
        b"win_unlock" => "window target",
        b"win_lock_all" => "window [unchecked]",
        b"win_flush" => "window [target]",
        b"put" => "window target bytes",
        b"get" => "window target bytes [bytes of the request]",
        b"accumulate" => "window target bytes [bytes that come back]",
        _ => return None,
    })
}

impl<'a> Arguments<'a> {
    /// An action on a window; none if the name is another one.
    pub(super) fn window(mut self, name: &[u8]) -> Result<Option<Action<'a>>, Mistake> {
        if usage(name).is_none() {
            return Ok(None);
        }
        let number = self.number_of("a window")?;
        let call = match name {
            b"win_create" => WindowCall::Create,
            b"win_free" => WindowCall::Free,
            b"win_fence" => WindowCall::Fence { is_last: self.option("last")? },
            b"win_post" => WindowCall::Post(self.group()?),
            b"win_start" => WindowCall::Start(self.group()?),
            b"win_complete" => WindowCall::Complete,
            b"win_wait" => WindowCall::Wait,
            b"win_lock" => self.lock()?,
            b"win_unlock" => WindowCall::Unlock(self.target()?),
            b"win_lock_all" => WindowCall::LockAll { is_unchecked: self.option("unchecked")? },
            b"win_unlock_all" => WindowCall::UnlockAll,
            b"win_flush" => match self.fields.rest().trim_ascii() {
                b"" => WindowCall::Flush(None),
                _ => WindowCall::Flush(Some(self.target()?)),
            },
            name => WindowCall::Operate(self.access(name)?),
        };
        Ok(Some(Action::Window { number, call }))
    }

    fn lock(&mut self) -> Result<WindowCall<'a>, Mistake> {
        let target = self.target()?;
        let is_exclusive = match self.required("shared or exclusive")? {
            b"exclusive" => true,
            b"shared" => false,
            other => {
                return Err(Mistake(format!("expected shared or exclusive, not {}", shown(other))));
            }
        };
        Ok(WindowCall::Lock { target, is_exclusive, is_unchecked: self.option("unchecked")? })
    }

    fn access(&mut self, name: &[u8]) -> Result<Access, Mistake> {
        let target = self.target()?;
        let bytes = size(self.required("a number of bytes")?)?;
        let more = match name {
            b"put" => None,
            _ => self.fields.next().map(size).transpose()?,
        };
        Ok(match name {
            b"put" => Access { target, sent: bytes, returned: None, is_ordered: false },
            b"get" => Access {
                target,
                sent: more.unwrap_or(NOTE),
                returned: Some(bytes),
                is_ordered: false,
            },
            _ => Access { target, sent: bytes, returned: more, is_ordered: true },
        })
    }

    fn target(&mut self) -> Result<u32, Mistake> {
        let number = self.integer("a rank")?;
        self.rank(number)
    }

    fn group(&mut self) -> Result<Members<'a>, Mistake> {
        Members::parse_any(self.fields.rest(), self.ranks)
    }

    /// Whether the line ends with a word that may be left out.
    fn option(&mut self, word: &str) -> Result<bool, Mistake> {
        match self.fields.next() {
            None => Ok(false),
            Some(found) if found == word.as_bytes() => Ok(true),
            Some(found) => {
                Err(Mistake(format!("expected {word} or nothing, not {}", shown(found))))
            }
        }
    }
}
