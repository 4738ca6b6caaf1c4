//! What may be asked when the program has crashed, perhaps in the midst of the simulation.

use crate::comm::Comm;

impl Comm {
    /// The simulated date, if the crash was not in the simulation itself.
    pub fn date_after_crash(&self) -> Option<f64> {
        self.world.state.try_borrow().ok().map(|state| state.kernel.now())
    }

    /// Tells who watches what it was not told yet: the run will not go on. Nothing if the crash was
    /// in the simulation itself.
    pub fn rescue_watch(&self) {
        if let Ok(mut state) = self.world.state.try_borrow_mut() {
            state.end_watch();
        }
    }
}
