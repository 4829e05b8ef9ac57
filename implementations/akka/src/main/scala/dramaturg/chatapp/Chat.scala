package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.OnTheWire
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import scala.collection.mutable

/** Forwards what is posted to all its members; ends with its last member. */
final class Chat(
    name: Long,
    creator: ClientRef,
    keepsHistory: Boolean,
    world: World,
    context: ActorContext[Chat.Message]
) extends Actor[Chat.Message](name, world, context) {
  import Chat._

  private val members = mutable.ArrayBuffer(creator)
  private val history = mutable.ArrayBuffer.empty[Long]
  private var historyDigest = Digest.Zero

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Post  => post(m)
    case m: Join  => join(m)
    case m: Leave => leave(m)
  }

  private def post(m: Post): Behavior[Message] = {
    val digest = Digest.ofPayload(m.payload)
    if (keepsHistory) {
      history += m.payload
      historyDigest += digest
    }
    m.accumulator ! Accumulator.Bump(name, 0, members.size, digest * members.size)
    val forward = Client.Forward(name, m.turn, 1, m.payload, m.accumulator)
    members.foreach(_.ref ! forward)
    this
  }

  private def join(m: Join): Behavior[Message] = {
    members += m.friend
    val friend = m.friend.ref
    val level = if (history.isEmpty) 1 else 2
    if (history.nonEmpty) {
      m.accumulator ! Accumulator.Bump(name, 1, history.size + 1, historyDigest)
      for (payload <- history)
        friend ! Client.Forward(name, m.turn, level, payload, m.accumulator)
    }
    friend ! Client.Accepted(name, m.turn, level, context.self, m.accumulator)
    this
  }

  private def leave(m: Leave): Behavior[Message] = {
    val member = members.remove(members.indexWhere(_.number == Names.indexOf(m.sender)))
    member.ref ! Client.Left(name, m.turn, m.accumulator)
    if (members.isEmpty) Behaviors.stopped else this
  }
}

object Chat {
  sealed trait Message extends dramaturg.Message

  final case class Post(
      sender: Long,
      turn: Int,
      payload: Long,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CHAT_POST_VALUE, turn, payload)
  }

  final case class Join(
      sender: Long,
      turn: Int,
      friend: ClientRef,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CHAT_JOIN_VALUE, turn, friend.number)
  }

  final case class Leave(sender: Long, turn: Int, accumulator: ActorRef[Accumulator.Message])
      extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CHAT_LEAVE_VALUE, Integer.toUnsignedLong(turn))
  }

  def apply(
      name: Long,
      creator: ClientRef,
      keepsHistory: Boolean,
      world: World
  ): Behavior[Message] =
    Actor(name, world)(new Chat(name, creator, keepsHistory, world, _))

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_CHAT_POST_VALUE,
      (sender, in) => {
        val turn = in.int()
        Post(sender, turn, in.long(), Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_CHAT_JOIN_VALUE,
      (sender, in) => {
        val turn = in.int()
        Join(sender, turn, ClientRef(in.int(), in), Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_CHAT_LEAVE_VALUE,
      (sender, in) => {
        val turn = in.int()
        Leave(sender, turn, Accumulator.of(turn, in))
      }
    )
  )
}
