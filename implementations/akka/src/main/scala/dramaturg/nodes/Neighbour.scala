package dramaturg.nodes

import akka.actor.typed.scaladsl.Behaviors
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control.{Report, World}
import dramaturg.v2.Trace.MessageKind.MESSAGE_KIND_UNSPECIFIED_VALUE
import dramaturg.{Entry, Laden, Names}

import scala.util.control.NonFatal

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

  /** From another node: the sender has made an actor that lives here, with this seed (DIST-7). */
  final case class Birth(sender: Long, name: Long, seed: Int)
      extends Message
      with dramaturg.Message {
    def entry: Entry = Entry(BirthKind, name, seed)
  }

  /** From another node: a message for whom it has made, who may not be there yet. It is read when
    * all births before it are done, since it may refer to whoever was born.
    */
  final case class First(sender: Long, name: Long, bytes: Array[Byte]) extends Message with Laden {
    def entry: Entry = sent
    def sent: Entry = Entry(FirstKind, name)
  }

  // Kinds that no message of the specification has.
  val BirthKind = 1
  val FirstKind = 2

  /** In characters, of eight bytes each: a frame holds so many and more. */
  private val LongestReason = 1024

  def apply(world: World, addresses: Addresses, bear: Birth => Unit): Behavior[Message] =
    Behaviors.receive { (context, message) =>
      def trying(name: Long)(act: => Unit): Unit =
        try act
        catch { case NonFatal(reason) => world.failed(name, reason.toString) }
      message match {
        case Watch(guardian, node) => context.watchWith(guardian, Lost(node))
        case Lost(node)            => world.tell(Report.Failed(s"$node was lost"))
        case Failed(name, reason)  => world.failed(name, reason)
        case birth: Birth          =>
          trying(birth.name) {
            require(addresses.isHere(birth.name), "it is not born here")
            bear(birth)
          }
        case first: First =>
          trying(first.name) {
            val born = context.child(Names.inPath(first.name))
            require(born.isDefined, "it was not born here")
            born.foreach(_.unsafeUpcast[Any] ! addresses.read(first.bytes))
          }
      }
      Behaviors.same
    }
}
