package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.v1.Benchmarks.{Receipt, WebParameters, WebReceipt}
import dramaturg.v1.Trace.MessageKind
import dramaturg.v1.Trace.MessageKind._
import dramaturg._

import scala.collection.mutable

/** Web: browsers ask a dispatcher, which gives work to idle workers only (spec/web.md). */
final case class Web(p: Web.Parameters) extends Piece {
  import Web._

  override def cast(company: Company): Cue =
    Cue(new Cast(p, company).dispatcher, Dispatcher.Start(Names.Control))

  override def fill(receipt: Receipt.Builder, said: Reports): Unit = {
    val counts = WebReceipt.newBuilder
      .setAnswers(said.here.first)
      .setValueSum(said.here.second)
      .setWorkersUsed(said.done.third)
    receipt.setWeb(counts): Unit
  }

  override def mostNodes: Long = p.browsers + 1L
  override def underWay(nodes: Int): Long = 2L * (p.browsers / (nodes - 1) + 1)

  /** One queue for all threads. In a fork-join pool each has its own, and an idle thread is woken
    * only when something is put into an empty one: here the first to be busy would keep all work.
    */
  override def settings: Map[String, Any] = Map(
    "akka.actor.default-dispatcher.executor" -> "thread-pool-executor",
    "akka.actor.default-dispatcher.thread-pool-executor.fixed-pool-size" ->
      Runtime.getRuntime.availableProcessors
  )
}

object Web {

  /** Browsers, workers, requests of each browser, and the Fibonacci number each asks for. */
  final case class Parameters(browsers: Int, workers: Int, requests: Long, fibN: Int)

  def apply(p: WebParameters): Web =
    Web(
      Parameters(
        Checks.ranged("browsers", p.getBrowsers, 1, Checks.MostActors).toInt,
        Checks.ranged("workers", p.getWorkers, 1, Checks.MostActors).toInt,
        Checks.ranged("requests", p.getRequests, 1, Checks.AnyInt),
        Checks.ranged("fib_n", p.getFibN, 0, Checks.MostFibonacci).toInt
      )
    )

  final class Cast(val p: Parameters, company: Company) {
    val scene: Scene = company.scene
    val dispatcher: ActorRef[Dispatcher.Message] =
      company.one[Dispatcher.Message](Names.Dispatcher)(new Dispatcher(this, _))
    val workers: IndexedSeq[ActorRef[Worker.Message]] =
      company.all[Worker.Message](p.workers, Names.worker)(new Worker(_, this, _))
    val browsers: IndexedSeq[ActorRef[Browser.Message]] =
      company.all[Browser.Message](p.browsers, Names.browser, company.place.roundTheRest)(
        new Browser(_, this, _)
      )
  }

  /** Keeps the order of waiting requests and of idle workers. */
  final class Dispatcher(cast: Cast, context: ActorContext[Dispatcher.Message])
      extends Role[Dispatcher.Message](Names.Dispatcher, cast.scene, context) {
    import cast.p

    private val idle = mutable.ArrayDeque.range(0, p.workers)
    private val waiting = mutable.ArrayDeque.empty[Dispatcher.Request]
    private val used = mutable.BitSet.empty
    private var browsing = p.browsers
    private var answers = 0L
    private var sum = 0L

    override protected def take(message: Dispatcher.Message): Behavior[Dispatcher.Message] =
      message match {
        case _: Dispatcher.Start    => start()
        case m: Dispatcher.Request  => request(m)
        case m: Dispatcher.Idle     => idle(m)
        case m: Dispatcher.Finished => finished(m)
      }

    private def start(): Behavior[Dispatcher.Message] = {
      val go = Browser.Go(name)
      cast.browsers.foreach(_ ! go)
      this
    }

    private def request(m: Dispatcher.Request): Behavior[Dispatcher.Message] = {
      waiting += m
      assign()
      this
    }

    private def idle(m: Dispatcher.Idle): Behavior[Dispatcher.Message] = {
      idle += Names.indexOf(m.sender)
      assign()
      endWhenDone()
    }

    private def finished(m: Dispatcher.Finished): Behavior[Dispatcher.Message] = {
      answers += m.answers
      sum += m.sum
      browsing -= 1
      endWhenDone()
    }

    private def assign(): Unit =
      if (waiting.nonEmpty && idle.nonEmpty) {
        val request = waiting.removeHead()
        val worker = idle.removeHead()
        used += worker
        cast.workers(worker) ! Worker.Work(name, Names.indexOf(request.sender), request.number)
      }

    private def endWhenDone(): Behavior[Dispatcher.Message] =
      if (browsing == 0 && idle.size == p.workers) {
        val stop = Worker.Stop(name)
        idle.foreach(cast.workers(_) ! stop)
        done(answers, sum, used.size.toLong)
      } else this
  }

