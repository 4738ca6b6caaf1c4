//! Hints on files. MPI 4.1 sections 14.2.8 and 14.4.

use crate::info::{self, Info};

/// Hints that always have a value: those by which programs set the buffers of collective and
/// strided accesses. None of them changes what an access takes.
const USUAL: [(&str, &str); 8] = [
    ("cb_buffer_size", "16777216"),
    ("romio_cb_read", "automatic"),
    ("romio_cb_write", "automatic"),
    ("romio_no_indep_rw", "false"),
    ("ind_rd_buffer_size", "4194304"),
    ("ind_wr_buffer_size", "524288"),
    ("romio_ds_read", "automatic"),
    ("romio_ds_write", "automatic"),
];

/// Hints that are kept if the program gives them: those of the standard, and what programs that
/// were written for ROMIO say.
const KEPT: [&str; 18] = [
    "access_style",
    "collective_buffering",
    "cb_block_size",
    "cb_config_list",
    "chunked",
    "chunked_item",
    "chunked_size",
    "file_perm",
    "filename",
    "io_node_list",
    "nb_proc",
    "num_io_nodes",
    "striping_factor",
    "striping_unit",
    "start_iodevice",
    "direct_read",
    "direct_write",
    "romio_cb_ds_threshold",
];

/// The hints of a file that was opened with some by ranks on so many hosts: one process of each
/// would do the work in a library that collects accesses.
pub(super) fn of_file(hosts: usize, given: Info) -> Info {
    let mut hints: Info = USUAL.map(|(key, value)| (key.into(), value.into())).into();
    info::put(&mut hints, "cb_nodes".into(), hosts.to_string());
    update(&mut hints, given);
    hints
}

/// Takes over hints that mean something.
pub(super) fn update(hints: &mut Info, given: Info) {
    for (key, value) in given {
        if KEPT.contains(&key.as_str()) || info::find(hints, &key).is_some() {
            info::put(hints, key, value);
        }
    }
}

/// The permissions of a file that is made, as `file_perm` says them.
pub(super) fn permissions(given: &Info) -> Option<u32> {
    info::find(given, "file_perm").and_then(|text| u32::from_str_radix(text.trim(), 8).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_that_mean_nothing_are_dropped() {
        let mut hints: Info = vec![("cb_nodes".into(), "4".into())];
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let given = vec![pair("cb_nodes", "2"), pair("colour", "red"), pair("striping_unit", "8")];
        update(&mut hints, given);
        assert_eq!(hints, [pair("cb_nodes", "2"), pair("striping_unit", "8")]);
        assert_eq!(permissions(&vec![pair("file_perm", "640")]), Some(0o640));
    }
}
