//! What a library exports so that exceptions and backtraces pass through images.
//!
//! The dynamic loader does not know our images, so the functions through which unwinders ask it
//! are to be interposed: `_dl_find_object` (libgcc since glibc 2.35), `dl_iterate_phdr` (older
//! ones, libunwind) and `dladdr`. These are their bodies; they answer for images themselves and
//! pass everything else on to the C library.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use crate::arena::{self, Found};
use crate::elf::constants::{PT_GNU_EH_FRAME, STT_FUNC, STT_OBJECT};
use crate::host::{self, LinkMap};
use crate::image::Image;
use crate::module::Module;

/// The record of `_dl_find_object`, as in `<dlfcn.h>` of glibc for x86-64.
#[repr(C)]
#[derive(Debug)]
pub struct FoundObject {
    flags: u64,
    start: *mut c_void,
    end: *mut c_void,
    link_map: *const c_void,
    eh_frame: *const c_void,
    reserved: [u64; 7],
}

/// What `dl_iterate_phdr` calls for each object.
pub type PhdrCallback =
    unsafe extern "C" fn(info: *mut libc::dl_phdr_info, size: usize, data: *mut c_void) -> c_int;

thread_local! {
    /// The image whose modules `dl_iterate_phdr` shows to this thread; zero for none.
    static CURRENT: Cell<usize> = const { Cell::new(0) };
}
/// Counts changes of `CURRENT`: unwinders keep what they found until the loader's count changes.
static CHANGES: AtomicU64 = AtomicU64::new(0);

/// Says which image runs now on this thread, for those who list the objects of the process.
pub fn set_current(image: Option<&Image>) {
    let base = image.and_then(Image::slot_base).unwrap_or(0);
    if CURRENT.replace(base) != base {
        CHANGES.fetch_add(1, Ordering::Relaxed);
    }
}

/// Stops listing an image that goes away.
pub(crate) fn forget_current(base: usize) {
    if CURRENT.get() == base {
        set_current(None);
    }
}

/// Body of `_dl_find_object`: the object that holds `pc` and its unwind tables, in constant time.
///
/// # Safety
///
/// `result` points to a record to fill.
pub unsafe extern "C" fn dl_find_object(pc: *mut c_void, result: *mut FoundObject) -> c_int {
    if let Some((found, module)) = find(pc as usize) {
        let start = found.base + module.start;
        let bias = found.base.wrapping_add(module.shift() as usize);
        let table = module.elf.segment(PT_GNU_EH_FRAME);
        let eh_frame = table.map_or(ptr::null(), |table| {
            ptr::without_provenance(bias.wrapping_add(table.address as usize))
        });
        let record = FoundObject {
            flags: 0,
            start: ptr::without_provenance_mut(start),
            end: ptr::without_provenance_mut(start + module.elf.memory.len()),
            link_map: ptr::null(),
            eh_frame,
            reserved: [0; 7],
        };
        // SAFETY: by the caller.
        unsafe { result.write(record) };
        return 0;
    }
    type Real = unsafe extern "C" fn(*mut c_void, *mut FoundObject) -> c_int;
    static REAL: AtomicUsize = AtomicUsize::new(0);
    match next(&REAL, c"_dl_find_object") {
        // SAFETY: the C library's function of this name has this type.
        Some(real) => unsafe { std::mem::transmute::<usize, Real>(real)(pc, result) },
        None => -1,
    }
}

/// Body of `dl_iterate_phdr`: all objects of the loader, then the modules of the current image.
///
/// # Safety
///
/// As for the C library's: `callback` accepts `data`.
pub unsafe extern "C" fn dl_iterate_phdr(
    callback: Option<PhdrCallback>,
    data: *mut c_void,
) -> c_int {
    let Some(callback) = callback else { return 0 };
    let mut listing = Listing { callback, data, last: None };
    // SAFETY: `relay` takes a listing, which outlives the call.
    let result = unsafe { real_dl_iterate_phdr(Some(relay), (&raw mut listing).cast()) };
    let current = CURRENT.get();
    let (0, Some(found), Some(last)) = (result, arena::find(current), listing.last) else {
        return result;
    };
    for module in &found.program.modules {
        let mut info = libc::dl_phdr_info {
            dlpi_addr: found.base.wrapping_add(module.shift() as usize) as u64,
            dlpi_name: module.c_path.as_ptr(),
            dlpi_phdr: module.headers.as_ptr(),
            dlpi_phnum: module.headers.len() as u16,
            dlpi_tls_modid: 0,
            dlpi_tls_data: ptr::null_mut(),
            ..last
        };
        // SAFETY: the caller's callback, with a record of the type it expects.
        let result = unsafe { callback(&raw mut info, size_of_val(&info), data) };
        if result != 0 {
            return result;
        }
    }
    0
}

/// A listing of objects under way.
struct Listing {
    callback: PhdrCallback,
    data: *mut c_void,
    /// The record passed on last, whose counts our own records repeat.
    last: Option<libc::dl_phdr_info>,
}

/// Passes an object of the loader on, with our changes added to its count.
unsafe extern "C" fn relay(info: *mut libc::dl_phdr_info, size: usize, data: *mut c_void) -> c_int {
    // SAFETY: the loader passes a valid record, and `data` is the listing of `dl_iterate_phdr`.
    let (mut info, listing) = unsafe { (*info, &mut *data.cast::<Listing>()) };
    info.dlpi_adds += CHANGES.load(Ordering::Relaxed);
    listing.last = Some(info);
    // SAFETY: the caller's callback, with the loader's record.
    unsafe { (listing.callback)(&raw mut info, size.min(size_of_val(&info)), listing.data) }
}

