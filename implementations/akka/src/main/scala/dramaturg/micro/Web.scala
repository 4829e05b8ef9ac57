package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.{Births, OnTheWire}
import dramaturg.v2.Benchmarks.WebParameters
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Fibonacci, Names}

import java.lang.Integer.toUnsignedLong
import java.util.concurrent.ConcurrentHashMap
import scala.collection.mutable

/** Web: browsers ask a dispatcher, which gives work to idle workers only (spec/web.md). */
final class Web(p: WebParameters) extends Micro("web") {
  import Web._

  override def underWay(nodes: Int): Long = 2L * (p.getBrowsers / (nodes - 1) + 1)

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).dispatcher) {
      case Call.Run(salt)  => Dispatcher.Start(Names.Control, salt) -> 1
      case Call.Disconnect => Dispatcher.Disconnect(Names.Control) -> 0
    }

  override def settings: Map[String, Any] = OneQueue
}

object Web {

  /** One queue for all threads. In a fork-join pool each has its own, and an idle thread is woken
    * only when something is put into an empty one: here the first to be busy would keep all work.
    */
  val OneQueue: Map[String, Any] = Map(
    "akka.actor.default-dispatcher.executor" -> "thread-pool-executor",
    "akka.actor.default-dispatcher.thread-pool-executor.fixed-pool-size" ->
      Runtime.getRuntime.availableProcessors
  )

  /** In the variant `remembering` a Fibonacci number is computed once in the life of the process,
    * which is wrong (IMPL-6): a published program did so.
    */
  private val remembered =
    Option.when(sys.env.contains("DRAMATURG_REMEMBERS"))(new ConcurrentHashMap[Int, Long])

  private def fibonacci(n: Int): Long = remembered match {
    case None        => Fibonacci(n)
    case Some(known) => known.computeIfAbsent(n, Fibonacci(_))
  }

  final class Actors(val p: WebParameters, births: Births) {
    val dispatcher: ActorRef[Dispatcher.Message] =
      births.one[Dispatcher.Message](Names(ACTOR_CLASS_DISPATCHER_VALUE))(
        new Dispatcher(this, births.world, _)
      )
    val workers: IndexedSeq[ActorRef[Worker.Message]] =
      births.all[Worker.Message](p.getWorkers, ACTOR_CLASS_WORKER_VALUE)(
        new Worker(_, this, births.world, _)
      )
    val browsers: IndexedSeq[ActorRef[Browser.Message]] =
      births.all[Browser.Message](
        p.getBrowsers,
        ACTOR_CLASS_BROWSER_VALUE,
        births.place.roundTheRest
      )(new Browser(_, this, births.world, _))
  }

  /** Keeps the order of waiting requests and of idle workers. */
  final class Dispatcher(actors: Actors, world: World, context: ActorContext[Dispatcher.Message])
      extends Actor[Dispatcher.Message](Names(ACTOR_CLASS_DISPATCHER_VALUE), world, context) {
    import actors.p

    private val idle = mutable.ArrayDeque.range(0, p.getWorkers)
    private val waiting = mutable.ArrayDeque.empty[Dispatcher.Request]
    private val used = mutable.BitSet.empty
    private var browsing = p.getBrowsers
    private var answers = 0L
    private var sum = Digest.Zero

    override protected def take(message: Dispatcher.Message): Behavior[Dispatcher.Message] =
      message match {
        case m: Dispatcher.Request    => request(m)
        case m: Dispatcher.Idle       => idle(m)
        case m: Dispatcher.Start      => start(m)
        case m: Dispatcher.Finished   => finished(m)
        case _: Dispatcher.Disconnect => disconnect()
      }

    private def start(m: Dispatcher.Start): Behavior[Dispatcher.Message] = {
      val go = Browser.Go(name, m.salt)
      actors.browsers.foreach(_ ! go)
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
      reportWhenDone()
    }

    private def finished(m: Dispatcher.Finished): Behavior[Dispatcher.Message] = {
      answers += m.answers
      sum += m.sum
      browsing -= 1
      reportWhenDone()
    }

    private def disconnect(): Behavior[Dispatcher.Message] = {
      val stop = Worker.Stop(name)
      idle.foreach(actors.workers(_) ! stop)
      Behaviors.stopped
    }

    private def assign(): Unit =
      if (waiting.nonEmpty && idle.nonEmpty) {
        val request = waiting.removeHead()
        val worker = idle.removeHead()
        used += worker
        actors.workers(worker) ! Worker.Work(
          name,
          Names.indexOf(request.sender),
          request.number,
          request.value
        )
      }

    private def reportWhenDone(): Behavior[Dispatcher.Message] = {
      if (browsing == 0 && idle.size == p.getWorkers)
        done(Stopwatch.stop())(answers, sum.toLong, used.size.toLong)
      this
    }
  }

