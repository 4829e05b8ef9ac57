package dramaturg.micro

import dramaturg.control.{Benchmark, Report, Stopwatch}
import dramaturg.v2.Benchmarks.{DoneReceipt, Receipt}

/** A benchmark whose lead says in the end what all have done. The protocol calls it so. */
abstract class Micro(name: String) extends Benchmark {

  /** Puts into the receipt what only this benchmark's lead reports. */
  protected def fill(own: DoneReceipt.Builder, started: Long, report: Report): Unit = ()

  final override def fill(
      receipt: Receipt.Builder,
      started: Option[Long],
      reports: Seq[Report]
  ): Unit =
    for (started <- started) {
      val own = DoneReceipt.newBuilder.setBenchmark(name)
      val windows = reports.collect { case window: Report.Window => window }
      windows.foreach(window => own.addWindows(window.count))
      Stopwatch.laps(started, windows.map(_.ended)).foreach(own.addWindowNanos(_))
      reports.foreach {
        case Report.Done(arguments, ended) =>
          arguments.foreach(own.addArguments(_))
          receipt.setRunNanos(ended - started)
        case other => fill(own, started, other)
      }
      receipt.setDone(own)
    }
}
