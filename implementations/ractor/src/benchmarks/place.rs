//! On which node an actor lives (spec/distributed.md), and which of them this process is.

use std::net::IpAddr;

use serde::Deserialize;

use super::{populate, Benchmark, Parameters};
use crate::runtime::name::Name;
use crate::runtime::nodes::Layout;
use crate::runtime::table::{
    CLASS_BROWSER, CLASS_CHAT, CLASS_CLIENT, CLASS_DIRECTORY, CLASS_EMPLOYEE, CLASS_PEER,
    CLASS_PONG, CLASS_SENDER,
};
use crate::runtime::world::World;

/// The nodes of a world, as `Prepare` names them. Without peers the world is local.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Place {
    node: usize,
    peers: Vec<Peer>,
    secret: String,
}

#[derive(Debug, Deserialize)]
struct Peer {
    host: IpAddr,
    port: u16,
}

impl Place {
    /// Whether the lead lives here.
    pub fn leads(&self) -> bool {
        self.node == 0
    }

    /// Connects the nodes of a world, and makes the first actors of a benchmark in it: each node those
    /// that live there.
    pub fn populate(&self, world: &World, parameters: &Parameters) -> Box<dyn Benchmark> {
        world.join(self.layout(parameters));
        populate(world, parameters)
    }

    fn layout(&self, parameters: &Parameters) -> Option<Layout> {
        let nodes = self.peers.len() as u32;
        if nodes == 0 {
            return None;
        }
        let (mesh, directories) = match parameters {
            Parameters::Chatapp(chatapp) => (true, chatapp.directories),
            Parameters::Big(_) => (true, 1),
            _ => (false, 1),
        };
        Some(Layout {
            node: self.node,
            addresses: self.peers.iter().map(|peer| (peer.host, peer.port).into()).collect(),
            secret: self.secret.clone(),
            mesh,
            home: Box::new(move |name| home(name, nodes, directories)),
        })
    }
}

/// The node of an actor (DIST-1).
fn home(name: Name, nodes: u32, directories: u32) -> usize {
    let index = name.first();
    let node = match name.class() {
        CLASS_PONG => 1,
        CLASS_PEER | CLASS_DIRECTORY => index % nodes,
        CLASS_SENDER | CLASS_BROWSER | CLASS_EMPLOYEE => 1 + index % (nodes - 1),
        CLASS_CLIENT | CLASS_CHAT => index / directories % nodes,
        _ => 0,
    };
    node as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::table::{CLASS_ACCUMULATOR, CLASS_WORKER};

    #[test]
    fn actors_live_where_the_example_of_the_chapter_has_them() {
        for (class, homes) in [
            (CLASS_PEER, vec![0, 1, 2, 0, 1]),
            (CLASS_SENDER, vec![1, 2, 1, 2, 1]),
            (CLASS_BROWSER, vec![1, 2, 1, 2, 1]),
            (CLASS_EMPLOYEE, vec![1, 2, 1, 2, 1]),
            (CLASS_DIRECTORY, vec![0, 1]),
            (CLASS_CLIENT, vec![0, 0, 1, 1, 2, 2, 0]),
            (CLASS_CHAT, vec![0, 0, 1, 1, 2, 2, 0]),
            (CLASS_WORKER, vec![0, 0, 0]),
            (CLASS_ACCUMULATOR, vec![0, 0, 0]),
        ] {
            let indices = 0..homes.len() as u32;
            let found: Vec<_> = indices.map(|index| home(Name::of(class, index), 3, 2)).collect();
            assert_eq!(found, homes, "class {class}");
        }
    }

    #[test]
    fn pong_lives_beside_ping() {
        assert_eq!(home(Name::of(CLASS_PONG, 0), 2, 1), 1);
    }
}
