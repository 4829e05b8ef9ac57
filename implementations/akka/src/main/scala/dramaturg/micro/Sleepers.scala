package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{Receipt, SleepersParameters, SleepersReceipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

import scala.concurrent.duration._

/** Sleepers: as fanout, but every answer waits for a timer (spec/sleepers.md). */
final case class Sleepers(p: Sleepers.Parameters) extends Piece {
  import Sleepers._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).alarm, Alarm.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit =
    receipt.setSleepers(SleepersReceipt.newBuilder.setNaps(said.done.first)): Unit

  /** As fine as the timer gets: with the default of 10 ms every nap would be as much too long. */
  override def settings: Map[String, Any] = Map("akka.scheduler.tick-duration" -> "1ms")
}

object Sleepers {

  /** Sleepers, naps of each, and the time of each nap. */
  final case class Parameters(sleepers: Int, naps: Long, delay: FiniteDuration)

  def apply(p: SleepersParameters): Sleepers =
    Sleepers(
      Parameters(
        Checks.ranged("sleepers", p.getSleepers, 1, Checks.MostActors).toInt,
        Checks.ranged("naps", p.getNaps, 1, Checks.AnyInt),
        Checks.ranged("delay", p.getDelay, 0, 60000).millis
      )
    )

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val alarm: ActorRef[Alarm.Message] = company.one[Alarm.Message](Names.Alarm)(new Alarm(this, _))
    val sleepers: IndexedSeq[ActorRef[Sleeper.Message]] =
      company.all[Sleeper.Message](p.sleepers, Names.sleeper)(new Sleeper(_, this, _))
  }

  /** Sends everybody to sleep, again and again. */
  final class Alarm(cast: Cast, context: ActorContext[Alarm.Message])
      extends Role[Alarm.Message](Names.Alarm, cast.scene, context) {
    import cast.p

    private var naps = 0L

    override protected def take(message: Alarm.Message): Behavior[Alarm.Message] = message match {
      case _: Alarm.Start => start()
      case m: Alarm.Awake => awake(m)
    }

    private def start(): Behavior[Alarm.Message] = {
      val sleep = Sleeper.Sleep(name, 0)
      cast.sleepers.foreach(_ ! sleep)
      this
    }

    private def awake(m: Alarm.Awake): Behavior[Alarm.Message] = {
      naps += 1
      if (m.number + 1 < p.naps)
        cast.sleepers(Names.indexOf(m.sender)) ! Sleeper.Sleep(name, m.number + 1)
      if (naps == p.sleepers * p.naps) done(naps) else this
    }
  }

  object Alarm {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ALARM_START)
    }

    final case class Awake(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_ALARM_AWAKE, number)
    }
  }

  /** Sleeps when told to, on the runtime's timer. */
  final class Sleeper(index: Int, cast: Cast, context: ActorContext[Sleeper.Message])
      extends Role[Sleeper.Message](Names.sleeper(index), cast.scene, context) {
    override protected def take(message: Sleeper.Message): Behavior[Sleeper.Message] =
      message match {
        case m: Sleeper.Sleep => sleep(m)
        case m: Sleeper.Wake  => wake(m)
      }

    private def sleep(m: Sleeper.Sleep): Behavior[Sleeper.Message] = {
      context.scheduleOnce(cast.p.delay, context.self, Sleeper.Wake(name, m.number))
      this
    }

    private def wake(m: Sleeper.Wake): Behavior[Sleeper.Message] = {
      cast.alarm ! Alarm.Awake(name, m.number)
      if (m.number + 1 == cast.p.naps) Behaviors.stopped else this
    }
  }

  object Sleeper {
    sealed trait Message extends dramaturg.Message

    final case class Sleep(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SLEEPER_SLEEP, number)
    }

    final case class Wake(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SLEEPER_WAKE, number)
    }
  }
}
