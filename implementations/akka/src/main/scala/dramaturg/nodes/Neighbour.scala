package dramaturg.nodes

import akka.actor.typed.scaladsl.Behaviors
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.Entry
import dramaturg.control.{Report, World}
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_UNSPECIFIED_VALUE

/** What a guardian hears of other nodes, and tells control of its own. */
object Neighbour {
  sealed trait Message

  /** The guardian of a node that must not be lost: "node 1 (10.0.0.2:4000)". */
  final case class Watch(guardian: ActorRef[Message], node: String) extends Message

  private final case class Lost(node: String) extends Message

  /** From another node: an actor there has failed. A long reason is cut off on the way. */
  final case class Failed(sender: Long, reason: String) extends Message with dramaturg.Message {
    def entry: Entry =
      Entry(MESSAGE_KIND_UNSPECIFIED_VALUE, reason.take(LongestReason).map(_.toLong): _*)
  }

  /** In characters, of eight bytes each: a frame holds so many and more. */
  private val LongestReason = 1024

  def apply(world: World): Behavior[Message] = Behaviors.receive { (context, message) =>
    message match {
      case Watch(guardian, node) => context.watchWith(guardian, Lost(node))
      case Lost(node)            => world.tell(Report.Failed(s"$node was lost"))
      case Failed(name, reason)  => world.failed(name, reason)
    }
    Behaviors.same
  }
}
