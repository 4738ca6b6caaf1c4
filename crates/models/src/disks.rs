//! Storage: what is read and written shares the bandwidth of a disk.
//!
//! An access of `b` bytes waits for the latency of the disk and then moves its bytes. All that read
//! together get the bandwidth of reading, all that write that of writing, and both together the
//! larger of the two, as in SimGrid's model of disks. Shares are equal: four ranks that write as
//! much each to one disk take four times as long as one.

use std::rc::Rc;

use foretell_kernel::{ActivityId, Kernel, Policy, ResourceId, Then, Transfer};
use foretell_platform::{HostId, Platform};
use rustc_hash::FxHashMap;

/// What is done to storage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Bytes come from it.
    Read,
    /// Bytes go to it.
    Write,
}

/// The disks of one simulation; one costs memory once it is used.
pub struct Disks {
    platform: Rc<Platform>,
    /// By the host that a disk belongs to; none for what all hosts share. Never iterated.
    used: FxHashMap<Option<HostId>, Used>,
}

#[derive(Debug, Clone, Copy)]
struct Used {
    both: ResourceId,
    read: ResourceId,
    write: ResourceId,
    latency: f64,
}

impl Disks {
    /// The disks of `platform`, all idle.
    pub fn new(platform: Rc<Platform>) -> Self {
        Self { platform, used: FxHashMap::default() }
    }

    /// Starts an access of `bytes` from `host`; nothing if its files are nowhere that takes time.
    pub fn access(
        &mut self,
        host: HostId,
        access: Access,
        bytes: u64,
        kernel: &mut Kernel,
        then: Then,
    ) -> Option<ActivityId> {
        let used = self.of(host, kernel)?;
        let one = match access {
            Access::Read => used.read,
            Access::Write => used.write,
        };
        let transfer = Transfer {
            uses: &[(used.both, 1.0), (one, 1.0)],
            delay: used.latency,
            amount: bytes as f64,
            efficiency: 1.0,
            weight: 1.0,
            bound: f64::INFINITY,
        };
        Some(kernel.transfer(&transfer, then))
    }

    fn of(&mut self, host: HostId, kernel: &mut Kernel) -> Option<Used> {
        let storage = self.platform.storage_of(host)?;
        let disk = storage.disk;
        let used = self.used.entry(storage.owner).or_insert_with(|| Used {
            both: kernel.add_resource(disk.read.max(disk.write), Policy::Shared),
            read: kernel.add_resource(disk.read, Policy::Shared),
            write: kernel.add_resource(disk.write, Policy::Shared),
            latency: disk.latency,
        });
        Some(*used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two nodes; reading at 400 bytes a second, writing at 100, half a second of latency.
    const DISK: &str = "{ read = \"400Bps\", write = \"100Bps\", latency = \"500ms\" }";

    fn platform(nodes: &str, rest: &str) -> Rc<Platform> {
        let text = format!(
            "[nodes]\ncount = 2\nspeed = \"1Gf\"\n{nodes}\n[network]\nbandwidth = \"1GBps\"\n\
             latency = \"1us\"\n{rest}"
        );
        Rc::new(foretell_platform::toml_format::read(&text).unwrap())
    }

    /// Starts accesses `(host, access, bytes)` at once, and gives the dates of their ends.
    fn ends(platform: Rc<Platform>, accesses: &[(u32, Access, u64)]) -> Vec<f64> {
        let (mut kernel, mut disks) = (Kernel::new(1e-9), Disks::new(platform));
        for (number, (host, access, bytes)) in (0..).zip(accesses) {
            let then = Then::Notify(number);
            disks.access(HostId(*host), *access, *bytes, &mut kernel, then).unwrap();
        }
        let (mut ends, mut fired) = (vec![0.0; accesses.len()], Vec::new());
        while kernel.advance(&mut fired) {
            for then in fired.drain(..) {
                let Then::Notify(number) = then else { continue };
                ends[number as usize] = kernel.now();
            }
        }
        ends
    }

    #[test]
    fn latency_comes_before_the_bytes() {
        let own = platform(&format!("disk = {DISK}"), "");
        assert_eq!(ends(own.clone(), &[(0, Access::Read, 400)]), [1.5]);
        assert_eq!(ends(own.clone(), &[(0, Access::Write, 400)]), [4.5]);
        assert_eq!(ends(own, &[(0, Access::Write, 0)]), [0.5]);
    }

    #[test]
    fn four_that_write_take_four_times_as_long() {
        let own = platform(&format!("disk = {DISK}"), "");
        assert_eq!(ends(own, &[(1, Access::Write, 100); 4]), [4.5; 4]);
    }

    #[test]
    fn each_node_has_its_disk_but_all_share_the_storage() {
        let two = [(0, Access::Write, 100), (1, Access::Write, 100)];
        assert_eq!(ends(platform(&format!("disk = {DISK}"), ""), &two), [1.5; 2]);
        let shared = format!("storage = {DISK}").replace("storage = {", "[storage]\n");
        let shared = shared.replace(", ", "\n").replace(" }", "");
        assert_eq!(ends(platform("", &shared), &two), [2.5; 2]);
    }

    #[test]
    fn readers_and_writers_together_get_the_larger_bandwidth() {
        let own = platform(&format!("disk = {DISK}"), "");
        // The writer is held at 100, the reader gets the other 300.
        let both = [(0, Access::Write, 100), (0, Access::Read, 300)];
        assert_eq!(ends(own, &both), [1.5; 2]);
    }

    #[test]
    fn without_storage_files_cost_nothing() {
        let (mut kernel, mut disks) = (Kernel::new(1e-9), Disks::new(platform("", "")));
        let then = Then::Notify(0);
        assert!(disks.access(HostId(0), Access::Read, 1, &mut kernel, then).is_none());
    }
}
