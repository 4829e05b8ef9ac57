package dramaturg

import akka.actor.typed.Behavior
import akka.actor.typed.scaladsl.{AbstractBehavior, ActorContext, Behaviors}
import dramaturg.control.{Log, Report, World}

import scala.annotation.elidable
import scala.util.control.NonFatal

/** What any message of the specification says of itself. */
trait Message {

  /** The name of the actor that sent it. */
  def sender: Long

  /** How it stands in its receiver's log, and between nodes. Made only for these. */
  def entry: Entry
}

/** A message with bytes of its own, which stand in no log. On the wire it has these arguments, and the
  * bytes behind them.
  */
trait Laden extends Message {
  def sent: Entry
  def bytes: Array[Byte]
}

/** A `MessageKind` and the arguments of a message of that kind. */
final class Entry(val kind: Int, val arguments: Array[Long])

object Entry {
  def apply(kind: Int, arguments: Long*): Entry = new Entry(kind, arguments.toArray)
}

/** An actor of the specification: has a name, may be watched, and never fails in silence. */
abstract class Actor[M <: Message](
    protected val name: Long,
    protected val world: World,
    context: ActorContext[M]
) extends AbstractBehavior[M](context) {

  /** Decided once. `null`, for an `Option` would be one more object in each of a million actors. */
  private val log: Log = watch()

  /** Acts on a message; returns `this` to live on or `Behaviors.stopped`. */
  protected def take(message: M): Behavior[M]

  /** The one way in which an actor takes a message. */
  final override def onMessage(message: M): Behavior[M] =
    try {
      record(message)
      take(message)
    } catch {
      // Children could be supervised for that, but a chat is nobody's child (CTRL-10).
      case NonFatal(reason) =>
        world.failed(name, reason.toString)
        throw reason
    }

  // In the variant `bare` these two are compiled out, and a log is always null.

  @elidable(elidable.FINEST) private def watch(): Log = world.watches.logOf(name)

  @elidable(elidable.FINEST) private def record(message: M): Unit =
    if (log ne null) log.take(message)

  /** The lead's last word; `taken` is when it took the message upon which it says so. */
  final protected def done(taken: Long)(arguments: Long*): Unit =
    world.tell(Report.Done(arguments, taken))
}

object Actor {

  /** An actor that is about to be made; one that cannot be made has failed as well (CTRL-10). */
  def apply[M <: Message](name: Long, world: World)(
      create: ActorContext[M] => Actor[M]
  ): Behavior[M] =
    Behaviors.setup { context =>
      try create(context)
      catch {
        case NonFatal(reason) =>
          world.failed(name, reason.toString)
          throw reason
      }
    }
}
