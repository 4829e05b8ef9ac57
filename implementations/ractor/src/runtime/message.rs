//! What a message is to the log of who takes it, and to a connection between two nodes.

use super::travel::Unread;

/// What actors of one class take.
pub trait Message: Sized + Send + 'static {
    /// The number of its kind in `trace.proto`.
    fn kind(&self) -> u32;

    /// Appends the arguments that a log has of it, in their order.
    fn arguments(&self, log: &mut Vec<u64>);

    /// Appends all that it carries, for another node.
    fn write(self, _: &mut Vec<u8>) {
        unreachable!("messages of this class stay on their node")
    }

    /// The message of this kind that was written so. None: it is none of this class.
    fn read(_kind: u32, _: &mut Unread) -> Option<Self> {
        None
    }
}

/// An argument of a message, as a log has it.
pub trait Argument {
    fn logged(&self) -> u64;
}

impl Argument for u32 {
    fn logged(&self) -> u64 {
        (*self).into()
    }
}

impl Argument for u64 {
    fn logged(&self) -> u64 {
        *self
    }
}

/// Declares what the actors of a class take, kind by kind.
///
/// What stands before a semicolon are the arguments of the log; what stands behind it
/// travels along and is in no log.
#[macro_export]
macro_rules! messages {
    (
        $(#[$about:meta])*
        $vis:vis enum $name:ident {
            $(
                $variant:ident {
                    $($argument:ident: $type:ty),* $(; $($along:ident: $along_type:ty),*)?
                } = $kind:ident
            ),* $(,)?
        }
    ) => {
        $(#[$about])*
        $vis enum $name {
            $($variant { $($argument: $type,)* $($($along: $along_type,)*)? },)*
        }

        impl $crate::runtime::message::Message for $name {
            fn kind(&self) -> u32 {
                match self {
                    $(Self::$variant { .. } => $crate::runtime::table::$kind,)*
                }
            }

            #[allow(unused_variables)]
            fn arguments(&self, log: &mut Vec<u64>) {
                match self {
                    $(Self::$variant { $($argument,)* .. } => {
                        $(log.push($crate::runtime::message::Argument::logged($argument));)*
                    })*
                }
            }

            #[allow(unused_variables)]
            fn write(self, to: &mut Vec<u8>) {
                match self {
                    $(Self::$variant { $($argument,)* $($($along,)*)? } => {
                        $($crate::runtime::travel::Part::write($argument, to);)*
                        $($($crate::runtime::travel::Part::write($along, to);)*)?
                    })*
                }
            }

            #[allow(unused_variables)]
            fn read(kind: u32, from: &mut $crate::runtime::travel::Unread) -> Option<Self> {
                $(if kind == $crate::runtime::table::$kind {
                    return Some(Self::$variant {
                        $($argument: $crate::runtime::travel::Part::read(from)?,)*
                        $($($along: $crate::runtime::travel::Part::read(from)?,)*)?
                    });
                })*
                None
            }
        }
    };
}
