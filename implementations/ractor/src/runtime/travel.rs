//! How what a message carries is written for another node, and read there: each number in its own
//! width, an actor by its name.

use ractor::message::{BoxedDowncastErr, SerializedMessage};

use super::mailbox::{Address, Envelope};
use super::message::Message;
use super::name::Name;
use super::nodes::{self, Nodes};

/// A value that a message can carry to another node.
pub trait Part: Sized {
    fn write(self, to: &mut Vec<u8>);

    /// None: what came ends too soon, or names nobody.
    fn read(from: &mut Unread) -> Option<Self>;
}

/// Bytes that came from another node, and what of them has been read.
pub struct Unread {
    bytes: Vec<u8>,
    read: usize,
}

impl Unread {
    pub fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, read: 0 }
    }

    pub fn take(&mut self, length: usize) -> Option<&[u8]> {
        let end = self.read.checked_add(length)?;
        let taken = self.bytes.get(self.read..end)?;
        self.read = end;
        Some(taken)
    }

    /// Whether everything was read.
    pub fn is_empty(&self) -> bool {
        self.read == self.bytes.len()
    }
}

impl Part for u32 {
    fn write(self, to: &mut Vec<u8>) {
        to.extend(self.to_be_bytes());
    }

    fn read(from: &mut Unread) -> Option<Self> {
        Some(Self::from_be_bytes(from.take(4)?.try_into().ok()?))
    }
}

impl Part for u64 {
    fn write(self, to: &mut Vec<u8>) {
        to.extend(self.to_be_bytes());
    }

    fn read(from: &mut Unread) -> Option<Self> {
        Some(Self::from_be_bytes(from.take(8)?.try_into().ok()?))
    }
}

/// Class, first and second index: 8 bytes.
impl Part for Name {
    fn write(self, to: &mut Vec<u8>) {
        to.push(self.class());
        self.first().write(to);
        to.extend(&self.second().to_be_bytes()[1..]);
    }

    fn read(from: &mut Unread) -> Option<Self> {
        let class = from.take(1)?[0];
        let first = u32::read(from)?;
        let [high, middle, low]: [u8; 3] = from.take(3)?.try_into().ok()?;
        let second = u32::from_be_bytes([0, high, middle, low]);
        Some(Self::of_second(class, first, second))
    }
}

impl<M: Message> Part for Address<M> {
    fn write(self, to: &mut Vec<u8>) {
        let name = match self {
            Self::Here(reference) => nodes::name_of(&reference),
            Self::There(name, _) => name,
        };
        name.write(to);
    }

    fn read(from: &mut Unread) -> Option<Self> {
        let name = Name::read(from)?;
        Nodes::present()?.address(name)
    }
}

/// One byte that says whether it is there.
impl<P: Part> Part for Option<P> {
    fn write(self, to: &mut Vec<u8>) {
        to.push(self.is_some().into());
        if let Some(part) = self {
            part.write(to);
        }
    }

    fn read(from: &mut Unread) -> Option<Self> {
        match from.take(1)?[0] {
            0 => Some(None),
            _ => P::read(from).map(Some),
        }
    }
}

impl<M: Message> Envelope<M> {
    /// As it goes to another node. Who sends it does this, and not the connection.
    pub fn sealed(self) -> Vec<u8> {
        let mut sealed = Vec::new();
        self.from.write(&mut sealed);
        self.message.kind().write(&mut sealed);
        self.message.write(&mut sealed);
        sealed
    }

    fn opened(sealed: Vec<u8>) -> Option<Self> {
        let mut unread = Unread::new(sealed);
        let from = Name::read(&mut unread)?;
        let kind = u32::read(&mut unread)?;
        let message = M::read(kind, &mut unread)?;
        unread.is_empty().then_some(Self { from, message })
    }
}

/// No actor of a world is made known to other nodes by ractor: gates are, and what comes for an actor
/// is read by ractor in that actor's own task.
impl<M: Message> ractor::Message for Envelope<M> {
    fn deserialize(message: SerializedMessage) -> Result<Self, BoxedDowncastErr> {
        let opened = match message {
            SerializedMessage::Cast { args, .. } => Self::opened(args),
            _ => None,
        };
        // ractor leaves out what cannot be read, and says nothing.
        opened.ok_or_else(|| {
            nodes::complain("a message came that cannot be read".to_owned());
            BoxedDowncastErr
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::messages;
    use crate::runtime::name::CONTROL;
    use crate::runtime::table::CLASS_CHAT;

    messages! {
        enum Order {
            Task { number: u32, value: u32 } = KIND_RUNNER_TASK,
        }
    }

    messages! {
        enum Other {
            Wake { number: u32 } = KIND_SLEEPER_WAKE,
        }
    }

    fn sealed() -> Vec<u8> {
        Envelope { from: CONTROL, message: Order::Task { number: 3, value: u32::MAX } }.sealed()
    }

    fn there_and_back<P: Part>(part: P) -> Option<P> {
        let mut bytes = Vec::new();
        part.write(&mut bytes);
        let mut unread = Unread::new(bytes);
        let part = P::read(&mut unread);
        assert!(unread.is_empty());
        part
    }

    #[test]
    fn what_travels_keeps_its_width() {
        assert_eq!(there_and_back(u32::MAX), Some(u32::MAX));
        assert_eq!(there_and_back(u64::MAX - 1), Some(u64::MAX - 1));
        let chat = Name::of_second(CLASS_CHAT, u32::MAX, 0xff_ffff);
        assert_eq!(there_and_back(chat), Some(chat));
        assert_eq!(there_and_back(None::<u32>), Some(None));
        assert_eq!(there_and_back(Some(7_u64)), Some(Some(7)));
    }

    #[test]
    fn what_ends_too_soon_is_not_read() {
        assert_eq!(u64::read(&mut Unread::new(vec![0; 7])), None);
        assert_eq!(Name::read(&mut Unread::new(vec![CLASS_CHAT, 0])), None);
    }

    #[test]
    fn a_message_is_opened_as_it_was_sealed() {
        let Envelope { from, message } = Envelope::opened(sealed()).unwrap();
        let Order::Task { number, value } = message;
        assert_eq!((from, number, value), (CONTROL, 3, u32::MAX));
    }

    #[test]
    fn a_message_of_another_class_or_length_is_not_opened() {
        assert!(Envelope::<Other>::opened(sealed()).is_none());
        let mut longer = sealed();
        longer.push(0);
        assert!(Envelope::<Order>::opened(longer).is_none());
    }
}
