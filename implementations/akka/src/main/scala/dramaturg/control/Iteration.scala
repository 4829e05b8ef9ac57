package dramaturg.control

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.adapter._
import akka.dramaturg.Census
import dramaturg.Digest
import dramaturg.nodes.Place
import dramaturg.v2.Benchmarks.Receipt

import scala.annotation.tailrec
import scala.collection.mutable
import scala.concurrent.duration._

/** One iteration of a benchmark, or this node's part of it, as control drives it from `prepare` to
  * `teardown`. Worlds follow each other in one actor system. What waits for actors throws
  * [[Failure]].
  */
final class Iteration(benchmark: Benchmark, system: ActorSystem, place: Place, world: World) {
  import Iteration._

  private val strangers = Census.actors(system).toSet
  private val guardian = place.spawn(system, Guardian(benchmark, world, place))
  private val heard = mutable.ArrayBuffer.empty[Report]
  private var lead: Lead = _
  private var started = Option.empty[Long]

  def prepare(): Unit = {
    lead = world.next() match {
      case Report.Populated(lead) => lead
      case other                  => throw new IllegalStateException(s"$other out of turn")
    }
    place.connect(system, guardian, benchmark.isMesh)
    say(Call.Prepare)
  }

  /** Returns when what this caused has settled. */
  def say(call: Call, onReport: Report => Unit = _ => ()): Unit =
    for (_ <- 0 until lead.tell(call)) {
      val report = world.next()
      heard += report
      onReport(report)
    }

  /** Marks from time to time, and in the end, how many turns or windows are done (CTRL-6). */
  def run(salt: Digest)(mark: Int => Unit): Unit = {
    val begun = Stopwatch.start()
    started = Some(begun)
    var marked = begun
    var done = 0
    def count(report: Report): Unit = report match {
      case _: Report.Confirmed | _: Report.Window =>
        done += 1
        val now = System.nanoTime()
        if (now - marked >= BetweenMarks) {
          marked = now
          mark(done)
        }
      case _ =>
    }
    say(Call.Run(salt), count)
    if (done > 0) mark(done)
  }

  def teardown(): Receipt = {
    val asked = System.nanoTime()
    say(Call.Disconnect)
    val alive = settle(Int.MaxValue, Patience.fromNow)
    val receipt = Receipt.newBuilder
      .setTeardownNanos(System.nanoTime() - asked)
      .setAlive(alive.toLong)
    if (place.node == 0) benchmark.fill(receipt, new Heard(started, heard.toSeq))
    system.stop(guardian.toClassic)
    receipt.build
  }

  /** Waits until nobody is alive, or nothing has changed for a while. */
  @tailrec private def settle(before: Int, deadline: Deadline): Int = {
    val alive = Census
      .actors(system)
      .count(actor => actor != guardian.toClassic && !strangers(actor))
    if (alive == 0 || alive == before && deadline.isOverdue()) alive
    else {
      Thread.sleep(if (alive < 1000) 1 else 20)
      settle(alive, if (alive == before) deadline else Patience.fromNow)
    }
  }
}

object Iteration {
  private val BetweenMarks = 100.millis.toNanos
  private val Patience = 1.second
}

/** What actors told control in one iteration, and when control started its run, if
  * it did.
  */
final class Heard(val started: Option[Long], reports: Seq[Report]) {
  def confirmed: Seq[Report.Confirmed] = reports.collect { case turn: Report.Confirmed => turn }
  def finished: Option[Report.Finished] = reports.collectFirst { case end: Report.Finished => end }
  def done: Option[Report.Done] = reports.collectFirst { case done: Report.Done => done }

  /** What was counted in each window, and how long each was. */
  def windows: Seq[Long] = closed.map(_.count)
  def windowNanos: Seq[Long] = started.toSeq.flatMap(Stopwatch.laps(_, closed.map(_.ended)))

  private def closed = reports.collect { case window: Report.Window => window }
}
