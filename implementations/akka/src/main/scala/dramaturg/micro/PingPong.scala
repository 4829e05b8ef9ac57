package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Births, OnTheWire}
import dramaturg.v2.Benchmarks.PingPongParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Ping-pong: two actors, two messages a round (spec/pingpong.md). */
final class PingPong(p: PingPongParameters) extends Micro("pingpong") {
  import PingPong._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).ping) { case Call.Run(salt) =>
      Ping.Start(Names.Control, toUnsignedLong(p.getRounds), salt) -> (p.getWindows + 1)
    }
}

object PingPong {

  /** How a value travels, in 64 bits without a sign, and what came so (PING-7). */
  private def shifted(value: Digest, shift: Int): Long =
    value.toLong << shift | value.toLong & ((1L << shift) - 1)
  private def back(value: Long, shift: Int): Digest = new Digest((value >>> shift).toInt)

  final class Actors(val p: PingPongParameters, births: Births) {
    val ping: ActorRef[Ping.Message] =
      births.one[Ping.Message](Names(ACTOR_CLASS_PING_VALUE))(new Ping(this, births.world, _))
    val pong: ActorRef[Pong.Message] =
      births.one[Pong.Message](Names(ACTOR_CLASS_PONG_VALUE), births.place.nodes - 1)(
        new Pong(this, births.world, _)
      )
  }

  /** Sends `ping`, takes `pong`, until none are left. */
  final class Ping(actors: Actors, world: World, context: ActorContext[Ping.Message])
      extends Actor[Ping.Message](Names(ACTOR_CLASS_PING_VALUE), world, context) {
    import actors.p

    private val windows =
      new Windows(p.getWindows, p.getWindow, world, context, Ping.Tick(name, _))
    private var windowed = p.getWindows > 0
    private var salt = Digest.Zero
    private var pongs = 0L
    private var sum = Digest.Zero

    override protected def take(message: Ping.Message): Behavior[Ping.Message] = message match {
      case m: Ping.Pong  => pong(m)
      case m: Ping.Start => start(m)
      case m: Ping.Tick  => tick(m)
    }

    private def start(m: Ping.Start): Behavior[Ping.Message] = {
      salt = m.salt
      windows.open()
      ping(m.rounds - 1)
    }

    private def pong(m: Ping.Pong): Behavior[Ping.Message] = {
      pongs += 1
      sum += back(m.value, p.getShift)
      if (m.left > 0) ping(m.left - 1)
      else {
        done(Stopwatch.stop())(pongs, sum.toLong)
        Behaviors.stopped
      }
    }

    private def tick(m: Ping.Tick): Behavior[Ping.Message] = {
      windowed = windows.next(m.number)
      windows.report(m.number, windows.since(pongs))
      this
    }

    private def ping(left: Long): Behavior[Ping.Message] = {
      val value = shifted(salt.fold(pongs), p.getShift)
      actors.pong ! Pong.Ping(name, if (windowed) 1 else left, value)
      this
    }
  }

  object Ping {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, rounds: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_START_VALUE, rounds, salt.toLong)
    }

    final case class Pong(sender: Long, left: Long, value: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_PONG_VALUE, left, value)
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PING_TICK_VALUE, number)
    }
  }

  /** Answers each `ping`. */
  final class Pong(actors: Actors, world: World, context: ActorContext[Pong.Message])
      extends Actor[Pong.Message](Names(ACTOR_CLASS_PONG_VALUE), world, context) {
    import actors.p

    private var pings = 0L

    override protected def take(message: Pong.Message): Behavior[Pong.Message] = message match {
      case m: Pong.Ping => ping(m)
    }

    private def ping(m: Pong.Ping): Behavior[Pong.Message] = {
      val answer = back(m.value, p.getShift).fold(pings)
      actors.ping ! Ping.Pong(name, m.left, shifted(answer, p.getShift))
      pings += 1
      if (m.left == 0) Behaviors.stopped else this
    }
  }

  object Pong {
    sealed trait Message extends dramaturg.Message

    final case class Ping(sender: Long, left: Long, value: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_PONG_PING_VALUE, left, value)
    }
  }

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_PING_PONG_VALUE, (sender, in) => Ping.Pong(sender, in.long(), in.long())),
    (MESSAGE_KIND_PONG_PING_VALUE, (sender, in) => Pong.Ping(sender, in.long(), in.long()))
  )
}
