package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Addresses, OnTheWire}
import dramaturg.v2.Benchmarks.Selection
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.Choice
import dramaturg.v2.Trace.Choice._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Fibonacci, Lcg, Names}

import scala.collection.mutable

/** Has friends, takes part in chats, and acts once a turn. */
final class Client(
    number: Int,
    seed: Int,
    directory: ActorRef[Directory.Message],
    parameters: Parameters,
    world: World,
    addresses: Addresses,
    context: ActorContext[Client.Message]
) extends Actor[Client.Message](Names(ACTOR_CLASS_CLIENT_VALUE, number), world, context) {
  import Client._

  private val lcg = new Lcg(seed)
  private val friends = mutable.ArrayBuffer.empty[ClientRef]
  private val chats = mutable.ArrayBuffer.empty[ActorRef[Chat.Message]]
  private var created = 0
  private var posted = 0
  private var leaving = 0
  private val picks = new Array[Int](Choice.values.length)
  private var deliveries = 0L
  private var joins = 0L

  override protected def take(message: Message): Behavior[Message] = message match {
    case m: Befriend => befriend(m)
    case _: Settle   => settle()
    case m: Act      => act(m)
    case m: Forward  => forward(m)
    case m: Accepted => accepted(m)
    case m: Left     => left(m)
    case _: Logout   => logout()
  }

  private def befriend(m: Befriend): Behavior[Message] = {
    friends += m.friend
    this
  }

  private def settle(): Behavior[Message] = {
    directory ! Directory.Settled(name)
    this
  }

  private def act(m: Act): Behavior[Message] = {
    val directed = m.choice != CHOICE_DRAW
    val index = if (directed) m.index else lcg.nextInt(chats.size).toLong
    val choice = if (directed) m.choice else select()
    picks(choice.getNumber) += 1
    choice match {
      case CHOICE_COMPUTE =>
        m.accumulator ! Accumulator.Stop(name, 0, Fibonacci(parameters.fibN))
      case CHOICE_POST if index < chats.size =>
        chats(index.toInt) ! Chat.Post(name, m.turn, payload(m.salt), m.accumulator)
      case CHOICE_LEAVE if index < chats.size =>
        chats.remove(index.toInt) ! Chat.Leave(name, m.turn, m.accumulator)
      case CHOICE_INVITE if friends.nonEmpty =>
        if (!directed) lcg.shuffle(friends)
        val k = if (directed) m.k else lcg.nextInt(friends.size).toLong
        invite(m, guests = k.max(1).min(friends.size.toLong).toInt)
      case CHOICE_JOIN if index < chats.size && m.k < friends.size =>
        m.accumulator ! Accumulator.Bump(name, 0, 1, Digest.Zero)
        chats(index.toInt) ! Chat.Join(name, m.turn, friends(m.k.toInt), m.accumulator)
      case _ =>
        m.accumulator ! Accumulator.Stop(name, 0, 0)
    }
    this
  }

  private def select(): Choice = {
    val action = parameters.selection match {
      case Selection.SELECTION_CASCADE =>
        parameters.actions.find(lcg.nextInt(100) < _.chance)
      case _ =>
        val draw = lcg.nextInt(100)
        parameters.actions.find(draw < _.limit)
    }
    action.fold(CHOICE_NONE)(_.choice)
  }

  private def payload(salt: Digest): Long = {
    val payload = number.toLong << 32 | (salt + new Digest(posted)).toLong
    posted += 1
    payload
  }

  private def invite(m: Act, guests: Int): Unit = {
    // Not a child: the chat outlives whoever created it, and must be there within this act.
    val chatName = Names(ACTOR_CLASS_CHAT_VALUE, number, created)
    val chat = addresses.beside(
      chatName,
      Chat(chatName, ClientRef(number, context.self), parameters.history, world)
    )
    created += 1
    chats += chat
    m.accumulator ! Accumulator.Bump(name, 0, guests, Digest.Zero)
    for (guest <- 0 until guests) chat ! Chat.Join(name, m.turn, friends(guest), m.accumulator)
  }

  private def forward(m: Forward): Behavior[Message] = {
    deliveries += 1
    m.accumulator ! Accumulator.Stop(name, m.level, Digest.ofPayload(m.payload).toLong)
    this
  }

  private def accepted(m: Accepted): Behavior[Message] = {
    joins += 1
    chats += m.chat
    m.accumulator ! Accumulator.Stop(name, m.level, 0)
    this
  }

  private def left(m: Left): Behavior[Message] =
    if (m.turn != LogoutTurn) {
      m.accumulator ! Accumulator.Stop(name, 0, 0)
      this
    } else {
      leaving -= 1
      if (leaving == 0) report() else this
    }

  private def logout(): Behavior[Message] = {
    leaving = chats.size
    val leave = Chat.Leave(name, LogoutTurn, context.system.ignoreRef)
    chats.foreach(_ ! leave)
    if (leaving == 0) report() else this
  }

  private def report(): Behavior[Message] = {
    def picked(choice: Choice): Long = picks(choice.getNumber).toLong
    val sums = Sums(
      lcg.state.toLong,
      picked(CHOICE_COMPUTE),
      picked(CHOICE_POST),
      picked(CHOICE_LEAVE),
      picked(CHOICE_INVITE),
      picked(CHOICE_NONE),
      deliveries,
      joins
    )
    directory ! Directory.Left(name, sums)
    Behaviors.stopped
  }
}

