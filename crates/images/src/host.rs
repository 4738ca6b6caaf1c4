//! What the dynamic loader made of this process: its objects, their symbols and thread-locals.

use std::ffi::{CStr, CString, OsStr, c_char, c_int, c_void};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use crate::elf::constants::PT_TLS;

/// The copy of a module that the dynamic loader made.
#[derive(Debug, Clone)]
pub(crate) struct Host {
    /// What it adds to link-time addresses.
    pub(crate) bias: usize,
    /// The file.
    pub(crate) path: PathBuf,
    /// Number of its thread-locals; zero when it has none.
    pub(crate) tls_module: usize,
    /// Its thread-locals of the calling thread: address and alignment.
    pub(crate) tls_block: usize,
    /// Size of its thread-locals in memory, rounded up to their alignment.
    pub(crate) tls_reach: usize,
}

/// All objects in load order: the executable first.
pub(crate) fn objects() -> Vec<Host> {
    unsafe extern "C" fn collect(
        info: *mut libc::dl_phdr_info,
        _: usize,
        hosts: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid record, and `hosts` is the vector given below.
        let (info, hosts) = unsafe { (&*info, &mut *hosts.cast::<Vec<Host>>()) };
        hosts.push(host(info));
        0
    }
    let mut hosts: Vec<Host> = Vec::new();
    // SAFETY: `collect` matches the expected signature and only uses the vector during the call.
    unsafe { crate::unwind::real_dl_iterate_phdr(Some(collect), (&raw mut hosts).cast()) };
    for host in hosts.iter_mut().filter(|host| host.tls_module != 0 && host.tls_block == 0) {
        host.tls_block = thread_local_block(host.tls_module);
    }
    hosts
}

fn host(info: &libc::dl_phdr_info) -> Host {
    // SAFETY: the loader gives the program headers of a loaded object, which stay in place.
    let headers = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
    let tls = headers.iter().find(|header| header.p_type == PT_TLS);
    // SAFETY: names of loaded objects are strings that live as long as the object.
    let path = unsafe { path_of(info.dlpi_name) };
    Host {
        bias: info.dlpi_addr as usize,
        path,
        tls_module: info.dlpi_tls_modid,
        tls_block: info.dlpi_tls_data as usize,
        tls_reach: tls.map_or(0, |tls| {
            (tls.p_memsz as usize).next_multiple_of((tls.p_align as usize).max(1))
        }),
    }
}

/// The file of an object by the loader's name for it: the executable has an empty one.
///
/// # Safety
///
/// `name` is null or a C string.
pub(crate) unsafe fn path_of(name: *const c_char) -> PathBuf {
    // SAFETY: by the caller.
    let name = if name.is_null() { c"" } else { unsafe { CStr::from_ptr(name) } };
    if name.is_empty() {
        return std::fs::read_link("/proc/self/exe").unwrap_or_else(|_| "/proc/self/exe".into());
    }
    Path::new(OsStr::from_bytes(name.to_bytes())).to_owned()
}

/// The address of a symbol as the program's own code would find it.
pub(crate) fn global_symbol(name: &CStr, version: Option<&[u8]>) -> Option<usize> {
    let address = match version {
        Some(version) => {
            let version = CString::new(version).ok()?;
            // SAFETY: both are C strings.
            unsafe { libc::dlvsym(libc::RTLD_DEFAULT, name.as_ptr(), version.as_ptr()) }
        }
        // SAFETY: a C string.
        None => unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) },
    };
    (!address.is_null()).then_some(address as usize)
}

/// What the next object after ours defines under `name`, that is, what ours may stand in for.
pub(crate) fn next_symbol(name: &CStr) -> Option<usize> {
    // SAFETY: a C string.
    let address = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    (!address.is_null()).then_some(address as usize)
}

/// Whether an address lies in the code of a loaded object.
pub(crate) fn is_code(address: usize) -> bool {
    unsafe extern "C" fn look(
        info: *mut libc::dl_phdr_info,
        _: usize,
        address: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader passes a valid record.
        let info = unsafe { &*info };
        // SAFETY: the program headers of a loaded object stay in place.
        let headers =
            unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum as usize) };
        let holds = headers.iter().any(|header| {
            let start = (info.dlpi_addr + header.p_vaddr) as usize;
            header.p_type == libc::PT_LOAD
                && header.p_flags & libc::PF_X != 0
                && (start..start + header.p_memsz as usize).contains(&address.addr())
        });
        c_int::from(holds)
    }
    let address = std::ptr::without_provenance_mut(address);
    // SAFETY: `look` matches the expected signature and only compares the address.
    unsafe { crate::unwind::real_dl_iterate_phdr(Some(look), address) != 0 }
}

/// Loads a library, or finds it loaded, for all to see; gives what it adds to addresses.
pub(crate) fn load(name: &Path) -> Result<usize, String> {
    open(name, libc::RTLD_NOW | libc::RTLD_GLOBAL)
}

/// What a library adds to addresses, if it is loaded.
pub(crate) fn loaded(name: &str) -> Option<usize> {
    open(Path::new(name), libc::RTLD_LAZY | libc::RTLD_NOLOAD).ok()
}

/// The start of the link map that the loader gives for a handle.
#[repr(C)]
pub(crate) struct LinkMap {
    pub(crate) bias: usize,
    pub(crate) name: *const c_char,
}

/// Opens a library for good: nothing that an image may refer to is ever unloaded.
fn open(name: &Path, flags: c_int) -> Result<usize, String> {
    let name = CString::new(name.as_os_str().as_bytes()).map_err(|e| e.to_string())?;
    // SAFETY: a C string; constructors of libraries are the user's own choice.
    let handle = unsafe { libc::dlopen(name.as_ptr(), flags) };
    if handle.is_null() {
        return Err(last_error());
    }
    link_map(handle).map(|map| map.bias).ok_or_else(last_error)
}

/// The link map of an open library.
pub(crate) fn link_map(handle: *mut c_void) -> Option<&'static LinkMap> {
    let mut map: *const LinkMap = std::ptr::null();
    // SAFETY: RTLD_DI_LINKMAP writes one pointer; libraries opened here are never closed while
    // the map is in use.
    unsafe {
        libc::dlinfo(handle, libc::RTLD_DI_LINKMAP, (&raw mut map).cast());
        map.as_ref()
    }
}

/// What the dynamic loader said last.
pub(crate) fn last_error() -> String {
    // SAFETY: dlerror gives null or a C string valid until the next call.
    unsafe {
        let message = libc::dlerror();
        if message.is_null() {
            return "unknown error of the dynamic loader".to_owned();
        }
        CStr::from_ptr(message).to_string_lossy().into_owned()
    }
}

/// The thread pointer of the calling thread.
pub(crate) fn thread_pointer() -> usize {
    let pointer;
    // SAFETY: on x86-64 Linux the word at %fs:0 holds the thread pointer itself.
    unsafe {
        std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly, preserves_flags));
    }
    pointer
}

/// The calling thread's block of thread-locals of a module, made if need be.
fn thread_local_block(module: usize) -> usize {
    #[repr(C)]
    struct Index {
        module: usize,
        offset: usize,
    }
    unsafe extern "C" {
        fn __tls_get_addr(index: *const Index) -> *mut c_void;
    }
    // SAFETY: the loader just gave this module number.
    unsafe { __tls_get_addr(&Index { module, offset: 0 }) as usize }
}
