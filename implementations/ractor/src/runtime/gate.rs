//! The gate of a node: the one actor of it that other nodes know, by ractor's process groups. All that
//! they send to actors of this node comes to it, in the order of sending (ACT-5).

use std::sync::Arc;

use ractor::message::{BoxedDowncastErr, SerializedMessage};
use ractor::{registry, Actor, ActorProcessingErr, ActorRef};

use super::name::Name;
use super::nodes::{self, Nodes};
use super::report::Report;
use super::travel::{Part, Unread};
use super::world::World;

/// All that goes from node to node.
pub enum Parcel {
    /// A message, to an actor of the node that takes this.
    Letter {
        to: Name,
        sealed: Vec<u8>,
    },
    /// An actor begins on the node that takes this (DIST-7).
    Birth {
        name: Name,
        maker: Name,
        seed: u32,
    },
    /// Asks whether messages get there and back (DIST-2).
    Greeting {
        node: u32,
    },
    Greeted {
        node: u32,
    },
    /// An actor has failed on the node that sends this.
    Failure {
        actor: Name,
        reason: String,
    },
}

impl Parcel {
    fn read(variant: &str, about: Vec<u8>, contents: Vec<u8>) -> Option<Self> {
        let mut about = Unread::new(about);
        let from = &mut about;
        Some(match variant {
            "letter" => Self::Letter { to: Part::read(from)?, sealed: contents },
            "birth" => Self::Birth {
                name: Part::read(from)?,
                maker: Part::read(from)?,
                seed: Part::read(from)?,
            },
            "greeting" => Self::Greeting { node: Part::read(from)? },
            "greeted" => Self::Greeted { node: Part::read(from)? },
            "failure" => Self::Failure {
                actor: Part::read(from)?,
                reason: String::from_utf8_lossy(&contents).into_owned(),
            },
            _ => return None,
        })
    }
}

/// As ractor sends it: `ractor_cluster` would write an enum of its own derivation with eight bytes
/// before each field.
impl ractor::Message for Parcel {
    fn serializable() -> bool {
        true
    }

    fn serialize(self) -> Result<SerializedMessage, BoxedDowncastErr> {
        let mut about = Vec::new();
        let (variant, args) = match self {
            Self::Letter { to, sealed } => {
                to.write(&mut about);
                ("letter", sealed)
            }
            Self::Birth { name, maker, seed } => {
                name.write(&mut about);
                maker.write(&mut about);
                seed.write(&mut about);
                ("birth", Vec::new())
            }
            Self::Greeting { node } => {
                node.write(&mut about);
                ("greeting", Vec::new())
            }
            Self::Greeted { node } => {
                node.write(&mut about);
                ("greeted", Vec::new())
            }
            Self::Failure { actor, reason } => {
                actor.write(&mut about);
                ("failure", reason.into_bytes())
            }
        };
        Ok(SerializedMessage::Cast { variant: variant.to_owned(), args, metadata: Some(about) })
    }

    fn deserialize(message: SerializedMessage) -> Result<Self, BoxedDowncastErr> {
        let parcel = match message {
            SerializedMessage::Cast { variant, args, metadata: Some(about) } => {
                Self::read(&variant, about, args)
            }
            _ => None,
        };
        parcel.ok_or_else(|| {
            nodes::complain("a parcel came that cannot be read".to_owned());
            BoxedDowncastErr
        })
    }
}

pub struct Gate {
    pub world: World,
    pub nodes: Arc<Nodes>,
}

impl Gate {
    fn deliver(&self, to: Name, sealed: Vec<u8>) {
        let letter =
            SerializedMessage::Cast { variant: String::new(), args: sealed, metadata: None };
        let sent = registry::where_is(self.nodes.registered(to))
            .is_some_and(|actor| actor.send_serialized(letter).is_ok());
        if !sent {
            let reason = "a message came from another node to an actor that is not here".to_owned();
            self.world.report(Report::Failed { actor: to, reason });
        }
    }
}

impl Actor for Gate {
    type Msg = Parcel;
    type State = ();
    type Arguments = ();

    async fn pre_start(&self, _: ActorRef<Parcel>, (): ()) -> Result<(), ActorProcessingErr> {
        Ok(())
    }

    async fn handle(
        &self,
        _: ActorRef<Parcel>,
        parcel: Parcel,
        (): &mut (),
    ) -> Result<(), ActorProcessingErr> {
        match parcel {
            Parcel::Letter { to, sealed } => self.deliver(to, sealed),
            Parcel::Birth { name, maker, seed } => self.world.bear(name, maker, seed).await,
            Parcel::Greeting { node } => self.nodes.answer(node as usize).await,
            Parcel::Greeted { node } => self.nodes.answered(node as usize),
            Parcel::Failure { actor, reason } => {
                self.world.report(Report::Failed { actor, reason });
            }
        }
        Ok(())
    }
}
