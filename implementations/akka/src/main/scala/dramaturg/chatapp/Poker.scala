package dramaturg.chatapp

import akka.actor.typed.scaladsl.ActorContext
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Trace.Choice
import dramaturg.v1.Trace.MessageKind._
import dramaturg.{Entry, Inbox, Lcg, Names, Role, Scene}

import scala.collection.mutable

/** Sets the scene, starts every turn and ends the iteration. */
final class Poker(parameters: Parameters, scene: Scene, context: ActorContext[Poker.Message])
    extends Role[Poker.Message](Names.Poker, scene, context) {
  import Poker._

  private val directories = mutable.ArrayBuffer.empty[ActorRef[Directory.Message]]
  private val started = mutable.ArrayBuffer.empty[Long]
  private var settling = parameters.directories
  private var confirms = 0
  private var running = false
  private var online = parameters.directories
  private var sums = Sums.None

  override protected def take(message: Message): Behavior[Message] = {
    message match {
      case _: Prepare    => prepare()
      case _: Settled    => settled()
      case m: Act        => act(m)
      case _: Turn       => turn()
      case _: Run        => run()
      case m: Confirm    => confirm(m)
      case _: Disconnect => disconnect()
      case m: Finished   => finished(m)
    }
    this
  }

  private def prepare(): Unit = {
    val lcg = new Lcg(parameters.seed)
    for (index <- 0 until parameters.directories) {
      val behavior = Directory(index, lcg.next(), context.self, parameters, scene)
      directories += context.spawn(behavior, s"directory-$index")
    }
    for (client <- 0 until parameters.clients)
      directoryOf(client) ! Directory.Login(name, client)
    for (directory <- directories) {
      if (parameters.befriend > 0) directory ! Directory.Befriend(name)
      directory ! Directory.Settle(name)
    }
  }

  private def settled(): Unit = {
    settling -= 1
    if (settling == 0) scene.control ! Inbox.Ready(name)
  }

  private def act(m: Act): Unit = {
    val (turn, accumulator) = nextTurn(expected = 1)
    directoryOf(m.client) ! Directory.Act(name, turn, m.client, m.choice, m.index, m.k, accumulator)
  }

  private def turn(): Unit = {
    val (turn, accumulator) = nextTurn(expected = parameters.clients)
    val poke = Directory.Poke(name, turn, accumulator)
    directories.foreach(_ ! poke)
  }

  private def run(): Unit = {
    running = true
    for (_ <- 0 until parameters.turns) turn()
  }

  private def nextTurn(expected: Int): (Int, ActorRef[Accumulator.Message]) = {
    val turn = started.size
    val behavior = Accumulator(turn, expected, context.self, scene)
    val accumulator = context.spawn(behavior, s"accumulator-$turn")
    started += System.nanoTime()
    (turn, accumulator)
  }

  private def confirm(m: Confirm): Unit = {
    scene.control ! Inbox.Confirmed(name, m.turn, m.value, started(m.turn), System.nanoTime())
    confirms += 1
    if (running && confirms == parameters.turns) disconnect()
  }

  private def disconnect(): Unit =
    directories.foreach(_ ! Directory.Disconnect(name))

  private def finished(m: Finished): Unit = {
    sums += m.sums
    online -= 1
    if (online == 0) scene.control ! Inbox.Finished(name, sums, System.nanoTime())
  }

  private def directoryOf(client: Int): ActorRef[Directory.Message] =
    directories(client % parameters.directories)
}

object Poker {
  sealed trait Message extends dramaturg.Message

  final case class Prepare(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_PREPARE)
  }

  final case class Settled(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_SETTLED)
  }

  final case class Act(sender: Long, client: Int, choice: Choice, index: Long, k: Long)
      extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_ACT, client, choice.getNumber, index, k)
  }

  final case class Turn(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_TURN)
  }

  final case class Run(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_RUN)
  }

  final case class Confirm(sender: Long, turn: Int, value: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_CONFIRM, turn, value)
  }

  final case class Disconnect(sender: Long) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_DISCONNECT)
  }

  final case class Finished(sender: Long, sums: Sums) extends Message {
    def entry: Entry = Entry(MESSAGE_KIND_POKER_FINISHED, sums.arguments: _*)
  }

  def apply(parameters: Parameters, scene: Scene): Behavior[Message] =
    Role(Names.Poker, scene)(new Poker(parameters, scene, _))
}
