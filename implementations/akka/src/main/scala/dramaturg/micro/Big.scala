package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Births, OnTheWire}
import dramaturg.v2.Benchmarks.BigParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Big: every peer pings every other, the next one upon the last one's pong (spec/big.md). */
final class Big(p: BigParameters) extends Micro("big") {
  import Big._

  override def isMesh: Boolean = true

  /** A ping and a pong of each peer, and what it has to do with the coordinator. */
  override def underWay(nodes: Int): Long = (2L * p.getPeers / nodes + 2) * (4 + p.getWindows)

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).coordinator) { case Call.Run(salt) =>
      Coordinator.Start(Names.Control, salt) -> (p.getWindows + 1)
    }
}

object Big {
  final class Actors(val p: BigParameters, births: Births) {
    val coordinator: ActorRef[Coordinator.Message] =
      births.one[Coordinator.Message](Names(ACTOR_CLASS_COORDINATOR_VALUE))(
        new Coordinator(this, births.world, _)
      )
    val peers: IndexedSeq[ActorRef[Peer.Message]] =
      births.all[Peer.Message](p.getPeers, ACTOR_CLASS_PEER_VALUE, births.place.round)(
        new Peer(_, this, births.world, _)
      )
  }

  /** Starts the peers and waits for them. */
  final class Coordinator(actors: Actors, world: World, context: ActorContext[Coordinator.Message])
      extends Actor[Coordinator.Message](Names(ACTOR_CLASS_COORDINATOR_VALUE), world, context) {
    import actors.p

    private val windows =
      new Windows(p.getWindows, p.getWindow, world, context, Coordinator.Tick(name, _))
    private val marks = new Array[Int](p.getWindows)
    private val marked = new Array[Long](p.getWindows)
    private var waiting = p.getPeers
    private var playing = p.getPeers
    private var pings = 0L
    private var pongs = 0L
    private var gave = Digest.Zero
    private var took = Digest.Zero

    override protected def take(message: Coordinator.Message): Behavior[Coordinator.Message] =
      message match {
        case m: Coordinator.Start    => start(m)
        case m: Coordinator.Tick     => tick(m)
        case m: Coordinator.Marked   => marked(m)
        case _: Coordinator.Idle     => idle()
        case m: Coordinator.Finished => finished(m)
      }

    private def start(m: Coordinator.Start): Behavior[Coordinator.Message] = {
      windows.open()
      tellAll(Peer.Go(name, m.salt))
    }

    private def tick(m: Coordinator.Tick): Behavior[Coordinator.Message] = {
      windows.next(m.number)
      tellAll(Peer.Mark(name, m.number))
    }

    private def marked(m: Coordinator.Marked): Behavior[Coordinator.Message] = {
      marks(m.number) += 1
      marked(m.number) += m.pongs
      if (marks(m.number) == p.getPeers) windows.report(m.number, marked(m.number))
      this
    }

    private def idle(): Behavior[Coordinator.Message] = {
      waiting -= 1
      if (waiting == 0) tellAll(Peer.Stop(name)) else this
    }

    private def finished(m: Coordinator.Finished): Behavior[Coordinator.Message] = {
      pings += m.pings
      pongs += m.pongs
      gave += m.gave
      took += m.took
      playing -= 1
      if (playing > 0) this
      else {
        done(Stopwatch.stop())(pings, pongs, gave.toLong, took.toLong)
        Behaviors.stopped
      }
    }

    private def tellAll(message: Peer.Message): Behavior[Coordinator.Message] = {
      actors.peers.foreach(_ ! message)
      this
    }
  }

