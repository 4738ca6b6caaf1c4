//! The numbers of the ELF format that the mapper needs (System V ABI, x86-64 supplement).

pub(crate) const ET_EXEC: u16 = 2;
pub(crate) const ET_DYN: u16 = 3;
pub(crate) const EM_X86_64: u16 = 62;

pub(crate) const PT_LOAD: u32 = 1;
pub(crate) const PT_DYNAMIC: u32 = 2;
pub(crate) const PT_INTERP: u32 = 3;
pub(crate) const PT_TLS: u32 = 7;
pub(crate) const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
pub(crate) const PT_GNU_RELRO: u32 = 0x6474_e552;

pub(crate) const PF_W: u32 = 2;

pub(crate) const DT_NULL: u64 = 0;
pub(crate) const DT_NEEDED: u64 = 1;
pub(crate) const DT_PLTRELSZ: u64 = 2;
pub(crate) const DT_PLTGOT: u64 = 3;
pub(crate) const DT_HASH: u64 = 4;
pub(crate) const DT_STRTAB: u64 = 5;
pub(crate) const DT_SYMTAB: u64 = 6;
pub(crate) const DT_RELA: u64 = 7;
pub(crate) const DT_RELASZ: u64 = 8;
pub(crate) const DT_STRSZ: u64 = 10;
pub(crate) const DT_INIT: u64 = 12;
pub(crate) const DT_FINI: u64 = 13;
pub(crate) const DT_SONAME: u64 = 14;
pub(crate) const DT_RPATH: u64 = 15;
pub(crate) const DT_SYMBOLIC: u64 = 16;
pub(crate) const DT_DEBUG: u64 = 21;
pub(crate) const DT_JMPREL: u64 = 23;
pub(crate) const DT_INIT_ARRAY: u64 = 25;
pub(crate) const DT_FINI_ARRAY: u64 = 26;
pub(crate) const DT_INIT_ARRAYSZ: u64 = 27;
pub(crate) const DT_FINI_ARRAYSZ: u64 = 28;
pub(crate) const DT_RUNPATH: u64 = 29;
pub(crate) const DT_FLAGS: u64 = 30;
pub(crate) const DT_PREINIT_ARRAY: u64 = 32;
pub(crate) const DT_PREINIT_ARRAYSZ: u64 = 33;
pub(crate) const DT_RELRSZ: u64 = 35;
pub(crate) const DT_RELR: u64 = 36;
pub(crate) const DT_GNU_HASH: u64 = 0x6fff_fef5;
pub(crate) const DT_VERSYM: u64 = 0x6fff_fff0;
pub(crate) const DT_FLAGS_1: u64 = 0x6fff_fffb;
pub(crate) const DT_VERDEF: u64 = 0x6fff_fffc;
pub(crate) const DT_VERNEED: u64 = 0x6fff_fffe;

pub(crate) const DF_SYMBOLIC: u64 = 2;
pub(crate) const DF_1_PIE: u64 = 0x0800_0000;

pub(crate) const R_NONE: u32 = 0;
pub(crate) const R_64: u32 = 1;
pub(crate) const R_PC32: u32 = 2;
pub(crate) const R_COPY: u32 = 5;
pub(crate) const R_GLOB_DAT: u32 = 6;
pub(crate) const R_JUMP_SLOT: u32 = 7;
pub(crate) const R_RELATIVE: u32 = 8;
pub(crate) const R_32: u32 = 10;
pub(crate) const R_32S: u32 = 11;
pub(crate) const R_DTPMOD64: u32 = 16;
pub(crate) const R_DTPOFF64: u32 = 17;
pub(crate) const R_TPOFF64: u32 = 18;
pub(crate) const R_TLSDESC: u32 = 36;
pub(crate) const R_IRELATIVE: u32 = 37;

pub(crate) const STB_LOCAL: u8 = 0;
pub(crate) const STB_WEAK: u8 = 2;
pub(crate) const STT_NOTYPE: u8 = 0;
pub(crate) const STT_OBJECT: u8 = 1;
pub(crate) const STT_FUNC: u8 = 2;
pub(crate) const STT_COMMON: u8 = 5;
pub(crate) const STT_IFUNC: u8 = 10;
pub(crate) const SHN_UNDEF: u16 = 0;
pub(crate) const SHN_ABS: u16 = 0xfff1;
pub(crate) const SHT_SYMTAB: u32 = 2;
