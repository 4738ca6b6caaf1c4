//! Functions outside of images that a rank may call ahead of its turn: they touch nothing but
//! their arguments, the allocator, and the error number.

/// Of the C library: memory and texts.
const TEXTS: &[&str] = &[
    "bcmp",
    "bcopy",
    "bzero",
    "explicit_bzero",
    "ffs",
    "ffsl",
    "ffsll",
    "index",
    "memccpy",
    "memchr",
    "memcmp",
    "memcpy",
    "memmem",
    "memmove",
    "mempcpy",
    "memrchr",
    "memset",
    "rawmemchr",
    "rindex",
    "stpcpy",
    "stpncpy",
    "strcat",
    "strchr",
    "strchrnul",
    "strcmp",
    "strcpy",
    "strcspn",
    "strlen",
    "strncat",
    "strncmp",
    "strncpy",
    "strnlen",
    "strpbrk",
    "strrchr",
    "strspn",
    "strstr",
    "strdup",
    "strndup",
    "__memcpy_chk",
    "__memmove_chk",
    "__mempcpy_chk",
    "__memset_chk",
    "__strcat_chk",
    "__strcpy_chk",
    "__strncat_chk",
    "__strncpy_chk",
    "__stpcpy_chk",
];

/// Of the C library: the allocator, searching and sorting, whole numbers.
const OTHERS: &[&str] = &[
    "abs",
    "aligned_alloc",
    "bsearch",
    "calloc",
    "cfree",
    "div",
    "free",
    "imaxabs",
    "labs",
    "ldiv",
    "llabs",
    "lldiv",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "malloc",
    "malloc_usable_size",
    "memalign",
    "posix_memalign",
    "qsort",
    "realloc",
    "reallocarray",
];

/// Of the mathematical library, in its three precisions (`f` and `l` behind the name).
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cabs",
    "cacos",
    "cacosh",
    "carg",
    "casin",
    "casinh",
    "catan",
    "catanh",
    "cbrt",
    "ccos",
    "ccosh",
    "ceil",
    "cexp",
    "cimag",
    "clog",
    "conj",
    "copysign",
    "cos",
    "cosh",
    "cpow",
    "cproj",
    "creal",
    "csin",
    "csinh",
    "csqrt",
    "ctan",
    "ctanh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmin",
    "fmod",
    "frexp",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nexttoward",
    "pow",
    "pow10",
    "remainder",
    "remquo",
    "rint",
    "round",
    "roundeven",
    "scalbln",
    "scalbn",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "trunc",
    "y0",
    "y1",
    "yn",
    "__finite",
    "__fpclassify",
    "__isinf",
    "__isnan",
    "__signbit",
];

/// Beginnings of names: arithmetic of the compiler's own library, vectors of the mathematical one,
/// and of C++ the allocator, trees, lists, hash tables and texts.
const FAMILIES: &[&str] = &[
    "__add",
    "__sub",
    "__mul",
    "__div",
    "__mod",
    "__udiv",
    "__umod",
    "__powi",
    "__fix",
    "__float",
    "__extend",
    "__trunc",
    "__eq",
    "__ne",
    "__lt",
    "__le",
    "__gt",
    "__ge",
    "__unord",
    "__clz",
    "__ctz",
    "__popcount",
    "_ZGV",
    "_Znw",
    "_Zna",
    "_Zdl",
    "_Zda",
    "_ZSt18_Rb_tree_",
    "_ZSt28_Rb_tree_",
    "_ZSt29_Rb_tree_",
    "_ZNSt8__detail15_List_node_base",
    "_ZNKSt8__detail20_Prime_rehash_policy",
    "_ZSt11_Hash_bytes",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
    "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
];

/// Ends of names in the families that are arithmetic: the types that they are about.
const TYPES: &[&str] =
    &["f2", "f3", "c3", "i2", "i3", "i4", "fsi", "fdi", "fti", "isf", "idf", "ixf", "itf"];

/// Whether a function may be called ahead of the caller's turn.
pub(super) fn is_harmless(name: &str) -> bool {
    let precise = name.strip_suffix(['f', 'l']).unwrap_or(name);
    let is_of_family = || {
        FAMILIES.iter().any(|family| name.starts_with(family))
            && (name.starts_with("_Z") || TYPES.iter().any(|ending| name.ends_with(ending)))
    };
    // Fortran's names of functions of which only the address matters.
    let is_address = name.starts_with("mpi_") && name.contains("_fn_");
    is_address
        || TEXTS.contains(&name)
        || OTHERS.contains(&name)
        || MATHEMATICS.contains(&name)
        || MATHEMATICS.contains(&precise)
        || is_of_family()
}

/// Functions after which a rank may hold something that is bound to the thread that called: the
/// address of an error number or of another thread-local, a function that was looked up and is then
/// called past all gates, a handler of signals, threads of its own.
const BOUND: &[&str] = &[
    "__errno_location",
    "__h_errno_location",
    "__tls_get_addr",
    "__cxa_get_globals",
    "__cxa_get_globals_fast",
    "__res_state",
    "uselocale",
    "dlopen",
    "dlmopen",
    "dlsym",
    "dlvsym",
    "sigaction",
    "signal",
    "bsd_signal",
    "ssignal",
    "__sysv_signal",
    "sigaltstack",
    "pthread_create",
    "thrd_create",
    "pthread_self",
    "gettid",
    "__overflow",
    "__uflow",
    "getcontext",
    "makecontext",
    "swapcontext",
    "shmat",
    "shm_open",
    "fork",
    "vfork",
    "clone",
    "setitimer",
    "timer_create",
    "alarm",
];

/// Whether a rank must stay on the thread of the simulator once it has called a function.
pub(super) fn is_bound_to_thread(name: &str) -> bool {
    BOUND.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_is_harmless() {
        for name in [
            "sin",
            "sinf",
            "sinl",
            "log10",
            "memcpy",
            "malloc",
            "_Znwm",
            "__powidf2",
            "__multf3",
            "__muldc3",
            "_ZGVdN4v_sin",
            "cexp",
            "free",
        ] {
            assert!(is_harmless(name), "{name}");
        }
    }

    #[test]
    fn what_others_can_see_is_not() {
        for name in [
            "printf",
            "puts",
            "write",
            "MPI_Send",
            "mpi_send_",
            "exit",
            "rand",
            "strtok",
            "clock_gettime",
            "getenv",
            "__cxa_throw",
            "lgamma",
            "abort",
            "__libc_start_main",
            "",
        ] {
            assert!(!is_harmless(name), "{name}");
        }
    }
}
