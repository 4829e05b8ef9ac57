//! The nodes of a world, by `ractor_cluster`: which of them this process is, and the ways to the
//! others (spec/distributed.md).

use std::net::SocketAddr;
use std::sync::{Arc, OnceLock, RwLock};
use std::time::Duration;

use ractor::{call_t, pg, registry, Actor, ActorId, ActorRef};
use ractor_cluster::node::NodeServerSessionInformation;
use ractor_cluster::{client_connect, NodeEventSubscription, NodeServer, NodeServerMessage};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::watch;
use tokio::time::{sleep, timeout_at, Instant};

use super::gate::{Gate, Parcel};
use super::mailbox::{Address, Envelope};
use super::message::Message;
use super::name::{Name, CONTROL};
use super::report::Report;
use super::world::World;

/// Far more than a node takes that shares a few cores with dozens of others.
const PATIENCE: Duration = Duration::from_secs(30);

/// Between two attempts to listen or to connect. To connect, each pause is twice the one before.
const PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// A session is stopped at once, unless its thread has no time.
const CLOSING_MILLIS: u64 = 5_000;

/// Which node of which this process is, and who lives where.
pub struct Layout {
    pub node: usize,
    pub addresses: Vec<SocketAddr>,
    pub secret: String,
    /// Whether all talk to all, or all to node 0.
    pub mesh: bool,
    pub home: Box<dyn Fn(Name) -> usize + Send + Sync>,
}

/// The state of the connection to a node, as far as it is known here.
enum Link {
    Awaited,
    /// It was closed before it stood.
    Refused,
    Ready {
        session: ActorId,
        gate: ActorRef<Parcel>,
    },
}

/// The way to another node.
pub struct Way {
    link: watch::Sender<Link>,
    answered: watch::Sender<bool>,
    /// There once both have said a word to each other.
    gate: OnceLock<ActorRef<Parcel>>,
}

impl Way {
    fn new() -> Self {
        Self {
            link: watch::Sender::new(Link::Awaited),
            answered: watch::Sender::new(false),
            gate: OnceLock::new(),
        }
    }

    /// Sends a message to an actor there.
    pub fn deliver<M: Message>(&self, to: Name, envelope: Envelope<M>) {
        self.send(Parcel::Letter { to, sealed: envelope.sealed() });
    }

    /// Sends to the gate there. A node that was lost takes nothing, and has been named.
    pub fn send(&self, parcel: Parcel) {
        let gate = self.gate.get().expect("nodes that talk are connected");
        let _ = gate.send_message(parcel);
    }

    /// Waits until the connection stands, or has been closed. Whether it stands.
    async fn opened(&self) -> bool {
        let mut link = self.link.subscribe();
        let ready = match link.wait_for(|link| !matches!(link, Link::Awaited)).await.as_deref() {
            Ok(Link::Ready { gate, .. }) => Some(gate.clone()),
            _ => None,
        };
        match ready {
            Some(gate) => {
                let _ = self.gate.set(gate);
                true
            }
            None => false,
        }
    }
}

/// This process among the nodes of a world.
pub struct Nodes {
    layout: Layout,
    ways: Vec<Arc<Way>>,
    reports: UnboundedSender<Report>,
    server: ActorRef<NodeServerMessage>,
    gate: OnceLock<ActorRef<Parcel>>,
}

/// Those of the world that is there. Whoever reads a message has no world at hand: ractor does.
static PRESENT: RwLock<Option<Arc<Nodes>>> = RwLock::new(None);

/// Leaves the nodes of the world before, if it had any.
pub async fn leave() {
    let former = PRESENT.write().expect("nobody panics").take();
    if let Some(nodes) = former {
        nodes.close().await;
    }
}

/// Says that the distribution has failed.
pub fn complain(reason: String) {
    if let Some(nodes) = Nodes::present() {
        nodes.fail(CONTROL, reason);
    }
}

/// The name by which ractor's registry knows an actor of this node.
pub fn name_of<M>(reference: &ActorRef<Envelope<M>>) -> Name {
    let registered = reference.get_name().expect("who lives on one of several nodes has a name");
    let mut indices = registered.rsplit('/').map(|index| index.parse().expect("an index"));
    let mut next = || indices.next().expect("a class and two indices");
    let (second, first, class): (u32, u32, u32) = (next(), next(), next());
    Name::of_second(class as u8, first, second)
}

