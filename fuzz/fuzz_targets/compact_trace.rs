//! Any bytes are a compact trace whose ranks can be followed, or a mistake.
#![no_main]

use foretell_trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let file = tempfile::NamedTempFile::new().expect("there is room for a file");
    let whole = [b"foretell-ti\x01", &bytes.len().to_le_bytes()[..], bytes].concat();
    std::fs::write(file.path(), whole).expect("the file can be written");
    let Ok(trace) = Trace::open(file.path()) else { return };
    for rank in 0..trace.ranks().min(4) {
        let mut cursor = trace.cursor(rank);
        // Loops may be longer than anybody would wait.
        for _ in 0..1000 {
            if !matches!(cursor.next(), Ok(Some(_))) {
                break;
            }
        }
    }
});
