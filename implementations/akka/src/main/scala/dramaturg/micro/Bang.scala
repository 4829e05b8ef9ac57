package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Births, OnTheWire}
import dramaturg.v2.Benchmarks.BangParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Bang: many senders, one receiver that answers every message (spec/bang.md). */
final class Bang(p: BangParameters) extends Micro("bang") {
  import Bang._

  /** Everything that the senders of a node send, or the answers to it. */
  override def underWay(nodes: Int): Long =
    (p.getSenders / (nodes - 1) + 1) * (toUnsignedLong(p.getMessages) + 3)

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).receiver) { case Call.Run(salt) =>
      Receiver.Start(Names.Control, salt) -> (p.getWindows + 1)
    }
}

object Bang {
  final class Actors(val p: BangParameters, births: Births) {
    val receiver: ActorRef[Receiver.Message] =
      births.one[Receiver.Message](Names(ACTOR_CLASS_RECEIVER_VALUE))(
        new Receiver(this, births.world, _)
      )
    val senders: IndexedSeq[ActorRef[Sender.Message]] =
      births.all[Sender.Message](
        p.getSenders,
        ACTOR_CLASS_SENDER_VALUE,
        births.place.roundTheRest
      )(new Sender(_, this, births.world, _))
  }

  /** Starts the senders, answers them, and waits until all have had their answers. */
  final class Receiver(actors: Actors, world: World, context: ActorContext[Receiver.Message])
      extends Actor[Receiver.Message](Names(ACTOR_CLASS_RECEIVER_VALUE), world, context) {
    import actors.p

    private val windows =
      new Windows(p.getWindows, p.getWindow, world, context, Receiver.Tick(name, _))
    private var salt = Digest.Zero
    private var sending = p.getSenders
    private var bangs = 0L
    private var answers = 0L
    private var gave = Digest.Zero
    private var took = Digest.Zero

    override protected def take(message: Receiver.Message): Behavior[Receiver.Message] =
      message match {
        case m: Receiver.Bang     => bang(m)
        case m: Receiver.Start    => start(m)
        case m: Receiver.Tick     => tick(m)
        case m: Receiver.Finished => finished(m)
      }

    private def start(m: Receiver.Start): Behavior[Receiver.Message] = {
      salt = m.salt
      windows.open()
      tellAll(Sender.Go(name, salt))
    }

    private def bang(m: Receiver.Bang): Behavior[Receiver.Message] = {
      val value = m.value.fold(salt.bits)
      bangs += 1
      gave += value
      actors.senders(Names.indexOf(m.sender)) ! Sender.Answer(name, m.number, value)
      this
    }

    private def tick(m: Receiver.Tick): Behavior[Receiver.Message] = {
      val more = windows.next(m.number)
      windows.report(m.number, windows.since(bangs))
      if (more) this else tellAll(Sender.Stop(name))
    }

    private def finished(m: Receiver.Finished): Behavior[Receiver.Message] = {
      answers += m.answers
      took += m.took
      sending -= 1
      if (sending > 0) this
      else {
        done(Stopwatch.stop())(bangs, answers, gave.toLong, took.toLong)
        Behaviors.stopped
      }
    }

    private def tellAll(message: Sender.Message): Behavior[Receiver.Message] = {
      actors.senders.foreach(_ ! message)
      this
    }
  }

  object Receiver {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_START_VALUE, salt.toLong)
    }

    final case class Bang(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_BANG_VALUE, number, value.toLong)
    }

    final case class Finished(sender: Long, answers: Long, took: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_FINISHED_VALUE, answers, took.toLong)
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_TICK_VALUE, number)
    }
  }

  /** Sends everything without waiting, then counts the answers. */
  final class Sender(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Sender.Message]
  ) extends Actor[Sender.Message](Names(ACTOR_CLASS_SENDER_VALUE, index), world, context) {
    import actors.p

    private val messages = toUnsignedLong(p.getMessages)
    private var own = Digest.Zero
    private var sent = 0L
    private var answers = 0L
    private var took = Digest.Zero
    private var banging = p.getWindows > 0

    override protected def take(message: Sender.Message): Behavior[Sender.Message] =
      message match {
        case m: Sender.Answer => answer(m)
        case m: Sender.Go     => go(m)
        case _: Sender.Stop   => stop()
      }

    private def go(m: Sender.Go): Behavior[Sender.Message] = {
      own = m.salt.fold(index)
      while (sent < messages) bang()
      this
    }

    private def answer(m: Sender.Answer): Behavior[Sender.Message] = {
      answers += 1
      took += m.value
      if (banging) bang()
      endWhenDone()
    }

    private def stop(): Behavior[Sender.Message] = {
      banging = false
      endWhenDone()
    }

    private def bang(): Unit = {
      actors.receiver ! Receiver.Bang(name, sent, own.fold(sent))
      sent += 1
    }

    private def endWhenDone(): Behavior[Sender.Message] =
      if (!banging && answers == sent) {
        actors.receiver ! Receiver.Finished(name, answers, took)
        Behaviors.stopped
      } else this
  }

  object Sender {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_GO_VALUE, salt.toLong)
    }

    final case class Answer(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_ANSWER_VALUE, number, value.toLong)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_STOP_VALUE)
    }
  }

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_RECEIVER_BANG_VALUE,
      (sender, in) => Receiver.Bang(sender, in.long(), in.digest())
    ),
    (
      MESSAGE_KIND_RECEIVER_FINISHED_VALUE,
      (sender, in) => Receiver.Finished(sender, in.long(), in.digest())
    ),
    (MESSAGE_KIND_SENDER_GO_VALUE, (sender, in) => Sender.Go(sender, in.digest())),
    (
      MESSAGE_KIND_SENDER_ANSWER_VALUE,
      (sender, in) => Sender.Answer(sender, in.long(), in.digest())
    ),
    (MESSAGE_KIND_SENDER_STOP_VALUE, (sender, _) => Sender.Stop(sender))
  )
}
