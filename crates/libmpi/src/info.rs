//! Hints in pairs of key and value. MPI 4.1 chapter 10.

use std::ffi::{c_char, c_int};

use crate::abi::*;
use crate::call::mpi;
use crate::check::{self, Sort};
use crate::failure::{Failure, bad};
use crate::objects::{no_such, objects};
use crate::pointer::{In, Out};
use crate::rank::RankContext;
use crate::session::level_name;

/// Pairs of key and value, in the order they were set.
pub(crate) type Info = Vec<(String, String)>;

/// Keeps pairs as a new info object.
pub(crate) fn keep(info: Info) -> MPI_Info {
    let handle = objects().infos.borrow_mut().insert(info);
    check::note(Sort::Info, handle)
}

/// The value of a key.
pub(crate) fn find<'a>(info: &'a Info, key: &str) -> Option<&'a str> {
    info.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
}

/// The pairs of an info object; none of `MPI_INFO_NULL`, which many calls take.
pub(crate) fn optional(here: &RankContext, handle: MPI_Info) -> Result<Info, Failure> {
    match handle {
        MPI_INFO_NULL => Ok(Info::new()),
        _ => read(here, handle, Info::clone),
    }
}

/// Looks at an info object.
fn read<R>(here: &RankContext, handle: MPI_Info, f: impl FnOnce(&Info) -> R) -> Result<R, Failure> {
    if handle == MPI_INFO_ENV {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        return Ok(f(&environment(here, &arguments)));
    }
    let table = objects().infos.borrow();
    table.get(handle).map(f).ok_or_else(|| no_such(MPI_ERR_INFO, "info object", handle))
}

/// Changes an info object.
pub(crate) fn change<R>(handle: MPI_Info, f: impl FnOnce(&mut Info) -> R) -> Result<R, Failure> {
    let mut table = objects().infos.borrow_mut();
    table.get_mut(handle).map(f).ok_or_else(|| no_such(MPI_ERR_INFO, "info object", handle))
}

/// Sets the value of a key.
pub(crate) fn put(info: &mut Info, key: String, value: String) {
    match info.iter_mut().find(|(name, _)| *name == key) {
        Some(pair) => pair.1 = value,
        None => info.push((key, value)),
    }
}

/// How the program was started: MPI 4.1 section 11.2.1.
fn environment(here: &RankContext, arguments: &[String]) -> Info {
    let mut info = Info::new();
    if let Some((command, rest)) = arguments.split_first() {
        info.push(("command".into(), command.clone()));
        info.push(("argv".into(), rest.join(" ")));
    }
    let ranks = here.comm.size().to_string();
    info.push(("maxprocs".into(), ranks.clone()));
    info.push(("soft".into(), ranks));
    info.push(("host".into(), crate::run::host_name(here)));
    info.push(("arch".into(), std::env::consts::ARCH.into()));
    if let Ok(directory) = std::env::current_dir() {
        info.push(("wdir".into(), directory.to_string_lossy().into_owned()));
    }
    info.push(("thread_level".into(), level_name(here.thread_level.get()).into()));
    info
}

/// A key of the program, which has some letters but not too many.
fn key(text: In<c_char>) -> Result<String, Failure> {
    let text = text.text();
    if text.is_empty() || text.len() >= MPI_MAX_INFO_KEY as usize {
        let (length, most) = (text.len(), MPI_MAX_INFO_KEY - 1);
        return bad(
            MPI_ERR_INFO_KEY,
            format!("a key of {length} bytes; keys have from 1 to {most}"),
        );
    }
    Ok(text)
}

/// A value of the program, which is not too long.
fn value(text: In<c_char>) -> Result<String, Failure> {
    if text.is_null() {
        return bad(MPI_ERR_INFO_VALUE, "the value is a null pointer");
    }
    let text = text.text();
    if text.len() >= MPI_MAX_INFO_VAL as usize {
        let (length, most) = (text.len(), MPI_MAX_INFO_VAL - 1);
        return bad(MPI_ERR_INFO_VALUE, format!("a value of {length} bytes, {most} are allowed"));
    }
    Ok(text)
}

