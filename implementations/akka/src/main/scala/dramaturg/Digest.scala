package dramaturg

/** A salt, a digest, or a sum of digests: 32 bits without a sign (ACT-8). */
final class Digest(val bits: Int) extends AnyVal {

  /** `(31 * (this xor number) + 1) mod 2^32`, of which the number's low 32 bits decide. */
  def fold(number: Int): Digest = new Digest(31 * (bits ^ number) + 1)
  def fold(number: Long): Digest = fold(number.toInt)

  def +(that: Digest): Digest = new Digest(bits + that.bits)
  def *(times: Int): Digest = new Digest(bits * times)

  def toLong: Long = Integer.toUnsignedLong(bits)
  override def toString: String = Integer.toUnsignedString(bits)
}

object Digest {
  val Zero: Digest = new Digest(0)

  /** These, one after the other, folded into a salt. */
  def of(salt: Digest, numbers: Array[Int]): Digest = {
    var digest = salt
    var i = 0
    while (i < numbers.length) {
      digest = digest.fold(numbers(i))
      i += 1
    }
    digest
  }

  /** The same of bytes, which have no sign. */
  def of(salt: Digest, bytes: Array[Byte]): Digest = {
    var digest = salt
    var i = 0
    while (i < bytes.length) {
      digest = digest.fold(bytes(i) & 0xff)
      i += 1
    }
    digest
  }
}
