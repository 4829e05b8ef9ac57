package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{CountParameters, CountReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Count: adders add to one counter, then ask for the sum and reset it (spec/count.md). */
final case class Count(p: Count.Parameters) extends Piece {
  import Count._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).tally, Tally.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts = CountReceipt.newBuilder.setAdds(said.done.first).setSum(said.done.second)
    receipt.setCount(counts): Unit
  }
}

object Count {

  /** Adders, and the adds of each: the values 1, 2, 3, ... */
  final case class Parameters(adders: Int, adds: Long)

  def apply(p: CountParameters): Count =
    Count(
      Parameters(
        Checks.ranged("adders", p.getAdders, 1, Checks.MostActors).toInt,
        Checks.ranged("adds", p.getAdds, 1, Checks.AnyInt)
      )
    )

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val tally: ActorRef[Tally.Message] = company.one[Tally.Message](Names.Tally)(new Tally(this, _))
    val adders: IndexedSeq[ActorRef[Adder.Message]] =
      company.all[Adder.Message](p.adders, Names.adder)(new Adder(_, this, _))
    val counter: ActorRef[Counter.Message] =
      company.one[Counter.Message](Names.Counter)(new Counter(this, _))
  }

  /** Starts the adders and sums their totals. */
  final class Tally(cast: Cast, context: ActorContext[Tally.Message])
      extends Role[Tally.Message](Names.Tally, cast.scene, context) {
    private var adding = cast.p.adders
    private var adds = 0L
    private var sum = 0L

    override protected def take(message: Tally.Message): Behavior[Tally.Message] = message match {
      case _: Tally.Start   => start()
      case m: Tally.Counted => counted(m)
    }

    private def start(): Behavior[Tally.Message] = {
      val go = Adder.Go(name)
      cast.adders.foreach(_ ! go)
      this
    }

    private def counted(m: Tally.Counted): Behavior[Tally.Message] = {
      adds += m.adds
      sum += m.sum
      adding -= 1
      if (adding == 0) done(adds, sum) else this
    }
  }

  object Tally {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_TALLY_START)
    }

    final case class Counted(sender: Long, adds: Long, sum: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_TALLY_COUNTED, adds, sum)
    }
  }

  /** Adds, then asks. */
  final class Adder(index: Int, cast: Cast, context: ActorContext[Adder.Message])
      extends Role[Adder.Message](Names.adder(index), cast.scene, context) {
    override protected def take(message: Adder.Message): Behavior[Adder.Message] = message match {
      case _: Adder.Go    => go()
      case m: Adder.Total => total(m)
    }

    private def go(): Behavior[Adder.Message] = {
      val counter = cast.counter
      burst(cast.p.adds)(i => counter ! Counter.Add(name, i + 1))
      counter ! Counter.GetAndReset(name)
      this
    }

    private def total(m: Adder.Total): Behavior[Adder.Message] = {
      cast.tally ! Tally.Counted(name, m.adds, m.sum)
      Behaviors.stopped
    }
  }

  object Adder {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ADDER_GO)
    }

    final case class Total(sender: Long, adds: Long, sum: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ADDER_TOTAL, adds, sum)
    }
  }

  /** Holds the sum; ends when every adder has asked. */
  final class Counter(cast: Cast, context: ActorContext[Counter.Message])
      extends Role[Counter.Message](Names.Counter, cast.scene, context) {
    private var asking = cast.p.adders
    private var adds = 0L
    private var sum = 0L

    override protected def take(message: Counter.Message): Behavior[Counter.Message] =
      message match {
        case m: Counter.Add         => add(m)
        case m: Counter.GetAndReset => getAndReset(m)
      }

    private def add(m: Counter.Add): Behavior[Counter.Message] = {
      adds += 1
      sum += m.value
      this
    }

    private def getAndReset(m: Counter.GetAndReset): Behavior[Counter.Message] = {
      cast.adders(Names.indexOf(m.sender)) ! Adder.Total(name, adds, sum)
      adds = 0
      sum = 0
      asking -= 1
      if (asking == 0) Behaviors.stopped else this
    }
  }

  object Counter {
    sealed trait Message extends dramaturg.Message

    final case class Add(sender: Long, value: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COUNTER_ADD, value)
    }

    final case class GetAndReset(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COUNTER_GET_AND_RESET)
    }
  }
}