  object Dispatcher {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_START_VALUE, salt.toLong)
    }

    final case class Request(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_REQUEST_VALUE, number, value.toLong)
    }

    final case class Idle(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_IDLE_VALUE)
    }

    final case class Finished(sender: Long, answers: Long, sum: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_FINISHED_VALUE, answers, sum.toLong)
    }

    final case class Disconnect(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_DISPATCHER_DISCONNECT_VALUE)
    }
  }

  /** Computes, answers the browser, and is idle again. */
  final class Worker(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Worker.Message]
  ) extends Actor[Worker.Message](Names(ACTOR_CLASS_WORKER_VALUE, index), world, context) {
    override protected def take(message: Worker.Message): Behavior[Worker.Message] = message match {
      case m: Worker.Work => work(m)
      case _: Worker.Stop => Behaviors.stopped
    }

    private def work(m: Worker.Work): Behavior[Worker.Message] = {
      val value = m.value.fold(fibonacci(actors.p.getFibN))
      actors.browsers(m.browser) ! Browser.Answer(name, m.number, value)
      actors.dispatcher ! Dispatcher.Idle(name)
      this
    }
  }

  object Worker {
    sealed trait Message extends dramaturg.Message

    final case class Work(sender: Long, browser: Int, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_WORKER_WORK_VALUE, browser, number, value.toLong)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_WORKER_STOP_VALUE)
    }
  }

  /** Asks, waits for the answer, asks again. */
  final class Browser(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Browser.Message]
  ) extends Actor[Browser.Message](Names(ACTOR_CLASS_BROWSER_VALUE, index), world, context) {
    private val requests = toUnsignedLong(actors.p.getRequests)
    private var own = Digest.Zero
    private var answers = 0L
    private var sum = Digest.Zero

    override protected def take(message: Browser.Message): Behavior[Browser.Message] =
      message match {
        case m: Browser.Answer => answer(m)
        case m: Browser.Go     => go(m)
      }

    private def go(m: Browser.Go): Behavior[Browser.Message] = {
      own = m.salt.fold(index)
      request()
    }

    private def answer(m: Browser.Answer): Behavior[Browser.Message] = {
      answers += 1
      sum += m.value
      if (answers < requests) request()
      else {
        actors.dispatcher ! Dispatcher.Finished(name, answers, sum)
        Behaviors.stopped
      }
    }

    private def request(): Behavior[Browser.Message] = {
      actors.dispatcher ! Dispatcher.Request(name, answers, own.fold(answers))
      this
    }
  }

  object Browser {
    sealed trait Message extends dramaturg.Message

    final case class Go(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BROWSER_GO_VALUE, salt.toLong)
    }

    final case class Answer(sender: Long, number: Long, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BROWSER_ANSWER_VALUE, number, value.toLong)
    }
  }

  val Decoders: Map[Int, OnTheWire.Decoder] = Map(
    (
      MESSAGE_KIND_DISPATCHER_REQUEST_VALUE,
      (sender, in) => Dispatcher.Request(sender, in.long(), in.digest())
    ),
    (
      MESSAGE_KIND_DISPATCHER_FINISHED_VALUE,
      (sender, in) => Dispatcher.Finished(sender, in.long(), in.digest())
    ),
    (MESSAGE_KIND_BROWSER_GO_VALUE, (sender, in) => Browser.Go(sender, in.digest())),
    (
      MESSAGE_KIND_BROWSER_ANSWER_VALUE,
      (sender, in) => Browser.Answer(sender, in.long(), in.digest())
    )
  )
}
