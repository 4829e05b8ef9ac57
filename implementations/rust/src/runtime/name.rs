//! Names of actors (ACT-3).

use std::fmt;

use serde::Serialize;

use super::table::{class_label, CLASS_CHAT, CLASS_CONTROL};

/// Class, first and second index in one integer. It carries no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Name(u64);

/// The sender of what the harness asked for. It is no actor.
pub const CONTROL: Name = Name::of(CLASS_CONTROL, 0);

impl Name {
    /// The actor of this class with this first index.
    pub const fn of(class: u8, first: u32) -> Self {
        Self::of_second(class, first, 0)
    }

    /// The actor with two indices. The second one has 24 bits.
    pub const fn of_second(class: u8, first: u32, second: u32) -> Self {
        Self((class as u64) << 56 | (first as u64) << 24 | (second & 0xff_ffff) as u64)
    }

    pub const fn class(self) -> u8 {
        (self.0 >> 56) as u8
    }

    pub const fn first(self) -> u32 {
        (self.0 >> 24) as u32
    }

    pub const fn second(self) -> u32 {
        (self.0 & 0xff_ffff) as u32
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", class_label(self.class()), self.first())?;
        match self.class() {
            CLASS_CHAT => write!(out, ".{}", self.second()),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::table::{CLASS_CLIENT, CLASS_LINK};

    #[test]
    fn names_are_those_of_the_chapter() {
        for (name, number, printed) in [
            (Name::of(CLASS_CLIENT, 17), 288_230_376_436_924_416, "client/17"),
            (Name::of_second(CLASS_CHAT, 17, 2), 360_287_970_474_852_354, "chat/17.2"),
            (Name::of(CLASS_CHAT, 0), 360_287_970_189_639_680, "chat/0.0"),
            (Name::of(CLASS_LINK, 16_777_215), 1_585_548_543_794_348_032, "link/16777215"),
        ] {
            assert_eq!(name.0, number);
            assert_eq!(name.to_string(), printed);
        }
    }
}
