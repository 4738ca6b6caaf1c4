//! What C++ adds: static objects, exceptions, virtual tables, run-time types, streams.

use crate::support::check;

#[test]
fn static_objects_are_built_and_destroyed_in_every_image() {
    check(
        "g++",
        r#"#include <cstdio>
           #include <string>
           #include <map>
           struct Noisy { std::string name; Noisy(const char *n) : name(n) { printf("+%s\n", n); }
                          ~Noisy() { printf("-%s\n", name.c_str()); } };
           static Noisy a("a"); static Noisy b("b"); std::map<int, int> hits;
           int main() { hits[3]++; printf("%zu %d\n", hits.size(), hits[3]); return 0; }"#,
        "IMAGES=2",
        "+a\n+b\n1 1\n+a\n+b\n1 1\n-b\n-a\n-b\n-a\n",
    );
}

const EXCEPTIONS: &str = r#"#include <cstdio>
    #include <stdexcept>
    struct Guard { ~Guard() { puts("unwound"); } };
    static int thrown;
    __attribute__((noinline)) void fail(int n) { Guard guard; if (n == 0) { thrown++; throw std::runtime_error("deep"); } fail(n - 1); }
    int main() { try { fail(1); } catch (const std::exception &e) { printf("%s %d\n", e.what(), thrown); }
      try { throw thrown; } catch (int n) { printf("int %d\n", n); } return 0; }"#;

#[test]
fn exceptions_are_thrown_and_caught_within_an_image() {
    let expected = "unwound\nunwound\ndeep 1\nint 1\n";
    check("g++", EXCEPTIONS, "IMAGES=2", &[expected, expected].concat());
}

#[test]
fn programs_with_an_unwinder_of_their_own_find_their_tables_too() {
    let expected = "unwound\nunwound\ndeep 1\nint 1\n";
    check("g++ -static-libgcc", EXCEPTIONS, "IMAGES=2", &[expected, expected].concat());
}

#[test]
fn virtual_calls_and_run_time_types_work() {
    check(
        "g++",
        r#"#include <cstdio>
           #include <typeinfo>
           struct Shape { virtual ~Shape() {} virtual int sides() const = 0; };
           struct Square : Shape { int sides() const override { return 4; } };
           Square square; Shape *shape = &square;
           int main() { printf("%d %s %d\n", shape->sides(), typeid(*shape).name(),
                          dynamic_cast<Square *>(shape) == &square); return 0; }"#,
        "",
        "4 6Square 1\n4 6Square 1\n",
    );
}

#[test]
fn standard_streams_print() {
    check(
        "g++",
        r#"#include <iostream>
           #include <iomanip>
           int n; int main() { std::cout << "n=" << ++n << " " << std::setw(4) << 7 << std::endl; return 0; }"#,
        "IMAGES=2 ROUNDS=2",
        "n=1    7\nn=1    7\nn=2    7\nn=2    7\n",
    );
}

#[test]
fn objects_listed_to_the_program_include_its_image() {
    check(
        "g++ -rdynamic",
        r#"#include <cstdio>
           #include <link.h>
           #include <dlfcn.h>
           extern "C" int here(dl_phdr_info *info, size_t, void *) {
             for (int i = 0; i < info->dlpi_phnum; i++) {
               const ElfW(Phdr) &p = info->dlpi_phdr[i];
               ElfW(Addr) at = (ElfW(Addr))&here - info->dlpi_addr;
               if (p.p_type == PT_LOAD && at >= p.p_vaddr && at - p.p_vaddr < p.p_memsz) return 1; }
             return 0; }
           int main() { Dl_info info; int found = dladdr((void *)&here, &info);
             printf("%d %d %s %d\n", dl_iterate_phdr(here, nullptr), found, info.dli_sname,
                    info.dli_saddr == (void *)&here); return 0; }"#,
        "",
        "1 1 here 1\n1 1 here 1\n",
    );
}
