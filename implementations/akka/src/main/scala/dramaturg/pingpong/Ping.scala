package dramaturg.pingpong

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Trace.MessageKind._
import dramaturg.{Entry, Inbox, Names, Role, Scene}

/** Sends `ping`, takes `pong`, until none are left. */
final class Ping(
    peer: ActorRef[Pong.Message],
    scene: Scene,
    context: ActorContext[Ping.Message]
) extends Role[Ping.Message](Names.Ping, scene, context) {
  import Ping._

  private var started = 0L
  private var pongs = 0L

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Start => start(m)
    case m: Pong  => pong(m)
  }

  private def start(m: Start): Behavior[Message] = {
    started = System.nanoTime()
    ping(m.rounds - 1)
  }

  private def pong(m: Pong): Behavior[Message] = {
    pongs += 1
    if (m.left > 0) ping(m.left - 1)
    else {
      scene.control ! Inbox.Played(name, pongs, started, System.nanoTime())
      Behaviors.stopped
    }
  }

  private def ping(left: Long): Behavior[Message] = {
    peer ! dramaturg.pingpong.Pong.Ping(name, left, context.self)
    this
  }
}

object Ping {
  sealed trait Message extends dramaturg.Message

  final case class Start(sender: Long, rounds: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_PING_START, rounds)
  }

  final case class Pong(sender: Long, left: Long) extends Message with OnTheWire {
    def entry: Entry = Entry(MESSAGE_KIND_PING_PONG, left)
  }

  def apply(peer: ActorRef[dramaturg.pingpong.Pong.Message], scene: Scene): Behavior[Message] =
    Role(Names.Ping, scene)(new Ping(peer, scene, _))
}
