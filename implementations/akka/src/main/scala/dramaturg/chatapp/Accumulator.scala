package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.OnTheWire
import dramaturg.v2.Trace.ActorClass.ACTOR_CLASS_ACCUMULATOR_VALUE
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

/** Counts the work of one turn, level by level. */
final class Accumulator(
    turn: Int,
    initiallyExpected: Int,
    poker: ActorRef[Poker.Message],
    world: World,
    context: ActorContext[Accumulator.Message]
) extends Actor[Accumulator.Message](Names(ACTOR_CLASS_ACCUMULATOR_VALUE, turn), world, context) {
  import Accumulator._

  private val expected = Array[Long](initiallyExpected, 0, 0)
  private val reported = Array[Long](0, 0, 0)
  private var value = 0L
  private var stops = 0L
  private var announced = Digest.Zero
  private var consumed = Digest.Zero

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Stop => stop(m)
    case m: Bump => bump(m)
  }

  private def stop(m: Stop): Behavior[Message] = {
    if (m.level == 0) value += m.value
    else {
      stops += 1
      consumed += new Digest(m.value.toInt)
    }
    report(m.level)
  }

  private def bump(m: Bump): Behavior[Message] = {
    expected(m.level + 1) += m.n
    announced += m.digest
    report(m.level)
  }

  private def report(level: Int): Behavior[Message] = {
    reported(level) += 1
    if (java.util.Arrays.equals(reported, expected)) {
      poker ! Poker.Confirm(name, turn, value, stops, announced, consumed)
      Behaviors.stopped
    } else this
  }
}

object Accumulator {
  sealed trait Message extends dramaturg.Message

  /** `value` is what compute returned, or the digest of a payload. */
  final case class Stop(sender: Long, level: Int, value: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_ACCUMULATOR_STOP_VALUE, level, value)
  }

  final case class Bump(sender: Long, level: Int, n: Int, digest: Digest) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_ACCUMULATOR_BUMP_VALUE, level, n, digest.toLong)
  }

  def apply(
      turn: Int,
      expected: Int,
      poker: ActorRef[Poker.Message],
      world: World
  ): Behavior[Message] =
    Actor(Names(ACTOR_CLASS_ACCUMULATOR_VALUE, turn), world)(
      new Accumulator(turn, expected, poker, world, _)
    )

  /** The one of a turn, to which messages from other nodes refer; upon a logout it is told nothing. */
  def of(turn: Int, in: OnTheWire.Arguments): ActorRef[Message] =
    in.actor(Names(ACTOR_CLASS_ACCUMULATOR_VALUE, turn))

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_ACCUMULATOR_STOP_VALUE, (sender, in) => Stop(sender, in.int(), in.long())),
    (
      MESSAGE_KIND_ACCUMULATOR_BUMP_VALUE,
      (sender, in) => Bump(sender, in.int(), in.int(), in.digest())
    )
  )
}
