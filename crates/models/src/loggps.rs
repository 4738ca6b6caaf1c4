//! LogGPS: delays and overheads only, no contention but for the gap of the sender's interface.
//!
//! Alexandrov et al. 1995 (LogGP), Ino et al. 2001 (LogGPS). A message of `k` bytes costs its
//! sender `o + k O`, leaves its node no sooner than `g + k G` after the one before it, is
//! `L + k G` on its way, and costs its receiver `o + k O`.

use foretell_kernel::Then;
use foretell_platform::{LogGps as Parameters, NoRoute, Scope};

use crate::network::{Message, Setting, TransferModel};

/// The delay-only model.
#[derive(Debug)]
pub struct LogGps {
    parameters: Parameters,
    /// When each host's interface is free again.
    free_at: Vec<f64>,
}

impl LogGps {
    /// The model with the given figures.
    pub fn new(parameters: Parameters) -> Self {
        Self { parameters, free_at: Vec::new() }
    }

    fn overhead(&self, bytes: u64) -> f64 {
        self.parameters.overhead + bytes as f64 * self.parameters.overhead_per_byte
    }
}

impl TransferModel for LogGps {
    fn start(
        &mut self,
        message: Message,
        _: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<(), NoRoute> {
        let Parameters { latency, gap, gap_per_byte, .. } = self.parameters;
        let from = message.from.0 as usize;
        if self.free_at.len() <= from {
            self.free_at.resize(from + 1, 0.0);
        }
        let now = setting.kernel.now();
        let leaves = now.max(self.free_at[from]);
        let on_the_wire = message.bytes as f64 * gap_per_byte;
        self.free_at[from] = leaves + gap + on_the_wire;
        setting.kernel.wait(leaves - now + latency + on_the_wire, then);
        Ok(())
    }

    fn send_overhead(&self, message: Message) -> f64 {
        self.overhead(message.bytes)
    }

    fn receive_overhead(&self, message: Message) -> f64 {
        self.overhead(message.bytes)
    }

    fn rendezvous_limit(&self) -> Option<u64> {
        Some(self.parameters.rendezvous)
    }
}
