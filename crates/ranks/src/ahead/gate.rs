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

/// The gate of a passage: nothing is put off.
#[inline(never)]
extern "C" fn gate_always(_: &Registers) -> bool {
    gate();
    false
}

/// As [`gate`], for functions whose result is bound to the thread: their caller may keep it, so
/// that it cannot go ahead any more.
#[inline(never)]
extern "C" fn gate_for_good(_: &Registers) -> bool {
    gate();
    context::with_body(|body| {
        if let Some(seat) = body.seat {
            seat.close();
        }
    });
    false
}

/// The registers with which a function was called, as [`passage`] leaves them.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Registers {
    _target: usize,
    /// Which of the functions that may be put off it is.
    which: usize,
    r9: usize,
    r8: usize,
    rcx: usize,
    rdx: usize,
    rsi: usize,
    rdi: usize,
    _vectors: usize,
    /// Where the call came from.
    pub caller: usize,
    /// The first arguments on the stack.
    pub seventh: usize,
    /// The one after it.
    pub eighth: usize,
}

impl Registers {
    /// The first six arguments, if all are whole numbers or addresses.
    pub fn arguments(&self) -> [usize; 6] {
        [self.rdi, self.rsi, self.rdx, self.rcx, self.r8, self.r9]
    }
}

/// Who may put a call off until the turn of its rank: told the place of the function's name in the
/// list, and the arguments. If it does so the call has succeeded as far as the caller can see.
pub type PutOff = fn(usize, &Registers) -> bool;

static PUT_OFF: OnceLock<(&'static [&'static str], PutOff)> = OnceLock::new();

/// Sets which functions may be put off, and who does it: called on the thread of a worker, for the
/// rank that is [`current`](crate::current) there. To be called before any program is in memory.
pub fn put_off_with(names: &'static [&'static str], put_off: PutOff) {
    PUT_OFF.get_or_init(|| (names, put_off));
}

/// As [`gate`], for functions that can perhaps be put off; whether it was so.
#[inline(never)]
extern "C" fn gate_or_put_off(registers: &Registers) -> bool {
    if !is_ahead() {
        return false;
    }
    let is_put_off = PUT_OFF.get().is_some_and(|(_, f)| f(registers.which, registers));
    if !is_put_off {
        arrive();
    }
    is_put_off
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
    let which = PUT_OFF.get().and_then(|(names, _)| names.iter().position(|known| *known == name));
    let way = match which {
        Some(which) => Way::PutOff(which as u32),
        None if by == Caller::Program && harmless::is_bound_to_thread(name) => Way::ForGood,
        None => Way::Plain,
    };
    pages.last_mut().map_or(address, |page| page.add(address, way))
}

/// Which passage a way out leads to.
#[derive(Debug, Clone, Copy)]
enum Way {
    Plain,
    ForGood,
    /// That of functions that may be put off, with the place of the function in their list.
    PutOff(u32),
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
const WAY: usize = 32;

impl Page {
    /// A page whose first words are where its ways lead.
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
            let both =
                (map(libc::PROT_READ | libc::PROT_WRITE), map(libc::PROT_READ | libc::PROT_EXEC));
            libc::close(file);
            both
        };
        let mut page = Page { writable: writable?, executable: executable?, used: 0 };
        for passage in [pass, pass_for_good, pass_or_put_off, pass] {
            page.write(&(passage as *const () as u64).to_le_bytes());
        }
        Some(page)
    }

    fn is_full(&self) -> bool {
        self.used + WAY > SIZE
    }

    /// Adds a way to a function; gives its address.
    fn add(&mut self, target: usize, way: Way) -> usize {
        let at = self.used;
        let (word, which) = match way {
            Way::Plain => (0, None),
            Way::ForGood => (8, None),
            Way::PutOff(which) => (16, Some(which)),
        };
        if let Some(which) = which {
            // mov r10d, which: functions of MPI are no nested ones, which alone need it
            self.write(&[0x41, 0xba]);
            self.write(&which.to_le_bytes());
        }
        // mov r11, target
        self.write(&[0x49, 0xbb]);
        self.write(&(target as u64).to_le_bytes());
        // jmp [rip + where the word at the beginning is]
        self.write(&[0xff, 0x25]);
        let distance = word - (self.used + 4) as i32;
        self.write(&distance.to_le_bytes());
        self.used = at + WAY;
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
/// `r11` is free at calls; all other registers that may hold arguments are kept. If the gate says
/// so, the function is not called, and its caller is told of success.
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
                "lea rdi, [rsp + 128]",
                "call {gate}",
                "cmp al, 1",
                "movups xmm0, [rsp]",
                "movups xmm1, [rsp + 16]",
                "movups xmm2, [rsp + 32]",
                "movups xmm3, [rsp + 48]",
                "movups xmm4, [rsp + 64]",
                "movups xmm5, [rsp + 80]",
                "movups xmm6, [rsp + 96]",
                "movups xmm7, [rsp + 112]",
                // Unlike an addition, this leaves what was compared alone.
                "lea rsp, [rsp + 128]",
                "pop r11",
                "pop r10",
                "pop r9",
                "pop r8",
                "pop rcx",
                "pop rdx",
                "pop rsi",
                "pop rdi",
                "pop rax",
                "je 3f",
                "jmp r11",
                "3:",
                "xor eax, eax",
                "ret",
                active = sym IS_ACTIVE,
                gate = sym $gate,
            )
        }
    };
}

passage!(pass, gate_always);
passage!(pass_for_good, gate_for_good);
passage!(pass_or_put_off, gate_or_put_off);
