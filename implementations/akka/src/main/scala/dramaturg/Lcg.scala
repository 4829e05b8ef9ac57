package dramaturg

import scala.collection.mutable

/** The shared random generator (spec/lcg.md). Every actor that draws has one of its own. */
final class Lcg(seed: Int) {
  private var current = seed

  /** The last number drawn, or the seed. */
  def state: Int = current

  /** The next raw number, 0..65535. */
  def next(): Int = {
    current = (Lcg.Multiplier * current + Lcg.Increment) & Lcg.Mask
    current
  }

  /** The next number below `limit`, which is unsigned; with 0 the raw number. Always one draw. */
  def nextInt(limit: Int): Int = {
    val number = next()
    if (limit == 0) number else Integer.remainderUnsigned(number, limit)
  }

  /** Shuffles in place with `items.length - 1` draws, from the back. */
  def shuffle[A](items: mutable.IndexedSeq[A]): Unit =
    for (i <- items.length - 1 to 1 by -1) {
      val j = nextInt(i + 1)
      val item = items(i)
      items(i) = items(j)
      items(j) = item
    }
}

object Lcg {
  private val Multiplier = 1309
  private val Increment = 13849
  private val Mask = 65536 - 1
}
