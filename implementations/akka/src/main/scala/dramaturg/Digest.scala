package dramaturg

/** A salt, a digest, a checksum, or a sum of digests: 32 bits without a sign (ACT-8). */
final class Digest(val bits: Int) extends AnyVal {

  /** With a number in it, of which the low 32 bits decide. */
  def fold(number: Int): Digest = {
    val folded = 1664525 * bits + 1013904223 + number
    new Digest(folded ^ (folded >>> 16))
  }
  def fold(number: Long): Digest = fold(number.toInt)

  def +(that: Digest): Digest = new Digest(bits + that.bits)
  def *(times: Int): Digest = new Digest(bits * times)

  def toLong: Long = Integer.toUnsignedLong(bits)
  override def toString: String = Integer.toUnsignedString(bits)
}

object Digest {
  val Zero: Digest = new Digest(0)

  /** Of a payload of ChatApp: its two halves, folded. */
  def ofPayload(payload: Long): Digest = new Digest((payload >>> 32).toInt).fold(payload)

  /** The checksum of these, in their order. */
  def checksum(start: Digest, numbers: Array[Int]): Digest = {
    var sum = start.bits
    var i = 0
    while (i < numbers.length) {
      sum = 31 * sum + numbers(i)
      i += 1
    }
    new Digest(sum)
  }

  /** The same of bytes, which have no sign. */
  def checksum(start: Digest, bytes: Array[Byte]): Digest = {
    var sum = start.bits
    var i = 0
    while (i < bytes.length) {
      sum = 31 * sum + (bytes(i) & 0xff)
      i += 1
    }
    new Digest(sum)
  }
}
