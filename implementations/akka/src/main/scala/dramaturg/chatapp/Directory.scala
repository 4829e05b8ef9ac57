package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Addresses, Newborn, OnTheWire}
import dramaturg.v2.Trace.ActorClass.{ACTOR_CLASS_CLIENT_VALUE, ACTOR_CLASS_DIRECTORY_VALUE}
import dramaturg.v2.Trace.Choice
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Lcg, Names}

import scala.collection.mutable
import scala.language.implicitConversions

/** Creates its clients, makes them friends, and passes the poker's word on to them. */
final class Directory(
    index: Int,
    seed: Int,
    poker: ActorRef[Poker.Message],
    parameters: Parameters,
    world: World,
    addresses: Addresses,
    context: ActorContext[Directory.Message]
) extends Actor[Directory.Message](Names(ACTOR_CLASS_DIRECTORY_VALUE, index), world, context) {
  import Directory._

  private val lcg = new Lcg(seed)
  private val clients = mutable.ArrayBuffer.empty[ClientRef]
  private var settling = 0
  private var online = 0
  private var sums = Sums.None

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Login      => login(m)
    case _: Befriend   => befriend()
    case _: Settle     => settle()
    case _: Settled    => settled()
    case m: Poke       => poke(m)
    case m: Act        => act(m)
    case _: Disconnect => disconnect()
    case m: Left       => left(m)
  }

  private def login(m: Login): Behavior[Message] = {
    val seed = lcg.next()
    val client = addresses.bear(clientName(m.client), name, seed) {
      val behavior = Client(m.client, seed, context.self, parameters, world, addresses)
      context.spawn(behavior, s"client-${m.client}")
    }
    clients += ClientRef(m.client, client)
    this
  }

  private def befriend(): Behavior[Message] = {
    val clients = newborn()
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
    this
  }

  private def settle(): Behavior[Message] = {
    settling = clients.size
    newborn().foreach(_.ref ! Client.Settle(name))
    this
  }

  private def settled(): Behavior[Message] = {
    settling -= 1
    if (settling == 0) poker ! Poker.Settled(name)
    this
  }

  private def poke(m: Poke): Behavior[Message] =
    tellAll(Client.Act(name, m.turn, Choice.CHOICE_DRAW, 0, 0, m.salt, m.accumulator))

  private def act(m: Act): Behavior[Message] = {
    // Clients log in round robin over the directories, so a number says the place here.
    val client = clients(m.client / parameters.directories)
    client.ref ! Client.Act(name, m.turn, m.choice, m.index, m.k, Digest.Zero, m.accumulator)
    this
  }

  private def disconnect(): Behavior[Message] = {
    online = clients.size
    tellAll(Client.Logout(name))
  }

  private def left(m: Left): Behavior[Message] = {
    sums += m.sums
    online -= 1
    if (online > 0) this
    else {
      poker ! Poker.Finished(name, sums)
      Behaviors.stopped
    }
  }

  /** Until they have settled, clients of other nodes may not be there (DIST-7). */
  private def newborn(): IndexedSeq[Young] = clients.toVector.map { client =>
    new Young(client, addresses.toNewborn(clientName(client.number), client.ref))
  }

  private def clientName(client: Int): Long = Names(ACTOR_CLASS_CLIENT_VALUE, client)

  private def tellAll(message: Client.Message): Behavior[Message] = {
    clients.foreach(_.ref ! message)
    this
  }
}

object Directory {

  /** A client, and how its directory speaks to it in set-up. */
  private final class Young(val client: ClientRef, val ref: Newborn[Client.Message])

  private object Young {
    implicit def asFriend(young: Young): ClientRef = young.client
  }

  sealed trait Message extends dramaturg.Message

  final case class Login(sender: Long, client: Int) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_LOGIN_VALUE, client)
  }

  final case class Befriend(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_BEFRIEND_VALUE)
  }

  final case class Settle(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_SETTLE_VALUE)
  }

  final case class Settled(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_SETTLED_VALUE)
  }

  final case class Poke(
      sender: Long,
      turn: Int,
      salt: Digest,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_POKE_VALUE, turn, salt.toLong)
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
    def entry: Entry =
      Entry(MESSAGE_KIND_DIRECTORY_ACT_VALUE, turn, client, choice.getNumber, index, k)
  }

  final case class Disconnect(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_DIRECTORY_DISCONNECT_VALUE)
  }

  final case class Left(sender: Long, sums: Sums) extends Message {
    def entry: Entry = sums.entry(MESSAGE_KIND_DIRECTORY_LEFT_VALUE)
  }

  def apply(
      index: Int,
      seed: Int,
      poker: ActorRef[Poker.Message],
      parameters: Parameters,
      world: World,
      addresses: Addresses
  ): Behavior[Message] =
    Actor(Names(ACTOR_CLASS_DIRECTORY_VALUE, index), world)(
      new Directory(index, seed, poker, parameters, world, addresses, _)
    )

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_DIRECTORY_LOGIN_VALUE, (sender, in) => Login(sender, in.int())),
    (MESSAGE_KIND_DIRECTORY_BEFRIEND_VALUE, (sender, _) => Befriend(sender)),
    (MESSAGE_KIND_DIRECTORY_SETTLE_VALUE, (sender, _) => Settle(sender)),
    (MESSAGE_KIND_DIRECTORY_SETTLED_VALUE, (sender, _) => Settled(sender)),
    (
      MESSAGE_KIND_DIRECTORY_POKE_VALUE,
      (sender, in) => {
        val turn = in.int()
        Poke(sender, turn, in.digest(), Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_DIRECTORY_ACT_VALUE,
      (sender, in) => {
        val turn = in.int()
        val (client, choice) = (in.int(), Choice.forNumber(in.int()))
        Act(sender, turn, client, choice, in.long(), in.long(), Accumulator.of(turn, in))
      }
    ),
    (MESSAGE_KIND_DIRECTORY_DISCONNECT_VALUE, (sender, _) => Disconnect(sender)),
    (MESSAGE_KIND_DIRECTORY_LEFT_VALUE, (sender, in) => Left(sender, Sums(in)))
  )
}