  object Dispatcher {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_START)
    }

    final case class Request(sender: Long, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_REQUEST, number)
    }

    final case class Idle(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_IDLE)
    }

    final case class Finished(sender: Long, answers: Long, sum: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_FINISHED, answers, sum)
    }
  }

  /** Computes, answers the browser, and is idle again. */
  final class Worker(index: Int, cast: Cast, context: ActorContext[Worker.Message])
      extends Role[Worker.Message](Names.worker(index), cast.scene, context) {
    override protected def take(message: Worker.Message): Behavior[Worker.Message] = message match {
      case m: Worker.Work => work(m)
      case _: Worker.Stop => Behaviors.stopped
    }

    private def work(m: Worker.Work): Behavior[Worker.Message] = {
      cast.browsers(m.browser) ! Browser.Answer(name, m.number, Fibonacci(cast.p.fibN))
      cast.dispatcher ! Dispatcher.Idle(name)
      this
    }
  }

  object Worker {
    sealed trait Message extends dramaturg.Message

    final case class Work(sender: Long, browser: Int, number: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_WORKER_WORK, browser, number)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_WORKER_STOP)
    }
  }

  /** Asks, waits for the answer, asks again. */
  final class Browser(index: Int, cast: Cast, context: ActorContext[Browser.Message])
      extends Role[Browser.Message](Names.browser(index), cast.scene, context) {
    private var answers = 0L
    private var sum = 0L

    override protected def take(message: Browser.Message): Behavior[Browser.Message] =
      message match {
        case _: Browser.Go     => go()
        case m: Browser.Answer => answer(m)
      }

    private def go(): Behavior[Browser.Message] = {
      cast.dispatcher ! Dispatcher.Request(name, 0)
      this
    }

    private def answer(m: Browser.Answer): Behavior[Browser.Message] = {
      answers += 1
      sum += m.value
      if (answers < cast.p.requests) {
        cast.dispatcher ! Dispatcher.Request(name, answers)
        this
      } else {
        account(Counts(answers, sum))
        cast.dispatcher ! Dispatcher.Finished(name, answers, sum)
        Behaviors.stopped
      }
    }
  }

  object Browser {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BROWSER_GO)
    }

    final case class Answer(sender: Long, number: Long, value: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BROWSER_ANSWER, number, value)
    }
  }

  val Decoders: Map[MessageKind, OnTheWire.Decoder] = Map(
    (MESSAGE_KIND_DISPATCHER_REQUEST, (sender, in) => Dispatcher.Request(sender, in.getLong())),
    (
      MESSAGE_KIND_DISPATCHER_FINISHED,
      (sender, in) => Dispatcher.Finished(sender, in.getLong(), in.getLong())
    ),
    (MESSAGE_KIND_BROWSER_GO, (sender, _) => Browser.Go(sender)),
    (
      MESSAGE_KIND_BROWSER_ANSWER,
      (sender, in) => Browser.Answer(sender, in.getLong(), in.getLong())
    )
  )
}
