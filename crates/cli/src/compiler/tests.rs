//! Command lines of the compiler, word for word.

use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split_whitespace().map(OsString::from).collect()
}

fn layout() -> Result<Layout> {
    let (include, lib) = ("/f/include".into(), "/f/lib".into());
    let examples = "/f/share/foretell/examples".into();
    Ok(Layout { include, lib, examples, fortran: "/f/share/foretell/fortran".into() })
}

const LINK: &str = "-L/f/lib -Wl,-rpath,/f/lib -Wl,--push-state,--no-as-needed -lmpi_abi \
    -Wl,--pop-state";

/// `{I}` stands for the flag of the headers, `{L}` for those of the library.
fn check(arguments: &str, expected: &str) {
    let line = line(Language::C, &words("gcc"), &words(arguments), layout).unwrap();
    let expected = expected.replace("{I}", "-I/f/include").replace("{L}", LINK);
    assert_eq!(shown(&line), expected);
}

#[test]
fn programs_are_linked_with_our_library_after_their_own() {
    check("a.c -o a", "gcc -fPIE -pie a.c -o a {I} {L}");
    check("-O2 a.o -lm -o a", "gcc -fPIE -pie -O2 a.o -lm -o a {I} {L}");
    check("-x c - -o a", "gcc -fPIE -pie -x c - -o a {I} {L}");
}

#[test]
fn our_library_comes_before_an_explicit_c_library() {
    check("a.o -lm -lc -o a", "gcc -fPIE -pie a.o -lm {I} {L} -lc -o a");
}

#[test]
fn compiling_needs_the_headers_only() {
    check("-c a.c", "gcc -fPIE -c a.c {I}");
    check("-E -DX=1 a.c", "gcc -fPIE -E -DX=1 a.c {I}");
    check("-MM a.c", "gcc -fPIE -MM a.c {I}");
}

#[test]
fn flags_of_libtool_win_over_ours() {
    check("-fPIC -DPIC -c a.c -o .libs/a.o", "gcc -fPIE -fPIC -DPIC -c a.c -o .libs/a.o {I}");
    check(
        "-shared -fPIC a.o -Wl,-soname,liba.so.0 -o liba.so",
        "gcc -fPIE -shared -fPIC a.o -Wl,-soname,liba.so.0 -o liba.so {I} {L}",
    );
    check("-no-pie a.o -o a", "gcc -fPIE -no-pie a.o -o a {I} {L}");
    check("-r a.o b.o -o c.o", "gcc -fPIE -r a.o b.o -o c.o {I}");
}

#[test]
fn questions_to_the_compiler_pass_as_they_are() {
    for arguments in ["--version", "-v", "-dumpmachine", "-print-search-dirs", "-Q --help=target"] {
        check(arguments, &format!("gcc {arguments}"));
    }
    check("", "gcc");
}

#[test]
fn a_static_program_is_refused_with_the_reason() {
    let error =
        line(Language::C, &words("gcc"), &words("-static a.o"), layout).unwrap_err().to_string();
    assert!(error.contains("-static") && error.contains("shared library"), "{error}");
    check("-static -c a.c", "gcc -fPIE -static -c a.c {I}");
}

#[test]
fn another_compiler_may_be_several_words() {
    let (compiler, rest) = chosen(Language::C, &words("-c -cc=clang a.c"));
    assert_eq!((compiler, rest), (words("clang"), words("-c a.c")));
    let (compiler, _) = chosen(Language::Cxx, &["-cxx=ccache g++".into()]);
    assert_eq!(compiler, words("ccache g++"));
}

#[test]
fn questions_are_known_in_both_dialects() {
    use queries::{Question, asked};
    for (text, question) in [
        ("-show", Question::Show),
        ("a.c --showme -o a", Question::Show),
        ("-showme:compile", Question::CompileFlags),
        ("--showme:libdirs", Question::LibraryFolders),
        ("-link_info", Question::LinkInfo),
        ("-link-info", Question::LinkInfo),
        ("-help", Question::Help),
        ("--help", Question::CompilersHelp),
    ] {
        assert_eq!(asked(&words(text)), Some(question), "{text}");
    }
    assert_eq!(asked(&words("-c a.c")), None);
    assert_eq!(asked(&words("--help a.c")), None);
}

#[test]
fn wide_integers_are_refused_for_fortran() {
    let words = words("-fdefault-integer-8 a.f90");
    let error = line(Language::Fortran, &["gfortran".into()], &words, layout).unwrap_err();
    assert!(error.to_string().contains("32 bits"), "{error}");
}
