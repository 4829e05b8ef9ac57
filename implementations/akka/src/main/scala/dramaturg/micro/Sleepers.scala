package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.{DoneReceipt, SleepersParameters}
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong
import scala.concurrent.duration._

/** Sleepers: as fanout, but every answer waits for a timer (spec/sleepers.md). */
final class Sleepers(p: SleepersParameters) extends Micro("sleepers") {
  import Sleepers._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).alarm) { case Call.Run(salt) =>
      Alarm.Start(Names.Control, salt) -> 2
    }

  override protected def fill(own: DoneReceipt.Builder, started: Long, report: Report): Unit =
    report match {
      case Shortest(nanos) => own.setShortestNanos(nanos): Unit
      case _               => ()
    }

  /** As fine as the timer gets: with the default of 10 ms every nap would be as much too long. */
  override def settings: Map[String, Any] = Map("akka.scheduler.tick-duration" -> "1ms")
}

object Sleepers {

  /** Of all naps, before the alarm is done (SLEEP-5). */
  private final case class Shortest(nanos: Long) extends Report

  final class Actors(val p: SleepersParameters, births: Births) {
    val alarm: ActorRef[Alarm.Message] =
      births.one[Alarm.Message](Names(ACTOR_CLASS_ALARM_VALUE))(new Alarm(this, births.world, _))
    val sleepers: IndexedSeq[ActorRef[Sleeper.Message]] =
      births.all[Sleeper.Message](p.getSleepers, ACTOR_CLASS_SLEEPER_VALUE)(
        new Sleeper(_, this, births.world, _)
      )
  }

  /** Sends everybody to sleep, again and again. */
  final class Alarm(actors: Actors, world: World, context: ActorContext[Alarm.Message])
      extends Actor[Alarm.Message](Names(ACTOR_CLASS_ALARM_VALUE), world, context) {
    import actors.p

    private val napsOfEach = toUnsignedLong(p.getNaps)
    private var salt = Digest.Zero
    private var naps = 0L
    private var sum = Digest.Zero
    private val asleep = new Array[Long](p.getSleepers)
    private var shortest = Long.MaxValue

    override protected def take(message: Alarm.Message): Behavior[Alarm.Message] = message match {
      case m: Alarm.Awake => awake(m)
      case m: Alarm.Start => start(m)
    }

    private def start(m: Alarm.Start): Behavior[Alarm.Message] = {
      salt = m.salt
      for (index <- 0 until p.getSleepers) send(index, 0)
      this
    }

    private def awake(m: Alarm.Awake): Behavior[Alarm.Message] = {
      val index = Names.indexOf(m.sender)
      shortest = shortest.min(Stopwatch.read() - asleep(index))
      naps += 1
      sum += m.value
      if (m.number + 1 < napsOfEach) send(index, m.number + 1)
      if (naps < p.getSleepers * napsOfEach) this
      else {
        val ended = Stopwatch.stop()
        world.tell(Shortest(shortest))
        done(ended)(naps, sum.toLong)
        Behaviors.stopped
      }
    }

    private def send(index: Int, number: Long): Unit = {
      val value = salt.fold(index).fold(number)
      asleep(index) = Stopwatch.read()
      actors.sleepers(index) ! Sleeper.Sleep(name, number, value)
    }
  }

  object Alarm {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ALARM_START_VALUE, salt.toLong)
    }

    final case class Awake(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ALARM_AWAKE_VALUE, number, value.toLong)
    }
  }

  /** Sleeps when told to, on the runtime's timer. */
  final class Sleeper(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Sleeper.Message]
  ) extends Actor[Sleeper.Message](Names(ACTOR_CLASS_SLEEPER_VALUE, index), world, context) {
    import actors.p

    private var value = Digest.Zero

    override protected def take(message: Sleeper.Message): Behavior[Sleeper.Message] =
      message match {
        case m: Sleeper.Sleep => sleep(m)
        case m: Sleeper.Wake  => wake(m)
      }

    private def sleep(m: Sleeper.Sleep): Behavior[Sleeper.Message] = {
      value = m.value
      Later.tell(p.getDelay.millis, context, Sleeper.Wake(name, m.number))
      this
    }

    private def wake(m: Sleeper.Wake): Behavior[Sleeper.Message] = {
      actors.alarm ! Alarm.Awake(name, m.number, value.fold(p.getDelay))
      if (m.number + 1 == toUnsignedLong(p.getNaps)) Behaviors.stopped else this
    }
  }

  object Sleeper {
    sealed trait Message extends dramaturg.Message

    final case class Sleep(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SLEEPER_SLEEP_VALUE, number, value.toLong)
    }

    final case class Wake(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SLEEPER_WAKE_VALUE, number)
    }
  }
}
