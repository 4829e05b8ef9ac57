package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Trace.MessageKind._
import dramaturg.{Entry, Names, Role, Scene}

/** Counts the work of one turn, level by level. */
final class Accumulator(
    turn: Int,
    initiallyExpected: Int,
    poker: ActorRef[Poker.Message],
    scene: Scene,
    context: ActorContext[Accumulator.Message]
) extends Role[Accumulator.Message](Names.accumulator(turn), scene, context) {
  import Accumulator._

  private val expected = Array[Long](initiallyExpected, 0, 0)
  private val consumed = Array[Long](0, 0, 0)
  private var value = 0L

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Stop => stop(m)
    case m: Bump => bump(m)
  }

  private def stop(m: Stop): Behavior[Message] = {
    value += m.value
    consume(m.level)
  }

  private def bump(m: Bump): Behavior[Message] = {
    expected(m.level + 1) += m.n
    consume(m.level)
  }

  private def consume(level: Int): Behavior[Message] = {
    consumed(level) += 1
    if (java.util.Arrays.equals(consumed, expected)) {
      poker ! Poker.Confirm(name, turn, value)
      Behaviors.stopped
    } else this
  }
}

object Accumulator {
  sealed trait Message extends dramaturg.Message

  final case class Stop(sender: Long, level: Int, value: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_ACCUMULATOR_STOP, level, value)
  }

  final case class Bump(sender: Long, level: Int, n: Int) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_ACCUMULATOR_BUMP, level, n)
  }

  def apply(
      turn: Int,
      expected: Int,
      poker: ActorRef[Poker.Message],
      scene: Scene
  ): Behavior[Message] =
    Role(Names.accumulator(turn), scene)(new Accumulator(turn, expected, poker, scene, _))
}
