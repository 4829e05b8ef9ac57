package dramaturg.micro

import akka.actor.typed.scaladsl.ActorContext
import dramaturg.control.{Report, Stopwatch, World}

import scala.concurrent.duration._

/** A lead's windows, so many of that length in milliseconds; none in the counted form
  * (spec/windows.md).
  */
final class Windows[M](
    number: Int,
    window: Int,
    world: World,
    context: ActorContext[M],
    tick: Int => M
) {
  private val ended = new Array[Long](number)
  private var before = 0L

  def open(): Unit = if (number > 0) schedule(0)

  /** Closes this window, if it is not the last opens the next, and says whether it has. */
  def next(current: Int): Boolean = {
    ended(current) = Stopwatch.stop()
    val more = current + 1 < number
    if (more) schedule(current + 1)
    more
  }

  /** Tells control what fell into a window that is closed. */
  def report(current: Int, count: Long): Unit =
    world.tell(Report.Window(current, count, ended(current)))

  /** How far `total` has come since this was last asked. */
  def since(total: Long): Long = {
    val passed = total - before
    before = total
    passed
  }

  private def schedule(current: Int): Unit =
    Later.tell(window.millis, context, tick(current))
}
