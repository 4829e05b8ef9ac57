package dramaturg.micro

import akka.actor.typed.scaladsl.adapter._
import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.ChainParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

/** Chain: each link makes the next; the last one's `finish` walks back (spec/chain.md). */
final class Chain(p: ChainParameters) extends Micro("chain") {
  import Chain._

  override def populate(births: Births): Lead = {
    val first = births.one[Link.Message](Names(ACTOR_CLASS_LINK_VALUE))(
      new Link(0, None, births.world, _)
    )
    Lead(first) { case Call.Run(salt) => Link.Grow(Names.Control, p.getLength - 1, salt) -> 1 }
  }
}

object Chain {

  /** One link. The first is there at first and reports to control. */
  final class Link(
      index: Int,
      maker: Option[ActorRef[Link.Message]],
      world: World,
      context: ActorContext[Link.Message]
  ) extends Actor[Link.Message](Names(ACTOR_CLASS_LINK_VALUE, index), world, context) {
    override protected def take(message: Link.Message): Behavior[Link.Message] = message match {
      case m: Link.Grow   => grow(m)
      case m: Link.Finish => report(m.length + 1, m.digest.fold(m.length))
    }

    private def grow(m: Link.Grow): Behavior[Link.Message] = {
      val digest = m.digest.fold(m.left)
      if (m.left > 0) {
        spawnNext() ! Link.Grow(name, m.left - 1, digest)
        this
      } else report(1, digest)
    }

    private def spawnNext(): ActorRef[Link.Message] = {
      val next = Link(index + 1, Some(context.self), world)
      if ((index + 1) % Link.Nesting == 0) context.system.toClassic.spawnAnonymous(next)
      else context.spawnAnonymous(next)
    }

    private def report(length: Int, digest: Digest): Behavior[Link.Message] = {
      maker match {
        case Some(maker) => maker ! Link.Finish(name, length, digest)
        case None        => done(Stopwatch.stop())(length.toLong, digest.toLong)
      }
      Behaviors.stopped
    }
  }

  object Link {

    /** Every so often a link is nobody's child. To spawn a child takes a walk along its path, which
      * must not become as long as the chain; to spawn at the top takes a detour over the guardian.
      */
    private val Nesting = 32

    sealed trait Message extends dramaturg.Message

    final case class Grow(sender: Long, left: Int, digest: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_LINK_GROW_VALUE, left, digest.toLong)
    }

    final case class Finish(sender: Long, length: Int, digest: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_LINK_FINISH_VALUE, length, digest.toLong)
    }

    def apply(index: Int, maker: Option[ActorRef[Message]], world: World): Behavior[Message] =
      Actor(Names(ACTOR_CLASS_LINK_VALUE, index), world)(new Link(index, maker, world, _))
  }
}