impl Nodes {
    /// Listens, and connects to all with a higher number to whom this node talks (DIST-2): they are
    /// there already.
    pub async fn join(
        world: &World,
        layout: Layout,
        reports: UnboundedSender<Report>,
    ) -> Result<Arc<Self>, String> {
        let server = listen(&layout).await?;
        let ways = layout.addresses.iter().map(|_| Arc::new(Way::new())).collect();
        let gate = OnceLock::new();
        let nodes = Arc::new(Self { layout, ways, reports, server, gate });
        let subscription = Box::new(Sessions(Arc::clone(&nodes)));
        let subscribe = NodeServerMessage::SubscribeToEvents { id: String::new(), subscription };
        let _ = nodes.server.send_message(subscribe);
        let gate = Gate { world: world.clone(), nodes: Arc::clone(&nodes) };
        let (gate, _) = Actor::spawn(None, gate, ()).await.map_err(|error| error.to_string())?;
        pg::join(nodes.group(nodes.layout.node), vec![gate.get_cell()]);
        let _ = nodes.gate.set(gate);
        *PRESENT.write().expect("nobody panics") = Some(Arc::clone(&nodes));
        if nodes.leads() || nodes.layout.mesh {
            for node in nodes.layout.node + 1..nodes.ways.len() {
                nodes.connect(node).await?;
            }
        }
        Ok(nodes)
    }

    /// Those of the world that is there, if they are several.
    pub fn present() -> Option<Arc<Self>> {
        PRESENT.read().expect("nobody panics").clone()
    }

    pub fn leads(&self) -> bool {
        self.layout.node == 0
    }

    pub fn elsewhere(&self, name: Name) -> bool {
        (self.layout.home)(name) != self.layout.node
    }

    /// Where to send to an actor. None: it would live here, and does not.
    pub fn address<M: Message>(&self, name: Name) -> Option<Address<M>> {
        if self.elsewhere(name) {
            return Some(Address::There(name, Arc::clone(self.way(name))));
        }
        registry::where_is(self.registered(name)).map(|cell| Address::Here(cell.into()))
    }

    /// The way to the node of an actor.
    pub fn way(&self, name: Name) -> &Arc<Way> {
        &self.ways[(self.layout.home)(name)]
    }

    /// An actor in ractor's registry, for which worlds are the same.
    pub fn registered(&self, name: Name) -> String {
        let secret = &self.layout.secret;
        format!("{secret}/{}/{}/{}", name.class(), name.first(), name.second())
    }

    /// Tells control of node 0, if that is another node.
    pub fn tell_node_0(&self, actor: Name, reason: &str) {
        if !self.leads() {
            if let Some(gate) = self.ways[0].gate.get() {
                let _ = gate.send_message(Parcel::Failure { actor, reason: reason.to_owned() });
            }
        }
    }

    /// Tells control of node 0, and that of this node.
    pub fn fail(&self, actor: Name, reason: String) {
        self.tell_node_0(actor, &reason);
        let _ = self.reports.send(Report::Failed { actor, reason });
    }

    /// Answers a node that has connected to this one.
    pub async fn answer(&self, node: usize) {
        if self.ways[node].opened().await {
            self.ways[node].send(Parcel::Greeted { node: self.layout.node as u32 });
        }
    }

    pub fn answered(&self, node: usize) {
        self.ways[node].answered.send_replace(true);
    }

    /// Connects, and waits until messages have got there and back. `ractor_cluster` refuses a connection
    /// also if its own actors do not answer each other within half a second, so it is tried again.
    async fn connect(&self, node: usize) -> Result<(), String> {
        let way = &self.ways[node];
        let deadline = Instant::now() + PATIENCE;
        let spelled = self.spelled(node);
        let mut pause = PAUSE;
        loop {
            way.link.send_replace(Link::Awaited);
            let connected = client_connect(&self.server, self.layout.addresses[node]).await;
            connected.map_err(|error| format!("{spelled} does not listen: {error}"))?;
            match timeout_at(deadline, way.opened()).await {
                Ok(true) => break,
                Ok(false) if pause < LONGEST_PAUSE => sleep(pause).await,
                _ => return Err(format!("{spelled} does not let this node in")),
            }
            pause *= 2;
        }
        way.send(Parcel::Greeting { node: self.layout.node as u32 });
        let mut answered = way.answered.subscribe();
        let answer = timeout_at(deadline, answered.wait_for(|answered| *answered)).await;
        answer.map(drop).map_err(|_| format!("{spelled} does not answer"))
    }

