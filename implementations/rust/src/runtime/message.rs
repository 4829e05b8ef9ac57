//! What a message is to the log of who takes it.

/// What actors of one class take.
pub trait Message: Send + 'static {
    /// The number of its kind in `trace.proto`.
    fn kind(&self) -> u32;

    /// Appends the arguments that a log has of it, in their order.
    fn arguments(&self, log: &mut Vec<u64>);
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
        }
    };
}
