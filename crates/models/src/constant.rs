//! Every message takes the same time, whatever its size and way.

use foretell_kernel::Then;
use foretell_platform::{NoRoute, Scope};

use crate::network::{Message, Setting, TransferModel};

/// The model with a single figure.
#[derive(Debug)]
pub struct Constant {
    latency: f64,
}

impl Constant {
    /// Every message takes `latency` seconds.
    pub fn new(latency: f64) -> Self {
        Self { latency }
    }
}

impl TransferModel for Constant {
    fn start(
        &mut self,
        _: Message,
        _: Scope,
        setting: &mut Setting<'_>,
        then: Then,
    ) -> Result<(), NoRoute> {
        setting.kernel.wait(self.latency, then);
        Ok(())
    }
}
