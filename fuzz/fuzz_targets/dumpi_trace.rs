//! Any bytes are the calls of a rank of a DUMPI trace, or a mistake.
#![no_main]

use foretell_trace::Trace;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let meta = folder.path().join("a.meta");
    std::fs::write(&meta, "numprocs=1\nfileprefix=a\n").expect("the file can be written");
    // An index that leads to the body, so that more than that is looked at.
    let mut whole = b"\xff\xaa\xddDUMPI".to_vec();
    whole.extend([0; 8]);
    whole.extend(bytes);
    let header = whole.len() as u64;
    whole.extend([0, 6, 9]);
    whole.extend([header, 8, 0, 0].iter().flat_map(|place| place.to_be_bytes()));
    std::fs::write(folder.path().join("a-0000.bin"), whole).expect("the file can be written");
    let Ok(trace) = Trace::open(&meta) else { return };
    let mut cursor = trace.cursor(0);
    while cursor.next().expect("an action of ours makes sense").is_some() {}
});
