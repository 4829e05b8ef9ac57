package dramaturg

/** Depends on every item and on their order (SORT-2): `c' = (31 * c + item) mod 2^32`, from 0. */
object Checksum {
  def apply(items: Array[Int]): Long = {
    var checksum = 0
    var i = 0
    while (i < items.length) {
      checksum = 31 * checksum + items(i)
      i += 1
    }
    Integer.toUnsignedLong(checksum)
  }

  /** Of bytes, which are unsigned. */
  def apply(bytes: Array[Byte]): Long = {
    var checksum = 0
    var i = 0
    while (i < bytes.length) {
      checksum = 31 * checksum + (bytes(i) & 0xff)
      i += 1
    }
    Integer.toUnsignedLong(checksum)
  }
}
