package dramaturg

import akka.actor.Dropped
import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, ActorRefResolver, Behavior, ChildFailed, Terminated}

import scala.reflect.ClassTag
import scala.util.control.NonFatal

/** Brings to life those of a micro-benchmark's actors that live on this node, as siblings, and
  * knows where the others are: under the same name in the company of their node.
  *
  * A benchmark lists its actors in a `Cast`, which each of them is given. They read it only upon
  * messages, and the first one is sent when all of it is there.
  */
final class Company private (
    val scene: Scene,
    val place: Place,
    context: ActorContext[Company.Message]
) {
  private val resolver = ActorRefResolver(context.system)

  def one[M <: Message: ClassTag](name: Long, node: Int = 0)(
      create: ActorContext[M] => Role[M]
  ): ActorRef[M] = {
    val path = Names.spell(name).replace('/', '-')
    if (node == place.node) {
      val actor = context.spawn(Role(name, scene)(create), path)
      // Whoever fails here takes the company along, which is how node 0 hears of it.
      if (!place.isAlone) context.watch(actor)
      actor
    } else resolver.resolveActorRef(Stage.path(place.peers(node), s"${Company.Path}/$path"))
  }

  def all[M <: Message: ClassTag](count: Int, name: Int => Long, node: Int => Int = _ => 0)(
      create: (Int, ActorContext[M]) => Role[M]
  ): IndexedSeq[ActorRef[M]] =
    Vector.tabulate(count)(index => one[M](name(index), node(index))(create(index, _)))
}

object Company {

  /** Where nodes find each other's company. */
  val Path = "company"

  sealed trait Message

  /** Have the control port told when that company's node is lost. */
  final case class Watch(company: ActorRef[Nothing], node: Int) extends Message

  private final case class Lost(node: Int) extends Message
  private final case class Overflow(dropped: Dropped) extends Message

  /** Tells the control port what the lead is to be told, once everybody is there. */
  def apply(piece: Piece, scene: Scene, place: Place): Behavior[Message] =
    Behaviors.setup { context =>
      val report =
        try Inbox.Cast(piece.cast(new Company(scene, place, context)))
        catch { case NonFatal(reason) => Inbox.Failed(Names.Control, reason) }
      scene.control ! report
      if (!place.isAlone) {
        // What Akka has no room for it drops, and says so nowhere else (DIST-3).
        val overflow = context.messageAdapter[Dropped](Overflow(_))
        context.system.toClassic.eventStream.subscribe(overflow.toClassic, classOf[Dropped])
      }
      Behaviors
        .receiveMessage[Message] {
          case Watch(company, node) =>
            context.watchWith(company, Lost(node))
            Behaviors.same
          case Lost(node) =>
            scene.control ! Inbox.Lost(node)
            Behaviors.same
          case Overflow(dropped) =>
            val reason = s"a message to ${dropped.recipient} was dropped: ${dropped.reason}"
            scene.control ! Inbox.Failed(Names.Control, new IllegalStateException(reason))
            Behaviors.stopped
        }
        .receiveSignal {
          case (_, ChildFailed(_, _)) => Behaviors.stopped
          case (_, Terminated(_))     => Behaviors.same
        }
    }
}

/** What the control port says to the lead actor, and when it likes. */
final class Cue private (tell: () => Unit) {
  def give(): Unit = tell()
}

object Cue {
  def apply[M](lead: ActorRef[M], message: M): Cue = new Cue(() => lead ! message)
}