mpi! {
    /// `MPI_Info_create`.
    early fn MPI_Info_create(info: Out<MPI_Info>) -> c_int, |here| {
        let _ = here;
        info.given("info")?.set(keep(Info::new()));
        Ok(())
    }

    /// `MPI_Info_create_env`.
    early fn MPI_Info_create_env(argc: c_int, argv: In<In<c_char>>, info: Out<MPI_Info>) -> c_int,
        |here| {
        let arguments = argv.slice(argc.max(0) as usize).iter().map(|text| text.text());
        let content = environment(here, &arguments.collect::<Vec<String>>());
        info.given("info")?.set(keep(content));
        Ok(())
    }

    /// `MPI_Info_set`.
    early fn MPI_Info_set(info: MPI_Info, k: In<c_char>, v: In<c_char>) -> c_int, |here| {
        let _ = here;
        let (key, value) = (key(k)?, value(v)?);
        change(info, |info| put(info, key, value))
    }

    /// `MPI_Info_delete`.
    early fn MPI_Info_delete(info: MPI_Info, k: In<c_char>) -> c_int, |here| {
        let _ = here;
        let key = key(k)?;
        let found = change(info, |info| {
            let place = info.iter().position(|(name, _)| *name == key);
            place.map(|place| info.remove(place))
        })?;
        match found {
            Some(_) => Ok(()),
            None => bad(MPI_ERR_INFO_NOKEY, format!("the info object has no key {key:?}")),
        }
    }

    /// `MPI_Info_get`: at most `valuelen` bytes, and a final zero.
    early fn MPI_Info_get(
        info: MPI_Info, k: In<c_char>, valuelen: c_int, v: Out<c_char>, flag: Out<c_int>,
    ) -> c_int, |here| {
        let key = key(k)?;
        if valuelen < 0 {
            return bad(MPI_ERR_ARG, format!("a length of {valuelen} is negative"));
        }
        let (v, flag) = (v.given("value")?, flag.given("flag")?);
        let found = read(here, info, |info| {
            find(info, &key).map(|value| v.write_text(value, valuelen as usize + 1))
        })?;
        flag.set(c_int::from(found.is_some()));
        Ok(())
    }

    /// `MPI_Info_get_string`: `buflen` is the room, and becomes the room that is needed.
    early fn MPI_Info_get_string(
        info: MPI_Info, k: In<c_char>, buflen: Out<c_int>, v: Out<c_char>, flag: Out<c_int>,
    ) -> c_int, |here| {
        let key = key(k)?;
        let (buflen, flag) = (buflen.given("buflen")?, flag.given("flag")?);
        let room = buflen.get().max(0) as usize;
        let found = read(here, info, |info| {
            let value = find(info, &key)?;
            v.write_text(value, room);
            Some(value.len() + 1)
        })?;
        if let Some(needed) = found {
            buflen.set(needed as c_int);
        }
        flag.set(c_int::from(found.is_some()));
        Ok(())
    }

    /// `MPI_Info_get_valuelen`.
    early fn MPI_Info_get_valuelen(
        info: MPI_Info, k: In<c_char>, valuelen: Out<c_int>, flag: Out<c_int>,
    ) -> c_int, |here| {
        let key = key(k)?;
        let (valuelen, flag) = (valuelen.given("valuelen")?, flag.given("flag")?);
        let found = read(here, info, |info| find(info, &key).map(str::len))?;
        if let Some(length) = found {
            valuelen.set(length as c_int);
        }
        flag.set(c_int::from(found.is_some()));
        Ok(())
    }

    /// `MPI_Info_get_nkeys`.
    early fn MPI_Info_get_nkeys(info: MPI_Info, nkeys: Out<c_int>) -> c_int, |here| {
        let count = read(here, info, Info::len)?;
        nkeys.given("nkeys")?.set(count as c_int);
        Ok(())
    }

    /// `MPI_Info_get_nthkey`.
    early fn MPI_Info_get_nthkey(info: MPI_Info, n: c_int, k: Out<c_char>) -> c_int, |here| {
        let found = read(here, info, |info| {
            let pair = usize::try_from(n).ok().and_then(|n| info.get(n));
            pair.map(|pair| pair.0.clone()).ok_or(info.len())
        })?;
        match found {
            Ok(key) => {
                k.given("key")?.write_text(&key, MPI_MAX_INFO_KEY as usize);
                Ok(())
            }
            Err(count) => bad(MPI_ERR_ARG, format!("key {n} of an info object of {count} keys")),
        }
    }

    /// `MPI_Info_dup`.
    early fn MPI_Info_dup(info: MPI_Info, newinfo: Out<MPI_Info>) -> c_int, |here| {
        let content = read(here, info, Info::clone)?;
        newinfo.given("newinfo")?.set(keep(content));
        Ok(())
    }

    /// `MPI_Info_free`.
    early fn MPI_Info_free(info: Out<MPI_Info>) -> c_int, |here| {
        let _ = here;
        let handle = info.given("info")?.get();
        let removed = objects().infos.borrow_mut().remove(handle);
        removed.ok_or_else(|| no_such(MPI_ERR_INFO, "info object", handle))?;
        info.set(MPI_INFO_NULL);
        Ok(())
    }
}
