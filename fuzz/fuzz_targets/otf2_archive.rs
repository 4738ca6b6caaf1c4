//! Any bytes are the definitions and events of an archive, or a mistake.
#![no_main]

use foretell_trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.path().join(name), bytes).expect("the file can be written");
    };
    std::fs::create_dir(folder.path().join("a")).expect("the folder can be made");
    let mut anchor = b"\x03\x42OTF2\0\x03\x02\x03\0\x02".to_vec();
    anchor.extend((1_u64 << 20).to_le_bytes().repeat(2));
    anchor.extend([1, 1]);
    anchor.extend([0; 32]);
    write("a.otf2", &anchor);
    // The first part is definitions, the rest events.
    let at = bytes.first().map_or(0, |at| usize::from(*at)).min(bytes.len());
    let header: Vec<u8> = [3, 0x42].into_iter().chain([0; 16]).collect();
    let clock = [5, 7, 1, 9, 0, 1, 9, 0xff, 0];
    // A group of MPI's locations with two ranks.
    let group = [18, 11, 0, 0, 6, 1, 2, 0, 1, 1, 4, 4, 0];
    write("a.def", &[&header[..], &clock, &group, &bytes[..at], &[2, 1]].concat());
    for rank in ["0", "1"] {
        write(&format!("a/{rank}.def"), &[&header[..], &[2, 1]].concat());
        write(&format!("a/{rank}.evt"), &[&header[..], &bytes[at..], &[2, 1]].concat());
    }
    let Ok(trace) = Trace::open(&folder.path().join("a.otf2")) else { return };
    for rank in 0..trace.ranks().min(4) {
        let mut cursor = trace.cursor(rank);
        while cursor.next().expect("an action of ours makes sense").is_some() {}
    }
});
