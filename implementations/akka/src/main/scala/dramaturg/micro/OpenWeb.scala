package dramaturg.micro

import akka.actor.typed.scaladsl.{ActorContext, Behaviors}
import akka.actor.typed.{ActorRef, Behavior}
import dramaturg.control._
import dramaturg.nodes.Births
import dramaturg.v2.Benchmarks.{DoneReceipt, OpenWebParameters}
import dramaturg.v2.ControlOuterClass.Probe
import dramaturg.v2.Trace.ActorClass._
import dramaturg.v2.Trace.MessageKind._
import dramaturg.{Actor, Digest, Entry, Fibonacci, Lcg, Names}

import scala.collection.mutable
import scala.jdk.CollectionConverters._

/** Web under an open load: requests arrive when they are due (spec/openweb.md). */
final class OpenWeb(p: OpenWebParameters) extends Micro("openweb") {
  import OpenWeb._

  override def populate(births: Births): Lead =
    Lead(new Actors(p, births).source) {
      case Call.Run(salt)  => Source.Start(Names.Control, salt) -> 2
      case Call.Disconnect => Source.Disconnect(Names.Control) -> 0
    }

  override protected def fill(own: DoneReceipt.Builder, started: Long, report: Report): Unit =
    report match {
      case Readings(due, arrived, answered) =>
        histogram(due, answered, started).foreach(own.addLatency(_))
        histogram(due, arrived, started).foreach(own.addLateness(_))
      case _ => ()
    }

  /** Servers wait as web's workers do, and so need one queue for all threads. */
  override def settings: Map[String, Any] = Web.OneQueue + Timer.Setting
}

object OpenWeb {

  /** What the clock said, by requests, before the source is done; each was due so long after the
    * start of the run, which control knows.
    */
  private final case class Readings(
      due: Array[Long],
      arrived: Array[Long],
      answered: Array[Long]
  ) extends Report

  /** When each request is due, in nanoseconds after the start of the run (OPEN-1). */
  def arrivals(p: OpenWebParameters): Array[Long] = {
    // As millionths of the mean gap, the shortest first.
    val lengths = (256 to 1 by -1).map(1_000_000L / _).scanLeft(0L)(_ + _).tail
    val lcg = new Lcg(p.getSeed)
    val drawn = Iterator.fill(p.getRequests)(lengths(lcg.next() / 256))
    drawn.scanLeft(0L)(_ + _).drop(1).map(p.getGap * _ / 1000).toArray
  }

  /** How many are in each bucket of the times from when each request was due, after the start, to a
    * reading of the clock: for receipts and probes alike (OPEN-9).
    */
  def histogram(due: Array[Long], readings: Array[Long], started: Long): Array[Long] = {
    val buckets = due.lazyZip(readings).map((due, reading) => bucketOf(reading - started - due))
    val counts = new Array[Long](buckets.maxOption.fold(0)(_ + 1))
    buckets.foreach(counts(_) += 1)
    counts
  }

  /** The histogram of requests that were due at one time, after a start at 0. */
  def answer(probe: Probe.Latencies): Seq[Long] = {
    val answered = probe.getAnsweredList.asScala.map(_.longValue).toArray
    histogram(Array.fill(answered.length)(probe.getDue), answered, 0).toSeq
  }

  /** The bucket that so many nanoseconds are in (OPEN-5). */
  def bucketOf(nanos: Long): Int = {
    val shift = (56 - java.lang.Long.numberOfLeadingZeros(nanos)).max(0)
    128 * shift + (nanos >> shift).toInt
  }

  final class Actors(val p: OpenWebParameters, births: Births) {
    val source: ActorRef[Source.Message] =
      births.one[Source.Message](Names(ACTOR_CLASS_SOURCE_VALUE))(
        new Source(arrivals(p), this, births.world, _)
      )
    val balancer: ActorRef[Balancer.Message] =
      births.one[Balancer.Message](Names(ACTOR_CLASS_BALANCER_VALUE))(
        new Balancer(this, births.world, _)
      )
    val servers: IndexedSeq[ActorRef[Server.Message]] =
      births.all[Server.Message](p.getServers, ACTOR_CLASS_SERVER_VALUE)(
        new Server(_, this, births.world, _)
      )
  }

