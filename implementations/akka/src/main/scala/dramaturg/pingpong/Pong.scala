package dramaturg.pingpong

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior, PostStop, Signal}
import dramaturg.v1.Trace.MessageKind._
import dramaturg.{Entry, Inbox, Names, Role, Scene}

/** Answers each `ping` with what it carried. */
final class Pong(scene: Scene, context: ActorContext[Pong.Message])
    extends Role[Pong.Message](Names.Pong, scene, context) {
  import Pong._

  private var pings = 0L

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Ping => ping(m)
  }

  private def ping(m: Ping): Behavior[Message] = {
    pings += 1
    m.replyTo ! dramaturg.pingpong.Ping.Pong(name, m.left)
    if (m.left == 0) Behaviors.stopped else this
  }

  /** However it ends: the receipt is to say what it did, and on a second node nobody else can. */
  override def onSignal: PartialFunction[Signal, Behavior[Message]] = { case PostStop =>
    scene.control ! Inbox.Answered(name, pings)
    this
  }
}

object Pong {
  sealed trait Message extends dramaturg.Message

  final case class Ping(
      sender: Long,
      left: Long,
      replyTo: ActorRef[dramaturg.pingpong.Ping.Message]
  ) extends Message
      with OnTheWire {
    def entry: Entry = Entry(MESSAGE_KIND_PONG_PING, left)
  }

  def apply(scene: Scene): Behavior[Message] = Role(Names.Pong, scene)(new Pong(scene, _))
}
