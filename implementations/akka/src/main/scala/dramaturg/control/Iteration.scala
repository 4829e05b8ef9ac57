package dramaturg.control

import akka.actor.ActorSystem
import akka.actor.typed.scaladsl.adapter._
import akka.dramaturg.Census
import dramaturg.Digest
import dramaturg.nodes.{Guardian, Place}
import dramaturg.v2.Benchmarks.Receipt

import scala.annotation.tailrec
import scala.collection.mutable
import scala.concurrent.duration._

/** One iteration of a benchmark, or this node's part of it, as control drives it from `prepare` to
  * `teardown`. Iterations follow each other in one actor system. Whoever waits here for an actor
  * that fails throws.
  */
final class Iteration(benchmark: Benchmark, system: ActorSystem, place: Place, world: World) {
  import Iteration._

  private val strangers = Census.actors(system).toSet
  private val guardian = place.spawn(system, Guardian(benchmark, world, place))
  private val reports = mutable.ArrayBuffer.empty[Report]
  private var lead: Lead = _
  private var started = Option.empty[Long]

  def prepare(): Unit = {
    world.next() match {
      case Report.Populated(there) => lead = there
      case other                   => throw new IllegalStateException(s"$other out of turn")
    }
    place.connect(system, guardian, benchmark.isMesh)
    say(Call.Prepare)
  }

  /** Returns when what this caused has settled. */
  def say(call: Call, onReport: Report => Unit = _ => ()): Unit =
    if (place.node == 0) for (_ <- 0 until lead.tell(call)) {
      reports += world.next()
      onReport(reports.last)
    }

  /** Marks from time to time, and in the end, how many turns or windows are done (CTRL-6). */
  def run(salt: Digest)(mark: Int => Unit): Unit = {
    var marked = Stopwatch.start()
    var done = 0
    started = Some(marked)
    val count: Report => Unit = {
      case _: Report.Step =>
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
    val nanos = System.nanoTime() - asked
    world.drain()
    val receipt = Receipt.newBuilder.setTeardownNanos(nanos).setAlive(alive.toLong)
    if (place.node == 0) benchmark.fill(receipt, started, reports.toSeq)
    system.stop(guardian.toClassic)
    receipt.build
  }

  /** Waits until nobody is alive, or nothing has changed for a while. */
  @tailrec private def settle(before: Int, deadline: Deadline): Int = {
    val here = Census.actors(system).filterNot(_ == guardian.toClassic)
    val alive = here.count(!strangers(_))
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