  /** Sends each request when it is due, and takes the answers. */
  final class Source(
      due: Array[Long],
      actors: Actors,
      world: World,
      context: ActorContext[Source.Message]
  ) extends Actor[Source.Message](Names(ACTOR_CLASS_SOURCE_VALUE), world, context) {
    private val timer = Timer(context.system)
    private val arrived, answered = new Array[Long](due.length)
    private var started = 0L
    private var salt = Digest.Zero
    private var answers = 0
    private var sum = Digest.Zero
    private var used = 0

    override protected def take(message: Source.Message): Behavior[Source.Message] =
      message match {
        case m: Source.Arrive     => arrive(m)
        case m: Source.Answer     => answer(m)
        case m: Source.Start      => start(m)
        case m: Source.Drained    => drained(m)
        case _: Source.Disconnect => disconnect()
      }

    private def start(m: Source.Start): Behavior[Source.Message] = {
      // A little later than control's own stamp, so that nothing is early.
      started = Stopwatch.read()
      salt = m.salt
      await(0)
    }

    private def arrive(m: Source.Arrive): Behavior[Source.Message] = {
      arrived(m.number) = Stopwatch.read()
      actors.balancer ! Balancer.Request(name, m.number, salt.fold(m.number).fold(m.due))
      if (m.number + 1 < due.length) await(m.number + 1) else this
    }

    private def answer(m: Source.Answer): Behavior[Source.Message] = {
      answered(m.number) = Stopwatch.read()
      answers += 1
      sum += m.value
      reportWhenDone()
    }

    private def drained(m: Source.Drained): Behavior[Source.Message] = {
      used = m.used
      reportWhenDone()
    }

    private def disconnect(): Behavior[Source.Message] = {
      actors.balancer ! Balancer.Close(name)
      Behaviors.stopped
    }

    private def await(number: Int): Behavior[Source.Message] = {
      val next = Source.Arrive(name, number, due(number))
      timer.tell(started + next.due - Stopwatch.read(), context.self, next)
      this
    }

    private def reportWhenDone(): Behavior[Source.Message] = {
      if (used > 0 && answers == due.length) {
        val ended = Stopwatch.stop()
        world.tell(Readings(due, arrived, answered))
        done(ended)(answers.toLong, sum.toLong, used.toLong)
      }
      this
    }
  }

  object Source {
    sealed trait Message extends dramaturg.Message

    final case class Start(sender: Long, salt: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SOURCE_START_VALUE, salt.toLong)
    }

    final case class Arrive(sender: Long, number: Int, due: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SOURCE_ARRIVE_VALUE, number, due)
    }

    final case class Answer(sender: Long, number: Int, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SOURCE_ANSWER_VALUE, number, value.toLong)
    }

    final case class Drained(sender: Long, used: Int) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SOURCE_DRAINED_VALUE, used)
    }

    final case class Disconnect(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SOURCE_DISCONNECT_VALUE)
    }
  }

  /** Keeps the order of waiting requests and of idle servers. */
  final class Balancer(actors: Actors, world: World, context: ActorContext[Balancer.Message])
      extends Actor[Balancer.Message](Names(ACTOR_CLASS_BALANCER_VALUE), world, context) {
    import actors.p

    private val idle = mutable.ArrayDeque.range(0, p.getServers)
    private val waiting = mutable.ArrayDeque.empty[Balancer.Request]
    private val used = mutable.BitSet.empty
    private var handedOut = 0

    override protected def take(message: Balancer.Message): Behavior[Balancer.Message] =
      message match {
        case m: Balancer.Request => request(m)
        case m: Balancer.Idle    => idle(m)
        case _: Balancer.Close   => close()
      }

    private def request(m: Balancer.Request): Behavior[Balancer.Message] = {
      waiting += m
      assign()
      this
    }

    private def idle(m: Balancer.Idle): Behavior[Balancer.Message] = {
      idle += Names.indexOf(m.sender)
      assign()
      if (handedOut == p.getRequests && idle.size == p.getServers)
        actors.source ! Source.Drained(name, used.size)
      this
    }

    private def close(): Behavior[Balancer.Message] = {
      val stop = Server.Stop(name)
      idle.foreach(actors.servers(_) ! stop)
      Behaviors.stopped
    }

    private def assign(): Unit =
      if (waiting.nonEmpty && idle.nonEmpty) {
        val request = waiting.removeHead()
        val server = idle.removeHead()
        handedOut += 1
        used += server
        actors.servers(server) ! Server.Work(name, request.number, request.value)
      }
  }

  object Balancer {
    sealed trait Message extends dramaturg.Message

    final case class Request(sender: Long, number: Int, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BALANCER_REQUEST_VALUE, number, value.toLong)
    }

    final case class Idle(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BALANCER_IDLE_VALUE)
    }

    final case class Close(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_BALANCER_CLOSE_VALUE)
    }
  }

  /** Computes, answers the source, and is idle again. */
  final class Server(
      index: Int,
      actors: Actors,
      world: World,
      context: ActorContext[Server.Message]
  ) extends Actor[Server.Message](Names(ACTOR_CLASS_SERVER_VALUE, index), world, context) {
    override protected def take(message: Server.Message): Behavior[Server.Message] = message match {
      case m: Server.Work => work(m)
      case _: Server.Stop => Behaviors.stopped
    }

    private def work(m: Server.Work): Behavior[Server.Message] = {
      val value = m.value.fold(Fibonacci(actors.p.getFibN))
      actors.source ! Source.Answer(name, m.number, value)
      actors.balancer ! Balancer.Idle(name)
      this
    }
  }

  object Server {
    sealed trait Message extends dramaturg.Message

    final case class Work(sender: Long, number: Int, value: Digest) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SERVER_WORK_VALUE, number, value.toLong)
    }

    final case class Stop(sender: Long) extends Message {
      def entry: Entry = Entry(MESSAGE_KIND_SERVER_STOP_VALUE)
    }
  }
}