  object Coordinator {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_START_VALUE, salt.toLong)
    }

    final case class Finished(
        sender: Long,
        pings: Long,
        pongs: Long,
        gave: Digest,
        took: Digest
    ) extends Message {
      def entry: Entry = Entry(
        MESSAGE_KIND_COORDINATOR_FINISHED_VALUE,
        pings,
        pongs,
        gave.toLong,
        took.toLong
      )
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_TICK_VALUE, number)
    }

    final case class Marked(sender: Long, number: Int, pongs: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_MARKED_VALUE, number, pongs)
    }

    final case class Idle(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COORDINATOR_IDLE_VALUE)
    }
  }

  /** Pings its neighbours in turn, starting with the next one. */
  final class Peer(index: Int, actors: Actors, world: World, context: ActorContext[Peer.Message])
      extends Actor[Peer.Message](Names(ACTOR_CLASS_PEER_VALUE, index), world, context) {
    import actors.p

    private val others = p.getPeers - 1L
    private val total = toUnsignedLong(p.getRounds) * others
    private val windowed = p.getWindows > 0
    private var own = Digest.Zero
    private var pings = 0L
    private var pongs = 0L
    private var gave = Digest.Zero
    private var took = Digest.Zero
    private var marked = 0L
    private var pinging = true

    override protected def take(message: Peer.Message): Behavior[Peer.Message] = message match {
      case m: Peer.Ping => ping(m)
      case m: Peer.Pong => pong(m)
      case m: Peer.Go   => go(m)
      case m: Peer.Mark => mark(m)
      case _: Peer.Stop => finish()
    }

    private def go(m: Peer.Go): Behavior[Peer.Message] = {
      own = m.salt.fold(index)
      ping()
      this
    }

    private def ping(m: Peer.Ping): Behavior[Peer.Message] = {
      val value = m.value.fold(index)
      pings += 1
      gave += value
      actors.peers(Names.indexOf(m.sender)) ! Peer.Pong(name, m.round, value)
      endWhenDone()
    }

    private def pong(m: Peer.Pong): Behavior[Peer.Message] = {
      pongs += 1
      took += m.value
      if (windowed) {
        if (pinging) ping() else actors.coordinator ! Coordinator.Idle(name)
      } else if (pongs < total) ping()
      endWhenDone()
    }

    private def mark(m: Peer.Mark): Behavior[Peer.Message] = {
      actors.coordinator ! Coordinator.Marked(name, m.number, pongs - marked)
      marked = pongs
      pinging = m.number + 1 < p.getWindows
      this
    }

    private def ping(): Unit = {
      val round = pongs / others
      val target = (index + 1 + pongs % others) % p.getPeers
      actors.peers(target.toInt) ! Peer.Ping(name, round, own.fold(round))
    }

    /** With windows nobody knows how many pings there will be; then `stop` is the end. */
    private def endWhenDone(): Behavior[Peer.Message] =
      if (pings == total && pongs == total && !windowed) finish() else this

    private def finish(): Behavior[Peer.Message] = {
      actors.coordinator ! Coordinator.Finished(name, pings, pongs, gave, took)
      Behaviors.stopped
    }
  }

  object Peer {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_GO_VALUE, salt.toLong)
    }

    final case class Ping(sender: Long, round: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_PING_VALUE, round, value.toLong)
    }

    final case class Pong(sender: Long, round: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_PONG_VALUE, round, value.toLong)
    }

    final case class Mark(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_MARK_VALUE, number)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PEER_STOP_VALUE)
    }
  }

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_COORDINATOR_FINISHED_VALUE,
      (sender, in) => Coordinator.Finished(sender, in.long(), in.long(), in.digest(), in.digest())
    ),
    (
      MESSAGE_KIND_COORDINATOR_MARKED_VALUE,
      (sender, in) => Coordinator.Marked(sender, in.int(), in.long())
    ),
    (MESSAGE_KIND_COORDINATOR_IDLE_VALUE, (sender, _) => Coordinator.Idle(sender)),
    (MESSAGE_KIND_PEER_GO_VALUE, (sender, in) => Peer.Go(sender, in.digest())),
    (MESSAGE_KIND_PEER_PING_VALUE, (sender, in) => Peer.Ping(sender, in.long(), in.digest())),
    (MESSAGE_KIND_PEER_PONG_VALUE, (sender, in) => Peer.Pong(sender, in.long(), in.digest())),
    (MESSAGE_KIND_PEER_MARK_VALUE, (sender, in) => Peer.Mark(sender, in.int())),
    (MESSAGE_KIND_PEER_STOP_VALUE, (sender, _) => Peer.Stop(sender))
  )
}