/// The C library's own `dl_iterate_phdr`.
///
/// # Safety
///
/// `callback` accepts `data`.
pub(crate) unsafe fn real_dl_iterate_phdr(
    callback: Option<PhdrCallback>,
    data: *mut c_void,
) -> c_int {
    type Real = unsafe extern "C" fn(Option<PhdrCallback>, *mut c_void) -> c_int;
    static REAL: AtomicUsize = AtomicUsize::new(0);
    match next(&REAL, c"dl_iterate_phdr") {
        // SAFETY: the C library's function of this name has this type.
        Some(real) => unsafe { std::mem::transmute::<usize, Real>(real)(callback, data) },
        None => 0,
    }
}

/// Body of `dladdr`: file and nearest symbol of an address.
///
/// # Safety
///
/// `info` points to a record to fill.
pub unsafe extern "C" fn dladdr(address: *const c_void, info: *mut libc::Dl_info) -> c_int {
    if let Some((found, module)) = find(address as usize) {
        let bias = found.base.wrapping_add(module.shift() as usize);
        let nearest = nearest_symbol(module, (address as usize).wrapping_sub(bias) as u64);
        let record = libc::Dl_info {
            dli_fname: module.c_path.as_ptr(),
            dli_fbase: ptr::without_provenance_mut(found.base + module.start),
            dli_sname: nearest.map_or(ptr::null(), |(_, name)| name),
            dli_saddr: nearest.map_or(ptr::null_mut(), |(value, _)| {
                ptr::without_provenance_mut(bias.wrapping_add(value as usize))
            }),
        };
        // SAFETY: by the caller.
        unsafe { info.write(record) };
        return 1;
    }
    // SAFETY: as for this function.
    unsafe { real_dladdr(address, info) }
}

unsafe fn real_dladdr(address: *const c_void, info: *mut libc::Dl_info) -> c_int {
    type Real = unsafe extern "C" fn(*const c_void, *mut libc::Dl_info) -> c_int;
    static REAL: AtomicUsize = AtomicUsize::new(0);
    match next(&REAL, c"dladdr") {
        // SAFETY: the C library's function of this name has this type.
        Some(real) => unsafe { std::mem::transmute::<usize, Real>(real)(address, info) },
        None => 0,
    }
}

/// The exported function or variable at or before a link-time address: value and name.
fn nearest_symbol(module: &'static Module, address: u64) -> Option<(u64, *const c_char)> {
    let symbols = module.elf.symbols.all.iter();
    let named = symbols.filter(|s| s.is_defined() && matches!(s.kind(), STT_FUNC | STT_OBJECT));
    let around = named.filter(|s| (s.value..s.value + s.size.max(1)).contains(&address));
    let best = around.max_by_key(|symbol| symbol.value)?;
    Some((best.value, best.name.as_ptr().cast()))
}

/// The link map of the object that the loader has at an address.
pub(crate) fn link_map_of(pc: usize) -> Option<&'static LinkMap> {
    type Real = unsafe extern "C" fn(usize, *mut FoundObject) -> c_int;
    static REAL: AtomicUsize = AtomicUsize::new(0);
    if let Some(real) = next(&REAL, c"_dl_find_object") {
        let mut record = std::mem::MaybeUninit::<FoundObject>::zeroed();
        // SAFETY: the C library's function of this name has this type; it fills the record when
        // it returns zero, and zeroes are a valid record anyway. Link maps start with the load
        // address and the name.
        return unsafe {
            let found = std::mem::transmute::<usize, Real>(real)(pc, record.as_mut_ptr()) == 0;
            found.then(|| record.assume_init().link_map.cast::<LinkMap>().as_ref()).flatten()
        };
    }
    link_map_by_dladdr(pc)
}

/// As [`link_map_of`], on C libraries before 2.35.
fn link_map_by_dladdr(pc: usize) -> Option<&'static LinkMap> {
    const RTLD_DL_LINKMAP: c_int = 2;
    type Real =
        unsafe extern "C" fn(usize, *mut libc::Dl_info, *mut *const LinkMap, c_int) -> c_int;
    static REAL: AtomicUsize = AtomicUsize::new(0);
    let real = next(&REAL, c"dladdr1")?;
    let mut info = std::mem::MaybeUninit::<libc::Dl_info>::zeroed();
    let mut map: *const LinkMap = ptr::null();
    // SAFETY: the C library's function of this name has this type and writes both records.
    unsafe {
        std::mem::transmute::<usize, Real>(real)(pc, info.as_mut_ptr(), &mut map, RTLD_DL_LINKMAP);
        map.as_ref()
    }
}

/// The image and module at an address.
fn find(address: usize) -> Option<(Found, &'static Module)> {
    let found = arena::find(address)?;
    let module = found.program.module_at(address - found.base)?;
    Some((found, module))
}

/// A function of the C library that we stand in for, looked up once.
fn next(cache: &AtomicUsize, name: &CStr) -> Option<usize> {
    match cache.load(Ordering::Relaxed) {
        0 => {
            let address = host::next_symbol(name)?;
            cache.store(address, Ordering::Relaxed);
            Some(address)
        }
        address => Some(address),
    }
}
