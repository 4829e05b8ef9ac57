package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{PingPongParameters, PingPongReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Ping-pong: two actors, two messages a round (spec/pingpong.md). */
final case class PingPong(p: PingPong.Parameters) extends Piece {
  import PingPong._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).ping, Ping.Start(Names.Control, p.rounds))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts = PingPongReceipt.newBuilder.setPings(said.here.first).setPongs(said.here.second)
    for (window <- said.windows) counts.addWindows(window.count).addWindowNanos(window.nanos)
    receipt.setPingpong(counts): Unit
  }

  override def windows: Int = p.windowing.windows
  override def mostNodes: Long = 2
}

object PingPong {

  /** Rounds of one iteration, or windows. */
  final case class Parameters(rounds: Long, windowing: Windowing)

  def apply(p: PingPongParameters): PingPong = {
    val windowing = Windowing(p.getWindows, p.getWindow)
    PingPong(Parameters(Checks.rounds(p.getRounds, windowing), windowing))
  }

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val ping: ActorRef[Ping.Message] = company.one[Ping.Message](Names.Ping)(new Ping(this, _))
    val pong: ActorRef[Pong.Message] =
      company.one[Pong.Message](Names.Pong, company.place.nodes - 1)(new Pong(this, _))
  }

  /** Sends `ping`, takes `pong`, until none are left. */
  final class Ping(cast: Cast, context: ActorContext[Ping.Message])
      extends Role[Ping.Message](Names.Ping, cast.scene, context) {
    private val windows = new Windows(cast.p.windowing, name, scene, context, Ping.Tick(name, _))
    private var windowed = cast.p.windowing.isOn
    private var started = 0L
    private var pongs = 0L

    override protected def take(message: Ping.Message): Behavior[Ping.Message] = message match {
      case m: Ping.Start => start(m)
      case m: Ping.Pong  => pong(m)
      case m: Ping.Tick  => tick(m)
    }

    private def start(m: Ping.Start): Behavior[Ping.Message] = {
      started = System.nanoTime()
      if (windowed) windows.open()
      ping(m.rounds - 1)
    }

    private def pong(m: Ping.Pong): Behavior[Ping.Message] = {
      pongs += 1
      if (m.left > 0) ping(m.left - 1)
      else {
        account(Counts(second = pongs))
        scene.control ! Inbox.Played(name, pongs, started, System.nanoTime())
        Behaviors.stopped
      }
    }

    private def tick(m: Ping.Tick): Behavior[Ping.Message] = {
      windowed = windows.next(m.number)
      windows.report(m.number, windows.since(pongs))
      this
    }

    private def ping(left: Long): Behavior[Ping.Message] = {
      cast.pong ! Pong.Ping(name, if (windowed) 1 else left)
      this
    }
  }

  object Ping {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, rounds: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_START, rounds)
    }

    final case class Pong(sender: Long, left: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_PONG, left)
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_TICK, number)
    }
  }

  /** Answers each `ping` with what it carried. */
  final class Pong(cast: Cast, context: ActorContext[Pong.Message])
      extends Role[Pong.Message](Names.Pong, cast.scene, context) {
    private var pings = 0L

    override protected def take(message: Pong.Message): Behavior[Pong.Message] = message match {
      case m: Pong.Ping => ping(m)
    }

    private def ping(m: Pong.Ping): Behavior[Pong.Message] = {
      pings += 1
      if (m.left == 0) account(Counts(pings))
      cast.ping ! Ping.Pong(name, m.left)
      if (m.left == 0) Behaviors.stopped else this
    }
  }

  object Pong {
    sealed trait Message extends dramaturg.Message

    final case class Ping(sender: Long, left: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PONG_PING, left)
    }
  }

  val Decoders: Map[MessageKind, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_PING_PONG, (sender, in) => Ping.Pong(sender, in.getLong())),
    (MESSAGE_KIND_PONG_PING, (sender, in) => Pong.Ping(sender, in.getLong()))
  )
}
