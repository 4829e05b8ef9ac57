package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.CountParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Count: adders add to one counter, then ask for the sum and reset it (spec/count.md). */
final class Count(p: CountParameters) extends Micro("count") {
  import Count._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).tally) { case Call.Run(salt) =>
      Tally.Start(Names.Control, salt) -> 1
    }
}

object Count {
  final class Actors(val p: CountParameters, births: Births) {
    val tally: ActorRef[Tally.Message] =
      births.one[Tally.Message](Names(ACTOR_CLASS_TALLY_VALUE))(new Tally(this, births.world, _))
    val adders: IndexedSeq[ActorRef[Adder.Message]] =
      births.all[Adder.Message](p.getAdders, ACTOR_CLASS_ADDER_VALUE)(
        new Adder(_, this, births.world, _)
      )
    val counter: ActorRef[Counter.Message] =
      births.one[Counter.Message](Names(ACTOR_CLASS_COUNTER_VALUE))(
        new Counter(this, births.world, _)
      )
  }

  /** Starts the adders and sums their totals. */
  final class Tally(actors: Actors, world: World, context: ActorContext[Tally.Message])
      extends Actor[Tally.Message](Names(ACTOR_CLASS_TALLY_VALUE), world, context) {
    private var adding = actors.p.getAdders
    private var adds = 0L
    private var sum = Digest.Zero

    override protected def take(message: Tally.Message): Behavior[Tally.Message] = message match {
      case m: Tally.Start   => start(m)
      case m: Tally.Counted => counted(m)
    }

    private def start(m: Tally.Start): Behavior[Tally.Message] = {
      val go = Adder.Go(name, m.salt)
      actors.adders.foreach(_ ! go)
      this
    }

    private def counted(m: Tally.Counted): Behavior[Tally.Message] = {
      adds += m.adds
      sum += m.sum
      adding -= 1
      if (adding > 0) this
      else {
        done(Stopwatch.stop())(adds, sum.toLong)
        Behaviors.stopped
      }
    }
  }

  object Tally {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_TALLY_START_VALUE, salt.toLong)
    }

    final case class Counted(sender: Long, adds: Long, sum: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_TALLY_COUNTED_VALUE, adds, sum.toLong)
    }
  }

  /** Adds, then asks. */
  final class Adder(index: Int, actors: Actors, world: World, context: ActorContext[Adder.Message])
      extends Actor[Adder.Message](Names(ACTOR_CLASS_ADDER_VALUE, index), world, context) {
    override protected def take(message: Adder.Message): Behavior[Adder.Message] = message match {
      case m: Adder.Go    => go(m)
      case m: Adder.Total => total(m)
    }

    private def go(m: Adder.Go): Behavior[Adder.Message] = {
      val counter = actors.counter
      val own = m.salt.fold(index)
      val adds = toUnsignedLong(actors.p.getAdds)
      var n = 0L
      while (n < adds) {
        counter ! Counter.Add(name, own.fold(n))
        n += 1
      }
      counter ! Counter.GetAndReset(name)
      this
    }

    private def total(m: Adder.Total): Behavior[Adder.Message] = {
      actors.tally ! Tally.Counted(name, m.adds, m.sum)
      Behaviors.stopped
    }
  }

  object Adder {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ADDER_GO_VALUE, salt.toLong)
    }

    final case class Total(sender: Long, adds: Long, sum: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ADDER_TOTAL_VALUE, adds, sum.toLong)
    }
  }

  /** Holds the sum; ends when every adder has asked. */
  final class Counter(actors: Actors, world: World, context: ActorContext[Counter.Message])
      extends Actor[Counter.Message](Names(ACTOR_CLASS_COUNTER_VALUE), world, context) {
    private var asking = actors.p.getAdders
    private var adds = 0L
    private var sum = Digest.Zero

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
      actors.adders(Names.indexOf(m.sender)) ! Adder.Total(name, adds, sum)
      adds = 0
      sum = Digest.Zero
      asking -= 1
      if (asking == 0) Behaviors.stopped else this
    }
  }

  object Counter {
    sealed trait Message extends dramaturg.Message

    final case class Add(sender: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COUNTER_ADD_VALUE, value.toLong)
    }

    final case class GetAndReset(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_COUNTER_GET_AND_RESET_VALUE)
    }
  }
}
