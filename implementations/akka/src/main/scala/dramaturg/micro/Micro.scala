package dramaturg.micro

import dramaturg.control.{Benchmark, Heard, Report}
import dramaturg.v2.Benchmarks.Receipt

/** A benchmark whose lead says in the end what all have done. */
trait Micro extends Benchmark {
  protected def fill(receipt: Receipt.Builder, done: Report.Done, heard: Heard): Unit

  final override def fill(receipt: Receipt.Builder, heard: Heard): Unit =
    for (started <- heard.started; done <- heard.done) {
      receipt.setRunNanos(done.ended - started)
      fill(receipt, done, heard)
    }
}
