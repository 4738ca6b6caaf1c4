//! Gates: where a rank that is ahead waits for its turn.
//!
//! Code of a private image can reach what is not its own only by calling functions outside of the
//! image. Each such call goes through a few instructions of ours first, unless the function is
//! known to be harmless. The functions themselves notice nothing: registers and stack are as the
//! caller left them, only that the rank's turn has come meanwhile.

use std::arch::naked_asm;
use std::ffi::CStr;
use std::ptr;
use std::sync::{Mutex, OnceLock, PoisonError};

use foretell_images::Caller;

use super::{IS_ACTIVE, harmless, is_prepared};
use crate::context;
use crate::switch;

/// What is left to do for a rank whose turn has come, before it goes on.
static SETTLE: OnceLock<fn()> = OnceLock::new();

/// Sets what is called on the stack of a rank that was ahead, when its turn has come and before
/// what it wanted is done. It may suspend the rank.
pub fn settle_with(settle: fn()) {
    SETTLE.get_or_init(|| settle);
}

/// Whether the code that asks runs ahead of its turn.
#[inline(never)]
pub fn is_ahead() -> bool {
    context::with(|context| context.is_ahead.get())
}

/// Waits for the turn of the rank that runs, if it is ahead.
///
/// Not inlined anywhere: what comes after it may run on another thread, so that no address of a
/// thread-local may be carried across.
#[inline(never)]
pub extern "C" fn gate() {
    if is_ahead() {
        arrive();
    }
}

#[cold]
#[inline(never)]
fn arrive() {
    switch::suspend();
    // SAFETY: the error number of this thread, which is the rank's now.
    let errno = unsafe { *libc::__errno_location() };
    if let Some(settle) = SETTLE.get() {
        settle();
    }
    // SAFETY: as above; settling is nothing that the program has called.
    unsafe { *libc::__errno_location() = errno };
}

/// As [`gate`], for functions whose result is bound to the thread: their caller may keep it, so
/// that it cannot go ahead any more.
#[inline(never)]
extern "C" fn gate_for_good() {
    gate();
    context::with_body(|body| {
        if let Some(seat) = body.seat {
            seat.close();
        }
    });
}

/// The address that an image calls instead of the function `name` at `address`.
pub(crate) fn way_out(name: &CStr, address: usize, by: Caller) -> usize {
    let name = name.to_str().unwrap_or_default();
    if !is_prepared() || harmless::is_harmless(name) {
        return address;
    }
    static WAYS: Mutex<Vec<Page>> = Mutex::new(Vec::new());
    let mut pages = WAYS.lock().unwrap_or_else(PoisonError::into_inner);
    if pages.last().is_none_or(Page::is_full) {
        match Page::new() {
            Some(page) => pages.push(page),
            // Nobody goes ahead whose calls could not be stopped.
            None => panic!("there is no memory for the calls of a program"),
        }
    }
    let for_good = by == Caller::Program && harmless::is_bound_to_thread(name);
    pages.last_mut().map_or(address, |page| page.add(address, for_good))
}

/// Code of ways out: written through one mapping, executed through another.
struct Page {
    writable: usize,
    executable: usize,
    /// Bytes in use.
    used: usize,
}

/// Bytes of a page of ways out.
const SIZE: usize = 64 << 10;
/// Bytes of one way out.
const WAY: usize = 16;

impl Page {
    /// A page whose first two words are where its ways lead.
    fn new() -> Option<Page> {
        // SAFETY: a new file in memory, mapped twice at addresses of the kernel's choice.
        let (writable, executable) = unsafe {
            let file = libc::memfd_create(c"ways".as_ptr(), libc::MFD_CLOEXEC);
            if file < 0 || libc::ftruncate(file, SIZE as libc::off_t) != 0 {
                return None;
            }
            let map = |access| {
                let start = libc::mmap(ptr::null_mut(), SIZE, access, libc::MAP_SHARED, file, 0);
                (start != libc::MAP_FAILED).then(|| start.expose_provenance())
            };
            let both = (
                map(libc::PROT_READ | libc::PROT_WRITE),
                map(libc::PROT_READ | libc::PROT_EXEC),
            );
            libc::close(file);
            both
        };
        let mut page = Page { writable: writable?, executable: executable?, used: 0 };
        page.write(&(pass as *const () as u64).to_le_bytes());
        page.write(&(pass_for_good as *const () as u64).to_le_bytes());
        Some(page)
    }

    fn is_full(&self) -> bool {
        self.used + WAY > SIZE
    }

    /// Adds a way to a function; gives its address.
    fn add(&mut self, target: usize, for_good: bool) -> usize {
        let at = self.used;
        // mov r11, target
        self.write(&[0x49, 0xbb]);
        self.write(&(target as u64).to_le_bytes());
        // jmp [rip + where the word at the beginning is]
        let word = if for_good { 8 } else { 0 };
        self.write(&[0xff, 0x25]);
        let distance = word - (at + WAY) as i32;
        self.write(&distance.to_le_bytes());
        self.executable + at
    }

    fn write(&mut self, bytes: &[u8]) {
        let place = ptr::with_exposed_provenance_mut::<u8>(self.writable + self.used);
        // SAFETY: within the page: whoever adds has asked whether it is full.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
        self.used += bytes.len();
    }
}

/// Where ways out lead: on to the function in `r11`, past the gate.
///
/// `r11` is free at calls; all other registers that may hold arguments are kept.
macro_rules! passage {
    ($name:ident, $gate:ident) => {
        #[unsafe(naked)]
        extern "C" fn $name() {
            naked_asm!(
                "cmp byte ptr [rip + {active}], 0",
                "jne 2f",
                "jmp r11",
                "2:",
                "push rax",
                "push rdi",
                "push rsi",
                "push rdx",
                "push rcx",
                "push r8",
                "push r9",
                "push r10",
                "push r11",
                "sub rsp, 128",
                "movups [rsp], xmm0",
                "movups [rsp + 16], xmm1",
                "movups [rsp + 32], xmm2",
                "movups [rsp + 48], xmm3",
                "movups [rsp + 64], xmm4",
                "movups [rsp + 80], xmm5",
                "movups [rsp + 96], xmm6",
                "movups [rsp + 112], xmm7",
                "call {gate}",
                "movups xmm0, [rsp]",
                "movups xmm1, [rsp + 16]",
                "movups xmm2, [rsp + 32]",
                "movups xmm3, [rsp + 48]",
                "movups xmm4, [rsp + 64]",
                "movups xmm5, [rsp + 80]",
                "movups xmm6, [rsp + 96]",
                "movups xmm7, [rsp + 112]",
                "add rsp, 128",
                "pop r11",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rcx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                "pop rax",
                "jmp r11",
                active = sym IS_ACTIVE,
                gate = sym $gate,
            )
        }
    };
}

passage!(pass, gate);
passage!(pass_for_good, gate_for_good);
