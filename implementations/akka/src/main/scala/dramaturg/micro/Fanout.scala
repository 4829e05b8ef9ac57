package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{FanoutParameters, FanoutReceipt, Receipt}
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

/** Fanout: a master gives tasks to runners; each answers every one (spec/fanout.md). */
final case class Fanout(p: Fanout.Parameters) extends Piece {
  import Fanout._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).master, Master.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts =
      FanoutReceipt.newBuilder.setAttempted(said.done.first).setCompleted(said.done.second)
    receipt.setFanout(counts): Unit
  }
}

object Fanout {

  /** Runners, tasks for each, and how many one may have under way (0: all). */
  final case class Parameters(runners: Int, tasks: Long, window: Long)

  def apply(p: FanoutParameters): Fanout =
    Fanout(
      Parameters(
        Checks.ranged("runners", p.getRunners, 1, Checks.MostActors).toInt,
        Checks.ranged("tasks", p.getTasks, 1, Checks.AnyInt),
        Checks.ranged("window", p.getWindow, 0, Checks.AnyInt)
      )
    )

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val master: ActorRef[Master.Message] =
      company.one[Master.Message](Names.Master)(new Master(this, _))
    val runners: IndexedSeq[ActorRef[Runner.Message]] =
      company.all[Runner.Message](p.runners, Names.runner)(new Runner(_, this, _))
  }

  /** Hands out tasks, counts what is completed. */
  final class Master(cast: Cast, context: ActorContext[Master.Message])
      extends Role[Master.Message](Names.Master, cast.scene, context) {
    import cast.p

    private val handedOut = new Array[Long](p.runners)
    private val total = p.runners * p.tasks
    private var attempted = 0L
    private var completed = 0L

    override protected def take(message: Master.Message): Behavior[Master.Message] =
      message match {
        case m: Master.Completed => completed(m)
        case _: Master.Start     => start()
      }

    private def start(): Behavior[Master.Message] = {
      val rounds = if (p.window == 0) p.tasks else p.window.min(p.tasks)
      burst(rounds)(_ => for (index <- 0 until p.runners) give(index))
      this
    }

    private def completed(m: Master.Completed): Behavior[Master.Message] = {
      completed += 1
      if (m.attempted == p.tasks) attempted += m.attempted
      val index = Names.indexOf(m.sender)
      if (handedOut(index) < p.tasks) give(index)
      if (completed == total) done(attempted, completed) else this
    }

    private def give(index: Int): Unit = {
      cast.runners(index) ! Runner.Task(name, handedOut(index))
      handedOut(index) += 1
    }
  }

  object Master {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_MASTER_START)
    }

    final case class Completed(sender: Long, number: Long, attempted: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_MASTER_COMPLETED, number, attempted)
    }
  }

  /** Takes tasks and answers each. */
  final class Runner(index: Int, cast: Cast, context: ActorContext[Runner.Message])
      extends Role[Runner.Message](Names.runner(index), cast.scene, context) {
    private var attempted = 0L

    override protected def take(message: Runner.Message): Behavior[Runner.Message] = message match {
      case m: Runner.Task => task(m)
    }

    private def task(m: Runner.Task): Behavior[Runner.Message] = {
      attempted += 1
      cast.master ! Master.Completed(name, m.number, attempted)
      if (attempted == cast.p.tasks) Behaviors.stopped else this
    }
  }

  object Runner {
    sealed trait Message extends dramaturg.Message

    final case class Task(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_RUNNER_TASK, number)
    }
  }
}
