package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{BigParameters, BigReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Big: every peer pings every other, the next one upon the last one's pong (spec/big.md). */
final case class Big(p: Big.Parameters) extends Piece {
  import Big._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).coordinator, Coordinator.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts = BigReceipt.newBuilder.setPings(said.here.first).setPongs(said.here.second)
    for (window <- said.windows) counts.addWindows(window.count).addWindowNanos(window.nanos)
    receipt.setBig(counts): Unit
  }

  override def windows: Int = p.windowing.windows
  override def mostNodes: Long = p.peers.toLong
  override def isMesh: Boolean = true

  /** A ping and a pong of each peer, and what it has to do with the coordinator. */
  override def underWay(nodes: Int): Long = (2L * p.peers / nodes + 2) * (4 + windows)
}

object Big {

  /** Peers, at least 2, and how often each pings all others, or for how many windows. */
  final case class Parameters(peers: Int, rounds: Long, windowing: Windowing)

  def apply(p: BigParameters): Big = {
    val peers = Checks.ranged("peers", p.getPeers, 2, Checks.MostActors).toInt
    val windowing = Windowing(p.getWindows, p.getWindow)
    Big(Parameters(peers, Checks.rounds(p.getRounds, windowing), windowing))
  }

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val coordinator: ActorRef[Coordinator.Message] =
      company.one[Coordinator.Message](Names.Coordinator)(new Coordinator(this, _))
    val peers: IndexedSeq[ActorRef[Peer.Message]] =
      company.all[Peer.Message](p.peers, Names.peer, company.place.round)(new Peer(_, this, _))
  }

  /** Starts the peers and waits for them. */
  final class Coordinator(cast: Cast, context: ActorContext[Coordinator.Message])
      extends Role[Coordinator.Message](Names.Coordinator, cast.scene, context) {
    import cast.p

    private val windows =
      new Windows(p.windowing, name, scene, context, Coordinator.Tick(name, _))
    private val marks = new Array[Int](p.windowing.windows)
    private val marked = new Array[Long](p.windowing.windows)
    private var waiting = p.peers
    private var playing = p.peers
    private var pings = 0L
    private var pongs = 0L

    override protected def take(message: Coordinator.Message): Behavior[Coordinator.Message] =
      message match {
        case _: Coordinator.Start    => start()
        case m: Coordinator.Tick     => tick(m)
        case m: Coordinator.Marked   => marked(m)
        case _: Coordinator.Idle     => idle()
        case m: Coordinator.Finished => finished(m)
      }

    private def start(): Behavior[Coordinator.Message] = {
      if (p.windowing.isOn) windows.open()
      tellAll(Peer.Go(name))
    }

    private def tick(m: Coordinator.Tick): Behavior[Coordinator.Message] = {
      windows.next(m.number)
      tellAll(Peer.Mark(name, m.number))
    }

    private def marked(m: Coordinator.Marked): Behavior[Coordinator.Message] = {
      marks(m.number) += 1
      marked(m.number) += m.pongs
      if (marks(m.number) == p.peers) windows.report(m.number, marked(m.number))
      this
    }

    private def idle(): Behavior[Coordinator.Message] = {
      waiting -= 1
      if (waiting == 0) tellAll(Peer.Stop(name)) else this
    }

    private def finished(m: Coordinator.Finished): Behavior[Coordinator.Message] = {
      pings += m.pings
      pongs += m.pongs
      playing -= 1
      if (playing == 0) done(pings, pongs) else this
    }

    private def tellAll(message: Peer.Message): Behavior[Coordinator.Message] = {
      cast.peers.foreach(_ ! message)
      this
    }
  }

  object Coordinator {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_START)
    }

    final case class Finished(sender: Long, pings: Long, pongs: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_FINISHED, pings, pongs)
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_TICK, number)
    }

    final case class Marked(sender: Long, number: Int, pongs: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_MARKED, number, pongs)
    }

    final case class Idle(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_IDLE)
    }
  }

  /** Pings its neighbours in turn, starting with the next one. */
  final class Peer(index: Int, cast: Cast, context: ActorContext[Peer.Message])
      extends Role[Peer.Message](Names.peer(index), cast.scene, context) {
    import cast.p

    private val others = p.peers - 1L
    private val total = p.rounds * others
    private var pings = 0L
    private var pongs = 0L
    private var marked = 0L
    private var pinging = true

    override protected def take(message: Peer.Message): Behavior[Peer.Message] = message match {
      case _: Peer.Go   => go()
      case m: Peer.Ping => ping(m)
      case _: Peer.Pong => pong()
      case m: Peer.Mark => mark(m)
      case _: Peer.Stop => finish()
    }

    private def go(): Behavior[Peer.Message] = {
      ping()
      this
    }

    private def ping(m: Peer.Ping): Behavior[Peer.Message] = {
      pings += 1
      cast.peers(Names.indexOf(m.sender)) ! Peer.Pong(name, m.round)
      endWhenDone()
    }

    private def pong(): Behavior[Peer.Message] = {
      pongs += 1
      if (p.windowing.isOn) {
        if (pinging) ping() else cast.coordinator ! Coordinator.Idle(name)
      } else if (pongs < total) ping()
      endWhenDone()
    }

    private def mark(m: Peer.Mark): Behavior[Peer.Message] = {
      cast.coordinator ! Coordinator.Marked(name, m.number, pongs - marked)
      marked = pongs
      pinging = m.number + 1 < p.windowing.windows
      this
    }

    private def ping(): Unit = {
      val target = (index + 1 + pongs % others) % p.peers
      cast.peers(target.toInt) ! Peer.Ping(name, pongs / others)
    }

    /** With windows nobody knows how many pings there will be; then `stop` is the end. */
    private def endWhenDone(): Behavior[Peer.Message] =
      if (pings == total && pongs == total && !p.windowing.isOn) finish() else this

    private def finish(): Behavior[Peer.Message] = {
      account(Counts(pings, pongs))
      cast.coordinator ! Coordinator.Finished(name, pings, pongs)
      Behaviors.stopped
    }
  }

  object Peer {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_GO)
    }

    final case class Ping(sender: Long, round: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_PING, round)
    }

    final case class Pong(sender: Long, round: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_PONG, round)
    }

    final case class Mark(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_MARK, number)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_STOP)
    }
  }

  val Decoders: Map[MessageKind, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_COORDINATOR_FINISHED,
      (sender, in) => Coordinator.Finished(sender, in.getLong(), in.getLong())
    ),
    (
      MESSAGE_KIND_COORDINATOR_MARKED,
      (sender, in) => Coordinator.Marked(sender, in.getLong().toInt, in.getLong())
    ),
    (MESSAGE_KIND_COORDINATOR_IDLE, (sender, _) => Coordinator.Idle(sender)),
    (MESSAGE_KIND_PEER_GO, (sender, _) => Peer.Go(sender)),
    (MESSAGE_KIND_PEER_PING, (sender, in) => Peer.Ping(sender, in.getLong())),
    (MESSAGE_KIND_PEER_PONG, (sender, in) => Peer.Pong(sender, in.getLong())),
    (MESSAGE_KIND_PEER_MARK, (sender, in) => Peer.Mark(sender, in.getLong().toInt)),
    (MESSAGE_KIND_PEER_STOP, (sender, _) => Peer.Stop(sender))
  )
}
