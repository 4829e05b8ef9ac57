package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{BangParameters, BangReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Bang: many senders, one receiver that answers every message (spec/bang.md). */
final case class Bang(p: Bang.Parameters) extends Piece {
  import Bang._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).receiver, Receiver.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts = BangReceipt.newBuilder.setBangs(said.here.first).setAnswers(said.here.second)
    for (window <- said.windows) counts.addWindows(window.count).addWindowNanos(window.nanos)
    receipt.setBang(counts): Unit
  }

  override def windows: Int = p.windowing.windows
  override def mostNodes: Long = p.senders + 1L

  /** Everything that the senders of a node send, or the answers to it. */
  override def underWay(nodes: Int): Long =
    (p.senders / (nodes - 1) + 1) * (p.messages + 3)
}

object Bang {

  /** Senders, and what each of them sends, or has unanswered while there are windows. */
  final case class Parameters(senders: Int, messages: Long, windowing: Windowing)

  def apply(p: BangParameters): Bang = {
    val senders = Checks.ranged("senders", p.getSenders, 1, Checks.MostActors).toInt
    val messages = Checks.ranged("messages", p.getMessages, 1, Checks.AnyInt)
    Bang(Parameters(senders, messages, Windowing(p.getWindows, p.getWindow)))
  }

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val receiver: ActorRef[Receiver.Message] =
      company.one[Receiver.Message](Names.Receiver)(new Receiver(this, _))
    val senders: IndexedSeq[ActorRef[Sender.Message]] =
      company.all[Sender.Message](p.senders, Names.sender, company.place.roundTheRest)(
        new Sender(_, this, _)
      )
  }

  /** Starts the senders, answers them, and waits until all have had their answers. */
  final class Receiver(cast: Cast, context: ActorContext[Receiver.Message])
      extends Role[Receiver.Message](Names.Receiver, cast.scene, context) {
    import cast.p

    private val windows = new Windows(p.windowing, name, scene, context, Receiver.Tick(name, _))
    private var sending = p.senders
    private var bangs = 0L
    private var answers = 0L

    override protected def take(message: Receiver.Message): Behavior[Receiver.Message] =
      message match {
        case m: Receiver.Bang     => bang(m)
        case _: Receiver.Start    => start()
        case m: Receiver.Tick     => tick(m)
        case m: Receiver.Finished => finished(m)
      }

    private def start(): Behavior[Receiver.Message] = {
      if (p.windowing.isOn) windows.open()
      tellAll(Sender.Go(name))
    }

    private def bang(m: Receiver.Bang): Behavior[Receiver.Message] = {
      bangs += 1
      cast.senders(Names.indexOf(m.sender)) ! Sender.Answer(name, m.number)
      this
    }

    private def tick(m: Receiver.Tick): Behavior[Receiver.Message] = {
      val more = windows.next(m.number)
      windows.report(m.number, windows.since(bangs))
      if (more) this else tellAll(Sender.Stop(name))
    }

    private def finished(m: Receiver.Finished): Behavior[Receiver.Message] = {
      answers += m.answers
      sending -= 1
      if (sending == 0) {
        account(Counts(bangs))
        done(bangs, answers)
      } else this
    }

    private def tellAll(message: Sender.Message): Behavior[Receiver.Message] = {
      cast.senders.foreach(_ ! message)
      this
    }
  }

  object Receiver {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_START)
    }

    final case class Bang(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_BANG, number)
    }

    final case class Finished(sender: Long, answers: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_FINISHED, answers)
    }

    final case class Tick(sender: Long, number: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RECEIVER_TICK, number)
    }
  }

  /** Sends everything without waiting, then counts the answers. */
  final class Sender(index: Int, cast: Cast, context: ActorContext[Sender.Message])
      extends Role[Sender.Message](Names.sender(index), cast.scene, context) {
    import cast.p

    private var sent = 0L
    private var answers = 0L
    private var banging = p.windowing.isOn

    override protected def take(message: Sender.Message): Behavior[Sender.Message] =
      message match {
        case _: Sender.Answer => answer()
        case _: Sender.Go     => go()
        case _: Sender.Stop   => stop()
      }

    private def go(): Behavior[Sender.Message] = {
      burst(p.messages)(_ => bang())
      this
    }

    private def answer(): Behavior[Sender.Message] = {
      answers += 1
      if (banging) bang()
      endWhenDone()
    }

    private def stop(): Behavior[Sender.Message] = {
      banging = false
      endWhenDone()
    }

    private def bang(): Unit = {
      cast.receiver ! Receiver.Bang(name, sent)
      sent += 1
    }

    private def endWhenDone(): Behavior[Sender.Message] =
      if (!banging && answers == sent) {
        account(Counts(second = answers))
        cast.receiver ! Receiver.Finished(name, answers)
        Behaviors.stopped
      } else this
  }

  object Sender {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_GO)
    }

    final case class Answer(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_ANSWER, number)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SENDER_STOP)
    }
  }

  val Decoders: Map[MessageKind, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_RECEIVER_BANG, (sender, in) => Receiver.Bang(sender, in.getLong())),
    (MESSAGE_KIND_RECEIVER_FINISHED, (sender, in) => Receiver.Finished(sender, in.getLong())),
    (MESSAGE_KIND_SENDER_GO, (sender, _) => Sender.Go(sender)),
    (MESSAGE_KIND_SENDER_ANSWER, (sender, in) => Sender.Answer(sender, in.getLong())),
    (MESSAGE_KIND_SENDER_STOP, (sender, _) => Sender.Stop(sender))
  )
}
