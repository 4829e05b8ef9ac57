package dramaturg

import akka.actor.typed.scaladsl.Behaviors
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.chatapp.Sums

import java.util.concurrent.{LinkedBlockingQueue, TimeUnit}
import scala.concurrent.duration.FiniteDuration

/** The control port's own inbox: where what actors tell it waits for the thread of a call.
  *
  * Once an actor has failed, every call that waits here ends with that failure.
  */
final class Inbox {
  import Inbox._

  private val messages = new LinkedBlockingQueue[Message]
  private var failure: Option[ActorFailed] = None

  /** The actor that fills it. */
  def behavior: Behavior[Message] = Behaviors.receiveMessage { message =>
    messages.put(message)
    Behaviors.same
  }

  /** What has been sent to that actor so far and not been taken. Throws as `take` does. */
  def settle(actor: ActorRef[Message]): Seq[Message] = {
    actor ! Settled
    Iterator.continually(take()).takeWhile(_ != Settled).toSeq
  }

  /** Ends the call that waits, now or next, with [[Abandoned]]. */
  def abandon(): Unit = messages.put(Abandon)

  /** The next message. Throws [[ActorFailed]] and [[Abandoned]]. */
  def take(): Message = open(messages.take())

  /** The next message, if there is one in time. Throws as `take` does. */
  def poll(time: FiniteDuration): Option[Message] =
    Option(messages.poll(time.toNanos, TimeUnit.NANOSECONDS)).map(open)

  private def open(message: Message): Message = {
    failure.foreach(throw _)
    message match {
      case Failed(name, reason) =>
        failure = Some(new ActorFailed(name, reason))
        throw failure.get
      case Abandon => throw new Abandoned
      case other   => other
    }
  }
}

object Inbox {
  sealed trait Message

  /** From the poker: the world is set up and quiet. */
  final case class Ready(sender: Long) extends Message

  /** From the poker: a turn is complete. `started` and `ended` are its stamps, in nanoseconds. */
  final case class Confirmed(sender: Long, turn: Int, value: Long, started: Long, ended: Long)
      extends Message

  /** From the poker: all clients have left. `ended` is its stamp. */
  final case class Finished(sender: Long, sums: Sums, ended: Long) extends Message

  /** From the company of this node: everybody is there, and waits for what the lead is told. */
  final case class Cast(cue: Cue) extends Message

  /** From a lead actor: a window has ended. */
  final case class Window(sender: Long, number: Int, count: Long, nanos: Long) extends Message

  /** From ping: all rounds are played. `started` and `ended` are its stamps. */
  final case class Played(sender: Long, rounds: Long, started: Long, ended: Long) extends Message

  /** From any other lead actor: everything is done. `ended` is its stamp. */
  final case class Done(sender: Long, counts: Counts, ended: Long) extends Message

  /** From an actor that is about to end: what it took. For its node's receipt alone. */
  final case class Took(sender: Long, counts: Counts) extends Message

  /** From the company: that node is not there any more. */
  final case class Lost(node: Int) extends Message

  /** From any actor that fails. */
  final case class Failed(name: Long, reason: Throwable) extends Message

  private case object Abandon extends Message
  private case object Settled extends Message
}

/** An actor of the world that a call drove has failed (CTRL-10). */
final class ActorFailed(name: Long, reason: Throwable)
    extends Exception(s"${Names.spell(name)} failed: $reason", reason)

/** A node on which a part of the world lived is gone (DIST-5). */
final class NodeLost(node: String) extends Exception(s"$node was lost")

/** The world of the call under way was torn down (CTRL-9). */
final class Abandoned extends Exception("the world was abandoned")
