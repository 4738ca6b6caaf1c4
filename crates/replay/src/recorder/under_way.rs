//! Requests that the lines of a rank have begun and not waited for, as its replay will have them.

use foretell_trace::Waited;

/// In the order in which they were begun.
#[derive(Debug, Default)]
pub(super) struct UnderWay(Vec<(u32, Waited)>);

impl UnderWay {
    pub(super) fn begin(&mut self, request: u32, name: Waited) {
        self.0.push((request, name));
    }

    /// How many older ones a line for this request would fit as well.
    pub(super) fn older(&self, request: u32, name: Waited) -> u32 {
        let before = self.position(request).map_or(&[][..], |at| &self.0[..at]);
        before.iter().filter(|(_, other)| *other == name).count() as u32
    }

    pub(super) fn end(&mut self, request: u32) {
        if let Some(at) = self.position(request) {
            self.0.remove(at);
        }
    }

    /// The same for one of several messages that a request stands for: the oldest of this name.
    pub(super) fn older_than(&self, request: u32, name: Waited) -> u32 {
        let is_other = |(number, other): &&(u32, Waited)| (*number, *other) != (request, name);
        let before = self.0.iter().take_while(is_other);
        before.filter(|(_, other)| *other == name).count() as u32
    }

    /// Ends it; gives how many older ones there were.
    pub(super) fn end_one(&mut self, request: u32, name: Waited) -> u32 {
        let older = self.older_than(request, name);
        if let Some(at) = self.0.iter().position(|one| *one == (request, name)) {
            self.0.remove(at);
        }
        older
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Of several with one number, the last has it: a program may free a request under way, whose
    /// number then goes to another.
    fn position(&self, request: u32) -> Option<usize> {
        self.0.iter().rposition(|(number, _)| *number == request)
    }
}
