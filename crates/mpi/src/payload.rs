//! What a message carries: its size alone, real bytes, or a place in memory.

/// The content of a message. A skeleton sends sizes; a program with data sends bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payload {
    /// So many bytes, whose values nobody looks at.
    Size(u64),
    /// These bytes.
    Bytes(Box<[u8]>),
    /// Bytes in the memory of a compiled program, which only [`Memory`](crate::Memory) can reach.
    /// They stay as they are until the send is complete. Point-to-point sends take them, and
    /// [`Comm::alltoall_in_memory`](crate::Comm::alltoall_in_memory).
    Memory {
        /// Where they begin.
        address: usize,
        /// How many they are.
        bytes: u64,
    },
}

impl Payload {
    /// How many bytes it counts on the wire.
    pub fn len(&self) -> u64 {
        match self {
            Payload::Size(bytes) => *bytes,
            Payload::Bytes(bytes) => bytes.len() as u64,
            Payload::Memory { bytes, .. } => *bytes,
        }
    }

    /// Whether it counts no byte at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes; none when only the size or the place is known.
    pub fn bytes(&self) -> &[u8] {
        match self {
            Payload::Bytes(bytes) => bytes,
            Payload::Size(_) | Payload::Memory { .. } => &[],
        }
    }

    /// Whether it holds real bytes itself.
    pub fn has_bytes(&self) -> bool {
        matches!(self, Payload::Bytes(_))
    }

    /// The part from `start` to `end`, in bytes.
    pub fn slice(&self, start: u64, end: u64) -> Payload {
        match self {
            Payload::Size(_) => Payload::Size(end - start),
            Payload::Bytes(bytes) => Payload::Bytes(bytes[start as usize..end as usize].into()),
            Payload::Memory { address, .. } => {
                Payload::Memory { address: address + start as usize, bytes: end - start }
            }
        }
    }

    /// Overwrites the part that begins at `start`; a size alone has nothing to overwrite.
    pub fn write(&mut self, start: u64, part: &Payload) {
        if let (Payload::Bytes(bytes), Payload::Bytes(part)) = (self, part) {
            bytes[start as usize..start as usize + part.len()].copy_from_slice(part);
        }
    }

    /// Puts parts one behind the other. Among parts with bytes, a size alone stands for zeros.
    pub fn concat<'a>(parts: impl IntoIterator<Item = &'a Payload>) -> Payload {
        let parts: Vec<&Payload> = parts.into_iter().collect();
        let total: u64 = parts.iter().map(|part| part.len()).sum();
        if !parts.iter().any(|part| part.has_bytes()) {
            return Payload::Size(total);
        }
        let mut all = Vec::with_capacity(total as usize);
        for part in parts {
            let end = all.len() + part.len() as usize;
            all.extend_from_slice(part.bytes());
            all.resize(end, 0);
        }
        Payload::Bytes(all.into())
    }

    /// A payload of the same kind: sizes stay sizes, bytes become zeroed bytes.
    pub fn blank(&self, bytes: u64) -> Payload {
        match self {
            Payload::Bytes(_) => Payload::Bytes(vec![0; bytes as usize].into()),
            Payload::Size(_) | Payload::Memory { .. } => Payload::Size(bytes),
        }
    }

    /// Eight bytes for each number.
    pub fn from_f64(values: &[f64]) -> Payload {
        Payload::Bytes(values.iter().flat_map(|value| value.to_ne_bytes()).collect())
    }

    /// The numbers of [`Payload::from_f64`].
    pub fn to_f64(&self) -> Vec<f64> {
        let word = |chunk: &[u8]| chunk.try_into().map(f64::from_ne_bytes).unwrap_or_default();
        self.bytes().chunks_exact(8).map(word).collect()
    }
}

impl From<u64> for Payload {
    fn from(bytes: u64) -> Self {
        Payload::Size(bytes)
    }
}

impl From<Vec<u8>> for Payload {
    fn from(bytes: Vec<u8>) -> Self {
        Payload::Bytes(bytes.into())
    }
}

impl From<&[u8]> for Payload {
    fn from(bytes: &[u8]) -> Self {
        Payload::Bytes(bytes.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_among_bytes_keeps_its_room() {
        let parts = [Payload::Size(2), vec![7].into(), Payload::Size(1)];
        assert_eq!(Payload::concat(&parts), vec![0, 0, 7, 0].into());
        assert_eq!(Payload::concat(&parts[..1]), Payload::Size(2));
    }
}
