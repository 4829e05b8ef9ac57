package dramaturg.chatapp

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Addresses, OnTheWire}
import dramaturg.v2.Trace.ActorClass.{ACTOR_CLASS_DIRECTORY_VALUE, ACTOR_CLASS_POKER_VALUE}
import dramaturg.v2.Trace.Choice
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Lcg, Names}

import scala.collection.mutable

/** Makes the directories, starts every turn and ends the iteration. */
final class Poker(
    parameters: Parameters,
    world: World,
    addresses: Addresses,
    context: ActorContext[Poker.Message]
) extends Actor[Poker.Message](Names(ACTOR_CLASS_POKER_VALUE), world, context) {
  import Poker._

  private val directories = mutable.ArrayBuffer.empty[ActorRef[Directory.Message]]
  private val started = mutable.ArrayBuffer.empty[Long]
  private var settling = parameters.directories
  private var online = parameters.directories
  private var sums = Sums.None

  override protected def take(message: Message): Behavior[Message] = message match {
    case _: Prepare    => prepare()
    case _: Settled    => settled()
    case m: Act        => act(m)
    case _: Turn       => turn(Digest.Zero)
    case m: Run        => run(m)
    case m: Confirm    => confirm(m)
    case _: Disconnect => disconnect()
    case m: Finished   => finished(m)
  }

  private def prepare(): Behavior[Message] = {
    val lcg = new Lcg(parameters.seed)
    for (index <- 0 until parameters.directories) {
      val seed = lcg.next()
      directories += addresses.bear(directoryName(index), name, seed) {
        val behavior = Directory(index, seed, context.self, parameters, world, addresses)
        context.spawn(behavior, s"directory-$index")
      }
    }
    val newborn = directories.indices.map { index =>
      addresses.toNewborn(directoryName(index), directories(index))
    }
    for (client <- 0 until parameters.clients)
      newborn(client % parameters.directories) ! Directory.Login(name, client)
    for (directory <- newborn) {
      if (parameters.befriend > 0) directory ! Directory.Befriend(name)
      directory ! Directory.Settle(name)
    }
    this
  }

  private def settled(): Behavior[Message] = {
    settling -= 1
    if (settling == 0) world.tell(ChatApp.Ready)
    this
  }

  private def act(m: Act): Behavior[Message] = {
    val turn = started.size
    val accumulator = nextTurn(expected = 1)
    directoryOf(m.client) ! Directory.Act(name, turn, m.client, m.choice, m.index, m.k, accumulator)
    this
  }

  private def turn(salt: Digest): Behavior[Message] = {
    val turn = started.size
    val accumulator = nextTurn(expected = parameters.clients)
    val poke = Directory.Poke(name, turn, salt, accumulator)
    directories.foreach(_ ! poke)
    this
  }

  private def run(m: Run): Behavior[Message] = {
    for (_ <- 0 until parameters.turns) turn(m.salt)
    this
  }

  private def nextTurn(expected: Int): ActorRef[Accumulator.Message] = {
    val turn = started.size
    started += Stopwatch.start()
    context.spawn(Accumulator(turn, expected, context.self, world), s"accumulator-$turn")
  }

  private def confirm(m: Confirm): Behavior[Message] = {
    val taken = Stopwatch.stop()
    world.tell(ChatApp.Confirmed(m, started(m.turn), taken))
    this
  }

  private def disconnect(): Behavior[Message] = {
    directories.foreach(_ ! Directory.Disconnect(name))
    this
  }

  private def finished(m: Finished): Behavior[Message] = {
    sums += m.sums
    online -= 1
    if (online > 0) this
    else {
      world.tell(ChatApp.Finished(sums))
      Behaviors.stopped
    }
  }

  private def directoryName(index: Int): Long = Names(ACTOR_CLASS_DIRECTORY_VALUE, index)

  private def directoryOf(client: Int): ActorRef[Directory.Message] =
    directories(client % parameters.directories)
}

object Poker {
  sealed trait Message extends dramaturg.Message

  final case class Prepare(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_PREPARE_VALUE)
  }

  final case class Settled(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_SETTLED_VALUE)
  }

  final case class Act(sender: Long, client: Int, choice: Choice, index: Long, k: Long)
      extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_ACT_VALUE, client, choice.getNumber, index, k)
  }

  final case class Turn(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_TURN_VALUE)
  }

  final case class Run(sender: Long, salt: Digest) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_RUN_VALUE, salt.toLong)
  }

  final case class Confirm(
      sender: Long,
      turn: Int,
      value: Long,
      stops: Long,
      announced: Digest,
      consumed: Digest
  ) extends Message {
    def entry: Entry = Entry(
      MESSAGE_KIND_POKER_CONFIRM_VALUE,
      turn,
      value,
      stops,
      announced.toLong,
      consumed.toLong
    )
  }

  final case class Disconnect(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_DISCONNECT_VALUE)
  }

  final case class Finished(sender: Long, sums: Sums) extends Message {
    def entry: Entry = sums.entry(MESSAGE_KIND_POKER_FINISHED_VALUE)
  }

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_POKER_SETTLED_VALUE, (sender, _) => Settled(sender)),
    (MESSAGE_KIND_POKER_FINISHED_VALUE, (sender, in) => Finished(sender, Sums(in)))
  )
}