object Client {

  /** The `turn` of a `leave` that happens because its sender logs out: 4294967295, unsigned. */
  val LogoutTurn: Int = -1

  sealed trait Message extends dramaturg.Message

  final case class Befriend(sender: Long, friend: ClientRef) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_BEFRIEND_VALUE, friend.number)
  }

  final case class Settle(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_SETTLE_VALUE)
  }

  final case class Act(
      sender: Long,
      turn: Int,
      choice: Choice,
      index: Long,
      k: Long,
      salt: Digest,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry =
      Entry(MESSAGE_KIND_CLIENT_ACT_VALUE, turn, choice.getNumber, index, k, salt.toLong)
  }

  final case class Forward(
      sender: Long,
      turn: Int,
      level: Int,
      payload: Long,
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_FORWARD_VALUE, turn, level, payload)
  }

  final case class Accepted(
      sender: Long,
      turn: Int,
      level: Int,
      chat: ActorRef[Chat.Message],
      accumulator: ActorRef[Accumulator.Message]
  ) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_ACCEPTED_VALUE, turn, level)
  }

  final case class Left(sender: Long, turn: Int, accumulator: ActorRef[Accumulator.Message])
      extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_LEFT_VALUE, Integer.toUnsignedLong(turn))
  }

  final case class Logout(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_CLIENT_LOGOUT_VALUE)
  }

  def apply(
      number: Int,
      seed: Int,
      directory: ActorRef[Directory.Message],
      parameters: Parameters,
      world: World,
      addresses: Addresses
  ): Behavior[Message] =
    Actor(Names(ACTOR_CLASS_CLIENT_VALUE, number), world)(
      new Client(number, seed, directory, parameters, world, addresses, _)
    )

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_CLIENT_BEFRIEND_VALUE,
      (sender, in) => Befriend(sender, ClientRef(in.int(), in))
    ),
    (MESSAGE_KIND_CLIENT_SETTLE_VALUE, (sender, _) => Settle(sender)),
    (
      MESSAGE_KIND_CLIENT_ACT_VALUE,
      (sender, in) => {
        val turn = in.int()
        val choice = Choice.forNumber(in.int())
        val (index, k, salt) = (in.long(), in.long(), in.digest())
        Act(sender, turn, choice, index, k, salt, Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_CLIENT_FORWARD_VALUE,
      (sender, in) => {
        val turn = in.int()
        Forward(sender, turn, in.int(), in.long(), Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_CLIENT_ACCEPTED_VALUE,
      (sender, in) => {
        val turn = in.int()
        Accepted(sender, turn, in.int(), in.actor(sender), Accumulator.of(turn, in))
      }
    ),
    (
      MESSAGE_KIND_CLIENT_LEFT_VALUE,
      (sender, in) => {
        val turn = in.int()
        Left(sender, turn, Accumulator.of(turn, in))
      }
    ),
    (MESSAGE_KIND_CLIENT_LOGOUT_VALUE, (sender, _) => Logout(sender))
  )
}
