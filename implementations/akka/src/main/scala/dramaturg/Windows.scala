package dramaturg

import akka.actor.typed.scaladsl.ActorContext

import scala.concurrent.duration._

/** So many windows of that length; none in the counted form (spec/windows.md). */
final case class Windowing(windows: Int, window: FiniteDuration) {
  def isOn: Boolean = windows > 0
}

object Windowing {
  private val Most = 86400L
  private val Longest = 60000L

  def apply(windows: Int, window: Int): Windowing = {
    val number = Checks.ranged("windows", windows, 0, Most)
    val length =
      if (number > 0) Checks.ranged("window", window, 1, Longest)
      else Checks.ranged("window", window, 0, 0)
    Windowing(number.toInt, length.millis)
  }
}

/** A lead's windows: which is open since when, and the count at which it was opened. */
final class Windows[M](
    windowing: Windowing,
    name: Long,
    scene: Scene,
    context: ActorContext[M],
    tick: Int => M
) {
  private val nanos = new Array[Long](windowing.windows)
  private var opened = 0L
  private var before = 0L

  /** Opens the first one. */
  def open(): Unit = open(0, System.nanoTime())

  private def open(number: Int, now: Long): Unit = {
    opened = now
    context.scheduleOnce(windowing.window, context.self, tick(number)): Unit
  }

  /** Closes this window and opens the one after it; false if it was the last. */
  def next(number: Int): Boolean = {
    val now = System.nanoTime()
    nanos(number) = now - opened
    val more = number + 1 < windowing.windows
    if (more) open(number + 1, now)
    more
  }

  /** Tells control what fell into a window that is closed. */
  def report(number: Int, count: Long): Unit =
    scene.control ! Inbox.Window(name, number, count, nanos(number))

  /** How far `total` has come since this was last asked. */
  def since(total: Long): Long = {
    val passed = total - before
    before = total
    passed
  }
}