    /// Ends the sessions one by one: who ends their server kills them, and they stay in the lists of
    /// ractor's that they are in.
    async fn close(&self) {
        let sessions = call_t!(self.server, NodeServerMessage::GetSessions, CLOSING_MILLIS);
        let closing = Some(Duration::from_millis(CLOSING_MILLIS));
        for session in sessions.unwrap_or_default().into_values() {
            let _ = session.actor.stop_and_wait(None, closing).await;
        }
        let _ = self.server.stop_and_wait(None, closing).await;
        if let Some(gate) = self.gate.get() {
            gate.stop(None);
        }
    }

    /// The process group of a node's gate.
    fn group(&self, node: usize) -> String {
        format!("{}/{node}", self.layout.secret)
    }

    /// A node as errors have it.
    fn spelled(&self, node: usize) -> String {
        format!("node {node} ({})", self.layout.addresses[node])
    }

    /// Which node is at the other end of a session. One that connected has said its number, and one that
    /// this node connected to is known by its address.
    fn at_the_end_of(&self, session: &NodeServerSessionInformation) -> Option<usize> {
        if !session.is_server {
            let there = |address: &SocketAddr| address.to_string() == session.peer_addr;
            return self.layout.addresses.iter().position(there);
        }
        let (number, _) = session.peer_name.as_ref()?.name.split_once('@')?;
        number.parse().ok().filter(|node| *node < self.ways.len())
    }
}

/// Starts the server of a node. The one before it may not have let go of the address yet.
async fn listen(layout: &Layout) -> Result<ActorRef<NodeServerMessage>, String> {
    let address = layout.addresses[layout.node];
    let deadline = Instant::now() + PATIENCE;
    loop {
        let (secret, number) = (layout.secret.clone(), layout.node.to_string());
        let host = address.ip().to_string();
        let server = NodeServer::new(address.port(), secret, number, host, None, None)
            .with_listen_addr(address.ip());
        match Actor::spawn(None, server, ()).await {
            Ok((server, _)) => return Ok(server),
            Err(_) if Instant::now() < deadline => sleep(PAUSE).await,
            Err(error) => return Err(format!("cannot listen at {address}: {error}")),
        }
    }
}

/// Hears of sessions from `ractor_cluster`.
struct Sessions(Arc<Nodes>);

impl NodeEventSubscription for Sessions {
    fn node_session_opened(&self, _: NodeServerSessionInformation) {}

    fn node_session_authenticated(&self, _: NodeServerSessionInformation) {}

    /// The gate of the other node was made known before.
    fn node_session_ready(&self, session: NodeServerSessionInformation) {
        let Some(node) = self.0.at_the_end_of(&session) else {
            return;
        };
        let of_session =
            |id| matches!(id, ActorId::Remote { node_id, .. } if node_id == session.node_id);
        let gates = pg::get_members(&self.0.group(node));
        if let Some(gate) = gates.into_iter().find(|gate| of_session(gate.get_id())) {
            let session = session.actor.get_id();
            self.0.ways[node].link.send_replace(Link::Ready { session, gate: gate.into() });
        }
    }

    /// A node that was connected is lost with its session (DIST-5). One that was not knows another secret,
    /// or was slow.
    fn node_session_disconnected(&self, session: NodeServerSessionInformation) {
        let Some(node) = self.0.at_the_end_of(&session) else {
            return;
        };
        let way = &self.0.ways[node];
        let closed = match *way.link.borrow() {
            Link::Ready { session: ready, .. } => ready == session.actor.get_id(),
            _ => !session.is_server,
        };
        if closed && way.gate.get().is_none() {
            // Who connects tries again, and who is connected to waits.
            let next = if session.is_server { Link::Awaited } else { Link::Refused };
            way.link.send_replace(next);
        } else if closed {
            self.0.fail(CONTROL, format!("{} was lost", self.0.spelled(node)));
        }
    }
}
