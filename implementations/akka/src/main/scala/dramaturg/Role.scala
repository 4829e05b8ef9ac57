package dramaturg

import akka.actor.typed.scaladsl.{AbstractBehavior, ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}

import scala.reflect.ClassTag
import scala.util.control.NonFatal

/** What any message of the specification says of itself. */
trait Message {

  /** The name of the actor that sent it. */
  def sender: Long

  /** How it stands in its receiver's log. */
  def entry: Entry
}

/** What the actors of one world have in common: whom they report to, the log, if there is one, and
  * whether anybody still wants what they do.
  */
final case class Scene(
    control: ActorRef[Inbox.Message],
    log: Option[ReceiveLog],
    curtain: Curtain
)

/** Falls when a world is dropped, for actors in the middle of a long handler: no message reaches
  * those. Not part of the program; while a world is wanted, it never falls.
  */
final class Curtain {
  @volatile private var fallen = false

  def isFallen: Boolean = fallen
  def fall(): Unit = fallen = true
}

/** An actor of the specification: has a name and never fails in silence.
  *
  * Whoever fails says so to the control port first and then leaves the rest to the runtime, whose
  * supervision logs the failure and stops the actor (CTRL-10). Children could be watched for that,
  * but a chat is nobody's child.
  */
abstract class Role[M <: Message](
    protected val name: Long,
    protected val scene: Scene,
    context: ActorContext[M]
) extends AbstractBehavior[M](context) {

  /** Acts on a message; returns `this` to live on or `Behaviors.stopped`. */
  protected def take(message: M): Behavior[M]

  final override def onMessage(message: M): Behavior[M] =
    try take(message)
    catch {
      case NonFatal(reason) =>
        scene.control ! Inbox.Failed(name, reason)
        throw reason
    }

  /** Sends so many messages at once, as long as anybody wants them. */
  final protected def burst(times: Long)(send: Long => Unit): Unit = {
    var i = 0L
    while (i < times && !scene.curtain.isFallen) {
      send(i)
      i += 1
    }
  }

  /** The lead's last word. */
  final protected def done(result: Long, check: Long = 0, parts: Long = 0): Behavior[M] = {
    scene.control ! Inbox.Done(name, Counts(result, check, parts), System.nanoTime())
    Behaviors.stopped
  }

  /** For the receipt of this actor's node. Sent before whatever ends the iteration. */
  final protected def account(counts: Counts): Unit = scene.control ! Inbox.Took(name, counts)
}

object Role {

  /** The behaviour of an actor. In a world without a log there is no trace of tracing in it. */
  def apply[M <: Message: ClassTag](name: Long, scene: Scene)(
      create: ActorContext[M] => Role[M]
  ): Behavior[M] = {
    val behavior = Behaviors.setup(create)
    if (ReceiveLog.isCompiled)
      scene.log.fold[Behavior[M]](behavior) { log =>
        Behaviors.intercept(() => log.recorder[M](name))(behavior)
      }
    else behavior
  }
}
