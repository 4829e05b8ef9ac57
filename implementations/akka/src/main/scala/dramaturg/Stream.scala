package dramaturg

/** Numbers that are to be had one after the other only, from a key: what travels in messages is made
  * of them (ACT-11).
  */
final class Stream(key: Digest) {
  private var last = key
  private var place = 0

  /** The next one, 32 bits without a sign. */
  def next(): Int = {
    last = last.fold(place)
    place += 1
    last.bits
  }
}
