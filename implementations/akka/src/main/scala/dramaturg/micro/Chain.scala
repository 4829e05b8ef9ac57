package dramaturg.micro

import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{ChainParameters, ChainReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Chain: each link makes the next; the last one's `finish` walks back (spec/chain.md). */
final case class Chain(p: Chain.Parameters) extends Piece {
  import Chain._

  override def cast(company: Company): Cue = {
    val first = company.one[Link.Message](Names.link(0))(new Link(0, None, company.scene, _))
    Cue(first, Link.Grow(Names.Control, p.length - 1))
  }

  override def fill(receipt: Receipt.Builder, said: Reports): Unit =
    receipt.setChain(ChainReceipt.newBuilder.setLength(said.done.first)): Unit
}

object Chain {

  /** Links in all, at least 1. */
  final case class Parameters(length: Int)

  def apply(p: ChainParameters): Chain =
    Chain(Parameters(Checks.ranged("length", p.getLength, 1, Checks.MostSpawned).toInt))

  /** One link. The first is made in set-up and reports to control. */
  final class Link(
      index: Int,
      maker: Option[ActorRef[Link.Message]],
      scene: Scene,
      context: ActorContext[Link.Message]
  ) extends Role[Link.Message](Names.link(index), scene, context) {
    override protected def take(message: Link.Message): Behavior[Link.Message] = message match {
      case m: Link.Grow   => grow(m)
      case m: Link.Finish => finish(m.length + 1)
    }

    private def grow(m: Link.Grow): Behavior[Link.Message] =
      if (m.left > 0) {
        spawnNext() ! Link.Grow(name, m.left - 1)
        this
      } else finish(1)

    private def spawnNext(): ActorRef[Link.Message] = {
      val next = Link(index + 1, Some(context.self), scene)
      if ((index + 1) % Link.Nesting == 0) context.system.toClassic.spawnAnonymous(next)
      else context.spawnAnonymous(next)
    }

    private def finish(length: Long): Behavior[Link.Message] =
      maker.fold(done(length)) { maker =>
        maker ! Link.Finish(name, length)
        Behaviors.stopped
      }
  }

  object Link {

    /** Every so often a link is nobody's child. To spawn a child takes a walk along its path, which
      * must not become as long as the chain; to spawn at the top takes a detour over the guardian.
      */
    private val Nesting = 32

    sealed trait Message extends dramaturg.Message

    final case class Grow(sender: Long, left: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_LINK_GROW, left)
    }

    final case class Finish(sender: Long, length: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_LINK_FINISH, length)
    }

    def apply(index: Int, maker: Option[ActorRef[Message]], scene: Scene): Behavior[Message] =
      Role(Names.link(index), scene)(new Link(index, maker, scene, _))
  }
}
