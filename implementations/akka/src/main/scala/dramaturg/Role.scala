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

/** What the actors of one world have in common: whom they report to, and the log, if there is one. */
final case class Scene(control: ActorRef[Inbox.Message], log: Option[ReceiveLog])

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
