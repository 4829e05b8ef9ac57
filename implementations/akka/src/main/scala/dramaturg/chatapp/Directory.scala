package dramaturg.chatapp

import akka.actor.typed.scaladsl.ActorContext
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Trace.Choice
import dramaturg.v1.Trace.MessageKind._
import dramaturg.{Entry, Lcg, Names, Role, Scene}

import scala.collection.mutable

/** Creates its clients, makes them friends, and passes the poker's word on to them. */
final class Directory(
    index: Int,
    seed: Int,
    poker: ActorRef[Poker.Message],
    parameters: Parameters,
    scene: Scene,
    context: ActorContext[Directory.Message]
) extends Role[Directory.Message](Names.directory(index), scene, context) {
  import Directory._

  private val lcg = new Lcg(seed)
  private val clients = mutable.ArrayBuffer.empty[ClientRef]
  private var settling = 0
  private var online = 0
  private var sums = Sums.None

  override protected def take(message: Message): Behavior[Message] = {
    message match {
      case m: Login      => login(m)
      case _: Befriend   => befriend()
      case _: Settle     => settle()
      case _: Settled    => settled()
      case m: Poke       => poke(m)
      case m: Act        => act(m)
      case _: Disconnect => disconnect()
      case m: Left       => left(m)
    }
    this
  }

  private def login(m: Login): Unit = {
    val behavior = Client(m.client, lcg.next(), context.self, parameters, scene)
    clients += ClientRef(m.client, context.spawn(behavior, s"client-${m.client}"))
  }

  private def befriend(): Unit =
    for (friend <- clients) {
      var befriended = false
      while (!befriended)
        for (client <- clients)
          if (lcg.nextInt(100) < parameters.befriend && (client ne friend)) {
            client.ref ! Client.Befriend(name, friend)
            friend.ref ! Client.Befriend(name, client)
            befriended = true
          }
    }

  private def settle(): Unit = {
    settling = clients.size
    val settle = Client.Settle(name)
    clients.foreach(_.ref ! settle)
  }

  private def settled(): Unit = {
    settling -= 1
    if (settling == 0) poker ! Poker.Settled(name)
  }

  private def poke(m: Poke): Unit = {
    val act = Client.Act(name, m.turn, Choice.CHOICE_DRAW, 0, 0, m.accumulator)
    clients.foreach(_.ref ! act)
  }

  private def act(m: Act): Unit = {
    // Clients log in round robin over the directories, so a number says the place here.
    val client = clients(m.client / parameters.directories)
    client.ref ! Client.Act(name, m.turn, m.choice, m.index, m.k, m.accumulator)
  }

  private def disconnect(): Unit = {
    online = clients.size
    val logout = Client.Logout(name)
    clients.foreach(_.ref ! logout)
  }

  private def left(m: Left): Unit = {
    sums += m.sums
    online -= 1
    if (online == 0) poker ! Poker.Finished(name, sums)
  }
}

object Directory {
  sealed trait Message extends dramaturg.Message

  final case class Login(sender: Long, client: Int) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_LOGIN, client)
  }

  final case class Befriend(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_BEFRIEND)
  }

  final case class Settle(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_SETTLE)
  }

  final case class Settled(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_SETTLED)
  }

  final case class Poke(sender: Long, turn: Int, accumulator: ActorRef[Accumulator.Message])
      extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_POKE, turn)
  }

  final case class Act(
      sender: Long,
      turn: Int,
      client: Int,
      choice: Choice,
      index: Long,
      k: Long,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_ACT, turn, client, choice.getNumber, index, k)
  }

  final case class Disconnect(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_DISCONNECT)
  }

  final case class Left(sender: Long, sums: Sums) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_LEFT, sums.arguments: _*)
  }

  def apply(
      index: Int,
      seed: Int,
      poker: ActorRef[Poker.Message],
      parameters: Parameters,
      scene: Scene
  ): Behavior[Message] =
    Role(Names.directory(index), scene)(new Directory(index, seed, poker, parameters, scene, _))
}
