package dramaturg.micro

import dramaturg.control.{Benchmark, Report, Stopwatch}
import dramaturg.v2.Benchmarks.Receipt

/** A benchmark whose lead says in the end what all have done. */
trait Micro extends Benchmark {
  protected def fill(receipt: Receipt.Builder, done: Report.Done, windows: Seq[Micro.Window]): Unit

  final override def fill(
      receipt: Receipt.Builder,
      started: Option[Long],
      reports: Seq[Report]
  ): Unit =
    for (started <- started; done <- reports.collectFirst { case done: Report.Done => done }) {
      receipt.setRunNanos(done.ended - started)
      val closed = reports.collect { case window: Report.Window => window }
      val nanos = Stopwatch.laps(started, closed.map(_.ended))
      fill(
        receipt,
        done,
        closed.lazyZip(nanos).map((window, nanos) => Micro.Window(window.count, nanos))
      )
    }
}

object Micro {

  /** What was counted in a window, and how long it was. */
  final case class Window(count: Long, nanos: Long)
}
