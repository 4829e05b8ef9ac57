package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.FanoutParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Names}

import java.lang.Integer.toUnsignedLong

/** Fanout: a master gives tasks to runners; each answers every one (spec/fanout.md). */
final class Fanout(p: FanoutParameters) extends Micro("fanout") {
  import Fanout._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).master) { case Call.Run(salt) =>
      Master.Start(Names.Control, salt) -> 1
    }
}

object Fanout {
  final class Actors(val p: FanoutParameters, births: Births) {
    val master: ActorRef[Master.Message] =
      births.one[Master.Message](Names(ACTOR_CLASS_MASTER_VALUE))(
        new Master(this, births.world, _)
      )
    val runners: IndexedSeq[ActorRef[Runner.Message]] =
      births.all[Runner.Message](p.getRunners, ACTOR_CLASS_RUNNER_VALUE)(
        new Runner(_, this, births.world, _)
      )
  }

  /** Hands out tasks, counts what is completed. */
  final class Master(actors: Actors, world: World, context: ActorContext[Master.Message])
      extends Actor[Master.Message](Names(ACTOR_CLASS_MASTER_VALUE), world, context) {
    import actors.p

    private val tasks = toUnsignedLong(p.getTasks)
    private val total = p.getRunners * tasks
    private val handedOut = new Array[Long](p.getRunners)
    private var salt = Digest.Zero
    private var completed = 0L
    private var sum = Digest.Zero

    override protected def take(message: Master.Message): Behavior[Master.Message] =
      message match {
        case m: Master.Completed => completed(m)
        case m: Master.Start     => start(m)
      }

    private def start(m: Master.Start): Behavior[Master.Message] = {
      salt = m.salt
      val window = toUnsignedLong(p.getWindow)
      val rounds = if (window == 0) tasks else window.min(tasks)
      var round = 0L
      while (round < rounds) {
        for (index <- 0 until p.getRunners) give(index)
        round += 1
      }
      this
    }

    private def completed(m: Master.Completed): Behavior[Master.Message] = {
      completed += 1
      sum += m.value
      val index = Names.indexOf(m.sender)
      if (handedOut(index) < tasks) give(index)
      if (completed < total) this
      else {
        done(Stopwatch.stop())(completed, sum.toLong)
        Behaviors.stopped
      }
    }

    private def give(index: Int): Unit = {
      val number = handedOut(index)
      actors.runners(index) ! Runner.Task(name, number, salt.fold(index).fold(number))
      handedOut(index) = number + 1
    }
  }

  object Master {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_MASTER_START_VALUE, salt.toLong)
    }

    final case class Completed(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_MASTER_COMPLETED_VALUE, number, value.toLong)
    }
  }

  /** Takes tasks and answers each. */
  final class Runner(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Runner.Message]
  ) extends Actor[Runner.Message](Names(ACTOR_CLASS_RUNNER_VALUE, index), world, context) {
    private val tasks = toUnsignedLong(actors.p.getTasks)
    private var taken = 0L

    override protected def take(message: Runner.Message): Behavior[Runner.Message] = message match {
      case m: Runner.Task => task(m)
    }

    private def task(m: Runner.Task): Behavior[Runner.Message] = {
      actors.master ! Master.Completed(name, m.number, m.value.fold(taken))
      taken += 1
      if (taken == tasks) Behaviors.stopped else this
    }
  }

  object Runner {
    sealed trait Message extends dramaturg.Message

    final case class Task(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RUNNER_TASK_VALUE, number, value.toLong)
    }
  }
}
